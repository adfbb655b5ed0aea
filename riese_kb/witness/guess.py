"""One look of a search: clingo guesses the board and the question, both laws answer it, the answers must differ.

A look is for one kind of question, so many figures and a map of one size, and it is plain data: looks know nothing of each
other, so that they can be jobs (``jobs``).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import clingo
import msgspec
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
from riese_kb.teamfile import format_sheet
from riese_kb.witness.asked import SORTS, Asked
from riese_kb.witness.ground import Observed, Reduced
from riese_kb.witness.jobdata import case_of, data_of
from riese_kb.witness.order import Size, size_of
from riese_kb.witness.replay import differ
from riese_kb.witness.scene import GUESSED, Scene
from riese_kb.witness.sides import Pair, Side

SPURIOUS = 60
"""Boards on which a look may find a difference that the answers do not bear out, before it is given up."""
SORT_OF = {sort.name: sort for sort in SORTS}
WAIT = 0.2
"""Seconds after which a solver at work is asked whether somebody wants it to stop."""


class Found(Struct, frozen=True):
    """A board (or a team, which has no size) and a question that the two laws answer differently."""

    board: Sheet
    question: Question
    size: Size | None


def found_of(data: Mapping[str, str]) -> Found:
    """A witness from plain data."""
    sheet, question = case_of(data)
    return Found(sheet, question, size_of(sheet))


class Stopped(KeyboardInterrupt):
    """Somebody has stopped a look; ``best`` is the witness that it had by then."""

    def __init__(self, best: Found | None) -> None:
        super().__init__()
        self.best = best


class Look(Struct, frozen=True):
    """What one look is to find: a board of that size at most with so many figures.

    ``plainly``: one answer must be a yes. ``features``: so many at most; None for any number.
    ``touches``: only whether anything that can happen there hangs on what differs.
    """

    pair: Pair
    kind: str
    system: System
    limit: tuple[int, int]
    figures: int
    plainly: bool = False
    features: int | None = None
    touches: bool = False


def look(given: dict[str, Any]) -> dict[str, Any]:
    """A look as a job: ``{"look": …, "until": seconds since the epoch}``.

    The result holds what was ``found`` and whether nothing is left to look at: ``complete``. Raises ``Stopped``.
    """
    what = msgspec.convert(given["look"], Look)
    seeing = _Seeing(what, given["until"])
    try:
        if what.touches:
            return {"found": None, "complete": True, "possible": seeing.possible()}
        complete = seeing.smallest()
    except TimeoutError:
        complete = False
    except KeyboardInterrupt:
        raise Stopped(seeing.best) from None
    return {"found": data_of(seeing.best.board, seeing.best.question) if seeing.best is not None else None, "complete": complete}


class _Seeing:
    """A look at work: ``best`` is the smallest witness so far."""

    def __init__(self, what: Look, until: float) -> None:
        self.what, self.until = what, until
        self.sort = SORT_OF[what.kind]
        self.asked: Asked = self.sort.asked(what.limit)
        self.best: Found | None = None

    def possible(self) -> bool:
        """Whether a search is needed at all: of rule files it is seldom plain what they touch, so everything is merged first."""
        if time.time() > self.until:
            raise TimeoutError
        scene = self.sort.scene(self.what.system, *self.what.limit, self.what.figures)
        program = _grounded(self.what.pair, self.asked, scene, False, None)
        return program is not None and Reduced(*program).possible

    def smallest(self) -> bool:
        """Keep the smallest board of that map; True once it is known to be the smallest. Raises ``TimeoutError``."""
        what = self.what
        scene = self.sort.scene(what.system, *what.limit, what.figures)
        features = what.features
        if features is not None and features <= len(scene.tokens):
            if features < len(scene.tokens):
                return True
            scene = replace(scene, ground=(), edges=(), kinds=())
        before: list[Found] = []
        for cast in scene.casts() if self.sort.by_cast else [scene]:
            self._least(cast, features)
            before += [self.best] if self.best is not None else []
            self.best = min(before, key=_weight, default=None)
        return True

    def _least(self, scene: Scene, features: int | None) -> None:
        """Keep the smallest board of a scene. Raises ``TimeoutError``."""
        program = _grounded(self.what.pair, self.asked, scene, self.what.plainly, features)
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
                break
            # The answers do not bear out what the program tells apart: not this one.
            denied.append(refuted)
            if len(denied) > SPURIOUS:
                raise TimeoutError

    def _models(self, reduced: Reduced) -> Iterator[list[clingo.Symbol]]:
        """Ever better models. Raises ``TimeoutError``."""
        with reduced.control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(max(0.0, min(WAIT, self.until - time.time()))):
                    if time.time() >= self.until:
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
        return differ(self.what.pair, [(found.board, found.question)])[0] is not None


def _weight(found: Found) -> tuple[object, ...]:
    return found.size or (), len(format_sheet(found.board))


# --- the program ----------------------------------------------------------------------------------------------------

_SHOW = re.compile(r"#show [^.]*\.")
_TOTAL = re.compile(r"([A-Z]\w*)\s*=\s*#(?:sum|count)\b")
_COMMENT = re.compile(r"%[^\n]*")
_TELLING = ("tells(", "refused(", "failed(", "named(", "no_way_on(", "in_steps(", "dist(")
"""How the rules begin that belong to the law, and not to the choices."""
_HEAD = re.compile(r"([a-z_]\w*)\(")
_SHARED = frozenset({"chosen", "default", "in_force", "reading", "rule"})
"""What two programs that are asked in one world have in common, besides what they are given."""


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
    rules = [_loosened(one, asked.loosened) for one in rules]
    rules += [line for helper in asked.helpers for line in _helper(scene.system, helper)]
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


def _loosened(rule: str, loosened: Mapping[str, str]) -> str:
    """A rule that is made for more than what is in question, where it begins like one of these."""
    return next((new + rule.removeprefix(old) for old, new in loosened.items() if rule.startswith(old)), rule)


def _helper(system: System, name: str) -> list[str]:
    """The program whose answer another one is given; what it makes has a name of its own here."""
    rules = statements(_SHOW.sub("", program(system, name).text))
    own = {head[1] for one in rules if (head := _HEAD.match(one)) is not None} - _SHARED | {"gait", "metric", "stands"}
    suffix = f"_of_{name.rpartition('_')[2]}("
    return [re.sub(r"\b([a-z_]\w*)\(", lambda m: m[1] + suffix if m[1] in own else m[0], one) + "." for one in rules]


def _touched(pair: Pair, rules: Sequence[str]) -> bool:
    """Whether any rule that is left asks for what the two sides differ in; the list of all rules does not count."""
    if pair.files and any(_HOUSE.search(rule) for rule in rules):
        return True
    law = "\n".join(rule for rule in rules if not rule.startswith('rule("'))
    return bool(pair.readings & {*_READS.findall(law)}) or any(f'"{rule}"' in law for rule in pair.switches)


_HOUSE = re.compile(r" = [12]\.$")
"""How a rule of a rule file ends here: it holds in one world (``_of_world``)."""
_READS = re.compile(r"reading\(\w+,([a-z_0-9]+)")


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
    telling = [one for one in found if one.startswith(_TELLING)]
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


def open_law(asked: Asked, scene: Scene) -> list[str]:
    """What a search is made of, in one world and without anything to compare: the law, the choices, the order of boards."""
    guessing, telling = _witness_files(asked.name)
    world = fact("world", 1)
    rules = [_bounded(one, asked.sums) + "." for one in statements(_SHOW.sub("", program(scene.system, asked.query).text))]
    shown = ["#show violation/4.", "#show charge/7.", "#show failed/2."]
    cut = Prunable.parse("\n".join([*rules, *telling, *shown])).cut(shapes_of("".join([scene.possible(), asked.possible, world])))
    guessing = [one for one in guessing if not re.match(r"differs|:- (not differs|plainly)", one)]
    return [cut.text, *(f"{one}." for one in cut.facts), *guessing, *scene.statements(), *asked.statements, world]
