"""The C headers on other compilers, C libraries and processors, as far as they are at hand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXT = ROOT / "ext"
KERNELS = ROOT / "tests" / "kernels.c"
#: What they print, everywhere.
FOUND = "39eeb41c1cb1aa1d"

#: Compilers with their options, and what runs the programs that they make.
COMPILERS: dict[str, tuple[list[str], list[str]]] = {
    "cc": (["cc"], []),
    "one build of each loop": (["cc", "-DOPTIMAL_NATIVE"], []),
    "no vectors": (["cc", "-DOPTIMAL_PLAIN"], []),
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


@pytest.mark.parametrize("build", ["", "-DOPTIMAL_PLAIN", "-DOPTIMAL_SMALL"])
def test_headers_stand_alone(build: str) -> None:
    need("cc")
    headers = sorted(EXT.glob("*.h"))
    assert len(headers) > 25
    flags = [
        "-std=c11",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
        "-Wno-missing-braces",
        *build.split(),
    ]
    done = subprocess.run(["cc", *flags, "-x", "c", *map(str, headers)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILERS)
def test_loops_find_the_same(tmp_path: Path, name: str) -> None:
    compiler, runner = COMPILERS[name]
    need(compiler[0], *runner)
    program = tmp_path / "kernels.exe"
    warnings = ["-Wall", "-Werror", "-Wno-unused-function", "-Wno-missing-braces"]
    built = subprocess.run(
        [*compiler, "-std=c11", "-O1", *warnings, f"-I{EXT}", str(KERNELS), "-o", str(program)],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    done = subprocess.run([*runner, str(program)], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, FOUND), done.stderr
