"""The audit of books that are printed or scanned otherwise: words spaced letter by letter, pages and references to them."""

from __future__ import annotations

import json
import random
import re

import pytest

from riese_kb.audit.book import Book
from riese_kb.audit.findings import Kind
from riese_kb.audit.run import audit
from riese_kb.audit.sentences import sentences
from riese_kb.audit.spacing import joined
from tests.audit_book import CLEAN, GERMAN
from tests.audit_pages import PAGE_FORMS, kerned, letter_spaced, paged
from tests.command_line import Run

# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", PAGE_FORMS)
def test_a_book_with_pages_has_no_finding(form):
    text = "\n".join(paged(CLEAN.splitlines(), form)) + "\n"
    assert text.count("page ") >= 3
    found = audit(text)
    assert found.findings == []
    assert found.skipped == []


def test_pages_are_counted_in_every_way_that_they_may_be_meant():
    head = "".join(f"{n}\nTHING{n}\n" + "Words of that page.\n" * 8 for n in range(3, 9))
    foot = "".join(f"THING{n}\n" + "Words of that page.\n" * 8 + f"{n}\n" for n in range(3, 9))
    for text in (head, foot):
        said = "INDEX\nSee THING4 on page 4. See THING6 on page 6. See THING7 on page {}.\n"
        assert [f.message for f in audit(text + said.format(7)).findings if f.kind is Kind.REFERENCE] == []
        (wrong,) = [f for f in audit(text + said.format(8)).findings if f.kind is Kind.REFERENCE]
        assert wrong.fix == "page 7"
        (wrong,) = [f for f in audit(text + said.format(19)).findings if f.kind is Kind.REFERENCE]
        assert wrong.message.startswith("there is no page 19")


def test_pages_of_a_text_without_marks():
    """Only what is said of them can be compared: one title, one page; a later heading on no earlier page. The rest is said."""
    text = (
        "ALPHA\nWords.\nBETA\nWords.\nGAMMA\nWords.\nDELTA\nWords.\nUSE\nSee ALPHA on page 2, {}; BETA on page 5. See page 3.\n"
    )
    text += "See DELTA on page 7, and Zeta Rays (page 8).\n"
    plain = audit(text.format("GAMMA on page 6"))
    assert [f.message for f in plain.findings if f.kind is Kind.REFERENCE] == [
        "this refers to Zeta Rays, and nothing goes by that name"
    ]
    assert "2 references to pages: 10-11" in " ".join(plain.skipped)
    early = [f.message for f in audit(text.format("GAMMA on page 4")).findings if f.kind is Kind.REFERENCE]
    assert "BETA is said to be on page 5, and stands before GAMMA, said to be on 4" in early
    twice = [f.message for f in audit(text.format("DELTA on page 9")).findings if f.kind is Kind.REFERENCE]
    assert any(message.startswith("DELTA is said to be on page") for message in twice)


def test_numbers_that_are_no_pages():
    grid = "MAP\n" + "".join(f"{n}\n. . . .\n" for n in range(1, 9))
    assert Book(grid).page_marks == {}


# --- pages spaced letter by letter ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [CLEAN, GERMAN], ids=["english", "german"])
def test_a_book_spaced_letter_by_letter_is_the_same_book(book):
    every = set(range(1, book.count("\n") + 1))
    spaced_out = letter_spaced(book, every)
    assert Book(spaced_out).lines == book.split("\n"), "and every line keeps its number"
    assert audit(spaced_out).findings == []


@pytest.mark.parametrize("seed", range(8))
def test_a_line_that_a_scan_broke_brings_no_finding(seed):
    rng = random.Random(seed)
    lines = [n for n, line in enumerate(GERMAN.split("\n"), 1) if len(line) > 40 and line[0].isalpha()]
    assert audit(kerned(GERMAN, {rng.choice(lines)}, rng)).findings == []


def test_words_are_put_together_from_those_of_the_other_lines():
    words = "Der Kampf endet, und kein Ring bleibt leer. Der Wurf zum Kampf endet im Ring. Kein Ring, kein Wurf, kein Kampf."
    words += " Und der Wurf, und der Kampf, und kein Ring; der Ring endet, und der Wurf endet, im Kampf im Ring im Wurf."
    broken = ["K ei n K a m pf en d e t i m R i ng, u n d k e in W u r", "f e n de t.", "- D e r K am p f w u r f e nd et."]
    lines, guessed = joined([words, *broken, "Im Ring gibt es A B C D."])
    assert lines[1:] == [
        "Kein Kampf endet im Ring, und kein Wurf",
        "endet.",
        "- Der Kampfwurf endet.",
        "Im Ring gibt es A B C D.",
    ]
    assert guessed == [2, 3, 4]


def test_a_word_set_wide_in_a_line_is_read():
    assert joined(["He who s t u m b l e s stops at A B C D E."])[0] == ["He who stumbles stops at A B C D E."]


def test_lines_that_nobody_can_read_are_named(tmp_path, capsysbinary):
    path = tmp_path / "book.txt"
    path.write_text(f"{CLEAN}G r u fwo n tib l e zad en s o rpit ka.\n", encoding="utf-8")
    assert (
        f"letter by letter, where no words can be told apart: {len(CLEAN.splitlines()) + 1}"
        in Run(capsysbinary, "audit", str(path)).out
    )
    told = json.loads(Run(capsysbinary, "audit", str(path), "--format", "sarif").out)
    assert told["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "<h2>Left out</h2>" in Run(capsysbinary, "audit", str(path), "--format", "html").out


# --- words broken over two lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [CLEAN, GERMAN], ids=["english", "german"])
@pytest.mark.parametrize("seed", range(4))
def test_a_book_with_broken_words_is_the_same_book(book, seed):
    """Each long paragraph is set in two lines, with a hyphen in the middle of a word."""
    rng = random.Random(seed)
    broken = []
    for line in book.splitlines():
        words = [found for found in re.finditer(r"(?<= )[^\W\d_]{6,}(?= )", line) if line[0].isalpha() and len(line) > 60]
        if words:
            word = rng.choice(words)
            cut = rng.randrange(word.start() + 2, word.end() - 2)
            broken += [f"{line[:cut]}-", line[cut:]]
        else:
            broken.append(line)
    text = "\n".join(broken) + "\n"
    assert text.count("-\n") >= 10
    assert " ".join(Book(text).lines).split() == book.split()
    assert len(Book(text).lines) == text.count("\n") + 1, "every line keeps its number"
    assert audit(text).findings == []


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ("A hand-to-hand blow.|In a hand-to-|hand fight.", "In a hand-to-hand"),
        ("The light goes out.|It is well|known to all. A well-|known thing.", "known to all. A well-known"),
        ("Die Kampf-|und Schockwürfe", "Die Kampf-"),
        ("Im Kampf-||wurf zählt es.", "Im Kampfwurf"),
        ("| a rock-|et | b |", "| a rock-"),
        ("Ask Til-|Rolf is away.", "Ask Til-"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line(lines, whole):
    assert whole in Book(lines.replace("|", "\n") if lines[0] != "|" else lines.replace("-|", "-\n")).lines


# --- sentences ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Am 3. Mai 1942 wirft Sgt. Marla, z. B. bei Nacht, 1d12 auf S/W 6/9.",
        "In der 2. Runde zählt Nr. 4 (vgl. Kap. 3) wie ein Ring.",
        "Read entry #3, i.e. the third (Appx. 3), with Dr. Spiering.",
    ],
)
def test_not_every_full_stop_ends_a_sentence(text):
    assert sentences(f"{text} Dann endet es. And so on") == [text, "Dann endet es.", "And so on"]
