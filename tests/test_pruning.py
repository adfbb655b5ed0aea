"""Programs cut down to what a question needs say the same as whole ones.

The splitter works on text, for speed; clingo's own parser checks here that it takes every program apart correctly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from clingo import SymbolType
from clingo.ast import AST, ASTType, Sign, Transformer, parse_string

from riese_kb import worlds
from riese_kb.asking import core, position_of, terms_of
from riese_kb.board import System
from riese_kb.draft import Draft
from riese_kb.position import Position, Terms
from riese_kb.program import program, readings
from riese_kb.pruning import Prunable, Rule, settle_text, split_body
from riese_kb.question import CanTo, Reach, ZombieTurn
from riese_kb.solver import run
from riese_kb.worlds import Derived, Steps, World, derive, together
from tests.riese.generated import QUERIES, READINGS, Asked, chosen, dice, drawn, shown, switches

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted(path.stem for path in (ROOT / "queries").glob("*.lp"))


def whole(query: str) -> str:
    return program(System.RIESE, query).prunable.text


# --- whole and pruned programs --------------------------------------------------------------------------------------


def lockstep(steps: Steps[Any], asked: Sequence[Asked], monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve everything twice, with pruned and with whole programs, and compare all that is derived."""
    try:
        wanted = next(steps)
        while True:
            found = derive(wanted)
            with monkeypatch.context() as patch:
                patch.setattr(worlds, "_text", lambda law, _, __: whole(law.query))
                expected = derive(wanted)
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

    def everything(position: Position, squares: object, crowd: bool) -> str:
        return position.people

    monkeypatch.setattr(Position, "people_on", everything)
    monkeypatch.setattr("riese_kb.facts.Ground.part", lambda ground, squares: ground.all())
    for (board, question), one in zip(asked, near, strict=True):
        assert told(one) == told(answer((replace(board), question))), shown(board, question)


def answer(asked: Asked) -> Draft:
    board, question = asked
    return worlds.drive(core(position_of(board), question.about, terms_of(board, question)))


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


def words(node: Any) -> set[str]:
    """The predicates, constants and strings in a part of a program."""
    found: set[str] = set()

    class Reader(Transformer):
        def visit_Function(self, node: AST) -> AST:
            if node.name:
                found.add(node.name)
            self.visit_children(node)
            return node

        def visit_SymbolicTerm(self, node: AST) -> AST:
            if node.symbol.type is SymbolType.String:
                found.add(str(node.symbol))
            elif node.symbol.type is SymbolType.Function:
                found.add(node.symbol.name)
            return node

    Reader()(node)
    return found


def positive(node: AST) -> list[AST]:
    """The atoms that must hold for a rule to have an instance."""
    return [
        literal
        for literal in node.body
        if literal.ast_type is ASTType.Literal and literal.sign == Sign.NoSign and literal.atom.ast_type is ASTType.SymbolicAtom
    ]


@pytest.mark.parametrize("query", PROGRAMS)
def test_needed_words_stand_in_positive_atoms(query: str) -> None:
    for rule, node in pieces(query):
        if node.ast_type is not ASTType.Rule:
            assert not rule.needs, rule.text
            continue
        there = set().union(*map(words, positive(node))) if node.body else set()
        assert rule.needs <= there, (rule.text, sorted(rule.needs - there))
        for either in rule.either:
            assert either <= there, (rule.text, sorted(either - there))
            assert len(either) > 1, rule.text


@pytest.mark.parametrize("query", PROGRAMS)
def test_words_of_a_pool_are_never_all_needed(query: str) -> None:
    """``edge(P,Q,(wall;barring))`` needs one of the two."""
    for rule, node in pieces(query):
        if node.ast_type is ASTType.Rule:
            pooled = [word for atom in positive(node) for pool in pools(atom) for word in words(pool)]
            once = {word for word in pooled if not stands_alone(word, positive(node))}
            assert not rule.needs & once, rule.text


def pools(atom: AST) -> list[AST]:
    found: list[AST] = []

    class Reader(Transformer):
        def visit_Pool(self, node: AST) -> AST:
            found.append(node)
            return node

    Reader()(atom)
    return found


def stands_alone(word: str, literals: Iterable[AST]) -> bool:
    """Whether the word is also needed outside a pool, or names the predicate whose arguments are pooled."""
    return any(word in words(atom) for atom in literals if not pools(atom)) or any(
        word == atom.atom.symbol.name for atom in literals if atom.atom.symbol.ast_type is ASTType.Function
    )


@pytest.mark.parametrize("query", PROGRAMS)
def test_heads_make_all_their_words(query: str) -> None:
    for rule, node in pieces(query):
        if node.ast_type is ASTType.Rule:
            assert words(node.head) <= rule.makes, rule.text


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
        ("p(X) :- q(X), not r(X).", {"q"}),
        ("p(X) :- q(X,fire), X > 2.", {"q", "fire"}),
        ('p(X) :- q(X,"a.b").', {"q", '"a.b"'}),
        ("p :- N = #count{X : q(X)}, N > 0, r.", {"r"}),
        ("p(X) :- q(X), a(Y) : b(Y), c(Y); d(X).", {"q", "d"}),
        ("p(X) :- q(X,(up;down)).", {"q"}),
        ("p(1..3).", set()),
    ],
)
def test_what_a_rule_needs(text: str, needs: set[str]) -> None:
    (rule,) = Prunable.parse(text).rules
    assert rule.needs == needs


def test_rules_that_cannot_fire_are_left_out() -> None:
    law = Prunable.parse("a(X) :- b(X). c(X) :- a(X), d(X). e(X) :- b(X), f(X,red).")
    assert "c(X)" not in law.cut("b(1).")
    assert "a(X)" in law.cut("b(1).")
    assert "e(X)" not in law.cut("b(1). f(1,blue).")
    assert "e(X)" in law.cut("b(1). f(1,red).")


def test_what_nobody_reads_is_left_out() -> None:
    law = Prunable.parse("a(X) :- b(X). c(X) :- b(X). #show a/1.")
    assert not any(rule.text.startswith("c(X)") for rule in law.rules)


@pytest.mark.parametrize("query", PROGRAMS)
def test_settled_programs_keep_no_switch(query: str) -> None:
    """With every rule in force and all readings known, nothing is left to decide but readings named by a variable."""
    values = {name: reading.default for name, reading in readings(System.RIESE).items()}
    settled = settle_text(whole(query), values)
    bodies = [line.partition(":-")[2] for line in settled.splitlines() if not line.startswith(("in_force(", "reading("))]
    assert not [body for body in bodies if 'in_force(W,"' in body]


def test_settling_decides_switches_and_readings() -> None:
    text = (
        'p(W) :- q(W), in_force(W,"r"). s(W) :- q(W), not in_force(W,"r"). t(W) :- q(W), reading(W,x,one). '
        "u(W) :- q(W), reading(W,x,(two;three))."
    )
    atoms: Mapping[str, Any] = run(settle_text(text, {"x": "one"}), "q(1). world(1).")
    assert set(atoms) == {"p", "t", "q", "world"}
