"""Reproduces every published figure of the baselines, then plays them all against each other.

    python benchmarks/baselines.py [--jobs N]

Prints Markdown tables, known beside reproduced; docs/reference/baselines.md says where the figures are from. Exit
status 1 if any figure differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from baselines_util import Figure, figures, game, reproduce

from optimal.baselines import Scoring, compare, strategy
from optimal.baselines.strategy import Baseline

TITLES = {
    "regions": "Inclusion-exclusion regions",
    "information": "Information theory",
    "openings": "Fixed openings and wins on the second guess",
    "frequency": "Letter frequency and popularity",
    "odds": "Odds score",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="processes for the comparison (default: 1)")
    jobs = parser.parse_args().jobs
    began = time.perf_counter()
    wrong = 0
    known = figures()
    for system, title in TITLES.items():
        print(f"\n## {title}\n\n| figure | known | reproduced | from |\n|---|---|---|---|")
        for figure in known:
            if figure["system"] == system:
                wrong += _row(figure)
    print(f"\n{len(known)} figures, {wrong} different, {time.perf_counter() - began:.0f} s")
    for scoring in Scoring:
        chosen = None if scoring is Scoring.TRUE else _published_naive()
        table = compare(game("classic"), chosen, scoring=scoring, jobs=jobs)
        print(f"\n{table.text()}\n{table.seconds:.0f} s with {jobs} job{'' if jobs == 1 else 's'}")
    return 1 if wrong else 0


def _row(figure: Figure) -> bool:
    found = reproduce(figure)
    same = bool(found == figure["value"])
    shown = _text(found) if same else f"**{_text(found)}**"
    print(f"| {figure['what']} | {_text(figure['value'])} | {shown} | {figure['source']} |", flush=True)
    return not same


def _published_naive() -> list[Baseline]:
    names = ["regions", "global", "global=resin,ploat", "positional", "positional=pares,doilt", "popularity"]
    found = [strategy(name) for name in (*names, "odds", "odds-hard")]
    return [one for one in found if isinstance(one, Baseline)]


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}:{count}" for key, count in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        flat = all(not isinstance(item, list | dict) for item in value)
        return (" " if flat and len(value) == 2 else ", ").join(
            " ".join(map(str, item)) if isinstance(item, list) and not isinstance(item[0], list) else _text(item)
            for item in value
        )
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
