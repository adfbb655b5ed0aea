"""Asking: from a board and a line of text to an answer; one question or many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from riese_kb.again import further
from riese_kb.answer import Answer, Further, Line, Override, Violation
from riese_kb.board import Board
from riese_kb.catalogue import find_rule, rule_ids
from riese_kb.draft import Charge, Draft
from riese_kb.drafting import drafted
from riese_kb.errors import RieseError, RulesError, did_you_mean
from riese_kb.grounding import drive
from riese_kb.language import parse_question, resolve
from riese_kb.position import Position, Terms
from riese_kb.program import settle
from riese_kb.question import (
    About,
    BetweenScenarios,
    Can,
    Question,
    Step,
    ThreatAfter,
    Zombie,
    ZombieTurn,
)
from riese_kb.rings import RingBoard
from riese_kb.ringstand import RingStand
from riese_kb.roster import Roster
from riese_kb.scenarios import find_scenario
from riese_kb.tables import characters, skill_id, skill_values
from riese_kb.team import Sheet, Team
from riese_kb.worlds import Stand, Steps, together

if TYPE_CHECKING:
    from riese_kb.house_rules import HouseRules

AT_ONCE = 400
"""Questions of a batch that are answered side by side."""


def ask(board: Sheet | str | os.PathLike[str], question: str | Question) -> Answer:
    """Answer one question about a board or a team, or about the one in a file.

    Raises ``QuestionError`` when the question cannot be read or names what the board does not have, ``MissingValue`` when
    it needs a number that neither book nor board gives, ``RulesError`` for unknown rules, readings and rule files.
    """
    if not isinstance(board, Board | Team | RingBoard):
        from riese_kb.teamfile import load_sheet

        board = load_sheet(board)
    position = stand_of(board)
    read = read_question(board, question)
    terms = terms_of(board, read)
    draft = drive(drafted(position, read.about, terms))
    more = drive(_besides(position, read, terms, draft)) if read.why_not else {}
    return _finish(board, read, terms, draft, lambda: drive(further(position, read, terms, draft)), more)


def ask_all(asked: Sequence[tuple[Sheet, str | Question]]) -> Iterator[Answer | RieseError]:
    """Answer many questions, in order; an error takes the place of the answer it belongs to.

    Questions about one board share groundings, so that a batch is many times faster than asking one by one.
    """
    for start in range(0, len(asked), AT_ONCE):
        yield from drive(together(_guarded(board, question) for board, question in asked[start : start + AT_ONCE]))


def _guarded(board: Sheet, question: str | Question) -> Steps[Answer | RieseError]:
    try:
        answer: Answer = yield from _answer(board, read_question(board, question))
    except RieseError as error:
        return error
    return answer


_STANDS: dict[int, tuple[Sheet, Stand]] = {}
"""Those of the sheets asked about last, by identity: a sheet may be too large to compare."""


def stand_of(sheet: Sheet) -> Stand:
    """What a question is worked out from: the position of a board, the roster of a team, the stand of a board of rings."""
    known = _STANDS.get(id(sheet))
    if known is None or known[0] is not sheet:
        if len(_STANDS) >= 16:
            _STANDS.pop(next(iter(_STANDS)))
        known = _STANDS[id(sheet)] = (sheet, _stand(sheet))
    return known[1]


def _stand(sheet: Sheet) -> Stand:
    if isinstance(sheet, RingBoard):
        return RingStand(sheet)
    return Roster(sheet) if isinstance(sheet, Team) else Position(sheet)


def rings_of(board: RingBoard) -> RingStand:
    """The stand of a board of rings."""
    stand = stand_of(board)
    assert isinstance(stand, RingStand)
    return stand


def roster_of(team: Team) -> Roster:
    """The roster of a team."""
    stand = stand_of(team)
    assert isinstance(stand, Roster)
    return stand


def position_of(board: Board) -> Position:
    """The position of a board."""
    stand = stand_of(board)
    assert isinstance(stand, Position)
    return stand


def read_question(board: Sheet, question: str | Question) -> Question:
    """The question with its names as the sheet has them. Raises ``QuestionError``."""
    if isinstance(question, str):
        question = parse_question(question)
    return resolve(question, board)


def terms_of(board: Sheet, question: Question) -> Terms:
    """The law a question is asked under. Raises ``RulesError``."""
    scenario = _scenario(board, question.scenarios)
    files = [_rules_file(path, board.file) for path in question.rules]
    extra = "".join(file.text for file in files)
    own = {rule: (title, file.file) for file in files for rule, title in file.titles.items()}
    for rule in question.without:
        if rule not in own and rule not in rule_ids(board.system):
            raise RulesError(f"no rule is called {rule!r}", fix=did_you_mean(rule, rule_ids(board.system) | own.keys()))
    return Terms(
        settle(board.system, question.under),
        frozenset(question.without),
        extra,
        own,
        tuple(file.file for file in files),
        starts=tuple(sum(f.text.count("\n") for f in files[:n]) for n in range(len(files))),
        blame={key: (file.file, line) for file in reversed(files) for key, line in file.lines.items()},
        endless=next(((file.file, file.endless) for file in files if file.endless is not None), None),
        scenario=scenario,
    )


def _scenario(board: Sheet, numbers: tuple[str, ...]) -> str:
    """The number of the scenario whose rules are laid over the book's; empty without one, or where it changes no answer."""
    found = {scenario.number: scenario for scenario in (find_scenario(board.system, number) for number in numbers)}
    if len(found) > 1:
        both = " and ".join(scenario.called for scenario in found.values())
        raise RulesError(f"one scenario is played at a time, not {both}", fix="name one of them")
    return next((number for number, scenario in found.items() if scenario.file), "")


def _rules_file(path: str, board_file: str | None) -> HouseRules:
    from riese_kb.house_rules import read_rules

    if not os.path.isabs(path) and board_file is not None and not os.path.exists(path):
        beside = os.path.join(os.path.dirname(board_file), path)
        path = beside if os.path.exists(beside) else path
    return read_rules(path)


def _answer(board: Sheet, question: Question) -> Steps[Answer]:
    position = stand_of(board)
    terms = terms_of(board, question)
    draft = yield from drafted(position, question.about, terms)
    more = (yield from _besides(position, question, terms, draft)) if question.why_not else {}
    found = yield from further(position, question, terms, draft)
    return _finish(board, question, terms, draft, lambda: found, more)


def _besides(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[dict[str, Any]]:
    from riese_kb.why_not import why_not

    return why_not(position, question, terms, draft)


def _finish(
    board: Sheet, question: Question, terms: Terms, draft: Draft, further: Further, more: Mapping[str, Any] | None = None
) -> Answer:
    acting = board.figure(str(getattr(question.about, "figure", ""))) if isinstance(board, Board) else None
    ledger = tuple(_line(board, charge, terms, acting.name if acting is not None else None) for charge in draft.ledger)
    violations = []
    for breach in draft.violations:
        rule = find_rule(board.system, breach.rule)
        title, file = terms.rules.get(breach.rule, (breach.rule, "rule file"))
        says = rule.breached(question.language) if rule is not None else title
        if breach.note:
            says = f"{says.rstrip('.')}{breach.note}."
        violations.append(Violation(breach.rule, breach.at, breach.step, says, rule.cite if rule else file))
    return Answer(
        ask=question.text,
        system=str(board.system),
        verdict=str(draft.verdict),
        ledger=ledger,
        violations=tuple(violations),
        result={**draft.result, **more} if more else draft.result,
        look_further=further,
        supplied=draft.supplied,
        caveats=(*draft.missing, *_caveats(board, question.about), *_unchanged(board, question)),
        overridden=tuple(_override(board, rule, by, terms) for rule, by in sorted(draft.overridden)),
        board=board if isinstance(board, Board) else None,
        marks=draft.marks,
        team=board if isinstance(board, Team) else None,
        rings=board if isinstance(board, RingBoard) else None,
        language=question.language,
    )


def _override(board: Sheet, id: str, by: str, terms: Terms) -> Override:
    over, ruling = find_rule(board.system, id), find_rule(board.system, by)
    title, file = terms.rules.get(by, (by, "rule file"))
    known = (ruling.title, ruling.says, ruling.cite) if ruling is not None else (title, title, file)
    return Override(id, by, over.title if over is not None else id, *known)


def _unchanged(board: Sheet, question: Question) -> Iterator[str]:
    """Scenarios that were asked for and hold no rule for any question, and what no answer heeds of the others."""
    for number in question.scenarios:
        scenario = find_scenario(board.system, number)
        if scenario.silent:
            yield f"scenario {scenario.called}, changes no answer: {scenario.silent}"
        if scenario.omits:
            yield f"of scenario {scenario.called}: {scenario.omits}"


def _caveats(board: Sheet, about: About) -> tuple[str, ...]:
    """Skills and powers on the board that touch the question and that no rule of the catalogue heeds yet."""
    found = []
    if isinstance(board, RingBoard):
        from riese_kb.kinds import onrings

        return onrings.caveats(rings_of(board), about)
    if isinstance(board, Team):
        number = about.scenario if isinstance(about, ThreatAfter | BetweenScenarios) else None
        entry = roster_of(board).scenarios[number].entry if number in roster_of(board).scenarios else None
        return (entry,) if entry else ()
    turned = isinstance(about, Can) and any(action.step in (Step.UNLOCK_DOOR, Step.UNLOCK_CABINET) for action in about.actions)
    if turned and not any(marker.kind == "lock" for marker in board.markers):
        found.append("the scenario says which key fits; a marker of kind lock with the key's name tells the board")
    for figure in board.figures:
        if figure.skills and figure.id == getattr(about, "figure", None):
            idle = [name for name in figure.skills if _idle(board.system, name, figure.name)]
            if idle:
                found.append(f"skills that no such question heeds: {', '.join(idle)} ({figure.id})")
        if isinstance(about, Zombie | ZombieTurn):
            if isinstance(about, ZombieTurn) and {"flak-38", "mg-42"} & {*figure.powers}:
                found.append(f"what the shots of {figure.id} do")
            idle = [power for power in figure.powers if f"power.{power}" not in rule_ids(board.system)]
            if idle:
                found.append(f"powers are not in force yet: {', '.join(idle)} ({figure.id})")
    return tuple(found)


def _idle(system: str, skill: str, owner: str | None) -> bool:
    """Whether no rule heeds a skill, or nobody can tell whose weapon it speaks of."""
    id = skill_id(system, skill, owner)
    weapons = skill_values(system).get(id, {}).get("weapons", ())
    return f"skill.{id}" not in rule_ids(system) or (isinstance(weapons, dict) and owner not in weapons)


def _line(board: Sheet, charge: Charge, terms: Terms, name: str | None) -> Line:
    rule = find_rule(board.system, charge.rule)
    _, file = terms.rules.get(charge.rule, ("", "rule file"))
    cite = rule.cite if rule else file
    person = characters(board.system).get(name) if name else None
    if rule is not None and charge.rule.startswith("skill.") and person is not None:
        # A skill that several heroes have stands in the text of each; the hero's own is enough.
        cite = next((place for place in cite.split("; ") if (person.printed or person.name) in place), cite)
    return Line(charge.rule, charge.at, charge.amount, charge.unit, cite, charge.step, charge.note)
