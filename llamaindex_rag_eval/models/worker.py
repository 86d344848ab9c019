"""A thread that works when there is something to do, and ends when there has been nothing."""

import threading
import time

from llamaindex_rag_eval.models.retry import RetryPolicy

IDLE = 5.0
"""Seconds after which a thread with nothing to do ends; the next `wake` starts another."""

AGAIN = RetryPolicy(retries=None, first_wait=0.05, longest_wait=1.0, transient=lambda _: True)
"""The pauses between attempts at what fails, however long it does."""


class Worker:
    """Runs `work` in a thread of its own whenever `due` says so.

    Attributes:
        change: Held while state is read or changed; notified of what another thread waits for.
        failures: Attempts in a row that failed.
        failing_since: When the first attempt began that has not succeeded yet; also while it waits
            for an answer. `None` if the last one succeeded.
        error: Why the last one failed.
    """

    def __init__(self) -> None:
        self.change = threading.Condition()
        self.failures = 0
        self.failing_since: float | None = None
        self.error = "no answer"
        self._resume = 0.0
        self._ended = False
        self._thread: threading.Thread | None = None

    def due(self) -> float | None:
        """Return in how many seconds there is something to do; `None` if there is nothing."""
        raise NotImplementedError

    def work(self) -> None:
        """Do what is due."""
        raise NotImplementedError

    def wake(self) -> None:
        """Look for something to do; `change` is held."""
        if self._thread is None and not self._ended:
            self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)
            self._thread.start()
        self.change.notify_all()

    def end(self, seconds: float) -> None:
        """End the thread, and wait for that."""
        with self.change:
            self._ended, thread = True, self._thread
            self.change.notify_all()
        if thread is not None:
            thread.join(seconds)

    @property
    def silence(self) -> float:
        """Seconds since an attempt began that has not succeeded yet; 0 if the last one did."""
        since = self.failing_since
        return 0.0 if since is None else time.monotonic() - since

    def begin(self) -> None:
        """Note that an attempt begins."""
        self.failing_since = self.failing_since or time.monotonic()

    def succeed(self) -> None:
        """Note that an attempt succeeded."""
        self.failures, self.failing_since = 0, None

    def fail(self, error: Exception) -> None:
        """Note that it failed; the next one has to wait."""
        self.failures += 1
        self.error = str(error)
        self._resume = time.monotonic() + (AGAIN.wait(error, self.failures) or 0.0)

    def _run(self) -> None:
        while True:
            with self.change:
                seconds = self._seconds()
                if seconds is None or seconds > 0:
                    told = self.change.wait(IDLE if seconds is None else seconds)
                    if self._ended or (seconds is None and not told and self._seconds() is None):
                        self._thread = None
                        return
                    continue
            self.work()

    def _seconds(self) -> float | None:
        """Return when to work; not before the pause after a failure is over."""
        if self._ended:
            return IDLE
        seconds = self.due()
        return None if seconds is None else max(seconds, self._resume - time.monotonic())
