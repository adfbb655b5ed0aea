"""Lines that a scan spaced letter by letter (``K A M P F``, ``d ie C ha ra k te re``), put together again.

A word ends only where the page has a blank. Where words are set further apart than letters that is enough; elsewhere the
book's other lines say which words there are, and the likeliest sequence of them is taken. A line in which little is known
stays as it is printed and is named.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

LONGEST = 32
"""Pieces that one word may have been broken into."""
MOST = 60_000
"""Characters that are put together with other lines' words: a book of such pages has no other lines."""
KNOWN = 0.6
"""Share of a line's letters that must stand in known words for the line to count as read."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WIDE = re.compile(r"(?:\S )*\S(?:  +(?:\S )*\S)+")
_RUN = re.compile(r"(?<!\S)(?:[^\W\d_] ){3,}[^\W\d_](?![^\s.,;:!?)-])")
_BULLET = re.compile(r"\s*(?:[-•*] )?")
_TIGHT = re.compile(r" +([,.;:!?)])|(\() +")
_OPENS, _CLOSES = "„“”\"'(»«[‚’", "„“”\"'.,;:!?)»«]‘’"


def spaced(text: str) -> bool:
    """Whether a text is spaced letter by letter, as scans of ornate pages are: nothing can be compared there."""
    words = _LETTERS.findall(text) if text[:1] != "|" and text.count(" ") * 3 > len(text) - 6 else ()
    return len(words) > 3 and sum(map(len, words)) < 2.5 * len(words)


def joined(lines: Sequence[str], longest: int = 20_000) -> tuple[list[str], list[int]]:
    """The lines with their words put together, as many as before; and the numbers, from 1, of those that others helped with.

    Lines of more than ``longest`` characters are left alone.
    """
    made = list(lines)
    suspects = [
        at for at, line in enumerate(lines) if len(line) <= longest and line.count(" ") * 5 > len(line) and _suspect(line)
    ]
    if not suspects:
        return made, []
    broken = set(suspects)
    words = Lexicon.of(line for at, line in enumerate(lines) if at not in broken)
    left = []
    for at in suspects:
        line = lines[at].strip()
        if _WIDE.fullmatch(line):
            made[at] = " ".join(part.replace(" ", "") for part in re.split(r"  +", line))
        elif _stray(rest := _RUN.sub("", line)) or words.share([rest]) < KNOWN:
            left.append(at)
        else:
            made[at] = _RUN.sub(lambda run: _run(run[0], words), lines[at])
    if sum(len(lines[at]) for at in left) > MOST:
        return made, []
    for run in _runs(left, lines):
        for at, text in zip(run, words.read([made[at] for at in run]), strict=True):
            made[at] = text if text != lines[at] else _RUN.sub(lambda run: _run(run[0], words), text)
    return made, [at + 1 for at in left if made[at] != lines[at]]


def _suspect(line: str) -> bool:
    return line.lstrip()[:1] != "|" and (
        _broken(line) or any(not _listed(run) for run in _RUN.findall(line)) or (_stray(line) > 0 and spaced(line.strip()))
    )


def _broken(line: str) -> bool:
    """Many single letters that are no words, for a line of its length."""
    single = _stray(line)
    return single >= 3 and single * 8 >= len(line.split())


def _stray(line: str) -> int:
    """Single letters that are no words; where all are capitals they are marks of a map, or a list."""
    single = [letter for token in line.split() if len(letter := token.strip(_SIGNS)) == 1 and letter not in _ALONE]
    return len(single) if any(letter.islower() for letter in single) else 0


_SIGNS = "„“”\"'.,;:!?()»«[]‚‘’-–•*0123456789/+"
_ALONE = frozenset("aAIxXOS")
"""Letters that stand alone in sound lines: words, a sign of multiplication, marks on a map."""


def _listed(run: str) -> bool:
    """``A B C D``: letters in the alphabet's order."""
    return all(ord(b) - ord(a) == 1 for a, b in pairwise(run[::2]))


def _run(run: str, words: Lexicon) -> str:
    """A word set letter by letter in a line that is not."""
    if _listed(run):
        return run
    letters = run.replace(" ", "")
    (text,) = words.read([run])
    return text if text != run else letters if letters.isupper() or len(letters) > 5 else run


def _runs(suspects: Sequence[int], lines: Sequence[str]) -> Iterator[list[int]]:
    """Neighbours, with nothing but empty lines between them: words run on from one to the next."""
    run: list[int] = []
    for at in suspects:
        if run and any(lines[between].strip() for between in range(run[-1] + 1, at)):
            yield run
            run = []
        run.append(at)
    if run:
        yield run


@dataclass(frozen=True)
class Lexicon:
    """The words of a book's sound lines, with how often each stands there."""

    counts: Counter[str]
    costs: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterator[str]) -> Lexicon:
        """All words of these lines; a syllable must come again to count."""
        counts = Counter(word for line in lines for word in _LETTERS.findall(line))
        return cls(
            Counter(
                {word: n for word, n in counts.items() if len(word) > 3 or (len(word) > 1 and n > 2) or word in ("a", "A", "I")}
            )
        )

    @cached_property
    def total(self) -> float:
        """The logarithm of the number of words."""
        return math.log(sum(self.counts.values()) + 2)

    @cached_property
    def folded(self) -> Counter[str]:
        """The same without case."""
        found: Counter[str] = Counter()
        for word, n in self.counts.items():
            found[word.casefold()] += n
        return found

    def knows(self, word: str) -> bool:
        """Whether it is a word of the book, in any case, or made of two."""
        return word.casefold() in self.folded or self._compound(word) is not None

    def cost(self, word: str) -> float:
        """How unlikely a word is, worked out once."""
        if word not in self.costs:
            self.costs[word] = self._cost(word)
        return self.costs[word]

    def _cost(self, word: str) -> float:
        """How unlikely a word is: less than its letters one by one only if it is known."""
        if word in self.counts:
            return self.total - math.log(self.counts[word])
        fold = word.casefold()
        if fold in self.folded and (word.istitle() or word.isupper()):
            return self.total - math.log(self.folded[fold]) + 1
        two = self._compound(word) if len(word) > 6 else None
        return min(two if two is not None else math.inf, max(self.total, 9) + 2 + 2.5 * len(word) + (10 if len(word) == 1 else 0))

    def _compound(self, word: str) -> float | None:
        """``Kampf`` + ``wurf``, ``Verstand`` + ``s`` + ``wurf``: the likeliest two words that it is made of."""
        fold = word.casefold()
        first = self.folded if word[0].isupper() else self.counts  # no noun begins with a small letter
        costs = []
        for cut in range(3, len(fold) - 2):
            head = fold[:cut] if fold[:cut] in first else fold[:cut].removesuffix("s")
            if head in first and fold[cut:] in self.folded:
                costs.append(2 * self.total + 5 - math.log(first[head]) - math.log(self.folded[fold[cut:]]))
        return min(costs, default=None)

    def read(self, lines: Sequence[str]) -> list[str]:
        """The likeliest words of lines that run on; those of which too little is known as they are printed."""
        marks = [_BULLET.match(line)[0] for line in lines]  # type: ignore[index] # it matches an empty text
        atoms = [(atom, at) for at, line in enumerate(lines) for atom in line[len(marks[at]) :].split()]
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(atoms) + 1):
            ways = []
            for start in range(end - 1, max(-1, end - LONGEST - 1), -1):
                text = "".join(atom for atom, _ in atoms[start:end])
                ways.append((best[start][0] + self._whole(text, atoms[end - 1][1] - atoms[start][1]), start))
                before = atoms[start - 1][0] if start else "."
                if before[-1] in _CLOSES or atoms[start][0][0].isdigit() or before[-1].isdigit():
                    break
            best.append(min(ways))
        words: list[list[str]] = [[] for _ in lines]
        end = len(atoms)
        while end:
            start = best[end][1]
            words[atoms[start][1]].insert(0, "".join(atom for atom, _ in atoms[start:end]))
            end = start
        texts = [mark + _TIGHT.sub(r"\1\2", " ".join(found)) for mark, found in zip(marks, words, strict=True)]
        return texts if self.share(texts) >= KNOWN else list(lines)

    def _whole(self, text: str, breaks: int) -> float:
        if text.isalpha() and (text[1:].islower() or len(text) == 1):
            return self.cost(text) + 3 * breaks
        word = text.lstrip(_OPENS).rstrip(_CLOSES)
        if not word or not any(c.isalpha() for c in word):
            return 3.0
        inside = [part for part in re.split(r"-", word) if part]
        odd = sum(not c.isalpha() for c in word.replace("-", ""))
        late = sum(c.isupper() for c in word[1:]) if not word.isupper() and "-" not in word else 0
        return sum(self.cost(part) for part in inside) + 4 * odd + 6 * late + 3 * breaks

    def share(self, texts: Sequence[str]) -> float:
        """How much of the letters stands in known words."""
        words = [word for text in texts for word in _LETTERS.findall(text)]
        return sum(len(word) for word in words if self.knows(word)) / max(1, sum(map(len, words)))
