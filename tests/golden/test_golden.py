"""The golden corpus: what some hundred commands print with --json, and the files that they write, stay as they are.

golden/commands.txt has the commands, run in their order in one folder; golden/results.json what came of each: its exit
status, its JSON without times and counts of work, and the hashes of its files without the program's version. A change
that moves a line says why. `python tests/golden/test_golden.py` writes the results anew.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from cli_util import ROOT, run

from optimal.cli import COMMANDS

COMMANDS_FILE, RESULTS_FILE = (Path(__file__).parent / name for name in ("commands.txt", "results.json"))
#: Fields that tell how long something took, or how much work it was, or where it stands.
UNSTEADY = {"seconds", "nodes", "slowest", "program", "journal", "bytes"}
OTHERS = 150  # words that are no answers
TABLES = {
    "spiders.csv": "taxon,sex,size|morio,male/female,big|ericaeus,male/female,big|nemastoma,male/female,small",
    "insects.csv": "taxon,wings,colour|bee,yes,clear|fly,yes,grey|ant,no,|louse,no,",
    "willows.csv": "tree,Flower,Leaf,seen|Salix,red/blue,?,1|Alnus,white,long,2|Ulmus,white/pink,short,8|Acer,grey,?,9",
    "dear.csv": "object,q1,q2,q3,q4,q5,q6,weight|cost,6,1,1,1,2,1,|o1,1,0,0,0,0,0,2|o2,0,0,0,0,0,0,2|o3,0,0,0,0,0,0,2|"
    "o4,1,0,0,1,0,0,1|o5,1,0,0,0,1,0,3|o6,2,1,0,0,0,0,2|o7,0,0,0,0,0,0,3|o8,2,0,0,0,0,1,2|o9,2,0,1,0,0,0,2",
    "m.csv": "|".join(
        ["guess,a,b,c,d,e,f", *(f"{one}," + ",".join("hit" if one == other else str(abs(ord(one) - ord(other)) % 3)
                                                     for other in "abcdef") for one in "abcdef")]
    ),
}  # fmt: skip


def commands() -> list[str]:
    lines = COMMANDS_FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def prepare(folder: Path) -> None:
    """The lists and tables that the commands are about."""
    answers = (ROOT / "data" / "classic-answers.txt").read_text(encoding="utf-8").split()[::25]
    others = (ROOT / "data" / "classic-others.txt").read_text(encoding="utf-8").split()
    named = ["slate", "audio", "mamma"]
    guesses = sorted({*answers, *named, *others[:: len(others) // OTHERS]})
    (folder / "a.txt").write_text("\n".join(answers), encoding="utf-8")
    (folder / "g.txt").write_text("\n".join(guesses), encoding="utf-8")
    weights = [f"{word} {1 + place % 5}" for place, word in enumerate(answers)]
    (folder / "w.txt").write_text("\n".join(weights), encoding="utf-8")
    for name, text in TABLES.items():
        (folder / name).write_text(text.replace("|", "\n") + "\n", encoding="utf-8")


def steady(value: Any) -> Any:
    """A value of JSON without what differs from run to run."""
    if isinstance(value, dict):
        return {name: steady(part) for name, part in value.items() if name not in UNSTEADY}
    return [steady(part) for part in value] if isinstance(value, list) else value


def hash_of(path: Path) -> str:
    """The hash of a file; of a tree or a key without the version of the program, of a certificate unpacked."""
    data = path.read_bytes()
    if path.suffix in (".msgpack", ".key"):
        magic, version, _, payload = msgpack.unpackb(data)
        fields = msgpack.unpackb(payload, strict_map_key=False)
        data = msgpack.packb([magic, version, {**fields, "program": ""}])
    elif path.suffix == ".xz":
        data = lzma.decompress(data)
    elif path.suffix == ".json":
        data = json.dumps(steady(json.loads(data))).encode()
    return hashlib.sha256(data).hexdigest()[:32]


def results(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What came of each command."""
    prepare(folder)
    answer = (folder / "a.txt").read_text(encoding="utf-8").split()[7]
    for line in commands():
        words = shlex.split(line.replace("{answer}", answer))
        before = set(folder.iterdir())
        written = ["--json"] if words[0] != "export" else []
        done = run(folder, *words, *written)
        found: dict[str, Any] = {"status": done.status}
        if written:
            found["json"] = steady(json.loads(done.out)) if done.out else done.err
        files = sorted(set(folder.iterdir()) - before)
        found["files"] = {path.name: hash_of(path) for path in files if not path.name.startswith("run.journal")}
        yield line, found


def test_the_corpus_is_whole() -> None:
    assert list(json.loads(RESULTS_FILE.read_text(encoding="utf-8"))) == commands()
    assert {line.split()[0] for line in commands()} >= COMMANDS.keys() - {"assist", "page", "plot"}


def test_what_commands_say_and_write(tmp_path: Path) -> None:
    want = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    found = dict(results(tmp_path))
    for line in commands():
        assert found[line] == want[line], line
        if "--jobs 2" in line:
            other = found[line.replace("--jobs 2", "--jobs 1").replace("-2.", "-1.")]
            assert [*found[line]["files"].values()] == [*other["files"].values()], line


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        lines = [f"{json.dumps(line)}: {json.dumps(result)}" for line, result in results(Path(name))]
    RESULTS_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} commands", file=sys.stderr)
