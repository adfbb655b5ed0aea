"""Deciding switches and readings in a program's text, once, for all worlds that agree on them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from riese_kb.pruning import literals, split_body, statements

_SWITCH = re.compile(r"in_force\(\w+,[^()]*\)")
_NO_SWITCH = re.compile(r"\bnot\s+in_force\((\w+,[^()]*)\)")
_SWITCH_WITH = re.compile(r"\bin_force\((\w+,[^()]*)\)")
_READING = re.compile(r"reading\(\w+,([a-z_0-9]+),(\(?)([a-z_0-9;]+)\)?\)")


def settle_text(text: str, values: Mapping[str, str]) -> str:
    """The program for worlds that all have every rule in force and the same readings.

    Switches and constant readings are decided here once, instead of in every instance of every rule; what mentions a
    reading with a variable stays as it is.
    """
    settled = (_settled(statement, values) for statement in statements(text))
    return "\n".join(s + "." for s in settled if s is not None)


def asks_reading(statement: str) -> bool:
    """Whether a statement mentions a reading."""
    return "reading(" in statement


def open_text(text: str) -> str:
    """The program for worlds that differ in switches or readings: a rule asks whether it is switched off.

    So nothing need be derived about all the rules that are not.
    """
    return "\n".join(_opened(statement) + "." for statement in statements(text))


def _opened(text: str) -> str:
    head, arrow, body = text.partition(":-")
    if not arrow or "in_force(" not in body or head.startswith("#"):
        return text
    body = _SWITCH_WITH.sub(r"not off(\1)", _NO_SWITCH.sub(r"off(\1)", body)).strip()
    return f"{head.strip()} :- {_bound(head, body)}"


def _bound(head: str, body: str) -> str:
    """The body, with its world named where nothing else binds it any more."""
    if re.search(r"\bW\b", " ".join(literals(body))) or not re.search(r"\bW\b", head + body):
        return body
    return f"world(W), {body}" if body else "world(W)"


def _settled(text: str, values: Mapping[str, str]) -> str | None:
    head, arrow, body = text.partition(":-")
    if not arrow or ("in_force(" not in body and "reading(" not in body) or head.startswith("#"):
        return text
    if head.strip().startswith(("in_force(", "reading(")):
        return text
    kept = ""
    for literal, separator in split_body(body):
        holds = _decided(literal, values)
        if holds is False:
            return None
        if holds is None:
            kept += literal + separator + " "
    kept = kept.strip().rstrip(",;").strip()
    kept = _bound(head, kept)
    return f"{head.strip()} :- {kept}" if kept else head.strip()


def _decided(literal: str, values: Mapping[str, str]) -> bool | None:
    if _SWITCH.fullmatch(literal):
        return True
    if literal.startswith("not ") and _SWITCH.fullmatch(literal[4:].strip()):
        return False
    found = _READING.fullmatch(literal)
    if found is not None and found.group(1) in values and (found.group(2) or ";" not in found.group(3)):
        return values[found.group(1)] in found.group(3).split(";")
    return None
