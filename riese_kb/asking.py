"""Asking: from a board and a line of text to an answer; one question or many.

Longer than a file should be since every new kind of question passes here: asking again (readings, suggestions) is to
move out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from riese_kb.answer import Answer, Further, Line, Override, Taken, Violation
from riese_kb.board import Board
from riese_kb.catalogue import find_rule, rule_ids
from riese_kb.draft import Charge, Draft, Verdict
from riese_kb.errors import RieseError, RulesError, Undecided, did_you_mean
from riese_kb.grounding import Memo, drive
from riese_kb.language import format_question, parse_question, resolve
from riese_kb.position import Position, Terms
from riese_kb.program import readings, settle
from riese_kb.question import (
    About,
    Attack,
    AttackType,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Initiative,
    Lof,
    MayCarry,
    Npc,
    Question,
    Reach,
    Round,
    SearchPlace,
    Spawn,
    Step,
    Targets,
    TeamAbout,
    ThreatAfter,
    Throw,
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

AT_ONCE = 200
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
    read = _read(board, question)
    terms = terms_of(board, read)
    memo = Memo()
    draft = drive(_drafted(position, read.about, terms), memo)
    return _finish(board, read, terms, draft, lambda: drive(_further(position, read, terms, draft), memo))


def ask_all(asked: Sequence[tuple[Sheet, str | Question]]) -> Iterator[Answer | RieseError]:
    """Answer many questions, in order; an error takes the place of the answer it belongs to.

    Questions about one board share groundings, so that a batch is many times faster than asking one by one.
    """
    for start in range(0, len(asked), AT_ONCE):
        yield from drive(together(_guarded(board, question) for board, question in asked[start : start + AT_ONCE]))


def _guarded(board: Sheet, question: str | Question) -> Steps[Answer | RieseError]:
    try:
        answer: Answer = yield from _answer(board, _read(board, question))
    except RieseError as error:
        return error
    return answer


_POSITIONS: dict[int, Position] = {}
_ROSTERS: dict[int, Roster] = {}
_RINGS: dict[int, RingStand] = {}


def stand_of(sheet: Sheet) -> Stand:
    """What a question is worked out from: the position of a board, the roster of a team."""
    if isinstance(sheet, RingBoard):
        return rings_of(sheet)
    return roster_of(sheet) if isinstance(sheet, Team) else position_of(sheet)


def rings_of(board: RingBoard) -> RingStand:
    """The stand of a board of rings, kept for the boards asked about last."""
    known = _RINGS.get(id(board))
    if known is None or known.board is not board:
        if len(_RINGS) >= 16:
            _RINGS.pop(next(iter(_RINGS)))
        known = _RINGS[id(board)] = RingStand(board)
    return known


def roster_of(team: Team) -> Roster:
    """The roster of a team, kept for the teams asked about last."""
    known = _ROSTERS.get(id(team))
    if known is None or known.team is not team:
        if len(_ROSTERS) >= 16:
            _ROSTERS.pop(next(iter(_ROSTERS)))
        known = _ROSTERS[id(team)] = Roster(team)
    return known


def position_of(board: Board) -> Position:
    """The position of a board, kept for the boards asked about last."""
    known = _POSITIONS.get(id(board))
    if known is None or known.board is not board:
        if len(_POSITIONS) >= 16:
            _POSITIONS.pop(next(iter(_POSITIONS)))
        known = _POSITIONS[id(board)] = Position(board)
    return known


def _read(board: Sheet, question: str | Question) -> Question:
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
    if numbers and isinstance(board, Team):
        raise RulesError("the rules of a scenario are laid over boards", fix="leave out with scenario …")
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


def core(position: Stand, about: About, terms: Terms) -> Steps[Draft]:
    """The draft of one question; kinds of question live in ``riese_kb.kinds``."""
    # Each kind is imported when it is first asked for: a process that asks one question should not load them all.
    if isinstance(position, RingStand):
        from riese_kb.kinds import onrings

        return onrings.steps(position, about, terms)
    if isinstance(position, Roster):
        return _of_team(position, about, terms)
    if any(figure.health == 0 for figure in position.board.figures):
        from riese_kb.kinds import fallen

        return fallen.told(position, about, terms, _on_board)
    return _on_board(position, about, terms)


def _on_board(position: Position, about: About, terms: Terms) -> Steps[Draft]:
    match about:
        case Can() | CanTo() | Reach():
            from riese_kb.kinds import moving

            return moving.steps(position, about, terms)
        case Lof():
            from riese_kb.kinds import sight

            return sight.lof(position, about, terms)
        case Attack() if _bursts(position, about):
            from riese_kb.kinds import flaming

            return flaming.flame(position, about, terms)
        case Attack() | Targets() | BreakLock():
            from riese_kb.kinds import attacking

            return attacking.steps(position, about, terms)
        case Throw():
            from riese_kb.kinds import throwing

            return throwing.throw(position, about, terms)
        case Blast():
            from riese_kb.kinds import blasting

            return blasting.blast(position, about, terms)
        case SearchPlace():
            from riese_kb.kinds import searching

            return searching.search(position, about, terms)
        case MayCarry():
            from riese_kb.kinds import carrying

            return carrying.may_carry(position, about, terms)
        case Zombie():
            from riese_kb.kinds import shambling

            return shambling.zombie(position, about, terms)
        case Initiative():
            from riese_kb.kinds import rounds

            return rounds.initiative(position, about, terms)
        case Round():
            from riese_kb.kinds import rounds

            return rounds.round_(position, about, terms)
        case Spawn():
            from riese_kb.kinds import spawning

            return spawning.spawn(position, about, terms)
        case Npc():
            from riese_kb.kinds import npcs

            return npcs.npc(position, about, terms)
    from riese_kb.kinds import turn

    assert isinstance(about, ZombieTurn), about
    return turn.zombies(position, about, terms)


def _of_team(roster: Roster, about: About, terms: Terms) -> Steps[Draft]:
    match about:
        case ThreatAfter():
            from riese_kb.kinds import stage

            return stage.threat(roster, about, terms)
        case BetweenScenarios():
            from riese_kb.kinds import stage

            return stage.between(roster, about, terms)
    from riese_kb.kinds import teamwork

    assert isinstance(about, TeamAbout), about
    return teamwork.steps(roster, about, terms)


def _bursts(position: Position, about: Attack) -> bool:
    """Whether the card of the weapon shows an A, so that no die is rolled against a target."""
    hero = position.board.figure(about.figure)
    if about.unarmed or about.off_hand or hero is None or about.type not in (None, AttackType.NORMAL):
        return False
    name = about.weapon or hero.weapon
    return name is not None and position.weapon(name).rm == "A"


def _answer(board: Sheet, question: Question) -> Steps[Answer]:
    position = stand_of(board)
    terms = terms_of(board, question)
    draft = yield from _drafted(position, question.about, terms)
    further = yield from _further(position, question, terms, draft)
    return _finish(board, question, terms, draft, lambda: further)


def _drafted(position: Stand, about: About, terms: Terms) -> Steps[Draft]:
    """The draft; what a rule file derives in the wrong form is the file's fault and not ours."""
    gave_way: set[tuple[str, str]] = set()
    steps = core(position, about, terms)
    try:
        draft = yield from (_watched(steps, terms, gave_way) if terms.extra or terms.scenario else steps)
    except (TypeError, ValueError, LookupError, AssertionError) as fault:
        if not terms.extra:
            raise
        raise RulesError(
            f"the rule file derives something of the wrong form ({fault})", fix="see docs/house-rules.md", file=terms.files[0]
        ) from None
    return replace(draft, overridden=frozenset(gave_way)) if gave_way else draft


def _watched(steps: Steps[Draft], terms: Terms, gave_way: set[tuple[str, str]]) -> Steps[Draft]:
    """The same steps; what took precedence over the book in any of their worlds is noted down on the way."""
    try:
        worlds = next(steps)
        while True:
            found = yield worlds
            for derived in found:
                gave_way |= {(str(rule), str(by)) for rule, by in derived["overridden"]}
            worlds = steps.send(found)
    except StopIteration as stop:
        draft: Draft = stop.value
        return draft


def _further(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[tuple[str, ...], tuple[Taken, ...]]]:
    """What asking again tells: the nearest legal questions, and the readings that change the answer."""
    instead = yield from _instead(position, question, terms, draft)
    taken = yield from _readings(position, question, terms, draft)
    return instead, taken


def _readings(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[Taken, ...]]:
    """The contested points that came up and change the answer: asked again under every other reading."""
    known = readings(position.system)
    others = []
    for name in sorted(draft.matters):
        current = terms.readings.get(name, known[name].default)
        others += [(name, current, value) for value in known[name].values if value != current]
    drafts = yield from together(_compared(position, question.about, terms.compared(name, value)) for name, _, value in others)
    found: dict[str, Taken] = {}
    for (name, current, value), other in zip(others, drafts, strict=True):
        if other is None or (isinstance(other, Draft) and other.essence == draft.essence):
            continue
        taken = found.setdefault(name, Taken(name, current, known[name].about))
        taken.otherwise[value] = _in_short(other, draft) if isinstance(other, Draft) else other
    return tuple(found.values())


def _compared(position: Stand, about: About, terms: Terms) -> Steps[Draft | str | None]:
    """The draft under other terms; "undecided" where it takes too long to tell, None where it has no answer there."""
    try:
        draft: Draft = yield from _drafted(position, about, terms)
    except Undecided:
        return "undecided"
    except RieseError:
        return None
    return draft


def _in_short(other: Draft, draft: Draft) -> str:
    """What another reading answers: its verdict where that differs, else the first number that does."""
    if other.verdict is not draft.verdict:
        return str(other.verdict)
    for key, value in other.result.items():
        plain = isinstance(value, int | str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))
        if value != draft.result.get(key) and plain:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            return f"{key} {shown}" if shown != "" and len(str(shown)) < 60 else "another result"
    return "another result"


def _quietly(position: Stand, about: About, terms: Terms) -> Steps[Draft | None]:
    try:
        draft: Draft = yield from _drafted(position, about, terms)
    except RieseError:
        return None
    return draft


def _instead(position: Stand, question: Question, terms: Terms, draft: Draft) -> Steps[tuple[str, ...]]:
    """The nearest legal questions; each was asked before it is offered."""
    if draft.verdict is not Verdict.ILLEGAL:
        return ()
    from riese_kb.suggestions import suggestions

    candidates = list(dict.fromkeys((*draft.hints, *suggestions(position, question.about, draft))))[:8]
    drafts = yield from together(_quietly(position, about, terms) for about in candidates)
    legal = [
        about
        for about, other in zip(candidates, drafts, strict=True)
        if other is not None and other.verdict is Verdict.LEGAL and "dies" not in other.result
    ]
    return tuple(format_question(replace(question, about=about)) for about in legal[:3])


def _finish(board: Sheet, question: Question, terms: Terms, draft: Draft, further: Further) -> Answer:
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
        result=draft.result,
        look_further=further,
        supplied=draft.supplied,
        caveats=(*_caveats(board, question.about), *_unchanged(board, question)),
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
