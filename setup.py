"""The extension's build, nothing else; all metadata is in pyproject.toml.

OPTIMAL_NATIVE=1 compiles for this machine only. OPTIMAL_DEBUG=1 turns bounds checks, C assertions and the
address and undefined-behaviour sanitizers on.
"""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

debug = os.environ.get("OPTIMAL_DEBUG") == "1"
native = os.environ.get("OPTIMAL_NATIVE") == "1"
msvc = sys.platform == "win32"

compile_args = ["/O2"] if msvc else ["-O3", "-fno-math-errno", "-Wno-unused-function"]
link_args: list[str] = []
macros: list[tuple[str, str | None]] = []
if native:
    compile_args += ["-march=native"]
    macros += [("OPTIMAL_NATIVE", "1")]
if debug:
    compile_args = ["-O1", "-g", "-UNDEBUG", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    link_args = ["-fsanitize=address,undefined"]
    macros += [("OPTIMAL_NATIVE", "1")]  # one plain version of each loop: sanitizers and clones do not mix

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"optimal.{os.path.splitext(os.path.basename(source))[0]}",
                [source],
                include_dirs=["ext"],
                depends=glob("ext/*.h"),
                define_macros=macros,
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
            for source in sorted(glob("ext/optimal/*.pyx"))
        ],
        include_path=["ext"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": debug,
            "wraparound": False,
            "initializedcheck": debug,
            "cdivision": True,
            "freethreading_compatible": False,
        },
    )
)
