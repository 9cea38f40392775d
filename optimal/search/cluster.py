"""A run on a cluster: joblib's Dask backend. The openers go to the workers as tasks (`optimal.search.processes`).

Every worker gets the question once, builds the game itself, and is heard only where its version and the hashes of its
lists are ours. Incumbents, and the word to stop, are pushed to all workers as soon as they are known.
"""

from __future__ import annotations

import logging
import queue
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from optimal import _search
from optimal._search import Control
from optimal._version import __version__
from optimal.errors import InputError, InternalError, OptimalError
from optimal.games.game import Game, feedback_matrix
from optimal.journal.journal import identity
from optimal.search.engine import new_control
from optimal.search.processes import Done, Office, Task, settle_by_tasks
from optimal.search.question import Question
from optimal.search.run import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from distributed import Client

#: Seconds to wait for the scheduler, and between two looks at the incumbent and the stop flag.
CONNECT, HERALD = 10.0, 0.1
#: Without a word from the scheduler for so long, the run ends.
LOST = 5.0
#: Tasks that are sent ahead at least, for workers that join.
AHEAD = 256
#: How often workers are set up anew, where some are lost in the middle of it.
TRIES = 3
_LOST_IT = "the connection to the scheduler is lost; what was proven before is kept"


@dataclass(frozen=True)
class Parcel:
    """A question as it travels: a game of words or codes without its matrix, which its receiver makes again."""

    game: Mapping[str, Any]
    question: Mapping[str, Any]
    known_as: Mapping[str, str]
    version: str

    @classmethod
    def of(cls, question: Question) -> Parcel:
        game = question.game
        own = {each.name: getattr(game, each.name) for each in fields(game)}
        if game.feedback is not None:
            del own["matrix"]
        rest = {each.name: getattr(question, each.name) for each in fields(question) if each.name != "game"}
        return cls(own, rest, _identity(question), __version__)

    def open(self, jobs: int) -> Question:
        """The question, for a process that works at it with so many threads. Raises OptimalError where this program, or
        what it makes of the lists, is another one."""
        if self.version != __version__:
            raise OptimalError(f"optimal {__version__} is installed there, and {self.version} here")
        own = dict(self.game)
        if "matrix" not in own:
            own["matrix"] = feedback_matrix(own["feedback"], own["guesses"], own["answers"])
        rest = {**self.question, "jobs": jobs, "backend": "threads", "scheduler": None}
        question = Question(game=Game(**own), **rest)
        if _identity(question) != self.known_as:
            raise OptimalError("the game's lists arrived there as others")
        return question


def _identity(question: Question) -> dict[str, str]:
    return identity(question.game, question.limit, question.objective, question.weights)


class _Branch:
    """A worker process's end of the run of one token."""

    def __init__(self, question: Question) -> None:
        self._controls: dict[int, Control] = {}
        self._lock = threading.Lock()
        self.office = Office(question, self.control, question.jobs)

    def control(self, limit: int) -> Control:
        with self._lock:
            if limit not in self._controls:
                self._controls[limit] = new_control()
                self._controls[limit].incumbent = _search.INFEASIBLE
            return self._controls[limit]

    def hear(self, limit: int, incumbent: int, stop: bool) -> None:
        control = self.control(limit)
        control.incumbent = min(control.incumbent, incumbent)
        if stop:
            with self._lock:
                for each in self._controls.values():
                    each.stop()


#: The branches of this process, by the token of their run.
_branches: dict[str, _Branch] = {}


def _open_branch(token: str, parcel: Parcel, threads: int) -> None:
    _branches[token] = _Branch(parcel.open(threads))


async def _hear(token: str, limit: int, incumbent: int, stop: bool) -> None:
    # A coroutine: Dask waits for nothing else to end, as it is asked to.
    if token in _branches:
        _branches[token].hear(limit, incumbent, stop)


def _close_branch(token: str) -> None:
    if token in _branches:
        _branches[token].hear(0, _search.INFEASIBLE, stop=True)
        del _branches[token]


def _do(token: str, task: Task) -> Done:
    if token not in _branches:
        raise OptimalError("a worker joined that could not be set up for this run; its log tells why")
    return _branches[token].office.do(task)


@contextmanager
def connected(question: Question) -> Iterator[Client]:
    """A client of the scheduler asked for, or of a cluster of as many workers as there are jobs, started here."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError("the backend dask needs dask.distributed: pip install 'optimal-guess[cluster]'") from None
    # They tell of a lost scheduler in a hundred lines.
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    levels = {name: logging.getLogger(name).level for name in (*names, "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    cluster = None
    if question.scheduler is None:
        cluster = LocalCluster(
            n_workers=question.jobs, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", memory_limit=0
        )
    address = question.scheduler if cluster is None else cluster
    try:
        try:
            client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(f"no scheduler answers at {question.scheduler}: {error}") from None
        with client:
            yield client
    finally:
        if cluster is not None:
            cluster.close()
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def settle_on_cluster(question: Question, run: Run, order: Sequence[int]) -> None:
    """Settle the openers by the workers of a cluster. Raises OptimalError where the scheduler is lost, a worker has
    another program, or there is no worker; what was proven by then is kept."""
    if run.stopped or not order:
        return
    with connected(question) as client, _loss_told(client):
        if not client.ncores():
            with suppress(TimeoutError):
                client.wait_for_workers(1, timeout=CONNECT)
        workers = sum(client.ncores().values())
        if not workers:
            raise InputError(f"the scheduler at {question.scheduler} has no workers")
        token = uuid.uuid4().hex
        with _open_branches(client, token, Parcel.of(question)), _herald(client, token, run):
            settle_by_tasks(question, run, order, workers, lambda tasks: _done(client, token, run, tasks, workers))


@contextmanager
def _loss_told(client: Client) -> Iterator[None]:
    """Whatever goes wrong because the scheduler is lost is told as that."""
    try:
        yield
    except (OptimalError, InternalError, MemoryError):
        raise
    except Exception as error:
        if _answers(client):
            raise
        raise OptimalError(_LOST_IT) from error


def _answers(client: Client) -> bool:
    """Whether the scheduler is there."""
    if client.scheduler is None:
        return False
    try:
        client.sync(client.scheduler.ncores, callback_timeout=LOST)
    except Exception:
        return False
    return client.status == "running"


def _done(client: Client, token: str, run: Run, tasks: Iterator[Task], workers: int) -> Iterator[Done]:
    """What comes of the tasks, as it comes. Joblib has no word for a scheduler that is lost, so it works in a thread of
    its own, which is left behind then."""
    from distributed.client import FutureCancelledError as CancelledError
    from joblib import Parallel, delayed, parallel_config
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            # With a single job joblib would do the tasks here, one after the other.
            return max(2, int(super().effective_n_jobs(n_jobs)))

    found: queue.SimpleQueue[Done | BaseException | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            with parallel_config(backend=Backend(client=client)):
                parallel = Parallel(
                    n_jobs=workers, batch_size=1, pre_dispatch=max(AHEAD, 4 * workers), return_as="generator_unordered"
                )
                for done in parallel(delayed(_do)(token, task) for task in tasks):
                    found.put(done)
            found.put(None)
        except BaseException as error:
            found.put(error)

    threading.Thread(target=work, name="dask tasks", daemon=True).start()
    silent = 0.0
    while True:
        try:
            done = found.get(timeout=HERALD)
        except queue.Empty:
            silent = 0.0 if client.status == "running" else silent + HERALD
            if silent > LOST or client.status == "closed":
                raise OptimalError(_LOST_IT) from None
            continue
        if done is None:
            return
        if isinstance(done, BaseException):
            if run.stopped:
                return
            if client.status != "running" or isinstance(done, CancelledError):
                raise OptimalError(_LOST_IT) from None
            reason = " ".join(f"{type(done).__name__}: {done}".split())
            raise OptimalError(f"a worker failed: {reason[:300]}") from done
        yield done


@contextmanager
def _open_branches(client: Client, token: str, parcel: Parcel) -> Iterator[None]:
    """Have every worker, and those that join later, ready for a run."""
    from distributed import WorkerPlugin

    class Branches(WorkerPlugin):
        name = f"optimal {token}"

        def setup(self, worker: Any) -> None:
            _open_branch(token, parcel, worker.state.nthreads)

        def teardown(self, worker: Any) -> None:
            _close_branch(token)

    try:
        for left in reversed(range(TRIES)):
            try:
                client.register_plugin(Branches())
                break
            except Exception as error:
                if left == 0 or not isinstance(error, OSError):  # a worker that is just gone
                    if not _answers(client):
                        raise OptimalError(_LOST_IT) from None
                    reason = " ".join(f"{type(error).__name__}: {error}".split())
                    raise OptimalError(f"a worker can't be used: {reason[:300]}") from None
        yield
    finally:
        if client.status == "running":
            with suppress(Exception):
                client.unregister_worker_plugin(Branches.name)


@contextmanager
def _herald(client: Client, token: str, run: Run) -> Iterator[None]:
    """Tell all workers of a better incumbent, and of the end, as soon as it is known."""
    over = threading.Event()

    def tell() -> None:
        told: tuple[int, int, bool] | None = None
        while not over.wait(HERALD):
            news = (run.limit, run.control.incumbent, run.stopped)
            if news != told and client.status == "running":
                with suppress(Exception):
                    client.run(_hear, token, *news, wait=False, on_error="ignore")
                    told = news

    thread = threading.Thread(target=tell, name="herald", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=1.0)
