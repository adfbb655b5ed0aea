"""The command line from outside: run in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from riese_kb import cli

from .conftest import CHECKOUT

DOORS = "queries/riese/doors.board.toml"
WALK = "can nicole walk open door ahead, forward"


class Run:
    """What a command printed and how it left, run in this process."""

    def __init__(self, capsysbinary, *words: str) -> None:
        with pytest.raises(SystemExit) as left:
            cli.main(words)
        assert isinstance(left.value.code, int)
        self.status = left.value.code
        out, err = capsysbinary.readouterr()
        self.out, self.err = out.decode(), err.decode()


def process(*words: str, **more) -> subprocess.CompletedProcess[bytes]:
    """The same in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "riese_kb", *words],
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
        **more,
    )
