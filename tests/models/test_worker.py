import threading

from llamaindex_rag_eval.models import worker
from llamaindex_rag_eval.models.worker import Worker


class Counting(Worker):
    """Has something to do for each thing that is added, and fails at some."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0
        self.threads: list[str] = []

    def due(self) -> float | None:
        return 0.0 if self.left else None

    def work(self) -> None:
        with self.change:
            self.left -= 1
            self.threads.append(threading.current_thread().name)
            self.change.notify_all()

    def add(self, count: int) -> None:
        with self.change:
            self.left += count
            self.wake()
            assert self.change.wait_for(lambda: not self.left, 60)


def test_works_off_the_thread_that_asks_and_ends_when_idle(monkeypatch) -> None:
    monkeypatch.setattr(worker, "IDLE", 0.01)
    counting = Counting()
    counting.add(3)
    thread = counting._thread
    if thread is not None:
        thread.join(60)
    assert counting._thread is None
    counting.add(2)
    counting.end(60)
    assert counting.threads == ["Counting"] * 5


def test_the_pause_after_a_failure_grows_and_ends_with_a_success() -> None:
    counting = Counting()
    counting.begin()
    waits = []
    for _ in range(12):
        counting.fail(OSError("away"))
        counting.left = 1
        waits.append(counting._seconds() or 0.0)
    assert 0 < waits[0] < waits[-1] <= 1
    assert (counting.failures, counting.error, counting.silence > 0) == (12, "away", True)
    counting.succeed()
    assert (counting.failures, counting.silence) == (0, 0.0)
