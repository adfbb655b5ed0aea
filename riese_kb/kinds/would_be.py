"""What is tried when something may not be done: changes to the board near where it happens, the least of them first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from riese_kb.board import Declared, EdgeKind, Facing, Figure, Kind, Square, Terrain
from riese_kb.geometry import inside
from riese_kb.kinds.changes import (
    Change,
    board_changed,
    cleared,
    declares,
    faces,
    gone,
    has,
    opened,
    rearmed,
    removed,
    stands,
    status_off,
    stunned,
    unlocked,
)
from riese_kb.kinds.changing import other_weapons, posts, towards
from riese_kb.kinds.moving import track
from riese_kb.position import Position
from riese_kb.question import About, Attack, Can, CanTo, Exit, Lof, Throw
from riese_kb.tables import default_health

NEAR = 2
"""Squares from the way or line within which things are changed."""
MANY = 16
"""Things of one kind that are tried at most."""
POINTS = 6
"""Movement points more that are tried at most."""


def candidates(position: Position, about: About) -> Iterator[Change]:
    """Everything that is tried, what lies nearest to the way or line first."""
    hero = position.board.figure(str(getattr(about, "figure", "")))
    places = _places(position, about, hero)
    spared = {getattr(about, "figure", None), getattr(about, "target", None)}
    if isinstance(about, Lof):
        spared |= {about.start, about.end}
    if hero is not None:
        yield from _of_hero(position, about, hero)
    yield from _around(position, places, spared)
    if hero is not None and isinstance(about, Attack):
        target = position.board.figure(about.target)
        for square in posts(position, hero)[:MANY]:
            yield stands(hero.id, square, towards(square, target.at) if target is not None else None)
    elif hero is not None and isinstance(about, Can | CanTo):
        for square in posts(position, hero)[:MANY]:
            yield stands(hero.id, square)
    board = position.board
    if board.darkness:
        yield board_changed("darkness", False, "it is not dark")
    if board.threat:
        yield board_changed("threat", 0, "the threat level is 0")


def _places(position: Position, about: About, hero: Figure | None) -> list[Square]:
    """The squares where it happens."""
    board = position.board
    match about:
        case Can(actions=actions) if hero is not None:
            return track(hero, actions)
        case CanTo(to=to) if hero is not None:
            (x, y), (u, v) = hero.at, to.square if isinstance(to, Exit) else to
            return [(a, b) for a in range(min(x, u), max(x, u) + 1) for b in range(min(y, v), max(y, v) + 1)]
        case Attack(target=id) if hero is not None:
            target = board.figure(id)
            return _line(hero.at, target.at) if target is not None else [hero.at]
        case Throw(at=at) if hero is not None:
            return _line(hero.at, at)
        case Lof(start, end):
            return _line(*(_square(position, place) for place in (start, end)))
    return [hero.at] if hero is not None else []


def _square(position: Position, place: str | Square) -> Square:
    figure = position.board.figure(place) if isinstance(place, str) else None
    return figure.at if figure is not None else place if isinstance(place, tuple) else (1, 1)


def _line(start: Square, end: Square) -> list[Square]:
    return [start, *inside(start, end), end]


def _of_hero(position: Position, about: About, hero: Figure) -> Iterator[Change]:
    """What the hero might do, have or be otherwise."""
    if isinstance(about, Can | CanTo | Attack | Throw):
        mode = position.declared(hero, about.declared)
        yield from (declares(hero.id, other) for other in _FREE if other is not mode and mode is not Declared.REACTION)
    if isinstance(about, Can | CanTo | Attack):
        yield from (faces(hero.id, facing) for facing in Facing if facing is not (hero.facing or Facing.NORTH))
    if isinstance(about, Can | CanTo):
        yield from _more_points(position, hero, position.declared(hero, about.declared))
    if isinstance(about, Attack):
        yield from (rearmed(hero.id, name) for name in other_weapons(position, hero, about))
    for zombie in position.board.figures:
        if hero.id in zombie.locks:
            yield unlocked(zombie.id, hero.id)
    yield from (status_off(hero.id, word) for word in hero.status)
    if hero.ammo == 0:
        yield has(hero.id, "ammo", 1, f"{hero.id} has ammunition")
    full = position.person(hero)
    most = full.health if full is not None else default_health(position.system, Kind.HERO)
    if hero.health is not None and most is not None and hero.health < most:
        yield has(hero.id, "health", most, f"{hero.id} has {most} health")


_FREE = (Declared.STATIONARY, Declared.WALKING, Declared.RUNNING)
"""What a hero may always declare."""


def _more_points(position: Position, hero: Figure, mode: Declared) -> Iterator[Change]:
    """More movement points, and fewer of them where these will do."""
    own = position.points(hero, mode)
    if own:
        steps = [has(hero.id, "mp", own + more, f"{hero.id} has {more} MP more") for more in range(1, POINTS + 1)]
        yield steps[-1].or_less(steps[:-1])


def _around(position: Position, places: list[Square], spared: Iterable[object]) -> Iterator[Change]:
    """Doors, figures, terrain and markers on and beside those squares."""
    board = position.board

    def near(squares: Iterable[Square]) -> int:
        return min((max(abs(x - u), abs(y - v)) for x, y in squares for u, v in places), default=99)

    shut = (EdgeKind.CLOSED_DOOR, EdgeKind.LOCKED_DOOR)
    doors = sorted((near(edge), edge) for edge, kind in board.edges.items() if kind in shut)
    yield from (opened(edge) for far, edge in doors[:MANY] if far <= NEAR)
    others = sorted((near([f.at]), f.id, f) for f in board.figures if f.id not in spared)
    close = [figure for far, _, figure in others[:MANY] if far <= NEAR]
    awake = [f.id for f in board.figures if f.kind is Kind.ZOMBIE and "stunned" not in f.status and near([f.at]) <= NEAR]
    yield from (stunned(id) for id in awake[:MANY])
    yield from (gone(figure.id) for figure in close)
    marks = sorted((near([m.at]), number, m) for number, m in enumerate(board.markers) if m.kind in _IN_THE_WAY)
    yield from (removed(marker) for far, _, marker in marks[:MANY] if far <= NEAR)
    rough = sorted((near([at]), at) for at, kind in board.terrain.items() if kind not in (Terrain.CLEAR, Terrain.VOID))
    yield from (cleared(at) for far, at in rough[:MANY] if far <= 1)


_IN_THE_WAY = ("fire", "barricade", "rubble", "toxic", "level")
