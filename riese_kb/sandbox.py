"""Grounding a program that holds rules from a user: in a process of its own, with limits on time and memory.

Grounding cannot be interrupted from within, and a rule file can ask for endless work (``p(X+1) :- p(X).``).
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from riese_kb.errors import Undecided
from riese_kb.solver import Atoms, LogicFault

SECONDS = 10
MEMORY = 1 << 30
"""Bytes that the process may take."""

_CHILD = """
import json, resource, sys
seconds, memory = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
from riese_kb.solver import LogicFault, run
program, facts = json.load(sys.stdin)
try:
    print(json.dumps({"atoms": run(program, facts, alone=True)}))
except LogicFault as fault:
    print(json.dumps({"fault": str(fault)}))
"""


def run_apart(program: str, facts: str) -> Atoms:
    """``solver.run`` in a child process. Raises ``LogicFault``, and ``Undecided`` past the limits."""
    command = [sys.executable, "-c", _CHILD, str(SECONDS), str(MEMORY)]
    try:
        done = subprocess.run(
            command, input=json.dumps([program, facts]), capture_output=True, text=True, timeout=2 * SECONDS, check=False
        )
        told = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        raise Undecided(
            f"the rules were not worked out within {SECONDS} seconds and {MEMORY >> 20} MB", fix="look for rules without an end"
        ) from None
    if "fault" in told:
        raise LogicFault(told["fault"])
    return {predicate: [_tuples(row) for row in rows] for predicate, rows in told["atoms"].items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
