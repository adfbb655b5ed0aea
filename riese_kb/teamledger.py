"""The numbers of an answer about a team as text: every line of the ledger with its rule, and what the result holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from riese_kb.answer import Answer, Line
from riese_kb.question import BetweenScenarios, Play, Replay, TeamAbout, ThreatAfter, Victory
from riese_kb.team import Team
from riese_kb.typeset import Paper, Row, counted, listed, table, wrap


class Page(Protocol):
    """What the text of any answer can do (``ledger.Numbers``)."""

    answer: Answer
    paper: Paper

    def source(self, rule: str, cite: str) -> str:
        """A rule with its citation."""

    def title(self, rule: str) -> str:
        """What the catalogue calls it."""

    def heading(self, text: str) -> str:
        """The first line of a section."""


def team_lines(page: Page, about: TeamAbout) -> Iterator[str]:
    """The ledger and the result."""
    team = page.answer.team
    assert team is not None, "an answer about a team holds it"
    result = page.answer.result
    match about:
        case ThreatAfter():
            yield from _threat(page, result)
        case BetweenScenarios():
            yield from _between(page, team, result)
        case _:
            yield from _terms(page)
    if isinstance(about, Play | Victory):
        yield from _band(result)
    if isinstance(about, Play) and "of" in result:
        yield f"  {result['places']} of {result['of']} places"
        if "joins" in result:
            yield f"  with {result['joins']}"
    if isinstance(about, Replay):
        yield f"  {result['used']} of {result['of']} used so far, {result['left']} left{' after this one' * page.answer.legal}"
    if isinstance(about, Replay) and result.get("reverts"):
        yield f"  as they were before: {listed(result['reverts'])}"
    if "replaces" in result:
        yield f"  no longer of use: {listed(result['replaces'])}"
    if "nothing_for" in result:
        yield f"  nothing for: {listed(result['nothing_for'])}"


def _band(result: dict[str, Any]) -> Iterator[str]:
    """Who goes, by rank."""
    for rank in ("characters", "troopers"):
        if result[rank]:
            yield f"  {rank}: {listed(result[rank])}"


def _terms(page: Page, heading: str = "Term by term") -> Iterator[str]:
    """Every line of the ledger: of whom or what, how much, by which rule."""
    lines = page.answer.ledger
    if not lines:
        return
    yield page.heading(heading)
    rows = [Row((line.at, _amount(page, line), page.title(line.rule)), page.source(line.rule, line.cite)) for line in lines]
    yield from table(page.paper, rows, right=(1,))


def _amount(page: Page, line: Line) -> str:
    if line.unit in ("threat", "health"):
        return page.paper.signed(line.amount)
    if line.unit == "XP":
        return f"{line.amount} XP"
    return counted(line.amount, line.unit)


def _threat(page: Page, result: dict[str, Any]) -> Iterator[str]:
    if page.answer.violations:
        return
    yield from _terms(page, "Threat")
    yield "  " + page.paper.bold(page.paper.plain(f"{result['before']} → {result['after']}"))
    if result["effects"]:
        yield ""
        yield page.heading("In force from the next scenario on")
        for effect in result["effects"]:
            yield f"  {effect}{' (new)' if effect in result['new'] else ''}"


def _between(page: Page, team: Team, result: dict[str, Any]) -> Iterator[str]:
    if page.answer.violations:
        return
    yield page.heading("To be recorded")
    yield f"  scenario {result['scenario']} as the one played last"
    if team.replayed:
        yield f"  {counted(team.replayed, 'replay')} used on it"
    for hero, amount in result["heals"].items():
        yield f"  {hero}: {amount} health back"
    yield ""
    yield from _threat(page, result["threat"])
    yield ""
    yield page.heading("Open to the team")
    rows = [("items", "rearranged freely between heroes")] if result["rearranges"] else []
    rows += [("medkit", words) for words in _medkits(result["medkits"])] or [("medkit", "nobody to use it, or on nobody")]
    for hero, offers in result["skills"].items():
        words = ", ".join(f"{offer['skill']} ({offer['xp']} XP, {offer['left']} left)" for offer in offers)
        rows.append(("skills", f"{hero}: {words}"))
    if not result["skills"]:
        rows.append(("skills", "none that anybody can pay for"))
    choices = [one["what"] + (f" ({one['scenario']})" if "scenario" in one else "") for one in result["one_of"]]
    rows.append(("one of", listed(choices, "or") if choices else "nothing more until the next campaign scenario"))
    lead = ""
    for name, words in rows:
        shown = "" if name == lead else name
        lead = name
        yield from wrap(page.paper.plain(words), page.paper.width, f"  {shown:<8}")
    if "trade" in {one["what"] for one in result["one_of"]}:
        yield "  The manual does not say what a trade is worth."


def _medkits(kits: list[dict[str, Any]]) -> list[str]:
    users: dict[str, list[str]] = {}
    for kit in kits:
        before, after = kit["health"]
        users.setdefault(kit["from"], []).append(f"{kit['to']} (health {before} to {after})")
    return [f"of {user}, on {listed(patients, 'or')}" for user, patients in users.items()]
