"""The language of questions: text to plain data and back (contract, section 2).

``parse_question`` reads a line, ``resolve`` checks its names against a board, ``format_question`` writes it again and
``complete`` offers the next words. The words that mean something stand in ``questions.lark``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from riese_kb.errors import QuestionError
from riese_kb.language.faults import EXAMPLES, Fault, UnreadableQuestion, unexpected, unreadable
from riese_kb.language.quick import read
from riese_kb.language.reader import MAX_ACTIONS
from riese_kb.language.resolve import resolve
from riese_kb.language.wording import format_question
from riese_kb.question import Question

__all__ = [
    "EXAMPLES",
    "MAX_ACTIONS",
    "MAX_LENGTH",
    "UnreadableQuestion",
    "complete",
    "format_question",
    "parse_question",
    "resolve",
]

MAX_LENGTH = 2_000
"""How many characters a question may have."""


def parse_question(text: str) -> Question:
    """The question that a line of text asks; names and squares stay as they are written until ``resolve``.

    Blanks around it and question marks at its end do not count. Raises ``UnreadableQuestion`` with the place of the
    fault, and a plain ``QuestionError`` for what is too long, is no line of text, or comes in a later version.
    """
    _check_characters(text)
    text = text.strip()
    asked = text.rstrip("? ")
    if not asked:
        raise QuestionError("the question is empty", fix=f"for example: {EXAMPLES['can']}")
    try:
        question = read(asked) or _slowly(asked)
    except Fault as fault:
        raise unreadable(asked, fault) from None
    return replace(question, text=text)


def _slowly(text: str) -> Question:
    """The same by lark, which can say why a text is no question."""
    from lark import UnexpectedToken

    from riese_kb.language.grammar import keywords, parser

    try:
        # The transformer runs while lark parses, so what comes back is its Question; lark says Tree.
        question: Question = parser().parse(text)  # type: ignore[assignment]
    except UnexpectedToken as error:
        raise unexpected(text, error, keywords()) from None
    return question


def _check_characters(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise QuestionError(f"the question has {len(text):,} characters", fix=f"at most {MAX_LENGTH:,}")
    text = text.strip("\r\n")
    if not text.isprintable():
        at, bad = next((i, char) for i, char in enumerate(text) if not char.isprintable())
        raise QuestionError(
            f"character {at + 1} of the question (U+{ord(bad):04X}) cannot be printed",
            fix="a question is one line of plain text",
        )


def complete(prefix: str, figures: Iterable[str] = ()) -> list[str]:
    """The keywords that may come next, or that the last word of ``prefix`` may become; sorted.

    ``figures`` are the ids to offer where one may stand. Otherwise empty where only a name can follow (a square, an item …),
    and where the text is no beginning of a question.
    """
    from lark import UnexpectedInput

    from riese_kb.language.grammar import keywords, parser

    if len(prefix) > MAX_LENGTH:
        return []
    begun = re.split(r"[\s,]", prefix)[-1]
    state = parser().parse_interactive(prefix[: len(prefix) - len(begun)].strip(" "))
    try:
        state.exhaust_lexer()
    except (UnexpectedInput, Fault):
        return []
    # accepts() of lark has no annotations.
    accepted = state.accepts()  # type: ignore[no-untyped-call]
    words = {keywords().get(terminal, "") for terminal in accepted}
    found = sorted(word for word in words if word[:1].isalpha() and word.startswith(begun.lower()))
    named = figures if not {"FIGURE", "PLACE"}.isdisjoint(accepted) else ()
    return [*(id for id in named if id.lower().startswith(begun.lower())), *found]
