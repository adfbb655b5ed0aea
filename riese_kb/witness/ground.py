"""A ground program with what is the same on both sides taken together.

A search compares two worlds that differ in one point of law. Most of what is derived in them is word for word the same, but
a solver has to find that out atom by atom. Here atoms that hold for the same reasons are made one before the solver
sees them: outside loops an atom is what its bodies say, and two atoms with the same bodies are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import clingo
from clingo import Symbol

Weighted = tuple[tuple[int, int], ...]


class Observed(clingo.Observer):
    """Every ground statement, as clingo hands it to its solver."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[tuple[int, Weighted]]] = {}
        self.choices: list[tuple[tuple[int, ...], Weighted]] = []
        self.denied: list[tuple[int, Weighted]] = []
        self.minimised: list[tuple[int, Weighted]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._add(choice, head, len(body), tuple((literal, 1) for literal in body))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self._add(choice, head, lower_bound, tuple(body))

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.minimised.append((priority, tuple(literals)))

    def _add(self, choice: bool, head: Sequence[int], bound: int, body: Weighted) -> None:
        if choice:
            assert bound == len(body), "choices hang on plain bodies"
            self.choices.append((tuple(head), body))
        elif head:
            (atom,) = head
            self.bodies.setdefault(atom, []).append((bound, body))
        else:
            self.denied.append((bound, body))


class Merged:
    """The statements of an observed program over merged atoms.

    A literal here is a number; ``-n`` is its negation, ``TRUE`` and ``-TRUE`` always and never hold.
    """

    TRUE = 1 << 40

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self._open = {atom for heads, _ in observed.choices for atom in heads}
        self._known: dict[int, int] = {}
        self._gates: dict[object, int] = {}
        self._looped: list[int] = []
        self.made: dict[int, tuple[tuple[int, Weighted], ...]] = {}
        """What each merged atom that is no choice stands for: one of these bodies, each with the weight it must reach."""

    def literal(self, literal: int) -> int:
        """The merged literal of one of the program's."""
        atom = abs(literal)
        if atom not in self._known:
            self._settle(atom)
            self._untie()
        return self._known[atom] if literal > 0 else -self._known[atom]

    def _settle(self, start: int) -> None:
        stack = [start]
        entered: set[int] = set()
        while stack:
            atom = stack[-1]
            if atom in self._known:
                stack.pop()
            elif atom in self._open:
                assert atom not in self._observed.bodies, "what is chosen is not derived, too"
                self._known[atom] = atom
                stack.pop()
            else:
                bodies = self._observed.bodies.get(atom, [])
                waiting = [abs(one) for _, body in bodies for one, _ in body if abs(one) not in self._known]
                if waiting and atom not in entered:
                    entered.add(atom)
                    stack += waiting
                    continue
                if waiting:
                    self._looped.append(atom)
                    self._known[atom] = atom
                else:
                    self._known[atom] = self._gate(bodies)
                stack.pop()

    def _untie(self) -> None:
        """What stands in a loop keeps a number of its own."""
        while self._looped:
            atom = self._looped.pop()
            bodies = [self.body(bound, body) for bound, body in self._observed.bodies[atom]]
            self.made[atom] = tuple(body for body in bodies if body is not None)

    def body(self, bound: int, body: Weighted) -> tuple[int, Weighted] | None:
        """A body over merged literals without what is settled: None where it never holds, a bound of 0 where it always does."""
        weights: dict[int, int] = {}
        for literal, weight in body:
            one = self.literal(literal)
            if one == self.TRUE:
                bound -= weight
            elif one != -self.TRUE:
                weights[one] = weights.get(one, 0) + weight
        conjunction = bound >= sum(weight for _, weight in body)
        both = [one for one in weights if one > 0 and -one in weights]
        for one in both:
            less = min(weights[one], weights[-one])
            bound -= less
            for side in (one, -one):
                weights[side] -= less
                if not weights[side]:
                    del weights[side]
        total = sum(weights.values())
        if bound <= 0:
            return 0, ()
        if bound > total or (conjunction and both):
            return None
        if bound == total:
            weights = dict.fromkeys(weights, 1)
            bound = len(weights)
        return bound, tuple(sorted(weights.items()))

    def _gate(self, bodies: Iterable[tuple[int, Weighted]]) -> int:
        found = set()
        for bound, body in bodies:
            merged = self.body(bound, body)
            if merged is None:
                continue
            if merged[0] == 0:
                return self.TRUE
            found.add(merged)
        if not found:
            return -self.TRUE
        if len(found) == 1:
            ((bound, body),) = found
            if bound == len(body) == 1:
                return body[0][0]
        key = tuple(sorted(found))
        if key not in self._gates:
            number = self.TRUE + 1 + len(self._gates)
            self._gates[key] = number
            self.made[number] = key
        return self._gates[key]


class Reduced:
    """A solver with the merged program: what the constraints, the choices and the order hang on, and nothing else."""

    def __init__(self, control: clingo.Control, observed: Observed, denied: Sequence[Collection[Symbol]] = ()) -> None:
        """``denied``: models of which none may come again."""
        self._merged = Merged(observed)
        names = {atom.literal: atom.symbol for atom in control.symbolic_atoms}
        self.control = clingo.Control(["--warn=none"])
        self._atoms: dict[int, int] = {}
        self._seen: set[int] = set()
        self._choices: list[tuple[int, int]] = []
        self.possible = True
        """Whether anything is left to search for; otherwise a constraint is broken by every board."""
        self.size = 0
        with self.control.backend() as backend:
            self._backend, self._names = backend, names
            constraints = [self._merged.body(bound, body) for bound, body in observed.denied]
            self.possible = all(body is None or body[0] > 0 for body in constraints)
            if not self.possible:
                return
            for heads, body in observed.choices:
                when = self._merged.body(len(body), body)
                if when is not None:
                    backend.add_rule([self._atom(head) for head in heads], self._plain(when), choice=True)
                    self._choices += [(head, self._atom(head)) for head in heads]
            for constraint in constraints:
                if constraint is not None:
                    self._rule([], *constraint)
            for model in denied:
                backend.add_rule([], [n if names[atom] in model else -n for atom, n in self._choices])
            for priority, literals in observed.minimised:
                terms: dict[int, int] = {}
                for literal, weight in literals:
                    one = self._merged.literal(literal)
                    if one != -Merged.TRUE:
                        terms[one] = terms.get(one, 0) + weight
                backend.add_minimize(priority, [(self._number(one), weight) for one, weight in terms.items()])

    def _rule(self, head: list[int], bound: int, body: Weighted) -> None:
        if bound == len(body) and all(weight == 1 for _, weight in body):
            self._backend.add_rule(head, self._plain((bound, body)))
        else:
            self._backend.add_weight_rule(head, bound, [(self._number(one), weight) for one, weight in body])

    def _plain(self, body: tuple[int, Weighted]) -> list[int]:
        return [self._number(one) for one, _ in body[1]]

    def _number(self, literal: int) -> int:
        return self._atom(abs(literal)) if literal > 0 else -self._atom(abs(literal))

    def _atom(self, start: int) -> int:
        """The number in the new program; what an atom stands for is handed over with it."""
        if start in self._atoms:
            return self._atoms[start]
        stack = [start]
        while stack:
            atom = stack.pop()
            if atom in self._atoms:
                continue
            known = self._names.get(atom)
            self._atoms[atom] = self._backend.add_atom(known) if known is not None else self._backend.add_atom()
            if atom == Merged.TRUE:
                self._backend.add_rule([self._atoms[atom]])
            stack += [abs(one) for _, body in self._merged.made.get(atom, ()) for one, _ in body if abs(one) not in self._atoms]
        self._define(start)
        return self._atoms[start]

    def _define(self, start: int) -> None:
        """Hand over the bodies of an atom and of everything behind it, once."""
        stack, seen = [start], self._seen
        while stack:
            atom = stack.pop()
            if atom in seen:
                continue
            seen.add(atom)
            for bound, body in self._merged.made.get(atom, ()):
                self.size += 1
                self._rule([self._atoms[atom]], bound, body)
                stack += [abs(one) for one, _ in body]
