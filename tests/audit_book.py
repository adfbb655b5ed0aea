"""A rulebook of our own, clean, and what plants one defect of each kind in many places of it: the audit's measuring tool.

Longer than other files, since the book itself is a third of it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.audit_pages import PAGE_FORMS, kerned, letter_spaced, paged

CLEAN = """Lantern Watch
The rules of a small game about keepers who carry light through a drowned city.
Table of Contents
- ACTIVATION
- DARK WATER
- LANTERNS
- WARDENS
ACTIVATION
Each keeper acts once in every round, and finishes what it does before the next one begins.
- Walk up to three squares, through open water only if a boat is beside the keeper.
- Light or shade one lantern that stands beside the keeper, as described in LANTERNS.
- Search a square that holds a crate; see SEARCHING for what may come up.
See WARDENS.
AIMING
Whatever makes it harder to throw the hook is added to the number that is needed, and whatever makes it easier is taken off.
- At dusk a throw is harder and has a modifier of +2.
- A boat that rocks is a penalty of +1, and a torn line is a penalty of +3.
- With the sun in the back it is easier to throw, which is worth -1 to the keeper.
- A second keeper who holds the line is a bonus of -2.
BELLS
When a bell is rung, the player rolls 1d12 to see who hears it:
- On a 1-5 nobody does.
- On a 6-9 the nearest warden turns towards the bell.
- On a 10-12 every warden of that canal does.
BELL EXAMPLE
Courage roll: Benedek has a pool of 5 against difficulty 6, so he rolls 5 dice and gets 2, 9, 7, 3 and 6: 3 successes.
BARGES
Barges cost points of strength to handle. The first column of this table says what is done, the second what it costs.
| ACTION | SP |
|---|---|
| Cast off a barge | 3 |
| Turn a barge round | 2 |
| Board a barge | 1 |
Whoever wants to board a barge needs 1 SP and an empty hand. To turn a barge round takes 2 SP, and the pole that lies in it.
What the "Board a barge" row of BARGES costs is paid again by a keeper who falls into the water.
BOATS
A boat carries two keepers, and it takes one full activation to push it off from the quay.
Boats cannot enter reeds. They drift one square at the end of every second round.
See DARK WATER.
CRATES
A crate is opened by searching it. When it is empty it stays where it is and hinders movement.
DARK WATER
Squares of dark water slow a keeper down: entering one costs two points instead of one.
- A keeper without a lantern who ends in dark water loses one point of courage.
- Two keepers side by side in dark water lose none, whether they carry light or not.
See LANTERNS (Appx. 1).
HOURS
A round has a dawn phase, a tide phase and a dusk phase. Keepers act in the tide phase.
Wardens act in the dusk phase, and whatever burns goes out when the dawn phase begins.
Nobody is pushed back before the tide phase, and no warden wakes after the dusk phase.
A hunt is made up of a scent step and a chase step, and there is one in every dusk phase of a round.
INITIATIVE
At the start of a round both sides roll 1d12 and compare, the keepers adding their lit lanterns.
KEEPERS
Keepers are the figures that players move. Marla, Osric, Teodora and Benedek begin with four points of courage.
Marla carries the long lantern, Osric the hook, Teodora the chart and Benedek the bell.
When Marla and Osric stand side by side, both see one square further than the lantern shines.
Teodora may read the chart once in a round; Benedek rings the bell instead of walking.
LANTERNS
See Appendix 1, LANTERNS.
REEDS
Reeds are hindering squares: they cost one point more, and nobody is seen through two of them.
SEARCHING
To search a crate, a keeper stands beside it and rolls 1d12 on this chart.
| D12 ROLL | RESULT |
|---|---|
| 1-3 | Nothing but wet straw |
| 4-6 | One flask of oil |
| 7-9 | Two flasks of oil* |
| 10-11 | A length of rope |
| 12 | The brass key |
* Oil may be shared with a keeper in the same boat.
If the brass key is found, read entry #3.
SEARCHING EXAMPLE
Osric throws the hook at range 3; its point-blank range is 4. Its S/W is 6/9, reeds +2, the bell -1: a modified S/W of 7/10.
A warden is stunned or hurt by it. With a modified S/W of 7/10 Osric needs a 7, 8 or 9 to stun, and wounds on 10+.
SOLO WATCH
Whoever plays alone moves all keepers, rolls for the wardens, and begins with one lantern less.
STRENGTH
A keeper spends 2 MP on the step, 1 MP on the turn and 1 MP on the door, for a total of 4 MP.
WARDENS
Wardens patrol the canals. They have three powers, which are explained below.
DROWSY: This warden skips every third round, beginning with the second.
KEEN: Shaded lanterns do not hide a keeper from this warden's eyes.
STUBBORN: Whatever pushes this warden back moves it one square less than it should.
When a warden reaches a keeper, roll 1d12:
- 1-4: The keeper is pushed back one square.
- 5-8: The keeper loses one point of courage.
- 9+: The keeper is caught and misses the next round.
If the alarm was given in scenario 2: The Bell Tower, wardens walk further. Scenario 2 follows scenario 1: The Quay.
Appendix 1 - Light
LANTERNS
A lit lantern shines three squares far in a straight line, and one square to either side of it.
A shaded lantern shines nowhere, but it is lit again without flint and without losing the activation.
OIL FLASKS
One flask keeps a lantern burning for four rounds; without oil it goes out at the end of the round.
Appendix 2 - Entries
#1 The Quay
The gate is rusted shut, and something moves behind it. Place one warden on the quay.
#2 The Chart
The chart shows a passage under the tower. From now on boats may pass there.
#3 The Key
The brass key opens the tower. Go to scenario 2: The Bell Tower when the round ends.
#4 The Bell
The bell has no clapper. Benedek may not ring it in this scenario.
Appendix 3 - Scenarios
1: The Quay
Bring two keepers across the harbour before the lanterns burn down. The first crate holds oil.
2: The Bell Tower
Climb the tower, ring the bell and leave by the boat. If nobody has the key, go back to scenario 1: The Quay.
"""

GERMAN = """Laternenwacht
EINLEITUNG
Die Wächter tragen Licht durch eine versunkene Stadt, und jede Runde besteht aus zwei Phasen.
AKTIVIERUNG
Jeder Wächter handelt einmal in jeder Runde und beendet seine Handlung, bevor der nächste beginnt.
- Er geht bis zu drei Felder weit, durch offenes Wasser nur mit einem Boot daneben.
- Er zündet eine Laterne an, die neben ihm steht, oder verdunkelt sie wieder.
BOOTE
Ein Boot trägt zwei Wächter. Es treibt am Ende jeder zweiten Runde um ein Feld weiter.
SUCHEN
Wer eine Kiste durchsucht, würfelt mit 1W12 auf dieser Tabelle.
| W12 WURF | ERGEBNIS |
|---|---|
| 1-4 | Nasses Stroh |
| 5-9 | Eine Flasche Öl |
| 10-12 | Ein Seil |
SCHILF
Schilf ist ein hinderndes Feld: Es kostet einen Punkt mehr, und durch zwei solche Felder sieht niemand hindurch.
WERFEN
Was den Wurf erschwert, wird zu der Zahl gezählt, die nötig ist; was ihn leichter macht, wird abgezogen.
- In der Dämmerung ist ein Wurf erschwert und hat einen Modifikator von +2.
- Ein schwankendes Boot ist ein Nachteil von +1.
- Mit der Sonne im Rücken ist es leichter, und der Spieler rechnet mit -1.
- Wem ein zweiter Wächter die Leine hält, der hat einen Vorteil von -2.
GLOCKEN
Wird eine Glocke geläutet, so würfelt der Spieler mit 1W12, wer sie hört:
- Bei 1-6 hört sie niemand.
- Bei 7-10 dreht sich der nächste Hüter zu ihr um.
- Bei 11-12 tun es alle Hüter an diesem Kanal.
HÜTER
Hüter gehen an den Kanälen auf und ab. Erreicht einer von ihnen einen Wächter, so endet dessen Handlung sofort.
Ein Wächter ohne Laterne bleibt unbemerkt, solange er kein Feld neben einem Hüter betritt.
BEISPIEL
Mutwurf: Benedikt hat einen Würfelvorrat von 5 und würfelt gegen Schwierigkeitswert 6. Mit 2, 9, 7, 3 und 6 hat er 3 Erfolge.
"""

Planted = tuple[str, str, int]
"""The book with one defect, the kind it should be reported as, and the line where it stands."""


def planted(rng: random.Random) -> Iterator[Planted]:
    """One defect at a time, of every kind, in every place where it can stand."""
    for plant in (
        _twice,
        _block_twice,
        _changed_number,
        _see,
        _appendix,
        _entry,
        _title,
        _misspelt,
        _gap,
        _overlap,
        _mark,
        _sum,
        _pair,
        _term,
        _bullet,
        _case,
        _pool,
        _phase,
        _occasion,
        _ban,
        _saying,
        _sign,
    ):
        yield from plant(CLEAN.splitlines(), rng)
    for form in PAGE_FORMS:
        yield from _page(paged(CLEAN.splitlines(), form), rng)
    for plant in (_twice, _block_twice, _gap, _sign, _german_pool):
        yield from plant(GERMAN.splitlines(), rng)
    for plant in (_twice, _block_twice, _sign, _german_pool):
        for book, kind, at in plant(GERMAN.splitlines(), rng):
            yield letter_spaced(book, {at - 1, at}), kind, at
            if plant in (_twice, _block_twice):  # every word stands elsewhere, too
                yield kerned(book, {at}, rng), kind, at


def _page(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    """Another page in the contents or in a reference."""
    for pattern in (r"(?<=page )\d+", r"(?<=^- [A-Z]{7} )\d+$", r"(?<=^- [A-Z]{8} )\d+$"):
        yield from _replaced(lines, pattern, lambda m: str(int(m[0]) + rng.choice((3, 40))), "dangling-ref")


def _book(lines: list[str], kind: str, at: int) -> Planted:
    return "\n".join(lines) + "\n", kind, at


def _long(lines: list[str]) -> list[int]:
    return [
        i
        for i, line in enumerate(lines)
        if len(line.split()) >= 10 and line[0].isalpha() and ":" not in line[:20] and not line.startswith("#")
    ]


def _twice(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    places = _long(lines)
    for source in rng.sample(places, min(10, len(places))):
        entries = [i for i in range(len(lines)) if lines[i].isupper() and abs(i - source) > 6]
        at = rng.choice(entries) + 1
        yield _book([*lines[:at], lines[source], *lines[at:]], "duplicate", at + 1)


def _block_twice(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    heads = [i for i in range(len(lines)) if lines[i].isupper()]
    for first, last in pairwise(heads):
        if last - first >= 3 and not any(line.startswith("|") for line in lines[first:last]):
            yield _book([*lines[:last], *lines[first:last], *lines[last:]], "duplicate", last + 1)


_NUMBERS = {"two": "three", "three": "four", "one": "two", "four": "five", "once": "twice"}


def _changed_number(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for source in _long(lines):
        words = lines[source].split()
        at = next((i for i, word in enumerate(words) if word in _NUMBERS), None)
        if at is None or len(words) < 12:
            continue
        copy = " ".join([*words[:at], _NUMBERS[words[at]], *words[at + 1 :]])
        entries = [i for i in range(len(lines)) if lines[i].isupper() and abs(i - source) > 6]
        there = rng.choice(entries) + 1
        yield _book([*lines[:there], copy, *lines[there:]], "conflict", there + 1)


def _replaced(lines: list[str], pattern: str, make: Callable[[re.Match[str]], str], kind: str) -> Iterator[Planted]:
    for i, line in enumerate(lines):
        for found in re.finditer(pattern, line):
            yield _book([*lines[:i], line[: found.start()] + make(found) + line[found.end() :], *lines[i + 1 :]], kind, i + 1)


def _see(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(lines, r"(?<=[Ss]ee )[A-Z]{4,}(?: [A-Z]{4,})*", lambda m: f"{m[0][0]}XQ{m[0][2:]}AL", "dangling-ref")
    yield from _replaced(lines, r"(?<=[Ss]ee )[A-Z]{4,}(?: [A-Z]{4,})*", lambda m: "TURNSTILES", "dangling-ref")


def _appendix(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(lines, r"(?<=\(Appx\. )1(?=\))", lambda m: "2", "dangling-ref")
    yield from _replaced(lines, r"(?<=See Appendix )1(?=,)", lambda m: "3", "dangling-ref")
    yield from _replaced(lines, r"(?<=See Appendix )1(?=,)", lambda m: "7", "dangling-ref")


def _entry(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(lines, r"(?<=read entry #)\d+", lambda m: "9", "dangling-ref")
    for i, line in enumerate(lines):
        if re.match(r"#[23] ", line):
            yield _book([*lines[:i], *lines[i + 2 :]], "dangling-ref", i + 1)


def _title(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(lines, r"(?<=scenario )[12](?=: )", lambda m: "2" if m[0] == "1" else "1", "dangling-ref")


def _misspelt(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    def slip(found: re.Match[str]) -> str:
        word = found[0]
        at = rng.randrange(2, len(word) - 1)
        return rng.choice(
            [
                word[:at] + word[at + 1 :],
                word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
            ]
        )

    for book, kind, at in _replaced(lines, r"\b(?:Benedek|Teodora)\b", slip, "naming"):
        if book != "\n".join(lines) + "\n":
            yield book, kind, at


def _gap(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    table = [i for i, line in enumerate(lines) if re.match(r"\| \d|- \d", line)]
    for i in table:
        if len([j for j in table if abs(j - i) <= 5]) > 2:
            yield _book([*lines[:i], *lines[i + 1 :]], "table-mismatch", i)


def _overlap(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(
        lines, r"(?<=^\| )\d+(?=-\d+ \|)", lambda m: str(int(m[0]) - 1) if int(m[0]) > 1 else "0", "table-mismatch"
    )
    yield from _replaced(lines, r"(?<= )[12](?= SP)", lambda m: str(int(m[0]) + 2), "table-mismatch")
    yield from _replaced(lines, r"(?<=\"Board a )barge", lambda m: "ferry", "table-mismatch")
    yield from _replaced(lines, r"(?<=^- )\d+(?=-\d+:)", lambda m: str(int(m[0]) - 1) if int(m[0]) > 1 else "2", "table-mismatch")


def _mark(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for i, line in enumerate(lines):
        if line.startswith("* "):
            yield _book([*lines[:i], *lines[i + 1 :]], "table-mismatch", i)
        if "oil*" in line:
            yield _book([*lines[:i], line.replace("*", ""), *lines[i + 1 :]], "table-mismatch", i)


def _sum(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for total in ("3", "5", "6"):
        yield from _replaced(lines, r"(?<=total of )4(?= MP)", lambda m, total=total: total, "example-mismatch")  # type: ignore[misc] # mypy infers no types for a lambda with defaults


def _pair(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for wrong in ("8/10", "7/11", "9/12", "5/8"):
        yield from _replaced(lines, r"7/10(?=\.)", lambda m, wrong=wrong: wrong, "example-mismatch")  # type: ignore[misc] # as above
    for right, wrong in (("7, 8 or 9", "8 or 9"), ("7, 8 or 9", "7 or 8"), ("10+", "9+"), ("10+", "12+"), ("7/10 O", "6/9 O")):
        yield from _replaced(lines, re.escape(right), lambda m, wrong=wrong: wrong, "example-mismatch")  # type: ignore[misc] # as above


def _term(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for source in rng.sample(_long(lines), 6):
        yield _book(
            [*lines[:source], f"{lines[source]} This does not touch GLIMMERFOLK.", *lines[source + 1 :]],
            "undefined-term",
            source + 1,
        )
        named = f"{lines[source]} It is not for a warden with the Gloom power."
        yield _book([*lines[:source], named, *lines[source + 1 :]], "undefined-term", source + 1)


def _bullet(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for i, line in enumerate(lines):
        if line.startswith("- ") and lines[i + 1].startswith("- "):
            yield _book([*lines[: i + 1], "-", *lines[i + 1 :]], "orphan", i + 2)
    yield _book(["This sentence belongs to some other page of the book.", *lines], "orphan", 1)


def _case(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for i, line in enumerate(lines):
        if re.match(r"- On an? (?!1-)", line):
            yield _book([*lines[:i], *lines[i + 1 :]], "gap", i)
    yield from _replaced(lines, r"(?<=On a )6(?=-9)", lambda m: "8", "gap")
    yield from _replaced(lines, r"(?<=On a )10(?=-12)", lambda m: "11", "gap")


def _pool(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for old, new in (
        ("pool of 5", "pool of 6"),
        ("5 dice", "4 dice"),
        ("3 and 6:", "3, 4 and 6:"),
        ("3 succ", "4 succ"),
        ("ty 6", "ty 3"),
    ):
        yield from _replaced(lines, re.escape(old), lambda m, new=new: new, "example-mismatch")  # type: ignore[misc] # as above


def _phase(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for source in rng.sample(_long(lines), 6):
        text = f"{lines[source]} This is not done in the ember phase."
        yield _book([*lines[:source], text, *lines[source + 1 :]], "scope", source + 1)


def _occasion(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    """A part of another whole, a deed in another phase, another player in a game for one."""
    for said in (
        "Oil is refilled in the dusk phase of each hunt.",
        "Nobody is seen in the chase step of the next round.",
        "A keeper who acts in the dusk phase loses a point of courage.",
        "Each warden that acts in the tide phase is turned round.",
    ):
        for source in rng.sample(_long(lines), 3):
            yield _book([*lines[:source], f"{lines[source]} {said}", *lines[source + 1 :]], "scope", source + 1)
    at = next(i for i, line in enumerate(lines) if line.startswith("SOLO")) + 1
    for said in ("The other player rolls for them.", "Both players begin with it.", "Your opponent may look at it."):
        yield _book([*lines[:at], f"{lines[at]} {said}", *lines[at + 1 :]], "scope", at + 1)


def _ban(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    """An entry of its own, on a procedure that another describes, with a narrower ban."""
    for source in rng.sample(_long(lines), 6):
        head = [*lines[:source], lines[source], "Do not apply any modifiers to it.", *lines[source + 1 :]]
        other = ["SECOND THOUGHTS", lines[source].replace("the ", "that "), "No weather modifiers apply."]
        yield _book([*head, *other], "conflict", source + 2)


def _saying(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    """A statement and, in an entry of its own, the same of another number or the opposite."""
    for one, other in (
        ("A boat carries two keepers", "Boats carry three keepers."),
        ("Boats cannot enter reeds", "Every boat may enter reeds."),
        ("A keeper spends", "A keeper may cut the rope of a boat.|No boat is safe.|Keepers may not cut the rope of a boat."),
    ):
        at = next(i for i, line in enumerate(lines) if line.startswith(one))
        said = other.split("|")
        yield _book([*lines, "OTHER THOUGHTS", *said], "conflict", len(lines) + 1 + len(said) if len(said) > 1 else at + 1)


def _sign(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    yield from _replaced(lines, r"(?<= )[+-](?=\d[ ,.])(?!.*\d/)", lambda m: "-" if m[0] == "+" else "+", "sign")


def _german_pool(lines: list[str], rng: random.Random) -> Iterator[Planted]:
    for old, new in (("von 5 und", "von 6 und"), ("3 Erfolge", "4 Erfolge"), ("wert 6", "wert 3")):
        yield from _replaced(lines, re.escape(old), lambda m, new=new: new, "example-mismatch")  # type: ignore[misc] # as above


def score(seeds: int = 3) -> tuple[dict[str, tuple[int, int]], Counter[str]]:
    """Planted defects that were found, and all of them, by kind; and serious findings far from any defect, by theirs."""
    from riese_kb.audit.findings import Severity
    from riese_kb.audit.run import audit

    found: dict[str, tuple[int, int]] = {}
    alarms: Counter[str] = Counter()
    for seed in range(seeds):
        for book, kind, line in planted(random.Random(seed)):
            findings = audit(book).findings
            near = [f for f in findings if any(abs(n - line) <= 4 for n in (f.at.line, *(o.line for o in f.other)))]
            hit, total = found.get(kind, (0, 0))
            found[kind] = hit + any(f.kind == kind for f in near), total + 1
            alarms.update(str(f.kind) for f in findings if f not in near and f.severity is not Severity.LOW)
    return found, alarms


def main() -> None:
    """Print recall by kind, and false alarms on the clean books and far from the planted defects: ``make audit-score``."""
    from riese_kb.audit.run import audit

    clean = Counter(str(f.kind) for book in (CLEAN, GERMAN) for f in audit(book).findings)
    found, alarms = score()
    print("                                         false alarms")
    print("kind              found  planted  recall  clean books  beside planted defects")
    for kind, (hit, total) in sorted(found.items()):
        print(f"{kind:16} {hit:6} {total:8} {hit / total:7.0%} {clean[kind]:12} {alarms[kind]:23}")


if __name__ == "__main__":
    main()
