"""A worker process: a request a line on standard input, an answer a line on standard output, both JSON.

It holds nothing that a restart loses, so the server may end it at any time. It gets no more memory than it is told.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Answer until the server closes the line."""
    _limit_memory(int(sys.argv[1]))
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not end up among the answers
    from riese_kb import asking, teamfile  # noqa: F401  # so that the first question need not wait for them
    from riese_kb.web.api import answer

    target.write(b"ready\n")
    target.flush()
    while line := source.readline():
        what, given = json.loads(line)
        try:
            status, body = answer(what, given)
        except MemoryError:
            status, body = 422, {"error": "this takes more memory than the server gives it (ask about a smaller board)"}
        except Exception as defect:  # the process goes on: a defect costs the request that shows it
            status, body = 500, {"error": f"a defect of riese-kb, please report it: {type(defect).__name__}: {defect}"}
        target.write(json.dumps([status, body]).encode() + b"\n")
        target.flush()


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))


if __name__ == "__main__":
    main()
