"""Which rules matter: for each a shipped question that is answered otherwise without it, and which two do the same.

A rule without such a question may be one that can never matter. Two rules on one subject of which either may be missing with the
same outcome, in every question of both, may be duplicates in effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from riese_kb.asking import stand_of, terms_of
from riese_kb.board import System
from riese_kb.catalogue import Rule, rules
from riese_kb.draft import Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError
from riese_kb.grounding import drive
from riese_kb.language import resolve
from riese_kb.typeset import counted
from riese_kb.witness.seeds import named
from riese_kb.witness.shrink import Case
from riese_kb.witness.sides import Side

MOST = 8
"""Questions of one rule that are asked without it."""


class Effects(Struct, frozen=True):
    """Rules with a question that hangs on them, rules without, each with those that may stand in its way, and pairs."""

    matter: dict[str, Case]
    idle: dict[str, tuple[str, ...]]
    pairs: int
    alike: tuple[tuple[str, str], ...]


def effects(system: System, progress: Callable[[str], None] = lambda _: None) -> Effects:
    """Ask the shipped questions without each rule that they name. Takes a minute or two."""
    asked = _Asked()
    by = {id: cases[:MOST] for id, cases in named(system).items()}
    known = rules(system)
    matter: dict[str, Case] = {}
    for id in known:
        progress(id)
        found = next((case for case in by.get(id, ()) if asked.told(case, id) != asked.told(case)), None)
        if found is not None:
            matter[id] = found
    idle = {id: tuple(_shadows(asked, known, id, by.get(id, ()))) for id in known if id not in matter}
    couples = [pair for pair in combinations(known, 2) if known[pair[0]].subject == known[pair[1]].subject]
    alike = []
    # Of two that change nothing it is said above already.
    for one, other in (pair for pair in couples if not matter.keys().isdisjoint(pair)):
        progress(f"{one}, {other}")
        cases = [matter[id] for id in (one, other) if id in matter]
        cases += [case for id in (one, other) for case in by.get(id, ())]
        if cases and all(asked.told(case, one) == asked.told(case, other) for case in cases):
            alike.append((one, other))
    return Effects(matter, idle, len(couples), tuple(alike))


def _shadows(asked: _Asked, known: Mapping[str, Rule], id: str, cases: tuple[Case, ...]) -> Iterator[str]:
    """Rules that are told in the rule's own questions and without which it matters there."""
    for case in cases:
        for other in sorted(asked.names(case) & (known.keys() - {id})):
            if asked.told(case, other) != asked.told(case, id, other):
                yield other


class _Asked:
    """What was told of each case without which rules."""

    def __init__(self) -> None:
        self._told: dict[tuple[int, tuple[str, ...]], object] = {}
        self._drafts: dict[int, Draft | None] = {}

    def told(self, case: Case, *without: str) -> object:
        """The essence of the answer; the text of an error where there is none."""
        key = (id(case), tuple(sorted(without)))
        if key not in self._told:
            draft = self._draft(case, without)
            self._told[key] = draft.essence if isinstance(draft, Draft) else draft
            if not without:
                self._drafts[id(case)] = draft if isinstance(draft, Draft) else None
        return self._told[key]

    def names(self, case: Case) -> frozenset[str]:
        """The rules that the answer names."""
        self.told(case)
        draft = self._drafts[id(case)]
        return (
            frozenset()
            if draft is None
            else frozenset([*(line.rule for line in draft.ledger), *(breach.rule for breach in draft.violations)])
        )

    @staticmethod
    def _draft(case: Case, without: tuple[str, ...]) -> Draft | str:
        sheet, question = case
        try:
            asked = resolve(Side("", without=without).asks(question), sheet)
            return drive(drafted(stand_of(sheet), asked.about, terms_of(sheet, asked)))
        except RieseError as error:
            return str(error)


def section(found: Effects) -> str:
    """The section of ``docs/findings.md``."""
    lines = [
        "## Rules that matter",
        "",
        "Written by `riese-kb witness --rules --markdown`: every rule is switched off in the shipped questions that name it.",
        "",
        f"{counted(len(found.matter), 'rule')} of {len(found.matter) + len(found.idle)} change the answer to one. "
        f"Of {counted(found.pairs, 'pair')} of rules on one subject, {len(found.alike)} could not be told apart by them.",
        "",
    ]
    if found.idle:
        lines += [
            f"In up to {MOST} questions each, these changed no verdict, result or broken rule (some only add a line to the "
            "account, or have a modifier of 0); with the rules that stand in their way:",
            "",
        ]
        for id, others in found.idle.items():
            behind = ", ".join(f"`{other}`" for other in dict.fromkeys(others))
            lines.append(f"- `{id}`" + (f": matters without {behind}" if behind else ""))
        lines.append("")
    if found.alike:
        lines += ["Not told apart, and so perhaps duplicates in effect:", ""]
        lines += [f"- `{one}` and `{other}`" for one, other in found.alike]
    return "\n".join(lines).rstrip("\n")
