"""A logic program with open facts as one formula: what clingo grounds, z3 reasons about.

What a question is about (declared movement, statuses, squares on a line …) is left open by ``#external``; grounding the
chapters over it gives finitely many rules, and since our programs have no positive loops, "an atom holds exactly where one of
its rules' bodies does" (Clark's completion) says the same as the program. So the formula is the law as it stands in
``logic/``, not a second copy of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import clingo
import z3
from clingo import Symbol

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


class _Rules(clingo.Observer):
    """Every ground rule: head atom, and body as (literal, weight) pairs with the weight they have to reach."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[tuple[list[tuple[int, int]], int]]] = {}
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
    """The formula of a program; ``prefix`` keeps the atoms of two of them apart that share their open facts."""

    def __init__(self, program: str, prefix: str = "") -> None:
        self.rules = _Rules()
        control = clingo.Control(["--warn=none"])
        control.register_observer(self.rules)
        control.add("base", [], program)
        control.ground([("base", [])])
        self._prefix = prefix
        self._bools: dict[int, z3.BoolRef] = {}
        self._literals: dict[int, z3.BoolRef] = {}
        self._named: dict[str, list[tuple[Symbol, int | None]]] = {}
        names: dict[int, str] = {}
        for atom in control.symbolic_atoms:
            literal = None if atom.is_fact else atom.literal
            self._named.setdefault(atom.symbol.name, []).append((atom.symbol, literal))
            if literal is not None:
                names[literal] = str(atom.symbol)
        self._names = names
        self.formulas = [self._meaning(atom, bodies) for atom, bodies in self.rules.bodies.items() if atom not in self.rules.open]
        derived = self.rules.bodies.keys() | self.rules.open
        used = {abs(literal) for bodies in self.rules.bodies.values() for body, _ in bodies for literal, _ in body}
        self.formulas += [z3.Not(self._bool(atom)) for atom in used - derived]

    def _bool(self, atom: int) -> z3.BoolRef:
        if atom not in self._bools:
            shared = atom in self.rules.open
            name = self._names.get(atom, f"#{atom}")
            self._bools[atom] = z3.Bool(name if shared else f"{self._prefix}{name}")
        return self._bools[atom]

    def _literal(self, literal: int) -> z3.BoolRef:
        if literal not in self._literals:
            self._literals[literal] = self._bool(literal) if literal > 0 else z3.Not(self._bool(-literal))
        return self._literals[literal]

    def _meaning(self, atom: int, bodies: list[tuple[list[tuple[int, int]], int]]) -> z3.BoolRef:
        return self._bool(atom) == _joined(z3.Z3_mk_or, [self._body(body, bound) for body, bound in bodies])

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
