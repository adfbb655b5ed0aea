"""How long questions take, in a warm process, on two sizes of board; `make bench` writes docs/benchmarks.md from it."""

import io
import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from bench.boards import SIZES, board, question, ring_question, rings, sequence
from riese_kb import grounding
from riese_kb.asking import ask
from riese_kb.batch import answers
from riese_kb.board import System
from riese_kb.boardfile import load_board
from riese_kb.chances.reckon import Wishes, odds
from riese_kb.editions import carried_over
from riese_kb.errors import Undecided
from riese_kb.language import format_question
from riese_kb.question import Question, ZombieTurn
from riese_kb.solver import run
from riese_kb.teamfile import format_sheet

KINDS = ["legality", "line of fire", "reach walking", "reach running", "attack", "targets", "one zombie"]
BOARDS = {size: [board(size, seed) for seed in range(3)] for size in SIZES}
ROUNDS = {"legality": 300, "line of fire": 300, "attack": 150, "targets": 60, "one zombie": 66}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def bench_one_question(benchmark, kind, size):
    """One question at a time, asked through the API; verdict, result, ledger and violations."""
    rng = random.Random(7)
    benchmark.extra_info.update(kind=kind, size=size)

    def pick():
        grounding.KNOWN.forget()
        return (rng.choice(BOARDS[size]), Question("bench", question(kind, rng))), {}

    benchmark.pedantic(ask, setup=pick, rounds=ROUNDS.get(kind, 40), warmup_rounds=6)


@pytest.mark.parametrize("kind", KINDS)
def bench_predecessor(benchmark, kind):
    """The same questions on the same boards as those of the other Escape game."""
    boards = [carried_over(stage, System.STALINGRAD_Z, Question("zombies", ZombieTurn()))[0] for stage in BOARDS["24×34"]]
    rng = random.Random(7)
    benchmark.extra_info.update(kind=f"predecessor: {kind}", size="")

    def pick():
        grounding.KNOWN.forget()
        return (rng.choice(boards), Question("bench", question(kind, rng))), {}

    benchmark.pedantic(ask, setup=pick, rounds=ROUNDS.get(kind, 40), warmup_rounds=6)


@pytest.mark.parametrize("kind", ["can … move", "reach", "sight", "targets", "attack", "duel", "won"])
def bench_rings(benchmark, kind):
    """One question at a time on boards of 200 rings."""
    boards = [rings(seed) for seed in range(3)]
    rng = random.Random(7)
    benchmark.extra_info.update(kind=f"rings: {kind}", size="")

    def pick():
        grounding.KNOWN.forget()
        return (rng.choice(boards), ring_question(kind, rng)), {}

    benchmark.pedantic(ask, setup=pick, rounds=100, warmup_rounds=6)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["legality", "line of fire", "attack"])
def bench_grounding(benchmark, kind, size, monkeypatch):
    """What clingo takes for one question: every program that it needs, out of the whole rule base, parsed, grounded, solved."""
    rng = random.Random(7)
    benchmark.extra_info.update(kind=f"grounding, {kind}", size=size)
    calls = []

    def recorded(*given, **options):
        calls.append((given, options))
        return run(*given, **options)

    monkeypatch.setattr(grounding, "run", recorded)

    def pick():
        calls.clear()
        grounding.KNOWN.forget()
        _ = ask(rng.choice(BOARDS[size]), Question("bench", question(kind, rng))).verdict
        return (tuple(calls),), {}

    def again(programs):
        for given, options in programs:
            run(*given, **options)

    benchmark.pedantic(again, setup=pick, rounds=60, warmup_rounds=6)


@pytest.mark.parametrize("size", SIZES)
def bench_whole_turn(benchmark, size):
    """The zombie turn with eleven zombies, all outcomes; a turn with too many outcomes to list counts until it says so."""
    boards = [board(size, seed) for seed in range(10, 15)]
    benchmark.extra_info.update(kind="zombie turn, 11 zombies", size=size)
    turns = iter(boards)

    def pick():
        return (next(turns), Question("zombies", ZombieTurn())), {}

    def outcomes(stage, asked):
        with suppress(Undecided):
            ask(stage, asked)

    benchmark.pedantic(outcomes, setup=pick, rounds=len(boards))


def _asked(kind, count, folder):
    """Lines of a batch about one board, which is written into the folder."""
    rng = random.Random(3)
    kinds = ["legality", "line of fire", "attack", "targets", "reach walking", "one zombie"]
    abouts = [sequence(rng) if kind == "legality" else question(rng.choice(kinds), rng) for _ in range(count)]
    (folder / "stage.board.toml").write_text(format_sheet(BOARDS["24×34"][0]), encoding="utf-8")
    lines = (
        {"id": number, "board": "stage.board.toml", "ask": format_question(Question("", about))}
        for number, about in enumerate(abouts)
    )
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize("kind", ["legality", "mixed"])
def bench_batch(benchmark, kind, tmp_path):
    """Lines of a batch about one board in, with readings and suggestions; lines of JSON out; in one process."""
    count = 400 if kind == "legality" else 1000
    text = _asked(kind, count, tmp_path)
    benchmark.extra_info.update(kind=f"batch, {kind}", size="in one process", questions=count)

    def unknown():
        grounding.KNOWN.forget()
        return (), {}

    benchmark.pedantic(
        lambda: list(answers(io.BufferedReader(io.BytesIO(text)), str(tmp_path))),
        setup=unknown,
        rounds=3 if kind == "legality" else 1,
        warmup_rounds=1 if kind == "legality" else 0,
    )


@pytest.mark.parametrize("kind", ["legality", "mixed"])
def bench_batch_command(benchmark, kind, tmp_path):
    """The whole command, from start to end, on a file of lines."""
    count = 12_000 if kind == "legality" else 6000
    (tmp_path / "asked.jsonl").write_bytes(_asked(kind, count, tmp_path))
    command = [sys.executable, "-m", "riese_kb", "batch", str(tmp_path / "asked.jsonl")]
    benchmark.extra_info.update(kind=f"batch, {kind}", size="the command", questions=count)
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True), rounds=1)


ODDS = {
    "spread fire, three dice, best switching": Wishes(),
    "the same, three scratch tokens": Wishes(scratch=3),
}


@pytest.mark.parametrize("what", ODDS)
def bench_odds(benchmark, what, checkout: Path):
    """A whole attack, every way to roll it that `riese-kb odds` compares; the board is read before."""
    stage = load_board(checkout / "queries" / "riese" / "spread-gallery.board.toml")
    benchmark.extra_info.update(kind=f"odds: {what}", size="")
    benchmark.pedantic(lambda: odds(stage, "attack kelley on z1 spread", ODDS[what]), rounds=15, warmup_rounds=2)


@pytest.mark.parametrize("what", ["import clingo", "riese-kb ask"])
def bench_process(benchmark, what, checkout: Path):
    """Whole processes, from start to end."""
    command = [sys.executable, "-c", "import clingo"]
    if what == "riese-kb ask":
        stage = checkout / "queries" / "riese" / "doors.board.toml"
        command = [sys.executable, "-m", "riese_kb.cli", "ask", str(stage), "can nicole walk forward", "--json"]
    benchmark.extra_info.update(kind=f"process: {what}", size="")
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True, cwd=checkout), rounds=20, warmup_rounds=2)


@pytest.mark.parametrize("which", ["all claims", "the slowest claim"])
def bench_proofs(benchmark, which):
    """Every claim of `riese-kb prove`, formulas built anew; and the one that takes longest."""
    from riese_kb.board import System
    from riese_kb.proving import points, report, situations

    def fresh():
        situations.situation.cache_clear()
        points.counted.cache_clear()
        return (report.claims(System.RIESE),), {}

    def decide(claims):
        for claim in claims:
            claim.decide()

    def timed(claim):
        begun = process_time()
        claim.decide()
        return process_time() - begun

    benchmark.extra_info.update(kind=f"proofs: {which}", size="")
    if which == "all claims":
        benchmark.pedantic(decide, setup=fresh, rounds=2)
        return
    (claims,), _ = fresh()
    worst = max(claims, key=timed)
    benchmark.pedantic(worst.decide, rounds=3)
