"""The names in a question against a board: figures, squares, weapons and items."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from riese_kb.board import Board, Declared, Facing, Figure, Kind, Square, Terrain, parse_square, square_name
from riese_kb.errors import QuestionError, did_you_mean, nearest
from riese_kb.language.teamnames import team_about
from riese_kb.question import (
    About,
    Action,
    Attack,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Exit,
    Initiative,
    Lof,
    MaxRange,
    MayCarry,
    Npc,
    NpcTurn,
    Place,
    Question,
    Reach,
    RingAbout,
    Round,
    SearchPlace,
    Spawn,
    Step,
    Targets,
    TeamAbout,
    Throw,
    WhatGives,
    WhatLets,
    Zombie,
    ZombieTurn,
)
from riese_kb.rings import RingBoard
from riese_kb.team import Sheet, Team

_STEPS = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}


_HERE = "can ID walk to D7, lof ID to ID, reach, targets, attack …"


def resolve(question: Question, sheet: Sheet) -> Question:
    """The question about a board or a team with every name checked and made canonical.

    Figures must stand on the board, and heroes' questions must name heroes, zombies' questions zombies; a line of fire
    may join any figures or squares (an id of the board is never read as a square), an attack may be on anybody. Squares
    must belong to the map. Weapons and items get the name of the board's own ``[[weapon]]`` or of the book.

    Raises ``QuestionError`` with the nearest name that there is, and ``RulesError`` for a system without tables.
    """
    if isinstance(sheet, RingBoard):
        from riese_kb.language.ringnames import ring_about

        about = ring_about(question.about, sheet)
        return question if about == question.about else replace(question, about=about)
    about = team_about(question.about, sheet) if isinstance(sheet, Team) else _about(question.about, sheet)
    return question if about == question.about else replace(question, about=about)


def _about(about: About, board: Board) -> About:
    if getattr(about, "declared", None) is Declared.REACTION:
        _check_reaction(about, board)
    if getattr(about, "counter", False):
        raise QuestionError(_ON_RINGS.format("counterattacks are made"), fix="attack ID on ID")
    if getattr(about, "points", 0):
        raise QuestionError(_ON_RINGS.format("victory points are spent"), fix="leave them out")
    match about:
        case Can(figure, _, actions):
            _of_kind(figure, Kind.HERO, board)
            return replace(about, actions=tuple(_action(action, board) for action in actions))
        case CanTo(figure, _, to):
            _of_kind(figure, Kind.HERO, board)
            _check_exit(to, board) if isinstance(to, Exit) else _check_square(to, board)
        case Lof(start, end):
            return Lof(_place(start, board), _place(end, board))
        case Attack(figure, target, weapon):
            _of_kind(figure, Kind.HERO, board)
            about = replace(about, target=_target(target, board))
            return about if weapon is None else replace(about, weapon=_weapon(weapon, board))
        case WhatGives():
            return replace(about, weapon=_weapon(about.weapon, board))
        case WhatLets(figure, target, weapon=weapon) | MaxRange(figure, target, weapon=weapon):
            _of_kind(figure, Kind.HERO, board)
            _enemy(target, figure, board)
            return about if weapon is None else replace(about, weapon=_weapon(weapon, board))
        case Throw(figure, item, at):
            _of_kind(figure, Kind.HERO, board)
            _check_square(at, board)
            return replace(about, item=_item(item, board))
        case Blast(at, weapon, figure):
            _check_square(at, board)
            if figure is not None:
                _of_kind(figure, Kind.HERO, board)
            return replace(about, weapon=_weapon(weapon, board))
        case SearchPlace(place, figure, chart):
            if figure is not None:
                _of_kind(figure, Kind.HERO, board)
            return replace(about, place=_searchable(place, board), chart=None if chart is None else _chart(chart, board))
        case MayCarry(figure, items):
            _of_kind(figure, Kind.HERO, board)
            return replace(about, items=tuple(_item(item, board) for item in items))
        case Reach(figure) | Targets(figure) | BreakLock(figure):
            _of_kind(figure, Kind.HERO, board)
        case Zombie(figure):
            _of_kind(figure, Kind.ZOMBIE, board)
        case Spawn(label, kind):
            return Spawn(_spawn_label(label, board), None if kind is None else _zombie_type(kind, board))
        case ZombieTurn() | NpcTurn() | Initiative() | Round():
            pass
        case Npc(figure, to):
            _of_kind(figure, Kind.NPC, board)
            if to is not None:
                _check_exit(to, board) if isinstance(to, Exit) else _check_square(to, board)
        case _ if isinstance(about, RingAbout):
            raise QuestionError("this question is about a board of rings, and this board has squares", fix=f"here: {_HERE}")
        case _ if isinstance(about, TeamAbout):
            raise QuestionError("this question is about a team, and this file is a board", fix="ask it of a NAME.team.toml")
    return about


_ON_RINGS = "{} on boards of rings, and this board has squares"


def _check_reaction(about: About, board: Board) -> None:
    """A reaction is a move, and not every game has it."""
    if board.system.lacks(Declared.REACTION):
        raise QuestionError(f"{board.system.called} has no reaction moves", fix="walk, run, stay or special")
    if not isinstance(about, Can):
        raise QuestionError("a reaction is a move of one square", fix="can ID react forward, turn left")


# --- spawn locations ------------------------------------------------------------------------------------------------

SPAWNING = ("spawn", "objective")
"""The kinds of markers at which a zombie can appear."""


def _spawn_label(label: str | None, board: Board) -> str | None:
    """The label of a spawn or objective marker as the board writes it; None for what the round track shows."""
    if label is None:
        if not board.track:
            raise QuestionError("the board has no round track to tell what spawns", fix='track = ["", "S1"], or ask: spawn S1')
        return None
    labels = list(dict.fromkeys(m.label for m in board.markers if m.kind in SPAWNING and m.label))
    for known in labels:
        if known.casefold() == label.casefold():
            return known
    hint = did_you_mean(label, labels) if labels else 'add [[marker]] kind = "spawn", at = "…", label = "…"'
    raise QuestionError(f'there is no spawn or objective marker "{label}" on the board', fix=hint)


def _zombie_type(spelling: str, board: Board) -> str:
    """The id of a zombie type."""
    from riese_kb.tables import find_zombie_type, zombie_types

    found = find_zombie_type(board.system, spelling)
    if found is None:
        raise QuestionError(f'there is no zombie type "{spelling}"', fix=did_you_mean(spelling, zombie_types(board.system)))
    return found


# --- figures and squares --------------------------------------------------------------------------------------------


def _figure(id: str, board: Board) -> Figure:
    figure = board.figure(id)
    if figure is None:
        raise QuestionError(f'there is no figure "{id}" on the board', fix=_figures_like(id, board.figures))
    return figure


def _target(id: str, board: Board) -> str:
    """Whom or what an attack is made on: a figure, or a barricade by its label or square."""
    barricades = [marker for marker in board.markers if marker.kind == "barricade"]
    if board.figure(id) is None:
        for marker in barricades:
            if id.casefold() in ((marker.label or "").casefold(), square_name(marker.at).casefold()):
                return square_name(marker.at)
    return _figure(id, board).id


def _figures_like(id: str, figures: Iterable[Figure]) -> str:
    ids = [figure.id for figure in figures]
    close = nearest(id, ids)
    known = "known figures: " + (", ".join(ids[:12]) or "none") + (", …" if len(ids) > 12 else "")
    return f"did you mean {close[0]}? {known}" if close else known


def _of_kind(id: str, kind: Kind, board: Board) -> None:
    figure = _figure(id, board)
    # What stands there for a figure without health is for the rules to say; kinds/fallen.py asks again.
    if figure.kind is not kind and figure.health != 0:
        others = [other.id for other in board.figures if other.kind is kind]
        plural = "heroes" if kind is Kind.HERO else f"{kind}s"
        raise QuestionError(
            f"{id} is a {figure.kind}, and this question is about a {kind}",
            fix=f"{plural} on the board: {', '.join(others[:12]) or 'none'}",
        )


def _enemy(id: str, hero: str, board: Board) -> None:
    """Refuse a question about shooting at somebody whom no hero attacks, and name the closest whom one may."""
    if _figure(id, board).kind in (Kind.ZOMBIE, Kind.NPC):
        return
    x, y = _figure(hero, board).at
    enemies = [f for f in board.figures if f.kind in (Kind.ZOMBIE, Kind.NPC)]
    closest = min(enemies, key=lambda f: abs(f.at[0] - x) + abs(f.at[1] - y), default=None)
    raise QuestionError(
        f"{id} is no enemy of {hero}",
        fix=f"the closest enemy is {closest.id}" if closest is not None else "there is no enemy on the board",
    )


def _place(place: Place, board: Board) -> Place:
    if isinstance(place, str):
        if board.figure(place) is not None:
            return place
        square = parse_square(place)
        if square is None:
            _figure(place, board)
            raise AssertionError(place)
        place = square
    _check_square(place, board)
    return place


def _check_square(square: Square, board: Board) -> None:
    column, row = square
    if not (1 <= column <= board.width and 1 <= row <= board.height):
        corner = square_name((board.width, board.height))
        raise QuestionError(f"square {square_name(square)} is off the map", fix=f"its squares are A1 to {corner}")
    if board.terrain.get(square, Terrain.VOID) is Terrain.VOID:
        raise QuestionError(f"square {square_name(square)} is blank on this map and no part of it")


def _check_exit(way: Exit, board: Board) -> None:
    _check_square(way.square, board)
    (column, row), (right, down) = way.square, _STEPS[way.side]
    if board.terrain.get((column + right, row + down), Terrain.VOID) is not Terrain.VOID:
        name = square_name(way.square)
        raise QuestionError(
            f"the map goes on {way.side} of {name}, so that no exit is there",
            fix=f"a side means the way off the map; without one: to {name}",
        )


# --- weapons and items ----------------------------------------------------------------------------------------------


def _action(action: Action, board: Board) -> Action:
    if action.to is not None:
        _figure(action.to, board)
    if action.step is Step.RESCUE and action.to is not None:
        _captive(action.to, board)
    if action.at is not None:
        _check_square(action.at, board)
    if board.system.lacks(action.step):
        raise QuestionError(f"{board.system.called} knows no action “{action.step}”", fix=board.system.where_else(action.step))
    if action.place is not None:
        kinds = ("objective", "mark") if action.step is Step.OPERATE else ("objective", "cabinet")
        return replace(action, place=_marked(action.place, board, kinds))
    if action.item is None:
        return action
    named = _weapon if action.step is Step.SWITCH else _item
    action = replace(action, item=named(action.item, board))
    if action.step is Step.TAKE and action.item != "Blitz":
        raise QuestionError(f"{action.item} is nothing to take", fix="take Blitz; what lies about is picked up: pick up …")
    return action


def _captive(id: str, board: Board) -> None:
    """Those who can be rescued are neither heroes nor zombies."""
    if _figure(id, board).kind in (Kind.HERO, Kind.ZOMBIE):
        others = [figure.id for figure in board.figures if figure.kind in (Kind.CIVILIAN, Kind.NPC)]
        raise QuestionError(f"{id} cannot be rescued", fix=f"civilians and NPCs on the board: {', '.join(others[:12]) or 'none'}")


def _item(spelling: str, board: Board) -> str:
    """The canonical name of whatever can be carried. Names of the board's own come before those of the book."""
    from riese_kb.tables import armoury, find_item, loose

    own = [weapon.name for weapon in board.weapons]
    own += [name for figure in board.figures for name in figure.gear]
    own += [
        find_item(board.system, marker.label) or marker.label
        for marker in board.markers
        if marker.kind in ("item", "lock") and marker.label
    ]
    for name in own:
        if loose(name) == loose(spelling) != "":
            return name
    found = find_item(board.system, spelling)
    if found is None:
        hint = did_you_mean(spelling, [*own, *armoury(board.system)])
        raise QuestionError(f'there is no weapon or item "{spelling}"', fix=hint)
    return found


def _weapon(spelling: str, board: Board) -> str:
    """The canonical name of a weapon."""
    from riese_kb.tables import armoury, weapon_card

    own = [weapon.name for weapon in board.weapons]
    name = _item(spelling, board)
    if name not in own and weapon_card(board.system, name) is None:
        cards = [item.name for item in armoury(board.system).values() if item.weapon is not None]
        raise QuestionError(f"{name} is no weapon", fix=did_you_mean(spelling, [*own, *cards]))
    return name


# --- searches -------------------------------------------------------------------------------------------------------


def _searchable(place: str, board: Board) -> str:
    return _marked(place, board, ("objective", "cabinet"))


def _marked(place: str, board: Board, kinds: tuple[str, ...]) -> str:
    """The label of a marker of these kinds as the board writes it, or the name of the square of one."""
    labels = [marker.label for marker in board.markers if marker.kind in kinds and marker.label]
    for label in labels:
        if label.casefold() == place.casefold():
            return label
    square = parse_square(place)
    if square is not None and any(marker.at == square and marker.kind in kinds for marker in board.markers):
        return square_name(square)
    hint = did_you_mean(place, labels) if labels else 'add [[marker]] kind = "objective", at = "…", label = "…"'
    what = "operate" if "mark" in kinds else "search"
    raise QuestionError(f'there is nothing to {what} called "{place}" on the board', fix=hint)


def _chart(spelling: str, board: Board) -> str:
    """The name of a chart."""
    from riese_kb.charts import charts, find_chart

    known = charts(board.system)
    id = find_chart(board.system, spelling)
    if id is None:
        names = [chart.name for chart in known.values()]
        raise QuestionError(f'no search chart is called "{spelling}"', fix=did_you_mean(spelling, names))
    return known[id].name
