"""Every file under logic/ and queries/: readable, with a header, its rules behind their ids, and quiet when grounded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import clingo
import pytest
from clingo.ast import AST, ASTType, Transformer, parse_string

from riese_kb import grounding, pruning, solver
from riese_kb.asking import position_of, stand_of
from riese_kb.board import System
from riese_kb.catalogue import rule_ids
from riese_kb.drafting import core
from riese_kb.grounding import drive
from riese_kb.position import Terms
from riese_kb.program import Program, program, readings
from riese_kb.pruning import facts_in
from riese_kb.question import Zombie, ZombieTurn
from riese_kb.scenarios import scenarios
from riese_kb.worlds import World, together
from tests.riese.generated import (
    QUERIES,
    READINGS,
    TEAM_QUERIES,
    chosen,
    dice,
    drafts,
    drawn,
    examples,
    switches,
    team_examples,
)
from tests.whole_programs import leave_nothing_out

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted([*(ROOT / "logic").rglob("*.lp"), *(ROOT / "queries").glob("*.lp")])
ALL = [str(path.relative_to(ROOT)) for path in FILES]
SQUARES = (System.RIESE, System.STALINGRAD_Z)
"""The games on squares; tests/tannhaeuser has more about the other one."""


def names_of(system: System) -> list[str]:
    """The files of one game on squares: its chapters, and the queries that it shares with the other."""
    own = tuple(f"logic/{folder}/" for folder in system.folders)
    return [name for name in ALL if name.startswith(own) or (name.startswith("queries/") and not name.startswith("queries/t_"))]


NAMES = names_of(System.RIESE)
EVERYWHERE = list(dict.fromkeys(name for system in SQUARES for name in names_of(system)))
GAME = pytest.mark.parametrize("system", SQUARES)
# Programs of rings (t_…) are grounded by the tests in tests/tannhaeuser.
PROGRAMS = sorted(Path(name).stem for name in NAMES if name.startswith("queries/") and not Path(name).stem.startswith("t_"))
PLAYED = ("", *(number for number, scenario in scenarios("riese").items() if scenario.file))
"""Without a scenario, and with each that lays rules over the book's."""
BLOCK = re.compile(r"^%\s*@rule\s+(\S+)\s*$")

NOT_ASKED = {
    System.RIESE: (),
    System.STALINGRAD_Z: (
        *("npc", "npc_attack", "npc_order", "npc_steps", "npc_targets", "flame", "zombie_fire"),
        *("after", "earn", "heal", "join", "learn", "play", "replay", "victory"),
    ),
}
"""Programs that a game has no questions for."""

EACH = pytest.mark.parametrize("name", ALL)
QUERY = pytest.mark.parametrize("query", PROGRAMS)


@cache
def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def statements(name: str) -> tuple[AST, ...]:
    found: list[AST] = []
    parse_string(text(name), found.append)
    return tuple(node for node in found if node.ast_type not in (ASTType.Program, ASTType.Comment))


# --- one by one ---------------------------------------------------------------------------------------------------------


@EACH
def test_it_parses_and_holds_something(name):
    assert statements(name)


@EACH
def test_it_begins_by_saying_what_it_is(name):
    first = text(name).splitlines()[0]
    assert re.match(r"% \S.{8,}", first), first


@EACH
def test_rules_only_derive(name):
    """No integrity constraints, no choices, nothing that could take a model away or make two."""
    allowed = {ASTType.Rule, ASTType.ShowSignature, ASTType.Defined}
    for node in statements(name):
        assert node.ast_type in allowed, str(node)
        if node.ast_type is ASTType.Rule:
            head = node.head
            assert head.ast_type is ASTType.Literal, str(node)
            assert head.atom.ast_type is ASTType.SymbolicAtom, str(node)
            assert not head.sign, str(node)


@EACH
def test_no_function_is_called(name):
    for node in statements(name):
        assert not external(node), str(node)


def external(node: AST) -> bool:
    found: list[AST] = []

    class Reader(Transformer):
        def visit_Function(self, node: AST) -> AST:
            if node.external:
                found.append(node)
            self.visit_children(node)
            return node

    Reader()(node)
    return bool(found)


def strings(node: AST) -> set[str]:
    found: set[str] = set()

    class Reader(Transformer):
        def visit_SymbolicTerm(self, node: AST) -> AST:
            if node.symbol.type is clingo.SymbolType.String:
                found.add(node.symbol.string)
            return node

    Reader()(node)
    return found


def blocks(name: str) -> dict[str, tuple[int, int]]:
    """Each rule's id with the first and last line of what stands behind it; neighbouring ids share a block."""
    lines = text(name).splitlines()
    at = [(number, found[1]) for number, line in enumerate(lines, 1) if (found := BLOCK.match(line))]
    found_blocks: dict[str, tuple[int, int]] = {}
    for index, (number, rule) in enumerate(at):
        end = next((later for later, _ in at[index + 1 :] if lines_between(lines, number, later)), len(lines) + 1)
        found_blocks[rule] = (number, end - 1)
    return found_blocks


def lines_between(lines: list[str], number: int, later: int) -> bool:
    """Whether anything but comments and blank lines stands between two lines."""
    return any(line.strip() and not line.lstrip().startswith("%") for line in lines[number : later - 1])


@EACH
def test_something_stands_behind_every_id(name):
    for rule, (first, last) in blocks(name).items():
        behind = [node for node in statements(name) if first <= node.location.begin.line <= last]
        assert behind, f"{name}:{first}: nothing stands behind {rule}"


@cache
def mentions() -> dict[str, set[str]]:
    """Ids as arguments: of ``in_force`` in a body, or of a fact that ties them to something which is switched together."""
    found: dict[str, set[str]] = {}
    for name in EVERYWHERE:
        for node in statements(name):
            if node.ast_type is ASTType.Rule:
                places = node.body or [node.head]
                for place in places:
                    for word in strings(place):
                        found.setdefault(word, set()).add(name)
    return found


def test_every_id_is_asked_for_by_some_switch():
    """A rule whose id no body asks for cannot be switched off."""
    ids = {rule for name in EVERYWHERE for rule in blocks(name)}
    assert not ids - mentions().keys()


@GAME
def test_ids_of_the_logic_are_those_of_the_catalogue(system):
    asked = {Path(name).stem for name in ALL if name.startswith("queries/")} - set(NOT_ASKED[system])
    files = [name for name in names_of(system) if name.startswith("logic/") or Path(name).stem in asked]
    assert {rule for name in files for rule in blocks(name)} == set(rule_ids(system))


@GAME
def test_no_id_has_two_homes(system):
    homes = [(rule, name) for name in names_of(system) for rule in blocks(name)]
    twice = {rule for rule, _ in homes if sum(other == rule for other, _ in homes) > 1}
    assert not twice


def test_rules_are_mentioned_by_ids_that_exist():
    """A string with a dot in a logic file is the id of a rule, or of a limit in the tables."""
    known = {rule for system in SQUARES for rule in rule_ids(system)} | set(re.findall(r'"([a-z0-9.-]+)"', tables()))
    for name in EVERYWHERE:
        for node in statements(name):
            unknown = {word for word in strings(node) if "." in word} - known
            assert not unknown, (name, str(node))


def tables() -> str:
    return "".join(path.read_text(encoding="utf-8") for s in SQUARES for path in (ROOT / "rules" / s).glob("*.toml"))


@GAME
def test_readings_are_mentioned_by_names_and_values_that_exist(system):
    known = readings(system)
    for name in names_of(system):
        if Path(name).stem in NOT_ASKED[system] and name.startswith("queries/"):
            continue
        bare = re.sub(r"%[^\n]*", "", text(name))
        for reading, values in re.findall(r"\breading\(\w+,([a-z_0-9]+),\(?([a-z_0-9;]+)\)?\)", bare):
            assert reading in known, (name, reading)
            assert set(values.split(";")) <= set(known[reading].values), (name, reading, values)
        for reading in re.findall(r"\bmatters\(\w+,([a-z_0-9]+)\)", bare):
            assert reading in known, (name, reading)


@EACH
def test_the_world_stands_first(name: str) -> None:
    """W is the world and nothing else, so that a grounding of one world may put its number in W's place."""
    assert not re.search(r"(?<!\()\bW\b|\(W(?![,)])", re.sub(r'"[^"]*"|%.*', "", text(name)))


@GAME
def test_every_reading_is_asked_for_somewhere(system):
    asked = frozenset().union(*(program(system, query).readings for query in PROGRAMS if query not in NOT_ASKED[system]))
    assert asked == frozenset(readings(system))


# --- put together ---------------------------------------------------------------------------------------------------------


def test_every_query_belongs_to_a_kind_of_question():
    assert {query for queries in (QUERIES | TEAM_QUERIES).values() for query in queries} == set(PROGRAMS)


@QUERY
def test_every_chapter_exists(query):
    files = program(System.RIESE, query).files
    both = (*files, *program(System.STALINGRAD_Z, query).files) if query not in NOT_ASKED[System.STALINGRAD_Z] else files
    chapters = re.search(r"^%\s*chapters:(.*)$", text(f"queries/{query}.lp"), re.M)
    assert chapters
    for chapter in chapters.group(1).split():
        assert any(Path(file).stem == chapter for file in both), chapter


def test_every_chapter_is_used():
    used = {Path(file).stem for query in PROGRAMS for played in PLAYED for file in program(System.RIESE, query, played).files}
    both = used | {Path(file).stem for query in PROGRAMS for file in program(System.STALINGRAD_Z, query).files}
    assert {Path(name).stem for name in EVERYWHERE if "/scenarios/" not in name or name in NAMES} <= both


@pytest.mark.parametrize("kind", list(QUERIES))
def test_grounding_says_nothing(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No undefined operation, no tuple ignored, in whole programs on generated boards, under any readings and switches."""
    said: list[str] = []
    leave_nothing_out(monkeypatch)
    monkeypatch.setattr(grounding, "run", lambda *given, **options: solver.run(*given, **options, strict=said.append))
    rng = dice("grounding", kind.__name__)
    few = {"can": (8, 6), "lof": (6, 10), "zombie": (4, 1)}.get(QUERIES[kind][0], (5, 2))
    rules = switches(kind)
    for board, question in drawn(rng, kind, *few):
        for terms in (Terms(), Terms(chosen(rng, list(READINGS), 6)), Terms(without=frozenset(rng.sample(rules, 4)))):
            drive(together([core(position_of(board), question.about, terms)]))
    assert not said, said[:5]


def left_open(text: str, facts: Sequence[clingo.Symbol]) -> set[str]:
    """The atoms of a program that grounding alone does not decide."""
    control = clingo.Control(["--warn=no-atom-undefined"])
    control.add("base", [], "".join([text, *(f"{fact}." for fact in facts)]))
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms if not atom.is_fact}


@pytest.mark.parametrize("kind", [kind for kind in QUERIES if kind not in (Zombie, ZombieTurn)])
def test_nothing_is_left_to_the_solver(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are stratified: grounding alone finds what holds. A loop through a negation makes a search ten times slower.

    Zombies are the exception: whether one goes on depends on what its last move was chosen from.
    """
    rng = dice("stratified", kind.__name__)
    few = {"can": (12, 6), "lof": (6, 10)}.get(QUERIES[kind][0], (6, 3))
    open_atoms: set[str] = set()

    def watched(
        text: str, facts: str, symbols: Sequence[clingo.Symbol], shown: Sequence[tuple[str, int]], **options: Any
    ) -> solver.Atoms:
        open_atoms.update(left_open(text, symbols))
        return solver.run(text, facts, symbols, shown, **options)

    monkeypatch.setattr(grounding, "run", watched)
    rules = switches(kind)
    for board, question in drawn(rng, kind, *few):
        for terms in (Terms(), Terms(chosen(rng, list(READINGS), 6)), Terms(without=frozenset(rng.sample(rules, 4)))):
            drive(together([core(position_of(board), question.about, terms)]))
    assert not open_atoms, sorted(open_atoms)[:8]


@pytest.mark.parametrize("kind", list(TEAM_QUERIES))
def test_questions_about_teams_ground_quietly_and_leave_nothing_open(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    open_atoms: set[str] = set()

    def watched(
        text: str, facts: str, symbols: Sequence[clingo.Symbol], shown: Sequence[tuple[str, int]], **options: Any
    ) -> solver.Atoms:
        open_atoms.update(left_open(text, symbols))
        return solver.run(text, facts, symbols, shown, strict=said.append, **options)

    leave_nothing_out(monkeypatch)
    monkeypatch.setattr(grounding, "run", watched)
    rng = dice("teams", kind.__name__)
    rules = sorted(frozenset().union(*(program(System.RIESE, query).rules for query in TEAM_QUERIES[kind])))
    for team, question in team_examples():
        if isinstance(question.about, kind):
            for terms in (Terms(), Terms(chosen(rng, list(READINGS), 6)), Terms(without=frozenset(rng.sample(rules, 2)))):
                drive(together([core(stand_of(team), question.about, terms)]))
    assert not said, said[:5]
    assert not open_atoms, sorted(open_atoms)[:8]


RARE = {("dead", 2), ("broken", 2), ("insists", 1), ("lying", 2), ("dazed", 2)}
"""Given only in the middle of a zombie turn or of spread fire, or by boards that are seldom drawn."""
OF_STALINGRAD_Z = {("supplied", 2), ("fatigue", 2), ("flipped", 2), ("maxim", 2), ("nimble", 1)} | {
    (word, 1) for word in ("bayonet", "ordered", "rearguard", "emplaced")
}
"""Given by boards of that game, which are not drawn here, or by its scenarios."""


@pytest.fixture(scope="module")
def given() -> set[tuple[str, int]]:
    """Every predicate among the facts of boards and questions."""
    seen: set[tuple[str, int]] = set()
    asked = examples()
    for kind in QUERIES:
        asked += drawn(dice("given", kind.__name__), kind, 6, 2)

    def watched(law: Program, worlds: Sequence[World], facts: grounding.Facts) -> solver.Atoms:
        seen.update(*map(predicates, (*facts.board, *facts.shared, *facts.asked)))
        return answered(law, worlds, facts)

    answered = grounding._atoms
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounding, "_atoms", watched)
        drafts([*asked, *team_examples()])
    assert {("at", 2), ("edge", 3), ("do", 3), ("dist", 6), ("crosses_edge", 5)} <= seen
    return seen


@cache
def predicates(facts: str) -> frozenset[tuple[str, int]]:
    return frozenset((symbol.name, len(symbol.arguments)) for symbol in map(clingo.parse_term, facts_in(facts)))


@cache
def asked_and_made(query: str) -> tuple[dict[tuple[str, int], str], set[tuple[str, int]]]:
    """What the rules of a program ask for, and what they derive; under all scenarios."""
    laws = [program(System.RIESE, query, played) for played in PLAYED]
    if query not in NOT_ASKED[System.STALINGRAD_Z]:
        laws.append(program(System.STALINGRAD_Z, query))
    made: set[tuple[str, int]] = set()
    asked: dict[tuple[str, int], str] = {}
    for statement in dict.fromkeys(statement for law in laws for statement in pruning.statements(law.text)):
        heads, bodies = heads_and_bodies(statement)
        made |= heads
        asked |= dict.fromkeys(bodies, statement)
    return asked, made


@cache
def heads_and_bodies(statement: str) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """What one statement derives, and what it asks for; most stand in many programs."""
    found: list[AST] = []
    parse_string(f"{statement}.", found.append)
    rules = [node for node in found if node.ast_type is ASTType.Rule]
    heads = [signatures(rule.head) for rule in rules]
    bodies = [signatures(literal) for rule in rules for literal in rule.body]
    return set().union(*heads), set().union(*bodies)


def test_every_predicate_has_a_source(given):
    """What a body asks for is derived by a rule of some program, or given by the facts of a board or a question."""
    both = [asked_and_made(query) for query in PROGRAMS]
    made = set().union(*(derived for _, derived in both))
    asked = {signature: rule for wanted, _ in both for signature, rule in wanted.items()}
    assert not {signature: asked[signature] for signature in asked.keys() - made - given - RARE - OF_STALINGRAD_Z}


def test_every_fact_is_asked_for(given):
    both = [asked_and_made(query) for query in PROGRAMS]
    assert not given - set().union(*(set(wanted) | derived for wanted, derived in both))


def signatures(node: AST) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()

    class Reader(Transformer):
        def visit_SymbolicAtom(self, node: AST) -> AST:
            symbol = node.symbol
            options = symbol.arguments if symbol.ast_type is ASTType.Pool else [symbol]
            found.update((option.name, len(option.arguments)) for option in options)
            return node

    Reader()(node)
    return found
