"""``blast at … with …``: whom an explosion on a square attacks, and what becomes of each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riese_kb.board import Figure, Square, Weapon, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, charges, matters
from riese_kb.errors import QuestionError
from riese_kb.facts import Name, fact
from riese_kb.kinds.attacking import card_facts, dice_of, require
from riese_kb.kinds.throwing import lines_between, near, printed_facts
from riese_kb.odds import attack_odds
from riese_kb.position import Position, Terms, line_facts, line_squares
from riese_kb.question import Blast
from riese_kb.worlds import Derived, Steps, World


def blast(position: Position, about: Blast, terms: Terms) -> Steps[Draft]:
    """Who is attacked by the blast, with which numbers and odds, and what it leaves behind."""
    board = position.board
    weapon = position.weapon(about.weapon)
    everybody = bool(terms.without or terms.extra or "aoe_modifiers" in terms.readings)  # a reading may know no limit
    close = list(near(board, about.at, None if everybody else weapon.pbr))
    lines = lines_between((about.at, figure.at) for figure in close)
    squares = frozenset({about.at}.union(*(line_squares(a, b) for a, b in lines)))
    shared = tuple(line_facts(a, b) for a, b in lines)
    figures = frozenset(figure.id for figure in close)

    def facts(world: int) -> str:
        parts = [fact("blasts", world, about.at), fact("hurls", world, about.weapon), card_facts(world, weapon)]
        return "".join((*parts, *printed_facts(board, world, about.weapon)))

    (reached,) = yield [World(position, "blast", terms, facts, squares, shared, figures)]
    require(weapon, reached.values("wants"))
    if not reached.holds("explosive"):
        raise QuestionError(f"{about.weapon} does not explode", fix="for example: blast at D7 with grenade")
    caught = {str(id) for _, id in reached["caught"]}
    victims = sorted((f for f in board.figures if f.id in caught), key=lambda f: _far(about, f))
    found = yield [struck(position, about.at, weapon, terms, victim, squares, shared, by=about.figure) for victim in victims]
    shielded = [f.id for f in board.figures if any(str(id) == f.id for _, id in reached["shielded"])]
    ledger = [Charge("attack.weapon-values", "", n, unit, note=weapon.name) for n, unit in _card(found)]
    effects: dict[str, Any] = {}
    for victim, derived in zip(victims, found, strict=True):
        require(weapon, derived.values("wants"))
        counted = {str(rule) for rule, _ in derived["aided"]}
        modified = not derived.holds("unmodified")
        lines_of = [line for line in charges(derived, board) if modified or line.unit != "AM" or line.rule in counted]
        lines_of += [Charge(str(rule), square_name(at), n, "AM") for rule, at, n in derived["extra"]]
        ledger += [Charge(line.rule, line.at, line.amount, line.unit, note=victim.id) for line in lines_of]
        tank = {"tank": (yield from _tank(position, victim, terms))} if derived.holds("goes_up") else {}
        effects[victim.id] = tank | _effect(position, about, victim, derived, sum(c.amount for c in lines_of if c.unit == "AM"))
    result: dict[str, Any] = {
        "at": square_name(about.at),
        "weapon": weapon.name,
        "radius": weapon.pbr,
        "victims": [victim.id for victim in victims],
        "shielded": shielded,
        "effects": effects,
    }
    if reached.holds("leaves"):
        left, rule = reached["leaves"][0]
        result["leaves"] = str(left)
        ledger.append(Charge(str(rule), square_name(about.at), 0, "leaves a marker"))
    mattered = frozenset[str]().union(*(matters(derived) for derived in (reached, *found)))
    marks = Marks(labels={about.at: "*"})
    supplied = (weapon.name,) if weapon.supplied else ()
    return Draft(Verdict.COMPUTED, result, tuple(ledger), (), mattered, marks, supplied)


def _tank(position: Position, bearer: Figure, terms: Terms) -> Steps[list[str]]:
    """Whom the exploding tank of a flamethrower attacks besides its bearer, like a Molotov cocktail on that square."""
    weapon = position.weapon("Molotov Cocktail")
    everybody = bool(terms.without or terms.extra)
    close = list(near(position.board, bearer.at, None if everybody else weapon.pbr))
    lines = lines_between((bearer.at, figure.at) for figure in close)
    squares = frozenset({bearer.at}.union(*(line_squares(a, b) for a, b in lines)))

    def facts(world: int) -> str:
        return fact("blasts", world, bearer.at) + fact("hurls", world, weapon.name) + card_facts(world, weapon)

    shared = tuple(line_facts(a, b) for a, b in lines)
    (reached,) = yield [World(position, "blast", terms, facts, squares, shared, frozenset(f.id for f in close))]
    caught = {str(id) for _, id in reached["caught"]}
    return [f.id for f in position.board.figures if f.id in caught and f is not bearer]


def _far(about: Blast, figure: Figure) -> int:
    return abs(figure.at[0] - about.at[0]) + abs(figure.at[1] - about.at[1])


def struck(
    position: Position,
    at: Square,
    weapon: Weapon,
    terms: Terms,
    victim: Figure,
    squares: frozenset[Square],
    shared: tuple[str, ...],
    *,
    by: str | None = None,
) -> World:
    """The attack of an explosion on one figure; ``by``: whose modifiers count where any do."""
    board = position.board
    hero = board.figure(by) if by is not None else None

    def facts(world: int) -> str:
        parts = [fact("blast_at", world, at), fact("target", world, victim.id), fact("hurls", world, weapon.name)]
        parts += [fact("asked_type", world, Name("blast")), card_facts(world, weapon), *printed_facts(board, world, weapon.name)]
        if hero is not None:
            parts += [fact("actor", world, hero.id), fact("mode", world, Name(position.declared(hero, None)))]
        return "".join(parts)

    return World(position, "blast_effect", terms, facts, squares, shared, frozenset({victim.id, *([hero.id] if hero else [])}))


def _harm(derived: Derived) -> int:
    """How many wounds one wounding die deals."""
    return derived.number("harm") if derived.holds("harm") else 1


def _card(found: Sequence[Derived]) -> list[tuple[int, str]]:
    """The numbers of the weapon's card, where anybody is attacked with them."""
    for derived in found:
        for stun, wound in derived["values"]:
            return [(stun, "stun"), (wound, "wound")]
    return []


def _effect(position: Position, about: Blast, victim: Figure, derived: Derived, modifier: int) -> dict[str, Any]:
    """Range, numbers and odds for one figure."""
    begins = derived.number("begins")
    modified = {state: numbers for state, *numbers in derived["modified"]}
    effect: dict[str, Any] = {"range": _far(about, victim), "modifier": modifier}
    if begins in modified and derived.holds("dice"):
        dice = derived.number("dice")
        odds = attack_odds(dice_of(position, victim, derived), dice)
        stun, wound = modified[begins]
        whole = odds.whole
        if position.health(victim) is None:  # nobody knows how many wounds a civilian survives
            whole = {key: value for key, value in whole.items() if key != "eliminated"}
        effect |= {"stun": stun, "wound": wound, "dice": dice, "harm": _harm(derived), "odds": odds.first, "attack": whole}
    if derived.holds("burns"):
        effect["burns"] = sum(n for rule, _, _, n, unit, _ in derived["charge"] if rule == "fire.placed" and unit == "wound")
    return effect
