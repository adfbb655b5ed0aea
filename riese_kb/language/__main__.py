"""Writes the parse table anew; needed after a change of the grammar: ``python -m riese_kb.language``."""

from __future__ import annotations

from riese_kb.language.reader import TABLE, table_text

with open(TABLE, "w", encoding="utf-8") as file:
    file.write(table_text())
