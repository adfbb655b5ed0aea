"""Grounding a program that holds rules from a user: in a process of its own, with limits on time and memory.

Grounding cannot be interrupted from within, and a rule file can ask for endless work (``p(X+1) :- p(X).``).
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from threading import Lock, Timer
from typing import Any

from riese_kb.errors import Undecided
from riese_kb.solver import Atoms, LogicFault

SECONDS = 10
"""Computing time of one grounding."""
MEMORY = 1 << 30
"""Bytes that the process may take."""
ASKED = 100
"""Groundings after which a fresh process takes over: clingo keeps every symbol it has met."""

_CHILD = """
import json, resource, sys, time
seconds, memory = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
from riese_kb.solver import LogicFault, run
for line in sys.stdin:
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds + 1, resource.RLIM_INFINITY))
    program, facts = json.loads(line)
    try:
        told = {"atoms": run(program, facts, alone=True)}
    except LogicFault as fault:
        told = {"fault": str(fault)}
    print(json.dumps(told), flush=True)
"""


def run_apart(program: str, facts: str) -> Atoms:
    """``solver.run`` in a child process. Raises ``LogicFault``, and ``Undecided`` past the limits."""
    with _ALONE:
        told = _told(json.dumps([program, facts]))
    if told is None:
        raise Undecided(
            f"the rules were not worked out within {SECONDS} seconds and {MEMORY >> 20} MB", fix="look for rules without an end"
        )
    if "fault" in told:
        raise LogicFault(told["fault"])
    return {predicate: [_tuples(row) for row in rows] for predicate, rows in told["atoms"].items()}


class _Process:
    """The child that is at work, if any; one answers many, for starting it takes longer than most answers."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[str] | None = None
        self.left = 0

    def ready(self) -> subprocess.Popen[str]:
        """The child, a new one where the old one has gone or done its share."""
        if self.child is None or self.left == 0:
            self.end()
            command = [sys.executable, "-c", _CHILD, str(SECONDS), str(MEMORY)]
            pipe = subprocess.PIPE
            self.child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8")
            self.left = ASKED
        self.left -= 1
        return self.child

    def end(self) -> None:
        """Be rid of the child."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
        self.child = None


_PROCESS = _Process()
_ALONE = Lock()
atexit.register(_PROCESS.end)


def _told(line: str) -> Any:
    """What the child answers; None where it has come to an end instead."""
    child = _PROCESS.ready()
    assert child.stdin is not None
    assert child.stdout is not None
    watch = Timer(2 * SECONDS, child.kill)
    watch.daemon = True
    watch.start()
    try:
        child.stdin.write(line + "\n")
        child.stdin.flush()
        told = json.loads(child.stdout.readline())
    except (OSError, ValueError):
        _PROCESS.end()
        return None
    except BaseException:  # interrupted: what it would still say belongs to nobody
        _PROCESS.end()
        raise
    finally:
        watch.cancel()
    return told


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
