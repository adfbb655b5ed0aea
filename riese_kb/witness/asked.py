"""The questions that a search leaves open, a kind of question each: its choices for clingo, and back as a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Declared, Figure, Kind, Marker, System
from riese_kb.facts import Name, call, fact
from riese_kb.kinds.moving import OFFSETS
from riese_kb.position import line_facts
from riese_kb.question import About, Action, Can, Lof, Side, Spawn, Step, Zombie
from riese_kb.solver import Atoms
from riese_kb.witness.scene import HERO, Scene, Slot, hero, others

_PLACE = (1, 1)
_ZOMBIE = Figure(id="", kind=Kind.ZOMBIE, at=_PLACE)
_COMRADE = Figure(id="", kind=Kind.HERO, at=_PLACE)


class Asked(Struct, frozen=True):
    """A kind of question: the program that answers it, what is open in it, and how a model is read as a question.

    ``sums``: what ``#sum`` and ``#count`` come to at most, which clingo has to be told where their terms are open.
    """

    name: str
    query: str
    statements: tuple[str, ...]
    possible: str
    about: Callable[[Atoms, Mapping[str, str]], About]
    guessed: frozenset[str]
    sums: tuple[int, int]
    bound: str
    """What is said of the bound, besides the board's."""
    helpers: tuple[str, ...] = ()
    """Programs whose answers the program is given."""
    loosened: Mapping[str, str] = {}
    """Beginnings of rules that are made only for what is in question, and what they begin with in a search instead.

    Such rules hang on each other in circles, though nothing follows from more of them; outside of circles, what is the same in
    both worlds is seen without a search (``ground``).
    """


class Sort(Struct, frozen=True):
    """How a kind of question is searched: its scene for so many figures on a board of that size, and what is asked."""

    name: str
    scene: Callable[[System, int, int, int], Scene]
    asked: Callable[[tuple[int, int]], Asked]
    """What is asked on maps of that size at most."""
    fewest: int = 1
    files: bool = True
    """Whether rule files are heeded in everything that the question is answered by."""
    not_about: frozenset[str] = frozenset()
    """Readings of which the search takes the default."""
    by_cast: bool = False
    """Whether every choice of figures is searched for itself, since who is there settles much of what can differ."""


# --- can … ----------------------------------------------------------------------------------------------------------

_TURNS = {Step.TURN_RIGHT: 2, Step.TURN_LEFT: 6}
_DOORS = {Side.AHEAD: 0, Side.RIGHT: 2, Side.BEHIND: 4, Side.LEFT: 6}
ACTIONS: Mapping[str, Action] = {
    **{str(call("step", offset)): Action(step) for step, offset in OFFSETS.items()},
    **{str(call("turn", offset)): Action(step) for step, offset in _TURNS.items()},
    **{str(call("open", offset)): Action(Step.OPEN_DOOR, side=side) for side, offset in _DOORS.items()},
    **{str(call("close", offset)): Action(Step.CLOSE_DOOR, side=side) for side, offset in _DOORS.items()},
}
MODES = (Declared.WALKING, Declared.RUNNING)


_MOST = 9
"""Movement points and wounds that one step costs at most, as far as searches look."""


def can(_: tuple[int, int] = (1, 1), steps: int = 2) -> Asked:
    """``can hero walk …``: sequences of so many actions."""
    parts = [fact("steps", steps)]
    parts += [f"action({term})." for term in ACTIONS]
    parts += [fact("declarable", Name(mode)) for mode in MODES]
    possible = [fact("actor", 1, HERO), *(fact("mode", 1, Name(mode)) for mode in MODES)]
    possible += [f"do(1,1,{term})." for term in ACTIONS]

    def about(atoms: Atoms, __: Mapping[str, str]) -> About:
        ((mode,),) = atoms["announces"]
        actions = [ACTIONS[f"{name}({offset})"] for _, (name, offset) in sorted(atoms["performs"])]
        return Can(HERO, Declared(mode), tuple(actions))

    return Asked(
        "can",
        "can",
        tuple(parts),
        "".join(possible),
        about,
        frozenset({"announces", "performs"}),
        (0, _MOST),
        f"sequences of up to {steps} actions",
    )


def _walkers(system: System, width: int, height: int, figures: int) -> Scene:
    """A hero, zombies and other heroes, stunned or not, on any ground."""
    traits: dict[str, dict[str, Any]] = {"stunned": {"status": ("stunned",)}}
    first = Slot(HERO, (hero(), hero(health=1)))
    return Scene(system, width, height, (first, *others(figures - 1, (_ZOMBIE, _COMRADE), traits)))


# --- lof … ----------------------------------------------------------------------------------------------------------


def lof(limit: tuple[int, int]) -> Asked:
    """``lof A1 to C2``: lines between any two squares."""
    squares = [(x, y) for x in range(1, limit[0] + 1) for y in range(1, limit[1] + 1)]
    lines = [line_facts(start, end) for start in squares for end in squares if start < end]

    def about(atoms: Atoms, _: Mapping[str, str]) -> About:
        ((start, end),) = atoms["sights"]
        return Lof(start, end)

    return Asked(
        "lof",
        "lof",
        tuple(lines),
        fact("traces", 1, _PLACE, _PLACE) + line_facts((1, 1), (2, 3)) + line_facts((1, 1), (2, 2)),
        about,
        frozenset({"sights"}),
        (0, 30),
        "all lines between squares",
    )


def _bystanders(system: System, width: int, height: int, figures: int) -> Scene:
    """Heroes and zombies."""
    return Scene(system, width, height, others(figures, (_ZOMBIE, _COMRADE), {}))


# --- spawn … --------------------------------------------------------------------------------------------------------


def found(_: tuple[int, int]) -> Asked:
    """``spawn O1``: a zombie that a search at a marker has found."""
    return Asked(
        "spawn",
        "spawn",
        (),
        fact("searched", 1, _PLACE),
        lambda atoms, names: Spawn("O1"),
        frozenset(),
        (0, 9),
        "a zombie found by a search at O1",
    )


def _seekers(system: System, width: int, height: int, figures: int) -> Scene:
    """Heroes and zombies, and the marker at which somebody has searched."""
    marker = Marker(kind="objective", at=_PLACE, label="O1")
    return Scene(system, width, height, others(figures, (_ZOMBIE, _COMRADE), {}), tokens=(marker,))


# --- zombie … -------------------------------------------------------------------------------------------------------

_ACTS = "zed"
_LOOSENED = {
    "looks(W,P) :- considers(W,_,P,_)": "looks(W,P) :- square(P), world(W)",
    "walks(W,P,Q) :- goes_on(W,_,P,_), ": "walks(W,P,Q) :- ",
    "suits(W,P,K,T) :- goes_on(W,_,P,K), ": "suits(W,P,K,T) :- bound(W,K), square(P), ",
    "aims(W,P,any,T) :- considers(W,_,P,any), ": "aims(W,P,any,T) :- ",
    "aims(W,P,T,T) :- considers(W,_,P,T), ": "aims(W,P,T,T) :- bound(W,T), square(P), ",
    "done(W,P) :- considers(W,I,P,_), adjacent(W,P,_), rests_on(W,I,P), ": "done(W,P) :- adjacent(W,P,_), ",
}
"""What is done on a square is done from there whether or not the zombie comes to it."""


def acts(limit: tuple[int, int]) -> Asked:
    """``zombie z1``: what a zombie does."""
    given = [fact("acts", 1, _ACTS), fact("start", 1, _PLACE), fact("made", 1, 0), fact("looks_about", 1, 1)]
    given += [fact("stands", 1, _ACTS, _PLACE), fact("measured", 1, 1), fact("stands_of_steps", 1, _ACTS, _PLACE)]
    given += [fact("most", 1), fact("gait_of_steps", 1, Name("plain")), fact("metric_of_steps", 1, Name("adjacent"))]
    return Asked(
        "zombie",
        "zombie",
        (fact("most", limit[0] * limit[1] - 1),),
        "".join(given),
        lambda _, names: Zombie(names[_ACTS]),
        frozenset(),
        (0, _MOST),
        "Beta and Alpha zombies, heroes, barricades and decoys, one zombie that acts",
        ("zombie_steps",),
        _LOOSENED,
    )


def _pack(system: System, width: int, height: int, figures: int) -> Scene:
    """A zombie that acts, other zombies and heroes, barricades and decoys."""
    shapes = (_ZOMBIE, replace(_ZOMBIE, status=("unrevealed",)), replace(_ZOMBIE, type="alpha"))
    first = Slot(_ACTS, tuple(replace(shape, id=_ACTS) for shape in shapes))
    kinds = tuple(kind for kind in ("barricade", "decoy") if kind in system.markers)
    return Scene(system, width, height, (first, *others(figures - 1, (*shapes, _COMRADE), {})), kinds=kinds)


SORTS = (
    Sort("can", _walkers, can),
    Sort("lof", _bystanders, lof, 0),
    Sort("spawn", _seekers, found, 0),
    Sort("zombie", _pack, acts, files=False, by_cast=True, not_about=frozenset({"z_metric", "z_path"})),
)
