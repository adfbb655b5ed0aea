"""Maps of other programs: Universal VTT (``.dd2vtt``, ``.uvtt``, ``.df2vtt``) and Tiled (``.tmj``, ``.tmx``), read and written.

Nothing is guessed: what lies beside the grid is listed, and what only the player knows (is an open portal a window or an
open door? what is this tile?) is asked. No file that a map names is opened.
"""

from __future__ import annotations

from collections.abc import Mapping

from riese_kb.board import Board
from riese_kb.errors import BoardError
from riese_kb.mapfiles.imported import Imported

UVTT = (".dd2vtt", ".uvtt", ".df2vtt")
TILED = (".tmj", ".tmx")
FORMATS = ("uvtt", "tmj")


def read_map(
    text: str,
    name: str,
    *,
    snap: float = 0,
    portals: str | None = None,
    objects: str | None = None,
    tiles: Mapping[str, str] | None = None,
) -> Imported:
    """The board that a map shows, what could not be taken over, and what has to be asked first.

    ``snap``: squares by which a wall may lie beside the grid; ``portals``: what an open portal is, window or door;
    ``objects``: what furniture is, ignore or wall; ``tiles``: what tiles or layers of Tiled are (docs/page.md).
    Raises ``BoardError``.
    """
    ending = name[name.rfind(".") :].lower()
    if ending in UVTT:
        from riese_kb.mapfiles.uvtt import read_uvtt

        return read_uvtt(text, name, snap, portals, objects == "wall")
    if ending in TILED:
        from riese_kb.mapfiles.tiled import read_tmj, read_tmx

        return (read_tmj if ending == ".tmj" else read_tmx)(text, name, snap, tiles or {})
    raise BoardError("this is no map that can be read", fix=f"known are {', '.join(UVTT + TILED)}", file=name)


def write_map(board: Board, form: str) -> str:
    """The board as a map: ``uvtt`` carries walls, doors and windows, ``tmj`` everything. Raises ``BoardError``."""
    if form == "uvtt":
        from riese_kb.mapfiles.uvtt import write_uvtt

        return write_uvtt(board)
    from riese_kb.mapfiles.tiled import write_tmj

    return write_tmj(board)
