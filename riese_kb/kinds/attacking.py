"""``attack …``: is it legal, with which numbers and odds; and what other kinds of attack share with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from riese_kb import tables
from riese_kb.board import Board, Figure, Kind, Square, Weapon, parse_square, square_name
from riese_kb.draft import Charge, Draft, Marks, Verdict, breaches, charges, matters
from riese_kb.errors import MissingValue
from riese_kb.facts import Name, fact
from riese_kb.geometry import inside
from riese_kb.kinds.offers import Offer, all_matters, groups, offers, used, with_skill
from riese_kb.odds import FACES, Dice, attack_odds
from riese_kb.position import Position, Terms, barricade_health, line_facts, line_squares
from riese_kb.question import Attack, AttackType
from riese_kb.unprinted import left_out, missing_modifier, require_modifiers
from riese_kb.worlds import Derived, Steps, World, together

TYPE = {None: "unsaid", AttackType.NORMAL: "normal", AttackType.SPREAD: "spread", AttackType.H2H: "hand"}
_SPOKEN = {"normal": AttackType.NORMAL, "spread": AttackType.SPREAD, "hand": AttackType.H2H}
_VALUES = ("rof", "stun", "wound", "pbr", "h2h_stun", "h2h_wound")


def _target(board: Board, id: str) -> Figure:
    """Who is attacked: a figure, or the barricade on the square of that name."""
    at = parse_square(id)
    if board.figure(id) is not None or at is None:
        return figure_of(board, id)
    return _barricade(board, at)


def _barricade(board: Board, at: Square) -> Figure:
    """A barricade as something that can be attacked (BARRICADES)."""
    return Figure(id=square_name(at), kind=Kind.CIVILIAN, at=at, health=barricade_health(board.system))


def _barricades(board: Board, target: Figure) -> list[Figure]:
    """All barricades, where one is attacked: another may be closer."""
    if board.figure(target.id) is not None:
        return []
    return [_barricade(board, marker.at) for marker in board.markers if marker.kind == "barricade"]


def figure_of(board: Board, id: str) -> Figure:
    """The figure of that id, which is there."""
    figure = board.figure(id)
    assert figure is not None, "questions are resolved against the board before they are asked"
    return figure


def card_facts(world: int, weapon: Weapon) -> str:
    """What is known of a weapon. An unknown hand-to-hand side is marked, so that it is asked for and never guessed."""
    parts = [fact("card", world, Name(key), value) for key in _VALUES if (value := getattr(weapon, key)) is not None]
    if isinstance(weapon.rm, int):
        parts.append(fact("card", world, Name("rm"), weapon.rm))
    elif isinstance(weapon.rm, str):
        parts.append(fact("card", world, Name("special"), weapon.rm))
    else:
        parts.append(fact("unknown_rm", world))
    if weapon.select_fire:
        parts.append(fact("card", world, Name("select_fire"), 1))
    if not weapon.h2h_known and weapon.h2h_stun is None:
        parts.append(fact("unknown_h2h", world))
    return "".join(parts)


def require(weapon: Weapon, keys: Iterable[object]) -> None:
    """Raise ``MissingValue`` for the first value that the question needs and nobody gave."""
    for key in sorted(map(str, keys)):
        missing = getattr(weapon, key) is None
        if key.startswith("h2h") and (weapon.h2h_known or not missing):
            continue
        if missing:
            raise MissingValue(
                f"the book prints no {key} for {weapon.name}",
                fix=f'add it to the board: [[weapon]] name = "{weapon.name}", {key} = …',
            )


def lines_to(hero: Figure, others: Iterable[Figure]) -> tuple[frozenset[Square], frozenset[str], tuple[str, ...]]:
    """The squares that lines to the others touch, with those beside the hero; the others; the geometry of the lines."""
    figures = {f.id: f.at for f in others}
    ends = [square for square in dict.fromkeys(figures.values()) if square != hero.at]
    squares = frozenset[Square]().union(*(line_squares(hero.at, end) for end in ends)) | {hero.at}
    x, y = hero.at
    squares |= {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
    return squares, frozenset(figures), tuple(line_facts(hero.at, end) for end in ends)


def _looked_at(position: Position, hero: Figure, target: Figure, type: AttackType | None, terms: Terms) -> Iterator[Figure]:
    """The target, and the enemies that can matter to an attack on it (docs/lemmas.md, Attacks)."""
    everybody = terms.without or terms.extra
    far = _steps(hero.at, target.at)
    yield target
    yield from (other for other in _barricades(position.board, target) if other.id != target.id)
    for foe in foes_on(position.board):
        beside_target = max(abs(foe.at[0] - target.at[0]), abs(foe.at[1] - target.at[1])) <= 1
        if (
            everybody
            or _steps(hero.at, foe.at) < max(far, 2)
            or "unrevealed" in foe.status
            or (type is AttackType.SPREAD and beside_target)
        ):
            yield foe


def _steps(a: Square, b: Square) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def foes_on(board: Board) -> list[Figure]:
    """Everybody whom heroes may want to attack."""
    return [f for f in board.figures if f.kind in (Kind.ZOMBIE, Kind.NPC)]


def attack(position: Position, about: Attack, terms: Terms, *, fully: bool = True) -> Steps[Draft]:
    """Is the attack legal, with which range, modifiers, numbers and odds?

    A skill that somebody may use makes an attack legal that would not be; else it is told as an option (if ``fully``).
    """
    draft, derived = yield from attempt(position, about, terms)
    if fully and (derived.holds("bystander") or derived.holds("token")):
        from riese_kb.kinds.volleys import refined

        draft = yield from refined(position, about, terms, draft, derived)
    if not derived.holds("offers"):
        return draft
    if draft.verdict is Verdict.ILLEGAL:
        tried = offers(derived, about.figure, "attack", "aim")
        answers = yield from together(attempt(position, about, terms, (offer,)) for offer in tried)
        seen = draft.matters | all_matters(d for d, _ in answers)
        for offer, (other, found) in zip(tried, answers, strict=True):
            if other.verdict is Verdict.LEGAL:
                helped = replace(with_skill(position, offer, other), matters=seen)
                return (yield from _with_options(position, about, terms, helped, found, [])) if fully else helped
        return replace(draft, matters=seen)
    return (
        (yield from _with_options(position, about, terms, draft, derived, offers(derived, about.figure, "aim")))
        if fully
        else draft
    )


def _with_options(
    position: Position, about: Attack, terms: Terms, draft: Draft, derived: Derived, aims: list[Offer]
) -> Steps[Draft]:
    """The draft with what skills would change, each by itself; ``aims``: the uses whose numbers are asked for."""
    united = groups(derived, aims)
    answers = yield from together(attempt(position, about, terms, taken) for taken in (*((offer,) for offer in aims), *united))
    numbers = [{key: other.result[key] for key in _NUMBERS if key in other.result} for other, _ in answers]
    options = [used(position, offer) | found for offer, found in zip(aims, numbers, strict=False)]
    several = [
        {"skills": [used(position, offer) for offer in group]} | found
        for group, found in zip(united, numbers[len(aims) :], strict=True)
    ]
    target = _target(position.board, about.target)
    for offer in offers(derived, about.figure, "reroll", "die"):
        option = used(position, offer)
        if offer.use == "reroll" and "dice" in draft.result:
            faces = {
                state: frozenset(f for skill, s, f in derived["again"] if (skill, s) == (offer.skill, state)) for state in (0, 1)
            }
            odds = attack_odds(dice_of(position, target, derived), draft.result["dice"], faces)
            option |= {"faces": sorted(faces[derived.number("begins")]), "odds": odds.first}
            # What rolls a single die again changes no attack of several dice in a way that one number tells.
            option |= {} if draft.result["dice"] > 1 and (offer.skill,) in derived["once"] else {"attack": odds.whole}
        options.append(option)
    if not options:
        return draft
    result = {**draft.result, "options": options} | ({"together": several} if several else {})
    return replace(draft, result=result, matters=draft.matters | all_matters(d for d, _ in answers))


_NUMBERS = ("modifier", "stun", "wound", "odds", "attack")
"""What skills change in an attack."""


def attempt(position: Position, about: Attack, terms: Terms, taken: tuple[Offer, ...] = ()) -> Steps[tuple[Draft, Derived]]:
    """The attack in the world in which those offers are taken up."""
    board = position.board
    hero, target = figure_of(board, about.figure), _target(board, about.target)
    weapon, _ = _weapon_in_hand(position, hero, about)
    (derived,) = yield [attack_world(position, about, terms, lambda world: "".join(offer.facts(world) for offer in taken))]
    draft = _attack_draft(position, about, hero, target, weapon, derived, "attack")
    if "attack" in draft.result and draft.verdict is Verdict.LEGAL and target.kind is Kind.ZOMBIE:
        from riese_kb.kinds.aftermath import added, followed

        if followed(position, target):
            whole = attack_odds(dice_of(position, target, derived), derived.number("throws"))
            draft = yield from added(position, terms, draft, target, whole)
    return draft, derived


def attack_world(position: Position, about: Attack, terms: Terms, told: Callable[[int], str]) -> World:
    """The world of an attack; ``told`` gives further facts of it (skills that are used, what earlier dice did)."""
    board = position.board
    hero, target = figure_of(board, about.figure), _target(board, about.target)
    barricades = _barricades(board, target)
    weapon, hand = _weapon_in_hand(position, hero, about)
    declared = position.declared(hero, about.declared)
    post = _post(position, hero, weapon)
    squares, viewed, lines = lines_to(post, _looked_at(position, post, target, about.type, terms))
    beside = frozenset(f.id for f in foes_on(board) if post is not hero and _steps(hero.at, f.at) == 1)
    squares |= {hero.at}

    def facts(world: int) -> str:
        parts = [fact("emplaced", world), fact("posted", world, post.at)] if post is not hero else []
        parts += [fact("actor", world, hero.id), fact("mode", world, Name(declared)), fact("target", world, target.id)]
        if weapon is not None:
            parts.append(fact("wields", world, weapon.name))
        parts.append(told(world))
        parts += [fact("views", world, id) for id in sorted(viewed)]
        parts.append(fact("asked_type", world, Name(TYPE[about.type])))
        if board.threat:
            parts += [fact("spawn_point", world, m.at) for m in board.markers if m.kind == "spawn"]
        parts += [fact("figure", b.id, Name("barricade")) + fact("at", b.id, b.at) for b in barricades]
        if weapon is not None:
            parts.append(card_facts(world, weapon))
        parts += [fact(word, world) for word in _words(position, about, hero, weapon, hand)]
        return "".join(parts)

    return World(position, "attack", terms, facts, squares, lines, viewed | beside | {hero.id})


def _post(position: Position, hero: Figure, weapon: Weapon | None) -> Figure:
    """The attacker where the attack is made from: at a gun on a carriage beside the hero, if that is the weapon."""
    item = tables.armoury(position.system).get(weapon.name) if weapon is not None else None
    if item is None or "emplaced" not in item.also:
        return hero
    guns = [m.at for m in position.board.markers if m.kind == "maxim"]
    near = min(guns, key=lambda at: _steps(at, hero.at), default=None)
    return hero if near is None else replace(hero, at=near)


def _weapon_in_hand(position: Position, hero: Figure, about: Attack) -> tuple[Weapon | None, str]:
    """The weapon of the question, and which hand holds it: main, off, or none (not readied)."""
    if about.unarmed:
        return None, "main"
    if about.off_hand and about.weapon is None:
        return (position.weapon(hero.off_hand), "off") if hero.off_hand else (None, "none")
    name = about.weapon or hero.weapon
    if name is None:
        return None, "main"
    if about.off_hand or (name == hero.off_hand and name != hero.weapon):
        return position.weapon(name), "off" if name == hero.off_hand else "none"
    return position.weapon(name), "main" if name == hero.weapon else "none"


def _words(position: Position, about: Attack, hero: Figure, weapon: Weapon | None, hand: str) -> list[str]:
    words = []
    if about.covering:
        words.append("covers")
    if about.select:
        words.append("selects")
    if hand == "none":
        words.append("not_readied")
    if hand == "off" or about.off_hand:
        words.append("off_hand")
    if about.unarmed and _fit(position, hero):
        words.append("by_choice")
    if weapon is not None and weapon.h2h_stun is None and _fit(position, hero):
        words.append("insists")
    if weapon is not None:
        words.append("armed")
    if (hand == "off" and hero.weapon is None) or any(w.one_handed is False for w in weapons_readied(position, hero)):
        words.append("two_handed")
    return words


def weapons_readied(position: Position, hero: Figure) -> list[Weapon]:
    """The weapons in a hero's hands."""
    return [position.weapon(name) for name in (hero.weapon, hero.off_hand) if name]


def _fit(position: Position, hero: Figure) -> bool:
    """Whether any readied weapon has hand-to-hand values."""
    return any(weapon.h2h_stun is not None for weapon in weapons_readied(position, hero))


def _attack_draft(
    position: Position, about: Attack, hero: Figure, target: Figure, weapon: Weapon | None, derived: Derived, kind: str
) -> Draft:
    board = position.board
    if weapon is not None:
        require(weapon, derived.values("wants"))
    require_modifiers(board, derived)
    broken = breaches(derived, board)
    ledger = [*card_lines(position, weapon, derived), *charges(derived, board)]
    ledger += [Charge(str(rule), square_name(at), n, "AM") for rule, at, n in derived["extra"]]
    begins = derived.number("begins")
    modified = {state: (stun, wound) for state, stun, wound in derived["modified"]}
    spoken = _SPOKEN[str(derived.value("type"))]
    dice = derived.number("throws") if derived.holds("throws") else None
    total = sum(line.amount for line in ledger if line.unit == "AM")
    result: dict[str, Any] = {"type": str(spoken), "range": derived.number("away"), "modifier": total}
    if begins in modified and dice is not None:
        stun, wound = modified[begins]
        odds = attack_odds(dice_of(position, target, derived), dice)
        result |= {
            "stun": stun,
            "wound": wound,
            "dice": dice,
            "impossible": derived.holds("impossible"),
            "odds": odds.first,
        }
        if not derived.holds("open_later"):
            result["attack"] = odds.whole
    if derived.holds("sticks"):
        result["leaves"] = "flare"
    if derived.holds("comes_back"):
        result["comes_back"] = sorted(square_name(at) for at, _ in derived["comes_back"])
    if derived.holds("next_target"):
        result["next_targets"] = sorted(str(f) for f in derived.values("next_target"))
    hints = tuple(_hints(position, about, derived)) if broken else ()
    marks = Marks(line=(hero.at, *inside(hero.at, target.at), target.at), blocked=())
    supplied = (weapon.name,) if weapon is not None and weapon.supplied else ()
    verdict = Verdict.ILLEGAL if broken else Verdict.LEGAL
    missing = tuple(
        f"the dice after the first, for want of {missing_modifier(board, str(rule))[0]}" for rule in derived.values("open_later")
    ) + left_out(board, derived)
    return Draft(verdict, result, tuple(ledger), tuple(broken), matters(derived), marks, supplied, hints, missing=missing)


def card_lines(position: Position, weapon: Weapon | None, derived: Derived) -> list[Charge]:
    """The numbers that the modifiers are added to."""
    name = "unarmed" if weapon is None or derived.holds("bare") else weapon.name
    if derived.holds("bites"):
        rule = "max.bite"
    elif name == "unarmed":
        rule = "hand-to-hand.unarmed"
    else:
        rule = "hand-to-hand.values" if derived.value("type") == "hand" else "attack.weapon-values"
        if weapon is not None and weapon.supplied:
            name += ", supplied by the board"
    return [
        Charge(rule, "", number, unit, note=name)
        for stun, wound in derived["values"]
        for number, unit in ((stun, "stun"), (wound, "wound"))
    ]


def share(derived: Derived, predicate: str, id: str | None) -> Fraction:
    """How much of a die's faces the logic gives to one figure."""
    return Fraction(sum(n for figure, n in derived[predicate] if figure == id), FACES)


def dice_of(position: Position, target: Figure, derived: Derived) -> Dice:
    """The faces of one die, by whether the target is stunned when it is rolled, as the logic gives them."""
    faces: dict[int, dict[str, int]] = {0: {}, 1: {}}
    for state, _, effect in derived["effect"]:
        faces[state][str(effect)] = faces[state].get(str(effect), 0) + 1
    bystander = next(map(str, derived.values("bystander")), None)
    return Dice(
        faces=faces,
        cancelled=Fraction(sum(n for n in derived.values("cancels") if isinstance(n, int)), FACES),
        softened=Fraction(sum(n for n in derived.values("softens") if isinstance(n, int)), FACES),
        begins=derived.number("begins"),
        dazes=derived.holds("dazes"),
        bursts=derived.holds("bursts"),
        health=position.health(target) if derived.holds("mortal") else None,
        ammo=derived.holds("loses_ammo"),
        bystander=bystander,
        spared=share(derived, "evades", bystander),
        hardened=share(derived, "hardens", bystander),
        certain={state: str(effect) for state, effect in derived["certain"]},
        harm=derived.number("harm") if derived.holds("harm") else 1,
    )


def _hints(position: Position, about: Attack, derived: Derived) -> Iterable[Attack]:
    """What may be asked instead: the same attack as another type, with the readied weapon, or on another enemy."""
    if about.type is not AttackType.H2H and not about.select:
        yield replace(about, select=True)
    for kind in (None, AttackType.H2H) if about.type is not None else (AttackType.H2H,):
        if kind is not about.type:
            yield replace(about, type=kind)
    if about.weapon is not None or about.off_hand or about.unarmed or about.select:
        yield replace(about, weapon=None, off_hand=False, unarmed=False, select=False, type=None)
    hero = figure_of(position.board, about.figure)
    foes = sorted(foes_on(position.board), key=lambda f: abs(f.at[0] - hero.at[0]) + abs(f.at[1] - hero.at[1]))
    for foe in foes[:6]:
        if foe.id != about.target:
            yield replace(about, target=foe.id)
            if about.type is not None:
                yield replace(about, target=foe.id, type=None)
