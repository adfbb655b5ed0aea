"""What a file of rules changes, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from riese_kb.typeset import Paper, counted, listed, wrap
from riese_kb.whatif import EACH, Report

_NAMES = {"printed": "Printed examples", "stored": "Stored boards", "ruling": "Rulings"}


def lines(report: Report, paper: Paper) -> Iterator[str]:
    """Everything that changes, by what it stands for; then the counts of generated boards, and the smallest of them."""
    for of, name in _NAMES.items():
        if of not in report.asked:
            continue
        changed = [(case, change) for case, change in report.changed if case.of == of]
        yield paper.bold(f"{name}: {len(changed) or 'none'} of {counted(report.asked[of], 'question')} change{_s(changed)}")
        for board, group in groupby(changed, key=lambda one: one[0].board):
            yield f"  {paper.dim(paper.plain(board))}"
            for case, change in group:
                yield from wrap(paper.plain(case.ask), paper.width, "    ")
                ruled = f"ruled {case.ruled}; " if case.ruled else ""
                yield from wrap(paper.plain(f"{ruled}{change.says}: {listed(change.rules)}"), paper.width, "      ")
    for board, error in report.failed:
        yield from wrap(paper.plain(f"{board} was left out: {error}"), paper.width)
    if report.generated:
        boards = counted(report.generated, "generated board")
        note = f"seed {report.seed}, {counted(EACH, 'question')} each"
        yield paper.bold(f"{len(report.drawn) or 'None'} of {boards} change{_s(report.drawn)}") + f" ({note})"
    if report.empty and report.complete:
        yield f"Nothing that was asked is answered otherwise with {report.file}."


def _s(found: Sequence[object]) -> str:
    return "s" if len(found) == 1 else ""


def smallest_lines(report: Report, paper: Paper) -> Iterator[str]:
    """The smallest new board that changes, drawn, with the question and the difference, and as a file to keep."""
    from riese_kb.boardfile import parse_board
    from riese_kb.picture import draw

    found = report.smallest
    if found is None:
        return
    yield ""
    yield paper.bold(f"The smallest new board {'there is' if found['proved'] else 'that was found'}")
    yield ""
    yield from draw(parse_board(found["board"]), ascii=paper.ascii).split("\n")
    yield ""
    yield from wrap(paper.plain(found["ask"]), paper.width, "  ")
    yield from wrap(paper.plain(f"{found['says']}: {listed(found['rules'])}"), paper.width, "    ")
    yield ""
    yield from map(paper.dim, found["board"].rstrip("\n").split("\n"))
