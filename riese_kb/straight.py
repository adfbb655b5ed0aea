"""Facts in and atoms out straight through clingo's C interface.

Its wrapper makes a buffer and checks an error for every single call, which takes a tenth of the time of an answer. What is used
here is the same interface that the wrapper uses; where a later clingo keeps it elsewhere, the wrapper is used instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import clingo
from clingo import Symbol

try:
    from clingo import _internal

    _ffi: Any = _internal._ffi  # type: ignore[attr-defined]
    _lib: Any = _internal._lib  # type: ignore[attr-defined]
except (ImportError, AttributeError):  # a clingo that keeps them elsewhere
    _ffi = _lib = None
_symbol: Any = Symbol


def state(backend: clingo.Backend, symbols: Iterable[Symbol]) -> None:
    """Add facts. Raises ``RuntimeError``."""
    if _lib is None:
        for symbol in symbols:
            backend.add_rule([backend.add_atom(symbol)])
        return
    rep, null = backend._rep, _ffi.NULL
    buffer, atom = _ffi.new("clingo_symbol_t*"), _ffi.new("clingo_atom_t*")
    add, rule = _lib.clingo_backend_add_atom, _lib.clingo_backend_rule
    for symbol in symbols:
        buffer[0] = symbol._rep
        if not (add(rep, buffer, atom) and rule(rep, False, atom, 1, null, 0)):
            raise RuntimeError(f"clingo does not take the fact {symbol}")


def without_solver(control: clingo.Control) -> object:
    """Let nobody take down for the solver what grounding finds: for programs that grounding decides. Keep what is returned.

    A tenth of the time of grounding goes into it. None where this clingo does not offer it.
    """
    if _lib is None:
        return None
    nobody = _ffi.new("clingo_ground_program_observer_t*")
    return nobody if _lib.clingo_control_register_observer(control._rep, nobody, True, _ffi.NULL) else None


def atoms(control: clingo.Control, name: str, arity: int) -> Iterator[tuple[Symbol, bool]]:
    """The atoms of a predicate after grounding, each with whether it is a fact. Raises ``RuntimeError``."""
    if _lib is None:
        yield from ((atom.symbol, atom.is_fact) for atom in control.symbolic_atoms.by_signature(name, arity))
        return
    rep = control.symbolic_atoms._rep
    signature, place = _ffi.new("clingo_signature_t*"), _ffi.new("clingo_symbolic_atom_iterator_t*")
    flag, found = _ffi.new("bool*"), _ffi.new("clingo_symbol_t*")
    valid, fact = _lib.clingo_symbolic_atoms_is_valid, _lib.clingo_symbolic_atoms_is_fact
    symbol, following = _lib.clingo_symbolic_atoms_symbol, _lib.clingo_symbolic_atoms_next
    good = _lib.clingo_signature_create(name.encode(), arity, True, signature)
    good = good and _lib.clingo_symbolic_atoms_begin(rep, signature, place)
    while good and valid(rep, place[0], flag) and flag[0]:
        good = fact(rep, place[0], flag) and symbol(rep, place[0], found)
        if good:
            yield _symbol(found[0]), bool(flag[0])
            good = following(rep, place[0], place)
    if not good:
        raise RuntimeError(f"clingo does not tell the atoms of {name}/{arity}")


def arguments(symbol: Symbol) -> list[int]:
    """The arguments of an atom, by clingo's own number for each term (``term``). Raises ``RuntimeError``."""
    if _lib is None:
        return [one._rep for one in symbol.arguments]
    terms, count = _ffi.new("clingo_symbol_t**"), _ffi.new("size_t*")
    if not _lib.clingo_symbol_arguments(symbol._rep, terms, count):
        raise RuntimeError(f"clingo does not tell the arguments of {symbol}")
    return list(_ffi.unpack(terms[0], count[0])) if count[0] else []


def term(number: int) -> Symbol:
    """The term of that number."""
    found: Symbol = _symbol(number)
    return found
