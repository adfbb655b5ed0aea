"""What records of plain data have in common beyond ``msgspec.Struct``."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class Record(Struct, frozen=True, eq=False):
    """A record that is equal to another one of its type which says the same, whatever both say in the fields ``apart``."""

    apart: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, field) == getattr(other, field) for field in self.__struct_fields__ if field not in self.apart
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = object.__hash__
