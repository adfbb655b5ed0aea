"""A ring board as facts: what a position is for a board of squares."""

from __future__ import annotations

from functools import cached_property

from riese_kb import ringtables
from riese_kb.board import Square, System
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.rings import OFF, Character, GearType, Piece, Property, RingBoard, RingKind, Token
from riese_kb.tables import loose

ORDINARY = Piece(name="", type=GearType.PISTOL)
"""The weapon of whoever has no ``gear`` on the board: it changes nothing."""

RANGED = (GearType.PISTOL, GearType.AUTOMATIC, GearType.HEAVY)


class RingStand:
    """One ring board with everything about it as facts; shared by all questions about it."""

    def __init__(self, board: RingBoard) -> None:
        self.board = board

    @property
    def system(self) -> System:
        """The game."""
        return self.board.system

    def facts(self, squares: frozenset[Square] | None, ids: frozenset[str] | None) -> list[str]:
        """All facts; clingo takes a board of rings as a whole."""
        return self._facts

    @cached_property
    def _facts(self) -> list[str]:
        board = self.board
        parts = []
        for ring in board.rings:
            parts += [fact("ring", ring.id, Name(ring.kind))]
            parts += [fact("colour", ring.id, colour) for colour in ring.paths]
            parts += [fact("next", ring.id, other) for other in ring.next]
            parts += [fact("symbol", ring.id, Name(p), n, "ring") for p, n in ring.modifiers.items()]
            parts += [fact("entry_of", ring.id, Name(ring.side))] if ring.side is not None else []
        for number, marker in enumerate(board.markers):
            parts += [fact("marker", Name(marker.kind), marker.at)]
            parts += [fact("symbol", marker.at, Name(p), n, f"{marker.kind} {number + 1}") for p, n in marker.modifiers.items()]
            if marker.kind == "flag" and marker.side is not None:
                parts += [fact("flag", Name(marker.side), marker.at)]
        parts += [fact("mode", Name(board.mode))] if board.mode is not None else []
        parts += [fact("round", board.round)]
        parts += [fact("turn_of", Name(board.turn))] if board.turn is not None else []
        for score in board.scores:
            counts = ("points", "primary", "secondary", "flags", "fallen")
            parts += [fact("score", Name(score.name), Name(key), getattr(score, key)) for key in counts]
        return [*parts, *(text for figure in board.figures for text in self._figure(figure))]

    def _figure(self, figure: Token) -> list[str]:
        parts = [fact("figure", figure.id, Name(figure.rank)), fact("side", figure.id, Name(figure.side))]
        parts += [fact("off_board", figure.id)] if figure.at == OFF else [fact("at", figure.id, figure.at)]
        parts += [fact("row", figure.id, 1 + figure.wounds)]
        parts += [fact(key, figure.id) for key in ("played", "acted") if getattr(figure, key)]
        parts += [fact("moved", figure.id, figure.moved)] if figure.moved else []
        for p in Property:
            for row, n in self._column(figure, p).items():
                parts.append(fact("value", figure.id, Name(p), row, n))
            if (low := self.lowest(figure, p)) is not None:
                parts.append(fact("lowest", figure.id, Name(p), low))
            if (high := self.highest(figure, p)) is not None:
                parts.append(fact("highest", figure.id, Name(p), high))
        parts += [fact("ordinary", figure.id)] if figure.gear is None else []
        for place, name in enumerate(figure.gear or (), 1):
            parts.append(fact("gear", figure.id, name, Name(self.piece(name).type.replace("-", "_")), place))
        return parts

    # --- characters and their values ---

    def character(self, figure: Token) -> Character | None:
        """The character that a figure is, from the board's ``[[character]]`` tables or the book."""
        if figure.name is None:
            return None
        own = next((c for c in self.board.characters if loose(c.name) == loose(figure.name or "")), None)
        return own or ringtables.characters(self.system).get(figure.name)

    def _column(self, figure: Token, property: Property) -> dict[int, int]:
        person = self.character(figure)
        rows = figure.values or (person.rows if person is not None else ())
        place = list(Property).index(property)
        return {number: n for number, row in enumerate(rows, 1) if (n := row[place]) is not None}

    def lowest(self, figure: Token, property: Property) -> int | None:
        """The lowest value over all rows, where the text or the board tells it."""
        person = self.character(figure)
        column = self._column(figure, property)
        if figure.values or (person is not None and person.supplied):
            return min(column.values(), default=None)
        if person is None:
            return None
        whole = person.levels is not None and len(column) == person.levels
        return person.lowest.get(property, min(column.values()) if whole else None)

    def highest(self, figure: Token, property: Property) -> int | None:
        """The highest value over all rows, where the text or the board tells every row."""
        person = self.character(figure)
        column = self._column(figure, property)
        supplied = bool(figure.values) or (person is not None and person.supplied)
        whole = supplied or (person is not None and person.levels is not None and len(column) == person.levels)
        return max(column.values(), default=None) if whole else None

    def need(self, figure: Token, property: Property, how: str) -> None:
        """Raise ``MissingValue`` where neither the text nor the board knows the value that a question needs.

        ``how`` says which one: that of the current or of the first row, or the lowest or highest of all rows.
        """
        row = 1 if how == "first" else 1 + figure.wounds
        known = {"lowest": self.lowest, "highest": self.highest}
        if (how in known and known[how](figure, property) is not None) or (
            how not in known and row in self._column(figure, property)
        ):
            return
        which = f"{how} {property} value" if how in known else f"{property} value in row {row}"
        person = figure.name or figure.id
        page = ringtables.missing_pages(self.system)["values"]
        what = f"the text of the book does not give the {which} of {person} ({figure.id}): it stands on {page}"
        raise MissingValue(what, fix=f'add values = [[…], …] to figure "{figure.id}", or a [[character]]')

    def supplied(self, figure: Token) -> tuple[str, ...]:
        """The character whose values the board gave in a table of its own."""
        person = self.character(figure)
        return (person.name,) if person is not None and person.supplied and not figure.values else ()

    # --- equipment ---

    def piece(self, name: str) -> Piece:
        """A piece of equipment, from the board's ``[[weapon]]`` tables or the book."""
        own = next((piece for piece in self.board.pieces if loose(piece.name) == loose(name)), None)
        return own or ringtables.pieces(self.system)[name]

    def ranged(self, figure: Token) -> list[Piece]:
        """What the figure can shoot with, in the order of its gear."""
        if figure.gear is None:
            return [ORDINARY]
        return [piece for name in figure.gear if (piece := self.piece(name)).type in RANGED]

    def blades(self, figure: Token) -> list[Piece]:
        """Its close combat weapons."""
        return [piece for name in figure.gear or () if (piece := self.piece(name)).type is GearType.CLOSE_COMBAT]

    def enemies(self, figure: Token) -> list[Token]:
        """The other team's figures on the board, in the order of the file."""
        return [other for other in self.board.figures if other.side is not figure.side and other.at != OFF]

    def is_black(self, ring: str) -> bool:
        """Whether a ring is an objective or action ring."""
        found = self.board.ring(ring)
        return found is not None and found.kind in (RingKind.OBJECTIVE, RingKind.ACTION)
