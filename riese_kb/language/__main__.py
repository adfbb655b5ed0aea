"""Writes the parse tables anew; needed after a change of the grammar: ``python -m riese_kb.language``."""

from __future__ import annotations

from riese_kb.language import grammar, quick

for path, text in ((grammar.TABLE, grammar.table_text()), (quick.TABLE, grammar.steps_text())):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
