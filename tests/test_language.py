"""The language of questions: what a text means, what is said about one that means nothing, and how it is written.

One file, though it is long: reading, refusing, writing and completing are held to the same list of texts.
"""

import json
import re

import lark
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from riese_kb.board import Declared, Facing
from riese_kb.boardfile import parse_board
from riese_kb.errors import QuestionError
from riese_kb.language import (
    EXAMPLES,
    MAX_ACTIONS,
    MAX_LENGTH,
    UnreadableQuestion,
    complete,
    format_question,
    grammar,
    parse_question,
    quick,
    resolve,
)
from riese_kb.language.faults import Fault
from riese_kb.question import (
    About,
    Action,
    Attack,
    AttackType,
    BetweenScenarios,
    Blast,
    BreakLock,
    Can,
    CanTo,
    Deed,
    Earn,
    Exit,
    Heal,
    Initiative,
    Join,
    Learn,
    Lof,
    MayCarry,
    MoveTo,
    Npc,
    NpcTurn,
    Play,
    Question,
    Reach,
    Replay,
    Round,
    SearchPlace,
    Side,
    Spawn,
    Step,
    Targets,
    ThreatAfter,
    Throw,
    Victory,
    Zombie,
    ZombieTurn,
)
from riese_kb.tables import armoury
from riese_kb.team import Outcome

WALK, RUN, STAY = Declared.WALKING, Declared.RUNNING, Declared.STATIONARY
FORWARD, LEFT, RIGHT, TURN = Action(Step.FORWARD), Action(Step.LEFT), Action(Step.RIGHT), Action(Step.TURN_RIGHT)
SPAWN = Deed(1, "spawn point")
KEYWORDS = sorted(word for word in grammar.keywords().values() if word[0].isalpha())

# --- what each text means --------------------------------------------------------------------------------------------

FORMS: list[tuple[str, About]] = [
    ("can nicole walk forward, turn right, forward", Can("nicole", WALK, (FORWARD, TURN, FORWARD))),
    ("CAN nicole Walk FORWARD, Turn Right", Can("nicole", WALK, (FORWARD, TURN))),
    ("can nicole forward", Can("nicole", None, (FORWARD,))),
    ("can nicole running left then right, then forward", Can("nicole", RUN, (LEFT, RIGHT, FORWARD))),
    ("can nicole walk", Can("nicole", WALK, ())),
    ("can nicole stay", Can("nicole", STAY, ())),
    ("can nicole stationary forward", Can("nicole", STAY, (FORWARD,))),
    ("can nicole special", Can("nicole", Declared.SPECIAL, ())),
    ("can nicole walk forward 3,left x2", Can("nicole", WALK, (FORWARD, FORWARD, FORWARD, LEFT, LEFT))),
    ("can nicole walk forward left", Can("nicole", WALK, (Action(Step.FORWARD_LEFT),))),
    ("can nicole walk Backward-Right 2x", Can("nicole", WALK, (Action(Step.BACKWARD_RIGHT),) * 2)),
    ("can nicole open door", Can("nicole", None, (Action(Step.OPEN_DOOR, side=Side.AHEAD),))),
    ("can nicole close door behind, left", Can("nicole", None, (Action(Step.CLOSE_DOOR, side=Side.BEHIND), LEFT))),
    ("can nicole pass Gas  Mask to kelley", Can("nicole", None, (Action(Step.PASS, item="Gas Mask", to="kelley"),))),
    ("can nicole pass 'to go' to to", Can("nicole", None, (Action(Step.PASS, item="to go", to="to"),))),
    ("can nicole pick up Hale's Map then left", Can("nicole", None, (Action(Step.PICK_UP, item="Hale's Map"), LEFT))),
    ("can nicole pick up then", Can("nicole", None, (Action(Step.PICK_UP, item="then"),))),
    ("can nicole switch weapon to “FG-42”", Can("nicole", None, (Action(Step.SWITCH, item="FG-42"),))),
    ("can nicole run to D7", CanTo("nicole", RUN, (4, 7))),
    ("can nicole to aa12?", CanTo("nicole", None, (27, 12))),
    ("can nicole walk to E2 East", CanTo("nicole", WALK, Exit((5, 2), Facing.EAST))),
    ("reach nicole", Reach("nicole", None)),
    ("reach nicole running", Reach("nicole", RUN)),
    ("reach nicole walk", Reach("nicole", WALK)),
    ("lof nicole to z1", Lof("nicole", "z1")),
    ("lof A3 to e1", Lof("A3", "e1")),
    ("targets nicole", Targets("nicole")),
    ("targets nicole covering run", Targets("nicole", RUN, covering=True)),
    ("attack nicole on z1", Attack("nicole", "z1")),
    ('attack nicole on z1 with "FG-42"', Attack("nicole", "z1", "FG-42")),
    ("attack nicole on z1 with MG 42 spread fire", Attack("nicole", "z1", "MG 42", AttackType.SPREAD)),
    ("attack nicole on z1 hand to hand unarmed", Attack("nicole", "z1", type=AttackType.H2H, unarmed=True)),
    ("attack nicole on z1 normal normal", Attack("nicole", "z1", type=AttackType.NORMAL)),
    (
        "attack nicole on z1 select fire off-hand covering h2h with 'hand axe' stationary",
        Attack("nicole", "z1", "hand axe", AttackType.H2H, STAY, covering=True, off_hand=True, select=True),
    ),
    ("throw nicole grenade at D7", Throw("nicole", "grenade", (4, 7))),
    ("throw nicole Molotov Cocktail at aa1 running", Throw("nicole", "Molotov Cocktail", (27, 1), RUN)),
    ("blast at D7 with grenade", Blast((4, 7), "grenade")),
    ("blast at d7 with satchel charge by nicole", Blast((4, 7), "satchel charge", "nicole")),
    ("break lock nicole", BreakLock("nicole")),
    ("break lock nicole walking", BreakLock("nicole", WALK)),
    ("may nicole carry MP-40, Grenade", MayCarry("nicole", ("MP-40", "Grenade"))),
    ("may nicole carry 2 Grenade then Til and his Axe", MayCarry("nicole", ("Grenade", "Grenade", "Til and his Axe"))),
    ("search O1", SearchPlace("O1")),
    ("search O1 by nicole on 45 results 1", SearchPlace("O1", "nicole", "45 results 1")),
    ("zombie z1", Zombie("z1")),
    ("zombies", ZombieTurn()),
    ("npcs", NpcTurn()),
    ("initiative", Initiative()),
    ("round", Round()),
    ("spawn", Spawn()),
    ("spawn S1", Spawn("S1")),
    ("Spawn S* as Groß Karl", Spawn("S*", "Groß Karl")),
    ("npc guard1", Npc("guard1")),
    ("npc guard1 to D7 opening doors", Npc("guard1", (4, 7), doors=True)),
    ("npc guard1 to E2 east", Npc("guard1", Exit((5, 2), Facing.EAST))),
    ('can kelley learn "Tactics 1", Run and Gun then x', Learn("kelley", ("Tactics 1", "Run and Gun", "x"))),
    ("can kelley heal nicole", Heal("kelley", "nicole")),
    ("can rai join", Join("rai")),
    ("can TEAM play 1a with kelley, nicole", Play("1A", ("kelley", "nicole"))),
    ("can team replay 17", Replay("17")),
    ("can team walk forward", Can("team", WALK, (FORWARD,))),
    ("threat after 17 won with 2 prisoners", ThreatAfter("17", Outcome.WON, (Deed(2, "prisoners"),))),
    (
        "threat after 17 with 1 spawn point, 3x doors lost",
        ThreatAfter("17", Outcome.LOST, (Deed(1, "spawn point"), Deed(3, "doors"))),
    ),
    ("between scenarios", BetweenScenarios()),
    ("between scenarios after 30 lost", BetweenScenarios("30", Outcome.LOST)),
    ("xp kelley with 3 beta after reset, 1 omega", Earn("kelley", (Deed(3, "beta", late=True), Deed(1, "omega")))),
    ("victory with kelley, nicole", Victory(("kelley", "nicole"))),
]


@pytest.mark.parametrize(("text", "about"), FORMS, ids=[text for text, _ in FORMS])
def test_form(text: str, about: About) -> None:
    assert parse_question(text) == Question(text, about)


def test_blanks_around_a_question_do_not_count() -> None:
    assert parse_question("  zombie   z1 ?\n") == Question("zombie   z1 ?", Zombie("z1"))


@pytest.mark.parametrize("word", KEYWORDS)
def test_an_id_may_be_spelt_like_any_keyword(word: str) -> None:
    assert parse_question(f"can {word} walk forward").about == Can(word, WALK, (FORWARD,))
    assert parse_question(f"can {word} to B2").about == CanTo(word, None, (2, 2))
    assert parse_question(f"lof {word} to {word}").about == Lof(word, word)
    assert parse_question(f"attack {word} on {word} spread").about == Attack(word, word, type=AttackType.SPREAD)
    assert parse_question(f"zombie {word}").about == Zombie(word)
    assert parse_question(f'can n pass "x" to {word} then left').about == Can(
        "n", None, (Action(Step.PASS, item="x", to=word), LEFT)
    )


@pytest.mark.parametrize("name", armoury("riese"))
def test_printed_names_need_no_quotation_marks(name: str) -> None:
    picked = parse_question(f"can n pick up {name}, left").about
    assert picked == Can("n", None, (Action(Step.PICK_UP, item=name), LEFT))
    assert parse_question(f"attack n on z1 with {name} covering").about == Attack("n", "z1", name, covering=True)


SUFFIXES = [
    ("under zoc=solid", {"under": (("zoc", "solid"),)}),
    ("under ZOC Solid", {"under": (("zoc", "solid"),)}),
    ("under solid", {"under": (("", "solid"),)}),
    ("under a = 1, b 2 and c", {"under": (("a", "1"), ("b", "2"), ("", "c"))}),
    ("under a=with without b", {"under": (("a", "with"),), "without": ("b",)}),
    ("without movement.diagonal-gap, zoc and lof.Corner", {"without": ("movement.diagonal-gap", "zoc", "lof.corner")}),
    ("with rules x.lp", {"rules": ("x.lp",)}),
    ('with rules "my  house rules.lp" with rules b/c.lp', {"rules": ("my  house rules.lp", "b/c.lp")}),
    ("with scenario 43", {"scenarios": ("43",)}),
    (
        "with scenario 43, with rules x.lp, without a, under b, under c=d",
        {"scenarios": ("43",), "rules": ("x.lp",), "without": ("a",), "under": (("", "b"), ("c", "d"))},
    ),
    ("without a without a", {"without": ("a",)}),
]


@pytest.mark.parametrize(("suffix", "fields"), SUFFIXES, ids=[suffix for suffix, _ in SUFFIXES])
@pytest.mark.parametrize("question", [*EXAMPLES.values(), "can n pick up FG-42", "can n to A1", "lof A1 to B2"])
def test_suffix(question: str, suffix: str, fields: dict[str, tuple[str, ...]]) -> None:
    text = f"{question} {suffix}"
    assert parse_question(text) == replace(parse_question(question), text=text, **fields)


def test_with_means_a_weapon_or_a_suffix() -> None:
    question = parse_question("attack n on z1 with rules a.lp with 'rules' with scenario 4 h2h")
    assert question.about == Attack("n", "z1", "rules", AttackType.H2H)
    assert (question.rules, question.scenarios) == (("a.lp",), ("4",))


# --- what is said about a text that means nothing --------------------------------------------------------------------

STEP = "a movement action such as forward or turn left"
FAULTS = [
    ("can nicole walk forwad, left", 16, [f"expected {STEP}", 'found "forwad"', "did you mean forward?"]),
    ("can nicole walk forward backward", 24, ["a comma and the next action", "a number such as 3 or x3"]),
    ("can nicole walk forward,", 24, [f"breaks off: expected {STEP}"]),
    ("can nicole wlak forward", 11, ["walk, run or stay", "did you mean walk?", EXAMPLES["can"]]),
    ("can nicole walk turn lefft", 21, ['expected "left" or "right"', "did you mean left?"]),
    ("can nicole run to Z99999", 18, ["a square such as C4", "for example: can nicole run to D7"]),
    ("can nicole run to E2 up", 21, ["north, east, south or west"]),
    ("can", 3, ["breaks off: expected the id of a figure"]),
    ("can nicole walk forward 201", 24, ["1 to 200 times"]),
    ("can nicole walk forward x0", 24, ["1 to 200 times"]),
    ("can nicole walk forward 200, left", 0, ["201 actions"]),
    ("can nicole pick up ''", 19, ["no name between"]),
    ("can nicole pick up 'x", 19, ["quotation mark has no partner"]),
    ("cna nicole walk", 0, ["expected can, reach, lof", "did you mean can?"]),
    ("reech nicole", 0, ["did you mean reach?", "reach nicole running"]),
    ("reach nicole stay", 13, ["walking or running"]),
    ("lof nicole z1", 11, ['expected "to"', EXAMPLES["lof"]]),
    ("lof A3 tomorrow", 7, ['expected "to"']),
    ("break the lock", 6, ['expected "lock"', EXAMPLES["break"]]),
    ("attack nicole at z1", 14, ['expected "on"', EXAMPLES["attack"]]),
    ("attack nicole on z1 spreed", 20, ["a word about the attack", "did you mean spread?"]),
    ("attack nicole on z1 spread h2h", 27, ["spread, or h2h?"]),
    ("attack nicole on z1 walk with Luger running", 36, ["walking, or running?"]),
    ("attack nicole on z1 with Luger with 'MP-40'", 36, ['"Luger", or "MP-40"?']),
    ("attack nicole on z1 unarmed with Luger", 33, ['unarmed, or with "Luger"?']),
    ("zombie", 6, ["the id of a figure"]),
    ("zombies z1", 8, ["a suffix (under, without, with) or the end of the question"]),
    ("zombies under", 13, ["a reading such as zoc=solid"]),
    ("zombies under a=1, a=2", 19, ["a=1, or a=2?"]),
    ("zombies without", 15, ["the id of a rule such as"]),
    ("zombies without a,", 18, ["the id of a rule such as"]),
    ("zombies with ruls x", 13, ['"rules" or "scenario"', "did you mean rules?"]),
    ("zombies with rules ' '", 19, ["no file name between"]),
    ("zombie z1). :- not", 7, ["the id of a figure", 'found "z1)."']),
    ('z1) :- #script (python) print("x") #end.', 0, ["expected can, reach"]),
    ("zombie 日本 x", 7, ["letters, digits, _ and -"]),
]


@pytest.mark.parametrize(("text", "place", "says"), FAULTS, ids=[text for text, _, _ in FAULTS])
def test_fault(text: str, place: int, says: list[str]) -> None:
    with pytest.raises(UnreadableQuestion) as caught:
        parse_question(text)
    message = str(caught.value)
    assert [part for part in says if part not in message] == []
    assert caught.value.start == place
    _, line, caret, fix = message.split("\n")
    assert line == f"  {text}"
    assert caret.index("^") == 2 + place
    assert "for example: " in fix.lower()


def test_the_caret_counts_columns_not_characters() -> None:
    with pytest.raises(UnreadableQuestion) as caught:
        parse_question("can n pick up 日本, spin")
    assert str(caught.value).split("\n")[2].index("^") == 2 + len("can n pick up 日本, ") + 2


def test_a_long_question_shows_only_the_surroundings() -> None:
    text = "can n walk " + "forward, " * 50 + "spin, " + "left, " * 50 + "left"
    with pytest.raises(UnreadableQuestion) as caught:
        parse_question(text)
    _, line, caret, _ = str(caught.value).split("\n")
    assert re.fullmatch(r"  ….{80}…", line)
    assert line[caret.index("^") :].startswith("spin")
    assert caret.strip() == "^^^^"


@pytest.mark.parametrize(
    "text",
    [
        "Sight eva to tala",
        "duel karl against tala with mind",
        "won",
        "may eva search r9",
        "kann eva nach r7",
        "sicht eva zu tala",
        "can eva move to r7",
    ],
)
def test_questions_about_rings_are_refused_on_squares_in_one_line(text: str) -> None:
    with pytest.raises(QuestionError, match=r"^this question is about a board of rings, and this board has squares \(here: can"):
        resolve(parse_question(text), NO_RINGS)


NO_RINGS = parse_board('system = "riese"\nmap = """\n+-+\n|.|\n+-+\n"""\n')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the question is empty"),
        (" ?? ", "the question is empty"),
        ("zombie\tz1", "character 7 of the question .U.0009."),
        ("zombies\nzombies", "character 8 of the question .U.000A."),
        ("zombie z1\x00", "U.0000"),
        ("zombie \u202ez1", "U.202E"),
        ("zombie \ud800", "U.D800"),
        ("zombie " + "z" * MAX_LENGTH, "2,007 characters .at most 2,000"),
        ("x" * 1_000_000, "1,000,000 characters"),
    ],
)
def test_what_is_no_line_of_text_is_refused(text: str, says: str) -> None:
    with pytest.raises(QuestionError, match=says) as caught:
        parse_question(text)
    assert len(str(caught.value)) < 200


# Texts of all kinds: anything at all, and words of the language in any order, which come much further.
ANY_WORD = st.sampled_from([*KEYWORDS, ",", "=", '"', "'", '"FG-42"', "'x y'", "A3", "z1", "x3", "200", "a.b", "", "“", "?"])
MIXTURE = st.lists(st.one_of(ANY_WORD, st.text(max_size=4)), max_size=14).map(" ".join)
BEGINNINGS = st.builds(lambda text, n, more: text[:n] + more, st.sampled_from([t for t, _ in FORMS]), st.integers(0, 60), MIXTURE)


def read(text: str) -> Question | QuestionError:
    try:
        return parse_question(text)
    except QuestionError as error:
        return error


@given(st.one_of(st.text(), MIXTURE, BEGINNINGS))
def test_any_text_is_a_question_or_refused(text: str) -> None:
    match read(text):
        case UnreadableQuestion(text=asked, start=start) as error:
            assert 0 <= start <= len(asked)
            assert len(str(error).split("\n")) == 4
        case QuestionError() as error:
            assert "\n" not in str(error)
        case Question() as question:
            assert replace(parse_question(format_question(question)), text="") == replace(question, text="")


# --- writing ---------------------------------------------------------------------------------------------------------

IDS = st.one_of(st.sampled_from(KEYWORDS), st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True))
WORDS = st.from_regex(r"[a-z0-9_-]{1,12}", fullmatch=True)
SQUARES = st.tuples(st.integers(1, 18278), st.integers(1, 9999))
PRINTABLE = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=20)
NAMES = PRINTABLE.map(lambda text: " ".join(text.split()).translate({ord(char): None for char in "'‘’"})).filter(bool)
MODES = st.none() | st.sampled_from(Declared)
GOING = st.none() | st.sampled_from([WALK, RUN])
SIDED = [Step.OPEN_DOOR, Step.CLOSE_DOOR, Step.UNLOCK_DOOR, Step.FORCE_DOOR]
HANDLED = [Step.PICK_UP, Step.SWITCH, Step.TAKE, Step.MOUNT, Step.DEMOUNT]
WITH_MORE = [*HANDLED, Step.PASS, Step.SET, Step.SEARCH, Step.RESCUE, Step.OPERATE]
PLAIN = [step for step in Step if step not in (*SIDED, *WITH_MORE)]
ACTIONS = st.one_of(
    st.sampled_from(PLAIN).map(Action),
    st.builds(
        lambda step, side: Action(step, side=side),
        st.sampled_from(SIDED),
        st.sampled_from(Side),
    ),
    st.builds(lambda step, item: Action(step, item=item), st.sampled_from(HANDLED), NAMES),
    st.builds(lambda item, to: Action(Step.PASS, item=item, to=to), NAMES, IDS),
    st.builds(lambda place: Action(Step.SEARCH, place=place), IDS),
    st.builds(lambda to: Action(Step.RESCUE, to=to), IDS),
    st.builds(lambda place: Action(Step.OPERATE, place=place), st.sampled_from(["O1", "D1"])),
    st.builds(
        lambda item, at, rounds: Action(Step.SET, item=item, at=at, rounds=rounds),
        NAMES,
        st.tuples(st.integers(1, 30), st.integers(1, 40)),
        st.integers(1, 9),
    ),
)
ARMED = st.builds(
    Attack, IDS, IDS, st.none() | NAMES, st.none() | st.sampled_from(AttackType), MODES, st.booleans(), st.booleans(),
    st.just(False), st.booleans(), st.booleans(),
)  # fmt: skip
NUMBERS = st.from_regex(r"[A-Z0-9]{1,4}", fullmatch=True)
# After a comma these words begin a suffix, so no hero of a list can bear them.
HEROES = st.lists(
    IDS.filter(lambda id: id.lower() not in ("under", "without", "with")), min_size=1, max_size=4, unique_by=str.lower
).map(tuple)
DEEDS = st.lists(st.builds(Deed, st.integers(1, 99), NAMES, st.booleans()), max_size=3).map(tuple)
ABOUTS = st.one_of(
    st.builds(Can, IDS, MODES, st.lists(ACTIONS, min_size=1, max_size=30).map(tuple)),
    st.builds(Can, IDS, st.sampled_from(Declared), st.just(())),
    st.builds(CanTo, IDS, MODES, SQUARES | st.builds(Exit, SQUARES, st.sampled_from(Facing))),
    st.builds(Reach, IDS, GOING, st.integers(0, 99)),
    st.builds(MoveTo, IDS, IDS, st.integers(0, 99)),
    st.builds(Lof, IDS, IDS),
    st.builds(Targets, IDS, MODES, st.booleans()),
    ARMED,
    ARMED.map(lambda attack: replace(attack, weapon=None, unarmed=True)),
    st.builds(Throw, IDS, NAMES, SQUARES, MODES),
    st.builds(Blast, SQUARES, NAMES, st.none() | IDS),
    st.builds(BreakLock, IDS, MODES),
    st.builds(SearchPlace, IDS, st.none() | IDS, st.none() | NAMES),
    st.builds(MayCarry, IDS, st.lists(NAMES, min_size=1, max_size=5).map(tuple)),
    st.builds(Zombie, IDS),
    st.just(ZombieTurn()),
    st.just(NpcTurn()),
    st.just(Initiative()),
    st.just(Round()),
    st.builds(Spawn),
    st.builds(Spawn, IDS.filter(lambda label: label.lower() not in ("under", "with", "without")), st.none() | NAMES),
    st.builds(Npc, IDS),
    st.builds(Learn, IDS, st.lists(NAMES, min_size=1, max_size=4).map(tuple)),
    st.builds(Heal, IDS, IDS),
    st.builds(Join, IDS),
    st.builds(Play, NUMBERS, HEROES),
    st.builds(Replay, NUMBERS),
    st.builds(ThreatAfter, NUMBERS, st.none() | st.sampled_from(Outcome), DEEDS),
    st.builds(BetweenScenarios, st.none() | NUMBERS, st.none() | st.sampled_from(Outcome), DEEDS),
    st.builds(Earn, IDS, DEEDS),
    st.builds(Victory, HEROES),
)


def some(items: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(items, max_size=3, unique=True).map(tuple)


READINGS = st.lists(st.tuples(st.just("") | WORDS, WORDS), max_size=3, unique_by=lambda pair: pair[0] or pair).map(tuple)
RULES = st.from_regex(r"[a-z0-9_-]{1,8}(\.[a-z0-9_-]{1,8}){0,2}", fullmatch=True)
QUESTIONS = st.builds(Question, st.just(""), ABOUTS, READINGS, some(RULES), some(NAMES), some(WORDS))


@given(QUESTIONS)
def test_a_question_survives_writing_and_reading(question: Question) -> None:
    text = format_question(question)
    assert parse_question(text) == replace(question, text=text)


@pytest.mark.parametrize("text", [*EXAMPLES.values(), "can nicole run to D7", "lof A3 to E1"])
def test_the_contract_writes_as_we_do(text: str) -> None:
    assert format_question(parse_question(text)) == text


def test_the_longest_walk_can_be_read_again() -> None:
    walk = (Action(Step.BACKWARD_RIGHT),) * MAX_ACTIONS
    assert parse_question(format_question(Question("", Can("n", WALK, walk)))).about == Can("n", WALK, walk)


# --- completion ------------------------------------------------------------------------------------------------------

FIRST = (
    "angriff attack between blast break can counterattack darf duel duell gegenangriff gewonnen initiative kann lof max may "
    "npc npcs reach reichweite round search sicht sight spawn targets threat throw victory what why won xp ziele zombie zombies"
)
COMPLETIONS = [
    ("", FIRST.split()),
    ("Zom", ["zombie", "zombies"]),
    ("why ", ["not"]),
    ("why not ", ["attack", "break", "can", "counterattack", "lof", "may", "sight", "throw"]),
    ("can ", []),
    ("can nicole", []),
    ("can nicole ru", ["run", "running"]),
    ("can nicole walk forward,forw", ["forward", "forward-left", "forward-right"]),
    ("can nicole walk turn ", ["left", "right"]),
    ("can nicole pass med kit ", ["to"]),
    ("attack nicole on z1 with r", ["rules"]),
    ("zombies with ", ["rules", "scenario"]),
    ("zombies under x=y w", ["with", "without"]),
    ("reach nicole walk running un", ["under"]),
    ("can nicole pick up '' then ", []),
    ("nonsense ", []),
    ("can nicole pick up 'un", []),
    ("x" * 10_000, []),
]


@pytest.mark.parametrize(("prefix", "words"), COMPLETIONS, ids=[prefix[:40] for prefix, _ in COMPLETIONS])
def test_completion(prefix: str, words: list[str]) -> None:
    assert complete(prefix) == words


@given(st.one_of(st.text(), MIXTURE, BEGINNINGS))
def test_every_word_offered_may_stand_there(prefix: str) -> None:
    begun = re.split(r"[\s,]", prefix)[-1]
    for word in complete(prefix):
        whole = prefix[: len(prefix) - len(begun)] + word
        match read(whole):
            case UnreadableQuestion(what=what):
                assert "breaks off" in what or "contradiction" in what
            case QuestionError():
                assert len(whole) > MAX_LENGTH or not whole.strip("\r\n").isprintable()


# --- the stored parse table ------------------------------------------------------------------------------------------


def test_the_stored_table_is_that_of_the_grammar() -> None:
    with open(grammar.TABLE, encoding="utf-8") as file:
        stored = json.load(file)
    assert stored["grammar"] == grammar._grammar(), "the grammar has changed: run python -m riese_kb.language"
    if stored["lark"] == lark.__version__:  # another lark only makes the start slower
        assert grammar.stored_table() == stored


def test_the_steps_are_those_of_the_grammar() -> None:
    with open(quick.TABLE, encoding="utf-8") as file:
        stored = json.load(file)
    assert stored["grammar"] == grammar._grammar(), "the grammar has changed: run python -m riese_kb.language"
    # lark numbers its states anew each time, so that only what is read can be compared (below).
    assert stored.keys() == json.loads(grammar.steps_text()).keys()


def by_lark(text: str) -> object:
    """What lark reads; None where it is no question."""
    try:
        return grammar.parser().parse(text)
    except lark.UnexpectedInput:
        return None
    except Fault as fault:
        return fault.what


def by_steps(text: str) -> object:
    """What the stored steps read."""
    try:
        return quick.read(text)
    except Fault as fault:
        return fault.what


@pytest.mark.parametrize("text", [text for text, _ in FORMS])
def test_steps_and_lark_read_the_same(text: str) -> None:
    whole = text.rstrip("? ")
    assert by_steps(whole) == by_lark(whole) is not None
    words = whole.split()
    for end in range(1, len(words)):  # broken off, and with a word too many or in the wrong place
        for broken in (words[:end], [*words[:end], "with", *words[end:]], [*words[end:], *words[:end]]):
            assert by_steps(" ".join(broken)) == by_lark(" ".join(broken)), broken


@pytest.mark.parametrize("stored", [None, "", "{", '{"grammar": ""}', "[]"])
def test_without_fitting_steps_lark_reads(stored: str | None, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"{tmp_path}/steps.json"
    if stored is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(stored)
    monkeypatch.setattr(quick, "TABLE", path)
    monkeypatch.setattr(quick, "_steps", quick._steps.__wrapped__)
    assert quick.read("reach nicole running") is None
    assert parse_question("reach nicole running").about == Reach("nicole", Declared.RUNNING)


@pytest.mark.parametrize("stored", [None, "", "{", '{"lark": "0", "grammar": ""}', "[]"])
def test_without_a_fitting_table_the_grammar_is_read(
    stored: str | None, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{tmp_path}/questions.json"
    if stored is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(stored)
    monkeypatch.setattr(grammar, "TABLE", path)
    fresh = grammar.parser.__wrapped__()
    for text, about in FORMS:
        parsed = fresh.parse(text.rstrip("?"))
        assert isinstance(parsed, Question)
        assert parsed.about == about
