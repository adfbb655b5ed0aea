"""A board of squares as a drawing, with the scene of an answer on top of it."""

from __future__ import annotations

from collections.abc import Iterator

from riese_kb.board import Board, EdgeKind, Facing, Figure, Kind, Square, Terrain, parse_square, square_name
from riese_kb.glyphs import DOOR_WORDS, TERRAIN_WORDS
from riese_kb.gridsigns import CELL, WAYS, draw_edge, draw_figure, marker_sign, patterns
from riese_kb.picture import keys
from riese_kb.scene import Scene, spot
from riese_kb.sketch import Point, Sheet, folded, room

_ROW = 19.0
_LEAST = 520.0
"""The least width: below it the lines of the legend would be broken too often."""
_CORNERS = ((-12, -11), (-12, 12), (12, 12), (12, -11))
_BESIDE = ((-14, 16), (14, 16), (-14, -16))
"""Where the markers of one square go, without and with a figure there."""
_DOORS = (EdgeKind.CLOSED_DOOR, EdgeKind.OPEN_DOOR, EdgeKind.LOCKED_DOOR)
_KINDS = {Kind.HERO: "hero", Kind.NPC: "NPC", Kind.CIVILIAN: "civilian", Kind.ZOMBIE: "zombie"}

LABELS = {
    "reach": "the fewest MP to end there; each ! is a wound",
    "lands": "the chance that it comes down there",
    "option": "after so many moves it may end there",
    "order": "the place in the order; arrows lead to where it may end",
    "spawn": "where it appears",
    "label": "what the answer is about",
}
"""What the labels of each kind mean."""


def grid_svg(board: Board, scene: Scene, ask: str, sentence: str) -> str:
    """The whole document. ``ask`` is the question, ``sentence`` the verdict in words."""
    return str(_Grid(board, scene, ask, sentence).sheet)


class _Grid:
    """One drawing of a board, from the floor up to the labels."""

    def __init__(self, board: Board, scene: Scene, ask: str, sentence: str) -> None:
        self.board, self.scene = board, scene
        self.keys = keys(board.figures)
        self.figures = {figure.at: figure for figure in board.figures}
        self.margin = 54.0 if EdgeKind.EXIT in board.edges.values() else 34.0  # what leaves the map is drawn there
        wide = 2 * self.margin + board.width * CELL
        width = max(wide, _LEAST)
        self.heading = [
            *((line, "ask") for line in folded(ask, width - 24, 12)),
            *((t, "head") for t in folded(sentence, width - 24, 14)),
        ]
        self.left = (width - wide) / 2 + self.margin
        self.top = 14 + _ROW * len(self.heading) + self.margin
        below = self.top + board.height * CELL + self.margin
        self.rows = [*self._legend(width)]
        height = below + _ROW * sum(len(lines) for _, lines in self.rows) + 10
        about = f"{board.title}. " if board.title else ""
        self.sheet = Sheet(width, height, ask, f"{sentence} {about}{self._words()}")
        self.sheet.root.set("data-system", str(board.system))
        patterns(self.sheet, board, (self.left, self.top))
        for number, (line, style) in enumerate(self.heading):
            self.sheet.text((12, 22 + _ROW * number), line, style, "start")
        for name in ("floor", "edges", "letters", "markers", "sightline", "arcs", "way", "pieces", "arrows", "crosses", "labels"):
            with self.sheet.group(name):
                getattr(self, f"_draw_{name}")()
        with self.sheet.group("legend"):
            self._write_legend(below)

    # --- places ---

    def middle(self, square: Square) -> Point:
        """The middle of a square."""
        return self.left + (square[0] - 0.5) * CELL, self.top + (square[1] - 0.5) * CELL

    def place(self, name: str) -> Point | None:
        """The middle of a square, an edge or a corner; for a way off the map a point just outside."""
        found = spot(name)
        if found is None:
            return None
        x, y = self.middle(found.square)
        if found.side is not None:
            return x + 0.98 * CELL * WAYS[found.side][0], y + 0.98 * CELL * WAYS[found.side][1]
        u, v = self.middle(found.other or found.square)
        return (x + u) / 2, (y + v) / 2

    # --- the board ---

    def _draw_floor(self) -> None:
        for square, terrain in sorted(self.board.terrain.items(), key=lambda item: item[0][::-1]):
            if terrain is Terrain.VOID:
                continue
            x, y = self.middle(square)
            data = {"square": square_name(square)} | ({} if terrain is Terrain.CLEAR else {"terrain": terrain.name.lower()})
            with self.sheet.group("square", **data):
                if terrain is not Terrain.CLEAR:
                    self.sheet.add("rect", "", x=x - 24, y=y - 24, width=CELL, height=CELL, fill=self.sheet.filling(terrain.name))
                self.sheet.rect((x - 24, y - 24), CELL, CELL, "thin")

    def _draw_edges(self) -> None:
        order = [EdgeKind.HINDERING, EdgeKind.BARRING, EdgeKind.WALL, *_DOORS, EdgeKind.EXIT]
        for edge, kind in sorted(
            self.board.edges.items(), key=lambda item: (order.index(item[1]) if item[1] in order else 0, item[0])
        ):
            terrain = [self.board.terrain.get(square) for square in edge]
            outside = Terrain.VOID in terrain and None in terrain
            if kind is not EdgeKind.OPEN and not (kind is EdgeKind.WALL and outside):
                with self.sheet.group("edge", edge="|".join(map(square_name, edge)), kind=kind.name.lower().replace("_", "-")):
                    (x, y), (u, v) = self.middle(edge[0]), self.middle(edge[1])
                    out = 1 if edge[0] in self.board.terrain else -1
                    draw_edge(self.sheet, kind, ((x + u) / 2, (y + v) / 2), v == y, out)

    def _draw_letters(self) -> None:
        exits = [edge[0] for edge, kind in self.board.edges.items() if kind is EdgeKind.EXIT]
        above = 37 if any(r == 0 for _, r in exits) else 14
        beside = 37 if any(c == 0 for c, _ in exits) else 14
        for c in range(1, self.board.width + 1):
            x = self.middle((c, 1))[0]
            self.sheet.text((x, self.top - above), square_name((c, 1))[:-1])
        for r in range(1, self.board.height + 1):
            self.sheet.text((self.left - beside, self.middle((1, r))[1] + 5), str(r), anchor="end")

    def _draw_markers(self) -> None:
        taken: dict[Square, int] = {}
        for marker in self.board.markers:
            x, y = self.middle(marker.at)
            nth = taken[marker.at] = taken.get(marker.at, -1) + 1
            if marker.at in self.figures:
                off = _BESIDE[nth % 3]
            else:
                off = _CORNERS[nth % 4] if sum(m.at == marker.at for m in self.board.markers) > 1 else (0, 0)
            x, y = x + off[0], y + off[1]
            with self.sheet.group("marker", marker=marker.kind, at=square_name(marker.at)):
                text = marker_sign(marker)
                width = room(text, 11) + 8
                self.sheet.rect((x - width / 2, y - 8), width, 16, "marker", 3)
                self.sheet.text((x, y + 4), text, "small")

    # --- figures ---

    def _draw_pieces(self) -> None:
        for figure in self.board.figures:
            with self.sheet.group(f"figure {figure.kind}", figure=figure.id, at=square_name(figure.at)):
                if figure.id in self.scene.targets:
                    self.sheet.circle(self.middle(figure.at), 21.5, "target", target=figure.id)
                draw_figure(self.sheet, figure, self.keys[figure.id], self.middle(figure.at))

    # --- the answer ---

    def _draw_sightline(self) -> None:
        line = self.scene.line
        for number, square in enumerate(line):
            if 0 < number < len(line) - 1:
                x, y = self.middle(square)
                self.sheet.rect((x - 20, y - 20), 40, 40, "seen", 3, line=number, at=square_name(square))
        if len(line) > 1:
            self.sheet.line(
                self.middle(line[0]),
                self.middle(line[-1]),
                "sight",
                **{"from": square_name(line[0]), "to": square_name(line[-1])},
            )
        for name in self.scene.hampering:
            at = self.place(name)
            if at is not None:
                size = 22 if parse_square(name) is not None else 9
                self.sheet.rect((at[0] - size, at[1] - size), 2 * size, 2 * size, "hampered", 3, hindering=name)

    def _draw_arcs(self) -> None:
        hero = self.board.figure(self.scene.arc) if self.scene.arc is not None else None
        if hero is None:
            return
        across, down = WAYS[hero.facing or Facing.NORTH]
        x, y = self.middle(hero.at)
        for side in (-1, 1):
            u, v = across + side * down, down + side * across
            # as far as the board goes
            far = min(
                (self.board.width - hero.at[0] if u > 0 else hero.at[0] - 1),
                (self.board.height - hero.at[1] if v > 0 else hero.at[1] - 1),
            )
            reach = (far + 0.5) * CELL
            self.sheet.line((x, y), (x + u * reach, y + v * reach), "arc", arc=hero.id)

    def _draw_way(self) -> None:
        trail = [(name, at) for name in self.scene.trail if (at := self.place(name)) is not None]
        if len(trail) < 2:
            return
        points = [at for _, at in trail]
        if len(points) > 2:
            self.sheet.polyline(points[:-1], "way", path=" ".join(name for name, _ in trail))
        last = trail[-1][0]
        self.sheet.arrow(points[-2], points[-1], "way", short=-4 if " " in last else 0, to=last)

    def _draw_arrows(self) -> None:
        for pull in self.scene.pulls:
            data = {"figure": pull.figure, "to": square_name(pull.end)} | ({"number": pull.number} if pull.number else {})
            busy = pull.end in self.figures or square_name(pull.end) in self.scene.labels or pull.kind == "tried"
            short = 19 if pull.kind == "aim" or busy else 4
            self.sheet.arrow(
                self.middle(pull.start),
                self.middle(pull.end),
                pull.kind,
                gap=16,
                short=short,
                **{pull.kind: square_name(pull.end)},
                **data,
            )

    def _draw_crosses(self) -> None:
        for name in self.scene.blocked:
            at = self.place(name)
            if at is not None:
                self.sheet.cross(at, 10 if parse_square(name) is not None else 7, blocked=name)

    def _draw_labels(self) -> None:
        scene = self.scene
        for name, text in scene.labels.items():
            at = self.place(name)
            if at is None:
                continue
            square = parse_square(name)
            corner = square is not None and (square in self.figures or any(m.at == square for m in self.board.markers))
            if corner:
                at = (at[0] + 15, at[1] - 16)
            self.sheet.badge(at, text, small=corner or len(text) > 3, **{scene.label_kind: text, "at": name})
        for name, (spent, steps) in scene.spent.items():
            at = self.place(name)
            if at is not None:
                corner = parse_square(name) in self.figures
                at = (at[0] + 15, at[1] - 16) if corner else at
                self.sheet.badge(at, str(spent), small=corner, mp=spent, steps=steps, at=name)
        for name, amount in scene.hampering.items():
            at = self.place(name)
            if at is not None:
                self.sheet.badge((at[0] - 12, at[1] + 15), f"{amount:+d}", small=True, modifier=amount, at=name)

    # --- words ---

    def _words(self) -> str:
        """The board and what is marked on it, for those who do not see it."""
        parts = []
        for f in self.board.figures:
            facing = f" facing {f.facing or Facing.NORTH}" if f.kind is Kind.HERO else ""
            parts.append(f"{f.id} ({_KINDS[f.kind]}) on {square_name(f.at)}{facing}")
        text = f"A board of {self.board.width} by {self.board.height} squares. " + (
            f"Figures: {'; '.join(parts)}. " if parts else ""
        )
        scene = self.scene
        if len(scene.line) > 1:
            text += f"The line passes {', '.join(map(square_name, scene.line[1:-1])) or 'no square between'}. "
        if scene.blocked:
            text += f"Crossed out: {', '.join(scene.blocked)}. "
        if len(scene.trail) > 1:
            text += f"The way: {', '.join(scene.trail)}. "
        if scene.labels:
            text += f"Marked, {LABELS[scene.label_kind]}: " + ", ".join(f"{at} {text}" for at, text in scene.labels.items()) + "."
        return text.strip()

    def _legend(self, width: float) -> Iterator[tuple[object, list[str]]]:
        """What the signs mean, only those that occur: a sign and its lines."""
        board, scene = self.board, self.scene
        inner = width - 64
        if board.title:
            yield "", folded(board.title, width - 24, 13)
        for figure in board.figures:
            words = [
                figure.id,
                figure.name if figure.name and figure.name.casefold() != figure.id.casefold() else "",
                figure.type or "",
            ]
            words += [figure.declared or "", figure.weapon or "", figure.off_hand or "", *figure.status]
            words += [*(f"locks {id}" for id in figure.locks), scene.targets.get(figure.id, "")]
            yield figure, folded(f"{square_name(figure.at)}  {', '.join(filter(None, words))}", inner, 13)
        markers: dict[tuple[str, str], list[str]] = {}
        for marker in board.markers:
            named = f"{marker.kind} {marker.label}" if marker.label and len(marker.label) > 3 else marker.kind
            markers.setdefault((marker_sign(marker), named), []).append(square_name(marker.at))
        for (sign, named), places in markers.items():
            yield sign, folded(f"{named}: {', '.join(places)}", inner, 13)
        terrain, edges = set(board.terrain.values()), set(board.edges.values())
        for kind, word in TERRAIN_WORDS.items():
            if kind in terrain:
                yield kind, [word]
        for edge, word in {
            **DOOR_WORDS,
            EdgeKind.BARRING: "no step across, but a clear view",
            EdgeKind.HINDERING: "hindering edge",
            EdgeKind.EXIT: "exit",
        }.items():
            if edge in edges:
                yield edge, [word]
        if len(scene.line) > 1:
            yield "sight", ["line of fire"]
            if len(scene.line) > 2:
                yield "seen", folded(f"squares that it passes: {', '.join(map(square_name, scene.line[1:-1]))}", inner, 13)
        if scene.hampering:
            told = ", ".join(f"{name} {amount:+d}" for name, amount in scene.hampering.items())
            yield "hampered", folded(f"makes the attack harder: {told}", inner, 13)
        if scene.arc is not None:
            yield "arc", ["the sides of the front arc"]
        if scene.blocked:
            yield "cross", folded(f"against it: {', '.join(scene.blocked)}", inner, 13)
        if len(scene.trail) > 1:
            yield "way", folded(f"the way: {' → '.join(scene.trail)}", inner, 13)
        if scene.spent:
            yield "1", ["MP spent when leaving that square, or at the end"]
        for pull, word in {"option": "may go there", "aim": "may shoot there", "tried": "the step that fails"}.items():
            if any(p.kind == pull for p in scene.pulls):
                yield pull, [word]
        if scene.targets:
            yield "target", ["the figures concerned"]
        if scene.labels:
            yield "n", [LABELS[scene.label_kind]]
        for note in scene.notes:
            yield "", folded(note, inner, 13)

    def _write_legend(self, y: float) -> None:
        for sign, lines in self.rows:
            self._sign(sign, (28, y))
            for line in lines:
                self.sheet.text((12 if sign == "" else 54, y + 5), line, "", "start")
                y += _ROW

    def _sign(self, sign: object, middle: Point) -> None:
        x, y = middle
        sheet = self.sheet
        if isinstance(sign, Figure):
            with sheet.group("sign"):
                sheet.at.set("transform", f"translate({x:g} {y:g}) scale(.55)")
                draw_figure(sheet, sign, self.keys[sign.id], (0, 0))
        elif isinstance(sign, Terrain):
            with sheet.group("sign"):  # moved, so that the filling is cut as it is on the board
                sheet.at.set("transform", f"translate({x - 16 - self.left:g} {y - 8 - self.top:g})")
                corner = (self.left, self.top)
                sheet.add("rect", "", x=corner[0], y=corner[1], width=32, height=16, fill=sheet.filling(sign.name))
                sheet.rect(corner, 32, 16, "thin")
        elif isinstance(sign, EdgeKind):
            with sheet.group("sign"):
                sheet.at.set("transform", f"translate({x:g} {y:g}) scale(.6)")
                draw_edge(sheet, sign, (0, 0), upright=False)
        elif sign == "cross":
            sheet.cross(middle, 6)
        elif sign == "target":
            sheet.circle(middle, 7, "target")
        elif sign in ("way", "option", "aim", "tried"):
            sheet.arrow((x - 16, y), (x + 16, y), str(sign))
        elif sign in ("sight", "arc"):
            sheet.line((x - 16, y), (x + 16, y), str(sign))
        elif sign in ("seen", "hampered"):
            sheet.rect((x - 8, y - 7), 16, 14, str(sign), 3)
        elif sign in ("1", "n"):
            sheet.badge(middle, str(sign), small=True)
        elif sign:
            width = room(str(sign), 11) + 8
            sheet.rect((x - width / 2, y - 8), width, 16, "marker", 3)
            sheet.text((x, y + 4), str(sign), "small")
