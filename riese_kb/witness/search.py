"""The search itself: clingo guesses the board and the question, both laws answer it, the answers must differ.

Figures are added one by one. For each number the smallest board is looked for on a small map first, since that takes a
moment; then on the whole map for anything that comes before it in the order. That this fails is the proof that nothing does.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

import clingo
from clingo.ast import AST, ASTType, parse_string
from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import System
from riese_kb.facts import Name, fact
from riese_kb.house_rules import read_rules
from riese_kb.language import format_question
from riese_kb.program import overlay, program
from riese_kb.pruning import Prunable, shapes_of, split_body, statements
from riese_kb.question import Question
from riese_kb.rule_heads import FORMS
from riese_kb.solver import gather
from riese_kb.tables import data_root
from riese_kb.team import Sheet
from riese_kb.witness.asked import Asked, Sort
from riese_kb.witness.ground import Observed, Reduced
from riese_kb.witness.order import FLOORS, NOTHING, Size, size_of
from riese_kb.witness.replay import differ
from riese_kb.witness.scene import GUESSED, Scene
from riese_kb.witness.seeds import from_stored
from riese_kb.witness.sides import Pair, Side

SMALL = 3
"""Width and height of the map that is searched first."""
SPURIOUS = 60
"""Boards on which a search may find a difference that the answers do not bear out, before it is given up."""


class Outcome(StrEnum):
    """How a search ends."""

    CONFLICT = "conflict"
    SAME = "same within bound"
    UNDECIDED = "undecided"


class Found(Struct, frozen=True):
    """A board (or a team, which has no size) and a question that the two laws answer differently."""

    board: Sheet
    question: Question
    size: Size | None


class Result(Struct, frozen=True):
    """The outcome, the witness where there is one, whether nothing comes before it, and the bound of the search."""

    outcome: Outcome
    bound: str
    found: Found | None = None
    minimal: bool = False
    seconds: float = 0.0


class Search:
    """One kind of question, one pair of laws, up to so many figures on a map of that size."""

    def __init__(self, pair: Pair, sort: Sort, system: System, limit: tuple[int, int], figures: int, until: float) -> None:
        self.pair, self.sort, self.system = pair, sort, system
        self.limit, self.figures, self.until = limit, figures, until
        self.asked: Asked = sort.asked(limit)
        self.best: Found | None = None

    @property
    def bound(self) -> str:
        """What was looked through."""
        width, height = self.limit
        return f"boards up to {width}x{height} with up to {self.figures} figures, {self.asked.bound}"

    def run(self) -> Result:
        """Search up to the bound, smallest boards first."""
        begun = time.monotonic()
        outcome, minimal = Outcome.SAME, True
        try:
            numbers = [number for number in range(self.sort.fewest, self.figures + 1) if self._may_differ(number)]
            for plainly in (True, False):
                if any(self._with(number, plainly) for number in numbers):
                    outcome = Outcome.CONFLICT
                    break
        except TimeoutError:
            outcome, minimal = (Outcome.CONFLICT if self.best else Outcome.UNDECIDED), False
        return Result(outcome, self.bound, self.best, minimal and self.best is not None, time.monotonic() - begun)

    def _may_differ(self, figures: int) -> bool:
        """Whether a search is needed at all: of rule files it is seldom plain what they touch, so everything is merged first."""
        if not self.pair.files:
            return True
        if time.monotonic() > self.until:
            raise TimeoutError
        scene = self.sort.scene(self.system, *self.limit, figures)
        program = _grounded(self.pair, self.asked, scene, False, None)
        return program is not None and Reduced(*program).possible

    def _with(self, figures: int, plainly: bool) -> bool:
        """Look for the smallest board with so many figures; whether there is one."""
        width, height = self.limit
        small = (min(width, SMALL), min(height, SMALL))
        self._smallest(small, figures, plainly)
        if self.best is None and small != self.limit:
            self._smallest(self.limit, figures, plainly)
        while self.best is not None and self.best.size is not None and self._smaller(self.best.size, plainly):
            pass
        return self.best is not None

    def _smaller(self, size: Size, plainly: bool) -> bool:
        """Look for what comes before a board with the same figures: fewer features on any map, or a smaller map."""
        if size.features and self._smallest(self.limit, size.figures, plainly, size.features - 1):
            return True
        return any(self._smallest(shape, size.figures, plainly, size.features) for shape in _shapes(self.limit, size.area - 1))

    def _smallest(self, limit: tuple[int, int], figures: int, plainly: bool, features: int | None = None) -> bool:
        """Keep the smallest board of that map, with so many features at most; whether there is one. Raises ``TimeoutError``."""
        scene, before = self.sort.scene(self.system, *limit, figures), self.best
        if features is not None and features <= len(scene.tokens):
            if features < len(scene.tokens):
                return False
            scene = replace(scene, ground=(), edges=())
        program = _grounded(self.pair, self.sort.asked(limit), scene, plainly, features)
        denied: list[frozenset[clingo.Symbol]] = []
        while program is not None:
            reduced, refuted = Reduced(*program, denied), None
            for model in self._models(reduced) if reduced.possible else ():
                found = self._read(scene, model)
                if not self._holds(found):
                    refuted = frozenset(model)
                    break
                self.best = found
            if refuted is None:
                return self.best is not before
            # The answers do not bear out what the program tells apart: not this one.
            denied.append(refuted)
            if len(denied) > SPURIOUS:
                raise TimeoutError
        return False

    def _models(self, reduced: Reduced) -> Iterator[list[clingo.Symbol]]:
        """Ever better models. Raises ``TimeoutError``."""
        with reduced.control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.0, self.until - time.monotonic())):
                    handle.cancel()
                    raise TimeoutError
                model = handle.model()
                if model is None:
                    return
                yield model.symbols(atoms=True)

    def _read(self, scene: Scene, symbols: list[clingo.Symbol]) -> Found:
        wanted = GUESSED | self.asked.guessed
        atoms = gather(symbol for symbol in symbols if symbol.name in wanted)
        board = scene.board(atoms)
        about = self.asked.about(atoms, scene.names(atoms))
        question = Question(format_question(Question("", about)), about)
        return Found(board, question, size_of(board))

    def _holds(self, found: Found) -> bool:
        return differ(self.pair, [(found.board, found.question)])[0] is not None


# --- the program ----------------------------------------------------------------------------------------------------

_SHOW = re.compile(r"#show [^.]*\.")
_TOTAL = re.compile(r"([A-Z]\w*)\s*=\s*#(?:sum|count)\b")
_COMMENT = re.compile(r"%[^\n]*")
_GUESSING = ("1 {", "{", ":-", "#minimize")


def _grounded(
    pair: Pair, asked: Asked, scene: Scene, plainly: bool, features: int | None
) -> tuple[clingo.Control, Observed] | None:
    """The whole search, grounded; None where nothing that can happen there hangs on what differs."""
    text = _text(pair, asked, scene, plainly, features)
    if text is None:
        return None
    observed = Observed()
    control = clingo.Control(["--warn=none"])
    control.register_observer(observed)
    control.add("base", [], text)
    control.ground([("base", [])])
    return control, observed


def _text(pair: Pair, asked: Asked, scene: Scene, plainly: bool, features: int | None) -> str | None:
    law = program(scene.system, asked.query)
    guessing, telling = _witness_files(asked.name)
    worlds = [_world(number, side) for number, side in enumerate(pair.sides, 1)]
    house = [line for number, side in enumerate(pair.sides, 1) for line in _house(number, side)]
    house += [overlay(scene.system)] if pair.files else []
    rules = [_bounded(one, asked.sums) + "." for one in statements(_SHOW.sub("", "\n".join([law.text, *house])))]
    shown = ["#show tells/2.", "#show refused/1."]
    possible = "".join([scene.possible(), asked.possible, *worlds])
    cut = Prunable.parse("\n".join([*rules, *telling, *shown])).cut(shapes_of(possible))
    if not _touched(pair, [*cut.text.split("\n"), *map(str, cut.facts)]):
        return None
    text = "\n".join([cut.text, *(f"{one}." for one in cut.facts)])
    parts = [text, *guessing, *scene.statements(), *asked.statements, *worlds]
    parts += ["plainly."] if plainly else []
    parts += [fact("at_most", features)] if features else []
    return "\n".join([*parts, "#show."])


def _touched(pair: Pair, rules: Sequence[str]) -> bool:
    """Whether any rule that is left asks for what the two sides differ in; the list of all rules does not count."""
    if pair.files and any(_HOUSE.search(rule) for rule in rules):
        return True
    law = "\n".join(rule for rule in rules if not rule.startswith('rule("'))
    return bool(pair.readings & {*_READS.findall(law)}) or any(f'"{rule}"' in law for rule in pair.switches)


_HOUSE = re.compile(r" = [12]\.$")
"""How a rule of a rule file ends here: it holds in one world (``_of_world``)."""
_READS = re.compile(r"reading\(\w+,([a-z_0-9]+)")


def _shapes(limit: tuple[int, int], area: int) -> list[tuple[int, int]]:
    """The largest maps of that area at most: every smaller one is part of one of them."""
    fit = [(width, min(limit[1], area // width)) for width in range(1, limit[0] + 1) if area >= width]
    return [shape for shape in fit if not any(shape != o and shape[0] <= o[0] and shape[1] <= o[1] for o in fit)]


def _world(number: int, side: Side) -> str:
    parts = [fact("world", number)]
    parts += [fact("off", number, rule) for rule in side.without]
    parts += [fact("chosen", number, Name(name), Name(value)) for name, value in side.under]
    return "".join(parts)


def _witness_files(name: str) -> tuple[list[str], list[str]]:
    """The choices and constraints, and the rules, of the two files of a kind of question."""
    text = ""
    for file in ("board", name):
        with open(os.path.join(data_root(), "queries", "witness", f"{file}.lp"), encoding="utf-8") as stream:
            text += _COMMENT.sub("", stream.read())
    found = [f"{one}." for one in statements(text)]
    telling = [one for one in found if one.startswith(("tells(", "refused(", "failed(", "named("))]
    return [one for one in found if one not in telling], telling


def _bounded(statement: str, sums: tuple[int, int]) -> str:
    """Sums over open terms are asked for value by value: clingo would list every sum that there might be."""
    head, arrow, body = statement.partition(":-")
    if not arrow or "#" not in body:
        return statement
    pieces = []
    for piece, separator in split_body(body):
        found = _TOTAL.match(piece)
        pieces.append((f"{found[1]} = {sums[0]}..{sums[1]}, {piece}" if found else piece) + separator)
    return f"{head}:- {' '.join(pieces)}"


def _house(number: int, side: Side) -> list[str]:
    """The rule files of one side, for its world alone, and with names of their own for what only they derive."""
    found: list[tuple[str, str]] = []
    ids: list[str] = []
    for path in side.rules:
        house = read_rules(path)
        ids += house.titles
        nodes: list[AST] = []
        parse_string(house.text, nodes.append)
        found += [_of_world(node, number) for node in nodes if node.ast_type is ASTType.Rule]
    own = {name for name, _ in found} - FORMS.keys() - {"rule"}
    rules = [re.sub(r"\b([a-z_]\w*)\(", lambda m: f"{m[1]}_of_{number}(" if m[1] in own else m[0], text) for _, text in found]
    return [*rules, *(fact("own_rule", id) for id in ids)]


def _of_world(node: AST, number: int) -> tuple[str, str]:
    """What a rule derives, and its text; what the book derives, too, it derives in one world only."""
    head, text = node.head.atom.symbol, str(node)
    if head.name in FORMS:
        text = f"{text[:-1]}{'; ' if ':-' in text else ' :- '}{head.arguments[0]} = {number}."
    return head.name, text


def search(
    pair: Pair,
    sorts: Sequence[Sort],
    system: System,
    limit: tuple[int, int],
    figures: int,
    seconds: float,
    progress: Callable[[str], None] = lambda _: None,
    asks: str = "",
) -> Result:
    """Try kinds of questions one after the other; the first on which the laws differ is the one that is told.

    Where no kind that clingo can guess tells them apart, the shipped boards are tried, and made smaller one thing at a time.
    ``asks``: only questions that begin with that word.
    """
    begun = time.monotonic()
    bounds = []
    for sort in () if system.on_rings else sorts:
        if not _concerns(pair, sort, system) or asks not in ("", sort.name):
            continue
        progress(sort.name)
        result = Search(pair, sort, system, limit, figures, begun + seconds).run()
        bounds.append(result.bound)
        if result.outcome is not Outcome.SAME:
            return result
    if bounds and pair.files:  # what rule files derive is looked for on every board
        return Result(Outcome.SAME, "; ".join(bounds), seconds=time.monotonic() - begun)
    progress("shipped boards")
    case = from_stored(pair, system, begun + seconds, asks)
    bound = "; ".join([*bounds, "the shipped boards"])
    if case is not None:
        found = Found(case[0], case[1], size_of(case[0]))
        least = found.size is not None and found.size <= floor(pair, system)
        bound += "; nothing less can be asked about" if least else ""
        return Result(Outcome.CONFLICT, bound, found, least, time.monotonic() - begun)
    out_of_time = time.monotonic() - begun >= seconds
    outcome = Outcome.SAME if bounds and not out_of_time else Outcome.UNDECIDED
    return Result(outcome, bound, seconds=time.monotonic() - begun)


def floor(pair: Pair, system: System) -> Size:
    """The least board on which a program that asks for what the two laws differ in can be asked at all: no other can tell them
    apart.
    """
    if system.on_rings:
        return NOTHING
    folder = os.path.join(data_root(), "queries")
    names = [name.removesuffix(".lp") for name in os.listdir(folder) if name.endswith(".lp") and not name.startswith("t_")]
    asked = [name for name in names if (law := program(system, name)).readings & pair.readings or law.rules & pair.switches]
    return min((FLOORS.get(name, NOTHING) for name in asked), default=NOTHING)


def _concerns(pair: Pair, sort: Sort, system: System) -> bool:
    """Whether the program of a kind of question asks for what the two laws differ in."""
    law = program(system, sort.asked((1, 1)).query)
    return bool(pair.files or pair.readings & law.readings or pair.switches & law.rules)


def open_law(asked: Asked, scene: Scene) -> list[str]:
    """What a search is made of, in one world and without anything to compare: the law, the choices, the order of boards."""
    guessing, telling = _witness_files(asked.name)
    world = fact("world", 1)
    rules = [_bounded(one, asked.sums) + "." for one in statements(_SHOW.sub("", program(scene.system, asked.query).text))]
    shown = ["#show violation/4.", "#show charge/7.", "#show failed/2."]
    cut = Prunable.parse("\n".join([*rules, *telling, *shown])).cut(shapes_of("".join([scene.possible(), asked.possible, world])))
    guessing = [one for one in guessing if not re.match(r"differs|:- (not differs|plainly)", one)]
    return [cut.text, *(f"{one}." for one in cut.facts), *guessing, *scene.statements(), *asked.statements, world]
