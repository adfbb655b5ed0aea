"""What a user installs answers what the checkout answers: logic, rules and queries must travel in the wheel."""

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
DATA = ("logic", "rules", "queries")
BOARDS = sorted(CHECKOUT.glob("queries/riese/*.board.toml"))[:3]

# One worker builds and installs for all of them.
pytestmark = pytest.mark.xdist_group("packaging")


@dataclass(frozen=True)
class Built:
    """Both things a release uploads; the wheel is built from the sdist, as an installer would."""

    wheel: Path
    sdist: Path


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command without anything of ours in its environment; a failure shows what it printed."""
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONHOME"}}
    environment |= {"PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh environment that holds the wheel.

    The libraries are borrowed, without network, from the environment that runs the tests: all but what is ours there,
    so that nothing found can be the checkout's.
    """
    home = tmp_path_factory.mktemp("fresh environment")
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", built.wheel, cwd=home)
    (packages,) = home.glob("lib/python*/site-packages")
    for folder in (Path(path) for path in sys.path if Path(path).name in {"site-packages", "dist-packages"}):
        for entry in folder.iterdir():
            ours = "riese_kb" in entry.name or entry.suffix == ".pth"
            if not ours and not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
    return python.parent


def data_of_checkout() -> set[str]:
    files = (file for folder in DATA for file in (CHECKOUT / folder).rglob("*") if file.is_file())
    return {file.relative_to(CHECKOUT).as_posix() for file in files if "__pycache__" not in file.parts}


def test_the_wheel_holds_all_logic_rules_and_queries(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name.removeprefix("riese_kb_data/") for name in wheel.namelist() if name.startswith("riese_kb_data/")}
    assert names == data_of_checkout()
    assert {name.split("/")[0] for name in names} == set(DATA)


def test_the_wheel_holds_nothing_else(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = [PurePosixPath(name) for name in wheel.namelist()]
    top = {name.parts[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"riese_kb", "riese_kb_data"}
    assert not [name for name in names if "tests" in name.parts or name.name.startswith(".") or name.name.endswith("~")]
    code = {name.suffix for name in names if name.parts[0] == "riese_kb"}
    assert code <= {".py", ".typed", ".lark", ".json", ".css", ".js", ".html", ".svg"}


def test_the_sdist_carries_no_environment_and_no_cache(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        parts = {part for name in sdist.getnames() for part in PurePosixPath(name).parts}
    assert not parts & {".venv", "__pycache__", ".git", ".hypothesis", ".mypy_cache", ".ruff_cache", "dist"}
    assert {"riese_kb", "tests", "LICENSE", *DATA} <= parts


def test_code_and_data_come_from_the_installed_wheel(installed: Path, tmp_path: Path) -> None:
    script = "import importlib.util as u; [print(list(u.find_spec(n).submodule_search_locations)[0]) for n in %r]"
    done = run(installed / "python", "-c", script % (["riese_kb", "riese_kb_data"],), cwd=tmp_path)
    for line in done.stdout.splitlines():
        assert Path(line).is_relative_to(installed.parent), line


def test_the_installed_command_says_what_it_can_do(installed: Path, tmp_path: Path) -> None:
    assert "ask" in run(installed / "riese-kb", "--help", cwd=tmp_path).stdout


def test_there_are_boards_to_ask_about() -> None:
    assert BOARDS, "queries/riese/ holds no example board"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_installed_command_answers_as_the_checkout_does(board: Path, installed: Path, tmp_path: Path) -> None:
    figures = tomllib.loads(board.read_text(encoding="utf-8"))["figure"]
    hero = next(figure["id"] for figure in figures if figure["kind"] == "hero")
    # A copy beside the user's own files: nothing may lead back to the checkout.
    own = tmp_path / board.name
    own.write_bytes(board.read_bytes())
    question = f"can {hero} walk forward"
    user = run(installed / "riese-kb", "ask", own, question, "--json", cwd=tmp_path)
    start = "from riese_kb.cli import main; main()"
    developer = run(sys.executable, "-c", start, "ask", own, question, "--json", cwd=CHECKOUT)
    answer = json.loads(user.stdout)
    assert answer == json.loads(developer.stdout)
    assert answer["verdict"] in {"legal", "illegal"}
