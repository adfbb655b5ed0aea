"""Errata sheets, the list of findings that may stand, and two printings of a book."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from riese_kb.audit.diff import difference
from riese_kb.audit.errata import applied, mark, read_errata
from riese_kb.audit.findings import Kind
from riese_kb.audit.proposing import proposal
from riese_kb.audit.run import Audit, audit
from riese_kb.board import System
from riese_kb.fingerprint import matches
from tests.audit_book import CLEAN, planted
from tests.command_line import Run

ROOT = Path(__file__).parent.parent


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(CLEAN.replace("| 4-6 |", "| 5-6 |").replace("(Appx. 1)", "(Appx. 2)"), encoding="utf-8")
    return path


# --- errata and printings ---------------------------------------------------------------------------------------------


SHEET = """
[[erratum]]
entry = "DARK WATER"
find = "LANTERNS (Appx. 2)"
action = "replace"
text = "LANTERNS (Appx. 1)"
settles = "dangling-ref"
"""


ON_REEDS = SHEET.replace("DARK WATER", "REEDS").replace("LANTERNS (Appx. 2)", "Reeds are")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "book.errata.toml"
    path.write_text(SHEET, encoding="utf-8")
    return path


def test_errata_settle_findings(faulty, sheet, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty), "--errata", str(sheet), "--format", "json")
    told = json.loads(done.out)
    assert told["faults"] == []
    assert [f["kind"] for f in told["settled"]] == ["dangling-ref"]
    assert [f["kind"] for f in told["findings"]] == ["table-mismatch"]
    assert told["new"] == []
    assert done.status == 1, "the table is still open"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('find = "LANTERNS (Appx. 2)"', 'find = "no such words"'), "does not apply"),
        (('entry = "DARK WATER"', 'entry = "DARK WATRE"'), "did you mean DARK WATER"),
        (('text = "LANTERNS (Appx. 1)"', 'text = "LANTERNS (Appx. 3)"'), "settles no finding"),
        (('find = "LANTERNS (Appx. 2)"', 'find = "o"'), "applies more than once"),
    ],
)
def test_what_is_amiss_with_errata_is_said(change, says, faulty, sheet, capsysbinary):
    sheet.write_text(SHEET.replace(*change), encoding="utf-8")
    assert says in Run(capsysbinary, "audit", str(faulty), "--errata", str(sheet)).out


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (SHEET, "say the same of line"),
        (SHEET.replace('text = "LANTERNS (Appx. 1)"', 'text = "BOATS"'), "contradict each other"),
        (
            SHEET.replace("DARK WATER", "REEDS").replace("LANTERNS (Appx. 2)", "Reeds are").replace("Appx. 1", "Appx. 2"),
            "brings a new",
        ),
        (SHEET.replace("DARK WATER", "REEDS").replace("LANTERNS (Appx. 2)", "Reeds are"), "settles no finding"),
        (SHEET.replace("[[erratum]]", "[[erratum]]\nwhich = 3"), "1 time only"),
    ],
)
def test_two_errata(second, says, faulty, sheet, capsysbinary):
    sheet.write_text(SHEET + second, encoding="utf-8")
    assert says in Run(capsysbinary, "audit", str(faulty), "--errata", str(sheet)).out


def test_a_passage_can_be_named_by_its_fingerprint(tmp_path, capsysbinary):
    line = next(line for line in CLEAN.splitlines() if line.startswith("Boats cannot"))
    book = tmp_path / "book.txt"
    book.write_text(CLEAN.replace(line, f"{line}\n{line}"), encoding="utf-8")
    sheet = tmp_path / "book.errata.toml"
    item = f'entry = "BOATS"\nfingerprint = "{mark(line.upper())}"\naction = "delete"\nsettles = "duplicate"\n'
    sheet.write_text(f"[[erratum]]\n{item}which = 2\n", encoding="utf-8")
    done = Run(capsysbinary, "audit", str(book), "--errata", str(sheet), "--format", "json")
    assert json.loads(done.out)["faults"] == json.loads(done.out)["findings"] == []
    sheet.write_text(f"[[erratum]]\n{item}", encoding="utf-8")
    assert "applies more than once" in Run(capsysbinary, "audit", str(book), "--errata", str(sheet)).out


def test_the_errata_of_the_riese_book_settle_what_they_are_for(rulebooks):
    text = (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8")
    found = applied(text, read_errata(str(ROOT / "rules/riese/errata.toml")))
    assert found.faults == []
    assert [f.kind for f in found.settled] == [Kind.DUPLICATE, Kind.NAMING]
    assert found.new == []


# --- findings that may stand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("list_of", "kinds"),
    [
        ("# riese-kb: ignore dangling-ref it will be moved\n", {"table-mismatch"}),
        ("# riese-kb: ignore dangling-ref it will be moved\nDARK WATER\n", {"table-mismatch"}),
        ("# riese-kb: ignore dangling-ref it will be moved\nBOATS\n", {"table-mismatch", "dangling-ref"}),
    ],
)
def test_a_sidecar_silences_findings(list_of, kinds, faulty, capsysbinary):
    (faulty.parent / "book.txt.ignore").write_text(list_of, encoding="utf-8")
    told = json.loads(Run(capsysbinary, "audit", str(faulty), "--format", "json").out)
    assert {f["kind"] for f in told["findings"]} == kinds
    assert told["skipped"], "what is silenced, and what silences nothing, is said"


def test_what_may_stand_is_not_mended(faulty, capsysbinary):
    (faulty.parent / "book.txt.ignore").write_text("# riese-kb: ignore dangling-ref it will be moved\n", encoding="utf-8")
    sheet = Run(capsysbinary, "audit", str(faulty), "--propose").out
    assert 'settles = "table-mismatch"' in sheet
    assert 'settles = "dangling-ref"' not in sheet


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("# riese-kb: ignore danglin-ref x", "dangling-ref"),
        ("# riese-kb: ignore naming", "no reason"),
        ("BOATS", "no kind"),
        ("# " * 600_000, "MB"),
    ],
)
def test_a_sidecar_that_says_nothing_is_one_line(line, says, faulty, capsysbinary):
    (faulty.parent / "book.txt.ignore").write_text(line, encoding="utf-8")
    done = Run(capsysbinary, "audit", str(faulty))
    assert done.status == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1


# --- printings --------------------------------------------------------------------------------------------------------


def test_stored_examples_that_hang_on_a_suspect_rule(rulebooks):
    old = (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8")
    line = next(m.lines[0] for m in matches(System.RIESE, old) if m.rule == "door.locked")
    lines = old.splitlines()
    lines[line - 1] += " Unless it is open."
    found = difference(old, "\n".join(lines), System.RIESE)
    assert "door.locked" in found.suspect
    assert ("queries/riese/doors.board.toml", "legal") in {(e.board, e.becomes) for e in found.examples if e.was == "illegal"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[erratum]]\nentry = 1\n", "no text"),
        ("[[erratum]]\nentri = 'x'\n", "did you mean entry"),
        ("[[erratum]]\nentry = 'x'\nfind = 'y'\naction = 'remove'\n", "action"),
        ("x = [", "no TOML"),
        ("x = " + "[" * 5000, "nests too deep"),
        ("x = " + "1" * 5000, "no TOML"),
        ("a = 1\n", "[[erratum]]"),
    ],
)
def test_a_wrong_sheet_is_one_line(text, says, faulty, sheet, capsysbinary):
    sheet.write_text(text, encoding="utf-8")
    done = Run(capsysbinary, "audit", str(faulty), "--errata", str(sheet))
    assert done.status == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1


def test_a_new_page_is_no_new_line(faulty, sheet):
    """Form feeds of a scanned book do not shift the lines that errata change."""
    text = faulty.read_text(encoding="utf-8").replace("\n", "\n\f")
    assert "\fSee LANTERNS (Appx. 1)" in applied(text, read_errata(str(sheet))).text


def test_a_sheet_without_an_end_is_one_line(faulty, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty), "--errata", "/dev/zero")
    assert done.status == 2
    assert "MB" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("asked", [("--errata", "x.toml", "--propose"), ("--propose", "--format", "html")])
def test_errata_in_no_such_form(asked, faulty, capsysbinary):
    done = Run(capsysbinary, "audit", str(faulty), *asked)
    assert done.status == 2
    assert "errata" in done.err


def test_errata_as_sarif_and_as_a_page(faulty, sheet, capsysbinary):
    sheet.write_text(SHEET + ON_REEDS, encoding="utf-8")
    asked = ("audit", str(faulty), "--errata", str(sheet), "--format")
    (run,) = json.loads(Run(capsysbinary, *asked, "sarif").out)["runs"]
    states = {result["ruleId"]: result.get("baselineState") for result in run["results"]}
    assert states == {"dangling-ref": "absent", "table-mismatch": "unchanged", "erratum": None}
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == set(states)
    page = Run(capsysbinary, *asked, "html").out
    assert [page.count(f"<h2>{title}") for title in ("Settled (1)", "Still open (1)", "Amiss")] == [1, 1, 1]


def test_printings_as_sarif_and_as_a_page(faulty, tmp_path, capsysbinary):
    old = tmp_path / "old.txt"
    old.write_text(CLEAN, encoding="utf-8")
    asked = ("diff", str(old), str(faulty), "--format")
    (run,) = json.loads(Run(capsysbinary, *asked, "sarif").out)["runs"]
    assert {(r["ruleId"], r.get("baselineState")) for r in run["results"]} == {
        ("passage", None),
        ("table-mismatch", "new"),
        ("dangling-ref", "new"),
    }
    assert "<h2>New findings (2)" in Run(capsysbinary, *asked, "html").out


TWICE = "Boats drift on, and nobody may push two of them back.\n"
PROPOSED = {
    "naming": ("chart and Benedek the bell", "chart and Benedeek the bell"),
    "dangling-ref": ("See LANTERNS (Appx. 1)", "See LANTERNS (Appx. 2)"),
    "example-mismatch": ("for a total of 4 MP", "for a total of 5 MP"),
    "duplicate": ("See DARK WATER.\nCRATES", f"{TWICE}{TWICE}See DARK WATER.\nCRATES"),
}


@pytest.mark.parametrize("kinds", [*([kind] for kind in PROPOSED), list(PROPOSED)], ids="+".join)
def test_proposed_errata_can_be_read_and_settle_what_they_are_for(kinds, tmp_path, capsysbinary):
    text = CLEAN
    for kind in kinds:
        assert PROPOSED[kind][0] in text
        text = text.replace(*PROPOSED[kind])
    book = tmp_path / "book.txt"
    book.write_text(text, encoding="utf-8")
    made = Run(capsysbinary, "audit", str(book), "--propose")
    sheet = tmp_path / "made.errata.toml"
    sheet.write_text(made.out, encoding="utf-8")
    done = Run(capsysbinary, "audit", str(book), "--errata", str(sheet), "--format", "json")
    told = json.loads(done.out)
    assert sorted(f["kind"] for f in told["settled"]) == sorted(kinds)
    assert told["faults"] == told["findings"] == []
    assert done.status == 0


@pytest.mark.parametrize("book", ["riese_field_manual", "stalingrad_z_rulebook", "tannhaeuser_regelheft_de"])
def test_what_is_proposed_for_a_printed_book_settles_and_brings_nothing(book, rulebooks):
    text = (rulebooks / f"{book}.txt").read_text(encoding="utf-8")
    found = proposal(text)
    assert found.items
    done = applied(text, found.items)
    assert done.faults == []
    assert done.new == []
    assert len(done.settled) >= len(found.items)
    left = {finding.at.line for finding, _ in found.refused}
    assert {finding.at.line for finding in done.open if finding.fix} <= left, "what has a fix is settled, or said to be left"


def test_what_is_proposed_for_wrong_signs_settles_them(rulebooks):
    text = (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8")

    def look(words: str) -> Audit:
        return audit(words, System.RIESE, logic=True)

    found = proposal(text, look)
    done = applied(text, found.items, look)
    assert (done.faults, done.new) == ([], [])
    assert {f.rule for f in done.settled if f.kind is Kind.SIGN} == {"power.strong", "select-fire.modifier"}


def test_what_is_proposed_for_planted_defects_settles_and_brings_nothing():
    for text, kind, _ in list(planted(random.Random(1)))[::3]:
        found = proposal(text)
        done = applied(text, found.items)
        assert (done.faults, done.new) == ([], []), kind


def test_two_printings(tmp_path, capsysbinary):
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(CLEAN, encoding="utf-8")
    text = CLEAN.replace("costs two points instead", "costs three points instead").replace(
        "#4 The Bell\n", "#4 The Bell\nIt rains.\n"
    )
    text = text.replace("Reeds are hindering squares: they cost one point more, and nobody is seen through two of them.\n", "")
    other.write_text(text, encoding="utf-8")
    done = Run(capsysbinary, "diff", str(one), str(other), "--json")
    told = json.loads(done.out)
    assert sorted(change["change"] for change in told["passages"]) == ["added", "changed", "removed"]
    changed = next(change for change in told["passages"] if change["change"] == "changed")
    assert changed["words"] == [["two", "three"]]
    assert done.status == 1
    assert Run(capsysbinary, "diff", str(one), str(one)).status == 0
    assert "1 passage" not in Run(capsysbinary, "diff", str(one), str(other)).out.splitlines()[-1]
