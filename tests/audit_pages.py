"""A book as it is printed otherwise: letter by letter, broken by a scan, with marks of its pages."""

from __future__ import annotations

import random
import re


def letter_spaced(book: str, at: set[int]) -> str:
    """Some of a book's lines with a blank after every letter and three after every word, as old prints set what matters."""
    lines = book.split("\n")
    return "\n".join(
        "   ".join(" ".join(word) for word in line.split(" ")) if n in at and line[:1].isalpha() else line
        for n, line in enumerate(lines, 1)
    )


def kerned(book: str, at: set[int], rng: random.Random) -> str:
    """Some of a book's lines as a scan breaks them: a blank after some letters, and no more than that between words."""
    lines = book.split("\n")
    return "\n".join(
        "".join(f"{c} " if c.isalpha() and rng.random() < 0.6 else c for c in line).strip().replace("  ", " ")
        if n in at and line[:1].isalpha()
        else line
        for n, line in enumerate(lines, 1)
    )


PAGE_FORMS = ("\f", "- {} -", "Page {}", "{}", "")
"""Marks of pages: a form feed, lines with a number, none at all."""


def paged(lines: list[str], form: str) -> list[str]:
    """A book with marks of its pages, a dozen lines each, the page of each entry in its contents and in what refers to it."""
    made: list[str] = []
    pages: dict[str, int] = {}
    page, room = 1, 0
    for line in lines:
        room += 1
        if room > 12 and line.isupper():
            page, room = page + 1, 0
            made += [form.format(page)] if form.strip() else []
        if line.isupper():
            pages[line] = page
        made.append(f"\f{line}" if form == "\f" and room == 0 else line)
    for at, line in enumerate(made):
        if line[2:] in pages and line.startswith("- "):
            made[at] = f"{line} {pages[line[2:]]}"
        elif (found := re.fullmatch(r"See ([A-Z ]+)\.", line)) and found[1] in pages:
            made[at] = f"{line[:-1]} on page {pages[found[1]]}."
        elif "as described in LANTERNS" in line:
            made[at] = line.replace("LANTERNS", f"LANTERNS (page {pages['LANTERNS']})")
    return made
