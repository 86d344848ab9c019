"""Ctrl-C at the command line: the first one ends the work cleanly, the second one at once.

Imports nothing of this package, so that it works from the first moment on.
"""

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from types import FrameType

INTERRUPTED = 130
"""The exit code of a command that was interrupted: 128 and the number of the signal."""

INTERRUPTED_LINE = "interrupted; what was written is kept, run it again to go on"

SOON = 0.02
"""Seconds until a lost interruption is repeated."""

_reported = threading.Event()


def run_until_interrupted(command: Callable[[], object]) -> None:
    """Run a command; Ctrl-C interrupts it with one line, and the second time ends the process.

    Where somebody else handles the signal, or ignores it, it stays so.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _first)
    try:
        command()
    except (KeyboardInterrupt, SystemExit) as ended:
        # Cyclopts ends with this code, without a word, if it was interrupted itself.
        if isinstance(ended, SystemExit) and ended.code != INTERRUPTED:
            raise
        if not _reported.is_set():
            tell_interrupted()
        # Python ends by the signal, and not with this code, if the last `exec` was interrupted, as
        # one in `dataclass`; one that ends well undoes that.
        exec("")  # noqa: S102
        sys.exit(INTERRUPTED)


def tell_interrupted() -> None:
    """Write the line to stderr."""
    _reported.set()
    sys.stderr.write(f"error: {INTERRUPTED_LINE}\n")


def _first(number: int, frame: FrameType | None) -> None:
    del number, frame
    signal.signal(signal.SIGINT, _second)
    # What ends now ends because of the interruption: no news for anybody.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")  # as of coroutines that nobody awaits any more
    sys.unraisablehook = _unraised
    threading.excepthook = lambda _: None
    raise KeyboardInterrupt


def _unraised(lost: "sys.UnraisableHookArgs") -> None:
    """Interrupt again soon where Python drops an exception, as in a callback after an import."""
    if lost.exc_type is KeyboardInterrupt and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _again)
        signal.setitimer(signal.ITIMER_REAL, SOON)


def _again(number: int, frame: FrameType | None) -> None:
    del number, frame
    if not _reported.is_set():
        raise KeyboardInterrupt


def _second(number: int, frame: FrameType | None) -> None:
    del number, frame
    os._exit(INTERRUPTED)
