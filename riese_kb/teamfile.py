"""Team files: ``NAME.team.toml`` read into a ``Team``, and a ``Team`` written as such a file (docs/teams.md).

A team file is read like a board file, by the same readers: a wrong one is refused with file, line and the nearest spelling.
"""

from __future__ import annotations

import os

from riese_kb import tables
from riese_kb.board import MAIN, Kind
from riese_kb.boardfigures import FigureReader
from riese_kb.boardfile import line_of, open_board, read_text, read_toml_text, squares, system_of, tables_of, weapon_lines
from riese_kb.boardmap import Grid
from riese_kb.boardsource import Source, Table, shown
from riese_kb.boardweapons import read_weapons
from riese_kb.errors import BoardError
from riese_kb.rings import RingBoard
from riese_kb.tables import Rank
from riese_kb.team import Adjustment, Aside, Difficulty, Member, Outcome, Scenario, Sheet, Team
from riese_kb.teamtables import highest_threat, places

_TOP = (
    "system",
    "title",
    "difficulty",
    "threat",
    "last",
    "result",
    "playing",
    "replays",
    "replayed",
    "done",
    "cull",
    "raid",
    "loot",
    "hero",
    "weapon",
    "scenario",
)
_HERO = (
    "id",
    "name",
    "health",
    "xp",
    "skills",
    "weapon",
    "off_hand",
    "gear",
    "ammo",
    "grenades",
    "medkits",
    "healed",
    "stayed",
    "laid",
)
_SCENARIO = ("number", "name", "characters", "troopers", "heroes", "threat", "next", "bars_reduction", "adjust")
_BOARD = ("map", "figure", "marker", "round", "darkness")
_REDUCTIONS = (Aside.CULL, Aside.RAID, Aside.LOOT)
_MOST_XP = 9999
_MOST_PLAYED = 99


def is_team(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a team file by its name."""
    return os.fspath(path).endswith(".team.toml")


def load_sheet(path: str | os.PathLike[str]) -> Sheet:
    """Read a board or a team file, by its name. Raises BoardError."""
    text, name = read_text(path)
    return parse_team(text, name) if is_team(path) else _parse_board(text, name)


def parse_sheet(text: str, file: str) -> Sheet:
    """The same for the text of a file."""
    return parse_team(text, file) if is_team(file) else _parse_board(text, file)


def _parse_board(text: str, file: str) -> Sheet:
    """A board of squares or of rings, as its game has it."""
    top, system = open_board(text, file)
    if system.on_rings:
        from riese_kb.ringfile import read_rings

        return read_rings(top, file, system)
    return squares(top, system, file)


def parse_team(text: str, file: str | None = None) -> Team:
    """Read the text of a team file; ``file`` is only named in errors. Raises BoardError."""
    top = Table(Source(text, file), read_toml_text(text, file))
    top.called = "the team"
    if not top.data:
        raise BoardError("the team is empty", fix=f'begin with system = "{MAIN}" and a [[hero]]', file=file)
    for key in _BOARD:
        if key in top.data:
            fix = f"{key} belongs to boards: name the file NAME.board.toml, or take it out"
            raise top.error(f"this is a team file, and it has a {key}", fix, key)
    if "system" not in top.data:
        top.only(_TOP)
    system = system_of(top)
    if system.on_rings:
        raise top.error("there are no team files for this game", "write a NAME.board.toml with rings", "system")
    top.only(_TOP)
    weapons = read_weapons(system, tables_of(top, "weapon"))
    members: list[Member] = []
    for table in tables_of(top, "hero"):
        members.append(_Reader(system, Grid(1, 1), weapons, table).member(members))
    _fits(top, members)
    return Team(
        system=system,
        title=top.text("title"),
        difficulty=top.choice("difficulty", {d.value: d for d in Difficulty}) or Difficulty.REGULAR,
        threat=top.number_in("threat", 0, highest_threat(system)) or 0,
        last=_number(top, "last"),
        result=top.choice("result", {o.value: o for o in Outcome}) or Outcome.WON,
        playing=_number(top, "playing"),
        replays=top.number_in("replays", 0, _MOST_PLAYED) or 0,
        replayed=top.number_in("replayed", 0, _MOST_PLAYED) or 0,
        done=top.choice("done", {a.value: a for a in Aside}),
        tally={a: n for a in _REDUCTIONS if (n := top.number_in(a.value, 0, _MOST_PLAYED))},
        weapons=weapons,
        members=tuple(members),
        scenarios=_scenarios(top),
        file=file,
    )


def _fits(top: Table, members: list[Member]) -> None:
    """Refuse more heroes than the record sheet has places for, and a character twice."""
    if not members:
        raise top.error("the team has no heroes", 'add one: [[hero]] with id = "kelley" and name = "Kelley"')
    known = tables.characters(MAIN)
    counts = {rank: [m for m in members if known[m.name].rank is rank] for rank in (Rank.CHARACTER, Rank.TROOPER)}
    for (rank, found), most in zip(counts.items(), places(MAIN), strict=True):
        if len(found) > most:
            what = f"the team has {len(found)} {rank}s, and its sheet has places for {most}"
            raise top.source.error(what, "whoever finds no place leaves after the scenario", "hero", members.index(found[most]))


class _Reader(FigureReader):
    """Reads one ``[[hero]]`` of a team."""

    __slots__ = ()

    def member(self, others: list[Member]) -> Member:
        """The hero of this table; ``others`` are those before."""
        table = self.table
        id = self._id()
        table.called = f"hero {shown(id)}"
        if any(other.id.casefold() == id.casefold() for other in others):
            raise table.error(f"two heroes have the id {shown(id)}", "each hero needs its own, whatever its case", "id")
        table.only(_HERO)
        table.need("name", 'name = "Kelley", or "Trooper" for one without a name')
        name = self._name(Kind.HERO) or ""
        if name != "Trooper" and any(other.name == name for other in others):
            raise table.error(f"two heroes are {name}", "each has one place on the sheet", "name")
        full = tables.characters(self.system)[name].health
        health = table.number_in("health", 0, full)
        gear = tuple(self._gear(word) for word in table.texts("gear"))
        return Member(
            id=id,
            name=name,
            health=full if health is None else health,
            xp=table.number_in("xp", 0, _MOST_XP) or 0,
            skills=self._skills("skills", name),
            weapon=self._weapon("weapon"),
            off_hand=self._weapon("off_hand"),
            gear=gear,
            ammo=self._supply("Ammo", gear) or 0,
            grenades=self._supply("Grenade", gear) or 0,
            medkits=self._supply("Medkit", gear) or 0,
            healed=table.flag("healed") or False,
            stayed=table.flag("stayed") or False,
            laid=table.flag("laid") or False,
        )


def _number(table: Table, key: str) -> str | None:
    """The number of a scenario, which may have a letter and may be written without quotes."""
    value = table.data.get(key)
    if type(value) is int and 0 < value < 1000:
        return str(value)
    word = table.text(key, 10)
    if word is not None and not word.isalnum():
        raise table.error(f"{key} of {table.called} is {shown(word)}", 'scenarios are numbered like "17" or "1A"', key)
    return None if word is None else word.upper()


def _scenarios(top: Table) -> tuple[Scenario, ...]:
    found: dict[str, Scenario] = {}
    for table in tables_of(top, "scenario"):
        table.only(_SCENARIO)
        table.need("number", 'number = "18"')
        number = _number(table, "number") or ""
        table.called = f"scenario {number}"
        if number in found:
            raise table.error(f"scenario {number} is given twice", "write it into one [[scenario]]", "number")
        found[number] = Scenario(
            number=number,
            name=table.text("name"),
            characters=table.number_in("characters", 0, 20),
            troopers=table.number_in("troopers", 0, 20),
            heroes=table.number_in("heroes", 1, 20),
            threat=table.number_in("threat", -20, 20),
            next=tuple(word.upper() for word in table.texts("next")),
            bars_reduction=table.flag("bars_reduction") or False,
            adjust=_adjustments(table),
        )
    return tuple(found.values())


def _adjustments(table: Table) -> tuple[Adjustment, ...]:
    value = table.data.get("adjust", [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise table.error(f"adjust of {table.called} is {shown(value)}", 'write adjust = [{ deed = "…", threat = -1 }]', "adjust")
    found = []
    for entry in value:
        inner = Table(table.source, entry, table.name, table.number)
        inner.called = f"adjust of {table.called}"
        inner.only(("deed", "threat", "once"))
        inner.need("deed", 'deed = "prisoner rescued"')
        inner.need("threat", "threat = -1")
        deed = inner.text("deed") or ""
        if not tables.loose(deed):
            raise inner.error(f"deed of {inner.called} is {shown(deed)}", "say what must have happened", "adjust")
        change = inner.number_in("threat", -20, 20) or 0
        found.append(Adjustment(deed=deed, threat=change, once=inner.flag("once") or False))
    return tuple(found)


# --- writing --------------------------------------------------------------------------------------------------------


def format_team(team: Team) -> str:
    """The team as the text of a team file, normalised: keys in one order, canonical names, nothing that is default."""
    top: dict[str, object] = {
        "title": team.title,
        "difficulty": team.difficulty.value if team.difficulty is not Difficulty.REGULAR else None,
        "threat": team.threat or None,
        "last": team.last,
        "result": team.result.value if team.result is not Outcome.WON else None,
        "playing": team.playing,
        "replays": team.replays or None,
        "replayed": team.replayed or None,
        "done": None if team.done is None else team.done.value,
    }
    top |= {aside.value: team.tally.get(aside) for aside in _REDUCTIONS}
    lines = [line_of("system", team.system.value), *_stated(top)]
    for member in team.members:
        full = tables.characters(team.system)[member.name].health
        said: dict[str, object] = {key: getattr(member, key) for key in _HERO}
        said = {key: value for key, value in said.items() if not (value is False or (value == 0 and key != "health"))}
        if member.health == full:
            del said["health"]
        lines += ["", "[[hero]]", *_stated(said)]
    lines += [line for weapon in team.weapons for line in weapon_lines(weapon)]
    for scenario in team.scenarios:
        keys = {key: getattr(scenario, key) for key in _SCENARIO if key != "adjust"}
        lines += ["", "[[scenario]]", *_stated({k: v for k, v in keys.items() if v is not False})]
        if scenario.adjust:
            lines += ["adjust = [", *(f"    {_adjustment_text(a)}," for a in scenario.adjust), "]"]
    return "\n".join(lines) + "\n"


def _stated(values: dict[str, object]) -> list[str]:
    return [line_of(key, value) for key, value in values.items() if value is not None and value != ()]


def _adjustment_text(adjustment: Adjustment) -> str:
    parts = [line_of("deed", adjustment.deed), line_of("threat", adjustment.threat)]
    return "{ " + ", ".join(parts + (["once = true"] if adjustment.once else [])) + " }"


def format_sheet(sheet: Sheet) -> str:
    """The text of a board or a team file in its normal form."""
    from riese_kb.boardfile import format_board

    if isinstance(sheet, RingBoard):
        from riese_kb.ringfile import format_rings

        return format_rings(sheet)
    return format_team(sheet) if isinstance(sheet, Team) else format_board(sheet)
