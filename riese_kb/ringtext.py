"""An answer about a board of rings as text, in English or German: the verdict, the numbers with their rules, what else counts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from riese_kb.answer import Answer
from riese_kb.catalogue import find_rule
from riese_kb.language import parse_question, resolve
from riese_kb.program import readings
from riese_kb.question import About, Attack, AttackType, Duel, Initiative, MoveTo, Reach, Round, Search, Sight, Targets, Won
from riese_kb.rings import OFF, RingBoard, RingKind
from riese_kb.typeset import Paper, Row, listed, table, wrap, wrap_source
from riese_kb.verdicts import percent
from riese_kb.whytext import core_lines

_WORDS = {
    "and": "und",
    "or": "oder",
    "Against it": "Was dagegen spricht",
    "Blocked": "Keine Sicht",
    "Numbers": "Zahlen",
    "Way": "Weg",
    "Where to": "Wohin",
    "Paths": "Pfade",
    "Odds": "Chancen",
    "Legal instead": "Stattdessen erlaubt",
    "The book leaves open": "Das Regelheft lässt offen",
    "taken": "gewählt",
    "VP": "SP",
    "on the die": "auf den Würfel",
    "to play": "noch an der Reihe",
    "MP": "BP",
    "MP available": "BP verfügbar",
    "pool": "Würfel",
    "difficulty": "Schwierigkeit",
    "shock pool": "Schockwürfel",
    "shock difficulty": "Schock-Schwierigkeit",
    "own": "eigene Würfel",
    "other": "Würfel des anderen",
    "per die": "je Würfel",
    "hit": "Treffer",
    "wound": "Verletzung",
    "wounds": "Verletzungen",
    "game": "Spiel",
    "after a won duel": "nach gewonnenem Duell",
    "Not counted": "Nicht berücksichtigt",
    "The board supplies the values of": "Der Spielplan liefert die Werte von",
    "condition": "Kondition",
    "mind": "Verstand",
    "spent": "ausgegeben",
    "of": "von",
}
_COLOURS = {
    "red": "rot",
    "grey": "grau",
    "gray": "grau",
    "yellow": "gelb",
    "green": "grün",
    "blue": "blau",
    "brown": "braun",
    "violet": "violett",
    "purple": "lila",
    "white": "weiß",
    "black": "schwarz",
}


def ring_lines(answer: Answer, paper: Paper) -> Iterator[str]:
    """All sections of the answer, each after an empty line."""
    assert answer.rings is not None, "an answer about rings keeps its board"
    text = _Text(answer, answer.rings, paper)
    yield from text.verdict()
    why = core_lines(answer, paper)
    for section in (text.broken(), text.numbers(), text.result(), why, text.open_points(), text.notes(), text.instead()):
        lines = list(section)
        if lines:
            yield ""
            yield from lines


def ring_sentence(answer: Answer) -> str:
    """The verdict of an answer about rings in one sentence."""
    assert answer.rings is not None, "an answer about rings keeps its board"
    return _Text(answer, answer.rings, Paper(0)).sentence(answer.result)


def board_lines(board: RingBoard, paper: Paper) -> Iterator[str]:
    """A board ring by ring: its colours, its neighbours, what lies or stands there."""
    standing = {figure.at: figure for figure in board.figures}
    rows = []
    for ring in board.rings:
        symbols = [f"{p} {paper.signed(n)}" for p, n in ring.modifiers.items()]
        lying = [
            " ".join([m.kind, *(f"{p} {paper.signed(n)}" for p, n in m.modifiers.items())])
            for m in board.markers
            if m.at == ring.id
        ]
        kind = "" if ring.kind is RingKind.RING else str(ring.kind)
        who = standing[ring.id].id if ring.id in standing else ""
        rows.append(
            Row((ring.id, ", ".join(ring.paths), kind, who, ", ".join(symbols + lying), f"next to {', '.join(ring.next)}"))
        )
    if board.title:
        yield paper.bold(paper.plain(board.title))
    yield from table(paper, rows)
    outside = [figure.id for figure in board.figures if figure.at == OFF]
    if outside:
        yield f"  not on the board yet: {', '.join(outside)}"


class _Text:
    """One answer on one paper."""

    def __init__(self, answer: Answer, board: RingBoard, paper: Paper) -> None:
        self.answer = answer
        self.board = board
        self.paper = paper
        self.german = answer.language == "de"
        self.about: About = resolve(parse_question(answer.ask), board).about

    def word(self, english: str) -> str:
        """A word of ours in the language of the answer."""
        return _WORDS.get(english, english) if self.german else english

    def say(self, english: str, german: str) -> str:
        """A sentence in the language of the answer."""
        return german if self.german else english

    def name(self, id: str) -> str:
        """What a figure is called: its name, and its id where that says more."""
        figure = self.board.figure(id)
        if figure is None or figure.name is None:
            return id
        same = sum(other.name == figure.name for other in self.board.figures) > 1
        return f"{figure.name} ({figure.id})" if same else figure.name

    def colour(self, colour: str) -> str:
        """The colour of a path."""
        return _COLOURS.get(colour, colour) if self.german else colour

    # --- the verdict ---

    def verdict(self) -> Iterator[str]:
        """One sentence."""
        lines = wrap(self.paper.plain(self.sentence(self.answer.result)), self.paper.width)
        ink = {"legal": self.paper.good, "clear": self.paper.good, "illegal": self.paper.bad, "blocked": self.paper.bad}
        head, colon, rest = lines[0].partition(":")
        marked = self.answer.verdict in ink and head in ("Yes", "No", "Ja", "Nein")
        yield ink[self.answer.verdict](head) + self.paper.bold(colon + rest) if marked else self.paper.bold(lines[0])
        yield from map(self.paper.bold, lines[1:])

    def sentence(self, result: dict[str, Any]) -> str:
        """The verdict in words."""
        good = self.answer.verdict in ("legal", "clear")
        yes = self.say("Yes" if good else "No", "Ja" if good else "Nein")
        match self.about:
            case Sight(start, end):
                a, b = self.name(start), self.name(end)
                colours = listed([self.colour(path[0]) for path in result["paths"]], self.word("and"))
                if not good:
                    return f"{yes}: {self.say(f'{a} and {b} do not see each other.', f'{a} und {b} sehen einander nicht.')}"
                via = self.say(f"along {colours}", f"über {colours}") if colours else self.say("always", "immer")
                return f"{yes}: {self.say(f'{a} and {b} see each other {via}.', f'{a} und {b} sehen einander {via}.')}"
            case MoveTo(figure, ring):
                who = self.name(figure)
                if good:
                    price = f"{result['spent']} {self.word('of')} {result['mp']} {self.word('MP')}"
                    return f"{yes}: {self.say(f'{who} can move to {ring}', f'{who} kann nach {ring} ziehen')}, {price}."
                after = result.get("after_duel")
                hope = ""
                if after:
                    foes = listed([self.name(foe) for foe in after["against"]], self.word("or"))
                    price = f"{after['spent']} {self.word('MP')}"
                    hope = self.say(
                        f" Winning a duel of condition against {foes} opens the way: {price}.",
                        f" Ein gewonnenes Konditionsduell gegen {foes} öffnet den Weg: {price}.",
                    )
                return f"{yes}: {self.say(f'{who} cannot move to {ring}', f'{who} kann nicht nach {ring} ziehen')}.{hope}"
            case Reach(figure):
                count, more = len(result["rings"]), len(result["after_duel"])
                english = f"{self.name(figure)} can end on {count} ring{'s' * (count != 1)}"
                german = f"{self.name(figure)} kann auf {count} Ring{'en' * (count != 1)} enden"
                tail = (
                    self.say(f"; a won duel opens {more} more", f"; ein gewonnenes Duell öffnet {more} weitere") if more else ""
                )
                return f"{self.say(english, german)}{tail}."
            case Targets(figure):
                ids = list(dict.fromkeys(id for found in result.values() for id in found))
                names = listed([self.name(id) for id in ids], self.word("or"))
                nobody = self.say(f"{self.name(figure)} may attack nobody now.", f"{self.name(figure)} darf niemanden angreifen.")
                some = self.say(f"{self.name(figure)} may attack {names}.", f"{self.name(figure)} darf {names} angreifen.")
                return some if ids else nobody
            case Attack(figure, target):
                return f"{yes}: {self._attack(self.name(figure), self.name(target), result)}"
            case Duel(figure, against, property):
                who, other, chance = self.name(figure), self.name(against), percent(result["wins"])
                return self.say(
                    f"{who} wins the duel of {property} against {other} with {chance} ({result['wins']}).",
                    f"{who} gewinnt das Duell ({self.word(property)}) gegen {other} mit {chance} ({result['wins']}).",
                )
            case Search(figure, ring):
                who = self.name(figure)
                if good:
                    return f"{yes}: {self.say(f'{who} may search {ring}.', f'{who} darf {ring} durchsuchen.')}"
                return f"{yes}: {self.say(f'{who} may not search {ring}.', f'{who} darf {ring} nicht durchsuchen.')}"
            case Round():
                whom = {side: listed([self.name(id) for id in ids], self.word("or")) for side, ids in result["may"].items()}
                may = [f"{side.capitalize()} {names}" for side, names in whom.items()]
                nobody = self.say("Everybody has been played in this round.", "In dieser Runde waren alle an der Reihe.")
                return f"{self.say('Now to play', 'Jetzt an der Reihe')}: {'; '.join(may)}." if may else nobody
            case Initiative():
                chances = [f"{side.capitalize()} {percent(chance)}" for side, chance in result["odds"].items()]
                return f"{self.say('Who begins', 'Wer beginnt')}: {', '.join(chances)}."
        assert isinstance(self.about, Won)
        side = (result["winner"] or "").capitalize()
        if not result["over"]:
            return self.say("Nobody has won yet.", "Noch hat niemand gewonnen.")
        if not side:
            return self.say("The game is over, and the book names no winner.", "Das Spiel ist aus, ohne Sieger im Regelheft.")
        return self.say(f"The {side} has won.", f"{side} hat gewonnen.")

    def _attack(self, who: str, target: str, result: dict[str, Any]) -> str:
        close = result["type"] == AttackType.H2H
        how = self.say("in close combat" if close else "from afar", "im Zweikampf" if close else "im normalen Kampf")
        if isinstance(self.about, Attack) and self.about.counter:
            how = self.say(f"back {how}", f"{how} als Gegenangriff")
        weapon = f" ({result['weapon']})" if result.get("weapon") else ""
        if self.answer.verdict == "illegal":
            return self.say(
                f"{who} may not attack {target} {how}{weapon}.", f"{who} darf {target} {how}{weapon} nicht angreifen."
            )
        return self.say(f"{who} may attack {target} {how}{weapon}.", f"{who} darf {target} {how}{weapon} angreifen.")

    # --- the numbers ---

    def broken(self) -> Iterator[str]:
        """Every rule that is broken."""
        if self.answer.violations:
            yield self.paper.bold(self.word("Blocked" if self.answer.verdict == "blocked" else "Against it"))
        for violation in self.answer.violations:
            lead = f"  {violation.at}  "
            yield from wrap(self.paper.plain(violation.says), self.paper.width, self.paper.plain(lead))
            source = self.paper.plain(f"{violation.rule} · {violation.cite}")
            yield from map(self.paper.dim, wrap_source(source, self.paper.width, " " * len(lead)))

    def numbers(self) -> Iterator[str]:
        """The ledger."""
        if not self.answer.ledger:
            return
        yield self.paper.bold(self.word("Way" if any(line.step for line in self.answer.ledger) else "Numbers"))
        rows = []
        cited: set[str] = set()
        for line in self.answer.ledger:
            rule = find_rule(self.answer.system, line.rule)
            title = rule.titled(self.answer.language) if rule is not None else line.rule
            note = f": {line.note}" if line.note and line.note != "ring" else ""
            amount = self.paper.signed(line.amount) if line.rule.startswith(("terrain.value", "weapon.")) else str(line.amount)
            source = "" if line.rule in cited else f"{line.rule} · {line.cite}"
            cited.add(line.rule)
            rows.append(Row((line.at, amount, self.word(line.unit), title + note), source))
        yield from table(self.paper, rows, right=(1,))

    def result(self) -> Iterator[str]:
        """What comes out."""
        result = self.answer.result
        match self.about:
            case Sight() if result["paths"]:
                yield self.paper.bold(self.word("Paths"))
                for colour, *rings in result["paths"]:
                    yield from wrap(", ".join(rings), self.paper.width, self.paper.plain(f"  {self.colour(colour)}: "))
            case MoveTo() if self.answer.verdict == "legal" and result["steps"]:
                arrow = " -> " if self.paper.ascii else " → "
                yield from wrap(arrow.join(result["steps"]), self.paper.width, "  ")
            case Reach():
                yield self.paper.bold(self.word("Where to"))
                yield from self._prices(result["rings"], "")
                yield from self._prices(result["after_duel"], f", {self.word('after a won duel')}")
            case Targets():
                kinds = {"normal": self.say("from afar", "normaler Kampf"), "h2h": self.say("close combat", "Zweikampf")}
                for key, ids in result.items():
                    if ids:
                        yield f"  {kinds[key]}: {', '.join(self.name(id) for id in ids)}"
            case Initiative():
                yield self.paper.bold(self.word("Odds"))
                again = self.say("with a second roll", "mit einem zweiten Wurf")
                rows = [Row((side.capitalize(), percent(q), q, "")) for side, q in result["odds"].items()]
                rows += [Row((side.capitalize(), percent(q), q, again)) for side, q in result["repeated"].items()]
                yield from table(self.paper, rows, right=(1,))
            case Attack():
                yield self.paper.bold(self.word("Odds"))
                for key in ("pool", "difficulty", "shock_pool", "shock_difficulty"):
                    yield self.paper.plain(f"  {self.word(key.replace('_', ' '))} {result[key]}")
                odds = {k: q for k, q in result["odds"].items() if Fraction(q)}
                rows = [Row((k, self.word("wound" if k == "1" else "wounds"), percent(q), q)) for k, q in odds.items()]
                yield from table(self.paper, rows, right=(0, 2))

    def _prices(self, rings: dict[str, int], tail: str) -> Iterator[str]:
        for price, names in groupby(rings, key=rings.__getitem__):
            lead = f"  {price} {self.word('MP')}{tail}: "
            yield from wrap(", ".join(names), self.paper.width, self.paper.plain(lead))

    # --- the rest ---

    def open_points(self) -> Iterator[str]:
        """The contested points on which the answer depends."""
        known = readings(self.board.system)
        for taken in self.answer.readings:
            yield self.paper.bold(self.word("The book leaves open"))
            yield from wrap(self.paper.plain(taken.about), self.paper.width, "  ")
            values = [(self.word("taken"), taken.value), *((result, value) for value, result in taken.otherwise.items())]
            meanings = known[taken.reading].values
            rows = [Row((f"{result}:", f"{taken.reading}={value}", meanings[value])) for result, value in values]
            yield from table(self.paper, rows, indent=4)

    def notes(self) -> Iterator[str]:
        """What the board supplied, and what does not count."""
        if self.answer.supplied:
            names = listed(self.answer.supplied, self.word("and"))
            yield self.paper.plain(f"{self.word('The board supplies the values of')} {names}.")
        for caveat in self.answer.caveats:
            yield from wrap(self.paper.plain(f"{self.word('Not counted')}: {caveat}."), self.paper.width)

    def instead(self) -> Iterator[str]:
        """The nearest legal questions."""
        if self.answer.instead:
            yield self.paper.bold(self.word("Legal instead"))
            yield from (f"  {self.paper.plain(question)}" for question in self.answer.instead)
