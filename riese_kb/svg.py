"""The picture of an answer as SVG: drawn from the answer and its board, and from nothing else."""

from __future__ import annotations

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

    Raises ``RieseError`` where there is nothing to draw or the file cannot be written.
    """
    from riese_kb.files import replace_file

    replace_file(file, svg(answer).encode())
