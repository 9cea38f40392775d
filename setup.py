"""The extension's build, and an sdist that can be made again; all metadata is in pyproject.toml.

OPTIMAL_NATIVE=1 compiles for this machine only. The others are for tests. OPTIMAL_PLAIN=1: loops without vectors, as
compilers get them that have none. OPTIMAL_SMALL=1: C assertions, and thresholds so small that small games go through
every shortcut (ext/base/testing.h). OPTIMAL_DEBUG=1 is that with bounds checks and the address and undefined-behaviour
sanitizers.

With SOURCE_DATE_EPOCH, seconds since 1970, the same files make the same sdist, byte by byte; wheels keep to it already.
"""

import gzip
import os
import sys
import tarfile
from glob import glob
from hashlib import sha256

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

debug = os.environ.get("OPTIMAL_DEBUG") == "1"
small = debug or os.environ.get("OPTIMAL_SMALL") == "1"
native = os.environ.get("OPTIMAL_NATIVE") == "1"
plain = os.environ.get("OPTIMAL_PLAIN") == "1"
msvc = sys.platform == "win32"

compile_args = ["/O2"] if msvc else ["-O2", "-g0", "-fno-math-errno", "-Wno-unused-function"]
link_args: list[str] = []
macros: list[tuple[str, str | None]] = [("OPTIMAL_SMALL", "1") if small else ("NDEBUG", "1")]
if native:
    compile_args += ["-march=native"]
    macros += [("OPTIMAL_NATIVE", "1")]
if plain:
    macros += [("OPTIMAL_PLAIN", "1")]
if small:
    compile_args += [] if msvc else ["-UNDEBUG"]
if debug:
    # Python's own flags have -fwrapv, by which signed overflow would be defined, and not be seen.
    compile_args = ["-O1", "-g", "-UNDEBUG", "-fno-wrapv", "-fsanitize=address,undefined"]
    compile_args += ["-fno-sanitize-recover=undefined"]
    link_args = ["-fsanitize=address,undefined"]
    macros += [("OPTIMAL_NATIVE", "1")]  # one plain version of each loop: sanitizers and clones do not mix


def sources() -> list[str]:
    """The C and Cython that the module is built from."""
    return sorted(glob("ext/*/*.h") + glob("ext/optimal/*.p[xy]*"))


class Build(build_ext):
    """Write a hash of the sources beside the module, by which the workers of a cluster are told apart."""

    def run(self) -> None:
        super().run()
        digest = sha256()
        for source in sources():
            with open(source, "rb") as file:
                digest.update(file.read())
        folder = os.path.dirname(self.get_ext_fullpath("optimal._engine"))
        with open(os.path.join(folder, "_sources.sha256"), "w", encoding="ascii") as file:
            file.write(f"{digest.hexdigest()}\n")


class Archive(sdist):
    """Files in one order, of nobody and of one time, where that is told."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        told = os.environ.get("SOURCE_DATE_EPOCH")
        if told is None or format != "gztar":
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime, member.mode = int(told), 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            return member

        name = f"{base_name}.tar.gz"
        with (
            open(name, "wb") as file,
            gzip.GzipFile("", "wb", 9, file, int(told)) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=plain)  # folders in the order of their names
        return name


setup(
    cmdclass={"build_ext": Build, "sdist": Archive},
    ext_modules=cythonize(
        [
            Extension(
                "optimal._engine",
                ["ext/optimal/_engine.pyx"],
                include_dirs=["ext"],
                depends=sources(),
                define_macros=macros,
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
        ],
        compiler_directives={
            "language_level": 3,
            "boundscheck": debug,
            "wraparound": False,
            "initializedcheck": debug,
            "cdivision": True,
            "freethreading_compatible": False,
        },
    ),
)
