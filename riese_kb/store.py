"""Reading the TOML files of ``rules/``, with a compiled copy in the user's cache folder.

Parsing the catalogue's TOML takes longer than answering a question, so what was read is kept as JSON beside the file's
size and time. Whatever goes wrong with the copy is ignored: the TOML is the truth, the copy only saves time.
"""

from __future__ import annotations

import os
from typing import Any, cast

_FORMAT = 1


def read_toml(path: str) -> dict[str, Any]:
    """The tables of one TOML file; raises ``OSError`` when it cannot be read and ``ValueError`` when it is no TOML."""
    status = os.stat(path)
    key = [_FORMAT, os.path.abspath(path), status.st_size, status.st_mtime_ns]
    import json  # 5 ms less than tomllib, and needed anyway

    copy = os.path.join(_folder(), f"{abs(hash_text(key[1]))}.json")
    try:
        with open(copy, encoding="utf-8") as stream:
            stored = json.load(stream)
        if stored[0] == key:
            return cast("dict[str, Any]", stored[1])
    except (OSError, ValueError, LookupError, TypeError):
        pass
    import tomllib

    with open(path, "rb") as source:
        tables = tomllib.load(source)
    try:
        os.makedirs(_folder(), exist_ok=True)
        beside = f"{copy}.{os.getpid()}"
        with open(beside, "w", encoding="utf-8") as stream:
            json.dump([key, tables], stream)
        os.replace(beside, copy)
    except (OSError, TypeError, ValueError):
        pass
    return tables


def _folder() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "riese-kb")


def hash_text(text: object) -> int:
    """A stable number for a text (Python's own ``hash`` differs from process to process)."""
    import zlib

    return zlib.crc32(str(text).encode())
