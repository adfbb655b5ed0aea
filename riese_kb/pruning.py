"""Leaving out of a program the rules that cannot fire on the facts at hand, and what nobody reads.

clingo spends about 40 µs on every rule before it looks at a single fact, so a question about three squares without fire,
doors or zombies should not carry the rules about them. A rule is left out when one of its positive body atoms can match
nothing: neither a fact nor a head of a remaining rule has its predicate with those constants in those places. Then
everything goes that no shown atom depends on. Neither changes the answer: the first kind of rule has no instance, the
second kind is read by nobody. ``tests/test_pruning.py`` holds whole and pruned programs against each other.

A *shape* is what is compared: ``edge`` for the predicate, ``edge/3=wall`` for a constant (a string, a functor) as its third
argument, ``edge/3=*`` where a variable of a head may bring any.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from clingo import Symbol, parse_term

Shapes = frozenset[str]

_STATEMENT = re.compile(r"(?<!\.)\.(?!\.)(?=\s|$)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_PREDICATE = re.compile(r"(?<![\w#])(_*[a-z]\w*)\(")
_INNERMOST = re.compile(r"[({][^(){}]*[)}]")
_SEPARATOR = re.compile(r"[,;]")
_NOT_PLAIN = re.compile(r"[=<>!:#]|^not\b|^[^a-z_]")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|_*[a-z]\w*')
_VARIABLE = re.compile(r"_*[A-Z]\w*|_")
_NUMBER = re.compile(r"(?<=[(,])-?\d+(?=[,)])")
_DENIED = re.compile(r",\s*not\s+[a-z_]\w*(?=\s*[,;]|\s*$)")
_ASKED = re.compile(r"\breading\(\w+,(\w+),")
_READS = re.compile(r'"(?:[^"\\]|\\.)*"|([a-z_]\w*)\(("(?:[^"\\]|\\.)*"|[^,()]*)')
_OPEN = re.compile(r"\b_*[A-Z]|[;|]|\.\.")
_FACT = re.compile(r'([a-z_]\w*\((?:[^"]|"(?:[^"\\]|\\.)*")*?\))\.')


class Pool(NamedTuple):
    """A pool of constants in an atom: both texts, the shape of its place (``edge/3=``), each choice with its constant."""

    atom: str
    text: str
    place: str
    choices: tuple[tuple[str, str], ...]


class Rule(NamedTuple):
    """One statement: its text, its body's needs (one shape of each set), the shapes its head can make, the predicates it
    reads anywhere, the predicate it makes or shows, and the pools ``(a;b)`` of its body's atoms.
    """

    text: str
    needs: tuple[Shapes, ...] = ()
    makes: Shapes = frozenset()
    reads: Shapes = frozenset()
    head: str = ""
    pools: tuple[Pool, ...] = ()
    denies: tuple[tuple[str, str], ...] = ()
    """What the body denies: each literal with the comma before it, and its predicate."""
    shows: bool = False
    """Whether it shows atoms."""
    plain: bool = False
    """Whether it is one plain fact."""
    asks: frozenset[str] = frozenset()
    """What plain facts its body can want, by predicate and first argument: ``am("cover"``, or ``am(*`` for any."""

    def narrowed(self, known: set[str]) -> str:
        """Its text with only those choices of its pools that can match (clingo makes a rule of each), and without denying
        what nobody says.
        """
        text = self.text
        for literal, predicate in self.denies:
            if predicate not in known:
                text = text.replace(literal, "", 1)
        for pool in self.pools:
            if pool.place + "*" not in known:
                fit = [choice for choice, word in pool.choices if pool.place + word in known]
                text = text.replace(pool.atom, pool.atom.replace(pool.text, fit[0] if len(fit) == 1 else f"({';'.join(fit)})"))
        return text


class Prunable:
    """A program text, split into statements once, that can be cut down to what a set of facts needs."""

    def __init__(self, rules: Iterable[Rule], text: str) -> None:
        self.text = text
        self.rules = tuple(rules)
        self._cut: dict[Shapes, Cut] = {}
        self._met: deque[_Met] = deque(maxlen=16)

    @classmethod
    def parse(cls, text: str) -> Prunable:
        """Take a program apart."""
        return cls(_read_by_somebody(rules_of(text)), text)

    @classmethod
    def of(cls, rules: list[Rule]) -> Prunable:
        """Put a program together from its statements."""
        return cls(_read_by_somebody(rules), "")

    @cached_property
    def asked(self) -> Shapes:
        """The shapes whose presence among the facts decides anything."""
        denied = frozenset(predicate for rule in self.rules for _, predicate in rule.denies)
        return denied.union(*(need for rule in self.rules for need in rule.needs))

    @cached_property
    def _waiting(self) -> dict[str, list[tuple[int, int]]]:
        """Which rules wait for a shape, and with which of their needs."""
        waiting: dict[str, list[tuple[int, int]]] = {}
        for number, rule in enumerate(self.rules):
            for place, need in enumerate(rule.needs):
                for shape in need:
                    waiting.setdefault(shape, []).append((number, place))
        return waiting

    def cut(self, shapes: Shapes) -> Cut:
        """The program for facts of those shapes."""
        present = self.asked & shapes
        if present not in self._cut:
            if len(self._cut) > 4096:
                self._cut.clear()
            fit, known = self._live(present)
            live = _read_by_somebody(fit, known)
            texts = [rule.narrowed(known) for rule in live if not rule.shows and not rule.plain]
            shown = tuple(_signature(rule.text) for rule in live if rule.shows)
            reads = frozenset[str]().union(*(rule.reads for rule in live))
            asked = {f"{name}(*" for name, _ in shown}.union(*(rule.asks for rule in live))
            facts = tuple(_symbol(rule.text) for rule in live if rule.plain and (not shown or _wanted(rule.text, asked)))
            self._cut[present] = Cut("\n".join(texts), reads, "\n".join(map(_of_one_world, texts)), facts, shown)
        return self._cut[present]

    def _live(self, present: Shapes) -> tuple[list[Rule], set[str]]:
        """The rules that can fire, and every shape that there can be.

        More facts only make more rules fire, so it goes on from the last facts that were fewer, where there are any.
        """
        before = next((met for met in reversed(self._met) if met.present <= present), None) or self._nothing
        known, met, open_needs = set(before.known), set(before.met), list(before.open_needs)
        queue = [shape for shape in present if shape not in known]
        known.update(queue)
        self._follow(known, met, open_needs, queue)
        self._met.append(_Met(present, known, met, open_needs))
        return [rule for rule, still in zip(self.rules, open_needs, strict=True) if not still], known

    @cached_property
    def _nothing(self) -> _Met:
        """What fires on no facts at all."""
        known, met, open_needs = set[str](), set[tuple[int, int]](), [len(rule.needs) for rule in self.rules]
        for rule in self.rules:
            if not rule.needs:
                known |= rule.makes
        self._follow(known, met, open_needs, list(known))
        return _Met(frozenset(), known, met, open_needs)

    def _follow(self, known: set[str], met: set[tuple[int, int]], open_needs: list[int], queue: list[str]) -> None:
        """Let rules fire on the shapes of the queue, and on what these bring."""
        while queue:
            for need in self._waiting.get(queue.pop(), ()):
                if need not in met:
                    met.add(need)
                    open_needs[need[0]] -= 1
                    if not open_needs[need[0]]:
                        fresh = self.rules[need[0]].makes - known
                        known |= fresh
                        queue += fresh


class _Met(NamedTuple):
    """What facts of some shapes make fire: all shapes there can be then, the needs that are met, how many each rule still has."""

    present: Shapes
    known: set[str]
    met: set[tuple[int, int]]
    open_needs: list[int]


class Cut(NamedTuple):
    """A program that was cut down, and the predicates that it reads: other facts need not be given.

    ``alone``: the same for a grounding of world 0 only. ``facts``: those of the program itself. ``shown``: the predicates
    that it shows, each with its number of arguments; its text does not say.
    """

    text: str
    reads: Shapes
    alone: str
    facts: tuple[Symbol, ...] = ()
    shown: tuple[tuple[str, int], ...] = ()


_WORLD = re.compile(r'"(?:[^"\\]|\\.)*"|\bW\b')


def is_fact(statement: str) -> bool:
    """Whether it is one plain fact."""
    return not statement.startswith("#") and ":-" not in statement and _OPEN.search(_STRING.sub("", statement)) is None


@cache
def _symbol(fact: str) -> Symbol:
    return parse_term(fact[:-1])


def _wanted(fact: str, asked: Collection[str]) -> bool:
    """Whether anybody reads a fact; a table is read row by row."""
    (name, first), *_ = _READS.findall(fact)
    return f"{name}(*" in asked or f"{name}({first}" in asked


@cache
def _signature(show: str) -> tuple[str, int]:
    name, _, arity = show.removeprefix("#show").rstrip(". ").strip().partition("/")
    return name, int(arity)


@lru_cache(maxsize=65536)
def _of_one_world(text: str) -> str:
    """A constant in its place is cheaper than a variable that has only one value."""
    return _WORLD.sub(lambda found: "0" if found.group() == "W" else found.group(), text).replace(":- world(0), ", ":- ")


def _read_by_somebody(rules: list[Rule], given: Collection[str] = ()) -> list[Rule]:
    """The rules whose head some shown atom depends on, however indirectly; the others compute for nobody.

    ``given``: predicates of which there are facts.
    """
    shown = [rule for rule in rules if rule.shows]
    if not shown:
        return rules
    makers: dict[str, set[str]] = {}
    for rule in rules:
        if not rule.shows:
            makers.setdefault(rule.head, set()).update(rule.reads)
    wanted: set[str] = set()
    queue = [rule.head for rule in shown]
    while queue:
        head = queue.pop()
        if head not in wanted:
            wanted.add(head)
            queue += makers.get(head, ())
    there = wanted.intersection((*makers, *given))
    kept = [rule for rule in rules if not rule.head or (rule.head in there if rule.shows else rule.head in wanted)]
    return kept if any(rule.shows for rule in kept) else [*kept, shown[0]]


def rules_of(text: str) -> list[Rule]:
    """The statements of a program, one by one."""
    return [_rule(statement) for statement in statements(text)]


def _rule(text: str) -> Rule:
    if text.startswith("#"):
        name = re.match(r"#show\s+([a-z_]\w*)", text)
        return Rule(text + ".", head=name.group(1) if name else "", shows=text.startswith("#show"))
    head, arrow, body = text.partition(":-")
    needs: list[Shapes] = []
    pools: list[Pool] = []
    for atom in literals(body) if arrow else ():
        needs += _needs(atom)
        pools += _pools(atom)
    makes = frozenset(_makes(head.strip()))
    predicate, _ = _parts(head.strip())
    denies = tuple(_denied(text)) if arrow else ()
    asks = frozenset(_asks(body)) if predicate != "reading" else frozenset[str]()
    shapes = tuple(dict.fromkeys(needs))
    plain = is_fact(text + ".")
    return Rule(text + ".", shapes, makes, _predicates(body), predicate, tuple(pools), denies, plain=plain, asks=asks)


def _asks(body: str) -> Iterator[str]:
    """Every predicate that is read, with the first argument where that is a constant; the default of a reading by its name."""
    for name, first in _READS.findall(body):
        yield f"{name}({first if _CONSTANT.fullmatch(first) else '*'}"
    for name in _ASKED.findall(body):
        yield f"default({'*' if name[:1].isupper() else name}"


def _denied(text: str) -> Iterator[tuple[str, str]]:
    """The literals ``not p(…)`` after a comma and outside conditions, each with that comma, and their predicates."""
    mask = _masked(text)
    for found in _DENIED.finditer(mask):
        before = mask[: found.start()]
        if ":" not in before[before.rfind(";") + 1 :].partition(":-")[2]:
            literal = text[found.start() : found.end()]
            yield literal, literal.partition("(")[0].split()[-1]


def _predicates(body: str) -> Shapes:
    """Every name before a bracket: all predicates that are read (none is without arguments), and functors, which do no harm."""
    return frozenset(_PREDICATE.findall(_STRING.sub("", body)))


def _parts(atom: str) -> tuple[str, list[str]]:
    """An atom's predicate and arguments; of ``p(a;b)``, which is ``p(a)`` and ``p(b)``, each argument as a pool."""
    name, bracket, rest = atom.partition("(")
    if not bracket:
        return name.strip(), []
    groups: list[list[str]] = [[]]
    for piece, separator in split_body(rest.rstrip()[:-1]):
        groups[-1].append(piece)
        if separator == ";":
            groups.append([])
    if len(groups) == 1:
        return name.strip(), groups[0]
    return name.strip(), [f"({';'.join(column)})" for column in zip(*groups, strict=False)]


def _choices(argument: str) -> list[str]:
    """The alternatives of a pool, or the argument itself."""
    if argument.startswith("(") and ";" in _masked(argument[1:-1]):
        return [piece for piece, _ in split_body(argument[1:-1])]
    return [argument]


def _words(argument: str) -> list[str]:
    """The constants that an argument can be: one, those of a pool, or none (numbers, variables, tuples, also in a pool)."""
    choices = _choices(argument)
    if len(choices) > 1:
        words = [_words(choice) for choice in choices]
        return [word for found in words for word in found] if all(words) else []
    found = _CONSTANT.match(argument)
    if found is None:
        return []
    rest = argument[found.end() :]
    return [found.group()] if not rest or rest.startswith("(") else []


def _needs(atom: str) -> Iterator[Shapes]:
    name, arguments = _parts(atom)
    yield frozenset({name})
    for place, argument in enumerate(arguments, 1):
        words = _words(argument)
        if words:
            yield frozenset(f"{name}/{place}={word}" for word in (*words, "*"))


def _pools(atom: str) -> Iterator[Pool]:
    name, arguments = _parts(atom)
    for place, argument in enumerate(arguments, 1):
        words = _words(argument)
        choices = _choices(argument) if argument in atom else []
        if len(choices) == len(words) > 1:
            yield Pool(atom, argument, f"{name}/{place}=", tuple(zip(choices, words, strict=True)))


def _makes(head: str) -> Iterator[str]:
    name, arguments = _parts(head)
    yield name
    for place, argument in enumerate(arguments, 1):
        for choice in _choices(argument):
            words = _words(choice)
            yield from (f"{name}/{place}={word}" for word in words)
            if not words and _VARIABLE.fullmatch(choice):
                yield f"{name}/{place}=*"


@lru_cache(maxsize=65536)
def shapes_of(facts: str) -> Shapes:
    """The shapes of some facts (text as ``facts.fact`` writes it), which come again and again."""
    return shapes_of_once(facts)


def shapes_of_once(facts: str) -> Shapes:
    """The same for facts that hardly come again."""
    return frozenset(shape for fact in set(_FACT.findall(_NUMBER.sub("0", facts))) for shape in _shapes_of_fact(fact))


@lru_cache(maxsize=4096)
def _shapes_of_fact(fact: str) -> tuple[str, ...]:
    return tuple(_makes(fact))


@lru_cache(maxsize=65536)
def symbols_of(facts: str, predicates: Shapes) -> tuple[Symbol, ...]:
    """Those of some facts whose predicate is among these, as symbols."""
    return tuple(parse_term(fact) for fact in facts_in(facts) if fact.partition("(")[0] in predicates)


def facts_in(facts: str) -> list[str]:
    """Some facts (text as ``facts.fact`` writes it) one by one, without their full stops."""
    found: list[str] = _FACT.findall(facts)
    return found


def literals(body: str) -> list[str]:
    """The positive atoms of a body: no negation, comparison, aggregate, and nothing inside a condition."""
    atoms, conditional = [], False
    for literal, separator in split_body(body):
        shape = _masked(literal)
        if not conditional and shape and not _NOT_PLAIN.search(shape):
            atoms.append(literal)
        # What follows a colon is the condition, up to the next semicolon.
        conditional = (conditional or ":" in shape) and separator == ","
    return atoms


def statements(text: str) -> list[str]:
    """The statements of a program, without their full stops."""
    return [statement.strip() for statement in _STATEMENT.split(text) if statement.strip()]


def split_body(body: str) -> list[tuple[str, str]]:
    """The pieces of a body between separators outside brackets and strings, each with the separator that ends it."""
    mask = _masked(body)
    pieces, start = [], 0
    for end in (*(m.start() for m in _SEPARATOR.finditer(mask)), len(mask)):
        pieces.append((body[start:end].strip(), mask[end : end + 1]))
        start = end + 1
    return pieces


def _masked(text: str) -> str:
    """The text with strings and everything in brackets blotted out, of the same length."""
    mask = _STRING.sub(lambda m: "_" * len(m.group()), text)
    while (outer := _INNERMOST.sub(lambda m: "_" * len(m.group()), mask)) != mask:
        mask = outer
    return mask
