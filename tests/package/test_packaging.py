"""What is shipped: one version, complete lists of files, and a README that says what CI runs."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import optimal

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "optimal._version.__version__"}
    version = re.escape(optimal.__version__)
    places = [
        path.relative_to(ROOT).as_posix()
        for folder in ("optimal", "ext")
        for path in (ROOT / folder).rglob("*.py*")
        if path.suffix in (".py", ".pyx", ".pxd") and re.search(rf"['\"]{version}['\"]", path.read_text("utf-8"))
    ]
    assert places == ["optimal/_version.py"]


@pytest.mark.parametrize(("package", "folder"), [("optimal._data", "data"), ("optimal._trees", "trees")])
def test_package_data_holds_every_file(package: str, folder: str) -> None:
    settings = PROJECT["tool"]["setuptools"]
    assert settings["package-dir"][package] == folder
    patterns = settings["package-data"][package]
    files = [path.name for path in (ROOT / folder).iterdir() if path.is_file() and path.suffix != ".pyc"]
    assert files
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_every_package_is_listed() -> None:
    settings = PROJECT["tool"]["setuptools"]
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "optimal").rglob("__init__.py")} | set(
        settings["package-dir"]
    )
    assert set(settings["packages"]) == found


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a git checkout")
def test_the_sdist_lists_every_kind_of_file() -> None:
    """Each tracked file is one that MANIFEST.in (or setuptools by itself) puts into the sdist."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    patterns = ["pyproject.toml", "setup.py", "MANIFEST.in", "optimal/*.py", "optimal/py.typed", "optimal/*.pyi"]
    excluded: list[str] = []  # these lines come last
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        command, *words = line.split()
        if command == "include":
            patterns += words
        elif command == "recursive-include":
            patterns += [f"{words[0]}/{pattern}" for pattern in words[1:]]
        elif command == "recursive-exclude":
            excluded += [f"{words[0]}/{pattern}" for pattern in words[1:]]
        elif command == "global-exclude":
            excluded += [f"*{pattern}" for pattern in words]

    def among(name: str, patterns: list[str]) -> bool:
        return any(fnmatch(name, pattern) for pattern in patterns)

    assert [name for name in listed.split("\n")[:-1] if not among(name, patterns) or among(name, excluded)] == []


def test_ci_runs_the_command_of_the_readme() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    found = re.search(r"^test_command\(\) \{\n +(.+)$", ci, re.MULTILINE)
    assert found is not None
    assert found[1] in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
