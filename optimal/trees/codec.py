"""Tree files of strategies: msgpack, canonical (equal trees give equal bytes), every value checked on reading.

The format is specified in docs/reference/tree-file.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from optimal.checks import check_objective, check_path
from optimal.errors import InputError, TreeFileError, did_you_mean
from optimal.games.feedback import KINDS, Feedback, feedback_of
from optimal.games.info import GameInfo
from optimal.games.resources import check_no_table, names_file, shipped_name, tree_file, tree_names
from optimal.games.rules import Rules
from optimal.labels import check_feedback_labels
from optimal.limits import LONGEST_LIST, MOST_CODE
from optimal.show.words import quoted
from optimal.trees import reader
from optimal.trees.nodes import Node, preorder

MAGIC, VERSION = "optimal-tree", 1
MAX_POSITION = 100  # guesses before the root
MAX_LEDGERS = 1000
MAX_PARAMS = 8
MAX_PARAM = 64  # in the parameters of a feedback rule, before anything is computed from them

#: The keys of a payload; the last stands only where it is needed.
_PAYLOAD = (
    *("program", "game", "rules", "objective", "max_guesses", "position", "weights_name", "weights"),
    *("status", "value", "bound", "total", "worst", "distribution", "openers", "answers", "guesses", "tree", "ledgers"),
)
#: Those of a game; the last two stand only for a bare matrix.
_GAME = (
    *("name", "kind", "params", "winning_code", "guesses_sha256", "answers_sha256", "guess_count"),
    *("matrix_sha256", "labels"),
)


def tree_path(tree: str | os.PathLike[str]) -> str:
    """The file, or else that of the shipped tree of that name, with or without ".msgpack"; the name of a game stands
    for its tree under normal rules. Raises InputError where there is neither."""
    name = check_path(tree, "the tree")
    if os.path.exists(name):
        return name
    names = [known.removesuffix(".msgpack") for known in tree_names()]
    shipped = shipped_name(name.removesuffix(".msgpack"), names)
    if shipped is None:
        check_no_table(name)
        if names_file(name):
            raise InputError(f"there is no {'key' if name.endswith('.key') else 'tree'} file {quoted(name, 200)}")
        hint = did_you_mean(name, names, "`optimal games` lists those that there are")
        raise InputError(f"there is no tree file {quoted(name, 200)}, and no shipped tree of that name{hint}")
    return os.fspath(tree_file(f"{shipped}.msgpack"))


def pack(tree: Mapping[str, Any]) -> bytes:
    """The bytes of a tree with these fields. Raises TreeFileError for a tree that could not be read back."""
    guesses = sorted({node.guess for node in tree["root"].nodes()})
    fields = {name: tree.get(name) for name in _PAYLOAD}
    try:
        fields |= {
            "game": _game_fields(tree["game"]),
            "rules": tree["rules"].value,
            "distribution": dict(tree["distribution"]),
            "guesses": guesses,
            "tree": guess_numbers(tree["root"], {guess: index for index, guess in enumerate(guesses)}),
        }
        if not fields["ledgers"]:
            del fields["ledgers"]
        data = reader.sealed(MAGIC, VERSION, fields)
    except (TypeError, ValueError, OverflowError) as error:
        raise TreeFileError(f"the tree cannot be written: {error}") from error
    if unpack(data) != tree:
        raise TreeFileError("the tree cannot be written: it does not come back the same")
    return data


def guess_numbers(root: Node, index: Mapping[str, int]) -> list[int]:
    """The tree in preorder: the index of a guess, its number of children, then each child as its code and subtree."""
    return preorder(root, lambda node: (index[node.guess], len(node.children)))


def _game_fields(game: GameInfo) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": game.name,
        "kind": None if game.feedback is None else game.feedback.kind,
        "params": {} if game.feedback is None else dict(sorted(game.feedback.params().items())),
        "winning_code": game.winning_code,
        "guesses_sha256": bytes.fromhex(game.guesses_sha256),
        "answers_sha256": bytes.fromhex(game.answers_sha256),
        "guess_count": game.guess_count,
    }
    if game.matrix_sha256 is not None:
        fields["matrix_sha256"] = bytes.fromhex(game.matrix_sha256)
        if game.labels is not None:
            fields["labels"] = game.labels
    return fields


def unpack(data: bytes) -> dict[str, Any]:
    """The fields of a tree's file. Raises TreeFileError for anything that is not exactly a tree file."""
    return reader.opened(data, reader.TREE_START, (VERSION,), _read_payload)


def _read_payload(payload: Any, version: int) -> dict[str, Any]:
    fields = reader.fields_of(payload, "payload", _PAYLOAD, len(_PAYLOAD) - 1)
    game = _read_game(fields["game"])
    objective = reader.label(fields["objective"], "objective")
    check_objective(objective)
    limit = reader.optional(fields["max_guesses"], reader.integer, "max_guesses", 1)
    position = tuple(_read_turn(turn, game) for turn in reader.items(fields["position"], "position", 0, MAX_POSITION))
    if limit is not None and len(position) >= limit:
        reader.fail(f"a position of {len(position)} guesses leaves none within the limit of {limit}")
    answers = _read_words(fields["answers"], "answers", game, game.feedback is not None)
    guesses = _read_words(fields["guesses"], "guesses", game, True)
    ledgers = reader.items(fields["ledgers"], "ledgers", 1, MAX_LEDGERS) if "ledgers" in fields else ()
    return {
        "game": replace(game, spelling=game.spelling.suited("".join(answers))),
        "rules": Rules(reader.choice(fields["rules"], "rules", [rule.value for rule in Rules])),
        "objective": objective,
        "max_guesses": limit,
        "position": position,
        **_read_weights(fields, len(answers)),
        "answers": answers,
        "root": _read_nodes(fields["tree"], game, guesses, len(answers)),
        **reader.claim(fields, 1 if objective == "mean" else 2),
        "total": reader.integer(fields["total"], "total", 1),
        "worst": reader.integer(fields["worst"], "worst", 1),
        "distribution": _read_distribution(fields["distribution"]),
        "openers": reader.optional(fields["openers"], _read_words, "openers", game, True),
        "program": reader.label(fields["program"], "program"),
        "ledgers": tuple(reader.label(ledger, "name of a ledger") for ledger in ledgers),
    }


def _read_game(value: Any) -> GameInfo:
    fields = reader.fields_of(value, "game", _GAME, len(_GAME) - 2)
    kind = reader.optional(fields["kind"], reader.choice, "kind", list(KINDS))
    if kind is not None and "matrix_sha256" in fields:
        reader.fail(f"game of kind {kind} with an eighth item; only a bare matrix has one")
    feedback = _read_feedback(kind, fields["params"])
    codes = MOST_CODE + 1 if feedback is None else feedback.codes
    matrix = reader.binary(fields["matrix_sha256"], "matrix_sha256", 32).hex() if "matrix_sha256" in fields else None
    labels = reader.items(fields["labels"], "labels", 1, MOST_CODE + 1) if "labels" in fields else None
    guesses, answers = (reader.binary(fields[name], name, 32).hex() for name in ("guesses_sha256", "answers_sha256"))
    return GameInfo(
        name=reader.label(fields["name"], "game name"),
        feedback=feedback,
        guesses_sha256=guesses,
        answers_sha256=answers,
        guess_count=reader.integer(fields["guess_count"], "guess_count", 1),
        winning_code=reader.integer(fields["winning_code"], "winning_code", 0, codes - 1),
        matrix_sha256=matrix,
        labels=None if labels is None else check_feedback_labels(labels, 0),
    )


def _read_feedback(kind: str | None, value: Any) -> Feedback | None:
    if not isinstance(value, dict) or len(value) > MAX_PARAMS:
        reader.fail(f"params are of the wrong type, or more than {MAX_PARAMS}")
    names = [reader.label(name, "parameter name") for name in value]
    if names != sorted(names):
        reader.fail(f"parameters {', '.join(names)} out of order")
    params = {name: reader.integer(number, f"parameter {name!r}", 1, MAX_PARAM) for name, number in value.items()}
    if kind is None and params:
        reader.fail("parameters given for a bare matrix, which has none")
    return None if kind is None else feedback_of(kind, params)


def _read_turn(value: Any, game: GameInfo) -> tuple[str, int]:
    guess, code = reader.items(value, "turn", 2, 2)
    return _check_guess(guess, game), _check_code(code, game)


def _check_code(value: Any, game: GameInfo, low: int = 0) -> int:
    codes = MOST_CODE + 1 if game.feedback is None else game.feedback.codes
    code = reader.integer(value, "feedback code", low, codes - 1)
    if code == game.winning_code:
        reader.fail(f"feedback code {code} is the winning one: nothing follows it")
    return code


def _check_guess(value: Any, game: GameInfo) -> str:
    word = reader.label(value, "word")
    if game.feedback is not None and not game.feedback.has_form(word):
        reader.fail(f"{word!r} is not a guess of {game.feedback.size} symbols")
    return word


def _read_words(value: Any, what: str, game: GameInfo, ordered: bool) -> tuple[str, ...]:
    words = tuple(_check_guess(word, game) for word in reader.items(value, what, 1, LONGEST_LIST))
    for before, word in pairwise(words):
        if ordered and word <= before:
            reader.fail(f"{what} not in strictly increasing order: {before!r}, then {word!r}")
    if len(set(words)) != len(words):
        reader.fail(f"{what} hold a word twice")
    return words


def _read_weights(fields: dict[str, Any], answers: int) -> dict[str, Any]:
    name = reader.choice(fields["weights_name"], "weights_name", ("uniform", "frequency", "file"))
    weights = reader.optional(fields["weights"], reader.integers, "weights", 1, LONGEST_LIST)
    if (weights is None) != (name == "uniform"):
        reader.fail(f"weights {'missing' if weights is None else 'given'}, but named {name!r}")
    if weights is not None and (len(weights) != answers or not any(weights)):
        reader.fail(f"{len(weights)} weights for {answers} answers, or all of them 0")
    return {"weights_name": name, "weights": weights}


def _read_distribution(value: Any) -> dict[int, int]:
    if not isinstance(value, dict) or not 1 <= len(value) <= LONGEST_LIST:
        reader.fail("distribution is of the wrong type, or has 0 items")
    deepest = 0
    for depth, count in value.items():
        deepest = reader.integer(depth, "depth in the distribution", deepest + 1)
        reader.integer(count, "count in the distribution", 1)
    return value


def _read_nodes(value: Any, game: GameInfo, guesses: Sequence[str], answers: int) -> Node:
    # A guess that neither wins nor splits is of no use, so no sensible tree is larger (or deeper, below).
    numbers = reader.integers(value, "tree", 2, 3 * 2 * answers - 1)
    used = bytearray(len(guesses))

    def begin(numbers: Iterator[int], depth: int) -> tuple[str, int]:
        if depth > answers:  # a first guess that is named may split nothing
            reader.fail(f"tree deeper than its {answers} answers")
        index = reader.integer(next(numbers), "guess index", 0, len(guesses) - 1)
        used[index] = 1
        return guesses[index], reader.integer(next(numbers), "number of children", 0, MOST_CODE + 1)

    root = reader.tree(numbers, begin, lambda code, _, last: _check_code(code, game, last + 1), Node)
    if 0 in used:
        reader.fail(f"guess {guesses[used.index(0)]!r} is listed but not used")
    return root
