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


def png(text: str) -> bytes:
    """A picture as PNG, drawn at twice its size. Raises ``RieseError`` without the extra ``png``."""
    try:
        import resvg_py
    except ImportError:
        raise RieseError("PNG is drawn by resvg-py, which is not installed", fix="pip install 'riese-kb[png]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))


def save(answer: Answer, file: str) -> None:
    """Write the picture to a file, as PNG where its name ends so; the file is there as a whole or, where that fails, as it was.

    Raises ``RieseError`` where there is nothing to draw or the file cannot be written.
    """
    from riese_kb.files import replace_file

    text = svg(answer)
    replace_file(file, png(text) if file.lower().endswith(".png") else text.encode())
