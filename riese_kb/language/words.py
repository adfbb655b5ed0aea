"""The words of a question: how a line is cut, and what each word may be at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

_PIECE = re.compile(
    r"""\s+ | ,(?=\s*(?:with|without|under)\s)
    | ( "[^"]*" | '[^']*' | [“„][^“”„]*[“”] | ‘[^‘’]*’ | [,=] | [^\s,="“”„]+ | . )""",
    re.IGNORECASE | re.VERBOSE,
)


class Word(str):
    """One word with what the grammar takes it for (``type``) and its place in the text; lark takes it for one of its tokens."""

    type: str
    start_pos: int
    end_pos: int
    line = column = end_line = end_column = None

    def __new__(cls, type: str, text: str, start: int, end: int) -> Word:
        word = super().__new__(cls, text)
        word.type, word.start_pos, word.end_pos = type, start, end
        return word

    @property
    def value(self) -> str:
        """The bare text."""
        return str(self)


class Kinds:
    """What a word can be in each state of the parser: a keyword that is accepted there, else the first shape that fits."""

    def __init__(
        self, keywords: Mapping[str, str], shapes: Sequence[tuple[str, str]], accepts: Mapping[int, Collection[str]]
    ) -> None:
        self.keywords = keywords
        self.accepts = accepts
        self._shapes = [(name, re.compile(pattern)) for name, pattern in shapes]

    def of(self, word: str, state: int) -> str:
        """The name of its kind; STRAY where it fits nowhere."""
        accepted = self.accepts[state]
        kind = self.keywords.get(word.lower())
        if kind is not None and kind in accepted:
            return kind
        return next((name for name, shape in self._shapes if name in accepted and shape.fullmatch(word)), "STRAY")


def cut(text: str, kinds: Kinds, state: Callable[[], int]) -> Iterator[Word]:
    """The words of a text, each taken for what it can be where the parser is then."""
    for piece in _PIECE.finditer(text):
        word = piece[1]
        if word is not None:
            yield Word(kinds.of(word, state()), word, piece.start(1), piece.end(1))
