"""Setting text for a terminal: colours, signs, aligned tables, wrapped lines. Knows nothing of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

_PLAIN = str.maketrans({
    "ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "ß": "s", "é": "e", "·": "-", "–": "-", "—": "-",
    "−": "-", "±": " ", "→": ">", "…": ".", "„": '"', "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "≥": ">",
})  # fmt: skip
"""Letter for letter, so that what is aligned stays aligned."""


class Paper(Struct, frozen=True):
    """What is written on: so many columns ``width``, in ``colour`` or not, in ``ascii`` or all of Unicode."""

    width: int = 100
    colour: bool = False
    ascii: bool = False

    def _ink(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.colour and text else text

    def bold(self, text: str) -> str:
        """Headings."""
        return self._ink("1", text)

    def dim(self, text: str) -> str:
        """Sources and captions."""
        return self._ink("2", text)

    def good(self, text: str) -> str:
        """What may be done."""
        return self._ink("1;32", text)

    def bad(self, text: str) -> str:
        """What may not."""
        return self._ink("1;31", text)

    def mark(self, text: str) -> str:
        """Numbers and squares that an answer points at."""
        return self._ink("36", text)

    def plain(self, text: str) -> str:
        """The text as this paper can carry it."""
        return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii") if self.ascii else text

    def signed(self, amount: int) -> str:
        """A modifier: +2, −3, 0."""
        if not amount:
            return "0"
        return f"+{amount}" if amount > 0 else f"{'-' if self.ascii else '−'}{-amount}"


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """The text in lines of at most ``width`` characters, as far as its words allow; ``first`` begins the first line."""
    rest = " " * len(first) if rest is None else rest
    lines, line = [], first
    empty = True
    for word in text.split(" "):
        if not empty and len(line) + 1 + len(word) > width:
            lines.append(line.rstrip())
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line.rstrip()]


def wrap_source(text: str, width: int, first: str = "") -> list[str]:
    """The same for a citation, broken between its passages where each of them fits a line."""
    passages = [p.replace(" ", "\0") if len(p) + len(first) < width else p for p in text.split("; ")]
    return [line.replace("\0", " ") for line in wrap("; ".join(passages), width, first)]


class Row(Struct, frozen=True):
    """One row of a table: its cells, and a source, which stands beside them where every source of the table fits."""

    cells: tuple[str, ...]
    source: str = ""
    ink: Callable[[str], str] | None = None


def table(
    paper: Paper, rows: Sequence[Row], *, right: Iterable[int] = (), below: int | None = None, indent: int = 2
) -> list[str]:
    """The rows with aligned columns, ``right`` of which are set flush right; empty columns are left out.

    ``below`` is the column under which sources go that find no room beside the row (default: the last).
    """
    count = max((len(row.cells) for row in rows), default=0)
    cells = [tuple(paper.plain(c) for c in (*row.cells, *[""] * (count - len(row.cells)))) for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(count)]
    shown = [i for i in range(count) if widths[i]]
    starts = {i: indent + sum(widths[j] + 2 for j in shown if j < i) for i in range(count)}
    used = indent + sum(widths[i] + 2 for i in shown)
    longest = max((len(row.source) for row in rows), default=0)
    beside = paper.width - used >= longest
    last = shown[-1] if shown else 0
    under = used if beside else starts[last if below is None else below]
    lines = []
    for row, texts in zip(rows, cells, strict=True):
        parts = [texts[i].rjust(widths[i]) if i in right else texts[i].ljust(widths[i]) for i in shown]
        text = " " * indent + "  ".join(parts)
        source = wrap_source(paper.plain(row.source), paper.width - under) if row.source else []
        ink = row.ink or (lambda s: s)
        head = ink(text.rstrip())
        if beside and source:
            head += " " * (under - len(text.rstrip())) + paper.dim(source.pop(0))
        lines.append(head)
        lines += [" " * under + paper.dim(line) for line in source]
    return lines


def listed(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``"""
    *first, final = [*words] or [""]
    return f"{', '.join(first)} {last} {final}" if first else final


def counted(number: int, thing: str, things: str | None = None) -> str:
    """``1 rule``, ``2 rules``"""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
