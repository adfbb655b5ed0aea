"""The rules of a book, one record each: what a rule says in our words, and where the book says it.

``rules/<system>/catalogue/`` holds one TOML file a chapter, and the file's name is the first part of its rules' ids:
``movement.diagonal-gap`` stands in ``movement.toml``. A file is read when one of its rules is first asked for.

Numbers stand once, in ``movement_table.toml``, ``modifiers.toml``, ``armoury.toml`` and ``skills.toml``. A text names them
by table, key and column in braces, ``{mp_cost movement.turn running}``, and gets them filled in here; modifiers of attacks
come with their sign.

A rule that two games share is worded once: ``like = "riese"`` takes over everything but the place in the book.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from riese_kb.board import MAIN
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.store import read_toml
from riese_kb.tables import armoury, data_root

_SHARED = ("title", "says", "broken", "kind", "subject", "intent", "overrides")
"""What rules of two games have in common where their books say the same."""


class Kind(StrEnum):
    """What a rule does."""

    RESTRICTION = "restriction"
    COST = "cost"
    MODIFIER = "modifier"
    DEFINITION = "definition"
    PERMISSION = "permission"
    EFFECT = "effect"
    PROCEDURE = "procedure"


class Intent(StrEnum):
    """Whom the book's wording means a rule to serve: it helps or harms the heroes, or does neither."""

    HELPS = "helps"
    HARMS = "harms"
    NEUTRAL = "neutral"


class Rule(Struct, frozen=True):
    """One rule. ``cite`` is its place in the book, exact enough for `riese_kb.fingerprint` to find it again.

    ``broken`` is said to a player whose action breaks the rule (None: it cannot be broken); ``fingerprint`` tells
    whether the passage has changed since the rule was written down; ``overrides`` are the rules it is an exception to;
    ``subject`` is one word that rules on the same thing share.
    """

    id: str
    title: str
    says: str
    cite: str
    kind: Kind
    subject: str
    fingerprint: str
    broken: str | None = None
    overrides: tuple[str, ...] = ()
    intent: Intent | None = None
    title_de: str | None = None
    says_de: str | None = None
    broken_de: str | None = None

    def titled(self, lang: str) -> str:
        """The title in a language, where the catalogue has it; else in English."""
        return (self.title_de if lang == "de" else None) or self.title

    def breached(self, lang: str) -> str:
        """``breach`` in a language, where the catalogue has it."""
        return self.broken_de if lang == "de" and self.broken_de else self.breach

    @property
    def breach(self) -> str:
        """One sentence for a player whose action breaks the rule."""
        return self.broken or f"{self.title}."


def find_rule(system: str, id: str) -> Rule | None:
    """The rule of that id; None when the catalogue has none, as for a rule of the house."""
    chapter = id.partition(".")[0]
    return _chapter(system, chapter).get(id) if chapter in chapters(system) else None


def rule(system: str, id: str) -> Rule:
    """The rule of that id; raises ``RulesError`` with the nearest id when the catalogue has none."""
    found = find_rule(system, id)
    if found is None:
        raise RulesError(f"no rule is called {id!r}", fix=did_you_mean(id, rule_ids(system)))
    return found


@cache
def rules(system: str) -> Mapping[str, Rule]:
    """All rules of a game by id, chapter by chapter."""
    return MappingProxyType({id: found for chapter in chapters(system) for id, found in _chapter(system, chapter).items()})


@cache
@cache
def rule_ids(system: str) -> frozenset[str]:
    """The ids of all rules of a game."""
    return frozenset(rules(system))


@cache
def chapters(system: str) -> tuple[str, ...]:
    """The first parts of the game's rule ids, in alphabetical order; each names a file of the catalogue."""
    try:
        return tuple(sorted(name[:-5] for name in os.listdir(_folder(system)) if name.endswith(".toml")))
    except FileNotFoundError:
        raise RulesError(f"there is no catalogue for {system}", fix=f'system = "{MAIN}" is understood') from None


def chapter_file(system: str, chapter: str) -> str:
    """The path of the catalogue file that holds one chapter."""
    return os.path.join(_folder(system), f"{chapter}.toml")


def _folder(system: str) -> str:
    return os.path.join(data_root(), "rules", system, "catalogue")


@cache
def _chapter(system: str, chapter: str) -> Mapping[str, Rule]:
    path = chapter_file(system, chapter)
    return {id: _rule(system, path, id, _told(chapter, id, entry)) for id, entry in read_toml(path).items()}


def _told(chapter: str, id: str, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The entry with what it leaves to another game's rule of the same id, which ``like`` names."""
    if "like" not in entry:
        return entry
    other = read_toml(chapter_file(entry["like"], chapter)).get(id, {})
    same = {key: other[key] for key in _SHARED if key in other}
    return {**same, **{key: value for key, value in entry.items() if key != "like"}}


def _rule(system: str, path: str, id: str, entry: Mapping[str, Any]) -> Rule:
    try:
        fields = dict(entry)
        for key in ("title", "says", "broken", "title_de", "says_de", "broken_de"):
            if key in fields:
                fields[key] = _filled(system, fields[key])
        fields["kind"] = Kind(fields["kind"])
        fields["overrides"] = tuple(fields.get("overrides", ()))
        if "intent" in fields:
            fields["intent"] = Intent(fields["intent"])
        return Rule(id=id, **fields)
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        raise RulesError(f"rule {id} is not written down as a rule should be: {fault}", file=path) from fault


# --- the numbers in the texts ---------------------------------------------------------------------------------------

_NUMBER = re.compile(r"\{(\w+ [^{}]+)\}")


def _filled(system: str, text: str) -> str:
    """The text with every ``{table key column}`` replaced by the number that stands there."""
    return _NUMBER.sub(lambda found: _number(system, found[1].split()), text) if "{" in text else text


_CAMPAIGN = ("team", "substitution", "replays", "medkit", "track", "adjust", "earned")
_HOMES = {"unarmed": "armoury.toml", **dict.fromkeys(_CAMPAIGN, "campaign.toml")}
"""The files of tables that stand neither with the movement table nor with the modifiers."""


def _number(system: str, path: list[str]) -> str:
    if path[0] == "also":  # a further figure of something in the armoury: {also Torch light}
        return str(armoury(system)[" ".join(path[1:-1])].also[path[-1]])
    if path[0] == "skill":
        at: Any = {"skill": read_toml(os.path.join(data_root(), "rules", system, "skills.toml"))}
    else:
        at = _numbers(system, _HOMES.get(path[0], "modifiers.toml"))
    for key in path:
        at = at[int(key)] if isinstance(at, list) else at[key]
    if not isinstance(at, int):
        raise ValueError(f"{' '.join(path)} is no number")
    # A modifier shows its sign; the limit of the LOF modifiers is one of them, too.
    signed = path[0] in ("am", "lof") or path[-1] == "aim"
    return f"{at:+d}".replace("-", "−") if signed and at else str(at)


@cache
def _numbers(system: str, file: str) -> dict[str, Any]:
    folder = os.path.join(data_root(), "rules", system)
    moves = os.path.join(folder, "movement_table.toml")  # games on rings have none
    return {**(read_toml(moves) if os.path.isfile(moves) else {}), **read_toml(os.path.join(folder, file))}
