"""The catalogue of rules: complete, well-formed, in our own words, and in step with the book."""

import re
import string
from pathlib import Path

import pytest

from riese_kb.catalogue import Intent, Kind, Rule, chapters, find_rule, rule, rule_ids, rules
from riese_kb.errors import RulesError
from riese_kb.fingerprint import Piece, Sort, State, entries, find, fingerprint, main, matches, normalised

from .conftest import CHECKOUT

SYSTEM = "riese"
BOOK = "riese_field_manual.txt"
RULES = rules(SYSTEM)


def logic_text(checkout: Path) -> str:
    folders = ("logic/core", "logic/escape", f"logic/{SYSTEM}", f"logic/{SYSTEM}/scenarios", "queries")
    files = [path for folder in folders for path in sorted((checkout / folder).glob("*.lp"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if not path.name.startswith("t_"))


@pytest.fixture
def book(rulebooks) -> str:
    return (rulebooks / BOOK).read_text(encoding="utf-8")


# --- the catalogue and the logic --------------------------------------------------------------------------------------


def test_every_rule_of_the_logic_is_in_the_catalogue_and_the_other_way_round(checkout):
    encoded = set(re.findall(r"^%\s*@rule\s+(\S+)", logic_text(checkout), re.M))
    assert encoded - rule_ids(SYSTEM) == set(), "encoded, but not in the catalogue"
    assert rule_ids(SYSTEM) - encoded == set(), "in the catalogue, but not encoded"


def test_every_rule_id_named_anywhere_in_the_logic_is_a_switch_there(checkout):
    text = logic_text(checkout)
    switches = set(re.findall(r'in_force\(\w+,"([^"]+)"\)', text))
    assert switches <= rule_ids(SYSTEM)


def test_a_rule_that_can_be_broken_has_a_sentence_for_it(checkout):
    head = r'^(?:(?:violation|forbids|bars|undeclarable)\(\w+|blocks\(\w+,\w+,\w+),"([^"]+)"'
    heads = re.findall(head, logic_text(checkout), re.M)
    assert heads
    assert [id for id in sorted(set(heads)) if rule(SYSTEM, id).broken is None] == []


def test_a_sentence_for_breaking_it_stands_only_where_a_rule_can_be_broken(checkout):
    text = logic_text(checkout)
    spoken = [found.id for found in RULES.values() if found.broken]
    named = set(re.findall(r'"([a-z0-9-]+\.[a-z0-9-]+)"', text))
    assert [id for id in spoken if id not in named] == []


# --- what each rule must have -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", RULES.values(), ids=RULES)
def test_a_rule_is_complete(found: Rule):
    assert re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", found.id)
    assert found.title
    assert len(found.title) <= 48
    assert not found.title.endswith(".")
    assert found.cite.strip()
    assert re.fullmatch(r"[0-9a-f]{16}", found.fingerprint)
    assert re.fullmatch(r"[a-z0-9]+", found.subject)
    assert isinstance(found.kind, Kind)
    for text in (found.says, found.breach):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not set("{}") & set(text), "a number was not filled in"
        assert "  " not in text


@pytest.mark.parametrize("found", RULES.values(), ids=RULES)
def test_exceptions_name_rules_that_exist(found: Rule):
    assert set(found.overrides) <= rule_ids(SYSTEM) - {found.id}
    assert len(set(found.overrides)) == len(found.overrides)


def test_no_rule_is_an_exception_to_its_own_exception():
    def reached(id: str) -> set[str]:
        todo, seen = [id], set()
        while todo:
            for other in RULES[todo.pop()].overrides:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    assert [id for id in RULES if id in reached(id)] == []


def test_titles_tell_rules_apart():
    titles = [found.title for found in RULES.values()]
    assert sorted({t for t in titles if titles.count(t) > 1}) == []


def test_rules_stand_in_the_file_of_their_chapter():
    for id in RULES:
        assert id.partition(".")[0] in chapters(SYSTEM)
    assert set(chapters(SYSTEM)) == {id.partition(".")[0] for id in RULES}


def test_every_modifier_says_whom_it_is_meant_for():
    assert [r.id for r in RULES.values() if r.kind is Kind.MODIFIER and r.intent is None] == []
    assert [r.id for r in RULES.values() if r.id.startswith(("power.", "threat.")) and r.intent is not Intent.HARMS] == []


def test_numbers_come_from_the_tables():
    assert "8 MPs" in rule(SYSTEM, "hero-activation.running").says
    assert "+2 AM" in rule(SYSTEM, "lof.figure").says
    assert "−3 AM" in rule(SYSTEM, "attack.stunned-target").says
    assert "10/12" in rule(SYSTEM, "hand-to-hand.unarmed").says


def test_numbers_of_the_tables_are_not_written_out_again(checkout):
    for path in (checkout / "rules" / SYSTEM / "catalogue").glob("*.toml"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("title", "says", "broken")):
                bare = re.sub(r"\{[^}]*\}", "", line)
                bare = re.sub(r"\bd12\b|H2H", "", bare)
                if path.stem == "skill":  # names of skills have numbers
                    bare = re.sub(r"\b(Tactics|Hero|Grenadier) \d|5 Rounds", "", bare)
                # Dice that show a natural 1 or 2 are events, not numbers of a table; a step of range costs 1.
                allowed = set("12") if path.stem == "attack" else set()
                assert set(bare) & set(string.digits) <= allowed, f"{path.name}: {line}"


# --- asking for rules -------------------------------------------------------------------------------------------------


def test_a_rule_is_found_by_its_id():
    found = rule(SYSTEM, "movement.diagonal-gap")
    assert found.title == "A gap beside a diagonal"
    assert found.cite == "MOVEMENT, 9th rule"
    with pytest.raises(AttributeError):
        # Assigning is what must fail.
        found.title = "else"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("movement.diagonal-gab", "movement.diagonal-gap"),
        ("movment.points", "movement.points"),
        ("zoc", "zoc."),
        ("lof.corners", "lof.corner"),
    ],
)
def test_a_misspelt_id_gets_the_nearest_one(wrong, meant):
    with pytest.raises(RulesError, match=re.escape(meant)) as fault:
        rule(SYSTEM, wrong)
    assert wrong in fault.value.what


def test_a_rule_of_the_house_is_simply_not_there():
    assert find_rule(SYSTEM, "house.no-grenades") is None
    assert find_rule(SYSTEM, "movement.no-grenades") is None


def test_a_game_without_a_catalogue_says_so():
    with pytest.raises(RulesError, match="no catalogue"):
        rules("chess")


# --- the book ---------------------------------------------------------------------------------------------------------


def test_the_catalogue_agrees_with_the_book(book):
    amiss = {m.rule: m.fault or m.lines for m in matches(SYSTEM, book) if m.state is not State.SAME}
    assert amiss == {}


def test_no_text_repeats_nine_words_of_the_book(book):
    def shingles(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[^\W\d_]{2,}", text.lower())
        return {tuple(words[i : i + 9]) for i in range(len(words) - 8)}

    printed = shingles(book)
    copied = {
        found.id: [" ".join(words) for words in shingles(text) & printed]
        for found in RULES.values()
        for text in (found.title, found.says, found.breach)
        if shingles(text) & printed
    }
    assert copied == {}


def test_a_changed_passage_makes_its_rules_suspect_by_name(book):
    changed = book.replace("A roll of 1 is always a miss.", "A roll of 1 or 2 is always a miss.")
    assert changed != book
    assert [m.rule for m in matches(SYSTEM, changed) if m.state is State.CHANGED] == ["attack.natural-one"]


def test_a_missing_entry_makes_its_rules_suspect_by_name(book):
    without = book.replace("SELECT FIRE\nYou may", "QUICK FIRE\nYou may")
    missing = [m.rule for m in matches(SYSTEM, without) if m.state is State.MISSING]
    assert missing == ["select-fire.weapon", "select-fire.rate", "select-fire.modifier"]


# --- finding passages, in a small book of our own ---------------------------------------------------------------------

SMALL = """\
Glossary
A
AIMING
See SHOOTING.
MARCHING / MARCH
One foot before the other.
- Left.
- Right.
STEPS
| KIND | COST |
|---|---|
| short | 1 |
| long | 2 |
* Not in water.
- Left again.
Then the second list:
- Halt.
RESTING PLACES: Any bench.
- Wooden.
[Diagram: a bench.]
- Stone.
SHOOTING (S)
-
The first bullet stands on a line of its own.
EXAMPLE: Bang.
DARKNESS
Lamps (table):
| LAMP | RANGE |
|---|---|
| oil | 3 |
Appendix 1 - Odds and Ends
DARKNESS
Bats see.
Bat Powers
SQUEAK: Loud.
- Very loud.
FLAP: Quiet.
"""


@pytest.mark.parametrize(
    ("cite", "text"),
    [
        ("MARCHING/MARCH, 1st paragraph", ["One foot before the other."]),
        ("MARCHING/MARCH, 2nd rule", ["Right."]),
        ("MARCHING/MARCH, 3rd rule", ["Left again."]),
        ("MARCHING/MARCH, 1st and 3rd rule", ["Left.", "Left again."]),
        ("MARCHING/MARCH, 2nd list, 1st rule", ["Halt."]),
        ("MARCHING/MARCH, steps table, 2nd row", ["| long | 2 |"]),
        ("MARCHING/MARCH, table", ["| KIND | COST |", "| short | 1 |", "| long | 2 |"]),
        ("MARCHING/MARCH, 1st note", ["* Not in water."]),
        ("MARCHING/MARCH, Resting Places, 2nd rule", ["Stone."]),
        ("MARCHING/MARCH, Resting Places", ["RESTING PLACES: Any bench.", "Wooden.", "Stone."]),
        ("SHOOTING, 1st rule", ["The first bullet stands on a line of its own."]),
        ("SHOOTING, 1st paragraph", ["EXAMPLE: Bang."]),
        ("DARKNESS, lamp table, 1st row", ["| oil | 3 |"]),
        ("Appendix 1, DARKNESS", ["Bats see."]),
        ("Appendix 1, SQUEAK", ["SQUEAK: Loud.", "Very loud."]),
        ("Appendix 1, Bat Powers, FLAP", ["FLAP: Quiet."]),
        ("SHOOTING, 1st rule; Appendix 1, DARKNESS", ["The first bullet stands on a line of its own.", "Bats see."]),
    ],
)
def test_a_citation_finds_its_passage(cite, text):
    assert [piece.text for piece in find(entries(SMALL), cite)] == text


@pytest.mark.parametrize(
    "cite",
    [
        "SINGING",
        "AIMING",
        "MARCHING/MARCH, 9th rule",
        "MARCHING/MARCH, Sleeping",
        "SHOOTING, table, 1st row",
        "Appendix 2, DARKNESS",
        "",
    ],
)
def test_a_citation_of_nothing_is_an_error(cite):
    with pytest.raises(RulesError):
        find(entries(SMALL), cite)


def test_a_citation_of_two_entries_is_an_error():
    with pytest.raises(RulesError, match="several"):
        find(entries(SMALL + "FLEAS\nJump.\nFLEAS\nBite.\n"), "Appendix 1, FLEAS")


def test_lines_are_counted_from_one():
    assert [entry.number for entry in entries(SMALL)][:3] == [1, 2, 3]
    assert find(entries(SMALL), "MARCHING/MARCH, 1st paragraph")[0].number == 6


def test_a_fingerprint_ignores_case_blanks_and_typography():
    one = Piece(Sort.PARAGRAPH, "The hero’s  move – “free”", 1)
    other = Piece(Sort.PARAGRAPH, 'the HERO\'s move - "free"', 7)
    assert fingerprint([one]) == fingerprint([other])
    assert fingerprint([one]) != fingerprint([one, other])
    assert normalised("  A\tB ") == "a b"


def test_the_command_reports_what_does_not_agree(tmp_path, capsys):
    book = tmp_path / "small.txt"
    book.write_text(SMALL, encoding="utf-8")
    assert main([str(book)]) == 1
    out = capsys.readouterr().out
    assert "missing  attack.natural-one: the book has no 'ATTACK/ATTACKING" in out
    assert out.splitlines()[-1] == f"{len(RULES)} rules, {len(RULES)} to be looked at"


def test_the_command_says_when_there_is_no_book(tmp_path, capsys):
    assert main([str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


GAMES = re.compile(r"""System\.(?:RIESE|STALINGRAD_Z|TANNHAEUSER)|["'](?:riese|stalingrad_z|tannhaeuser)["']""")


def test_only_the_registry_of_games_names_one():
    """What tells the games apart stands in ``riese_kb/board.py``, in ``logic/`` and in ``rules/``."""
    files = [file for file in (CHECKOUT / "riese_kb").rglob("*.py") if file.name != "board.py"]
    lines = [(file.name, line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert [pair for pair in lines if GAMES.search(pair[1]) and "``like" not in pair[1]] == []
