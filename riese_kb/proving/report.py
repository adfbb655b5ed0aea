"""``riese-kb prove``: the claims about a game, decided one after the other, as text and as JSON (contract, section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from riese_kb.board import System
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.proving import attacks, bounds, numbers, points, sight
from riese_kb.proving.claims import Claim, Outcome, Verdict
from riese_kb.typeset import Paper, counted, listed, wrap


def claims(system: System, topic: str | None = None) -> list[Claim]:
    """All claims, or those of a topic, or the one of that id. Raises ``RulesError`` with the nearest spelling."""
    found = list(chain.from_iterable(part.claims(system) for part in (numbers, bounds, sight, attacks, points)))
    if topic is None:
        return found
    chosen = [claim for claim in found if topic in (claim.topic, claim.id, *claim.rules)]
    if not chosen:
        known = dict.fromkeys(name for claim in found for name in (claim.topic, claim.id))
        raise RulesError(f"nothing is claimed about {topic!r}", fix=did_you_mean(topic, known))
    return chosen


def to_json(decided: list[tuple[Claim, Verdict]]) -> dict[str, Any]:
    """The document that ``--json`` prints."""
    return {"claims": [claim.to_json(verdict) for claim, verdict in decided]}


_SIGNS = {Outcome.PROVED: ("✓", "ok"), Outcome.REFUTED: ("✗", "NO"), Outcome.UNDECIDED: ("?", "??")}


def lines(claim: Claim, verdict: Verdict, paper: Paper, fully: bool = False) -> Iterator[str]:
    """One claim as text: its sign, what it says; where it fails, the case. ``fully``: also what a proof rests on."""
    sign = _SIGNS[verdict.outcome][paper.ascii]
    lead = f"{sign:>2}  "
    yield from wrap(claim.says, paper.width, lead)
    if verdict.outcome is Outcome.PROVED:
        core = verdict.core() if fully else None
        if core is not None:
            yield from wrap(f"rests on {listed(core)}" if core else "rests on no rule but the numbers", paper.width, "    ")
        return
    yield paper.dim(f"    {claim.id} · {claim.passage}" if not paper.ascii else f"    {claim.id} - {claim.passage}")
    if verdict.why:
        yield from wrap(verdict.why, paper.width, "    ")
    case = verdict.case or {}
    for name, value in case.items():
        if name == "board":
            yield from (f"      {line}" for line in str(value).splitlines() if line)
        elif name == "situation":
            continue
        elif isinstance(value, dict):
            yield from wrap(", ".join(_said(key, one) for key, one in value.items()), paper.width, f"    {name}: ")
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield from wrap(shown, paper.width, f"    {name}: ")


def _said(key: str, value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return f"{key} {value}"


def summary(decided: list[tuple[Claim, Verdict]]) -> str:
    """How many came out how."""
    parts = []
    for outcome in Outcome:
        number = sum(verdict.outcome is outcome for _, verdict in decided)
        if number:
            parts.append(f"{number} {outcome}")
    return f"{counted(len(decided), 'claim')}: {', '.join(parts)}"
