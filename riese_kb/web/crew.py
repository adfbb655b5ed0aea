"""The worker processes: who is free, who waits, and who took too long."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

from msgspec import Struct

LINE = 64 << 20
"""Bytes of an answer at most."""


class Busy(Exception):
    """More requests wait than are allowed to."""


class TooLong(Exception):
    """A request was not answered within its seconds."""


class Died(Exception):
    """The worker died of a request; as a rule it ran out of memory."""


class Limits(Struct, frozen=True, kw_only=True):
    """What a server allows itself."""

    workers: int = max(2, min(4, os.cpu_count() or 2))
    waiting: int = 64
    """Requests that may wait for a worker; the next one is told to come again."""
    books: int = 8
    """Books and maps that may be at work or wait, one being at work at a time."""
    seconds: float = 20
    """For a question; a book may take three times as long."""
    megabytes: int = 2048
    """Memory of a worker."""
    board: int = 1_000_000
    """Bytes of a request's body."""
    book: int = 8_000_000
    """Bytes of a body that holds a book or a map."""
    body_seconds: float = 10
    """For a body to arrive."""


class Worker:
    """One process and what it was last asked about."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.about: int | None = None

    @classmethod
    async def start(cls, megabytes: int) -> Worker:
        """A new process; it says when it is ready."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "riese_kb.web.worker",
            str(megabytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE,
            start_new_session=True,  # Ctrl-C is the server's to hear
        )
        worker = cls(process)
        await worker._line()
        return worker

    async def ask(self, what: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([what, given]).encode() + b"\n")
        await self.process.stdin.drain()
        status, body = json.loads(await self._line())
        return status, body

    async def _line(self) -> bytes:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise ConnectionError("the worker is gone")
        return line

    async def end(self) -> None:
        """End the process, busy or not."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class Crew:
    """All workers. ``ask`` waits for a free one, preferably the one that knows the board already."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._free: list[Worker] = []
        self._all: set[Worker] = set()
        self._waiting = self._books = 0
        self._changed = asyncio.Condition()
        self._long = asyncio.Semaphore(1)  # one book at a time, so that questions find a worker
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start the processes; requests may come before they are ready."""
        for _ in range(self.limits.workers):
            self._hire()

    async def stop(self) -> None:
        """End all of them."""
        for task in self._tasks:
            task.cancel()
        for worker in [*self._all]:
            await worker.end()

    async def ask(self, what: str, given: dict[str, Any], *, long: bool = False) -> tuple[int, dict[str, Any]]:
        """Status and body of one request. Raises ``Busy``, ``TooLong`` and ``Died``."""
        if not long:
            return await self._ask(what, given, self.limits.seconds)
        if self._books >= self.limits.books:
            raise Busy
        self._books += 1
        try:
            async with self._long:
                return await self._ask(what, given, self.limits.seconds * 3)
        finally:
            self._books -= 1

    async def _ask(self, what: str, given: dict[str, Any], seconds: float) -> tuple[int, dict[str, Any]]:
        if self._waiting >= self.limits.waiting:
            raise Busy
        self._waiting += 1
        try:
            worker = await self._take(hash(given["board"]) if "board" in given else None)
        finally:
            self._waiting -= 1
        return await self._asked(worker, what, given, seconds)

    async def _asked(self, worker: Worker, what: str, given: dict[str, Any], seconds: float) -> tuple[int, dict[str, Any]]:
        sound = False
        try:
            answer = await asyncio.wait_for(worker.ask(what, given), seconds)
            sound = True
            return answer
        except TimeoutError as fault:
            raise TooLong from fault
        except (OSError, ValueError) as fault:
            raise Died from fault
        finally:  # whoever asked may have left: then the worker still works, and is of no more use
            if sound:
                async with self._changed:
                    self._free.append(worker)
                    self._changed.notify_all()  # one who is told may just have left
            else:
                self._dismiss(worker)

    async def _take(self, about: int | None) -> Worker:
        async with self._changed:
            await self._changed.wait_for(self._living)
            worker = next((one for one in self._free if one.about == about), self._free[-1])
            self._free.remove(worker)
        worker.about = about
        return worker

    def _living(self) -> bool:
        """Whether somebody is free. Whoever died while waiting is replaced."""
        for worker in [one for one in self._free if one.process.returncode is not None]:
            self._free.remove(worker)
            self._dismiss(worker)
        return bool(self._free)

    def _dismiss(self, worker: Worker) -> None:
        self._all.discard(worker)
        self._later(worker.end())
        self._hire()

    def _hire(self) -> None:
        self._later(self._new())

    async def _new(self) -> None:
        while True:
            try:
                worker = await Worker.start(self.limits.megabytes)
                break
            except OSError:  # no memory or no process to be had just now
                await asyncio.sleep(1)
        self._all.add(worker)
        async with self._changed:
            self._free.append(worker)
            self._changed.notify_all()  # one who is told may just have left

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
