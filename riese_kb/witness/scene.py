"""The board that a search leaves open: who may stand there, on what ground, as choices for clingo and back as a board.

Facts of figures come from ``position`` and the printed tables, as for any board; a template of a figure is one such bundle of
facts, and a trait is what a bundle has more once something more is said of the figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, Edge, EdgeKind, Facing, Figure, Kind, Marker, Square, System, Terrain, edge_between
from riese_kb.boardfile import format_board, parse_board
from riese_kb.facts import EDGE_WORDS, TERRAIN_WORDS, Name, fact
from riese_kb.position import Position
from riese_kb.pruning import facts_in
from riese_kb.solver import Atoms

GROUND = (Terrain.HINDERING, Terrain.OBSTRUCTIVE, Terrain.BARRING, Terrain.FIRE, Terrain.LETHAL)
EDGES = (
    EdgeKind.WALL,
    EdgeKind.BARRING,
    EdgeKind.HINDERING,
    EdgeKind.CLOSED_DOOR,
    EdgeKind.OPEN_DOOR,
    EdgeKind.LOCKED_DOOR,
)
HERO = "hero"
_NOWHERE: Square = (1, 1)


class Slot(Struct, frozen=True):
    """Somebody on the board: one of some templates, and what may be said of it besides (field by field)."""

    id: str
    templates: tuple[Figure, ...]
    traits: Mapping[str, Mapping[str, Any]] = {}
    twin: str | None = None
    """The slot before it that may be exchanged with this one."""


class Scene(Struct, frozen=True):
    """What is open: the largest map, the ground, the edges, who is there, and what may be said of the board."""

    system: System
    width: int
    height: int
    slots: tuple[Slot, ...]
    ground: tuple[Terrain, ...] = GROUND
    edges: tuple[EdgeKind, ...] = EDGES
    settings: Mapping[str, Mapping[str, Any]] = {}
    tokens: tuple[Marker, ...] = ()
    """Markers that lie somewhere, each with a label of its own."""
    kinds: tuple[str, ...] = ()
    """Kinds of markers of which any number may lie about."""

    def casts(self) -> Iterator[Scene]:
        """The scene with every choice of templates settled; those who may change places are counted once."""
        for shapes in product(*(range(len(slot.templates)) for slot in self.slots)):
            pairs = [*zip(self.slots, shapes, strict=True)]
            chosen = {slot.id: shape for slot, shape in pairs}
            if any(slot.twin is not None and chosen[slot.twin] > shape for slot, shape in pairs):
                continue
            slots = (
                Slot(s.id, (s.templates[n],), s.traits, s.twin if s.twin is not None and chosen[s.twin] == n else None)
                for s, n in pairs
            )
            yield replace(self, slots=tuple(slots))

    def statements(self) -> list[str]:
        """The scene for ``queries/witness/board.lp``."""
        parts = [fact("wide", self.width), fact("high", self.height)]
        parts += [fact("ground_kind", Name(TERRAIN_WORDS[kind])) for kind in self.ground]
        parts += [fact("edge_kind", Name(EDGE_WORDS[kind])) for kind in self.edges]
        parts += [fact("twin", slot.twin, slot.id) for slot in self.slots if slot.twin is not None]
        for slot in self.slots:
            parts.append(fact("slot", slot.id))
            parts += [fact("shape", slot.id, number) for number in range(len(slot.templates))]
            parts += [fact("model", slot.id, 0)] if len(slot.templates) == 1 else []
            parts += [fact("trait", slot.id, number, name) for number, name, _ in self._traits(slot)]
        parts += [fact("setting", name) for name in self.settings]
        parts += [fact("label_of", marker.label) for marker in self.tokens]
        parts += [fact("marker_kind", Name(kind)) for kind in self.kinds]
        return [*parts, *(f"{head} :- {when}." for head, when in self._given())]

    def possible(self) -> str:
        """One fact of each form that the scene can come to, for leaving out rules that have nothing to go by."""
        parts = [fact("square", _NOWHERE)]
        parts += [fact("terrain", _NOWHERE, Name(TERRAIN_WORDS[kind])) for kind in self.ground]
        parts += [fact("edge", _NOWHERE, _NOWHERE, Name(EDGE_WORDS[kind])) for kind in {*self.edges, EdgeKind.WALL}]
        parts += [fact("at", slot.id, _NOWHERE) for slot in self.slots]
        parts += [fact("marker", Name(kind), _NOWHERE) for kind in self.kinds]
        return "".join([*parts, *(f"{head}." for head, _ in self._given())])

    def _given(self) -> Iterator[tuple[str, str]]:
        """Facts, each with what it hangs on."""
        for slot in self.slots:
            for number, figure in enumerate(slot.templates):
                when = fact("model", slot.id, number)[:-1]
                yield from ((head, when) for head in self._facts(figure))
            for number, name, figure in self._traits(slot):
                plain = set(self._facts(slot.templates[number]))
                when = fact("marked_as", slot.id, name)[:-1] + "," + fact("model", slot.id, number)[:-1]
                yield from ((head, when) for head in self._facts(figure) if head not in plain)
        for name, said in self.settings.items():
            for head in facts_in(Position(self._board(**said)).scene):
                yield head, fact("staged", name)[:-1]

    def _traits(self, slot: Slot) -> Iterator[tuple[int, str, Figure]]:
        """The traits that a template can have: those that only add to what holds of it."""
        for number, figure in enumerate(slot.templates):
            plain = set(self._facts(figure))
            for name, said in slot.traits.items():
                changed = with_trait(figure, said)
                if plain < set(self._facts(changed)):
                    yield number, name, changed

    def _facts(self, figure: Figure) -> list[str]:
        return [one for one in facts_in(Position(self._board()).figure(figure)) if not one.startswith("at(")]

    def _board(self, **said: Any) -> Board:
        return Board(system=self.system, width=1, height=1, terrain={_NOWHERE: Terrain.CLEAR}, edges={}, **said)

    def names(self, atoms: Atoms) -> dict[str, str]:
        """What the figures of a model are called: z1, z2 … for zombies, by the first letter of their kinds."""
        models: dict[str, int] = dict(atoms.get("model", ()))
        called, count = dict[str, str](), dict[str, int]()
        for slot in self.slots:
            letter = slot.templates[models.get(slot.id, 0)].kind[0]
            count[letter] = count.get(letter, 0) + 1
            called[slot.id] = slot.id if slot.id == HERO else f"{letter}{count[letter]}"
        return called

    def board(self, atoms: Atoms) -> Board:
        """The board of a model."""
        ((width, height),) = atoms["board_size"]
        terrain = {(x, y): Terrain.CLEAR for y in range(1, height + 1) for x in range(1, width + 1)}
        terrain |= {square: _GROUND_OF[word] for square, word in atoms.get("terrain", ())}
        edges: dict[Edge, EdgeKind] = {edge_between(a, b): _EDGE_OF[word] for a, b, word in atoms.get("edging", ())}
        models: dict[str, int] = dict(atoms.get("model", ()))
        places: dict[str, Square] = dict(atoms.get("at", ()))
        names = self.names(atoms)
        figures = []
        for slot in self.slots:
            figure = slot.templates[models.get(slot.id, 0)]
            for id, name in sorted(atoms.get("marked_as", ())):
                figure = with_trait(figure, slot.traits[name]) if id == slot.id else figure
            figures.append(replace(figure, id=names[slot.id], at=places[slot.id]))
        lying: dict[str, Square] = dict(atoms.get("puts", ()))
        markers = tuple(replace(marker, at=lying[marker.label or ""]) for marker in self.tokens)
        markers += tuple(Marker(kind=kind, at=square) for square, kind in sorted(atoms.get("lays", ())))
        said = {key: value for (name,) in atoms.get("staged", ()) for key, value in self.settings[name].items()}
        parts: dict[str, Any] = {"terrain": terrain, "edges": edges, "figures": tuple(figures), "markers": markers}
        board = Board(system=self.system, width=width, height=height, **parts, **said)
        return parse_board(format_board(board))


GUESSED = frozenset({"board_size", "terrain", "edging", "model", "at", "marked_as", "staged", "puts", "lays"})
"""The predicates that a board is read from."""
_GROUND_OF = {word: kind for kind, word in TERRAIN_WORDS.items()}
_EDGE_OF = {word: kind for kind, word in EDGE_WORDS.items()}


def with_trait(figure: Figure, said: Mapping[str, Any]) -> Figure:
    """The figure with something more said of it; lists grow."""
    now = {key: (*getattr(figure, key), *value) if isinstance(value, tuple) else value for key, value in said.items()}
    return replace(figure, **now)


def hero(**said: Any) -> Figure:
    """A hero without a name."""
    return Figure(id=HERO, kind=Kind.HERO, at=_NOWHERE, facing=Facing.NORTH, **said)


def others(count: int, templates: Iterable[Figure], traits: Mapping[str, Mapping[str, Any]]) -> tuple[Slot, ...]:
    """So many further figures, any of which may be any of the templates."""
    shapes = tuple(templates)
    ids = [f"f{number}" for number in range(1, count + 1)]
    return tuple(
        Slot(id, tuple(replace(shape, id=id) for shape in shapes), traits, twin)
        for id, twin in zip(ids, [None, *ids], strict=False)
    )
