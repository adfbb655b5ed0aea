"""What records of plain data have in common beyond ``msgspec.Struct``."""

from __future__ import annotations

from msgspec import Struct


def alike(one: Struct, other: object, *but: str) -> bool:
    """Whether two records are of one type and say the same, whatever they say in the fields ``but``."""
    return type(one) is type(other) and all(
        getattr(one, field) == getattr(other, field) for field in one.__struct_fields__ if field not in but
    )
