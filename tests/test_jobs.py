"""Jobs: the same results in one process, in several and on a cluster; with processes that die, and from where one left off."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest
from msgspec.structs import replace

from riese_kb import jobs
from riese_kb.board import System
from riese_kb.errors import RieseError
from riese_kb.jobs import ALONE, How, collected, done, in_order
from riese_kb.witness.asked import SORTS
from riese_kb.witness.search import search
from riese_kb.witness.sides import pair_of

from .conftest import CHECKOUT

WORK = "tests.jobs_work:{}"
RULES = "queries/riese/no-running.rules.lp"


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(CHECKOUT)


@pytest.mark.parametrize("how", [ALONE, How(jobs=2), How(jobs=5)])
def test_all_results_come_whatever_does_them(how):
    found, complete = collected(WORK.format("square"), list(range(7)), how)
    assert (found, complete) == ({n: n * n for n in range(7)}, True)


def test_a_process_that_dies_costs_nothing_but_time(tmp_path):
    words = [[str(tmp_path), word] for word in ("one", "fatal", "three", "four")]
    found, complete = collected(WORK.format("dies_once"), words, How(jobs=2))
    assert complete
    assert [found[n] for n in range(4)] == ["ONE", "FATAL", "THREE", "FOUR"]


def test_processes_that_die_again_and_again_are_given_up():
    with pytest.raises(RieseError, match="die again and again"):
        collected(WORK.format("always_dies"), [1, 2], How(jobs=2))


@pytest.mark.parametrize("how", [ALONE, How(jobs=2)])
def test_what_a_job_complains_of_is_told(how):
    with pytest.raises(RieseError, match="cannot be done"):
        collected(WORK.format("refuses"), [1, 2], how)


# --- jobs that are still coming --------------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_jobs_from_one_set_of_processes_after_the_other(monkeypatch):
    monkeypatch.setattr(jobs, "LIFE", 2)
    assert list(in_order(WORK.format("square"), iter(range(11)), 2, lambda: True)) == [n * n for n in range(11)]
    assert list(in_order(WORK.format("square"), iter(()), 2, lambda: True)) == []


def test_no_job_is_waited_for_while_results_are_due():
    taken = []

    def coming():
        for number in range(4):
            taken.append(number)
            yield number

    seen = [(len(taken), result) for result in in_order(WORK.format("square"), coming(), 2, lambda: False)]
    assert seen == [(1, 0), (2, 1), (3, 4), (4, 9)]


def test_jobs_that_come_survive_a_process_that_dies(tmp_path):
    words = [[str(tmp_path), word] for word in ("one", "two", "fatal", "four", "five", "six")]
    found = list(in_order(WORK.format("dies_once"), iter(words), 2, lambda: True))
    assert found == ["ONE", "TWO", "FATAL", "FOUR", "FIVE", "SIX"]
    with pytest.raises(RieseError, match="die again and again"):
        list(in_order(WORK.format("always_dies"), iter([1, 2]), 2, lambda: True))


# --- where one left off -----------------------------------------------------------------------------------------------


def test_finished_jobs_are_not_done_again(tmp_path):
    count, kept = tmp_path / "count", tmp_path / "done.jsonl"
    words = [[str(count), word] for word in ("a", "b", "c")]
    how = How(resume=str(kept))
    first = list(islice(done(WORK.format("note"), words, how), 2))
    assert len(kept.read_text().splitlines()) == 2
    found, complete = collected(WORK.format("note"), words, how)
    assert (found, complete) == ({0: "A", 1: "B", 2: "C"}, True)
    assert dict(first).items() <= found.items()
    assert count.read_text().split() == ["a", "b", "c"], "each was done once"


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    kept = tmp_path / "done.jsonl"
    how = How(resume=str(kept))
    collected(WORK.format("square"), [2, 3], how)
    kept.write_text(kept.read_text()[:-9])
    assert collected(WORK.format("square"), [2, 3], how) == ({0: 4, 1: 9}, True)
    assert [json.loads(line)["result"] for line in kept.read_text().splitlines()] == [4, 9]
    assert collected(WORK.format("square"), [2, 3], how) == ({0: 4, 1: 9}, True)


def test_results_under_other_rules_are_not_used(tmp_path, monkeypatch):
    kept = tmp_path / "done.jsonl"
    how = How(resume=str(kept))
    monkeypatch.setattr(jobs, "law", lambda: "other")
    collected(WORK.format("square"), [2], how)
    monkeypatch.undo()
    monkeypatch.chdir(CHECKOUT)
    collected(WORK.format("square"), [2], how)
    assert len(kept.read_text().splitlines()) == 2


def test_another_file_is_refused(tmp_path):
    kept = tmp_path / "notes.jsonl"
    kept.write_text('{"hello": 1}\n')
    with pytest.raises(RieseError, match="no line of a finished job"):
        collected(WORK.format("square"), [2], How(resume=str(kept)))
    kept.write_text("something without an end")
    with pytest.raises(RieseError, match="no file of finished jobs"):
        collected(WORK.format("square"), [2], How(resume=str(kept)))
    assert kept.read_text() == "something without an end"
    with pytest.raises(RieseError, match="cannot be used"):
        collected(WORK.format("square"), [2], How(resume=str(tmp_path)))


# --- stopping ---------------------------------------------------------------------------------------------------------


def test_an_interrupt_leaves_what_is_done():
    found, complete = collected(WORK.format("interrupted"), list(range(6)), ALONE)
    assert (found, complete) == ({0: 0, 1: 1, 2: 2}, False)


def test_ctrl_c_stops_all_processes(tmp_path):
    kept = tmp_path / "done.jsonl"
    code = (
        "from riese_kb.jobs import How, collected\n"
        "if __name__ == '__main__':\n"
        f"    found, complete = collected('tests.jobs_work:slow', list(range(500)), How(2, resume={str(kept)!r}))\n"
        "    print(len(found), complete)\n"
    )
    script = tmp_path / "run.py"
    script.write_text(code)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(CHECKOUT), os.environ.get("PYTHONPATH", "")))}
    run = subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, start_new_session=True)
    while not kept.exists() or len(kept.read_text().splitlines()) < 3:
        time.sleep(0.05)
        assert run.poll() is None
    os.killpg(run.pid, signal.SIGINT)
    said, _ = run.communicate(timeout=30)
    count, complete = said.split()
    assert complete == b"False"
    assert 3 <= int(count) < 500
    assert int(count) == len(kept.read_text().splitlines())


def test_who_stops_listening_ends_what_runs(tmp_path):
    """Though it would go on for a long time."""
    from multiprocessing import active_children

    results = done(WORK.format("endless"), [0, 60, 60], How(jobs=2))
    assert next(results) == (0, 0)
    del results
    begun = time.monotonic()
    while active_children() and time.monotonic() - begun < 20:
        time.sleep(0.1)
    assert not active_children()


# --- a cluster --------------------------------------------------------------------------------------------------------


def test_without_the_extra_the_cluster_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RieseError, match=r"riese-kb\[cluster\]"):
        collected(WORK.format("square"), [2], How(cluster="tcp://127.0.0.1:1"))


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        yield local


def drawn(count):
    """Boards drawn at random, compared with and without a rule."""
    return [{"rules": str(CHECKOUT / RULES), "stamp": 0, "seed": 3, "number": number} for number in range(count)]


def test_two_workers_tell_what_one_process_tells(cluster):
    alone, _ = collected("riese_kb.whatif:job", drawn(6), ALONE)
    there, complete = collected("riese_kb.whatif:job", drawn(6), How(cluster=cluster.scheduler_address))
    assert complete
    assert there == alone


def test_a_witness_is_found_on_a_cluster_as_in_one_process(cluster):
    pair = pair_of(System.RIESE, "sequence_end=open", None)
    alone, there = (
        search(pair, SORTS, System.RIESE, (2, 2), 1, 300, how=how) for how in (ALONE, How(cluster=cluster.scheduler_address))
    )
    assert replace(alone, seconds=0.0, found_after=0.0) == replace(there, seconds=0.0, found_after=0.0)
    assert there.minimal


def test_a_worker_that_is_stopped_half_way_changes_nothing(cluster):
    from distributed import Client

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        pids = client.run(os.getpid)
    results = done(WORK.format("slow"), list(range(20)), How(cluster=cluster.scheduler_address))
    found = dict(islice(results, 5))
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    found |= dict(results)
    assert found == {n: -n for n in range(20)}


def test_an_address_where_nobody_is():
    pytest.importorskip("distributed")
    with pytest.raises(RieseError, match="no cluster at"):
        collected(WORK.format("square"), [2], How(cluster="tcp://127.0.0.1:9"))
