"""Check a certificate of optimality, without the engine that wrote it: every claim is counted again.

Exit status 0: the theorem that is printed is proven; 1: the file proves nothing, and a line says why; 2: it could not
be read, or is a file of another kind.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING

from optimal.cli import DONE, NO, say
from optimal.cli.apart import reads
from optimal.cli.common import add_jobs, add_json, print_json
from optimal.errors import InputError
from optimal.files import may_be_table, opened
from optimal.games.feedback import feedback_of
from optimal.games.presets import Preset, preset_of, titled
from optimal.games.resources import certificate_file
from optimal.show.text import paragraph
from optimal.show.words import counted, harmless, listed
from optimal.tables.key import Key

if TYPE_CHECKING:
    from optimal.certificates.keys import KeyTheorem
    from optimal.certificates.statement import Theorem

EXAMPLES = (
    ("optimal check mastermind-normal", "a proof that ships"),
    ("optimal check proof.xz --jobs 2", "your own, from `optimal certify`, on two cores"),
    ("optimal check birds.xz --key birds.key", "that a key is the best of its table"),
)


BEGINNING = 4096  # bytes of a file that tell what it is


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "certificate",
        metavar="CERTIFICATE",
        help="a file, or the name of a shipped certificate, such as classic-normal",
    )
    about = "the key that it should be of: its table, its limits and its value are held against the theorem"
    reads(parser.add_argument("--key", metavar="KEY", help=about))
    add_jobs(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    path = arguments.certificate
    if not os.path.exists(path):
        path = certificate_file(path)
    if os.path.isfile(path):  # a pipe can be read only once
        _check_kind(path)

    key = None if arguments.key is None else Key.load(arguments.key)

    from optimal.certificates.checker import check
    from optimal.cli.progress import Reporter

    started = time.monotonic()
    with Reporter(plain=not arguments.json, verbose=False) as reporter:
        report = check(path, arguments.jobs, reporter.step)
    seconds = time.monotonic() - started
    if report.ok and key is not None and report.theorem is not None:
        report.problems += _unlike(report.theorem, key, arguments.key)
    if arguments.json:
        claim = None if report.theorem is None else _claim(report.theorem)
        told = {"ok": report.ok, "claim": claim, "claims": report.claims, "problems": report.problems}
        print_json({**told, "theorem": str(report.theorem) if report.ok else None, "seconds": seconds})
    elif report.ok and report.theorem is not None:
        print(paragraph(str(report.theorem)), end="")
        if key is not None:
            say(f"The table and its key are those of {arguments.key}.")
        elif (known := _known(report.theorem)) is not None:
            print(f"The lists are those of {titled(known.name)}.")
        print(paragraph(f"{_told(report.claims, report.theorem)} It took {seconds:.1f} seconds."), end="")
    else:
        for problem in report.problems:
            print(paragraph(harmless(f"NOT PROVEN: {problem}")), end="")
    return DONE if report.ok else NO


def _unlike(theorem: Theorem | KeyTheorem, key: Key, path: str) -> list[str]:
    """In what a theorem is not that a key is the best of its table."""
    from optimal.certificates.file import table_sha256
    from optimal.certificates.keys import KeyTheorem

    if not isinstance(theorem, KeyTheorem):
        return [f"it is about a game, and {path} is a key"]
    pairs = [
        ("table", theorem.table_sha256, table_sha256(key.table)),
        ("limit", theorem.limit, key.limit),
        ("limit of cost", theorem.cost_limit, key.cost_limit),
        ("first questions", theorem.openers, key.openers),
        ("objective", theorem.objective, key.objective),
        ("value", theorem.value, key.value),
    ]
    unlike = [what for what, one, other in pairs if one != other]
    return [f"it proves something else than what {path} says: {listed(unlike)} differ"] if unlike else []


def _told(claims: int, theorem: Theorem | KeyTheorem) -> str:
    """What the proof rests on."""
    from optimal.certificates.keys import KeyTheorem

    if isinstance(theorem, KeyTheorem):
        if claims:
            return f"{counted(claims, 'claim')} checked, each of what one set of objects takes at least."
        return "It rests on weights and numbers alone (0 claims)."
    if claims:
        return f"{counted(claims, 'claim')} checked, each of what one set of answers takes at least."
    played = "its strategy was played for every answer, and " if theorem.value else ""
    return (
        f"The file makes no claim of its own (0 claims), and needs none: {played}counting the replies that each first "
        "guess can have is proof enough."
    )


def _check_kind(path: str) -> None:
    """Raise InputError for what is another file of this program's, not a bad certificate."""
    from optimal.journal.header import is_journal
    from optimal.trees.codec import START as TREE
    from optimal.trees.reader import KEY_START

    with opened(path, "certificate") as file:
        start = file.read(BEGINNING)
    proof = f"`optimal certify {path} --output proof.xz` writes one, `optimal check proof.xz --key {path}` checks it"
    for there, what, right in (
        (start.startswith(TREE), "is a strategy tree", "that is for `optimal verify`"),
        (is_journal(start), "is a journal", "that is for `optimal status`"),
        (start.startswith(KEY_START), "is a key", proof),
        (may_be_table(start), "looks like a table", f"`optimal identify {path} --certificate proof.xz` writes one"),
    ):
        if there:
            raise InputError(f"{path} {what}, not a certificate: {right}")


def _known(theorem: Theorem | KeyTheorem) -> Preset | None:
    """The preset that the theorem is about: its lists, scored as it scores them."""
    from optimal.certificates.keys import KeyTheorem

    if isinstance(theorem, KeyTheorem):
        return None
    return preset_of(feedback_of(theorem.kind, theorem.sizes), theorem.guesses_sha256, theorem.answers_sha256)


def _claim(theorem: Theorem | KeyTheorem) -> dict[str, object]:
    from optimal.certificates.keys import KeyTheorem

    if isinstance(theorem, KeyTheorem):
        return {
            "kind": "table",
            "objective": theorem.objective,
            "total": theorem.total,
            "limit": theorem.limit,
            "cost_limit": theorem.cost_limit,
            "openers": None if theorem.openers is None else list(theorem.openers),
            "value": list(theorem.value) or None,
            "questions": theorem.questions,
            "variants": theorem.variants,
            "table_sha256": theorem.table_sha256,
        }
    known = _known(theorem)
    return {
        "game": theorem.kind if known is None else known.name,
        "kind": theorem.kind,
        "size": theorem.sizes,
        "rules": theorem.rules,
        "objective": theorem.objective,
        "total": theorem.total,
        "max_guesses": theorem.limit,
        "value": list(theorem.value) or None,
        "guesses": theorem.guesses,
        "answers": theorem.answers,
        "guesses_sha256": theorem.guesses_sha256,
        "answers_sha256": theorem.answers_sha256,
    }
