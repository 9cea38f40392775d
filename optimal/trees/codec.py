"""Tree files: msgpack, canonical (equal trees give equal bytes), every byte checked on reading.

The format is specified in docs/tree-format.md. Below `StrategyTree`, which is made of the fields that are read here; so
is each of its nodes, by what the caller gives for that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optimal.checks import check_objective, check_path, check_whole
from optimal.errors import InputError, OptimalError, TreeFileError, did_you_mean
from optimal.files import write_whole
from optimal.games.feedback import KINDS, Feedback, feedback_of
from optimal.games.info import GameInfo
from optimal.games.resources import check_no_table, names_file, shipped_name, tree_file, tree_names
from optimal.games.rules import Rules
from optimal.labels import check_feedback_labels
from optimal.limits import LONGEST_LIST, MOST_CODE
from optimal.show.words import quoted
from optimal.trees.reader import KEY_START, Reader, opened, other_file, sealed

MAGIC = "optimal-tree"
VERSION = 1
START = b"\x94\xac" + MAGIC.encode()  # an array of 4, then a text of 12 bytes
MAX_FILE_BYTES = 64 * 2**20
MAX_POSITION = 100  # guesses before the root
MAX_LEDGERS = 1000
MAX_PARAMS = 8
MAX_PARAM = 64  # in the parameters of a feedback rule, before anything is computed from them

_STATUSES = ("OPTIMAL", "FEASIBLE")
_WEIGHTS_NAMES = ("uniform", "frequency", "file")


#: What makes a node of its guess, and of the nodes that follow by feedback code.
Make = Callable[[str, Mapping[int, Any]], Any]
#: The fields of a tree, by name.
Fields = Mapping[str, Any]


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the bytes of a tree; the file appears whole or not at all. TreeFileError when it can't be written."""
    try:
        write_whole(check_path(path, "the tree file"), [data])
    except InputError as error:
        raise TreeFileError(str(error)) from None


def read(path: str | os.PathLike[str], make: Make, max_bytes: int = MAX_FILE_BYTES) -> Fields:
    """The fields of a tree's file. Whatever is wrong with it raises TreeFileError; its totals are left to `verify`.

    InputError for what is no name of a file.
    """
    path, most = check_path(path, "the tree file"), check_whole(max_bytes, "max_bytes", 0, 1 << 32)
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreeFileError(f"cannot read the tree file {str(path)!r}: {reason}") from None
    if len(data) > most:
        raise TreeFileError(f"{path}: larger than {most} bytes, the limit for a tree file")
    try:
        return unpack(data, make)
    except TreeFileError as error:
        raise TreeFileError(f"{path}: {error}") from None


def load(tree: str | os.PathLike[str], make: Make) -> Fields:
    """The fields of a tree's file, as `tree_path` finds it.

    Raises InputError where there is none, TreeFileError for a file that is no good tree file.
    """
    return read(tree_path(tree), make)


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


def pack(tree: Fields, guesses: Sequence[str], nodes: Sequence[int], make: Make) -> bytes:
    """The bytes of a tree with these fields; ``nodes`` are those of its root in preorder, with the indices of their
    guesses. Raises TreeFileError for a tree that could not be read back."""
    import msgpack  # here, not above: whoever only reads does without

    try:
        payload: bytes = msgpack.packb(
            {
                "program": tree["program"],
                "game": _game_fields(tree["game"]),
                "rules": tree["rules"].value,
                "objective": tree["objective"],
                "max_guesses": tree["max_guesses"],
                "position": [list(turn) for turn in tree["position"]],
                "weights_name": tree["weights_name"],
                "weights": None if tree["weights"] is None else list(tree["weights"]),
                "status": tree["status"],
                "value": list(tree["value"]),
                "bound": list(tree["bound"]),
                "total": tree["total"],
                "worst": tree["worst"],
                "distribution": dict(tree["distribution"]),
                "openers": None if tree["openers"] is None else list(tree["openers"]),
                "answers": list(tree["answers"]),
                "guesses": list(guesses),
                "tree": list(nodes),
                **({"ledgers": list(tree["ledgers"])} if tree["ledgers"] else {}),
            }
        )
        data = sealed(MAGIC, VERSION, payload)
    except (TypeError, ValueError, OverflowError) as error:
        raise TreeFileError(f"the tree cannot be written: {error}") from error
    if unpack(data, make) != tree:
        raise TreeFileError("the tree cannot be written: it does not come back the same")
    return data


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
            fields["labels"] = list(game.labels)
    return fields


def unpack(data: bytes, make: Make) -> Fields:
    """The fields of a tree's file. Raises TreeFileError for anything that is not exactly a tree file."""
    if data.startswith(KEY_START):
        raise TreeFileError(
            "not a tree file but a key: `optimal play KEY` asks along it, `optimal export KEY --to svg` draws it, both "
            "from an ordinary file"
        )
    if not data or data[: len(START)] != START[: len(data)]:
        raise other_file(data, "tree file")
    reader, _ = opened(data, START, MAGIC, (VERSION,))
    tree = _read_payload(reader, make)
    reader.finish()
    return tree


def _read_payload(reader: Reader, make: Make) -> Fields:
    fields = reader.map("payload", 18, 19)
    program = reader.key("program").label("program")
    game = _read_game(reader.key("game"))
    rules = Rules(reader.key("rules").choice("rules", [rule.value for rule in Rules]))
    objective = reader.key("objective").label("objective")
    value_length = _value_length(reader, objective)
    max_guesses = None if reader.key("max_guesses").nil() else reader.integer("max_guesses", 1)
    position = []
    for _ in range(reader.key("position").array("position", 0, MAX_POSITION)):
        reader.array("turn", 2, 2)
        position.append((_read_guess(reader, game), _read_code(reader, game)))
    if max_guesses is not None and len(position) >= max_guesses:
        reader.fail(f"a position of {len(position)} guesses leaves none within the limit of {max_guesses}")
    weights_name = reader.key("weights_name").choice("weights_name", _WEIGHTS_NAMES)
    weights = None
    if not reader.key("weights").nil():
        weights = reader.integers("weights", 1, LONGEST_LIST)
    if (weights is None) != (weights_name == "uniform"):
        reader.fail(f"weights {'missing' if weights is None else 'given'}, but named {weights_name!r}")
    status = reader.key("status").choice("status", _STATUSES)
    value = reader.key("value").integers("value", value_length, value_length)
    bound = reader.key("bound").integers("bound", value_length, value_length)
    if bound > value or (status == "OPTIMAL" and bound != value):
        reader.fail(f"value {list(value)} and bound {list(bound)} do not fit status {status}")
    total = reader.key("total").integer("total", 1)
    worst = reader.key("worst").integer("worst", 1)
    distribution: dict[int, int] = {}
    deepest = 0
    for _ in range(reader.key("distribution").map("distribution", 1, LONGEST_LIST)):
        deepest = reader.integer("depth in the distribution", deepest + 1)
        distribution[deepest] = reader.integer("count in the distribution", 1)
    openers = None
    if not reader.key("openers").nil():
        openers = _read_words(reader, "openers", game, ordered=True)
    answers = _read_words(reader.key("answers"), "answers", game, ordered=game.feedback is not None)
    if weights is not None and (len(weights) != len(answers) or not any(weights)):
        reader.fail(f"{len(weights)} weights for {len(answers)} answers, or all of them 0")
    guesses = _read_words(reader.key("guesses"), "guesses", game, ordered=True)
    root = _read_nodes(reader.key("tree"), game, guesses, len(answers), make)
    ledgers: tuple[str, ...] = ()
    if fields == 19:
        count = reader.key("ledgers").array("ledgers", 1, MAX_LEDGERS)
        ledgers = tuple(reader.label("name of a ledger") for _ in range(count))
    return {
        "game": game,
        "rules": rules,
        "objective": objective,
        "max_guesses": max_guesses,
        "position": tuple(position),
        "weights": weights,
        "weights_name": weights_name,
        "answers": answers,
        "root": root,
        "status": status,
        "value": value,
        "bound": bound,
        "total": total,
        "worst": worst,
        "distribution": distribution,
        "openers": openers,
        "program": program,
        "ledgers": ledgers,
    }


def _value_length(reader: Reader, objective: str) -> int:
    try:
        check_objective(objective)
    except InputError as error:
        reader.fail(str(error))
    return 1 if objective == "mean" else 2


def _read_game(reader: Reader) -> GameInfo:
    fields = reader.map("game", 7, 9)
    name = reader.key("name").label("game name")
    kind = None if reader.key("kind").nil() else reader.choice("kind", list(KINDS))
    params: dict[str, int] = {}
    for _ in range(reader.key("params").map("params", 0, MAX_PARAMS)):
        key = reader.label("parameter name")
        if params and key <= max(params):
            reader.fail(f"parameter {key!r} out of order")
        params[key] = reader.integer(f"parameter {key!r}", 1, MAX_PARAM)
    feedback = _feedback(reader, kind, params)
    codes = MOST_CODE + 1 if feedback is None else feedback.codes
    winning_code = reader.key("winning_code").integer("winning_code", 0, codes - 1)
    if feedback is not None and winning_code != feedback.winning_code:
        reader.fail(f"winning code {winning_code}; for {kind} {params} it is {feedback.winning_code}")
    return GameInfo(
        name=name,
        feedback=feedback,
        guesses_sha256=reader.key("guesses_sha256").binary("guesses_sha256", 32).hex(),
        answers_sha256=reader.key("answers_sha256").binary("answers_sha256", 32).hex(),
        guess_count=reader.key("guess_count").integer("guess_count", 1),
        winning_code=winning_code,
        matrix_sha256=_read_matrix_hash(reader, kind) if fields >= 8 else None,
        labels=_read_labels(reader) if fields == 9 else None,
    )


def _read_matrix_hash(reader: Reader, kind: str | None) -> str:
    if kind is not None:
        reader.fail(f"game of kind {kind} with an eighth item; only a bare matrix has one")
    return reader.key("matrix_sha256").binary("matrix_sha256", 32).hex()


def _read_labels(reader: Reader) -> tuple[str, ...]:
    count = reader.key("labels").array("labels", 1, MOST_CODE + 1)
    labels = [reader.label("label of a feedback code") for _ in range(count)]
    try:
        return check_feedback_labels(labels, 0)
    except InputError as error:
        reader.fail(str(error))


def _feedback(reader: Reader, kind: str | None, params: dict[str, int]) -> Feedback | None:
    if kind is None:
        if params:
            reader.fail("parameters given for a bare matrix, which has none")
        return None
    try:
        return feedback_of(kind, params)
    except OptimalError as error:
        reader.fail(str(error))


def _read_code(reader: Reader, game: GameInfo, low: int = 0) -> int:
    codes = MOST_CODE + 1 if game.feedback is None else game.feedback.codes
    code = reader.integer("feedback code", low, codes - 1)
    if code == game.winning_code:
        reader.fail(f"feedback code {code} is the winning one: nothing follows it")
    return code


def _read_guess(reader: Reader, game: GameInfo) -> str:
    word = reader.label("word")
    if game.feedback is not None and not game.feedback.has_form(word):
        reader.fail(f"{word!r} is not a guess of {game.feedback.size} symbols")
    return word


def _read_words(reader: Reader, what: str, game: GameInfo, *, ordered: bool) -> tuple[str, ...]:
    words: list[str] = []
    for _ in range(reader.array(what, 1, LONGEST_LIST)):
        words.append(_read_guess(reader, game))
        if ordered and len(words) > 1 and words[-1] <= words[-2]:
            reader.fail(f"{what} not in strictly increasing order: {words[-2]!r}, then {words[-1]!r}")
    if not ordered and len(set(words)) != len(words):
        reader.fail(f"{what} hold a word twice")
    return tuple(words)


def _read_nodes(reader: Reader, game: GameInfo, guesses: Sequence[str], answers: int, make: Make) -> Any:
    # A guess that neither wins nor splits is of no use, so no sensible tree is larger (or deeper, below).
    length = reader.array("tree", 2, 3 * 2 * answers - 1)
    nodes_left = (length + 1) // 3  # each node is two numbers, and a code before it unless it is the root
    used = bytearray(len(guesses))
    # Nodes whose children are still being read: guess, children so far, children to come, code of the next.
    stack: list[tuple[str, dict[int, Any], int, int]] = []
    while True:
        if nodes_left == 0:
            reader.fail(f"tree of more than {length} numbers, the length declared")
        if len(stack) == answers + 1:  # a first guess asked for by name may tell nothing
            reader.fail(f"tree deeper than its {answers} answers")
        nodes_left -= 1
        index = reader.integer("guess index", 0, len(guesses) - 1)
        used[index] = 1
        count = reader.integer("number of children", 0, MOST_CODE + 1)
        if count:
            stack.append((guesses[index], {}, count, _read_code(reader, game)))
            continue
        node = make(guesses[index], {})
        while stack:
            guess, children, count, code = stack.pop()
            children[code] = node
            if count > 1:
                stack.append((guess, children, count - 1, _read_code(reader, game, code + 1)))
                break
            node = make(guess, children)
        else:
            break
    if nodes_left or length % 3 != 2:
        reader.fail(f"tree of fewer than {length} numbers, the length declared")
    if 0 in used:
        reader.fail(f"guess {guesses[used.index(0)]!r} is listed but not used")
    return node
