"""``docs/findings.md``, first sections: every claim that a printed book refutes, its counterexample, and what would mend it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from riese_kb import tables
from riese_kb.board import MAIN, System
from riese_kb.errors import RulesError
from riese_kb.proving.claims import Claim, Outcome, Verdict
from riese_kb.store import read_toml


def heading(system: System) -> str:
    """Of the section about a game."""
    return "## Claims refuted by proof" if system is MAIN else f"## Claims about {system.called} refuted by proof"


def section(system: System, decided: list[tuple[Claim, Verdict]]) -> str:
    """The section as Markdown. Raises ``RulesError`` where ``refuted.toml`` does not name exactly what is refuted."""
    file = f"{tables.data_root()}/rules/{system}/refuted.toml"
    known = read_toml(file) if os.path.exists(file) else {}
    refuted = [(claim, verdict) for claim, verdict in decided if verdict.outcome is Outcome.REFUTED]
    odd = {claim.id for claim, _ in refuted} ^ known.keys()
    if odd:
        raise RulesError(f"refuted or explained, but not both: {', '.join(sorted(odd))}", fix=f"see rules/{system}/refuted.toml")
    command = "riese-kb prove" if system is MAIN else f"riese-kb prove --system {system}"
    lines = [heading(system), "", f"Written by `{command} --markdown`; [how claims are proved](proofs.md).", ""]
    for claim, verdict in refuted:
        lines += _finding(claim, verdict.case or {}, known[claim.id])
    return "\n".join(lines).rstrip() + "\n"


def _finding(claim: Claim, case: dict[str, Any], said: dict[str, Any]) -> Iterator[str]:
    yield f"### {claim.id}"
    yield ""
    yield claim.says
    yield ""
    yield f"- **Passage**: {claim.passage} (line {said['line']}). {said['passage']}"
    if "board" not in case:
        told = "; ".join(f"{name}: {_listed(value)}" for name, value in case.items())
        yield f"- **Counterexample**: {told}."
        yield f"- **Proposed erratum**: {said['erratum']}"
        yield ""
        return
    yield f"- **Counterexample**: on the board below, `{case['ask']}` {_numbers(case['with the rule'])};"
    yield f"  `{case['ask']} without {claim.rules[0]}` {_numbers(case['without it'])}."
    yield f"- **Proposed erratum**: {said['erratum']}"
    yield ""
    yield "```toml"
    yield from case["board"].strip().splitlines()
    yield "```"
    yield ""


def _listed(value: Any) -> str:
    return ", ".join(f"{name} {one}" for name, one in value.items()) if isinstance(value, dict) else str(value)


def _numbers(told: dict[str, Any]) -> str:
    modifier = f"modifier {told['modifier']:+d}"
    shown = [f"{key} {told[key]}" for key in ("stun", "wound", "dice") if key in told]
    return f"has {', '.join([modifier, *shown])}"
