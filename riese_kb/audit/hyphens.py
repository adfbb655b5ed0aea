"""Words that are broken over two lines with a hyphen, put together on the first of them; every line keeps its number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from riese_kb.audit.spacing import spaced

_HEAD = re.compile(r"([^\W\d_](?:[\w’'-]*[^\W\d_])?)-$")
_TAIL = re.compile(r"\s*([^\W\d_][\w’'-]*)(\S*)\s*")
_WORD = re.compile(r"[^\W\d_](?:[\w’'-]*\w)?")
_GO_ON = frozenset({"and", "or", "to", "und", "oder", "bis", "sowie", "bzw"})
"""After these a hyphen stands for the rest of a word: ``Kampf- und Schockwurf``."""


def unbroken(lines: Sequence[str], longest: int) -> list[str]:
    """The lines, as many as before. Lines of more than ``longest`` characters are left alone, empty ones between are skipped."""
    made = list(lines)
    broken = [at for at, line in enumerate(lines) if len(line) <= longest and _HEAD.search(line.rstrip()[-60:])]
    if not broken:
        return made
    counts = Counter(word for line in lines if len(line) <= longest for word in _WORD.findall(line))
    for at in broken:  # their halves are no words by that
        below = _below(lines, at)
        halves = [_HEAD.search(lines[at].rstrip()[-60:]), _TAIL.match(lines[below]) if below is not None else None]
        counts.subtract(half[1] for half in halves if half)
    words = {word for word, n in counts.items() if n > 0}
    for at in broken:
        below = _below(made, at)
        if below is None or lines[at].lstrip()[:1] == "|" or spaced(lines[at].strip()):
            continue
        first = made[at].rstrip()
        head, tail = _HEAD.search(first[-60:]), _TAIL.match(made[below])
        if head and tail and tail[1][0].islower() and tail[1] not in _GO_ON and len(made[below]) <= longest:
            made[at] = first[: -1 - len(head[1])] + _whole(head[1], tail[1], words) + tail[2]
            made[below] = made[below][tail.end() :]
    return made


def _below(lines: Sequence[str], at: int) -> int | None:
    """The next line with words, or the next but one: scanned books space lines."""
    return next((n for n in range(at + 1, min(at + 3, len(lines))) if lines[n].strip()), None)


def _whole(head: str, tail: str, words: set[str]) -> str:
    """The word as the book has it elsewhere; the hyphen is its own, too, where both parts are words and the whole is none."""
    with_hyphen, without = f"{head}-{tail}", f"{head}{tail}"
    if without in words or without.casefold() in words:
        return without
    parts = {head, tail} <= words and min(len(head), len(tail)) > 2
    return with_hyphen if with_hyphen in words or parts else without
