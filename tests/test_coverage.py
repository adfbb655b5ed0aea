"""The account of the book: how a text falls into passages, what the account says of each, and the command that shows it."""

import json
import shutil
from pathlib import Path

import pytest

from riese_kb.board import System
from riese_kb.catalogue import rules
from riese_kb.coverage import LARGEST, Standing, account, book_text, faults, hold, read_account
from riese_kb.errors import RulesError
from riese_kb.fingerprint import entries, find
from riese_kb.passages import passages, sentences

SYSTEM = System.RIESE
BOOK = "riese_field_manual.txt"

SMALL = """\
Rule Hierarchy
The last word wins.
M
MARCHING
One foot goes first (e.g. The left one). The other follows! "Halt!" ends it.
- Never on ice.
[Diagram: a foot.]
STEPS
| KIND | COST |
|---|---|
| short | 1 |
| long | 2 |
* Not in water. Nor in mud.
R
RESTING
See MARCHING
RESTING
Sit down.
Appendix 1 - Songs
MARCHING
Sing.
Appendix 2 - Jokes
A horse walks in.
"""


def small(more: str = "", change: tuple[str, str] = ("", "")) -> str:
    return SMALL.replace(*change) + more if change[0] else SMALL + more


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An account of the small book; its second appendix is left out."""
    chapters = tmp_path / "coverage"
    chapters.mkdir()
    (tmp_path / "coverage.toml").write_text(
        '[gaps]\n"ice" = "What ice does."\n[outside]\n"Appendix 2" = "Jokes."\n[unprinted]\n', encoding="utf-8"
    )
    said = {"Never on ice.": 'open = ["ice"]', "Sing.": 'is = "flavour"', "Sit down.": 'is = "record keeping"'}
    tables: dict[str, dict[str, list[str]]] = {}
    for passage in passages(SMALL):
        if passage.chapter != "Appendix 2":
            what = said.get(passage.text, 'encoded = ["movement.forward"]')
            if passage.text.startswith("|"):
                what = 'table = ["movement_table.toml mp_cost movement.forward"]'
            line = f'{passage.ordinal} = {{ mark = "{passage.mark}", {what} }}'
            tables.setdefault(passage.chapter, {}).setdefault(passage.entry, []).append(line)
    for chapter, found in tables.items():
        text = "\n".join(f'["{entry}"]\n' + "\n".join(lines) for entry, lines in found.items())
        (chapters / f"{chapter.lower().replace(' ', '-')}.toml").write_text(text + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def book(rulebooks: Path) -> str:
    return (rulebooks / BOOK).read_text(encoding="utf-8")


# --- passages -----------------------------------------------------------------------------------------------------------


def test_a_text_falls_into_sentences_bullets_rows_notes_and_pictures():
    assert [(p.entry, p.ordinal, p.line, p.text) for p in passages(SMALL)] == [
        ("Rule Hierarchy", 1, 2, "The last word wins."),
        ("MARCHING", 1, 5, "One foot goes first (e.g. The left one)."),
        ("MARCHING", 2, 5, "The other follows!"),
        ("MARCHING", 3, 5, '"Halt!" ends it.'),
        ("MARCHING", 4, 6, "Never on ice."),
        ("MARCHING", 5, 7, "[Diagram: a foot.]"),
        ("MARCHING", 6, 11, "| short | 1 |"),
        ("MARCHING", 7, 12, "| long | 2 |"),
        ("MARCHING", 8, 13, "* Not in water."),
        ("MARCHING", 9, 13, "Nor in mud."),
        ("RESTING", 1, 16, "See MARCHING"),
        ("RESTING [2]", 1, 18, "Sit down."),
        ("Appendix 1, MARCHING", 1, 21, "Sing."),
        ("Appendix 2, Appendix 2 - Jokes", 1, 23, "A horse walks in."),
    ]


def test_passages_know_their_chapter():
    assert [p.chapter for p in passages(SMALL)] == ["opening", *["M"] * 9, *["R"] * 2, "Appendix 1", "Appendix 2"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("At a cost. The cost counts.", ["At a cost.", "The cost counts."]),
        ("The Mk. VI revolver, No. 4, of Sgt. Kelley.", ["The Mk. VI revolver, No. 4, of Sgt. Kelley."]),
        ("He rolls 1.5 of 2. 3 are left.", ["He rolls 1.5 of 2. 3 are left."]),
        ("E.g. The second. I.e. The last.", ["E.g. The second.", "I.e. The last."]),
        ("", [""]),
    ],
)
def test_abbreviations_end_no_sentence(text, parts):
    assert sentences(text) == parts


def test_a_row_is_read_with_the_head_of_its_table():
    turned = SMALL.replace("| KIND | COST |", "| COST | KIND |")
    changed = [new.text for old, new in zip(passages(SMALL), passages(turned), strict=True) if old.mark != new.mark]
    assert changed == ["| short | 1 |", "| long | 2 |"]


def test_lines_are_those_of_an_editor():
    for ends in ("\r\n", "\r"):
        assert [p.line for p in passages(SMALL.replace("\n", ends))] == [p.line for p in passages(SMALL)]
    assert [p.line for p in passages(SMALL.replace(" ", "\f", 1))] == [p.line for p in passages(SMALL)]


def test_parts_of_an_appendix_are_one_chapter(book):
    assert [c for c in dict.fromkeys(p.chapter for p in passages(book)) if c.startswith("App")] == [
        f"Appendix {n}" for n in range(1, 7)
    ]


def test_every_line_of_the_book_is_a_passage_or_no_text(book):
    said = {p.line for p in passages(book)} | {entry.number for entry in entries(book)}
    silent = [line for number, line in enumerate(book.split("\n"), 1) if line.strip() and number not in said]
    # Bullets whose text follows, rules between rows, first rows, and names of tables: the last two are in their rows' marks.
    assert [line for line in silent if line.strip() != "-" and not line.startswith("|") and line.endswith(".")] == []


# --- an account held against a book -------------------------------------------------------------------------------------


def test_the_book_it_was_made_from_agrees(folder):
    held = hold(read_account(str(folder)), SMALL)
    assert held.agrees
    assert held.outside == {"Appendix 2": 1}
    assert held.counts() == {Standing.ENCODED: 8, Standing.TABLE: 2, Standing.OPEN: 1, Standing.RECORD: 1, Standing.FLAVOUR: 1}
    assert (held.normative, held.settled) == (11, 10)


def test_a_changed_passage_is_told_from_a_new_one(folder):
    kept = read_account(str(folder))
    changed = hold(kept, small(change=("| long | 2 |", "| long | 3 |")))
    assert [(line.ordinal, p.line) for line, p in changed.changed] == [(7, 12)]
    assert not changed.new
    assert not changed.missing
    new = hold(kept, small(change=("The other follows!", "Nobody stumbles. The other follows!")))
    assert [(p.line, p.text) for p in new.new] == [(5, "Nobody stumbles.")]
    assert not new.changed


def test_what_the_copy_does_not_have_is_missing(folder):
    held = hold(read_account(str(folder)), small(change=("RESTING\nSit down.\n", "")))
    assert [(line.entry, line.ordinal) for line in held.missing] == [("RESTING [2]", 1)]
    renamed = hold(read_account(str(folder)), small(change=("M\nMARCHING", "M\nMARCHES")))
    assert len(renamed.missing) == len(renamed.new) == 9
    assert not renamed.agrees


def test_case_blanks_and_typography_do_not_matter(folder):
    copy = SMALL.replace('"Halt!" ends it', "“HALT!”  ends It")
    assert copy != SMALL
    assert hold(read_account(str(folder)), copy).agrees


def test_a_reading_that_is_encoded_leaves_nothing_open(folder):
    path = folder / "coverage" / "m.toml"
    text = path.read_text(encoding="utf-8")
    for open_, standing, contested in (("zoc", Standing.ENCODED, True), ("ice", Standing.OPEN, False)):
        path.write_text(text.replace('open = ["ice"]', f'open = ["{open_}"], encoded = ["zoc.area"]'), encoding="utf-8")
        (line,) = (x for x in read_account(str(folder)).lines if (x.entry, x.ordinal) == ("MARCHING", 4))
        assert (line.standing, line.contested, line.gaps) == (standing, contested, (open_,))
    path.write_text(text.replace('open = ["ice"]', 'open = ["zoc"]'), encoding="utf-8")
    (line,) = (x for x in read_account(str(folder)).lines if (x.entry, x.ordinal) == ("MARCHING", 4))
    assert line.standing is Standing.OPEN


def test_another_book_is_refused(folder):
    with pytest.raises(RulesError, match="does not look like the book"):
        hold(read_account(str(folder)), "COOKING\nBoil the water.\n")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('2 = { mark = "0", encoded = ["movement.forward"] }', "passage 1 is missing"),
        ('1 = { encoded = ["movement.forward"] }', "mark"),
        ('1 = { mark = "0" }', "nothing is said"),
        ('1 = { mark = "0", is = "encoded" }', "does not go with"),
        ('1 = { mark = "0", is = "prose" }', "prose"),
        ('1 = { mark = "0", is = "flavour", open = ["ice"] }', "does not go with"),
        ('1 = { mark = "0", encodes = [] }', "encodes"),
        ("1 = 2", "not written as it should be"),
        ("1 = {", "no TOML"),
    ],
)
def test_a_faulty_account_names_its_file(folder, line, fault):
    (folder / "coverage" / "r.toml").write_text(f'["RESTING"]\n{line}\n', encoding="utf-8")
    with pytest.raises(RulesError, match=fault) as raised:
        read_account(str(folder))
    assert raised.value.file == str(folder / "coverage" / "r.toml")


def test_names_of_nothing_are_found(folder):
    (folder / "coverage" / "r.toml").write_text(
        '["RESTING"]\n'
        '1 = { mark = "0", encoded = ["movement.forwards"] }\n'
        '2 = { mark = "0", table = ["movement_table.toml mp_cost movement.fly"] }\n'
        '3 = { mark = "0", table = ["no.toml x"] }\n'
        '4 = { mark = "0", open = ["snow"] }\n'
        '5 = { mark = "0", open = ["zoc"] }\n',
        encoding="utf-8",
    )
    found = [f for f in faults(SYSTEM, read_account(str(folder))) if "named by no passage" not in f]
    assert found == [
        "RESTING, passage 1: no rule is called 'movement.forwards'",
        "RESTING, passage 2: no table has 'movement_table.toml mp_cost movement.fly'",
        "RESTING, passage 3: no table has 'no.toml x'",
        "RESTING, passage 4: no gap or reading is called 'snow'",
    ]


# --- the account that is shipped ----------------------------------------------------------------------------------------


def test_the_account_names_only_what_there_is_and_leaves_out_no_rule():
    assert list(faults(SYSTEM, account(SYSTEM))) == []


def test_the_account_holds_no_text_of_the_book(book):
    """Gaps and reasons are in our own words; entries are named by their headings, and nothing else of the book is there."""

    def shingles(text: str) -> set[tuple[str, ...]]:
        words = "".join(c if c.isalpha() else " " for c in text.lower()).split()
        return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}

    kept = account(SYSTEM)
    ours = [*kept.gaps.values(), *kept.outside.values(), *kept.unprinted.values()]
    assert [text for text in ours if shingles(text) & shingles(book)] == []


def test_every_passage_of_the_book_is_accounted_for(book):
    held = hold(account(SYSTEM), book)
    assert [f"line {p.line}: {p.entry} {p.ordinal}" for p in held.new] == []
    assert [f"line {p.line}: {p.entry} {line.ordinal}" for line, p in held.changed] == []
    assert [f"{line.entry} {line.ordinal}" for line in held.missing] == []


def test_every_rule_is_named_where_it_says_it_stands(book):
    """At least one of the passages that a rule cites names it, unless it has none of its own."""
    kept = account(SYSTEM)
    named: dict[str, set[int]] = {}
    for line, passage in hold(kept, book).same:
        for id in line.rules:
            named.setdefault(id, set()).add(passage.line)
    read = entries(book)
    astray = {}
    for rule in rules(SYSTEM).values():
        cited = {piece.number for piece in find(read, rule.cite)}
        if rule.id in named and not named[rule.id] & cited:
            astray[rule.id] = sorted(cited)
    assert astray == {}


# --- the command --------------------------------------------------------------------------------------------------------


@pytest.fixture
def shipped(folder, monkeypatch):
    """The command with the account of the small book."""
    kept = read_account(str(folder))
    monkeypatch.setattr("riese_kb.coverage.account", lambda system: kept)


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_command_counts_and_is_content(shipped, terminal, run, tmp_path):
    shown = run("rules", "--coverage", written(tmp_path / "small.txt", SMALL))
    assert shown.status == 0
    assert "Every passage is accounted for: 13 in all." in shown.out
    assert "11 passages hold rules; 10 of them (90.9 %) are encoded or stand in a table." in shown.out
    assert "What ice does." in shown.out
    assert "Appendix 2, 1 passage. Jokes." in shown.out


def test_the_command_lists_what_is_amiss_with_lines(shipped, terminal, run, tmp_path):
    text = (
        small(change=("Never on ice.", "Always on ice.")).replace("Sit down.\n", "Sit down.\nStand up.\n").replace("Sing.\n", "")
    )
    book = written(tmp_path / "small.txt", text)
    shown = run("rules", "--coverage", book)
    assert shown.status == 1
    assert "1 changed, 1 not accounted for and 1 not here" in shown.out
    assert "line 6  MARCHING 4  ice  Always on ice." in shown.out
    assert "Stand up." in shown.out
    data = json.loads(run("rules", "--coverage", book, "--json").out)
    assert data["changed"] == [{"line": 6, "entry": "MARCHING", "passage": 4, "class": "open", "behind": ["ice"]}]
    assert data["unaccounted"] == [{"line": 19, "entry": "RESTING [2]", "passage": 2}]
    assert data["missing"] == [{"entry": "Appendix 1, MARCHING", "passage": 1, "class": "flavour", "behind": []}]
    assert data["agrees"] is False


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\x00\x01PNG", "no plain text"),
        ("MARCHING\nfür".encode("latin-1"), "not UTF-8"),
        ("MARCHING".encode("utf-16"), "no plain text"),
        (b"COOKING\nBoil it.\n", "does not look like the book"),
        (b"x" * (LARGEST + 1), "too long"),
    ],
)
def test_what_is_no_book_gets_one_line(shipped, terminal, run, tmp_path, content, says):
    path = tmp_path / "book.txt"
    path.write_bytes(content)
    shown = run("rules", "--coverage", str(path))
    assert shown.status == 2
    assert shown.out == ""
    assert says in shown.err
    assert shown.err.count("\n") == 1


def test_no_file_and_a_folder_get_one_line(shipped, terminal, run, tmp_path):
    for path, says in ((tmp_path / "none.txt", "no such file"), (tmp_path, "folder")):
        shown = run("rules", "--coverage", str(path))
        assert (shown.status, shown.err.count("\n")) == (2, 1)
        assert says in shown.err


def test_a_copy_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "book.txt"
    path.write_bytes(b"\xef\xbb\xbfMARCHING\r\nGo.\r\n")
    assert book_text(str(path)) == "MARCHING\r\nGo.\r\n"


def test_coverage_is_of_the_whole_book(terminal, run, tmp_path):
    shown = run("rules", "movement.turn", "--coverage", str(tmp_path))
    assert shown.status == 2
    assert "whole book" in shown.err


def test_a_missing_account_is_said(folder):
    shutil.rmtree(folder / "coverage")
    with pytest.raises(RulesError, match="no account"):
        read_account(str(folder))
