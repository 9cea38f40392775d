"""What is shipped: one version, complete lists of files, and a README that says what CI runs."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import optimal
from optimal.games.resources import data_file, tree_names

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


def test_no_joblib_is_asked_for_that_is_too_old() -> None:
    """What `optimal.workers` gives its processes to begin with is taken from 1.5 on."""
    [least] = [one.removeprefix("joblib>=") for one in PROJECT["project"]["dependencies"] if one.startswith("joblib")]
    assert tuple(map(int, least.split("."))) >= (1, 5)


def test_no_other_file_has_a_version() -> None:
    assert "version:" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8").replace("cff-version:", "")


def test_the_changelog_is_kept_in_its_form() -> None:
    """That of keepachangelog.com: what is not released, then versions, each with its date and these sections alone."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    dated = r"\[\d+\.\d+\.\d+\] - (?:\d{4}-\d\d-\d\d|unreleased)"
    assert [line for line in versions if re.fullmatch(dated, line) is None] == []
    released = [line for line in versions if not line.endswith("unreleased")]
    assert released[0].startswith(f"[{optimal.__version__}] ")
    for part in text.split("\n## ")[1:]:
        sections = re.findall(r"^### (.+)$", part, re.MULTILINE)
        known = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
        assert sections == [name for name in known if name in sections], part.splitlines()[0]


@pytest.mark.parametrize(("package", "folder"), [("optimal._data", "data"), ("optimal._trees", "trees")])
def test_package_data_holds_every_file(package: str, folder: str) -> None:
    settings = PROJECT["tool"]["setuptools"]
    assert settings["package-dir"][package] == folder
    patterns = settings["package-data"][package]
    files = [path.name for path in (ROOT / folder).iterdir() if path.is_file() and path.suffix != ".pyc"]
    assert files
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_package_data_holds_the_parts_of_the_pages() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["optimal.page"]
    folder = ROOT / "optimal" / "page"
    files = [path.relative_to(folder).as_posix() for path in (folder / "web").iterdir()]
    assert len(files) > 20
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_every_package_is_listed() -> None:
    settings = PROJECT["tool"]["setuptools"]
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "optimal").rglob("__init__.py")} | set(
        settings["package-dir"]
    )
    assert set(settings["packages"]) == found


def test_shipped_files_are_found() -> None:
    assert data_file("classic-answers.txt").is_file()
    assert "classic-normal.msgpack" in tree_names()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a git checkout")
def test_the_sdist_lists_every_kind_of_file() -> None:
    """Each tracked file is one that MANIFEST.in (or setuptools by itself) puts into the sdist."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    patterns = [
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "optimal/*.py",
        "optimal/py.typed",
        "optimal/*.pyi",
    ]
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

    assert [name for name in listed if not among(name, patterns) or among(name, excluded)] == []


def lines_in_ci(function: str) -> list[str]:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    found = re.search(rf"^{function}\(\) \{{\n((?: +.+\n)+)\}}$", ci, re.MULTILINE)
    assert found is not None
    return [line.strip() for line in found[1].splitlines()]


def test_ci_runs_the_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines_in_ci("test_command")[0] in readme


def test_ci_goes_the_road_of_players() -> None:
    """tools/fresh.sh finds the lines by the same mark, and runs the first of them too."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^<!-- run by tools/fresh\.sh.*-->\n```sh\n((?:.+\n)+?)```$", readme, re.MULTILINE)
    assert block is not None
    packages, *road = block[1].splitlines()
    assert packages.startswith("sudo apt-get install -y ")
    assert len(road) == 2
    assert road == lines_in_ci("players")
    assert "'/^<!-- run by tools\\/fresh.sh/,/^```$/p'" in (ROOT / "tools" / "fresh.sh").read_text(encoding="utf-8")
