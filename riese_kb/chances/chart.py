"""Chances as bars: in a terminal, and as an SVG that needs neither colours nor a mouse to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from xml.sax.saxutils import escape

from msgspec import Struct

from riese_kb.typeset import Paper

FULL, HALF, LIGHT = "full", "half", "light"
"""How a part of a bar is filled: solid, hatched, dotted."""

_SIGNS = {FULL: "█", HALF: "▒", LIGHT: "░"}
_ASCII = {FULL: "#", HALF: "=", LIGHT: "."}


class Bar(Struct, frozen=True):
    """One row: what it is about, its parts from the left, and what stands at its end (default: the chance of the first)."""

    label: str
    parts: tuple[tuple[str, Fraction], ...]
    note: str = ""

    @property
    def end(self) -> str:
        """The note, or the chance in percent and as a fraction."""
        return self.note or chance_in_words(sum((chance for _, chance in self.parts), Fraction(0)))


class Group(Struct, frozen=True):
    """Bars that belong together, under one heading; ``key`` says what hatched and dotted parts mean, where there are any."""

    title: str
    bars: tuple[Bar, ...]
    key: tuple[tuple[str, str], ...] = ()


def bar(label: str, chance: Fraction | str, fill: str = FULL) -> Bar:
    """A row for one chance."""
    return Bar(label, ((fill, Fraction(chance)),))


def chance_in_words(chance: Fraction) -> str:
    """``25.0 %  1/4``; the percentage of a fraction too long to be read stands alone."""
    percent = f"{float(chance) * 100:5.1f} %"
    if 0 < chance < Fraction(1, 2000):
        percent = "< 0.1 %"
    elif Fraction(1999, 2000) < chance < 1:
        percent = "> 99.9 %"
    fraction = str(chance)
    return f"{percent}  {fraction}" if len(fraction) <= 17 else percent


def lines(groups: Sequence[Group], paper: Paper) -> Iterator[str]:
    """The bars for a terminal."""
    widest = max((len(b.label) for g in groups for b in g.bars), default=0)
    room = max(10, min(40, paper.width - widest - 34))
    signs = _ASCII if paper.ascii else _SIGNS
    for group in groups:
        yield ""
        key = ", ".join(f"{signs[fill]} {meaning}" for fill, meaning in group.key)
        yield paper.bold(paper.plain(group.title)) + (paper.dim(f"  {key}") if key else "")
        for row in group.bars:
            drawn = _drawn(row, room, signs)
            label = paper.plain(row.label).ljust(widest)
            yield f"  {label}  {paper.mark(drawn)}{' ' * (room - len(drawn))}  {paper.plain(row.end)}".rstrip()


def _drawn(row: Bar, room: int, signs: dict[str, str]) -> str:
    """The bar in signs; a chance that is not nothing shows at least once."""
    drawn, before = "", Fraction(0)
    for fill, chance in row.parts:
        before += chance
        count = max(round(before * room) - len(drawn), 1 if chance else 0)
        drawn += signs[fill] * count
    return drawn[:room]


# --- SVG ------------------------------------------------------------------------------------------------------------

_WIDTH, _ROW, _TEXT = 760, 24, 14
_STYLE = """
  .page { fill: #ffffff; stroke: #8a8f98; } .ink { fill: #1b1f24; } .faint { fill: #57606a; } .rail { fill: #e6e9ed; }
  .full { fill: #1f5fbf; } .line { stroke: #1f5fbf; stroke-width: 3; } .dot { fill: #1f5fbf; }
  .frame { fill: none; stroke: #1f5fbf; }
  text { font: 14px system-ui, sans-serif; } .title { font-size: 17px; font-weight: 600; } .head { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #15191e; stroke: #6b737d; } .ink { fill: #f0f3f6; } .faint { fill: #b3bbc4; } .rail { fill: #2b3138; }
    .full { fill: #79b0ff; } .line { stroke: #79b0ff; } .dot { fill: #79b0ff; } .frame { stroke: #79b0ff; }
  }
"""


def svg(title: str, groups: Sequence[Group]) -> str:
    """The same bars as an SVG document: labelled, with patterns for fills, on a ground of its own, light or dark."""
    rows = list(_rows(groups))
    heads = _wrapped(title)
    top = 30 + 22 * len(heads)
    height = top + _ROW * len(rows) + 12
    widest = max((len(r.label) for g in groups for r in g.bars), default=0)
    left = min(340, 48 + 8 * widest)
    room = _WIDTH - left - 190
    body = [f'<text class="ink title" x="16" y="{30 + 22 * n}">{escape(head)}</text>' for n, head in enumerate(heads)]
    for number, row in enumerate(rows):
        body += _row(row, top + _ROW * number, left, room)
    said = "; ".join(f"{group.title}: {', '.join(map(_said, group.bars))}" for group in groups)
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(said)}</desc>',
        f"<style>{_STYLE}</style>",
        '<defs><pattern id="half" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="line" d="M0 0V7"/></pattern>',
        '<pattern id="light" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="dot" cx="2" cy="2" r="1.3"/>'
        "</pattern></defs>",
        f'<rect class="page" x=".5" y=".5" width="{_WIDTH - 1}" height="{height - 1}" rx="6"/>',
        *body,
        "</svg>\n",
    ))  # fmt: skip


def _said(row: Bar) -> str:
    return f"{row.label} {' '.join(row.end.split())}"


def _wrapped(title: str) -> list[str]:
    from riese_kb.typeset import wrap

    return wrap(title, 84)


def _rows(groups: Sequence[Group]) -> Iterator[Bar | Group]:
    for group in groups:
        yield group
        yield from group.bars


def _row(row: Bar | Group, y: int, left: int, room: int) -> Iterator[str]:
    """A heading with its key, or a bar on its rail."""
    if isinstance(row, Group):
        yield f'<text class="ink head" x="16" y="{y + _TEXT}">{escape(row.title)}</text>'
        x: float = 16 + 9 * len(row.title) + 14
        for fill, meaning in row.key:
            yield from _box(fill, x, y + 3, 22)
            yield f'<text class="faint" x="{x + 28}" y="{y + _TEXT}">{escape(meaning)}</text>'
            x += 48 + 8 * len(meaning)
        return
    yield f'<text class="ink" x="28" y="{y + _TEXT}">{escape(row.label)}</text>'
    yield f'<rect class="rail" x="{left}" y="{y + 3}" width="{room}" height="15"/>'
    x = left
    for fill, chance in row.parts:
        if chance:
            wide = max(float(chance) * room, 1.5)
            yield from _box(fill, x, y + 3, wide)
            x += wide
    end = " · ".join(part.strip() for part in row.end.split("  ") if part)
    yield f'<text class="ink" x="{left + room + 12}" y="{y + _TEXT}">{escape(end)}</text>'


def _box(fill: str, x: float, y: float, wide: float) -> Iterator[str]:
    place = f'x="{x:.1f}" y="{y}" width="{wide:.1f}" height="15"'
    yield f'<rect class="full" {place}/>' if fill == FULL else f'<rect fill="url(#{fill})" {place}/>'
    yield f'<rect class="frame" {place}/>'
