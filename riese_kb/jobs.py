"""Many jobs that know nothing of each other: in this process, in several, or on a cluster; and going on where one left off.

A job is plain data for a function of the package, which is named and not sent: ``riese_kb.whatif:compare``. What it returns is
plain data, too. Finished jobs may be kept in a file, a line of JSON each; a run with the same file does only the rest. Lines of
other rules or of another version are not used.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from riese_kb.errors import RieseError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

CONNECT = 5
"""Seconds to find a cluster."""
LIFE = 8
"""Jobs of a process that gets them as they come."""
AGAIN = 3
"""Times that a job is given to a new process because one has died."""


class How(Struct, frozen=True):
    """Where jobs run: in so many processes (``jobs``), or on a ``cluster`` (the address of a dask scheduler).

    ``resume`` is the file of finished jobs.
    """

    jobs: int = 1
    cluster: str | None = None
    resume: str | None = None


ALONE = How()
"""In this process, and nothing kept."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _same(job: Any) -> Any:
    return job


def _always(_: Any) -> bool:
    return True


def done(
    work: str,
    jobs: Sequence[Any],
    how: How,
    known_by: Callable[[Any], Any] = _same,
    worth_keeping: Callable[[Any], bool] = _always,
) -> Iterator[tuple[int, Any]]:
    """Each job's number and result, in the order in which they are finished; those of the file of finished jobs come first.

    ``known_by``: what a job is known by in that file. ``worth_keeping``: whether a result goes into it.
    Whoever stops listening stops the rest. Raises ``RieseError`` where a file, a cluster or a job fails.
    """
    keys = [json.dumps([work, known_by(job)], ensure_ascii=False, sort_keys=True) for job in jobs]
    kept = _Kept(how.resume)
    known = [(number, kept.known[key]) for number, key in enumerate(keys) if key in kept.known]
    finished = {number for number, _ in known}
    rest = [number for number in range(len(jobs)) if number not in finished]
    try:
        yield from known
        for number, result in _run(work, jobs, rest, how):
            if worth_keeping(result):
                kept.keep(keys[number], result)
            yield number, result
    finally:
        kept.close()


def collected(
    work: str, jobs: Sequence[Any], how: How, told: Callable[[int, Any], None] = lambda _, __: None
) -> tuple[dict[int, Any], bool]:
    """The results by number, and whether all are there: Ctrl-C ends it with those that are. ``told`` hears of each."""
    found: dict[int, Any] = {}
    results = done(work, jobs, how)
    try:
        for number, result in results:
            found[number] = result
            told(len(found), result)
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):
            results.close()  # type: ignore[attr-defined]  # it is a generator
    return found, len(found) == len(jobs)


def in_order(work: str, jobs: Iterable[Any], count: int, more_waits: Callable[[], bool]) -> Iterator[Any]:
    """The results of jobs that are still coming, in their order, from ``count`` processes.

    Another job is taken only while ``more_waits``, or when nothing is left to wait for. Processes are replaced after
    ``LIFE`` jobs each: clingo never gives up the memory of a term. Raises ``RieseError`` where they die again and again.
    """
    from concurrent.futures.process import BrokenProcessPool

    pool, given, deaths = _pool(count), 0, 0
    running: deque[tuple[Any, Future[Any]]] = deque()
    pools = [pool]
    try:
        for job in chain(jobs, repeat(_NONE)):
            if job is _NONE and not running:
                break
            if job is not _NONE:
                if given >= LIFE * count:
                    pool.shutdown(wait=False)  # it finishes what it has
                    pool, given = _pool(count), 0
                    pools = [*pools[-1:], pool]
                running.append((job, _begun(pool, work, job)))
                given += 1
            while running and (job is _NONE or len(running) > 2 * count or not more_waits()):
                try:
                    result = running[0][1].result()
                except BrokenProcessPool:
                    deaths += 1
                    if deaths > AGAIN:
                        raise RieseError(_DYING, fix=_MEMORY) from None
                    pool, given = _pool(count), len(running)
                    pools.append(pool)
                    running = deque((lost, _begun(pool, work, lost)) for lost, _ in running)
                    continue
                running.popleft()
                yield result
    finally:
        for one in pools:
            _end(one)


_NONE = object()


def first(
    work: str,
    jobs: Sequence[Any],
    how: How,
    hit: Callable[[Any], bool],
    known_by: Callable[[Any], Any] = _same,
    worth_keeping: Callable[[Any], bool] = _always,
) -> Any:
    """The first result in the order of the jobs that is a ``hit``, whatever is finished first; None where none is.

    Jobs after it are not waited for.
    """
    found: dict[int, Any] = {}
    place = 0
    results = done(work, jobs, how, known_by, worth_keeping)
    try:
        for number, result in results:
            found[number] = result
            while place in found:
                if hit(found[place]):
                    return found[place]
                place += 1
    finally:
        results.close()  # type: ignore[attr-defined]  # it is a generator
    return None


def perform(work: str, job: Any) -> Any:
    """Do one job in this process."""
    module, _, name = work.partition(":")
    return getattr(import_module(module), name)(job)


# --- where ----------------------------------------------------------------------------------------------------------


def _run(work: str, jobs: Sequence[Any], numbers: Sequence[int], how: How) -> Iterator[tuple[int, Any]]:
    if not numbers:
        return iter(())
    if how.cluster is not None:
        return _on_cluster(work, jobs, numbers, how.cluster)
    if how.jobs > 1 and len(numbers) > 1:
        return _in_processes(work, jobs, numbers, min(how.jobs, len(numbers)))
    return ((number, perform(work, jobs[number])) for number in numbers)


def _in_processes(work: str, jobs: Sequence[Any], numbers: Sequence[int], count: int) -> Iterator[tuple[int, Any]]:
    """In so many processes; few jobs are handed out ahead, so that stopping takes no longer than those that are running."""
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    waiting = list(reversed(numbers))
    tries = dict.fromkeys(numbers, 0)
    pool = _pool(count)
    running: dict[Future[Any], int] = {}
    try:
        while waiting or running:
            while waiting and len(running) < 2 * count:
                number = waiting.pop()
                running[_begun(pool, work, jobs[number])] = number
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            lost: list[int] = []
            for future in finished:
                number = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    lost.append(number)
                    continue
                yield number, result
            if lost:
                lost += running.values()
                running.clear()
                _count(tries, lost)
                waiting += sorted(lost, reverse=True)
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _pool(count)
    finally:
        _end(pool)


def _begun(pool: ProcessPoolExecutor, work: str, job: Any) -> Future[Any]:
    """A job handed to a pool; one whose processes have died by now fails it like those that it had."""
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(perform, work, job)
    except BrokenProcessPool as fault:
        lost: Future[Any] = Future()
        lost.set_exception(fault)
        return lost


def _pool(count: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_all_start_methods, get_context

    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    context.set_forkserver_preload(["riese_kb.asking"])
    return ProcessPoolExecutor(count, mp_context=context, initializer=_deaf)


def _deaf() -> None:
    """Ctrl-C reaches every process of a terminal; stopping is for the first of them to do."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(pool: ProcessPoolExecutor) -> None:
    """Be rid of the processes at once; what they were at is lost."""
    # There is no public way before Python 3.14 (terminate_workers); a pool that is shut down forgets its processes.
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(OSError, ValueError):
            process.terminate()


def _count(tries: dict[int, int], lost: Sequence[int]) -> None:
    for number in lost:
        tries[number] += 1
    if max(tries.values()) > AGAIN:
        raise RieseError(_DYING, fix=_MEMORY)


_DYING, _MEMORY = "processes die again and again", "is there enough memory? try --jobs 1"


def _on_cluster(work: str, jobs: Sequence[Any], numbers: Sequence[int], address: str) -> Iterator[tuple[int, Any]]:
    """On the workers of a dask scheduler, which hands the jobs of a lost worker to others."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise RieseError("--cluster needs dask.distributed", fix='pip install "riese-kb[cluster]"') from None
    try:
        client = Client(address, set_as_default=False, timeout=CONNECT)
    except (OSError, ValueError) as fault:
        raise RieseError(f"there is no cluster at {address}: {str(fault).splitlines()[0]}", fix="tcp://HOST:8786") from None
    futures: dict[Any, int] = {}
    try:
        futures = {client.submit(perform, work, jobs[n], pure=False, retries=AGAIN): n for n in numbers}
        for future in as_completed(futures, loop=client.loop):
            try:
                result = future.result()
            except RieseError:
                raise
            except Exception as fault:
                raise RieseError(f"a job failed on the cluster: {type(fault).__name__}: {fault}") from None
            yield futures[future], result
    finally:
        client.cancel(list(futures), force=True)
        client.close()


# --- the file of finished jobs --------------------------------------------------------------------------------------


class _Kept:
    """The results that a file holds for these rules, and the file to add to. Raises ``RieseError``."""

    def __init__(self, path: str | None) -> None:
        self.known: dict[str, Any] = {}
        self.stream = None
        if path is None:
            return
        self.law = law()
        try:
            if os.path.exists(path):
                self._read(path)
            self.stream = open(path, "a", encoding="utf-8")  # noqa: SIM115  # ``close`` closes it
        except (OSError, UnicodeDecodeError) as fault:
            raise RieseError(f"this file cannot be used: {getattr(fault, 'strerror', None) or fault}", file=path) from None

    def _read(self, path: str) -> None:
        """The finished jobs of a file; a last line that was cut off with its run is taken away."""
        whole = 0
        with open(path, "rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                try:
                    row: Mapping[str, Any] = json.loads(line)
                    key, result, law = row["job"], row["result"], row["law"]
                except (ValueError, KeyError, TypeError):
                    what = "this is no line of a finished job"
                    raise RieseError(what, fix="name another file", file=path, line=number) from None
                if law == self.law:
                    self.known[key] = result
        if whole and whole < os.path.getsize(path):
            os.truncate(path, whole)
        elif not whole and os.path.getsize(path):
            raise RieseError("this is no file of finished jobs", fix="name another file", file=path)

    def keep(self, key: str, result: Any) -> None:
        """Add a finished job."""
        if self.stream is not None:
            line = json.dumps({"job": key, "law": self.law, "result": result}, ensure_ascii=False)
            self.stream.write(line + "\n")
            self.stream.flush()

    def close(self) -> None:
        """No more will be added."""
        if self.stream is not None:
            self.stream.close()


def crc_of(path: str) -> int:
    """What tells one text of a file from another: part of a job, so that no result of another text is used; 0 without a file."""
    from zlib import crc32

    try:
        with open(path, "rb") as stream:
            return crc32(stream.read())
    except OSError:
        return 0


def law() -> str:
    """What the rules and the program are, in one word: two runs with the same word answer alike."""
    from zlib import crc32

    from riese_kb import __version__
    from riese_kb.tables import data_root

    root, word = data_root(), crc32(__version__.encode())
    folders = [os.path.join(root, name) for name in ("logic", "rules", "queries")]
    files = [os.path.join(path, file) for folder in folders for path, _, names in os.walk(folder) for file in names]
    for file in sorted(file for file in files if file.endswith((".lp", ".toml"))):
        with open(file, "rb") as stream:
            word = crc32(stream.read(), crc32(os.path.relpath(file, root).encode(), word))
    return f"{word:08x}"
