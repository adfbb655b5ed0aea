"""Work for the tests of jobs: named, and imported by the processes that do it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from riese_kb.errors import RieseError


def square(job: int) -> int:
    return job * job


def note(job: list[str]) -> str:
    """Leaves a line in a file, so that a test can count what was done."""
    path, word = job
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(f"{word}\n")
    return word.upper()


def dies_once(job: list[str]) -> str:
    """The first process that tries the word "fatal" dies of it."""
    folder, word = job
    tried = Path(folder) / word
    if word == "fatal" and not tried.exists():
        tried.touch()
        os._exit(1)
    return word.upper()


def always_dies(_: int) -> None:
    os._exit(1)


def slow(job: int) -> int:
    time.sleep(0.2)
    return -job


def endless(job: int) -> int:
    """Takes as many seconds as it is told."""
    time.sleep(job)
    return job


def refuses(_: int) -> None:
    raise RieseError("this job cannot be done", fix="do another")


def interrupted(job: int) -> int:
    if job == 3:
        raise KeyboardInterrupt
    return job
