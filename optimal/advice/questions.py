"""Advice on the next question: the exact cost of keys that begin with it, over the objects that still fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from optimal.checks import check_seconds, check_top
from optimal.errors import InputError
from optimal.search.identify import identify
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.search.rules_of_thumb import by_worth
from optimal.show.record import Record, plain
from optimal.show.table import Grid, Listed
from optimal.show.words import called, counted, listed, quoted
from optimal.tables.cells import AND, UNKNOWN
from optimal.tables.table import Reply, Table, Turns, VaryingTable, said
from optimal.trees.key_numbers import holding

#: The least time, in seconds, worth spending on a question.
LEAST = 0.01
#: Objects that fit, or their groups, named at most.
MOST_NAMED = 10


@dataclass(frozen=True)
class Asked(Record):
    """A question and the cost of the best key that begins with it, over what is left."""

    question: str
    total: int  # sum of weight x cost, in the table's whole numbers
    mean: Fraction  # expected cost
    mean_questions: Fraction  # expected number of questions
    worst: int  # questions on the longest path
    proven: bool  # that no key which begins with it costs less


@dataclass(frozen=True, repr=False)
class Questions(Listed[Asked]):
    """The best questions at a point, as returned by :func:`rank_questions`: best first, ties in the table's order.

    ``objects`` are left, ``names`` the same as people name them. ``status`` is OPTIMAL when all questions are valued
    exactly. `to_dict` has what `optimal suggest --table --json` prints.
    """

    name: str
    turns: tuple[tuple[str, Reply], ...]
    objects: tuple[str, ...]
    names: tuple[str, ...]  # several objects of one group by its name
    questions: tuple[Asked, ...]
    status: Status
    stop_reason: str
    seconds: float

    @property
    def rows(self) -> tuple[Asked, ...]:
        return self.questions

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "table": self.name,
            "replies": [{"question": question, "reply": plain(reply)} for question, reply in self.turns],
            "objects": plain(self.objects),
            "questions": plain(self.questions),
            "status": self.status.value,
            "stop_reason": self.stop_reason,
            "seconds": self.seconds,
        }

    @property
    def table(self) -> Grid:
        """The questions as a table."""
        turns = ", ".join(f"{question}={said(reply)}" for question, reply in self.turns)
        after = f" after {turns}" if turns else ""
        caption = f"{self.name}{after}: {counted(len(self.objects), 'object')} left"
        notes = [f"left: {listed(self.names, MOST_NAMED)}"] if self.turns else []
        if self.status is not Status.OPTIMAL:
            notes.append(
                f"Stopped, {self.stop_reason}: what is not proven may cost less, and other questions may be better."
            )
        elif not self.questions:
            left = "no question that is left tells more" if len(self.objects) > 1 else "nothing is left to ask"
            return Grid(f"{caption}; {left}", (), (), notes)
        rows = [(one.question, one.mean, one.mean_questions, one.worst, one.proven) for one in self.questions]
        return Grid(caption, ("question", "cost", "questions", "worst", "proven"), rows, notes)


def turn_of(table: Table, text: str) -> tuple[str, Reply]:
    """Return the question and the reply of "Size=small"; None for the reply "?", several for "Size=small/sparrow".
    Capitals count only where names differ by nothing else. Raises InputError for text that names none of the table's
    questions."""
    # Names may contain "=": take the longest question that the text begins with.
    signs = [place for place, sign in enumerate(text) if sign == "="]
    if not signs:
        raise InputError(f"{quoted(text)} is no question and reply, such as {table.questions[0]}=...")
    sign = next((place for place in signs[::-1] if called(text[:place], table.questions)), signs[0])
    place = table.question_index(called(text[:sign], table.questions) or text[:sign])
    return table.questions[place], _reply_of(text[sign + 1 :], table.replies[place])


def _reply_of(text: str, known: Sequence[str]) -> Reply:
    """Return the reply that is meant, or several; what is none is left as it is, for messages."""
    if (whole := called(text, known)) is not None:
        return whole
    if text == UNKNOWN:
        return None
    named = [[one] if (one := called(part, known)) else holding(part, known) or [part] for part in text.split(AND)]
    parts = tuple(dict.fromkeys(one for part in named for one in part))
    return parts if len(parts) > 1 else parts[0]


def rank_questions(
    table: object,
    turns: Turns = (),
    *,
    top: int = 10,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Questions:
    """Return the best questions to ask after these replies, with the exact cost of each from there on.

    >>> from optimal import rank_questions
    >>> ranked = rank_questions("guess-who", [("woman", "no"), ("hat", None)], top=3)
    >>> [(asked.question, asked.total) for asked in ranked][:2]
    [('glasses', 44), ('hair: red', 44)]

    Parameters
    ----------
    table : Table, str, path, DataFrame or array
        The objects to identify, or what `Table.of` makes a table of.
    turns : sequence of (str, str or None)
        The questions asked so far, each with its reply; None where it isn't known.
    top : int
        The number of questions to return; ties of the last come along.
    jobs : int
        The number of searches at once.
    time_limit : float, optional
        Seconds; then what is not proven costs at most what is said.
    progress : callable, optional
        Called with a `Progress`.

    Returns
    -------
    Questions
        A list of `Asked`, best first, which prints as `optimal suggest --table` does.

    Raises
    ------
    InputError
        For invalid arguments, and for questions and replies that the table has not.
    ImpossibleFeedback
        For replies that fit no object.
    """
    table = Table.of(table)
    clock, top, seconds = Clock(), check_top(top), check_seconds(time_limit)
    fits = dict.fromkeys(table.object_of[table.members(turns)].tolist())
    part = rest_of(table, turns)
    splitting = [] if part is None else [part.questions[place] for place in by_worth(part)]
    found, reason = dict[str, Asked](), "done"

    def left() -> float:
        return math.inf if seconds is None else seconds - clock.seconds

    def ask(within: float, question: str | None = None) -> None:
        """Search for a key that begins with this question; None: with any."""
        nonlocal reason
        assert part is not None
        result = identify(
            part,
            first=None if question is None else [question],
            jobs=jobs,
            time_limit=None if within == math.inf else max(within, LEAST),
            progress=progress,
        )
        key, proven = result.key, result.status is Status.OPTIMAL
        if not proven:
            reason = result.stop_reason
        if key is None or key.root.question is None:
            return
        first = part.questions[key.root.question]
        if first not in found or proven or key.total < found[first].total:
            found[first] = Asked(first, key.total, key.mean, key.mean_questions, key.worst, proven)

    # With a time limit: a good key, then a moment for each question, the most promising first; then the best go on.
    if splitting and seconds is not None:
        ask(left() / 3)
    for place, question in enumerate(splitting):
        if left() <= 0 or reason == "interrupted":
            break
        if question not in found or not found[question].proven:
            ask(left() if seconds is None else left() / 2 / (len(splitting) - place), question)
    for question in sorted(found, key=lambda name: (found[name].total, found[name].worst)):
        if left() <= LEAST or reason == "interrupted":
            break
        if not found[question].proven:
            ask(left() / 2, question)
    best = sorted(found.values(), key=lambda one: (one.total, one.worst, table.question_index(one.question)))
    proven = len(found) == len(splitting) and all(one.proven for one in best)
    return Questions(
        name=table.name,
        turns=tuple(turns),
        objects=tuple(table.objects[one] for one in fits),
        names=table.names(fits),
        questions=tuple(one for one in best if one.total <= best[:top][-1].total),
        status=Status.OPTIMAL if proven else Status.FEASIBLE,
        stop_reason="done" if proven else "time limit" if reason == "done" else reason,
        seconds=clock.seconds,
    )


def rest_of(table: Table, turns: Turns) -> Table | None:
    """Return the table of what fits these turns, without the questions asked; None if nothing is left to ask or to tell
    apart."""
    if isinstance(table, VaryingTable):
        return table.rest(turns)
    asked = {table.question_index(question) for question, _ in turns}
    if len(asked) == len(table.questions):
        return None
    part = table.where(table.members(turns), sorted(asked))
    return None if len(part.outcomes) == 1 else part
