"""``docs/findings.md``, first section: every claim that the printed book refutes, its counterexample, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from riese_kb import tables
from riese_kb.board import System
from riese_kb.errors import RulesError
from riese_kb.proving.claims import Claim, Outcome, Verdict
from riese_kb.store import read_toml

HEADING = "## Claims refuted by proof"


def section(system: System, decided: list[tuple[Claim, Verdict]]) -> str:
    """The section as Markdown. Raises ``RulesError`` where ``refuted.toml`` does not name exactly what is refuted."""
    known = read_toml(f"{tables.data_root()}/rules/{system}/refuted.toml")
    refuted = [(claim, verdict) for claim, verdict in decided if verdict.outcome is Outcome.REFUTED]
    odd = {claim.id for claim, _ in refuted} ^ known.keys()
    if odd:
        raise RulesError(f"refuted or explained, but not both: {', '.join(sorted(odd))}", fix="see rules/riese/refuted.toml")
    lines = [HEADING, "", "Written by `riese-kb prove --markdown`; [how claims are proved](proofs.md).", ""]
    for claim, verdict in refuted:
        lines += _finding(claim, verdict.case or {}, known[claim.id])
    return "\n".join(lines).rstrip() + "\n"


def _finding(claim: Claim, case: dict[str, Any], said: dict[str, Any]) -> Iterator[str]:
    yield f"### {claim.id}"
    yield ""
    yield claim.says
    yield ""
    yield f"- **Passage**: {claim.passage} (line {said['line']}). {said['passage']}"
    yield f"- **Counterexample**: on the board below, `{case['ask']}` {_numbers(case['with the rule'])};"
    yield f"  `{case['ask']} without {claim.rules[0]}` {_numbers(case['without it'])}."
    yield f"- **Proposed erratum**: {said['erratum']}"
    yield ""
    yield "```toml"
    yield from case["board"].strip().splitlines()
    yield "```"
    yield ""


def _numbers(told: dict[str, Any]) -> str:
    modifier = f"modifier {told['modifier']:+d}"
    shown = [f"{key} {told[key]}" for key in ("stun", "wound", "dice") if key in told]
    return f"has {', '.join([modifier, *shown])}"
