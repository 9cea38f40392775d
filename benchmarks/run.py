"""Measures whole `optimal` commands, from the start of the process to its end, and checks what they find.

    python benchmarks/run.py [NAME ...] [--runs N] [--write] [--list]

Prints a Markdown table: the medians of wall time, CPU time and nodes, and the greatest peak of memory over all
processes of a command. `--write` puts that of all rows into README.md. Exit status 1 if a result is not the known one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from optimal import InputError, __version__

#: Seconds between two looks at the memory of a command's processes.
SAMPLE_EVERY = 0.05

README = Path(__file__).with_name("README.md")
#: What stands before and after the table in README.md.
MARKS = "<!-- results -->\n", "<!-- /results -->\n"


@dataclass(frozen=True)
class Row:
    """A command to measure. `value` is the known result in the objective's order, None where no tree exists; of a
    ranking the total of the last opener, of a debrief the guesses made.

    `wanted` is the wall time it should take on a 2-core server, `prototype` what an early prototype of the engine took
    on one core of such a machine.
    """

    name: str
    command: str
    value: tuple[int, ...] | None
    wanted: str = ""
    prototype: str = ""


ROWS = (
    Row("classic", "solve classic --jobs 2", (7920,), "30 s, better 10 s; 1.5 GB", "16 s"),
    Row("classic-1-job", "solve classic --jobs 1", (7920,), "", "16 s"),
    Row("salet", "solve classic --openers salet", (7920,), "1 s, better 0.4 s", "0.1 s and set-up"),
    Row("classic-worst", "solve classic --objective worst --jobs 2", (5, 7920)),
    Row("nyt2023", "solve nyt2023 --jobs 2", (11219,), "300 s, better 90 s", "150 s"),
    Row("hard", "solve classic --rules hard --jobs 2", (8122,), "60 s, better 20 s", "39 s"),
    Row("hard-within-5", "solve classic --rules hard --max-guesses 5 --jobs 2", (8206,), "80 s", "52 s"),
    Row("hard-within-4", "solve classic --rules hard --max-guesses 4 --jobs 2", None, "40 s", "25 s"),
    Row("ultra-hard", "solve classic --rules ultra-hard --jobs 2", (8125,), "60 s", "46 s"),
    Row("nyt2023-hard", "solve nyt2023 --rules hard --jobs 2", (11627,), "480 s, better 240 s", "480 s"),
    Row("mastermind", "solve mastermind --jobs 2", (5625,), "20 s"),
    Row("mastermind-4x8", "solve mastermind:4x8 --jobs 2", (20471,)),
    Row("mastermind-4x9", "solve mastermind:4x9 --jobs 2", (34666,), "60 s"),
    Row("mastermind-5x6", "solve mastermind:5x6 --jobs 2", (36721,), "600 s"),
    Row("bulls-and-cows", "solve bulls-and-cows --jobs 2", (26274,), "600 s"),
    Row("nyt2022", "solve nyt2022 --jobs 2", (7883,)),
    Row("nyt2022-hard", "solve nyt2022 --rules hard --jobs 2", (8097,)),
    Row("within-3", "solve classic --objective within:3 --jobs 2", (927, 7968)),
    Row("within-4", "solve classic --objective within:4 --max-guesses none --jobs 2", (17, 8101)),
    Row("frequency", "solve classic --weights frequency --jobs 2", (4011679862,)),
    Row("nyt2023-hard-within-5", "solve nyt2023 --rules hard --max-guesses 5 --jobs 2", None),
    Row("suggest", "suggest --game classic salet=bbbbb --jobs 2", (609,), "3 s, better 1 s"),
    Row("suggest-second", "suggest --game classic salet=bybbb crony=byybb --jobs 2", (7,), "0.7 s"),
    Row("suggest-bad", "suggest --game classic audio=ybbbb --jobs 2", (1307,), "15 s"),
    Row("debrief", "debrief --game classic round salet crony bound round --jobs 2", (4,), "5 s"),
    Row("rank-100", "rank classic --top 100 --jobs 2", (8014,), "60 s"),
    Row("rank-nyt2023", "rank nyt2023 --top 10 --jobs 2", (11275,), "300 s"),
    Row("compare", "compare --jobs 2", (7920,), "180 s"),
)


@dataclass(frozen=True)
class Run:
    """What one run of a command took, and the JSON that it printed."""

    wall: float
    cpu: float
    peak: int  # bytes
    found: dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to run (default: all)")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="runs of each (default: 1)")
    parser.add_argument("--write", action="store_true", help="put the table of all rows into README.md")
    parser.add_argument("--list", action="store_true", help="show the rows and run nothing")
    arguments = parser.parse_args()
    if arguments.list:
        _show_rows()
        return 0
    if arguments.runs < 1:
        parser.error(f"--runs must be 1 or more, not {arguments.runs}")
    if arguments.write and arguments.names:
        parser.error("--write takes all rows")
    rows = chosen(parser, arguments.names, ROWS)
    table = [
        f"{conditions(arguments.runs)}\n",
        "| row | command | result | wall s | CPU s | peak MB | nodes | wanted | prototype, one core |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    print(*table, sep="\n", flush=True)
    right = True
    for row in rows:
        runs = list(_runs(row, arguments.runs))
        right = all(_is_right(row, run) for run in runs) and right
        table.append(_line(row, runs))
        print(table[-1], flush=True)
    if arguments.write:
        README.write_text(with_table(README.read_text(encoding="utf-8"), table), encoding="utf-8")
    if not right:
        print("a result is not the known one", file=sys.stderr)
    return 0 if right else 1


class Named(Protocol):
    """A row of some benchmark."""

    @property
    def name(self) -> str: ...


Some = TypeVar("Some", bound=Named)


def chosen(parser: argparse.ArgumentParser, names: Sequence[str], rows: Sequence[Some]) -> list[Some]:
    """The rows that are named, or all."""
    unknown = sorted(set(names) - {row.name for row in rows})
    if unknown:
        parser.error(f"no row {unknown[0]!r}; see --list")
    return [row for row in rows if not names or row.name in names]


def with_table(text: str, table: Sequence[str], marks: tuple[str, str] = MARKS) -> str:
    """A text, such as that of README.md, with these lines between its marks. InputError where it has none."""
    before, start, rest = text.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not (start and end):
        raise InputError(f"there is no {marks[0].strip()} and {marks[1].strip()} to write between")
    return "".join([before, start, *(f"{line}\n" for line in table), end, after])


def _show_rows() -> None:
    width = max(len(row.name) for row in ROWS)
    for row in ROWS:
        print(f"{row.name:{width}}  {_result(row.value):12}  optimal {row.command}")


def _runs(row: Row, number: int) -> Iterator[Run]:
    for i in range(number):
        print(f"{row.name}: run {i + 1} of {number}", file=sys.stderr, flush=True)
        yield measure(row.command.split())


def measure(words: Sequence[str]) -> Run:
    """Run `optimal WORDS --json` to its end. RuntimeError if it prints no result."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile(dir=folder) as errors:
        started = time.perf_counter()
        # From an empty folder, so that `-m` finds the installed package and nothing beside it.
        process = subprocess.Popen(
            [sys.executable, "-m", "optimal", *words, "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=errors
        )
        assert process.stdout is not None
        memory = _Memory(process.pid)
        try:
            with process.stdout as stdout:
                text = stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            process.kill()
            raise
        finally:
            wall = time.perf_counter() - started
            memory.stop()
        try:
            found = json.loads(text)
        except ValueError:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            raise RuntimeError(f"optimal {' '.join(words)}: exit status {process.returncode}: {said}") from None
    # A process alone is measured exactly by the kernel, several together by looking at them now and then.
    alone = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(wall, used.ru_utime + used.ru_stime, max(alone, memory.peak), found)


class _Memory:
    """The greatest sum of resident memory of a process and its descendants, as far as /proc tells. Pages that
    processes share count once for each."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        if Path("/proc/self/statm").exists():
            self._thread.start()

    def stop(self) -> None:
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._done.wait(SAMPLE_EVERY):
            self.peak = max(self.peak, page * sum(map(_pages, _family(self._pid))))


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for parent in found:  # grows while it is walked
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it has ended
    return found


def _pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def _is_right(row: Row, run: Run) -> bool:
    value = _value(run.found)
    proven = run.found.get("status", "OPTIMAL") == ("INFEASIBLE" if row.value is None else "OPTIMAL")
    return proven and (None if value is None else tuple(value)) == row.value


def _value(found: dict[str, Any]) -> Sequence[int] | None:
    """What a command found, of each kind that is measured here (see Row)."""
    if "value" in found:
        return found["value"]  # type: ignore[no-any-return]
    if "turns" in found:
        return [len(found["turns"])]
    if "strategies" in found:
        return [min(row["total"] for row in found["strategies"])]
    return [found["total"] if "total" in found else found["openers"][-1]["total"]]


def _line(row: Row, runs: Sequence[Run]) -> str:
    wrong = [run.found for run in runs if not _is_right(row, run)]
    found = wrong[0] if wrong else runs[0].found
    result = f"{_result(_value(found))} {found.get('opener') or ''}".strip()
    if wrong:
        result = f"**{found.get('status', '')} {result}, not {_result(row.value)}**"
    cells = (
        row.name,
        f"`{row.command}`",
        result,
        f"{statistics.median(run.wall for run in runs):.2f}",
        f"{statistics.median(run.cpu for run in runs):.2f}",
        f"{max(run.peak for run in runs) / 1e6:.0f}",
        f"{statistics.median(run.found['nodes'] for run in runs):.0f}" if "nodes" in found else "",
        row.wanted,
        row.prototype,
    )
    return f"| {' | '.join(cells)} |"


def _result(value: Sequence[int] | None) -> str:
    return "infeasible" if value is None else ", ".join(map(str, value))


def conditions(runs: int) -> str:
    """When and on what this was measured."""
    parts = [
        time.strftime("%Y-%m-%d"),
        f"{_cpu()}, {os.cpu_count()} cores",
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
        f"optimal {__version__}",
        "one run" if runs == 1 else f"medians of {runs} runs",
        f"load {os.getloadavg()[0]:.1f} before the first",
    ]
    return "; ".join(parts)


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
