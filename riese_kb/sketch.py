"""A sheet to draw on that becomes an SVG document; knows neither boards nor answers.

The tree is the standard library's, so that whatever a board calls its figures is escaped. Nothing here looks at a clock,
and numbers have one decimal: the same drawing gives the same bytes.
"""

from __future__ import annotations

import re
import textwrap
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from xml.etree import ElementTree as Xml

Point = tuple[float, float]

_STYLE = """
.rk{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:13px}
.rk text{fill:#1b1b1b}
.rk .paper,.rk .floor{fill:#fff}
.rk .void{fill:none}
.rk .thin{fill:none;stroke:#bdbdbd;stroke-width:1}
.rk .wall{stroke:#1b1b1b;stroke-width:4;stroke-linecap:square}
.rk .dashed{stroke:#1b1b1b;stroke-width:3;stroke-dasharray:6 5}
.rk .dotted{stroke:#6b6b6b;stroke-width:6;stroke-dasharray:2 3}
.rk .door{fill:#d9d9d9;stroke:#1b1b1b;stroke-width:1.5}
.rk .leaf{fill:none;stroke:#1b1b1b;stroke-width:2.5}
.rk .solid{fill:#1b1b1b}
.rk .hatch{stroke:#8a8a8a;stroke-width:1.4;fill:none}
.rk .rock{fill:#5c5c5c}
.rk .vein{stroke:#8e8e8e;stroke-width:1.2}
.rk .flame{fill:#c96a2b}
.rk .body{fill:#fff;stroke:#1b1b1b;stroke-width:2}
.rk .undead{fill:#3a3a3a;stroke:#1b1b1b;stroke-width:2}
.rk text.pale{fill:#fff}
.rk .marker{fill:#f4f0e2;stroke:#1b1b1b;stroke-width:1.2;stroke-dasharray:3 2}
.rk .sight{stroke:#0b4f9e;stroke-width:3;fill:none}
.rk .seen{fill:none;stroke:#0b4f9e;stroke-width:2;stroke-dasharray:2 3}
.rk .hampered{fill:none;stroke:#0b4f9e;stroke-width:2.5}
.rk .way{stroke:#11653a;stroke-width:5;fill:none;stroke-linejoin:round}
.rk .tried{stroke:#a3001b;stroke-width:3;fill:none;stroke-dasharray:7 4}
.rk .option{stroke:#6a3d8f;stroke-width:2.5;fill:none;stroke-dasharray:7 4}
.rk .aim{stroke:#a3001b;stroke-width:2;fill:none;stroke-dasharray:2 4}
.rk .arc{stroke:#6b6b6b;stroke-width:1.5;fill:none;stroke-dasharray:10 3 2 3}
.rk .tip-way{fill:#11653a}
.rk .tip-option{fill:#6a3d8f}
.rk .tip-tried,.rk .tip-aim{fill:#a3001b}
.rk .cross{stroke:#a3001b;stroke-width:5;stroke-linecap:round}
.rk .halo{stroke:#fff;stroke-width:9;stroke-linecap:round}
.rk .target{fill:none;stroke:#a3001b;stroke-width:3}
.rk .badge{fill:#fff;stroke:#1b1b1b;stroke-width:1.3}
.rk .count{font-weight:bold;font-size:13px}
.rk .small{font-size:11px}
.rk .head{font-weight:bold;font-size:14px}
.rk .haloed{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.rk .ask{font-size:12px;font-style:italic}
.rk .path-red{stroke:#b3261e}.rk .path-grey,.rk .path-gray{stroke:#7a7a7a}.rk .path-yellow{stroke:#c9a200}
.rk .path-green{stroke:#2c7a3f}.rk .path-blue{stroke:#1f5fae}.rk .path-brown{stroke:#7a4a24}
.rk .path-violet,.rk .path-purple{stroke:#7b3fa0}.rk .path-white{stroke:#d0d0d0}.rk .path-black{stroke:#1b1b1b}
@media screen and (prefers-color-scheme:dark){
.rk text{fill:#ececec}
.rk .paper,.rk .floor,.rk .body,.rk .badge{fill:#1d1f22}
.rk .thin{stroke:#54585e}
.rk .wall,.rk .dashed,.rk .leaf,.rk .body,.rk .door,.rk .badge{stroke:#ececec}
.rk .marker{fill:#34342c;stroke:#ececec}
.rk .door{fill:#55595f}
.rk .solid{fill:#ececec}
.rk .undead{fill:#c9c9c9;stroke:#ececec}
.rk text.pale{fill:#111}
.rk .rock{fill:#8d9299}.rk .vein{stroke:#5c6066}
.rk .sight,.rk .seen,.rk .hampered{stroke:#7db5ff}
.rk .way{stroke:#5fd08f}.rk .tip-way{fill:#5fd08f}
.rk .option{stroke:#d0a4f2}.rk .tip-option{fill:#d0a4f2}
.rk .aim,.rk .tried,.rk .cross,.rk .target{stroke:#ff8a8a}.rk .tip-aim,.rk .tip-tried{fill:#ff8a8a}
.rk .halo,.rk .haloed{stroke:#1d1f22}
.rk .path-black{stroke:#ececec}
}
""".strip().replace("\n", "")

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold, not even escaped."""

LETTER = 0.62
"""The width of an average letter, as a part of its size; rather too wide than clipped."""


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """The text without characters that XML forbids."""
    return _FORBIDDEN.sub("\ufffd", text)


def room(text: str, size: float) -> float:
    """The width that a text takes at most, about."""
    return LETTER * size * len(text)


def folded(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit into the width."""
    return textwrap.wrap(clean(text), max(12, int(width / (LETTER * size)))) or [""]


class Sheet:
    """An SVG document that grows by one element after the other. ``data`` becomes ``data-…`` attributes."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.key = f"{zlib.crc32(f'{title}{description}'.encode(errors='replace')):08x}"
        self.root = Xml.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {number(width)} {number(height)}",
                "width": number(width),
                "height": number(height),
                "class": "rk",
                "role": "img",
                "aria-labelledby": f"{self.name('title')} {self.name('desc')}",
            },
        )
        Xml.SubElement(self.root, "title", {"id": self.name("title")}).text = clean(title)
        Xml.SubElement(self.root, "desc", {"id": self.name("desc")}).text = clean(description)
        Xml.SubElement(self.root, "style").text = _STYLE
        self.at = self.root
        self.rect((0, 0), width, height, "paper")

    def __str__(self) -> str:
        Xml.indent(self.root, " ")
        return Xml.tostring(self.root, encoding="unicode") + "\n"

    def name(self, what: str) -> str:
        """An id that no other picture on the same page has."""
        return f"rk-{self.key}-{what.lower()}"

    def filling(self, what: str) -> str:
        """A reference to a pattern with that name."""
        return f"url(#{self.name(what)})"

    def add(self, tag: str, style: str, data: dict[str, object] | None = None, **attributes: object) -> Xml.Element:
        """One element."""
        known = {"class": style} if style else {}
        for name, value in attributes.items():
            known[name.replace("_", "-")] = number(value) if isinstance(value, int | float) else clean(str(value))
        for name, value in (data or {}).items():
            known[f"data-{name}"] = clean(str(value))
        return Xml.SubElement(self.at, tag, known)

    @contextmanager
    def group(self, style: str, **data: object) -> Iterator[None]:
        """Everything drawn inside goes into one group."""
        outer = self.at
        self.at = self.add("g", style, data)
        yield
        self.at = outer

    def rect(self, corner: Point, width: float, height: float, style: str, radius: float = 0, **data: object) -> None:
        """A rectangle from its upper left corner."""
        more = {"rx": radius} if radius else {}
        self.add("rect", style, data, x=corner[0], y=corner[1], width=width, height=height, **more)

    def circle(self, middle: Point, radius: float, style: str, **data: object) -> None:
        """A circle."""
        self.add("circle", style, data, cx=middle[0], cy=middle[1], r=radius)

    def line(self, start: Point, end: Point, style: str, **data: object) -> None:
        """A straight line."""
        self.add("line", style, data, x1=start[0], y1=start[1], x2=end[0], y2=end[1])

    def polyline(self, points: Sequence[Point], style: str, **data: object) -> None:
        """Lines from one point to the next."""
        self.add("polyline", style, data, points=" ".join(f"{number(x)},{number(y)}" for x, y in points))

    def polygon(self, points: Sequence[Point], style: str, **data: object) -> None:
        """A filled shape."""
        self.add("polygon", style, data, points=" ".join(f"{number(x)},{number(y)}" for x, y in points))

    def text(self, at: Point, text: str, style: str = "", anchor: str = "middle", **data: object) -> None:
        """A text whose base line begins, or has its middle, at a point."""
        self.add("text", style, data, x=at[0], y=at[1], text_anchor=anchor).text = clean(text)

    # --- what several pictures are made of ---

    def badge(self, middle: Point, text: str, *, small: bool = False, **data: object) -> None:
        """A short text on a plate."""
        size = 11 if small else 13
        width = max(room(text, size) + 7, size + 6)
        with self.group("label", **data):
            self.rect((middle[0] - width / 2, middle[1] - size / 2 - 3), width, size + 6, "badge", (size + 6) / 2)
            self.text((middle[0], middle[1] + 0.36 * size), text, "count small" if small else "count")

    def cross(self, middle: Point, size: float, **data: object) -> None:
        """A cross that stands out on any ground."""
        x, y = middle
        with self.group("blocked", **data):
            for style in ("halo", "cross"):
                self.line((x - size, y - size), (x + size, y + size), style)
                self.line((x - size, y + size), (x + size, y - size), style)

    def arrow(self, start: Point, end: Point, style: str, *, gap: float = 0, short: float = 0, **data: object) -> None:
        """A line with a tip, leaving out ``gap`` at its start and ``short`` at its end."""
        far = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
        across, down = (end[0] - start[0]) / far, (end[1] - start[1]) / far
        tip = (end[0] - short * across, end[1] - short * down)
        base = (tip[0] - 9 * across, tip[1] - 9 * down)
        with self.group(f"arrow {style}-arrow", **data):
            self.line((start[0] + gap * across, start[1] + gap * down), base, style)
            self.polygon(
                [tip, (base[0] - 5 * down, base[1] + 5 * across), (base[0] + 5 * down, base[1] - 5 * across)], f"tip-{style}"
            )
