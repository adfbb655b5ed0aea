"""Files written or replaced without ever being lost."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress

from riese_kb.errors import RieseError


def replace_file(file: str, data: bytes) -> None:
    """Put ``data`` in the place of a file: written beside it, then renamed, so that one of the two is always whole.

    Links stay links, and permissions stay as they are; the file may be new. Pipes and devices are written to. Raises
    ``RieseError``.
    """
    try:
        status = os.stat(file) if os.path.exists(file) else None
        if status is not None and not stat.S_ISREG(status.st_mode):
            with open(file, "wb") as stream:  # a folder complains here
                stream.write(data)
            return
        target = os.path.realpath(file)
        handle, beside = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=os.path.dirname(target))
    except (OSError, ValueError) as fault:
        raise _unwritable(file, fault) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if status is not None:
            with suppress(OSError, AttributeError):  # only the owner's to give away
                os.chown(beside, status.st_uid, status.st_gid)
        os.chmod(beside, status.st_mode & 0o7777 if status is not None else 0o666 & ~_mask())
        os.replace(beside, target)
    except BaseException as fault:
        with suppress(OSError):
            os.unlink(beside)
        if isinstance(fault, OSError):
            raise _unwritable(file, fault) from None
        raise


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(file: str, fault: OSError | ValueError) -> RieseError:
    return RieseError(f"this file cannot be written: {getattr(fault, 'strerror', fault)}", fix="nothing has changed", file=file)
