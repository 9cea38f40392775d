"""The C headers on other compilers, C libraries and processors, as far as they are at hand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXT = ROOT / "ext"
KERNELS = ROOT / "tests" / "engine" / "kernels.c"
EDGES = ROOT / "tests" / "engine" / "edges.c"
FLAGS = f"-std=c11 -I{EXT} -Wall -Wextra -Werror -Wno-unused-function -Wno-missing-braces".split()
#: What they print, everywhere.
FOUND = "ff43f6002cc27f77"

#: Compilers with their options, and what runs the programs that they make.
COMPILERS: dict[str, tuple[list[str], list[str]]] = {
    "cc": (["cc"], []),
    "one build of each loop": (["cc", "-DOPTIMAL_NATIVE"], []),
    "no vectors": (["cc", "-DOPTIMAL_PLAIN"], []),
    "sanitized": (["cc", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"], []),
    "clang": (["clang"], []),
    "musl": (["musl-gcc", "-static"], []),
    "musl, linked at run time": (["musl-gcc"], []),
    "arm64": (["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64-static"]),
    "big end first": (["s390x-linux-gnu-gcc", "-static"], ["qemu-s390x-static"]),
    "Windows": (["x86_64-w64-mingw32-gcc"], ["wine"]),
}


def need(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program}")


@pytest.mark.parametrize("build", ["", "-DOPTIMAL_PLAIN -pedantic-errors", "-DOPTIMAL_SMALL"])
def test_headers_stand_alone(build: str) -> None:
    """And without vectors they are plain C: another compiler knows no more."""
    need("cc")
    headers = sorted(EXT.glob("*/*.h"))
    assert len(headers) > 25
    done = subprocess.run(
        ["cc", *FLAGS, "-fsyntax-only", *build.split(), "-x", "c", *map(str, headers)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def output_of(name: str, source: Path, program: Path) -> str:
    """What a program prints, built by this compiler."""
    compiler, runner = COMPILERS[name]
    need(compiler[0], *runner)
    built = subprocess.run(
        [*compiler, *FLAGS, "-O1", str(source), "-o", str(program), "-lm"], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    done = subprocess.run([*runner, str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_edges(tmp_path: Path) -> None:
    assert output_of("sanitized", EDGES, tmp_path / "edges") == "fine"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "musl" else pytest.mark.long) for name in COMPILERS]
)
def test_loops_find_the_same(tmp_path: Path, name: str) -> None:
    assert output_of(name, KERNELS, tmp_path / "kernels.exe") == FOUND
