"""Two printings of a book: which passages were moved, changed, added and removed, and what that means for rules and findings."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from riese_kb.audit.book import plain
from riese_kb.audit.findings import Finding
from riese_kb.audit.report import Note, Part, Told
from riese_kb.audit.run import audit
from riese_kb.board import System
from riese_kb.errors import RieseError
from riese_kb.fingerprint import State, matches
from riese_kb.passages import Passage, passages
from riese_kb.store import read_toml
from riese_kb.tables import data_root
from riese_kb.typeset import Paper, counted, wrap

ALIKE = 0.6
"""Share of words that a changed passage keeps at least; below it one was removed and another added."""


@dataclass(frozen=True)
class Change:
    """One passage that is not where or what it was: ``how`` is moved, changed, added or removed."""

    how: str
    old: Passage | None
    new: Passage | None

    def to_json(self) -> dict[str, Any]:
        """Places and, for a change, the words that differ; never more of the text."""
        data: dict[str, Any] = {"change": self.how}
        for name, passage in (("old", self.old), ("new", self.new)):
            data[name] = None if passage is None else {"line": passage.line, "entry": passage.entry}
        if self.how == "changed":
            data["words"] = self.words()
        return data

    def words(self) -> list[list[str]]:
        """Pairs of what stood and what stands instead."""
        assert self.old is not None
        assert self.new is not None
        one, other = self.old.text.split(), self.new.text.split()
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        return [[" ".join(one[a:b]), " ".join(other[c:d])] for op, a, b, c, d in matcher.get_opcodes() if op != "equal"]


@dataclass(frozen=True)
class Example:
    """A stored example whose answer is another one where a suspect rule does not hold."""

    board: str
    ask: str
    rule: str
    was: str
    becomes: str

    def to_json(self) -> dict[str, str]:
        """The board and its question, the rule, and both verdicts."""
        return {"board": self.board, "ask": self.ask, "rule": self.rule, "verdict": self.was, "without": self.becomes}


@dataclass
class Difference:
    """Everything that differs between two printings."""

    changes: list[Change]
    suspect: list[str] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    gone: list[Finding] = field(default_factory=list)
    come: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.changes or self.suspect or self.gone or self.come)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "passages": [change.to_json() for change in self.changes],
            "suspect": self.suspect,
            "examples": [example.to_json() for example in self.examples],
            "findings": {"gone": [f.to_json() for f in self.gone], "new": [f.to_json() for f in self.come]},
            **({"skipped": self.skipped} if self.skipped else {}),
        }


def difference(old: str, new: str, system: System | None = None, progress: Callable[[str], None] = lambda _: None) -> Difference:
    """Compare two texts; with ``system``, name the rules of its catalogue whose passage was the same and is no longer."""
    progress("passages")
    found = Difference(list(_changes(list(passages(old)), list(passages(new)))))
    if system is not None:
        before = {match.rule: match for match in matches(system, old)}
        found.suspect = [
            match.rule
            for match in matches(system, new)
            if match.state is not before[match.rule].state or match.fingerprint != before[match.rule].fingerprint
            if before[match.rule].state is not State.MISSING or match.state is not State.MISSING
        ]
        progress("stored examples")
        found.examples = list(_hanging_on(system, found.suspect))
    one = audit(old, progress=lambda step: progress(f"old: {step}"))
    other = audit(new, progress=lambda step: progress(f"new: {step}"))
    found.skipped = [f"old: {said}" for said in one.skipped] + [f"new: {said}" for said in other.skipped]
    first, second = one.findings, other.findings
    known, later = {_what(f) for f in first}, {_what(f) for f in second}
    found.gone = [f for f in first if _what(f) not in later]
    found.come = [f for f in second if _what(f) not in known]
    return found


def _hanging_on(system: System, suspect: Sequence[str]) -> Iterator[Example]:
    """Every stored question that names a suspect rule, asked as it is and ``without`` that rule."""
    folder = os.path.join(data_root(), "queries", str(system))
    for name in sorted(os.listdir(folder)) if suspect else ():
        if not name.endswith(".questions.toml"):
            continue
        about = name.removesuffix(".questions.toml")
        kind = "team" if os.path.exists(os.path.join(folder, f"{about}.team.toml")) else "board"
        path = os.path.join(folder, f"{about}.{kind}.toml")
        for question in read_toml(os.path.join(folder, name)).get("question", ()):
            for rule in suspect:
                if rule in (*question.get("uses", ()), *question.get("breaks", ())):
                    yield from _asked_twice(path, f"queries/{system}/{about}.{kind}.toml", question["ask"], rule)


def _asked_twice(path: str, board: str, question: str, rule: str) -> Iterator[Example]:
    from riese_kb.asking import ask

    try:
        was, becomes = ask(path, question), ask(path, f"{question} without {rule}")
    except RieseError:
        return  # an example of a question that is refused
    if (was.verdict, was.result) != (becomes.verdict, becomes.result):
        yield Example(board, question, rule, was.verdict, becomes.verdict)


def _what(finding: Finding) -> tuple[str, str, str]:
    return finding.kind, finding.at.entry, finding.message


def _changes(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[Change]:
    """Passages with the same words first, wherever they stand; then likely pairs within an entry; then the rest."""
    left, right = defaultdict[str, list[Passage]](list), defaultdict[str, list[Passage]](list)
    for passage in old:
        left[passage.mark].append(passage)
    for passage in new:
        right[passage.mark].append(passage)
    removed: list[Passage] = []
    added: list[Passage] = []
    for mark in {**left, **right}:
        here, there = list(left[mark]), list(right[mark])
        for passage in list(here):
            same = next((other for other in there if other.entry == passage.entry), None)
            if same is not None:
                here.remove(passage)
                there.remove(same)
        pairs = min(len(here), len(there))
        yield from (Change("moved", one, other) for one, other in zip(here, there, strict=False))
        removed += here[pairs:]
        added += there[pairs:]
    yield from _edited(removed, added)


def _edited(removed: list[Passage], added: list[Passage]) -> Iterator[Change]:
    waiting = sorted(removed, key=lambda p: p.line)
    for passage in sorted(added, key=lambda p: p.line):
        words = plain(passage.text).split()
        likely = [other for other in waiting if other.entry == passage.entry] or waiting[:200]
        shares = [
            (
                SequenceMatcher(None, plain(other.text).split(), words, autojunk=False).ratio(),
                -abs(other.line - passage.line),
                other,
            )
            for other in likely
        ]
        share, _, best = max(shares, key=lambda s: s[:2], default=(0.0, 0, passage))
        if share >= ALIKE:
            waiting.remove(best)
            yield Change("changed", best, passage)
        else:
            yield Change("added", None, passage)
    yield from (Change("removed", passage, None) for passage in waiting)


def lines(found: Difference, paper: Paper) -> Iterator[str]:
    """The same as text."""
    for how in ("changed", "added", "removed", "moved"):
        group = [change for change in found.changes if change.how == how]
        if group:
            yield paper.bold(f"{how.capitalize()} ({len(group)})")
            for change in group:
                yield from _told(change, paper)
            yield ""
    if found.suspect:
        yield paper.bold(f"Rules whose passage is another one now ({len(found.suspect)})")
        yield from wrap(", ".join(found.suspect), paper.width, "  ")
        yield ""
    if found.examples:
        yield paper.bold(f"Stored examples whose answer hangs on such a rule ({len(found.examples)})")
        for one in found.examples:
            yield from map(paper.plain, wrap(f"{one.board}: {one.ask} ({one.rule}: {_turned(one)})", paper.width, "  "))
        yield ""
    for title, findings in (("Findings that are gone", found.gone), ("New findings", found.come)):
        if findings:
            yield paper.bold(f"{title} ({len(findings)})")
            for finding in findings:
                yield from map(
                    paper.plain, wrap(f"{finding.at.entry[:40]}: {finding.message}", paper.width, f"{finding.at.line:>6}  ")
                )
            yield ""
    for said in found.skipped:
        yield paper.dim(f"left out: {said}")
    yield paper.bold(f"{_differ(found)}, {counted(len(found.suspect), 'rule')} suspect")


def _differ(found: Difference) -> str:
    return f"{counted(len(found.changes), 'passage')} {'differs' if len(found.changes) == 1 else 'differ'}"


def _told(change: Change, paper: Paper) -> Iterator[str]:
    numbers = " → ".join(str(p.line) for p in (change.old, change.new) if p is not None)
    yield from map(paper.plain, wrap(_in_words(change), paper.width, f"  {numbers:>11}  "))


def _in_words(change: Change) -> str:
    text = " → ".join(dict.fromkeys(p.entry[:40] for p in (change.old, change.new) if p is not None))
    if change.how == "changed":
        text += ": " + "; ".join(f"“{_short(old)}” is now “{_short(new)}”" for old, new in change.words()[:4])
    return text


def _short(words: str) -> str:
    """At most a dozen words of the book."""
    several = words.split()
    return " ".join(several[:12]) + (" …" if len(several) > 12 or not several else "")


def told(found: Difference, old: str, new: str) -> Told:
    """The same for pages and tools: what is gone stands in OLD, everything else in NEW."""
    notes = []
    for change in found.changes:
        passage = change.new or change.old
        assert passage is not None
        notes.append(Note("passage", f"{change.how}: {_in_words(change)}", new if change.new else old, passage.line))
    notes += [Note("suspect", rule, new) for rule in found.suspect]
    notes += [Note("example", f"{one.board}: {one.ask} ({one.rule}: {_turned(one)})", new) for one in found.examples]
    parts = [Part("New findings", found.come, "new"), Part("Findings that are gone", found.gone, "absent")]
    return Told(f"{old} and {new}: {_differ(found)}", parts, notes, found.skipped)


def _turned(one: Example) -> str:
    return one.was if one.was == one.becomes else f"{one.was}, without it {one.becomes}"
