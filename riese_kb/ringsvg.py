"""A board of rings as a drawing. Its rings have no coordinates, so their places are worked out from who is next to whom."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import networkx as nx

from riese_kb.answer import Answer
from riese_kb.rings import OFF, Rank, RingBoard, RingKind
from riese_kb.sketch import Point, Sheet, folded

_ROW = 19.0
_STEP = 92.0
"""The distance of two neighbouring rings, about."""
_ROUNDS = 80


def layout(board: RingBoard) -> dict[str, Point]:
    """Where each ring is drawn, one neighbour's distance being 1.

    Neighbours come near each other, and rings that many steps part come far apart: the sum of the squared errors is made
    smaller round by round (stress majorisation), starting from a drawing without crossings where there is one.
    """
    graph = nx.Graph()
    graph.add_nodes_from(ring.id for ring in board.rings)
    graph.add_edges_from((ring.id, other) for ring in board.rings for other in ring.next)
    places: dict[str, Point] = {}
    edge = 0.0
    for part in nx.connected_components(graph):
        names = [ring.id for ring in board.rings if ring.id in part]
        found = _spread(graph.subgraph(names), names)
        left = min(x for x, _ in found.values())
        top = min(y for _, y in found.values())
        places |= {name: (x - left + edge, y - top) for name, (x, y) in found.items()}
        edge = max(x for x, _ in places.values()) + 1.2
    return places


def _spread(graph: nx.Graph, names: list[str]) -> dict[str, Point]:
    """The places of the rings of one connected part."""
    if len(names) < 3:
        return {name: (float(number), 0.0) for number, name in enumerate(names)}
    plane = nx.Graph()  # in the order of the board: subgraphs have none of their own
    plane.add_nodes_from(names)
    plane.add_edges_from(sorted(tuple(sorted(edge, key=names.index)) for edge in graph.edges))
    flat, embedding = nx.check_planarity(plane)
    if flat and len(names) > 3:
        start = {name: (float(x), float(y)) for name, (x, y) in nx.combinatorial_embedding_to_pos(embedding).items()}
    else:
        turn = 2 * math.pi / len(names)
        start = {name: (math.cos(i * turn), math.sin(i * turn)) for i, name in enumerate(names)}
    apart = dict(nx.all_pairs_shortest_path_length(plane))
    at = start
    for _ in range(_ROUNDS):
        at = {name: _better(name, at, apart[name]) for name in names}
    return _upright(at)


def _better(name: str, at: Mapping[str, Point], apart: Mapping[str, int]) -> Point:
    """Where one ring ought to be, seen from all others."""
    x, y = at[name]
    across = down = weight = 0.0
    for other, steps in apart.items():
        if other == name:
            continue
        u, v = at[other]
        far = math.hypot(x - u, y - v) or 0.01
        share = 1 / steps**2
        across += share * (u + steps * (x - u) / far)
        down += share * (v + steps * (y - v) / far)
        weight += share
    return across / weight, down / weight


def _upright(at: dict[str, Point]) -> dict[str, Point]:
    """The same, turned so that it is longest from left to right."""
    count = len(at)
    mx, my = sum(x for x, _ in at.values()) / count, sum(y for _, y in at.values()) / count
    xx = sum((x - mx) ** 2 for x, _ in at.values())
    yy = sum((y - my) ** 2 for _, y in at.values())
    xy = sum((x - mx) * (y - my) for x, y in at.values())
    turn = 0.5 * math.atan2(2 * xy, xx - yy)
    c, s = math.cos(turn), math.sin(turn)
    return {name: ((x - mx) * c + (y - my) * s, (y - my) * c - (x - mx) * s) for name, (x, y) in at.items()}


def ring_svg(answer: Answer, board: RingBoard, sentence: str) -> str:
    """The whole document."""
    return str(_Rings(answer, board, sentence).sheet)


class _Rings:
    """One drawing of a board of rings."""

    def __init__(self, answer: Answer, board: RingBoard, sentence: str) -> None:
        self.answer, self.board, self.german = answer, board, answer.language == "de"
        raw = layout(board)
        right = max((x for x, _ in raw.values()), default=0.0) * _STEP
        low = max((y for _, y in raw.values()), default=0.0) * _STEP
        width = max(right + 150, 520.0)
        head = [
            *((line, "ask") for line in folded(answer.ask, width - 24, 12)),
            *((t, "head") for t in folded(sentence, width - 24, 14)),
        ]
        top = 14 + _ROW * len(head) + 46
        left = (width - right) / 2
        self.at = {name: (left + x * _STEP, top + y * _STEP) for name, (x, y) in raw.items()}
        below = top + low + 72
        self._read()
        rows = [*self._legend(width - 64)]
        self.sheet = Sheet(
            width, below + _ROW * sum(len(lines) for _, lines in rows) + 6, answer.ask, f"{sentence} {self._words()}"
        )
        self.sheet.root.set("data-system", str(board.system))
        for number, (line, style) in enumerate(head):
            self.sheet.text((12, 22 + _ROW * number), line, style, "start")
        for name in ("links", "way", "rings", "figures", "labels"):
            with self.sheet.group(name):
                getattr(self, f"_draw_{name}")()
        with self.sheet.group("legend"):
            for sign, lines in rows:
                self._sign(sign, (28, below))
                for line in lines:
                    self.sheet.text((54 if sign else 12, below + 5), line, "", "start")
                    below += _ROW

    def say(self, english: str, german: str) -> str:
        """A word in the language of the answer."""
        return german if self.german else english

    def _read(self) -> None:
        """What the answer marks."""
        answer, result = self.answer, self.answer.result
        self.paths: list[list[str]] = result.get("paths", [])
        self.way: list[str] = []
        words = {word.casefold() for word in answer.ask.replace(",", " ").split()}
        named = [f for f in self.board.figures if f.id.casefold() in words]
        if "steps" in result and answer.verdict == "legal":
            mover = next((f for f in named if f.at != OFF), None)
            self.way = [*([mover.at] if mover is not None else []), *result["steps"]]
        self.labels: dict[str, str] = {name: str(mp) for name, mp in result.get("rings", {}).items()}
        self.after: dict[str, str] = (
            {name: f"({mp})" for name, mp in result.get("after_duel", {}).items()} if "rings" in result else {}
        )
        shot = {id for ids in result.values() if isinstance(ids, list) for id in ids if isinstance(id, str)}
        self.targets = [f.id for f in self.board.figures if f.id in shot] if {*result} <= {"normal", "h2h"} else []
        if "pool" in result and len(named) > 1:
            order = sorted(named, key=lambda f: answer.ask.casefold().split().index(f.id.casefold()))
            self.targets = [order[1].id]
        self.blocked = [v.at for v in answer.violations if v.at in self.at]

    # --- the board ---

    def _draw_links(self) -> None:
        place = {ring.id: number for number, ring in enumerate(self.board.rings)}
        for ring in self.board.rings:
            for other in ring.next:
                if place[ring.id] < place.get(other, -1):
                    self.sheet.line(self.at[ring.id], self.at[other], "hatch", link=f"{ring.id} {other}")

    def _draw_way(self) -> None:
        for colour, *rings in self.paths:
            points = [self.at[name] for name in rings if name in self.at]
            self.sheet.polyline(points, "sight", path=colour, rings=" ".join(rings))
        points = [self.at[name] for name in self.way if name in self.at]
        if len(points) > 1:
            self.sheet.polyline(points[:-1], "way", way=" ".join(self.way))
            self.sheet.arrow(points[-2], points[-1], "way", short=25, to=self.way[-1])

    def _draw_rings(self) -> None:
        for ring in self.board.rings:
            x, y = self.at[ring.id]
            with self.sheet.group(f"ring {ring.kind}", ring=ring.id):
                self.sheet.circle((x, y), 24, "body")
                for number, colour in enumerate(ring.paths):
                    part = 2 * math.pi * 20.5 / len(ring.paths)
                    self.sheet.add(
                        "circle",
                        f"path path-{_class(colour)}",
                        {"colour": colour},
                        cx=x,
                        cy=y,
                        r=20.5,
                        fill="none",
                        stroke_width=5,
                        **(
                            {"stroke_dasharray": f"{part:.1f} 400", "stroke_dashoffset": -part * number}
                            if len(ring.paths) > 1
                            else {}
                        ),
                    )
                if ring.kind in (RingKind.OBJECTIVE, RingKind.ACTION):
                    self.sheet.circle((x, y), 15, "solid")
                elif ring.kind is RingKind.ENTRY:
                    self.sheet.circle((x, y), 15, "marker")
                self.sheet.text((x, y + 37), ring.id, "count small haloed")
                if ring.paths:
                    colours = ", ".join(ring.paths)
                    short = colours if len(colours) <= 16 else ",".join(c[:2] for c in ring.paths)
                    self.sheet.text((x, y + 49), short, "small haloed")
                signs = [f"{p.value[:3]} {n:+d}" for p, n in ring.modifiers.items()]
                signs += [
                    " ".join([m.kind, *(f"{p.value[:3]} {n:+d}" for p, n in m.modifiers.items())])
                    for m in self.board.markers
                    if m.at == ring.id
                ]
                for number, sign in enumerate(reversed(signs)):
                    self.sheet.text((x, y - 29 - 12 * number), sign, "small haloed")

    def _draw_figures(self) -> None:
        for figure in self.board.figures:
            if figure.at not in self.at:
                continue
            x, y = self.at[figure.at]
            with self.sheet.group("figure", figure=figure.id, at=figure.at):
                if figure.id in self.targets:
                    self.sheet.circle((x, y), 27.5, "target", target=figure.id)
                self._figure(figure.id, (x, y))

    def _figure(self, id: str, middle: Point) -> None:
        figure = self.board.figure(id)
        assert figure is not None
        x, y = middle
        pale = str(figure.side) == "reich"
        style = "undead" if pale else "body"
        if figure.rank is Rank.HERO:
            self.sheet.polygon([(x, y - 17), (x + 17, y), (x, y + 17), (x - 17, y)], style)
        else:
            self.sheet.rect((x - 12, y - 12), 24, 24, style, 3)
        self.sheet.text((x, y + 4), _short(id, [f.id for f in self.board.figures]), "count small pale" if pale else "count small")

    def _draw_labels(self) -> None:
        for kind, labels in (("reach", self.labels), ("after-duel", self.after)):
            for name, text in labels.items():
                x, y = self.at[name]
                taken = any(f.at == name for f in self.board.figures)
                self.sheet.badge((x + 19, y - 19) if taken else (x, y), text, small=taken, **{kind: text, "at": name})
        for number, name in enumerate(self.way[1:], 1):
            x, y = self.at[name]
            self.sheet.badge((x + 18, y - 18), str(number), small=True, step=number, at=name)
        for name in dict.fromkeys(self.blocked):
            x, y = self.at[name]
            self.sheet.cross((x + 17, y - 17), 6, blocked=name)

    # --- words ---

    def _words(self) -> str:
        rings, count = self.say("rings", "Ringe"), len(self.board.rings)
        who = "; ".join(f"{f.id}: {f.at}" for f in self.board.figures)
        text = f"{self.board.title}. " if self.board.title else ""
        text += f"{count} {rings}. {who}."
        for colour, *names in self.paths:
            text += f" {colour}: {', '.join(names)}."
        if self.way:
            text += f" {self.say('The way', 'Der Weg')}: {', '.join(self.way)}."
        if self.labels:
            text += " MP: " + ", ".join(f"{name} {text}" for name, text in {**self.labels, **self.after}.items()) + "."
        return text

    def _legend(self, width: float) -> Iterator[tuple[str, list[str]]]:
        say = self.say
        if self.board.title:
            yield "", folded(self.board.title, width, 13)
        for figure in self.board.figures:
            where = say("not on the board yet", "noch nicht im Spiel") if figure.at == OFF else figure.at
            words = [figure.id, *([figure.name] if figure.name else []), str(figure.side).capitalize(), str(figure.rank), where]
            yield f"figure {figure.id}", folded(", ".join(words), width, 13)
        kinds = {ring.kind for ring in self.board.rings}
        if kinds & {RingKind.OBJECTIVE, RingKind.ACTION}:
            yield "black", [say("objective or action ring", "Missions- oder Aktionsring")]
        if RingKind.ENTRY in kinds:
            yield "entry", [say("entry point", "Einstiegspunkt")]
        if self.paths:
            yield "sight", [say("the rings that the sight leads along", "die Ringe, über die die Sicht führt")]
        if self.way:
            yield "way", folded(f"{say('the way', 'der Weg')}: {' → '.join(self.way)}", width, 13)
        if self.labels:
            yield "n", [say("the fewest MP to end there", "die wenigsten BP, um dort zu enden")]
        if self.after:
            yield "(n)", [say("the same, after a won duel", "ebenso, nach gewonnenem Duell")]
        if self.targets:
            yield (
                "target",
                [
                    say("who may be attacked", "wer angegriffen werden kann")
                    if len(self.targets) > 1
                    else say("the target", "das Ziel")
                ],
            )
        if self.blocked:
            yield "cross", folded(f"{say('against it', 'dagegen spricht')}: {', '.join(dict.fromkeys(self.blocked))}", width, 13)

    def _sign(self, sign: str, middle: Point) -> None:
        x, y = middle
        sheet = self.sheet
        if sign.startswith("figure "):
            with sheet.group("sign"):
                sheet.at.set("transform", f"translate({x:g} {y:g}) scale(.6)")
                self._figure(sign.removeprefix("figure "), (0, 0))
        elif sign == "cross":
            sheet.cross(middle, 6)
        elif sign in ("black", "entry"):
            sheet.circle(middle, 7, "solid" if sign == "black" else "marker")
        elif sign == "target":
            sheet.circle(middle, 7, "target")
        elif sign == "sight":
            sheet.line((x - 16, y), (x + 16, y), sign)
        elif sign == "way":
            sheet.arrow((x - 16, y), (x + 16, y), sign)
        elif sign:
            sheet.badge(middle, sign, small=True)


def _class(colour: str) -> str:
    return colour.casefold() if colour.isascii() and colour.isalpha() else "other"


def _short(id: str, ids: list[str]) -> str:
    """Three letters of an id where they tell it from the others, else its first and its number."""
    if len(id) <= 3 or sum(other[:3] == id[:3] for other in ids) == 1:
        return id[:3]
    return f"{id[0]}{1 + [other for other in ids if other[:3] == id[:3]].index(id)}"
