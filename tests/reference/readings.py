"""The points that the book leaves open, each with its readings; the first one is the default."""

from __future__ import annotations

from collections.abc import Mapping

READINGS: dict[str, tuple[str, ...]] = {
    # movement of heroes
    "zoc": ("geometric", "solid", "barrier"),
    "zoc_turn": ("any", "toward", "exact", "free"),
    "zoc_between": ("flanks", "any", "two"),
    "zoc_again": ("stop", "new"),
    "flank": ("same", "split"),
    "hindering": ("stack", "crossing", "once"),
    "diagonal_edges": ("route", "ignore"),
    "flank_choice": ("mp", "wounds"),  # see NOTES.md: not said = the contract's two orders
    "death": ("ignored", "forbidden"),  # see NOTES.md: not said = sequences ignore it, reach forbids it
    "fire_twice": ("two", "one"),
    "sequence_end": ("final", "open"),
    # line of fire
    "vertex": ("ignore", "across", "any"),
    "hindering_edge": ("count", "beyond", "ignore", "touch"),
    "target_hindering": ("count", "ignore"),
    "figure_on_hindering": ("both", "one"),
    # attacks
    "arc": ("inclusive", "exclusive"),
    "adjacent": ("geometric", "solid", "barrier"),
    "stunned_forces_h2h": ("no", "yes"),
    "covering_declared": ("instead", "added"),
    "impossible": ("illegal", "legal"),  # not in the list of open points; the contract speaks of a reading here
    # throws and explosions
    "throw_natural_one": ("misses", "lands"),
    "deviation_dashed": ("lands", "again"),
    "deviation_line": ("lands", "again"),
    "deviation_off_map": ("again", "gone"),
    "aoe_modifiers": ("none", "standard"),
    "aoe_centre_human": ("wounded", "rolled"),
    "panzerfaust_arc": ("any", "thrown"),
    "panzerfaust_ready": ("yes", "no"),
    # NPCs
    "npc_closest": ("moves", "range"),
    "npc_diagonal": ("flank", "free"),
    "npc_fire": ("avoid", "enter"),
    "npc_cornered": ("hand", "normal"),
    "npc_retreat": ("target", "any"),
    "npc_rof": ("select", "printed"),
    "npc_h2h_idle": ("ranged", "stay"),
    "npc_objective": ("all", "alone"),
    "npc_farthest": ("nearest", "sum"),
    # zombies
    "z_adjacent": ("geometric", "solid", "open"),
    "z_diagonal": ("geometric", "step"),
    "z_any": ("any", "chosen"),
    "z_retarget": ("each", "fixed"),
    "z_heroes": ("block", "pass"),
    "z_flank": ("route", "square", "loose", "bare"),
    "z_metric": ("adjacent", "square"),
    "z_path": ("ignore", "avoid"),
    "z_no_path": ("stays", "list"),
}

Readings = Mapping[str, str]


def taken(readings: Readings | None, name: str) -> str:
    """The reading in force for this point."""
    value = (readings or {}).get(name, READINGS[name][0])
    if value not in READINGS[name]:
        raise ValueError(f"{name} has no reading {value!r}")
    return value


def said(readings: Readings | None, name: str) -> str | None:
    """The reading asked for, or None where nobody asked for one."""
    return taken(readings, name) if name in (readings or {}) else None
