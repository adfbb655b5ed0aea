"""All checks over one book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from riese_kb.audit.book import Book
from riese_kb.audit.checks import (
    dice,
    duplicates,
    examples,
    names,
    occasions,
    orphans,
    pages,
    references,
    sayings,
    signs,
    statements,
    tables,
)
from riese_kb.audit.findings import Finding
from riese_kb.board import MAIN, System
from riese_kb.errors import RulesError

CHECKS: dict[str, Callable[[Book], Iterator[Finding]]] = {
    "duplicates": duplicates.check,
    "references": references.check,
    "pages": pages.check,
    "names and terms": names.check,
    "tables": tables.check,
    "examples": examples.check,
    "dice": dice.check,
    "statements": statements.check,
    "occasions": occasions.check,
    "plain statements": sayings.check,
    "signs": signs.check,
    "orphans": orphans.check,
}


@dataclass
class Audit:
    """The findings, most severe first and then in the book's order; and what had to be left out."""

    findings: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def audit(
    text: str, system: System | None = None, logic: bool = False, progress: Callable[[str], None] = lambda _: None
) -> Audit:
    """Read a book and look for everything; with ``logic``, or a game by name, also for what its catalogue knows."""
    book = Book(text)
    found: dict[tuple[object, ...], Finding] = {}

    def keep(findings: Iterable[Finding]) -> None:
        for one in findings:
            found.setdefault((one.kind, one.at, one.message), one)

    for name, check in CHECKS.items():
        progress(name)
        keep(check(book))
    if logic or system is not None:
        from riese_kb.audit.checks import logic as known

        told = list(known.check(book, system or MAIN, progress))
        # What both find is told once, with what is known of it.
        again = {_where(one) for one in told}
        found = {key: one for key, one in found.items() if _where(one) not in again}
        keep(told)
    return Audit(sorted(found.values(), key=lambda f: (f.severity.rank, f.at.line, f.kind, f.message)), book.skipped)


def _where(finding: Finding) -> tuple[object, ...]:
    return finding.kind, finding.at.line, *(place.line for place in finding.other)


# --- reading ----------------------------------------------------------------------------------------------------------

LARGEST = 32_000_000
"""Bytes of a book at most."""


def book_text(path: str) -> tuple[str, str | None]:
    """The text of a file and, where it is not UTF-8, what it was read as. Raises ``RulesError`` for what is no text."""
    try:
        with open(path, "rb") as source:
            data = source.read(LARGEST + 1)
    except OSError as fault:
        raise RulesError(
            f"this book cannot be read: {fault.strerror or fault}", fix="name it as plain text or Markdown", file=path
        ) from None
    except ValueError:
        raise RulesError("this is no name of a file", fix="name the book as plain text or Markdown") from None
    if len(data) > LARGEST:
        raise RulesError(f"this has more than {LARGEST // 1_000_000} MB", fix="audit it chapter by chapter", file=path)
    for mark, name in _MARKS:
        if data.startswith(mark):
            try:
                return _some(data.decode(name), path), None if name == "utf-8-sig" else name.upper()
            except UnicodeDecodeError:
                raise RulesError(f"this says it is {name} and is not", fix="save it as UTF-8", file=path) from None
    if wide := _wide(data):
        return _some(data.decode(wide), path), "UTF-16"
    try:
        text = data.decode("utf-8")
        if "\0" not in text:
            return _some(text, path), None
    except UnicodeDecodeError:
        if b"\0" not in data:
            odd = sum(byte < 32 and byte not in (9, 10, 12, 13) for byte in data[:4096])
            if odd == 0:
                return _some(data.decode("cp1252", "replace"), path), "Windows-1252"
    raise RulesError("this is no text", fix="save the book as plain text in UTF-8", file=path)


_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
)


def _wide(data: bytes) -> str:
    """Which half of each pair of bytes is zero all over, in UTF-16 without its mark; empty for anything else."""
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = data[start:4096:2], data[1 - start : 4096 : 2]
        if len(data) % 2 == 0 and zeros and zeros.count(0) > 0.8 * len(zeros) and 0 not in others:
            try:
                data.decode(name)
            except UnicodeDecodeError:
                return ""
            return name
    return ""


_CONTROL = dict.fromkeys({*range(32), *range(127, 160)} - {ord(char) for char in "\t\n\f\r"}, " ")


def _some(text: str, path: str) -> str:
    """The text, where there is any. A control character becomes a blank: quoted in a report it would steer the terminal."""
    if not text.strip():
        raise RulesError("this file is empty", fix="name the book as plain text or Markdown", file=path)
    return text.translate(_CONTROL)
