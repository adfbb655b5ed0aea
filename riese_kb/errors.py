"""The one family of errors that a user can meet.

Every error says *where* (file and line, where known), *what* is wrong, and *what to try next*. The command line prints
it as one message and leaves with status 2 (``Undecided``: 3); nothing here is ever shown as a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable


class RieseError(Exception):
    """Something the user gave could not be used.

    ``what`` is the fault in one sentence, ``fix`` the nearest thing that would work, ``file`` and ``line`` (1-based)
    the place, as far as it is known.
    """

    def __init__(self, what: str, *, fix: str | None = None, file: str | None = None, line: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = "" if self.file is None else self.file if self.line is None else f"{self.file}:{self.line}"
        if self.file is None and self.line is not None:
            place = f"line {self.line}"
        text = f"{place}: {self.what}" if place else self.what
        return f"{text} ({self.fix})" if self.fix else text


class BoardError(RieseError):
    """A board file that cannot be read, or a board that cannot stand."""


class QuestionError(RieseError):
    """A question that cannot be read, or that asks after something the board does not have."""


class RulesError(RieseError):
    """A rule file, a rule id or a reading that cannot be used."""


class MissingValue(QuestionError):
    """The book prints no value for something the question needs, and the board supplies none."""


class Undecided(RieseError):
    """The question is sound, but its answer was not found within the stated limits."""


def nearest(word: str, known: Iterable[str], *, count: int = 1) -> list[str]:
    """The known spellings closest to ``word``, best first; empty when nothing is close."""
    import difflib  # needed only once something is wrong, and slow to import

    by_fold = {k.casefold(): k for k in known}
    return [by_fold[m] for m in difflib.get_close_matches(word.casefold()[:80], by_fold, n=count, cutoff=0.5)]


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint "did you mean …?", or the short list of what there is, or None when there is nothing to offer."""
    known = list(known)
    close = nearest(word, known)
    if close:
        return f"did you mean {close[0]}?"
    if known:
        shown = ", ".join(sorted(known)[:8])
        return f"known: {shown}" + (", …" if len(known) > 8 else "")
    return None
