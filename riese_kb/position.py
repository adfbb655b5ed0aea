"""A board, the terms of a question, and the facts that both come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from riese_kb import tables
from riese_kb.baggage import stock
from riese_kb.board import Board, Declared, Facing, Figure, Kind, Square, System, Weapon
from riese_kb.boardweapons import weapon_values
from riese_kb.errors import MissingValue
from riese_kb.facts import DIRECTION, Ground, Name, box, fact, figure_facts, ground_of, term
from riese_kb.geometry import passes
from riese_kb.scenarios import find_scenario, parts_of
from riese_kb.store import read_toml


class Terms(Struct, frozen=True, dict=True):
    """Under which law a question is asked: chosen readings, rules switched off, and further rules (their text)."""

    readings: Mapping[str, str] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    extra: str = ""
    rules: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The further rules that ``extra`` names: title and file."""
    files: tuple[str, ...] = ()
    """The rule files that ``extra`` comes from."""
    starts: tuple[int, ...] = ()
    """The lines of ``extra``, counted from 0, on which those files begin."""
    blame: Mapping[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    """File and line where a predicate is derived for a rule id; under id "" where it is derived at all."""
    endless: tuple[str, int] | None = None
    """The first rule of those files that may have no end."""
    scenario: str = ""
    """The number of the scenario whose special rules are laid over the book's; empty: none."""
    courses: int = 20_000
    """Scenes that a zombie turn may pass through; beyond it the question is undecided."""

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Questions with the same key can share a grounding without sharing worlds."""
        return (self.extra, self.scenario)

    @cached_property
    def law(self) -> tuple[object, ...]:
        """All that makes one law differ from another, as a key."""
        return (tuple(sorted(self.readings.items())), self.without, *self.key)

    def facts(self, world: int) -> str:
        """The world itself, its switches and its readings."""
        parts = [f"world({world})."]
        parts += [fact("off", world, rule) for rule in sorted(self.without)]
        parts += [fact("chosen", world, Name(n), Name(v)) for n, v in sorted(self.readings.items())]
        return "".join(parts)

    def under(self, reading: str, value: str) -> Terms:
        """The same terms under another reading."""
        return replace(self, readings={**self.readings, reading: value})

    def compared(self, reading: str, value: str) -> Terms:
        """The same, only to see whether the answer is another one: with less patience."""
        return replace(self.under(reading, value), courses=1500)


_HEALERS = frozenset({"vampire", "cannibal"})
"""Powers that turn on the health a zombie began with."""


def _direction(label: str | None) -> int:
    """The way a marker's label says that it looks; north where it says nothing."""
    return DIRECTION[Facing(label.lower())] if label else 0


_CLOUDS = ("toxic", "gas")
"""Markers whose effect reaches beyond their square."""


class Position:
    """One board with everything about its figures as facts; shared by all questions about it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.kept: dict[object, object] = {}
        """What kinds of questions keep about this board, by keys of their own (lengths of paths)."""
        self._numbered: dict[str, tuple[int, str]] = {}

    @property
    def system(self) -> System:
        """The game."""
        return self.board.system

    def numbered(self, facts: str) -> tuple[int, str]:
        """A number for some facts in which ``@`` stands for one, and the facts with it: the same facts have the same number."""
        known = self._numbered.get(facts)
        if known is None:
            number = len(self._numbered)
            known = self._numbered[facts] = (number, facts.replace("@", str(number)))
        return known

    def facts(self, squares: frozenset[Square] | None, ids: frozenset[str] | None) -> list[str]:
        """Facts of the squares (None: all), of the figures there and of those named, and of the board as a whole."""
        return [*self.ground.part(squares), *self.people(squares, ids), self.scene]

    @cached_property
    def ground(self) -> Ground:
        """The map, square by square."""
        return ground_of(self.board)

    @cached_property
    def scene(self) -> str:
        """Facts of the board as a whole: threat, scratch tokens, darkness."""
        parts = [fact("threat", self.board.threat)] if self.board.threat else []
        parts += [fact("scratch", self.board.scratch)] if self.board.scratch is not None else []
        if self.board.darkness:
            parts.append("darkness(1).")
            parts += [fact("light", item, at, far) for item, at, far in self._lights()]
        named = [
            (tables.find_item(self.board.system, m.label) or m.label, m.at)
            for m in self.board.markers
            if m.kind == "item" and m.label
        ]
        parts += [fact("lying", item, at) for item, at in named]
        parts += [fact("marker", Name(m.kind), m.at) for m in self.board.markers if m.kind in _CLOUDS]
        parts += [fact("supplied", rule, n) for rule, n in self.board.modifiers.items()]
        parts += [fact("maxim", m.at, _direction(m.label)) for m in self.board.markers if m.kind == "maxim"]
        parts += [fact("rearguard", self.board.rearguard)] if self.board.rearguard else []
        return "".join(parts)

    def staged(self, number: str) -> str:
        """What only a scenario asks about a board: the scenario's tables, what is noted, and every marker with its label.

        ``noted("energy",5)`` for ``energy 5``; ``noted("engine started",0)`` where there is no number.
        """
        tables_of_it = find_scenario(self.board.system, number).facts
        parts = [fact(name, *row) for name, rows in tables_of_it.items() for row in rows]
        parts += [fact("noted", *parts_of(note)) for note in self.board.notes]
        parts += [fact("mark", Name(m.kind), m.label or "", m.at) for m in self.board.markers]
        return "".join(parts)

    def _lights(self) -> Iterator[tuple[str, Square, int]]:
        """Readied things that shine, flares on the map and in figures: which, where, how many squares far."""
        armoury = tables.armoury(self.board.system)
        burning = [(name, f.at) for f in self.board.figures for name in (f.weapon, f.off_hand) if name]
        burning += [("Flare", marker.at) for marker in self.board.markers if marker.kind == "flare"]
        burning += [("Flare", f.at) for f in self.board.figures if "burning" in f.status]
        for name, at in burning:
            if name in armoury and "light" in armoury[name].also:
                yield name, at, armoury[name].also["light"]

    def people(self, squares: frozenset[Square] | None, ids: frozenset[str] | None) -> list[str]:
        """Facts, figure by figure: of those named or on the squares, of those whose powers reach everywhere, and of jailers.

        Of everybody where either is None.
        """
        facts = self._figures
        if squares is None or ids is None:
            return list(facts.values())
        return [facts[f.id] for f in self.board.figures if f.at in squares or f.id in ids or f.id in self._everywhere]

    @cached_property
    def surroundings(self) -> Mapping[str, frozenset[Square]]:
        """The squares on which each figure stands and those beside them."""
        return {f.id: frozenset(box(f.at, f.at, 1)) for f in self.board.figures}

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        return frozenset(f.id for f in self.board.figures if f.locks or f.skills or self.powers(f))

    @cached_property
    def _figures(self) -> dict[str, str]:
        return {f.id: self.figure(f) for f in self.board.figures}

    def facts_of(self, id: str) -> str:
        """Facts of one figure."""
        return self._figures[id]

    def figure(self, figure: Figure) -> str:
        """Facts of one figure, printed values included."""
        parts = [figure_facts(figure, self.powers(figure))]
        add = parts.append
        id = figure.id
        if figure.kind is Kind.ZOMBIE:
            kind = tables.zombie_types(self.board.system)[figure.type or "beta"]
            add(fact("move_value", id, kind.move) + fact("kin", id, kind.id) + fact("category", id, kind.category))
            if not _HEALERS.isdisjoint(self.powers(figure)):
                add(fact("whole", id, kind.health))
        health = self.health(figure)
        if health is not None:
            add(fact("health", id, health))
        if figure.kind is Kind.NPC:
            person = self.person(figure)
            full = person.health if person else tables.default_health(self.board.system, Kind.NPC)
            add(fact("full_health", id, full) if full is not None else "")
            add(fact("called", id, figure.name) if figure.name is not None else "")
        if figure.kind is Kind.HERO:
            add(fact("ammo", id, 3 if figure.ammo is None else figure.ammo))
            add(fact("fuel", id, figure.fuel) if figure.fuel is not None else "")
            if figure.mp is not None:
                add("".join(fact("own_mp", id, Name(mode), figure.mp) for mode in movement_points(self.system)))
            add(fact("rescued", id, figure.rescued) if figure.rescued else "")
            add(fact("fatigue", id, figure.fatigue) if figure.fatigue else "")
            person = self.person(figure)
            add("".join(fact("readied", id, name) for name in (figure.weapon, figure.off_hand) if name))
            if figure.name is not None:
                add(fact("called", id, figure.name))
            if person is not None:
                add(fact("full_health", id, person.health))
                if person.rank is tables.Rank.TROOPER:
                    add(fact("trooper", id))
                for whom, values in (("zombie", person.h2h_zombie), ("human", person.h2h_human)):
                    if values is not None:
                        add(fact("own_h2h", id, Name(whom), *values))
                for mode, points in (("walking", person.walking), ("running", person.running)):
                    if points is not None and figure.mp is None:
                        add(fact("own_mp", id, Name(mode), points))
            if figure.skills or figure.used:
                add(self._skills(figure))
            for thing, count in sorted(stock(figure).items()):
                add(fact("carries", id, thing) + fact("stock", id, thing, count))
        return "".join(parts)

    def _skills(self, figure: Figure) -> str:
        """Facts of a hero's skills, with what the tables say of them, and of those used on him."""
        system = self.board.system
        parts = []
        for name in figure.skills:
            id = tables.skill_id(system, name, figure.name)
            parts.append(fact("skill", figure.id, id))
            for key, value in tables.skill_values(system).get(id, {}).items():
                if isinstance(value, int):
                    parts.append(fact("worth", id, Name(key), int(value)))  # a mark counts as one
                elif key == "weapons":
                    weapons = value.get(figure.name, ()) if isinstance(value, dict) else value
                    parts += [fact("favours", figure.id, id, weapon) for weapon in weapons]
        parts += [fact("spent", figure.id, tables.skill_id(system, name, figure.name)) for name in figure.used]
        if figure.weapon and figure.off_hand:
            parts.append(fact("both_hands", figure.id))
        return "".join(parts)

    @cached_property
    def skilled(self) -> bool:
        """Whether any hero on the board has skills."""
        return any(f.skills for f in self.board.figures)

    def powers(self, figure: Figure) -> tuple[str, ...]:
        """The power ids of a zombie: those of its type and its own."""
        if figure.kind is not Kind.ZOMBIE:
            return ()
        return (*tables.zombie_types(self.board.system)[figure.type or "beta"].powers, *figure.powers)

    def person(self, figure: Figure) -> tables.Person | None:
        """What the book prints about a named hero or NPC."""
        if figure.name is None:
            return None
        known = tables.characters(self.board.system) if figure.kind is Kind.HERO else tables.npcs(self.board.system)
        return known.get(figure.name)

    def health(self, figure: Figure) -> int | None:
        """The health of a figure: as the board says, else as printed; None where nothing is printed (civilians)."""
        if figure.health is not None:
            return figure.health
        if figure.kind is Kind.ZOMBIE:
            return tables.zombie_types(self.board.system)[figure.type or "beta"].health
        person = self.person(figure)
        if person is not None:
            return person.health
        return tables.default_health(self.board.system, figure.kind)

    def declared(self, figure: Figure, said: Declared | None) -> Declared:
        """What a hero declares: as the question says, else as the board says, else walking."""
        return said or figure.declared or Declared.WALKING

    def points(self, figure: Figure, declared: Declared) -> int:
        """A hero's movement points in a mode before anything changes them: as the board says, else as printed."""
        printed = movement_points(self.board.system).get(declared, 0)
        if figure.mp is not None:
            return figure.mp if printed else 0
        person = self.person(figure)
        own = {"walking": person.walking, "running": person.running} if person else {}
        return own.get(declared) or printed

    def most_points(self, figure: Figure, declared: Declared) -> int:
        """An upper bound of the movement points. Sizes the window of a search."""
        return self.points(figure, declared) + self._won_points(figure)

    def _won_points(self, figure: Figure) -> int:
        """An upper bound of the movement points that the hero's own skills add, and Blitz."""
        ids = [tables.skill_id(self.board.system, name, figure.name) for name in figure.skills]
        rows = [tables.skill_values(self.board.system).get(id, {}) for id in ids]
        drug = _limit(self.board.system, "blitz.points") if "blitz" in figure.status else 0
        skills: int = sum(
            row.get("mp", 0) + max(0, row.get("walking", 0) - movement_points(self.board.system)["walking"]) for row in rows
        )
        return drug + skills

    def most_moves(self, zombie: Figure) -> int:
        """An upper bound of a zombie's moves: its printed ones, those that powers give, and those of threat. Sizes a window."""
        system = self.board.system
        numbers = [tables.zombie_types(system)[zombie.type or "beta"].move, _limit(system, "revealing.move")]
        if any("leader-of-the-pack" in self.powers(f) for f in self.board.figures):
            numbers.append(_limit(system, "leader.to"))
        return max(numbers) + (_threat(system, "threat.undead-aggression") if self.board.threat else 0)

    def weapon(self, name: str) -> Weapon:
        """A weapon's card as the board and the book give it."""
        card = weapon_values(self.board, name)
        if card.rm == "H" and card.h2h_stun is None and card.h2h_wound is None:
            card = replace(card, h2h_stun=card.stun, h2h_wound=card.wound)  # its only values are those for hand to hand
        if (card.h2h_stun is None) != (card.h2h_wound is None):
            missing = "h2h_stun" if card.h2h_stun is None else "h2h_wound"
            raise MissingValue(
                f"{name} has only one value for hand to hand", fix=f'add to [[weapon]] name = "{name}": {missing} = …'
            )
        return card


def barricade_health(system: str) -> int:
    """The printed health of a barricade (BARRICADES)."""
    return _limit(system, "barricade.health")


def maw_wounds(system: str) -> int:
    """The wounds that MAW deals to whom it holds (Appendix 2)."""
    return _limit(system, "maw.wounds")


def bound(system: str) -> int:
    """The squares that Max moves after an attack (MAX THE DOG). Sizes a window."""
    return _limit(system, "max.bound")


def throwing_range(system: str) -> int:
    """How far things are thrown at most (THROWN EXPLOSIVE ATTACK). Sizes a window."""
    return _limit(system, "throw.range")


def npc_moves(system: str) -> int:
    """The moves that an NPC has unless it is wounded (NPC MOVEMENT)."""
    return _limit(system, "npc.move")


@cache
def _limit(system: str, name: str) -> int:
    number: int = read_toml(f"{tables.data_root()}/rules/{system}/modifiers.toml")["limit"].get(name, 0)  # 0: not in this game
    return number


@cache
def _threat(system: str, rule: str) -> int:
    _, amount = read_toml(f"{tables.data_root()}/rules/{system}/modifiers.toml")["threat"][rule]
    return int(amount)


@cache
def movement_points(system: str) -> Mapping[str, int]:
    """The printed movement points by mode (HERO ACTIVATION)."""
    points: dict[str, int] = read_toml(f"{tables.data_root()}/rules/{system}/movement_table.toml")["base_mp"]
    return points


@lru_cache(maxsize=16384)
def line_facts(start: Square, end: Square) -> str:
    """The geometry of one line (see line_of_fire.lp)."""
    parts = []
    ends = f"{term(start)},{term(end)}"
    line = passes(start, end)
    for index, step in enumerate(line):
        between = 2 * index + 1
        here, there = term(step.here), term(step.there)
        if step.left is None or step.right is None:
            parts.append(f"crosses_edge({ends},{between},{here},{there}).")
        else:
            parts.append(f"meets({ends},{between},{here},{there},{term(step.left)},{term(step.right)}).")
        if index < len(line) - 1:
            parts.append(f"crosses({ends},{between + 1},{there}).")
    return "".join(parts)


@lru_cache(maxsize=16384)
def line_squares(start: Square, end: Square) -> frozenset[Square]:
    """Every square that the facts of a line speak of."""
    squares = {start, end}
    for step in passes(start, end):
        squares.update((step.here, step.there))
        squares.update(s for s in (step.left, step.right) if s is not None)
    return frozenset(squares)
