"""``npcs``: when the NPC turn comes, the order in which NPCs act, and what those who may be first can do (NPC TURN).

What the later ones do hangs on where the earlier ones end, and that the book leaves to tactical sense: once one has acted,
the next board tells about the next.
"""

from __future__ import annotations

from typing import Any

from riese_kb.board import Figure, Kind, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, matters
from riese_kb.facts import fact
from riese_kb.kinds.npc_paths import Ways, ways_of
from riese_kb.kinds.npcs import armed, npc
from riese_kb.position import Position, Terms
from riese_kb.question import Npc, NpcTurn
from riese_kb.worlds import Steps, World, together


def npcs(position: Position, about: NpcTurn, terms: Terms) -> Steps[Draft]:
    """Turn, order with its ties, and the whole activation of everybody who may be first."""
    board = position.board
    figures = [f for f in board.figures if f.kind is Kind.NPC]
    all_ways: list[Ways] = yield from together(ways_of(position, Npc(f.id), f, _armed(position, f), terms) for f in figures)
    heroes = [f for f in board.figures if f.kind is Kind.HERO]

    def facts(world: int) -> str:
        parts = [fact("round_now", world, board.round)]
        for figure, ways in zip(figures, all_ways, strict=True):
            lengths = [ways.lengths(hero.id, figure.at).get((figure.at, 1)) for hero in heroes]
            walks = [length for length in lengths if length is not None]
            parts += [fact("walks", world, figure.id, min(walks))] if walks else []
            apart = [abs(hero.at[0] - figure.at[0]) + abs(hero.at[1] - figure.at[1]) for hero in heroes]
            parts += [fact("apart", world, figure.id, min(apart))] if apart else []
        return "".join(parts)

    ids = frozenset(f.id for f in board.figures)
    (derived,) = yield [World(position, "npc_order", terms, facts, frozenset(), figures=ids)]
    places: dict[str, int] = {str(id): place for id, place in derived["place"]}
    ties: dict[int, list[Figure]] = {}
    for figure in figures:
        if figure.id in places:
            ties.setdefault(places[figure.id], []).append(figure)
    order = [ties[place] for place in sorted(ties)]
    first = order[0] if order else []
    does = yield from together(npc(position, Npc(f.id), terms) for f in first)
    result: dict[str, Any] = {
        "turn": sorted({place for _, place, turn in derived["segment"] if turn == "npcs"}),
        "order": [[f.id for f in tie] for tie in order],
        "first": {f.id: draft.result for f, draft in zip(first, does, strict=True)},
    }
    ledger = [Charge("round.npcs-between", "", place, "turn of the round") for place in result["turn"]]
    ledger += [
        Charge("npc.order", square_name(tie[0].at), number, "activation", note=", ".join(f.id for f in tie))
        for number, tie in enumerate(order, 1)
    ]
    labels = {f.at: str(number) for number, tie in enumerate(order, 1) for f in tie}
    seen = matters(derived).union(*(ways.matters for ways in all_ways), *(draft.matters for draft in does))
    return Draft(Verdict.COMPUTED, result, tuple(ledger), (), seen, Marks(labels))


def _armed(position: Position, figure: Figure) -> str:
    return armed(position.weapon(figure.weapon) if figure.weapon else None)
