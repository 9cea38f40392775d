"""Makes data/openers.txt: the exact totals of the best openers of the shipped games.

    python benchmarks/openers.py [--jobs N] [GAME:RULES:LIMIT:TOP ...]

Without names it makes every section anew, which takes about an hour. A section is written as soon as it is known,
and takes the place of the one before.
"""

from __future__ import annotations

import argparse
import time

from optimal.advice.analysis import analyse
from optimal.games.game import Game
from optimal.games.openers import FILE, KnownOpener, Section, sections
from optimal.games.resources import data_file

#: Where no limit binds, the totals without a limit serve every limit; elsewhere the usual limit has its own section.
SECTIONS = (
    "classic:normal:none:100",
    "classic:hard:none:10",
    "classic:hard:6:10",
    "classic:ultra-hard:none:10",
    "classic:ultra-hard:6:10",
    "classic-answers:normal:none:10",
    "classic-answers:hard:none:10",
    "classic-answers:hard:6:10",
    "classic-answers:ultra-hard:none:10",
    "classic-answers:ultra-hard:6:10",
    "nyt2022:normal:none:10",
    "nyt2022:hard:none:10",
    "nyt2022:hard:6:10",
    "nyt2023:normal:none:10",
    "nyt2023:hard:none:10",
    "nyt2023:hard:6:10",
)
HEAD = """\
# Exact totals of the best openers: every opener with a total up to the last of its section is listed.
# A section begins with game, rules and the limit of guesses searched within; its lines are opener, total, and the
# least worst case among the trees of that total. Made by benchmarks/openers.py.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="threads (default: 1)")
    parser.add_argument("sections", nargs="*", default=SECTIONS, metavar="GAME:RULES:LIMIT:TOP")
    arguments = parser.parse_args()
    for asked in arguments.sections:
        began = time.perf_counter()
        section = search(asked, arguments.jobs)
        write(section)
        sections.cache_clear()
        best = section.openers[0]
        print(f"{asked}  {best.guess} {best.total}  {time.perf_counter() - began:.1f} s", flush=True)


def search(asked: str, jobs: int) -> Section:
    name, rules, limit, top = asked.split(":")
    within = None if limit == "none" else int(limit)
    found = analyse(Game.preset(name, rules), top=int(top), limit=within, jobs=jobs, table=False)
    openers = tuple(
        KnownOpener(advice.guess, advice.total, advice.worst) for advice in found.guesses if advice.worst is not None
    )
    return Section(name, rules, within, openers)


def write(new: Section) -> None:
    """Put a section into the file, in the place of the one of the same game, rules and limit."""
    key = (new.game, new.rules, new.limit)
    kept = {(old.game, old.rules, old.limit): old for old in sections()}
    kept[key] = new
    lines = [HEAD]
    for section in kept.values():
        lines.append(f"\n{section.game} {section.rules} {'none' if section.limit is None else section.limit}\n")
        lines += [f"  {opener.guess} {opener.total} {opener.worst}\n" for opener in section.openers]
    data_file(FILE).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
