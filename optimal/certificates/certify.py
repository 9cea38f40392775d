"""Certificates of trees, and of the finding that there is none."""

from __future__ import annotations

import os
import time
import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.certificates.board import NONE, WORDS, list_sha256
from optimal.certificates.checker import MOST_KEPT, Step, no_step, to_prove
from optimal.certificates.file import Item, Proof, to_bytes
from optimal.certificates.lemmas import refute
from optimal.certificates.prover import EngineBoard, Prover, Short
from optimal.certificates.statement import DIGITS, KINDS, MOST_LETTERS, MOST_PAIRS, RULES
from optimal.certificates.widths import Widths, choose
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.games.feedback import BullsFeedback, WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import promising
from optimal.show.words import counted
from optimal.trees.codec import guess_numbers
from optimal.trees.tree import StrategyTree
from optimal.workers import in_processes

#: Openers per task.
_CHUNK = 48


@dataclass(frozen=True)
class Certified:
    """The size of a certificate, and the time it took."""

    claims: int
    bytes: int
    seconds: float

    def text(self, path: str) -> str:
        """Return a line for the user."""
        return f"certificate written to {path}: {counted(self.claims, 'claim')}, {self.bytes} bytes"


def certify(
    tree: StrategyTree, game: Game, path: str | os.PathLike[str], jobs: int = 1, step: Step = no_step
) -> Certified:
    """Write the certificate that the tree is optimal. ``game`` is that of the tree, with its lists.

    Raises InputError for a problem that certificates don't cover, for a game that isn't the tree's, for a tree that is
    not optimal, and if the file can't be written.
    """
    return _certify(_covered(tree, game), tree.objective, tree, path, jobs, step)


def certify_none(
    game: Game, path: str | os.PathLike[str], jobs: int = 1, objective: str = "mean", step: Step = no_step
) -> Certified:
    """Write the certificate that no strategy finds every answer of the game within its limit.

    Raises InputError as `certify` does.
    """
    check_covered(game, objective)
    return _certify(game, objective, None, path, jobs, step)


def check_covered(game: Game, objective: str) -> None:
    """Raise InputError for games and objectives that certificates don't cover."""
    if game.feedback is None or game.feedback.kind not in KINDS:
        what = "a bare matrix" if game.feedback is None else f"games of kind {game.feedback.kind}"
        raise InputError(f"certificates are for {', '.join(KINDS)}, not for {what}")
    if isinstance(game.feedback, BullsFeedback) and game.feedback.symbols != DIGITS:
        raise InputError(
            f"certificates of {game.feedback.kind} are for {DIGITS} symbols to choose from, not {game.feedback.symbols}"
        )
    if not isinstance(game.feedback, WordFeedback) and game.answers != game.guesses:
        raise InputError("certificates of peg games are for those whose guesses are all codes, and answers too")
    if len(set("".join(game.guesses))) > MOST_LETTERS or len(game.guesses) * len(game.answers) > MOST_PAIRS:
        raise InputError(
            f"certificates cover up to {MOST_LETTERS} letters, and {MOST_PAIRS} pairs of a guess and an answer"
        )
    if objective not in ("mean", "worst"):
        raise InputError(f"certificates cover the objectives mean and worst, not {objective}")


def _covered(tree: StrategyTree, game: Game) -> Game:
    """Return the game under the tree's rules and limit."""
    game = game.with_rules(tree.rules, tree.max_guesses)
    check_covered(game, tree.objective)
    if tree.weights is not None:
        raise InputError("certificates cover answers of one weight, and the tree weighs them")
    if tree.position:
        raise InputError("certificates cover trees from the start of a game, and this one begins at a position")
    if tree.openers is not None:
        raise InputError("certificates cover all openers, and the tree speaks of some only")
    if tree.status != "OPTIMAL":
        raise InputError(f"the tree is {tree.status}, not OPTIMAL: its value may not be the least")
    info = game.info
    if info.feedback != tree.game.feedback:
        raise InputError("the game is not that of the tree: it scores guesses in another way")
    if (info.guesses_sha256, info.answers_sha256) != (tree.game.guesses_sha256, tree.game.answers_sha256):
        raise InputError("the lists are not those of the tree: their hashes differ")
    return game


def _certify(
    game: Game, objective: str, tree: StrategyTree | None, path: str | os.PathLike[str], jobs: int, step: Step
) -> Certified:
    started = time.monotonic()
    step("tables", 0, 0)
    board = EngineBoard(game)
    value = () if tree is None else tree.value
    try:
        proofs = [
            _prove(board, left, target, jobs, step) for left, target in to_prove(game.max_guesses, objective, value)
        ]
    except Short as short:
        raise InputError(f"the claim is false, so it has no certificate: {short}") from None
    claims = [item.claims for proof in proofs for item in proof.items]
    if max(claims, default=0) > MOST_KEPT:
        raise InputError(f"it takes more than {MOST_KEPT} claims of a class, and checkers refuse that")
    data = to_bytes(_statement(game, objective, tree), proofs)
    write_whole(path, [data])
    return Certified(sum(claims) + sum(len(proof.lemmas) for proof in proofs), len(data), time.monotonic() - started)


def _statement(game: Game, objective: str, tree: StrategyTree | None) -> list[int]:
    """Return the integers before the proofs."""
    assert game.feedback is not None
    numbers = [KINDS.index(game.feedback.kind), *game.feedback.params().values()]
    if game.feedback.kind == KINDS[WORDS]:
        numbers += [len(game.guesses), *map(ord, "".join(game.guesses))]
        numbers += [len(game.answers), *game.answer_guess.tolist()]
    numbers += [*list_sha256(game.guesses), *list_sha256(game.answers)]
    numbers += [RULES.index(game.rules.value), game.max_guesses or 0, objective == "worst"]
    if tree is None:
        return [*numbers, 0]
    nodes = guess_numbers(tree.root, {guess: i for i, guess in enumerate(game.guesses)})
    return [*numbers, len(tree.value), *tree.value, len(nodes), *nodes]


def _prove(board: EngineBoard, left: int, target: int, jobs: int, step: Step) -> Proof:
    """Return a proof that every opener costs at least `target` within `left` guesses."""
    game = board.game
    openers, _ = board.survivors(board.everything, board.upper.copy(), left, target)
    chosen = openers.tolist()
    alike: list[tuple[int, ...]] = []
    words = isinstance(game.feedback, WordFeedback)
    if not words:
        chosen, alike = _representatives(board, chosen)
    order = promising(board.tables, chosen)
    step("supersets", 0, 0)
    # Proofs that there is no tree need few counts.
    widths = choose(board, chosen, board.places if words and target < NONE else 0)
    # Under other rules, an opener's own claims are shorter.
    if target == NONE and words and game.rules is Rules.NORMAL:
        lemmas, items = refute(board, order, left, step)
        return Proof(lemmas, widths.sets, items, alike)
    parts = max(1, len(order) // _CHUNK)
    # Hard openers come first in the order: each share gets some of them.
    shares = [order[first::parts] for first in range(parts)] if order else []
    items = []
    if jobs == 1:
        prover = Prover(board, widths, left)
        found = (_items(prover, target, share) for share in shares)
    else:
        token = uuid.uuid4().hex
        prove = partial(_prove_share, token, game, left, target)
        found = in_processes(jobs, prove, ((widths.of(share), share) for share in shares))
    for done, share in enumerate(found):
        step("openers", done * len(order) // len(shares), len(order))
        items += share
    return Proof([], widths.sets, items, alike)


_provers: dict[str, Prover] = {}


def _prove_share(token: str, game: Game, left: int, target: int, share: tuple[Widths, list[int]]) -> list[Item]:
    """Return the items of some openers, in a worker. Its prover is reused for all shares of a proof."""
    widths, openers = share
    if token not in _provers:
        _provers.clear()
        _provers[token] = Prover(EngineBoard(game), widths, left)
    prover = _provers[token]
    prover.widths = widths
    return _items(prover, target, openers)


def _items(prover: Prover, target: int, openers: list[int]) -> list[Item]:
    return [item for opener in openers for item in prover.opener(opener, target)]


def _representatives(board: EngineBoard, openers: list[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return one opener of each pattern, and the maps of the others to it."""
    first: dict[tuple[int, ...], int] = {}
    alike = []
    for opener in openers:
        other = first.setdefault(tuple(sorted(board.copies[opener].tolist())), opener)
        if other == opener:
            continue
        # Symbols that occur equally often are mapped to each other, and then equal symbols, in order.
        names, places = np.arange(board.copies.shape[1]), np.arange(board.places)
        names[_order(board.copies[opener])] = _order(board.copies[other])
        places[_order(board.symbols[other])] = _order(names[board.symbols[opener]])
        alike.append((opener, other, *places.tolist(), *names.tolist()))
    return list(first.values()), alike


def _order(values: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    return np.argsort(values, kind="stable")
