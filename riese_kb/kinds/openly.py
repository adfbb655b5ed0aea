"""An attack with parts of it left open, as a formula whose every rule can be taken out: what questions asked backwards solve.

Only questions asked backwards load this module, so that nobody else waits for z3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

from riese_kb.board import System
from riese_kb.completion import Completion, behind
from riese_kb.position import Terms
from riese_kb.program import program

_NUMBERS = ("charge", "values", "begins", "stun_am", "fades", "unmodified", "always_misses")


class Openly:
    """The modified numbers of an attack over open facts; ``share`` is what each rule adds, ``on`` whether it is heeded.

    ``dropped`` are predicates whose rules stay out because the question leaves them open; ``bans`` the rules that may
    forbid a solution.
    """

    def __init__(
        self,
        system: System,
        terms: Terms,
        facts: Iterable[str],
        opened: Iterable[str],
        bans: Sequence[str] = (),
        dropped: Sequence[str] = (),
    ) -> None:
        law = program(system, "attack", terms.scenario)
        # Sums are z3's: a rule with every possible total would stand in its way.
        out = {"plain_sum", "violation", *dropped}
        rules = [
            rule
            for rule in law.prunable.rules
            if rule.head not in out and (rule.head != "forbids" or any(f'"{ban}"' in rule.text for ban in bans))
        ]
        names = dict.fromkeys(opened)
        text = [rule.text for rule in behind(rules, (*_NUMBERS, "forbids"))]
        self.law = Completion("\n".join([*text, terms.facts(0), *facts, *(f"#external {name}" for name in names)]))
        self.open = {name: z3.Bool(name.rstrip(".")) for name in names}
        self.on: dict[str, z3.BoolRef] = {}
        self.share = self._shares()
        self.solver = z3.Solver()
        self.solver.set("core.minimize", True)
        self.solver.add(*self.law.formulas)
        for arguments, when in self.law.atoms("forbids"):
            self.solver.add(z3.Implies(self.heeded(str(arguments[1])), z3.Not(when)))
        self.stun, self.wound = self._card()

    def heeded(self, rule: str) -> z3.BoolRef:
        """The switch of a rule: an assumption, so that a core names the rules that stand in the way."""
        return self.on.setdefault(rule, z3.Bool(f"heeded {rule}"))

    def _shares(self) -> dict[str, z3.ArithRef]:
        terms: dict[str, list[z3.ArithRef]] = {}
        begins = self.law.holds("begins", 0, 1)
        for arguments, when in self.law.atoms("charge"):
            if arguments[5] == "AM":
                terms.setdefault(str(arguments[1]), []).append(z3.If(when, int(str(arguments[4])), 0))
        terms["attack.stunned-target"] = [z3.If(begins, self.law.total("stun_am", 1), 0)]
        terms.setdefault("power.howl-attacks", []).append(z3.If(begins, -self.law.total("fades", 1), 0))
        terms.setdefault("attack.range", [])
        heard = z3.Not(self.law.holds("unmodified", 0))
        nothing = z3.IntVal(0)
        sums = {rule: z3.Sum([nothing, *amounts]) for rule, amounts in terms.items()}
        return {rule: z3.If(z3.And(self.heeded(rule), heard), amount, nothing) for rule, amount in sums.items()}

    def _card(self) -> tuple[z3.ArithRef, z3.ArithRef]:
        """The modified numbers: those of the card, unless nobody heeds them, and what the rules add."""
        stun, wound = z3.Ints("stun wound")
        rows = list(self.law.atoms("values"))
        heeded = self.heeded("attack.weapon-values")
        for (_, s, w), when in rows:
            self.solver.add(z3.Implies(z3.And(heeded, when), z3.And(stun == s, wound == w)))
        self.solver.add(z3.Implies(heeded, z3.Or([when for _, when in rows])))
        added = z3.Sum(list(self.share.values()))
        return stun + added, wound + added

    def wounds(self, face: int) -> z3.BoolRef:
        """A die that shows this face wounds."""
        natural = z3.And(self.heeded("attack.natural-one"), self.law.holds("always_misses", 0, face))
        return z3.And(self.wound <= face, z3.Not(natural))

    def check(self, *more: z3.BoolRef) -> z3.ModelRef | None:
        """A situation in which all rules are heeded and this holds, too; None where there is none."""
        found = self.solver.check(*self.on.values(), *more)
        return self.solver.model() if found == z3.sat else None

    def core(self) -> list[str]:
        """After a check that found nothing: the rules without which something would be found."""
        switches = {str(switch): rule for rule, switch in self.on.items()}
        return sorted(switches[str(one)] for one in self.solver.unsat_core() if str(one) in switches)

    def number(self, model: z3.ModelRef, what: z3.ArithRef) -> int:
        """A number in a model."""
        return int(model.eval(what, model_completion=True).as_long())

    def true(self, model: z3.ModelRef, name: str) -> bool:
        """Whether an open fact holds in a model."""
        return name in self.open and z3.is_true(model.eval(self.open[name], model_completion=True))

    def modifiers(self, model: z3.ModelRef) -> dict[str, int]:
        """What each rule adds there, where it adds anything."""
        amounts = {rule: self.number(model, share) for rule, share in self.share.items()}
        return {rule: amount for rule, amount in sorted(amounts.items()) if amount}


def one_of(openly: Openly, names: Iterable[str]) -> z3.BoolRef:
    """Exactly one of these open facts holds."""
    return z3.PbEq([(openly.open[name], 1) for name in names], 1)
