"""How little `optimal play` loads, and how soon it is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from trees_util import word_tree

from optimal.trees.file import write_tree

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "numpy",
    "rich",
    "joblib",
    "asyncio",
    "multiprocessing",
    "concurrent",
    "importlib.metadata",
)


@pytest.mark.parametrize(
    "words",
    [
        ["play", "tree", "--answer", "crony"],
        ["verify", "tree"],
        ["export", "tree", "--to", "text"],
        ["games"],
        ["solve", "--help"],
    ],
    ids=" ".join,
)
def test_light_commands_load_nothing_heavy(tmp_path: Path, words: list[str]) -> None:
    write_tree(tmp_path / "tree", word_tree())
    script = f"""
import sys
from optimal.cli import main
status = main({words!r})
heavy = [
    name for name in sys.modules
    if name.split(".")[0] in {HEAVY!r} or name in {HEAVY!r}
    or name.startswith("optimal._") and name != "optimal._version"
]
assert not heavy, heavy
sys.exit(status)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr


def test_the_help_of_a_command_loads_no_command() -> None:
    script = """
import sys
from optimal.cli import main
main(["play", "--help"])
print(sorted(name for name in sys.modules if name.startswith("optimal.cli.")), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == str([f"optimal.cli.{name}" for name in ("commands", "console", "options", "parser")])


def test_an_interrupt_while_it_loads_leaves_no_traceback(tmp_path: Path) -> None:
    script = """
import runpy, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "optimal.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
runpy.run_module("optimal", run_name="__main__")
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


#: What may come of a KeyboardInterrupt while a module loads: C code that imports says ImportError in its place, and
#: what is called as memory is freed, such as the end of a module's lock, drops it.
INTERRUPTED = """
import signal, sys
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    {}
"""


def solving(folder: Path, script: list[str], on_ctrl_c: signal.Handlers) -> subprocess.CompletedProcess[str]:
    """A run with what stands in the folder in place of numpy."""
    return subprocess.run(
        [sys.executable, *script, "solve", "--openers", "salet"],
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, on_ctrl_c),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("becomes", ["raise ImportError('PyCapsule_Import could not import it')", "sys.exit()"])
@pytest.mark.parametrize("start", ["-m optimal", "console script"])
def test_an_interrupt_while_a_module_loads_is_not_lost(tmp_path: Path, becomes: str, start: str) -> None:
    (tmp_path / "numpy.py").write_text(INTERRUPTED.format(becomes))
    script = ["-m", "optimal"] if start == "-m optimal" else ["-c", "from optimal.__main__ import main; exit(main())"]
    done = solving(tmp_path, script, signal.SIG_DFL)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_at_the_end_leaves_no_traceback() -> None:
    script = "import atexit, signal; atexit.register(signal.raise_signal, signal.SIGINT)"
    script += "; from optimal.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "--version"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout[:8], done.stderr) == (130, "optimal ", "")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_that_is_ignored_stays_ignored_while_modules_load(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text(INTERRUPTED.format("raise") + "print('goes on')\nsys.exit()\n")
    done = solving(tmp_path, ["-m", "optimal"], signal.SIG_IGN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "goes on\n", "")


@pytest.mark.parametrize(
    "script", ["from optimal import solve", "from optimal import Game; Game.from_words(['as', 'is'])"]
)
def test_the_source_without_its_engine_says_so(tmp_path: Path, script: str) -> None:
    # Who follows the README stands in the clone, where the package's source hides the installed one.
    finder = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "optimal._engine":
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Finder())
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", finder + script], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {ROOT / 'optimal'} is the source, and its engine is not built there: ")
    assert "start Python in another folder" in last
