"""A running server for tests: ``riese-kb serve`` in a process of its own, at a free port of this machine."""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


class Served:
    """A server's address and process, and requests to it."""

    def __init__(self, address: str, pid: int) -> None:
        self.pid = pid
        self.address = address.rstrip("/")
        self.port = int(self.address.rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, dict]:
        return self._open(urllib.request.Request(self.address + path, headers=headers))

    def post(self, path: str, data: object, **headers: str) -> tuple[int, dict]:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        told = {"Content-Type": "application/json", **headers}
        return self._open(urllib.request.Request(self.address + path, body, told))

    def _open(self, request: urllib.request.Request) -> tuple[int, dict]:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())


@contextmanager
def server(*options: str) -> Iterator[Served]:
    """Run ``riese-kb serve`` with those options."""
    words = [sys.executable, "-m", "riese_kb", "serve", "--port", "0", "--no-browser", *options]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    process = subprocess.Popen(words, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield Served(found[0], process.pid)
    finally:
        process.terminate()
        process.wait(20)


def horde() -> str:
    """A board whose zombie turn takes seconds at best: sixty zombies, a hundred squares from the only hero."""
    rows = ["+" + "-+" * 100]
    for _ in range(100):
        rows += ["|" + ". " * 99 + ".|", "+" + " +" * 100]
    figures = [f'[[figure]]\nid = "z{n}"\nkind = "zombie"\nat = "{"ABCDEFGHIJ"[n % 10]}{n // 10 + 1}"' for n in range(60)]
    hero = '[[figure]]\nid = "h"\nkind = "hero"\nname = "Trooper"\nat = "CV100"'
    return "system = \"riese\"\nmap = '''\n" + "\n".join(rows) + "\n'''\n" + "\n".join([hero, *figures])
