"""The picture of an answer as SVG: drawn from the answer and its board, and from nothing else."""

from __future__ import annotations

import contextlib
import os
import tempfile

from riese_kb.answer import Answer
from riese_kb.errors import RieseError


def svg(answer: Answer) -> str:
    """The picture as a whole SVG document; equal answers give equal bytes.

    Raises ``RieseError`` for an answer about a team file, which has nothing to draw.
    """
    if answer.rings is not None:
        from riese_kb.ringsvg import ring_svg
        from riese_kb.ringtext import ring_sentence

        return ring_svg(answer, answer.rings, ring_sentence(answer))
    if answer.board is None:
        raise RieseError("a team file has no board to draw", fix="ask about a board, or without --svg")
    from riese_kb.gridsvg import grid_svg
    from riese_kb.scene import scene_of
    from riese_kb.verdicts import question_of, sentence

    question = question_of(answer)
    return grid_svg(answer.board, scene_of(answer, answer.board, question), answer.ask, sentence(answer, question))


def save(answer: Answer, file: str) -> None:
    """Write the picture to a file, which is there as a whole or, where that fails, as it was before.

    Raises ``RieseError`` where the file cannot be written.
    """
    text = svg(answer)
    if os.path.isdir(file):
        raise RieseError("this is a folder", fix="name a file", file=file)
    beside = ""
    try:
        handle, beside = tempfile.mkstemp(prefix=".riese-kb-", suffix=".svg", dir=os.path.dirname(file) or ".")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)  # mkstemp lets only the owner read
        os.replace(beside, file)
    except (OSError, ValueError) as fault:
        if beside:
            with contextlib.suppress(OSError):
                os.unlink(beside)
        reason = getattr(fault, "strerror", None) or str(fault)
        raise RieseError(f"this file cannot be written: {reason}", fix="name a file in a folder of yours", file=file) from None
