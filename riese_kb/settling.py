"""Deciding switches and readings in a program's text, once, for all worlds that agree on them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from riese_kb.pruning import literals, split_body, statements

_SWITCH = re.compile(r"in_force\(\w+,[^()]*\)")
_READING = re.compile(r"reading\(\w+,([a-z_0-9]+),(\(?)([a-z_0-9;]+)\)?\)")


def settle_text(text: str, values: Mapping[str, str]) -> str:
    """The program for worlds that all have every rule in force and the same readings.

    Switches and constant readings are decided here once, instead of in every instance of every rule; what mentions a
    reading with a variable stays as it is.
    """
    settled = (_settled(statement, values) for statement in statements(text))
    return "\n".join(s + "." for s in settled if s is not None)


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
    if not re.search(r"\bW\b", " ".join(literals(kept))) and re.search(r"\bW\b", head + kept):
        kept = f"world(W), {kept}" if kept else "world(W)"
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
