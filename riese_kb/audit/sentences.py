"""A passage's sentences: not every full stop ends one."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?;:])\s+")
_SHORT = re.compile(
    r"(?:^|[\s(„“\"])(?:[A-Za-zÄÖÜ]|z\. ?B|d\. ?h|u\. ?a|bzw|usw|evtl|ggf|ca|vgl|Nr|Abs|Kap|Abb|Bd|"
    r"e\.g|i\.e|etc|vs|cf|approx|No|Nos|Appx|Fig|pp|Dr|Mr|Mrs|Prof|St|Sgt|Lt|Cpl|Col|Maj|Capt|Gen|Pvt|Hptm|Uffz)\.$"
)
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_GOES_ON = re.compile(
    r"[a-zäöü]|(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-zä]*\b|(?:Phase|Runde|Schritt|Spielzug|Level|Stufe|Ring|Mal)\b"
)


def sentences(text: str) -> list[str]:
    """The sentences, parted at full stops, colons and semicolons; ``z. B.``, ``Sgt.`` and ``3. Mai`` end none."""
    found: list[str] = []
    for part in _END.split(text):
        before = found[-1] if found else ""
        if before and (_SHORT.search(before) or (_ORDINAL.search(before) and _GOES_ON.match(part))):
            found[-1] = f"{before} {part}"
        else:
            found.append(part)
    return found
