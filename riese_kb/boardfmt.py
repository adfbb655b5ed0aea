"""``riese-kb board fmt``: a board file put into its normal form."""

from __future__ import annotations

from riese_kb.errors import BoardError
from riese_kb.teamfile import format_sheet, load_sheet, parse_sheet


def normalised(file: str) -> tuple[bytes, bytes, list[int]]:
    """The bytes of the file as it is and as it should be, and the lines whose comments the second does not have.

    Comments before anything else stay at the top. Raises ``BoardError``.
    """
    board = load_sheet(file)
    with open(file, "rb") as stream:
        before = stream.read()
    text = before.decode("utf-8-sig")
    header = []
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            break
        header.append(line.strip())
    while header and not header[-1]:
        header.pop()
    after = "".join(f"{line}\n" for line in header) + format_sheet(board)
    if parse_sheet(after, file) != board:
        raise BoardError("this board cannot be written in its normal form; please report it", file=file)
    return before, after.encode(), _comments(text, len(header))


def _comments(text: str, header: int) -> list[int]:
    """The numbers of the lines below the header that hold a comment, outside of the map and of quoted text."""
    found = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        fences = line.count("'''") + line.count('"""')
        if not inside and not fences and number > header and _has_comment(line):
            found.append(number)
        inside ^= fences % 2 == 1
    return found


def _has_comment(line: str) -> bool:
    quote = ""
    escaped = False
    for char in line:
        if quote:
            if escaped:
                escaped = False
            elif char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "#":
            return True
    return False
