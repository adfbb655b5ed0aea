"""The account of a user's copy of the book, as a page to read and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from riese_kb.coverage import Held, Line, Standing
from riese_kb.passages import Passage
from riese_kb.program import Reading
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap

_EXCERPT = 48


def account_lines(held: Held, readings: dict[str, Reading], paper: Paper) -> Iterator[str]:
    """The verdict, the counts by chapter, what is left open, and every passage that needs a look, with its line."""
    yield from map(paper.bold, wrap(_verdict(held), paper.width))
    yield ""
    yield from table(paper, [*_counts(held)], right=range(1, 9))
    yield ""
    yield from wrap(_share(held), paper.width)
    left = _named(held, contested=False)
    if left:
        yield ""
        yield paper.bold("Left open")
        for id, lines in left.items():
            says = held.account.gaps.get(id) or f"a reading: {readings[id].about}"
            yield f"  {paper.mark(id)}"
            yield from wrap(paper.plain(says), paper.width, "      ")
            yield from (paper.dim(line) for line in wrap(_on_lines(lines), paper.width, "      "))
    read = _named(held, contested=True)
    if read:
        yield ""
        yield paper.bold("Encoded in every way that it can be read")
        yield from table(paper, [Row((id, _on_lines(lines))) for id, lines in read.items()])
    for heading, rows in _trouble(held):
        yield ""
        yield paper.bold(heading)
        yield from table(paper, rows)
    for part, count in held.outside.items():
        yield ""
        yield from wrap(
            paper.plain(f"Not in the account: {part}, {counted(count, 'passage')}. {held.account.outside[part]}"), paper.width
        )


def _verdict(held: Held) -> str:
    total = len(held.same) + len(held.changed) + len(held.new)
    if held.agrees:
        return f"Every passage is accounted for: {total} in all."
    amiss = [
        f"{number} {what}"
        for number, what in (
            (len(held.changed), "changed"),
            (len(held.new), "not accounted for"),
            (len(held.missing), "not here"),
        )
        if number
    ]
    return f"Of {counted(total, 'passage')}, {len(held.same)} are accounted for; {listed(amiss)}."


def _share(held: Held) -> str:
    if not held.normative:
        return "No passage of the account that holds a rule is in this copy."
    share = 100 * held.settled / held.normative
    contested = sum(line.contested for line, _ in held.same)
    text = f"{held.normative} passages hold rules; {held.settled} of them ({share:.1f} %) are encoded or stand in a table."
    return f"{text} {contested} of these can be read in several ways, and each way is encoded." if contested else text


def _by_chapter(held: Held) -> dict[str, Counter[str]]:
    """Passages by chapter, in the book's order, and by what has become of them."""
    found = [(p.line, p.chapter, str(line.standing)) for line, p in held.same]
    found += [(p.line, p.chapter, "changed") for _, p in held.changed]
    found += [(p.line, p.chapter, "new") for p in held.new]
    chapters: dict[str, Counter[str]] = {}
    for _, chapter, what in sorted(found):
        chapters.setdefault(chapter, Counter())[what] += 1
    return chapters


def _counts(held: Held) -> Iterator[Row]:
    columns = [*map(str, Standing), *(["changed"] if held.changed else []), *(["new"] if held.new else [])]
    yield Row(("chapter", *columns, "all"))
    everywhere = Counter[str]()
    for chapter, counts in _by_chapter(held).items():
        everywhere.update(counts)
        yield Row((chapter, *(str(counts[c] or "") for c in columns), str(counts.total())))
    yield Row(("all", *(str(everywhere[c]) for c in columns), str(everywhere.total())))


def _named(held: Held, *, contested: bool) -> dict[str, list[int]]:
    """The lines where each gap and reading leaves something open; or where the rules encode each value of a reading."""
    found: dict[str, list[int]] = {}
    for line, passage in held.same:
        for id in line.gaps if line.contested is contested else ():
            found.setdefault(id, []).append(passage.line)
    return dict(sorted(found.items()))


def _on_lines(lines: Sequence[int]) -> str:
    numbers = sorted(set(lines))
    return f"line {numbers[0]}" if len(numbers) == 1 else f"lines {listed(map(str, numbers))}"


def _trouble(held: Held) -> Iterator[tuple[str, list[Row]]]:
    if held.changed:
        yield "Changed: what rests on them is suspect", [_changed(line, p) for line, p in held.changed]
    if held.new:
        yield "Not accounted for", [Row((f"line {p.line}", _place(p), _excerpt(p))) for p in held.new]
    if held.missing:
        yield "Not in this copy", [Row((_place(line), _behind(line))) for line in held.missing]


def _changed(line: Line, passage: Passage) -> Row:
    return Row((f"line {passage.line}", _place(line), _behind(line), _excerpt(passage)))


def _place(at: Line | Passage) -> str:
    return f"{at.entry} {at.ordinal}"


def _behind(line: Line) -> str:
    return ", ".join(line.behind) or str(line.standing)


def _excerpt(passage: Passage) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in passage.text).split())
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1].rstrip() + "…"


# --- as data --------------------------------------------------------------------------------------------------------


def account_json(held: Held, book: str, readings: dict[str, Reading]) -> dict[str, Any]:
    """The same as data; ``line`` counts from 1 in the copy, ``passage`` from 1 in its entry."""
    counts = held.counts()
    return {
        "book": book,
        "agrees": held.agrees,
        "counts": {str(s): counts[s] for s in Standing},
        "normative": {
            "passages": held.normative,
            "settled": held.settled,
            "contested": sum(line.contested for line, _ in held.same),
        },
        "chapters": {chapter: dict(found) for chapter, found in _by_chapter(held).items()},
        "open": [
            {"id": id, "says": held.account.gaps.get(id) or readings[id].about, "lines": sorted(set(lines))}
            for id, lines in _named(held, contested=False).items()
        ],
        "read": [{"id": id, "lines": sorted(set(lines))} for id, lines in _named(held, contested=True).items()],
        "changed": [{"line": p.line, **_line_json(line)} for line, p in held.changed],
        "unaccounted": [{"line": p.line, "entry": p.entry, "passage": p.ordinal} for p in held.new],
        "missing": [_line_json(line) for line in held.missing],
        "outside": dict(held.outside),
    }


def _line_json(line: Line) -> dict[str, Any]:
    return {"entry": line.entry, "passage": line.ordinal, "class": str(line.standing), "behind": list(line.behind)}
