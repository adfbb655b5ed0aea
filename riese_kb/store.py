"""Things worked out from the files of the project, kept in the user's cache folder between runs.

Parsing the catalogue's TOML or taking a logic program apart takes longer than answering a question, so the outcome is kept
as JSON together with the size and time of every file that it was made from. Whatever goes wrong with the kept copy is
ignored: the files are the truth, the copy only saves time. Deleting the folder is always safe.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, cast

from msgspec import MsgspecError
from msgspec.json import decode, encode

_FORMAT = 6


def read_toml(path: str) -> dict[str, Any]:
    """The tables of one TOML file; raises ``OSError`` when it cannot be read and ``ValueError`` when it is no TOML."""

    def read() -> dict[str, Any]:
        import tomllib

        with open(path, "rb") as source:
            return tomllib.load(source)

    return cast("dict[str, Any]", kept("toml", [path], read))


def kept(kind: str, files: Iterable[str], make: Callable[[], Any], *more: str, form: Any = Any) -> Any:
    """What ``make`` returns (plain data, of the type ``form``), made anew only when one of the files, or ``more``, has changed.

    Raises whatever ``make`` raises, and ``OSError`` when a file is missing.
    """
    from zlib import crc32

    stamp = [_FORMAT, kind, *more]
    for file in files:
        status = os.stat(file)
        stamp += [os.path.abspath(file), status.st_size, status.st_mtime_ns]
    copy = os.path.join(_folder(), f"{kind}-{crc32(repr(stamp[1:3] + stamp[-3:-2] + list(more)).encode()):08x}.json")
    try:
        with open(copy, "rb") as stream:
            stored, found = decode(stream.read(), type=tuple[list[Any], form])
        if stored == stamp:
            return found
    except (OSError, ValueError, MsgspecError):
        pass
    made = make()
    try:
        os.makedirs(_folder(), exist_ok=True)
        beside = f"{copy}.{os.getpid()}"
        with open(beside, "wb") as stream:
            stream.write(encode((stamp, made)))
        os.replace(beside, copy)
    except (OSError, TypeError, ValueError):
        pass
    return made


def _folder() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "riese-kb")
