"""What is said about a question that cannot be read: where, what was expected there, and a question that can."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from riese_kb.errors import QuestionError, nearest
from riese_kb.language.words import Word

if TYPE_CHECKING:
    from lark import UnexpectedToken

WINDOW = 40
"""How many characters are shown on either side of the fault."""

EXAMPLES = {
    "can": "can nicole walk forward, turn right, forward",
    "reach": "reach nicole running",
    "lof": "lof nicole to z1",
    "targets": "targets nicole",
    "attack": 'attack nicole on z1 with "FG-42" spread',
    "throw": "throw nicole grenade at D7",
    "blast": "blast at D7 with grenade",
    "break": "break lock nicole",
    "may": 'may nicole carry "MP-40", 2 "Grenade"',
    "search": 'search O1 by nicole on "Supplies"',
    "zombie": "zombie z1",
    "zombies": "zombies",
    "npcs": "npcs",
    "spawn": "spawn S1",
    "initiative": "initiative",
    "round": "round",
    "why": "why not can nicole run to D7",
    "what": 'what gives 8/11 with "FG-42"',
    "max": "max range for nicole to wound z1",
    "threat": "threat after 17 won with 2 prisoners",
    "between": "between scenarios",
    "xp": "xp kelley with 3 beta, 1 omega",
    "victory": "victory with kelley, nicole",
    "sight": "sight eva to tala",
    "duel": "duel karl against tala with mind",
    "won": "won",
    "kann": "kann eva nach r7",
    "sicht": "sicht eva zu tala",
    "reichweite": "reichweite eva",
    "ziele": "ziele eva",
    "angriff": "angriff eva auf tala zweikampf",
    "duell": "duell karl gegen tala mit verstand",
    "darf": "darf eva r9 durchsuchen",
    "gewonnen": "gewonnen",
}
"""One question of each form, by its first word."""

_QUOTES = "\"'“”„‘’"
_FORMS = (
    "can, reach, lof, targets, attack, throw, blast, break lock, may carry, search, zombie, zombies, npc, npcs, spawn, "
    "initiative, round, why not, what gives, what lets or max range; "
    "about a team can, threat after, between scenarios, xp or victory; "
    "on rings can … move, reach, sight, targets, attack, counterattack, duel, may … search or won"
)
_STARTS = "reach lof targets attack throw blast break may search zombie zombies npcs spawn initiative round threat between"
_STARTS += " npc counterattack gegenangriff"
_STARTS += " xp victory why what max sight duel won kann sicht reichweite ziele angriff duell darf gewonnen"
_GROUPS: tuple[tuple[str, str, str], ...] = (
    (_FORMS, "reach", f"can {_STARTS}"),
    ("can, attack, counterattack, throw, break lock, may, lof or sight", "can", "attack counterattack throw break may lof sight"),
    ("walk, run or stay", "stay", "walk walking run running stationary special"),
    ("walking or running", "walk", "walking run running"),
    (
        "a movement action such as forward or turn left",
        "forward",
        "backward left right forward-left forward-right backward-left backward-right turn open close pass pick switch then",
    ),
    ("a comma and the next action", ", then", ""),
    ("learn, heal, join, play or replay (about a team)", "learn", "heal join play replay"),
    ("condition or mind", "condition", "mind"),
    ("kondition or verstand", "kondition", "verstand"),
    ("won or lost", "won", "lost"),
    ("after", "after", ""),
    ("a comma and another one", ", and", ""),
    ("two numbers such as 8/11", "NUMBERS", ""),
    ("a number such as 3 or x3", "COUNT", ""),
    ("the id of a figure (letters, digits, _ and -)", "FIGURE", ""),
    ("the id of a figure or a square such as C4", "PLACE", ""),
    ("a square such as C4", "SQUARE", ""),
    ("the id of a ring such as r7", "RING", ""),
    ("move and to with a ring (on rings)", "move", ""),
    ("the label of a spawn or objective marker such as S1", "LABEL", ""),
    ("as and a type of zombie", "as", ""),
    ("north, east, south or west", "north", "east south west"),
    ("ahead, left, right or behind", "ahead", "left right behind"),
    ("the name of an item or weapon, best in quotation marks", "NAME", "QUOTED rules scenario"),
    ("the name of a rule file", "FILE", "QUOTED"),
    ("a reading such as zoc=solid", "READING", "="),
    ("the id of a rule such as movement.diagonal-gap", "RULE", ""),
    ("the number of a scenario", "SCENARIO", ""),
    (
        "a word about the attack such as spread or covering",
        "normal",
        "spread select h2h hand hand-to-hand covering off off-hand unarmed",
    ),
)
"""In plain words what may be expected: a phrase stands for its second column, all of it, and covers the third too."""
_LAST = (
    ("a suffix (unter, ohne; under, without, with)", "unter", "ohne under without with"),
    ("a suffix (under, without, with)", "under", "without with"),
    ("the end of the question", "$END", ""),
)


class Fault(Exception):
    """A text that the grammar allows and that makes no sense; ``word`` is the place, where there is one."""

    def __init__(self, what: str, word: Word | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.word = word


class UnreadableQuestion(QuestionError):
    """A text that is no question, with the place of the fault.

    ``text`` is the whole question, ``start`` the place of the fault (counted from 0) and ``width`` its length there.
    """

    def __init__(self, what: str, *, fix: str, text: str, start: int, width: int = 1) -> None:
        super().__init__(what, fix=fix)
        self.text = text
        self.start = start
        self.width = width

    def __str__(self) -> str:
        first, last = max(0, self.start - WINDOW), self.start + WINDOW
        before, shown = self.text[first : self.start], self.text[first:last]
        lead = "…" if first else ""
        caret = " " * (len(lead) + _columns(before)) + "^" * max(1, _columns(shown[len(before) :][: self.width]))
        tail = "…" if last < len(self.text) else ""
        return f"{self.what}\n  {lead}{shown}{tail}\n  {caret}\n{self.fix}"


def _columns(text: str) -> int:
    """How wide a terminal writes the text: combining marks take no room, East Asian characters two columns."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def quoted(word: str) -> str:
    """A word of the question for a message, cut where it is long."""
    return f'"{word}"' if len(word) <= WINDOW else f'"{word[:WINDOW]}…"'


def example(text: str) -> str:
    """The example question of the form that a text seems to intend."""
    if re.match(r"can\s+\S+(\s+\w+)?\s+to\b", text, re.IGNORECASE):
        return "for example: can nicole run to D7"
    first = text.split(maxsplit=1)[0].lower()
    form = first if first in EXAMPLES else (nearest(first, EXAMPLES) or ["can"])[0]
    return f"for example: {EXAMPLES[form]}"


def _phrases(groups: Iterable[tuple[str, str, str]], left: set[str]) -> list[str]:
    """The phrases that apply; what they cover is taken from ``left``."""
    said = []
    for phrase, key, covers in groups:
        if left.issuperset(key.split()):
            left.difference_update(key.split(), covers.split())
            said.append(phrase)
    return said


def expected(terminals: Collection[str], keywords: Mapping[str, str]) -> str:
    """What the grammar accepts at a place, in plain words; ``keywords`` gives each keyword's spelling by terminal."""
    left = {keywords.get(terminal, terminal) for terminal in terminals}
    said, last = _phrases(_GROUPS, left), _phrases(_LAST, left)
    said += sorted(f'"{word}"' for word in left) + last
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


def unreadable(text: str, fault: Fault) -> UnreadableQuestion:
    """The error for a question that makes no sense."""
    start, end = 0, len(text)
    if fault.word is not None and fault.word.start_pos is not None:
        start = fault.word.start_pos
        end = fault.word.end_pos or start + len(fault.word)
    return UnreadableQuestion(fault.what, fix=example(text), text=text, start=start, width=end - start)


def unexpected(text: str, error: UnexpectedToken, keywords: Mapping[str, str]) -> QuestionError:
    """The error for a question that breaks off or goes on in a way the grammar does not allow."""
    token = error.token
    word, accepts = str(token), error.accepts
    what, start = f"expected {expected(accepts, keywords)}, found {quoted(word)}", token.start_pos or 0
    fix = example(text)
    near = get_close_matches(word.lower()[:80], [keywords[t] for t in accepts if t in keywords], n=1, cutoff=0.6)
    if token.type == "$END":
        what, start = f"the question breaks off: expected {expected(accepts, keywords)}", len(text)
    elif token.type == "STRAY" and word[0] in _QUOTES:
        what = "this quotation mark has no partner"
    elif near:
        fix = f"did you mean {near[0]}? For example: {fix.removeprefix('for example: ')}"
    return UnreadableQuestion(what, fix=fix, text=text, start=start, width=len(word))
