"""What all tests share: the checkout, the books where they are to be had, and how hard hypothesis looks."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CHECKOUT = Path(__file__).resolve().parent.parent

# Time limits on single examples only measure how busy the machine is. CI draws the same examples every time, so that a
# red run means a change; `HYPOTHESIS_PROFILE=thorough make test` looks further.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


# A worker holds programs, boards and answers by the million, and next to nothing of it is garbage in a circle.
gc.set_threshold(100_000, 50, 50)


@pytest.fixture
def checkout() -> Path:
    """The folder that holds logic/, rules/, queries/ and riese_kb/."""
    return CHECKOUT


def rulebooks_folder() -> Path | None:
    """The folder of the printed books; None where they are not to be had."""
    folder = Path(os.environ.get("RIESE_KB_RULEBOOKS") or CHECKOUT.parent / "shared" / "rulebooks")
    return folder if folder.is_dir() else None


@pytest.fixture
def rulebooks() -> Path:
    """The folder of the printed books, which are not ours to ship; a test that needs one is skipped without it."""
    folder = rulebooks_folder()
    if folder is None:
        pytest.skip("the printed rulebooks are not here (RIESE_KB_RULEBOOKS=FOLDER names them)")
    return folder


@pytest.fixture
def manual(rulebooks: Path) -> list[str]:
    """The rows of the Riese field manual."""
    return (rulebooks / "riese_field_manual.txt").read_text(encoding="utf-8").split("\n")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in the checkout, 100 columns wide, with nothing set that changes what is printed."""
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR", "RIESE_KB_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]):
    """Run a command in this process: ``run("ask", …)`` gives its status, ``out`` and ``err``."""
    from .command_line import Run

    return lambda *words: Run(capsysbinary, *words)
