"""Programs cut down to what a question needs say the same as whole ones.

The splitter works on text, for speed; clingo's own parser checks here that it takes every program apart correctly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from clingo import SymbolType
from clingo.ast import AST, ASTType, Sign, Transformer, parse_string
from msgspec.structs import replace

from riese_kb.asking import position_of, terms_of
from riese_kb.board import System
from riese_kb.draft import Draft
from riese_kb.drafting import core
from riese_kb.facts import Ground
from riese_kb.grounding import Memo, derive, drive
from riese_kb.position import Position, Terms
from riese_kb.program import program, readings
from riese_kb.pruning import Prunable, Rule, shapes_of, split_body, symbols_of
from riese_kb.question import CanTo, Reach, ZombieTurn
from riese_kb.settling import open_text, settle_text
from riese_kb.solver import run
from riese_kb.worlds import Derived, Steps, World, together
from tests.riese.generated import QUERIES, READINGS, Asked, chosen, dice, drawn, shown, switches
from tests.whole_programs import leave_nothing_out

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted(path.stem for path in (ROOT / "queries").glob("*.lp"))


def whole(query: str) -> str:
    return program(system_of(query), query).text


def system_of(query: str) -> System:
    """The game whose program it is: those of rings begin with t_."""
    return System.TANNHAEUSER if query.startswith("t_") else System.RIESE


# --- whole and pruned programs --------------------------------------------------------------------------------------


def lockstep(steps: Steps[Any], asked: Sequence[Asked], monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve everything twice, with pruned and with whole programs, and compare all that is derived."""
    try:
        wanted = next(steps)
        while True:
            found = derive(wanted, Memo())
            with monkeypatch.context() as patch:
                leave_nothing_out(patch)
                expected = derive(wanted, Memo())
            for world, one, other in zip(wanted, found, expected, strict=True):
                assert atoms(one) == atoms(other), unlike(world, one, other, asked)
            wanted = steps.send(found)
    except StopIteration:
        return


def atoms(derived: Derived) -> dict[str, set[tuple[object, ...]]]:
    return {name: set(rows) for name, rows in derived._atoms.items()}


def unlike(world: World, one: Derived, other: Derived, asked: Sequence[Asked]) -> str:
    pruned, full = atoms(one), atoms(other)
    names = [name for name in {**pruned, **full} if pruned.get(name) != full.get(name)]
    assert isinstance(world.position, Position)
    board = world.position.board
    questions = "; ".join(question.text for there, question in asked if there is board)
    return shown(
        board,
        questions,
        query=world.query,
        facts=world.facts(0),
        pruned={name: pruned.get(name) for name in names},
        whole={name: full.get(name) for name in names},
    )


# Boards, questions a board.
AMOUNTS: dict[type[Any], tuple[int, int]] = {ZombieTurn: (3, 1), CanTo: (4, 1), Reach: (6, 2)}


@pytest.mark.parametrize("law", ["book", "readings", "switches"])
@pytest.mark.parametrize("kind", list(QUERIES))
def test_pruned_and_whole_programs_derive_the_same(kind: type[Any], law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = dice("pruning", kind.__name__, law)
    count, each = AMOUNTS.get(kind, (10, 4))
    asked = drawn(rng, kind, count, each)
    rules = switches(kind)

    def terms() -> Terms:
        if law == "book":
            return Terms()
        if law == "readings":
            return Terms(chosen(rng, list(READINGS), 6))
        return Terms(without=frozenset(rng.sample(rules, 4)))

    parts = [_quietly(position_of(board), question.about, terms()) for board, question in asked]
    lockstep(together(parts), asked, monkeypatch)


def _quietly(position: Position, about: Any, terms: Terms) -> Steps[object]:
    try:
        draft = yield from core(position, about, terms)
    except Exception as error:  # a question that cannot be answered has no atoms to compare
        return error
    return draft


@pytest.mark.parametrize("kind", [kind for kind in QUERIES if kind is not ZombieTurn])
def test_the_part_of_the_map_is_large_enough(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers from the squares and figures around a question are those from the whole map."""
    rng = dice("windows", kind.__name__)
    count, each = AMOUNTS.get(kind, (10, 4))
    asked = drawn(rng, kind, count, each)
    near = [answer(one) for one in asked]

    people, part = Position.people, Ground.part
    monkeypatch.setattr(Position, "people", lambda position, _, __: people(position, None, None))
    monkeypatch.setattr(Ground, "part", lambda ground, _: part(ground, None))
    for (board, question), one in zip(asked, near, strict=True):
        assert told(one) == told(answer((replace(board), question))), shown(board, question)


def answer(asked: Asked) -> Draft:
    board, question = asked
    return drive(core(position_of(board), question.about, terms_of(board, question)))


def told(draft: Draft) -> tuple[object, ...]:
    return (*draft.essence, draft.ledger)


# --- taking programs apart --------------------------------------------------------------------------------------------


def parsed(text: str) -> list[AST]:
    found: list[AST] = []
    parse_string(text, found.append)
    return [node for node in found if node.ast_type is not ASTType.Program]


@cache
def pieces(query: str) -> tuple[tuple[Rule, AST], ...]:
    """Each rule of the splitter with clingo's view of it; nothing is dropped as unread."""
    text = whole(query)
    return tuple((rule, node) for rule in Prunable.parse(without_shows(text)).rules for node in parsed(rule.text))


def without_shows(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("#show"))


@pytest.mark.parametrize("query", PROGRAMS)
def test_every_statement_is_found(query: str) -> None:
    text = without_shows(whole(query))
    rules = Prunable.parse(text).rules
    for rule in rules:
        assert parsed(rule.text), rule.text
    together_again = [str(node) for rule in rules for node in parsed(rule.text)]
    assert together_again == [str(node) for node in parsed(text)]


def constants(term: AST) -> set[str]:
    """The constants, strings and functors that a term can be, as the splitter writes them; none for anything else."""
    if term.ast_type is ASTType.Pool:
        return set().union(*map(constants, term.arguments))
    if term.ast_type is ASTType.SymbolicTerm and term.symbol.type in (SymbolType.String, SymbolType.Function):
        return {str(term.symbol)}
    if term.ast_type is ASTType.Function and term.name:
        return {term.name}
    return set()


def shape(atom: AST) -> list[tuple[str, set[str]]]:
    """The predicate with its places (``edge/3``), and the constants that each can be."""
    symbol = atom.atom.symbol
    if symbol.ast_type is ASTType.Pool:  # p((a;b)) is p(a) and p(b)
        alike: dict[str, set[str]] = {}
        for one in symbol.arguments:
            alike.setdefault(one.name, set())
            for place, term in enumerate(one.arguments, 1):
                alike.setdefault(f"{one.name}/{place}", set()).update(constants(term))
        return list(alike.items())
    places = [(f"{symbol.name}/{place}", constants(term)) for place, term in enumerate(symbol.arguments, 1)]
    return [(symbol.name, set()), *places]


def positive(node: AST) -> list[AST]:
    """The atoms that must hold for a rule to have an instance."""
    return [
        literal
        for literal in node.body
        if literal.ast_type is ASTType.Literal and literal.sign == Sign.NoSign and literal.atom.ast_type is ASTType.SymbolicAtom
    ]


@pytest.mark.parametrize("query", PROGRAMS)
def test_needs_are_those_of_the_positive_atoms(query: str) -> None:
    """clingo's parser sees the same predicates, constants and pools in the same places."""
    for rule, node in pieces(query):
        expected: set[frozenset[str]] = set()
        for atom in positive(node) if node.ast_type is ASTType.Rule else ():
            for place, found in shape(atom):
                if "/" not in place:
                    expected.add(frozenset({place}))
                elif found:
                    expected.add(frozenset(f"{place}={word}" for word in (*found, "*")))
        assert set(rule.needs) == expected, rule.text


@pytest.mark.parametrize("query", PROGRAMS)
def test_heads_make_all_their_shapes(query: str) -> None:
    for rule, node in pieces(query):
        if node.ast_type is not ASTType.Rule:
            continue
        for place, found in shape(node.head):
            symbol = node.head.atom.symbol
            symbol = symbol.arguments[0] if symbol.ast_type is ASTType.Pool else symbol
            term = None if "/" not in place else symbol.arguments[int(place.rpartition("/")[2]) - 1]
            if term is None:
                assert place in rule.makes, rule.text
            elif found:
                assert {f"{place}={word}" for word in found} <= rule.makes, rule.text
            elif term.ast_type is ASTType.Variable:
                assert f"{place}=*" in rule.makes, rule.text
            else:  # a tuple or a number is never what a constant asks for
                assert term.ast_type is not ASTType.Interval or "=" not in str(term), rule.text


@pytest.mark.parametrize("query", PROGRAMS)
def test_everything_read_is_known_as_read(query: str) -> None:
    for rule, node in pieces(query):
        if node.ast_type is ASTType.Rule:
            assert predicates(node.body) <= rule.reads, rule.text


def predicates(body: Iterable[AST]) -> set[str]:
    found: set[str] = set()

    class Reader(Transformer):
        def visit_SymbolicAtom(self, node: AST) -> AST:
            pool = node.symbol.ast_type is ASTType.Pool
            found.add(node.symbol.arguments[0].name if pool else node.symbol.name)
            return node

    reader = Reader()
    for literal in body:
        reader(literal)
    return found


# --- small programs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a(X), b(X)", ["a(X)", "b(X)"]),
        ("a(X); b(X)", ["a(X)", "b(X)"]),
        ("a((X;Y)), b", ["a((X;Y))", "b"]),
        ("N = #sum{M,R : c(R,M)}, b", ["N = #sum{M,R : c(R,M)}", "b"]),
        ('a("x, y; z"), b', ['a("x, y; z")', "b"]),
        ("|X-C| + |Y-D| <= 1, a", ["|X-C| + |Y-D| <= 1", "a"]),
    ],
)
def test_bodies_are_split_between_brackets(body: str, expected: list[str]) -> None:
    assert [piece for piece, _ in split_body(body)] == expected


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("p(X) :- q(X), not r(X).", ["q"]),
        ("p(X) :- q(X,fire), X > 2.", ["q", "q/2=fire"]),
        ('p(X) :- q(X,"a.b").', ["q", 'q/2="a.b"']),
        ("p(X) :- q(X,step(_)), r(Y,(1,2)).", ["q", "q/2=step", "r"]),
        ("p(N) :- N = #count{X : q(X)}, N > 0, r(N).", ["r"]),
        ("p(X) :- q(X), a(Y) : b(Y), c(Y); d(X).", ["q", "d"]),
        ("p(X) :- q(X,(up;down)).", ["q", "q/2=down|up"]),
        ("p(1..3).", []),
    ],
)
def test_what_a_rule_needs(text: str, needs: list[str]) -> None:
    (rule,) = Prunable.parse(text).rules
    short = [need - {shape for shape in need if shape.endswith("=*")} for need in rule.needs]
    place = [min(need).partition("=")[0] for need in short]
    told = ["|".join(sorted(shape.partition("=")[2] for shape in need)) if "=" in min(need) else "" for need in short]
    assert [f"{p}={t}" if t else p for p, t in zip(place, told, strict=True)] == needs


def cut(law: Prunable, facts: str) -> str:
    return law.cut(shapes_of(facts)).text


def test_rules_that_cannot_fire_are_left_out() -> None:
    law = Prunable.parse("a(X) :- b(X). c(X) :- a(X), d(X). e(X) :- b(X), f(X,red).")
    assert "c(X)" not in cut(law, "b(1).")
    assert "a(X)" in cut(law, "b(1).")
    assert "e(X)" not in cut(law, "b(1).f(1,blue).")
    assert "e(X)" in cut(law, "b(1).f(1,red).")
    assert "e(X)" not in cut(law, "b(red).f(1,blue).")


def test_a_variable_of_a_head_may_bring_anything() -> None:
    law = Prunable.parse("a(X) :- b(X). c(X) :- a(red), b(X).")
    assert "c(X)" in cut(law, "b(1).")


def test_choices_of_a_pool_that_match_nothing_are_left_out() -> None:
    law = Prunable.parse("a(X) :- e(X,(wall;closed;locked)), not e(X,(wall;open)).")
    assert cut(law, "e(1,wall).") == "a(X) :- e(X,wall), not e(X,(wall;open))."
    assert cut(law, "e(1,wall).e(2,locked).e(3,open).") == "a(X) :- e(X,(wall;locked)), not e(X,(wall;open))."
    assert cut(law, "e(1,open).") == ""


def test_what_nobody_says_is_not_denied() -> None:
    law = Prunable.parse("a(X) :- b(X), not c(X), not d(X), 0 = #sum{N : b(N), not c(N)}.")
    assert cut(law, "b(1).d(1).") == "a(X) :- b(X), not d(X), 0 = #sum{N : b(N), not c(N)}."
    assert cut(law, "b(1).c(1).") == "a(X) :- b(X), not c(X), 0 = #sum{N : b(N), not c(N)}."
    made = Prunable.parse("a(X) :- b(X), not c(X). c(X) :- e(X).")
    assert cut(made, "b(1).") == "a(X) :- b(X)."
    assert "not c(X)" in cut(made, "b(1).e(1).")


def test_of_one_world_the_number_is_known() -> None:
    law = Prunable.parse('a(W,"W (one)",X) :- world(W), b(W,X). a(W,W1) :- b(W,W1). n("W",red,-1). m(1..3).')
    whole = law.cut(shapes_of("b(0,1).world(0)."))
    assert whole.alone == 'a(0,"W (one)",X) :- b(0,X).\na(0,W1) :- b(0,W1).\nm(1..3).'
    assert list(map(str, whole.facts)) == ['n("W",red,-1)']


@pytest.mark.parametrize(
    ("facts", "shapes"),
    [
        ("edge((1,2),(2,2),wall).", {"edge", "edge/3=wall"}),
        (
            'figure("z). p(",zombie).at("z). p(",(1,1)).',
            {"figure", 'figure/1="z). p("', "figure/2=zombie", "at", 'at/1="z). p("'},
        ),
        ("do(0,1,step(2)).", {"do", "do/3=step"}),
    ],
)
def test_the_shapes_of_facts(facts: str, shapes: set[str]) -> None:
    assert shapes_of(facts) == shapes


def test_facts_that_nobody_reads_are_left_out() -> None:
    (only,) = symbols_of('at("a). at(",(1,1)).kin("a). at(",x).', frozenset({"at"}))
    assert str(only) == 'at("a). at(",(1,1))'


@pytest.mark.parametrize(
    ("head", "shapes"),
    [
        ("p(a;b)", {"p", "p/1=a", "p/1=b"}),
        ("p((a;X),1)", {"p", "p/1=a", "p/1=*"}),
        ("p(W,f(X))", {"p", "p/1=*", "p/2=f"}),
        ("p((1,2),3)", {"p"}),
    ],
)
def test_the_shapes_of_heads(head: str, shapes: set[str]) -> None:
    (rule,) = Prunable.parse(f"{head} :- q(W,X).").rules
    assert rule.makes == shapes


def test_a_pool_with_a_variable_asks_for_nothing() -> None:
    (rule,) = Prunable.parse("p(X) :- q(X,(a;Y)), r(Y).").rules
    assert rule.needs == (frozenset({"q"}), frozenset({"r"}))


def test_what_nobody_reads_is_left_out() -> None:
    law = Prunable.parse("a(X) :- b(X). c(X) :- b(X). #show a/1.")
    assert not any(rule.text.startswith("c(X)") for rule in law.rules)


@pytest.mark.parametrize("query", PROGRAMS)
def test_settled_programs_keep_no_switch(query: str) -> None:
    """With every rule in force and all readings known, nothing is left to decide but readings named by a variable."""
    values = {name: reading.default for name, reading in readings(system_of(query)).items()}
    settled = settle_text(whole(query), values)
    bodies = [line.partition(":-")[2] for line in settled.splitlines() if not line.startswith(("in_force(", "reading("))]
    assert not [body for body in bodies if 'in_force(W,"' in body]


@pytest.mark.parametrize("query", PROGRAMS)
def test_worlds_that_differ_derive_nothing_about_switches(query: str) -> None:
    """Only rules that are switched off are spoken of; every other body asks whether its rule is."""
    bodies = [line.partition(":-")[2] for line in open_text(whole(query)).splitlines() if not line.startswith("in_force(")]
    assert not [body for body in bodies if "in_force(" in body]


def test_differing_worlds_ask_what_is_off() -> None:
    text = 'p(W) :- q(W), in_force(W,"r"). s(W) :- not in_force(W,"r"). t(W,R) :- rule(R), in_force(W,R).'
    atoms: Mapping[str, Any] = run(open_text(text), 'q(0..1). world(0..1). rule("r"). off(1,"r").')
    assert {name: set(atoms[name]) for name in "pst"} == {"p": {(0,)}, "s": {(1,)}, "t": {(0, "r")}}


def test_readings_that_nobody_asks_for_are_not_spoken_of() -> None:
    law = Prunable.parse(
        "reading(W,N,V) :- world(W), default(N,V). p(W) :- reading(W,x,one). default(x,one). default(y,two). #show p/1."
    )
    assert [str(fact) for fact in law.cut(shapes_of("world(0).")).facts] == ["default(x,one)"]
    law = Prunable.parse("reading(W,N,V) :- world(W), default(N,V). p(W,N) :- reading(W,N,one). default(y,two). #show p/2.")
    assert [str(fact) for fact in law.cut(shapes_of("world(0).")).facts] == ["default(y,two)"]


def test_settling_decides_switches_and_readings() -> None:
    text = (
        'p(W) :- q(W), in_force(W,"r"). s(W) :- q(W), not in_force(W,"r"). t(W) :- q(W), reading(W,x,one). '
        "u(W) :- q(W), reading(W,x,(two;three))."
    )
    atoms: Mapping[str, Any] = run(settle_text(text, {"x": "one"}), "q(1). world(1).")
    assert set(atoms) == {"p", "t", "q", "world"}
