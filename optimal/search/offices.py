"""A game's question as it travels, and what a process does that has it: see `optimal.search.processes`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from optimal._engine import Control, Search
from optimal.errors import OptimalError
from optimal.games.game import packed, restored
from optimal.journal.records import Note
from optimal.search.engine import Engine, budget_of, engine_limit, learn
from optimal.search.game_run import counters_of, put_together
from optimal.search.jobs import measure_supersets, searches_of
from optimal.search.processes import Controls, Office, Task
from optimal.search.question import Question

if TYPE_CHECKING:
    from optimal._engine import Nested


@dataclass(frozen=True)
class GameParcel:
    """A question of a game: one of words or codes without its matrix, which its receiver makes again."""

    game: Mapping[str, Any]
    question: Mapping[str, Any]
    known_as: Mapping[str, str]

    @classmethod
    def of(cls, question: Question) -> GameParcel:
        rest = {each.name: getattr(question, each.name) for each in fields(question) if each.name != "game"}
        return cls(packed(question.game), rest, question.identity)

    def open(self, **changes: Any) -> Question:
        """The question, with these changes. Raises OptimalError where it did not arrive as it was sent."""
        question = Question(game=restored(self.game), **{**self.question, **changes})
        if question.identity != self.known_as:
            raise OptimalError("the game's lists arrived there as others")
        return question

    def office(self, control_of: Controls, cores: int | None = None) -> GameOffice:
        if cores is None:
            return GameOffice(self.open(), control_of)
        options = replace(self.question["options"], jobs=cores, backend="threads", scheduler=None)
        return GameOffice(self.open(options=options), control_of, cores)


class GameOffice(Office[Search]):
    """One whose searches share an engine, and a table."""

    def __init__(self, question: Question, control_of: Controls, threads: int = 1) -> None:
        super().__init__(control_of)
        self._question, self._threads = question, threads
        self._engine: Engine | None = None

    def _made(self, control: Control) -> list[Search]:
        if self._engine is None:
            self._engine = self._question.engine()
            openers = sorted(set(self._question.alike(self._question.chosen).values()))
            measure_supersets(self._question, self._engine, openers, self._threads, control)
        searches = searches_of(self._engine, control, self._threads)
        for search in searches:
            search.use(self._engine.supersets)
            search.take_notes()
        return searches

    def _one_more(self, control: Control) -> Search:
        assert self._engine is not None
        return self._engine.search(control)

    def _settle(self, search: Search, task: Task, opener: int, notes: tuple[Note, ...]) -> tuple[int, bool, bool]:
        for note in notes:
            learn(search, note)
        budget = budget_of(search.control)
        value, ended = search.opener_slice(opener, engine_limit(task.limit), budget, task.looks)
        return value, ended, ended and value < budget

    def _trees(self, search: Search, task: Task, opener: int, value: int) -> Iterable[Nested]:
        return put_together(self._question, task.limit, search, opener, value)

    def _counters(self, search: Search) -> tuple[int, ...]:
        return counters_of(search)
