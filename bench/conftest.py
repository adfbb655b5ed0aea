"""Benchmarks: `make bench`. A file is `bench_*.py`, a case takes the `benchmark` fixture of pytest-benchmark.

`@pytest.mark.budget(0.1)` makes a case fail when its median takes longer than that many seconds. Keep budgets loose:
they catch the answer that became ten times slower, not the busy machine.
"""

from pathlib import Path

import pytest


@pytest.fixture
def checkout() -> Path:
    """The folder that holds logic/, rules/, queries/ and riese_kb/."""
    return Path(__file__).resolve().parent.parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    result = yield
    budget = item.get_closest_marker("budget")
    benchmark = getattr(item, "funcargs", {}).get("benchmark")
    if budget and benchmark and benchmark.stats:
        median, allowed = benchmark.stats.stats.median, budget.args[0]
        assert median <= allowed, f"the median took {median:.4f} s, the budget is {allowed} s"
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write docs/benchmarks.md when everything was measured."""
    measured = getattr(session.config, "_benchmarksession", None)
    rows = [b for b in (measured.benchmarks if measured else []) if b.extra_info.get("kind") and b.stats.data]
    if len(rows) < 24:
        return
    from bench.table import write

    write(Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md", rows)
