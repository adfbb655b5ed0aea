"""Running a program: text in, ground atoms out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import clingo
from clingo import MessageCode, Symbol, SymbolType

from riese_kb.straight import arguments, state, term, without_solver
from riese_kb.straight import atoms as atoms_of

Args = tuple[Any, ...]
"""The arguments of an atom: ints, strings, and tuples of these, as its predicate says in the logic."""
Atoms = dict[str, list[Args]]

_QUIET = (MessageCode.AtomUndefined,)


class LogicFault(Exception):
    """The logic program itself is wrong (an undefined operation, a syntax error): a defect of ours, never of the user's."""


def run(
    program: str,
    facts: str,
    symbols: Sequence[Symbol] = (),
    shown: Sequence[tuple[str, int]] = (),
    *,
    strict: Callable[[str], None] | None = None,
    alone: bool = False,
    name: str = "",
) -> Atoms:
    """The one model of a stratified program as {predicate: [arguments]}; terms become ints, strings and tuples.

    Facts are given as text or as symbols. ``shown`` are the predicates wanted, each with its number of arguments, where the
    program's text does not say.

    A compound term ``step(1)`` becomes ``("step", 1)``, a constant becomes a string. ``strict`` receives clingo's messages
    (tests turn them into failures); without it only errors count. ``alone``: look whether it is the only model. ``name`` of
    the program: where grounding did not decide all of it, it is not expected to the next time. Raises ``LogicFault``.
    """
    said: list[str] = []

    def log(code: MessageCode, text: str) -> None:
        if code not in _QUIET:
            said.append(text)

    control = clingo.Control(["--warn=no-atom-undefined"], logger=log, message_limit=20)
    by_grounding = bool(shown) and not alone
    nobody = without_solver(control) if by_grounding and name and name not in _LEFT_OPEN else None
    try:
        control.add("base", [], f"{program}\n#show." if shown else program)
        if facts:
            control.add("base", [], facts)
        with control.backend() as backend:
            state(backend, symbols)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise LogicFault("\n".join([str(error), *said])) from error
    if said:
        if strict is None:
            raise LogicFault("\n".join(said))
        for text in said:
            strict(text)
    if by_grounding:
        atoms = _decided(control, shown)
        if atoms is not None:
            return atoms
        if nobody is not None:
            _LEFT_OPEN.add(name)
            return run(program, facts, symbols, shown, strict=strict, name=name)
    if alone and isinstance(control.configuration.solve, clingo.Configuration):
        control.configuration.solve.models = 2
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise LogicFault("the program has no model; rules must never kill one")
        found = (atom for sign in shown for atom in control.symbolic_atoms.by_signature(*sign))
        atoms = gather((a.symbol for a in found if model.contains(a.symbol)) if shown else model.symbols(shown=True))
        if alone:
            handle.resume()
            if handle.model() is not None:
                raise LogicFault("the program has more than one model; rules must leave no choice")
        return atoms


_LEFT_OPEN: set[str] = set()
"""Programs of which grounding does not decide all: two predicates wait for each other's absence, if never for the same square."""


def _decided(control: clingo.Control, shown: Sequence[tuple[str, int]]) -> Atoms | None:
    """What grounding alone has found out; None where it left something open. Solving takes a thread, and longer."""
    atoms: Atoms = {}
    for name, arity in shown:
        rows = []
        for symbol, sure in atoms_of(control, name, arity):
            if not sure:
                return None
            rows.append(_row(symbol))
        if rows:
            atoms.setdefault(name, []).extend(rows)
    return atoms


def gather(symbols: Iterable[Symbol]) -> Atoms:
    """Symbols as plain data, grouped by predicate."""
    atoms: Atoms = {}
    for symbol in symbols:
        atoms.setdefault(symbol.name, []).append(_row(symbol))
    return atoms


def _row(symbol: Symbol) -> Args:
    """What an atom holds, as plain data."""
    known = _PLAIN
    return tuple([known[number] if number in known else plain(term(number)) for number in arguments(symbol)])


_PLAIN: dict[int, Any] = {}
"""Terms met so far, by clingo's own number for them: equal terms have equal numbers for the life of the process."""


def plain(symbol: Symbol) -> Any:
    """One term as an int, a string, or a tuple (with the functor first, unless it is a plain tuple)."""
    number = symbol._rep
    if number not in _PLAIN:
        if len(_PLAIN) > 100_000:
            _PLAIN.clear()
        _PLAIN[number] = _plain(symbol)
    return _PLAIN[number]


def _plain(symbol: Symbol) -> Any:
    kind = symbol.type
    if kind is SymbolType.Number:
        return symbol.number
    if kind is SymbolType.String:
        return symbol.string
    if kind is SymbolType.Function:
        arguments = symbol.arguments
        if not arguments:
            return symbol.name
        rest = tuple(map(plain, arguments))
        return (symbol.name, *rest) if symbol.name else rest
    raise LogicFault(f"unexpected term {symbol}")
