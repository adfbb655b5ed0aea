"""The table of docs/benchmarks.md."""

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

TARGETS = {
    "legality": 6,
    "line of fire": 5,
    "reach running": 25,
    "attack": 10,
    "one zombie": 40,
    "zombie turn, 11 zombies": 500,
    "grounding, legality": 10,
    "grounding, line of fire": 10,
    "grounding, attack": 10,
}


def write(path: Path, rows: list[Any]) -> None:
    """Median and 95th percentile of each case, in ms, and how the two sizes of board compare."""
    small, large = "24×34", "60×60"
    by = {(row.extra_info["kind"], row.extra_info["size"]): row for row in rows}
    lines = [
        "# Benchmarks",
        "",
        f"Measured by `make bench` with Python {platform.python_version()}, clingo {version('clingo')}, on {_machine()}.",
        f"The load was {os.getloadavg()[0]:.1f} in the last minute; this run alone makes 1.0, above that the times are too long.",
        "Milliseconds, warm process, one question at a time; p95 is the 95th percentile over generated questions. What an",
        "answer holds without further questions is timed; suggestions and readings are looked for when they are looked at.",
        "",
        f"| question | {small} median | {small} p95 | {large} median | {large} p95 | ratio of medians | target p95 |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(kind for kind, size in by if size == large):
        a, b = sorted(by[kind, small].stats.data), sorted(by[kind, large].stats.data)
        cells = [_ms(_at(a, 0.5)), _ms(_at(a, 0.95)), _ms(_at(b, 0.5)), _ms(_at(b, 0.95)), f"{_at(b, 0.5) / _at(a, 0.5):.1f}"]
        lines.append(f"| {kind} | {' | '.join(cells)} | {TARGETS.get(kind, '')} |")
    lines += ["", f"| the same as Stalingrad Z, {small} | median, ms | ratio to Riese (at most 1.2) |", "|---|---|---|"]
    for (kind, _), row in by.items():
        if kind.startswith("predecessor"):
            plain = kind.removeprefix("predecessor: ")
            median = _at(sorted(row.stats.data), 0.5)
            lines.append(f"| {plain} | {_ms(median)} | {median / _at(sorted(by[plain, small].stats.data), 0.5):.2f} |")
    lines += [
        "",
        "| questions a second in a batch | in one process | the command, a process a core | target |",
        "|---|---|---|---|",
    ]
    for kind, target in (("batch, legality", 2000), ("batch, mixed", 300)):
        rates = (by[kind, where] for where in ("in one process", "the command"))
        cells = [f"{row.extra_info['questions'] / min(row.stats.data):.0f}" for row in rates]
        lines.append(f"| {kind.removeprefix('batch, ')} | {' | '.join(cells)} | {target} |")
    lines += ["", "| odds of a whole attack | median, ms |", "|---|---|"]
    for (kind, _), row in by.items():
        if kind.startswith("odds"):
            lines.append(f"| {kind.removeprefix('odds: ')} | {_ms(_at(sorted(row.stats.data), 0.5))} |")
    examples = sorted(by["worked examples", ""].stats.data)
    said = f"median {_ms(_at(examples, 0.5))} ms (target 5000), worst {_ms(examples[-1])} ms (target 30000)"
    lines += ["", f"A worked example, {len(examples)} seeds and topics: {said}."]
    found = {kind: row for (kind, _), row in by.items() if kind.startswith("witness ")}
    lines += ["", "| a witness | found after, s (target 20) | proved smallest after, s (target 120) |", "|---|---|---|"]
    lines += [
        f"| `{kind.removeprefix('witness ')}` | {row.extra_info['found']:.1f} | {row.stats.data[0]:.1f} |"
        for kind, row in found.items()
    ]
    equal = by["equal rules", ""].stats.data[0]
    lines += ["", f"Rules renamed and in another order are found equal up to 6x6 with 4 figures in {equal:.0f} s (target 60)."]
    slowest, total = by["proofs: the slowest claim", ""].stats.data, by["proofs: all claims", ""].stats.data
    lines += ["", f"All proofs together {_ms(min(total))} ms (target 5000), the slowest {_ms(min(slowest))} ms (target 500)."]
    start = min(by["process: import clingo", ""].stats.data)
    whole = min(by["process: riese-kb ask", ""].stats.data)
    lines += [
        "",
        f"A whole process: `python -c 'import clingo'` {_ms(start)} ms, `riese-kb ask` {_ms(whole)} ms, "
        f"ratio {whole / start:.1f}.",
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")


def _at(data: list[float], share: float) -> float:
    return data[min(len(data) - 1, int(len(data) * share))]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


def _machine() -> str:
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        name = models[0] if models else name
    return f"{os.cpu_count()} cores ({name})"
