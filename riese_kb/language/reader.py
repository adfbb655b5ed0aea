"""What each rule of the grammar ``questions.lark`` stands for, as plain data.

A word is a keyword only where the grammar allows that keyword at that place; everywhere else it is the user's own. So
the word after ``can``, ``reach``, ``zombie``, ``on`` … is always an id, however it is spelt: in ``can to to D7`` the
first ``to`` is a figure. The names of items and weapons may be left unquoted; then they end before a comma or the next
keyword, and only their first word may be spelt like one.

One file, though it is long: each method below is one rule of the grammar, in the grammar's order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from riese_kb.board import Declared, Facing, Square, parse_square
from riese_kb.language.faults import Fault
from riese_kb.language.words import Word
from riese_kb.question import (
    About,
    Action,
    Attack,
    AttackType,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Deed,
    Duel,
    Earn,
    Exit,
    Heal,
    Initiative,
    Join,
    Learn,
    Lof,
    MaxRange,
    MayCarry,
    MoveTo,
    Npc,
    NpcTurn,
    Play,
    Question,
    Reach,
    Replay,
    Round,
    Search,
    SearchPlace,
    Side,
    Sight,
    Spawn,
    Step,
    Targets,
    ThreatAfter,
    Throw,
    Victory,
    WhatGives,
    WhatLets,
    Won,
    Zombie,
    ZombieTurn,
)
from riese_kb.rings import Property
from riese_kb.team import Outcome

MAX_ACTIONS = 200
MOST_DEEDS = 99
FACES = 12

# --- meanings -------------------------------------------------------------------------------------------------------


class Said(NamedTuple):
    """One setting or suffix: the field of the data class, its value, and the word that said so."""

    field: str
    value: Any
    word: Word


class German(NamedTuple):
    """A question asked in German."""

    about: About


_PROPERTIES = {
    "condition": Property.CONDITION,
    "kondition": Property.CONDITION,
    "mind": Property.MIND,
    "verstand": Property.MIND,
}
_DECLARED = {
    "walk": Declared.WALKING,
    "walking": Declared.WALKING,
    "run": Declared.RUNNING,
    "running": Declared.RUNNING,
    "stay": Declared.STATIONARY,
    "stationary": Declared.STATIONARY,
    "special": Declared.SPECIAL,
    "react": Declared.REACTION,
    "reacting": Declared.REACTION,
}
_OPTIONS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(("h2h", "hand to hand", "hand-to-hand"), ("type", AttackType.H2H)),
    "normal": ("type", AttackType.NORMAL),
    "spread": ("type", AttackType.SPREAD),
    "off hand": ("off_hand", True),
    "off-hand": ("off_hand", True),
    "unarmed": ("unarmed", True),
    "select": ("select", True),
}
_STEPS = {step.replace("-", " "): Action(step) for step in Step}


def _lower(words: list[Any]) -> str:
    return " ".join(words).lower()


def _key(parts: list[Any]) -> str | None:
    return next((part.value for part in parts if isinstance(part, Word)), None)


MOST_POINTS = 99
"""Victory points that a question may spend; how many a character may, the rules say."""


def _count(token: Word, what: str = "an action can be repeated") -> int:
    times = int(token.lower().strip("x"))
    if not 1 <= times <= MAX_ACTIONS:
        raise Fault(f"{what} 1 to {MAX_ACTIONS} times", token)
    return times


def _face(token: Word) -> int:
    face = int(token.lower().strip("x"))
    if not 1 <= face <= FACES:
        raise Fault(f"a die shows 1 to {FACES}", token)
    return face


class Meaning:
    """What each rule of the grammar stands for: lark calls the method of that name with what the rule's parts gave."""

    # Movement actions: ``action`` and its kin give lists, because of ``forward x3``.

    def step(self, words: list[Word]) -> Action:
        return _STEPS[_lower(words).replace("-", " ")]

    def action(self, parts: list[Any]) -> list[Action]:
        return parts if len(parts) == 1 else parts[:1] * _count(parts[1])

    def door(self, words: list[Word]) -> Step:
        return Step(_lower(words))

    def where(self, words: list[Word]) -> Side:
        return Side(_lower(words))

    def door_action(self, parts: list[Any]) -> list[Action]:
        return [Action(parts[0], side=parts[1] if len(parts) > 1 else Side.AHEAD)]

    def unlock(self, _: list[Word]) -> None:
        return None

    def unlock_action(self, parts: list[Any]) -> list[Action]:
        side = next((part for part in parts if isinstance(part, Side)), Side.AHEAD)
        return [Action(Step.UNLOCK_DOOR, side=side, item=_key(parts))]

    def unlock_cabinet(self, parts: list[Any]) -> list[Action]:
        return [Action(Step.UNLOCK_CABINET, item=_key(parts))]

    def force_door(self, parts: list[Side]) -> list[Action]:
        return [Action(Step.FORCE_DOOR, side=parts[0] if parts else Side.AHEAD)]

    def force_cabinet(self, _: list[Any]) -> list[Action]:
        return [Action(Step.FORCE_CABINET)]

    def pass_item(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.PASS, item=parts[0].value, to=parts[1].value)]

    def pick_up(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.PICK_UP, item=parts[0].value)]

    def switch(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.SWITCH, item=parts[0].value)]

    def set_timer(self, parts: list[Word]) -> list[Action]:
        square = parse_square(parts[1].value)
        assert square is not None, parts  # the grammar's SQUARE is no wider
        return [Action(Step.SET, item=parts[0].value, at=square, rounds=_count(parts[2]) if parts[2:] else None)]

    def mount(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.MOUNT, item=parts[0].value)]

    def demount(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.DEMOUNT, item=parts[0].value)]

    def search_here(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.SEARCH, place=parts[0].value)]

    def operate_here(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.OPERATE, place=parts[0].value)]

    def rescue(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.RESCUE, to=parts[0].value)]

    def take(self, parts: list[Word]) -> list[Action]:
        return [Action(Step.TAKE, item=parts[0].value)]

    def actions(self, parts: list[list[Action]]) -> tuple[Action, ...]:
        actions = tuple(action for part in parts for action in part)
        if len(actions) > MAX_ACTIONS:
            raise Fault(f"{len(actions)} actions are too many for one question; at most {MAX_ACTIONS}")
        return actions

    def name(self, words: list[Word]) -> Word:
        bare = words[0].value[1:-1] if words[0].type == "QUOTED" else " ".join(words)
        name = " ".join(bare.split())
        if not name:
            raise Fault("there is no name between these quotation marks", words[0])
        return Word("NAME", name, words[0].start_pos, words[-1].end_pos)

    # Settings

    def moving(self, words: list[Word]) -> Said:
        return Said("declared", _DECLARED[words[0].lower()], words[0])

    standing = moving

    def covering(self, words: list[Word]) -> Said:
        return Said("covering", True, words[0])

    def option(self, words: list[Word]) -> Said:
        return Said(*_OPTIONS[_lower(words).removesuffix(" fire")], words[0])

    def weapon(self, parts: list[Word]) -> Said:
        return Said("weapon", parts[0].value, parts[0])

    # Suffixes

    def reading(self, words: list[Word]) -> Said:
        first, *rest = (word.lower() for word in words)
        return Said(first if rest else "", rest[0] if rest else first, words[0])

    def under(self, readings: list[Said]) -> Said:
        return Said("under", readings, readings[0].word)

    def without(self, rules: list[Word]) -> Said:
        return Said("without", [rule.lower() for rule in rules], rules[0])

    def rules(self, words: list[Word]) -> Said:
        path = words[0].value[1:-1] if words[0].type == "QUOTED" else words[0].value
        if not path.strip():
            raise Fault("there is no file name between these quotation marks", words[0])
        return Said("rules", [path], words[0])

    def scenario(self, words: list[Word]) -> Said:
        return Said("scenarios", [words[0].lower()], words[0])

    # Questions

    def can(self, parts: list[Any]) -> Can:
        declared = parts[1].value if isinstance(parts[1], Said) else None
        return Can(parts[0].value, declared, () if isinstance(parts[-1], Said) else parts[-1])

    def side(self, words: list[Word]) -> Facing:
        return Facing(_lower(words))

    def destination(self, parts: list[Any]) -> Square | Exit:
        square = parse_square(parts[0].value)
        assert square is not None, parts  # the grammar's SQUARE is no wider
        return Exit(square, parts[1]) if len(parts) > 1 else square

    def can_to(self, parts: list[Any]) -> CanTo:
        return CanTo(parts[0].value, parts[1].value if isinstance(parts[1], Said) else None, parts[-1])

    def reach(self, parts: list[Word]) -> Reach:
        return Reach(parts[0].value, None)

    def lof(self, parts: list[Word]) -> Lof:
        return Lof(parts[0].value, parts[1].value)

    def targets(self, parts: list[Word]) -> Targets:
        return Targets(parts[0].value)

    def attack(self, parts: list[Word]) -> Attack:
        return Attack(parts[0].value, parts[1].value)

    def counterattack(self, parts: list[Word]) -> Attack:
        return Attack(parts[0].value, parts[1].value, counter=True)

    def throw(self, parts: list[Word]) -> Throw:
        square = parse_square(parts[2].value)
        assert square is not None, parts  # the grammar's SQUARE is no wider
        return Throw(parts[0].value, parts[1].value, square)

    def blast(self, parts: list[Word]) -> Blast:
        square = parse_square(parts[0].value)
        assert square is not None, parts
        return Blast(square, parts[1].value, parts[2].value if len(parts) > 2 else None)

    def break_lock(self, parts: list[Word]) -> BreakLock:
        return BreakLock(parts[0].value)

    def thing(self, parts: list[Word]) -> list[str]:
        return [parts[-1].value] * (_count(parts[0], "a thing can be asked for") if len(parts) > 1 else 1)

    def things(self, parts: list[list[str]]) -> tuple[str, ...]:
        things = tuple(thing for part in parts for thing in part)
        if len(things) > MAX_ACTIONS:
            raise Fault(f"{len(things)} things are too many for one question; at most {MAX_ACTIONS}")
        return things

    def may_carry(self, parts: list[Any]) -> MayCarry:
        return MayCarry(parts[0].value, parts[1])

    def searcher(self, parts: list[Word]) -> Said:
        return Said("figure", parts[0].value, parts[0])

    def chart(self, parts: list[Word]) -> Said:
        return Said("chart", parts[0].value, parts[0])

    def search_place(self, parts: list[Any]) -> SearchPlace:
        return replace(SearchPlace(parts[0].value), **{said.field: said.value for said in parts[1:]})

    def zombie(self, parts: list[Word]) -> Zombie:
        return Zombie(parts[0].value)

    def zombies(self, parts: list[Word]) -> ZombieTurn:
        return ZombieTurn()

    def npcs(self, parts: list[Word]) -> NpcTurn:
        return NpcTurn()

    def initiative(self, parts: list[Word]) -> Initiative:
        return Initiative()

    def round(self, parts: list[Word]) -> Round:
        return Round()

    def spawn(self, parts: list[Word]) -> Spawn:
        return Spawn(*(part.value for part in parts))

    def npc(self, parts: list[Any]) -> Npc:
        return Npc(parts[0].value, parts[1] if len(parts) > 1 else None)

    def doors(self, words: list[Word]) -> Said:
        return Said("doors", True, words[0])

    # Questions asked backwards

    def what_gives(self, parts: list[Word]) -> WhatGives:
        stun, wound = map(int, parts[0].split("/"))
        return WhatGives(stun, wound, parts[1].value)

    def what_lets(self, parts: list[Word]) -> WhatLets:
        return WhatLets(parts[0].value, parts[1].value, _face(parts[2]))

    def max_range(self, parts: list[Word]) -> MaxRange:
        return MaxRange(parts[0].value, parts[1].value, _face(parts[2]) if len(parts) > 2 else None)

    # Questions about a board of rings

    def move_to(self, parts: list[Word]) -> MoveTo:
        return MoveTo(parts[0].value, parts[1].value)

    def points(self, parts: list[Word]) -> Said:
        points = int(parts[0].lower().strip("x"))
        if not 1 <= points <= MOST_POINTS:
            raise Fault(f"1 to {MOST_POINTS} victory points can be spent", parts[0])
        return Said("points", points, parts[0])

    punkte = points

    def sight(self, parts: list[Word]) -> Sight:
        return Sight(parts[0].value, parts[1].value)

    def property(self, words: list[Word]) -> Property:
        return _PROPERTIES[words[0].lower()]

    eigenschaft = property

    def duel(self, parts: list[Any]) -> Duel:
        return Duel(parts[0].value, parts[1].value, parts[2])

    def search(self, parts: list[Word]) -> Search:
        return Search(parts[0].value, parts[1].value)

    def won(self, parts: list[Word]) -> Won:
        return Won()

    def kann(self, parts: list[Word]) -> German:
        return German(self.move_to(parts))

    def sicht(self, parts: list[Word]) -> German:
        return German(self.sight(parts))

    def reichweite(self, parts: list[Word]) -> German:
        return German(self.reach(parts))

    def ziele(self, parts: list[Word]) -> German:
        return German(self.targets(parts))

    def duell(self, parts: list[Any]) -> German:
        return German(self.duel(parts))

    def darf(self, parts: list[Word]) -> German:
        return German(self.search(parts))

    def gewonnen(self, parts: list[Word]) -> German:
        return German(Won())

    def angriff(self, parts: list[Word]) -> German:
        return German(self.attack(parts))

    def gegenangriff(self, parts: list[Word]) -> German:
        return German(self.counterattack(parts))

    def nahkampf(self, words: list[Word]) -> Said:
        return Said("type", AttackType.NORMAL if words[0].lower() == "normal" else AttackType.H2H, words[0])

    waffe = weapon

    # Questions about a team

    def learn(self, parts: list[Word]) -> Learn:
        return Learn(parts[0].value, tuple(name.value for name in parts[1:]))

    def heal(self, parts: list[Word]) -> Heal:
        return Heal(parts[0].value, parts[1].value)

    def join(self, parts: list[Word]) -> Join:
        return Join(parts[0].value)

    def replay(self, parts: list[Word]) -> Replay:
        _team(parts[0], "replay")
        return Replay(parts[1].upper())

    def play(self, parts: list[Word]) -> Play:
        _team(parts[0], "play")
        return Play(parts[1].upper(), _once(parts[2:]))

    def threat_after(self, parts: list[Word]) -> ThreatAfter:
        return ThreatAfter(parts[0].upper())

    def between(self, parts: list[Word]) -> BetweenScenarios:
        return BetweenScenarios(parts[0].upper() if parts else None)

    def earn(self, parts: list[Word]) -> Earn:
        return Earn(parts[0].value)

    def victory(self, parts: list[Word]) -> Victory:
        return Victory(_once(parts))

    def outcome(self, words: list[Word]) -> Said:
        return Said("outcome", Outcome(words[0].lower()), words[0])

    def late(self, words: list[Word]) -> bool:
        return True

    def deed(self, parts: list[Any]) -> tuple[Deed, Word]:
        count = int(parts[0].lower().strip("x"))
        if not 1 <= count <= MOST_DEEDS:
            raise Fault(f"a thing can be done 1 to {MOST_DEEDS} times", parts[0])
        return Deed(count, parts[1].value, len(parts) > 2), parts[0]

    def tally(self, deeds: list[tuple[Deed, Word]]) -> Said:
        return Said("deeds", tuple(deed for deed, _ in deeds), deeds[0][1])

    def why_not(self, _: list[Word]) -> None:
        return None

    def start(self, parts: list[Any]) -> Question:
        why_not = parts[0] is None
        first, *parts = parts[why_not:]
        about: About = first.about if isinstance(first, German) else first
        suffixes: dict[str, list[Any]] = {"under": [], "without": [], "rules": [], "scenarios": []}
        settings: dict[str, Said] = {}
        for said in parts:
            if said.field in suffixes:
                suffixes[said.field] += said.value
            elif (other := settings.setdefault(said.field, said)).value != said.value:
                raise Fault(f"contradiction: {_spoken(other)}, or {_spoken(said)}?", said.word)
        if "unarmed" in settings and "weapon" in settings:
            raise Fault(f"contradiction: unarmed, or with {_spoken(settings['weapon'])}?", settings["weapon"].word)
        suffixes["under"] = _pairs(suffixes["under"])
        if "points" in settings and not isinstance(about, MoveTo | Reach):
            raise Fault("victory points are spent on a movement: can ID move to RING with 2 vp", settings["points"].word)
        if settings:
            about = replace(about, **{field: said.value for field, said in settings.items()})
        said_so = {field: tuple(dict.fromkeys(values)) for field, values in suffixes.items()}
        return Question("", about, **said_so, language="de" if isinstance(first, German) else "en", why_not=why_not)


def _team(word: Word, verb: str) -> None:
    """It is the team that plays."""
    if word.lower() != "team":
        raise Fault(f"the team plays, not {word}: can team {verb} …", word)


def _once(words: list[Word]) -> tuple[str, ...]:
    """The ids, nobody twice."""
    known: set[str] = set()
    for word in words:
        if word.lower() in known:
            raise Fault(f"{word} is named twice", word)
        known.add(word.lower())
    return tuple(word.value for word in words)


def _spoken(said: Said) -> str:
    return f'"{said.value}"' if said.field == "weapon" else str(said.value)


def _pairs(readings: list[Said]) -> list[tuple[str, str]]:
    """The readings as pairs, none of them twice with different values."""
    taken: dict[str, str] = {}
    for name, value, word in readings:
        if name and taken.setdefault(name, value) != value:
            raise Fault(f"contradiction: {name}={taken[name]}, or {name}={value}?", word)
    return [(name, value) for name, value, _ in readings]
