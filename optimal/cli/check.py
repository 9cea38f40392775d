"""`optimal check`: a certificate of optimality, checked without the engine that wrote it."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from functools import partial

from optimal.certificates.checker import check, no_objection
from optimal.certificates.file import table_sha256
from optimal.certificates.key_checker import KeyTheorem
from optimal.certificates.statement import Theorem
from optimal.cli.console import DONE, NO
from optimal.cli.inputs import USES, kind_of, wrong_kind
from optimal.cli.output import print_result
from optimal.cli.progress import Reporter
from optimal.games.feedback import feedback_of
from optimal.games.presets import Preset, preset_of, titled
from optimal.games.resources import certificate_file
from optimal.show.text import paragraph
from optimal.show.words import counted, harmless, listed
from optimal.trees.key import Key


def run(arguments: Namespace) -> int:
    path = arguments.certificate
    if not os.path.exists(path):
        path = certificate_file(path)
    # A pipe can be read only once; what is nothing else may be a bad certificate.
    if os.path.isfile(path) and kind_of(path) != [*USES][-1]:
        raise wrong_kind(path, "a certificate")
    key = None if arguments.key is None else Key.load(arguments.key)
    started = time.monotonic()
    with Reporter(plain=not arguments.json) as reporter:
        objections = no_objection if key is None else partial(_unlike, key, arguments.key)
        report = check(path, arguments.jobs, reporter.step, objections)
    seconds, theorem = time.monotonic() - started, report.theorem
    if report.ok and theorem is not None:
        lines = _proven(theorem, report.claims, seconds, None if key is None else f"{arguments.key}{key.scope}")
    else:
        lines = [harmless(f"NOT PROVEN: {problem}") for problem in report.problems]
    fields = {
        "ok": report.ok,
        "claim": theorem and _claim(theorem),
        "claims": report.claims,
        "problems": report.problems,
        "theorem": str(theorem) if report.ok else None,
        "seconds": seconds,
    }
    print_result(arguments, fields, "".join(map(paragraph, lines)))
    return DONE if report.ok else NO


def _proven(theorem: Theorem | KeyTheorem, claims: int, seconds: float, key: str | None) -> list[str]:
    """The theorem, whose it is, and what its proof rests on."""
    lines = [str(theorem)]
    if key is not None:
        lines.append(harmless(f"The table and its key are those of {key}."))
    elif (known := _known(theorem)) is not None:
        lines.append(f"The lists are those of {titled(known.name)}.")
    if claims:
        what = "objects" if isinstance(theorem, KeyTheorem) else "answers"
        rests = f"{counted(claims, 'claim')} checked, each of what one set of {what} takes at least."
    elif isinstance(theorem, KeyTheorem):
        rests = "It rests on weights and numbers alone (0 claims)."
    else:
        played = "its strategy was played for every answer, and " if theorem.value else ""
        rests = (
            f"The file makes no claim of its own (0 claims), and needs none: {played}counting the replies that each "
            "first guess can have is proof enough."
        )
    return [*lines, f"{rests} It took {seconds:.1f} seconds."]


def _unlike(key: Key, path: str, theorem: Theorem | KeyTheorem) -> list[str]:
    """In what a theorem is not that a key is the best of its table."""
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
    differ = "differs" if len(unlike) == 1 else "differ"
    return [f"it is about something else than {path}: {listed(unlike)} {differ}"] if unlike else []


def _known(theorem: Theorem | KeyTheorem) -> Preset | None:
    """The preset that the theorem is about: its lists, scored as it scores them."""
    if isinstance(theorem, KeyTheorem):
        return None
    return preset_of(feedback_of(theorem.kind, theorem.sizes), theorem.guesses_sha256, theorem.answers_sha256)


def _claim(theorem: Theorem | KeyTheorem) -> dict[str, object]:
    """What is claimed, of a game by its name, or by its kind where it has none."""
    if isinstance(theorem, KeyTheorem):
        return theorem.to_dict()
    known = _known(theorem)
    return {"game": theorem.kind if known is None else known.name, **theorem.to_dict()}
