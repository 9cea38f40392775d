"""What to ask next: questions by the exact cost of a key that begins with them, over the objects that still fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from optimal.errors import InputError
from optimal.games.arguments import check_seconds, check_top
from optimal.games.feedback import quoted
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.show.table import Grid, Listed
from optimal.show.words import counted, listed
from optimal.tables.identify import identify
from optimal.tables.table import Table

#: Objects that fit are named up to so many.
MOST_NAMED = 10


@dataclass(frozen=True)
class Asked:
    """A question with what a key costs that begins with it."""

    question: str
    total: int | None
    mean: Fraction | None
    mean_questions: Fraction | None
    worst: int | None
    proven: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "total": self.total,
            "mean": None if self.mean is None else float(self.mean),
            "mean_questions": None if self.mean_questions is None else float(self.mean_questions),
            "worst": self.worst,
            "proven": self.proven,
        }


@dataclass(frozen=True, repr=False)
class Questions(Listed[Asked]):
    """The best questions at a point, the best first; those of one total in the table's order."""

    name: str
    turns: tuple[tuple[str, str | None], ...]
    objects: tuple[str, ...]
    questions: tuple[Asked, ...]
    status: Status
    stop_reason: str
    seconds: float

    @property
    def rows(self) -> tuple[Asked, ...]:
        return self.questions

    def to_dict(self) -> dict[str, Any]:
        """What `optimal suggest --table --json` prints."""
        return {
            "table": self.name,
            "replies": [{"question": question, "reply": reply} for question, reply in self.turns],
            "objects": list(self.objects),
            "questions": [asked.to_dict() for asked in self.questions],
            "status": self.status.value,
            "stop_reason": self.stop_reason,
            "seconds": self.seconds,
        }

    @property
    def table(self) -> Grid:
        """The same for people."""
        said = ", ".join(f"{question}={'?' if reply is None else reply}" for question, reply in self.turns)
        after = f" after {said}" if said else ""
        caption = f"{self.name}{after}: {counted(len(self.objects), 'object')} left"
        notes = [f"left: {listed(self.objects, MOST_NAMED)}"] if self.turns else []
        if not self.questions:
            return Grid(f"{caption}; nothing is left to ask", (), (), notes)
        rows = [(one.question, one.mean, one.mean_questions, one.worst, one.proven) for one in self.questions]
        return Grid(caption, ("question", "cost", "questions", "worst", "proven"), rows, notes)


def turn_of(table: Table, text: str) -> tuple[str, str | None]:
    """The question and the reply of "Size=small", None for "Size=?". InputError for what is none of the table."""
    # A name may have the sign in it: the longest question that the text begins with is meant.
    meant = [question for question in table.questions if text.startswith(f"{question}=")]
    if not meant:
        name, sign, _ = text.partition("=")
        if not sign:
            raise InputError(f"{quoted(text)} is no question and reply, such as {table.questions[0]}=...")
        table.question_index(name)
    question = max(meant, key=len)
    reply = text[len(question) + 1 :]
    return question, None if reply == "?" and "?" not in table.replies[table.question_index(question)] else reply


def rank_questions(
    table: Table,
    turns: Sequence[tuple[str, str | None]] = (),
    *,
    top: int = 10,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Questions:
    """The best questions to ask after these replies, with the exact cost of each from there on.

    >>> from optimal import Table
    >>> from optimal.tables.ranking import rank_questions
    >>> table = Table.from_arrays([[0, 0, 0], [0, 1, 1], [1, 1, 2]])
    >>> [(asked.question, asked.total) for asked in rank_questions(table)]
    [('question 3', 3), ('question 1', 5), ('question 2', 5)]
    """
    clock, most = Clock(), check_top(top)
    seconds = check_seconds(time_limit)
    members = table.members(turns)
    objects = tuple(dict.fromkeys(table.objects[one] for one in table.object_of[members].tolist()))
    gone = {table.question_index(question) for question, _ in turns}
    asked: list[Asked] = []
    status, reason = Status.OPTIMAL, "done"
    if len(gone) < len(table.questions):
        part = table.where(members, sorted(gone))
        alike = len(set(part.group_of.tolist())) == 1 or len(set(part.column_of.tolist())) == 1
        splitting = (
            []
            if alike
            else [question for question, row in zip(part.questions, part.codes, strict=True) if (row != row[0]).any()]
        )
        for question in splitting:
            left = None if seconds is None else max(0.01, seconds - clock.seconds)
            found = identify(part, openers=[question], jobs=jobs, time_limit=left, progress=progress)
            key = found.key
            if found.status is not Status.OPTIMAL:
                status, reason = Status.FEASIBLE, found.stop_reason
            asked.append(
                Asked(
                    question,
                    None if key is None else key.total,
                    None if key is None else key.mean,
                    None if key is None else key.mean_questions,
                    None if key is None else key.worst,
                    found.status is Status.OPTIMAL,
                )
            )
            if found.stop_reason == "interrupted":
                break
    order = {question: place for place, question in enumerate(table.questions)}
    asked.sort(key=lambda one: (one.total is None, one.total, one.worst, order[one.question]))
    kept = [
        one
        for one in asked
        if len(asked) <= most or (one.total is not None and one.total <= (asked[most - 1].total or 0))
    ]
    return Questions(table.name, tuple(turns), objects, tuple(kept or asked[:most]), status, reason, clock.seconds)
