"""How little `optimal play` loads, and how soon it is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_util import ROOT, environment
from patience import PATIENCE
from trees_util import word_tree

HEAVY = ("numpy", "rich", "joblib", "asyncio", "multiprocessing", "concurrent", "importlib.metadata")
#: What each script begins with where a module can't be loaded, or Ctrl-C comes meanwhile.
FINDER = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {!r}:
            raise {}
sys.meta_path.insert(0, Finder())
"""
needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def python(
    folder: Path, *words: str, before: Path | None = None, on_ctrl_c: signal.Handlers = signal.SIG_DFL
) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder, with what stands in `before` in place of other modules."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment({"PYTHONPATH": f"{before}{os.pathsep}{ROOT}" if before else str(ROOT)}),
        preexec_fn=lambda: signal.signal(signal.SIGINT, on_ctrl_c),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["play", "tree", "--answer", "crony"],
        ["verify", "tree"],
        *(["export", "tree", "--to", form] for form in ("text", "html")),
        ["games"],
        ["solve", "--help"],
    ],
    ids=" ".join,
)
def test_light_commands_load_nothing_heavy(tmp_path: Path, words: list[str]) -> None:
    word_tree().save(tmp_path / "tree")
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
    done = python(tmp_path, "-c", script)
    assert done.returncode == 0, done.stderr


def test_the_help_of_a_command_loads_no_command(tmp_path: Path) -> None:
    script = """
import sys
from optimal.cli import main
main(["play", "--help"])
print(sorted(name for name in sys.modules if name.startswith("optimal.cli.")), file=sys.stderr)
"""
    loaded = [f"optimal.cli.{name}" for name in ("commands", "console", "options", "parser")]
    assert python(tmp_path, "-c", script).stderr.strip() == str(loaded)


def test_an_interrupt_while_it_loads_leaves_no_traceback(tmp_path: Path) -> None:
    script = FINDER.format("optimal.cli", "KeyboardInterrupt") + "import runpy; "
    done = python(tmp_path, "-c", script + "runpy.run_module('optimal', run_name='__main__')")
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
MODULE = ["-m", "optimal"]
SCRIPT = ["-c", "from optimal.__main__ import main; exit(main())"]
SOLVE = ("solve", "--openers", "salet")


@needs_signals
@pytest.mark.parametrize("becomes", ["raise ImportError('PyCapsule_Import could not import it')", "sys.exit()"])
@pytest.mark.parametrize("start", [MODULE, SCRIPT], ids=["-m optimal", "console script"])
def test_an_interrupt_while_a_module_loads_is_not_lost(tmp_path: Path, becomes: str, start: list[str]) -> None:
    (tmp_path / "numpy.py").write_text(INTERRUPTED.format(becomes))
    done = python(tmp_path, *start, *SOLVE, before=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "script", ["from optimal import solve", "from optimal import Game; Game.from_words(['as', 'is'])"]
)
def test_the_source_without_its_engine_says_so(tmp_path: Path, script: str) -> None:
    # Who follows the README stands in the clone, where the package's source hides the installed one.
    finder = FINDER.format("optimal._engine", "ModuleNotFoundError(name, name=name)")
    last = python(tmp_path, "-c", finder + script).stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {ROOT / 'optimal'} is the source, and its engine is not built there: ")
    assert "start Python in another folder" in last
