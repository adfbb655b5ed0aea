"""What a worked example tells, taken out of its words by one grammar: each number with what it is a number of.

The book's words are free, so the grammar's terminals are phrases, and whatever lies between them is passed over. What follows
from them is not decided here: the checks put it to z3 and to the engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import cache, lru_cache
from typing import Any


class What(StrEnum):
    """What a phrase tells of: the terminals of the grammar."""

    PAIR = auto()
    SIGNED = auto()
    SW = auto()
    MODIFIED = auto()
    FINAL = auto()
    BECOMES = auto()
    STUN = auto()
    WOUND = auto()
    RANGE = auto()
    PBR = auto()
    RM = auto()
    WITHIN = auto()
    RANGED = auto()
    FIGURE = auto()
    COVERING = auto()
    FLAG = auto()
    PACE = auto()
    GIVEN = auto()
    TOTAL = auto()
    LAST = auto()
    PRICE_TO = auto()
    PRICE = auto()
    PARTS = auto()
    DIAGONAL = auto()
    FORWARD = auto()
    SIDEWAYS = auto()
    BACKWARD = auto()
    TURN = auto()
    DOOR = auto()
    PASS = auto()
    PICK_UP = auto()
    SWITCH = auto()
    POOL = auto()
    RESULTS = auto()
    HITS = auto()
    DIFFICULTY = auto()
    MODAL = auto()
    STOP = auto()


NUMBERS = {
    word: value
    for value, words in enumerate(
        ("ein eine einen einem one", "zwei two", "drei three", "vier four", "fünf five", "sechs six", "sieben seven",
         "acht eight", "neun nine", "zehn ten"), 1
    )
    for word in words.split()
}  # fmt: skip
_N = rf"(?:\d{{1,3}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_FACES = rf"(an? )?({_N}(, {_N})*,? or ({_N}|more|better|higher)|{_N}(-{_N}|\+)?)"
_NEEDS = rf"(requires?|needs?( to roll)?|rolls?( of)?) {_FACES}( results?)?( on 1d12)?(,? (to|you|it|she|he|will|would))*"
_ON = rf"( (it|him|her|(a|the) \w+))? on (an? )?((attack )?roll of )?{_FACES}"
_DECLARES = "(declare[sd]?|elect(s|ed)? to|was|were|is|be|been)"
_GRAMMAR = rf"""
start: ({" | ".join(What.__members__)} | _OTHER)*

// --- values of stun and wound, what is added to them, and what must be rolled
PAIR.9: /(?<![\d\/])\d{{1,2}}\/\d{{1,2}}(?![\d\/])/
SIGNED.9: /(?<![\w\/+-])[+−-]\d{{1,2}}(?![\d\/])/
SW.8: /S\/W\b\)?/
MODIFIED.8: /[Mm]odified\b/
FINAL.8: /[Ff]inal\b/
BECOMES.8: /becomes\b|ergibt\b|wird zu\b/
STUN.9: /{_NEEDS} stuns?\b/ | /stuns?{_ON}(?!\w)/
WOUND.9: /{_NEEDS}( (inflict|cause)s? an?)? (wound|kill|eliminate)s?\b/ | /(wound|kill|eliminate)s?{_ON}(?!\w)/

// --- distance, and what stands between
RANGE.8: /{_N} (squares|spaces) away\b/ | /([Aa]t this )?range (of |is )?\(?{_N}\b/
PBR.9: /(point-blank range|PBR|PB range) (of|is) {_N}\b/
RM.9: /(range modifier|RM) (of|is) {_N}\b/
WITHIN.9: /within (its|their|her|his)( weapon's)? (?=PB|point-blank)/
RANGED.9: /ranged? (attack )?(modifier of(?= [+-])|AM\b)/ | /for (the )?range\b/
FIGURE.6: /intervening figure\b/
COVERING.6: /covering attack\b/
FLAG.8: /((mov|enter)ing )?((into|onto|over|within|in|across|one square of) )?(the )?hindering terrain\b/

// --- movement: paces, actions and prices
PACE.9: /{_DECLARES}( (her|him|them)sel(f|ves))?( as| to be)? (running|walking|run|walk|stationary)\b/
GIVEN.9: /(giving|gives|receives?|allotted|has) ((her|him|them) )?{_N} MPs?\b/
TOTAL.9: /total of {_N} [MX]Ps?\b/ | /ha(s|ve) spent {_N} MPs?\b/
     | /[Tt]otal( MPs)? spent is {_N}\b/ | /{_N} MPs? in (all|total)\b/
LAST.8: /([Uu]s(e|es|ing)|[Ss]pend(s|ing)?) (her|his|their|the) last MP( to)?\b/
PRICE_TO.8: /{_N} [MX]Ps? to\b/
PRICE.7: /(?<![+-]){_N} [MX]Ps?\b/
PARTS.9: /: {_N} (to|for)\b/
DIAGONAL.6: /diagonal(ly)?\b/
FORWARD.7: /({_N} squares? )?(straight )?(forward|ahead)( {_N} squares?)?\b/
SIDEWAYS.6: /sideways\b|sidesteps?\b/
BACKWARD.6: /backwards?\b/
TURN.6: /turns?( (her|him)self)?( to)? (left|right|round|around|once)\b|quarter turns?\b/
DOOR.6: /(open|close)(s|ing)? (the|a) door\b/
PASS.6: /(pass|give|hand)(es|s|ing)? ([A-Z]\w+|him|her) (the|an?|his|her) \w+\b/
PICK_UP.6: /pick(s|ing)? up\b/
SWITCH.6: /(switch(es|ing)?|swap(s|ping)?) (her |his |their )?(readied )?weapons?\b/

// --- pools of dice
POOL.8: /{_N} (Würfeln?|dice) (als (Würfel)?[Vv]orrat|as (the|a|its|her|his) pool)\b/
      | /(Würfelvorrat|pool) (von|of) {_N}\b/
      | /([Mm]it|[Ww]ith|rolls?|würfelt|wirft) {_N} (Würfeln?|dice)\b/
RESULTS.8: /\d{{1,2}}(, \d{{1,2}}){{1,9}},? (und|and) \d{{1,2}}(?![\w\/]| [MX]P)/
HITS.8: /{_N} (Erfolge|successes)\b/
DIFFICULTY.8: /(gegen|against) (einen |a )?(Schwierigkeitswert|difficulty)( von| of)? {_N}\b/

MODAL.6: /(wants?|wish(es)?|would|could|cannot|can't|may|might|if|If)\b/
STOP.6: /[.;](?=\s|$)/
_OTHER: /[^\W\d_]+/ | /[+-]?\d+/ | /\S/
%ignore /\s+/
"""


@dataclass(frozen=True)
class Said:
    """One phrase of an example: what it tells of, its numbers (with their signs), its words and where they stand."""

    what: What
    numbers: tuple[int, ...]
    words: str
    start: int
    end: int


@lru_cache(maxsize=256)
def told(text: str) -> tuple[Said, ...]:
    """All phrases of a text that the grammar knows, in their order."""
    return tuple(
        Said(What[token.type], _numbers(token), str(token), token.start_pos, token.end_pos)
        for token in _grammar().parse(text).children
    )


@cache
def _grammar() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr")


_NUMBER = re.compile(rf"(?<![\w/])[+−-]\d+|\b{_N}\b")


def _numbers(words: str) -> tuple[int, ...]:
    return tuple(_value(word) for word in _NUMBER.findall(words))


def _value(word: str) -> int:
    return NUMBERS[word] if word in NUMBERS else int(word.replace("−", "-"))
