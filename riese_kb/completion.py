"""A logic program with open facts as one formula: what clingo grounds, z3 reasons about.

What a question is about (declared movement, statuses, squares on a line …) is left open by ``#external``; grounding the
chapters over it gives finitely many rules, and since our programs have no positive loops, "an atom holds exactly where one of
its rules' bodies does" (Clark's completion) says the same as the program. So the formula is the law as it stands in
``logic/``, not a second copy of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

import clingo
import z3
from clingo import Symbol

from riese_kb.facts import fact
from riese_kb.pruning import Rule
from riese_kb.solver import plain


def behind(rules: Iterable[Rule], wanted: Iterable[str]) -> list[Rule]:
    """The rules that those predicates depend on, however indirectly."""
    makers: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.shows:
            makers.setdefault(rule.head, []).append(rule)
    found: dict[str, None] = {}
    queue = list(wanted)
    while queue:
        name = queue.pop()
        if name not in found:
            found[name] = None
            queue += [read for rule in makers.get(name, ()) for read in rule.reads]
    return [rule for name in found for rule in makers.get(name, ())]


_SWITCH = re.compile(r'in_force\(W,"([^"]+)"\)')


def switches(rules: Iterable[str]) -> frozenset[str]:
    """The ids of the rules that these can be switched off by."""
    return frozenset(id for text in rules for id in _SWITCH.findall(text))


_Body = tuple[list[tuple[int, int]], int]
"""The literals of a ground body with their weights, and the weight that those which hold must reach."""
_Bodies = dict[int, list[_Body]]


def _held(body: _Body, known: Mapping[int, bool]) -> bool | None:
    """Whether a body holds, as far as what is known decides it."""
    literals, bound = body
    sure = possible = 0
    for literal, weight in literals:
        value = known.get(abs(literal))
        if value is None:
            possible += weight
        elif value == (literal > 0):
            sure += weight
    return True if sure >= bound else False if sure + possible < bound else None


def _left(body: _Body, known: Mapping[int, bool]) -> _Body:
    """What is still open in a body."""
    literals, bound = body
    sure = sum(weight for literal, weight in literals if known.get(abs(literal)) == (literal > 0))
    return [(literal, weight) for literal, weight in literals if abs(literal) not in known], bound - sure


def _settled(bodies: _Bodies, given: Mapping[int, bool]) -> dict[int, bool]:
    """What is given, and every atom whose value follows from it alone."""
    known = dict(given)
    waiting = bodies.keys() - known.keys()
    while True:
        fresh: dict[int, bool] = {}
        for atom in waiting:
            values = [_held(body, known) for body in bodies[atom]]
            if True in values or not any(value is None for value in values):
                fresh[atom] = known[atom] = True in values
        if not fresh:
            return known
        waiting -= fresh.keys()


class _Rules(clingo.Observer):
    """Every ground rule: head atom, and body as (literal, weight) pairs with the weight they have to reach."""

    def __init__(self) -> None:
        self.bodies: _Bodies = {}
        self.open: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        assert not choice, "rules only derive"
        (atom,) = head
        self.bodies.setdefault(atom, []).append(([(literal, 1) for literal in body], len(body)))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        assert not choice, "rules only derive"
        (atom,) = head
        self.bodies.setdefault(atom, []).append((list(body), lower_bound))

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.open.add(atom)


def _joined(how: Callable[..., Any], parts: list[z3.BoolRef]) -> z3.BoolRef:
    """And or or; straight through z3's C interface, for most of the time that a proof takes would go into its wrapper."""
    if len(parts) == 1:
        return parts[0]
    context = z3.main_ctx()
    return z3.BoolRef(how(context.ref(), len(parts), (z3.Ast * len(parts))(*(part.ast for part in parts))), context)


class Completion:
    """The formula of a program; ``prefix`` keeps the atoms of two of them apart that share their open facts.

    ``off``: rules that ``without`` may switch off later; here all of them are in force.
    """

    def __init__(self, program: str, prefix: str = "", off: Iterable[str] = ()) -> None:
        self.rules = _Rules()
        control = clingo.Control(["--warn=none"])
        control.register_observer(self.rules)
        control.add("base", [], "\n".join([program, *(f"#external {fact('off', 0, id)}" for id in off)]))
        control.ground([("base", [])])
        self._prefix = prefix
        self._bools: dict[int, z3.BoolRef] = {}
        self._literals: dict[int, z3.BoolRef] = {}
        self._named: dict[str, list[tuple[Symbol, int | None]]] = {}
        names: dict[int, str] = {}
        self._off: dict[str, int] = {}
        for atom in control.symbolic_atoms:
            literal = None if atom.is_fact else atom.literal
            self._named.setdefault(atom.symbol.name, []).append((atom.symbol, literal))
            if literal is not None:
                names[literal] = str(atom.symbol)
                if atom.symbol.name == "off":
                    self._off[atom.symbol.arguments[1].string] = literal
        self._names = names
        bodies = self.rules.bodies
        self._known = _settled(bodies, dict.fromkeys(self._off.values(), False)) if self._off else {}
        self.formulas = self._formulas()

    def _formulas(self) -> list[z3.BoolRef]:
        bodies = self.rules.bodies
        derived = bodies.keys() | self.rules.open
        used = {abs(literal) for found in bodies.values() for body, _ in found for literal, _ in body}
        return [*self._meanings(bodies), *(z3.Not(self._bool(atom)) for atom in used - derived)]

    def openly(self) -> Completion:
        """The same law with every switch open: that a rule is in force is one more thing to be assumed (``in_force``)."""
        other = copy(self)
        other._known, other._bools, other._literals = {}, {}, {}
        other.formulas = other._formulas()
        return other

    @property
    def in_force(self) -> dict[str, z3.BoolRef]:
        """For every rule that can be switched off, that it is not."""
        return {id: z3.Not(self._bool(literal)) for id, literal in self._off.items()}

    def hanging(self, predicate: str) -> dict[str, list[tuple[object, ...]]]:
        """For every rule that can be switched off, the atoms of a predicate (their arguments) that hang on it."""
        atoms = [(symbol, literal) for symbol, literal in self._named.get(predicate, ()) if literal is not None]
        found: dict[str, list[tuple[object, ...]]] = {}
        for id, switch in self._off.items():
            changed = self._hanging_on(switch)
            if here := [tuple(map(plain, symbol.arguments)) for symbol, literal in atoms if literal in changed]:
                found[id] = here
        return found

    def without(self, id: str, prefix: str) -> Completion:
        """The same law with that rule switched off; ``formulas`` are those of what hangs on it, beside the ones here."""
        switch = self._off[id]
        changed = self._hanging_on(switch)
        other = copy(self)
        other._prefix, other._literals = prefix, {}
        other._bools = {atom: one for atom, one in self._bools.items() if atom not in changed}
        bodies = {atom: self.rules.bodies[atom] for atom in changed}
        given = {atom: value for atom, value in self._known.items() if atom not in changed}
        other._known = _settled(bodies, given | {switch: True})
        other.formulas = other._meanings(bodies)
        return other

    def _hanging_on(self, switch: int) -> set[int]:
        """The atoms that depend on one, however indirectly."""
        users: dict[int, set[int]] = {}
        for atom, bodies in self.rules.bodies.items():
            for body, _ in bodies:
                for literal, _ in body:
                    users.setdefault(abs(literal), set()).add(atom)
        found, queue = set[int](), [switch]
        while queue:
            fresh = users.get(queue.pop(), set()) - found
            found |= fresh
            queue += fresh
        return found

    def _meanings(self, bodies: _Bodies) -> list[z3.BoolRef]:
        open_ = self.rules.open | self._known.keys()
        return [self._meaning(atom, found) for atom, found in bodies.items() if atom not in open_]

    def _bool(self, atom: int) -> z3.BoolRef:
        if atom in self._known:
            return z3.BoolVal(self._known[atom])
        if atom not in self._bools:
            shared = atom in self.rules.open
            name = self._names.get(atom, f"#{atom}")
            self._bools[atom] = z3.Bool(name if shared else f"{self._prefix}{name}")
        return self._bools[atom]

    def _literal(self, literal: int) -> z3.BoolRef:
        if literal not in self._literals:
            self._literals[literal] = self._bool(literal) if literal > 0 else z3.Not(self._bool(-literal))
        return self._literals[literal]

    def _meaning(self, atom: int, bodies: list[_Body]) -> z3.BoolRef:
        left = bodies
        if self._known:
            left = [_left(body, self._known) for body in bodies if _held(body, self._known) is not False]
        return self._bool(atom) == _joined(z3.Z3_mk_or, [self._body(body, bound) for body, bound in left])

    def _body(self, body: list[tuple[int, int]], bound: int) -> z3.BoolRef:
        if all(weight == 1 for _, weight in body) and bound == len(body):
            return _joined(z3.Z3_mk_and, [self._literal(literal) for literal, _ in body])
        return z3.PbGe([(self._literal(literal), weight) for literal, weight in body], bound)

    def atoms(self, predicate: str) -> Iterator[tuple[tuple[object, ...], z3.BoolRef]]:
        """Every atom of a predicate that can hold: its arguments, and when it does."""
        for symbol, literal in self._named.get(predicate, ()):
            yield tuple(map(plain, symbol.arguments)), z3.BoolVal(True) if literal is None else self._bool(literal)

    def holds(self, predicate: str, *arguments: object) -> z3.BoolRef:
        """When one atom holds; false where it can't."""
        found = [when for args, when in self.atoms(predicate) if args == arguments]
        return found[0] if found else z3.BoolVal(False)

    def total(self, predicate: str, amount: int, *, where: dict[int, object] | None = None) -> z3.ArithRef:
        """The sum of one argument over all atoms of a predicate whose arguments have those values."""
        terms = []
        for arguments, when in self.atoms(predicate):
            if all(arguments[place] == value for place, value in (where or {}).items()):
                number = arguments[amount]
                assert isinstance(number, int)
                terms.append(z3.If(when, z3.IntVal(number), z3.IntVal(0)))
        return z3.Sum(terms) if terms else z3.IntVal(0)
