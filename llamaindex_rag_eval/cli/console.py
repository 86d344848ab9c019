"""The console: results go to stdout, progress and notes to stderr."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console

from llamaindex_rag_eval.data.plain_text import json_safe, plain_text

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment

ReportProgress = Callable[[int, int], None]
"""Called with how many are done, and how many there are."""

NARROWEST = 100
"""Columns assumed where the output is no terminal: tables must not be cut in a log file."""


LINE_EVERY = 5.0
"""Seconds between two lines of progress in a file."""


@contextmanager
def progress_lines(
    what: str, write: Callable[[str], None], *, every: float = LINE_EVERY
) -> Iterator[ReportProgress]:
    """Write progress where a bar cannot be drawn, as in a log file: lines until the block ends.

    Args:
        what: What is being done.
        write: Called with each line, also from another thread.
        every: Seconds between two lines; the last is written when the block ends.
    """
    start, ended, counts = monotonic(), Event(), [0, 0]

    def line() -> str:
        done, total = counts
        spent = monotonic() - start
        of = f" {done} of {total}," if total else ""
        left = f", {_duration(spent * (total - done) / done)} left" if 0 < done < total else ""
        return f"{what}:{of} {_duration(spent)}{left}"

    def repeat() -> None:
        while not ended.wait(every):
            write(line())

    def report(done: int, total: int) -> None:
        counts[:] = done, total

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield report
    except BaseException:
        if any(counts):
            write(line())
        raise
    else:
        write(line())
    finally:
        ended.set()
        thread.join()


def _duration(seconds: float) -> str:
    """Return a duration in hours, minutes and seconds.

    Example:
        >>> _duration(7.4), _duration(3723)
        ('0:07', '1:02:03')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class PlainConsole(Console):
    """A console on which no printed text can command the terminal; its own colours stay."""

    def render(
        self, renderable: "RenderableType", options: "ConsoleOptions | None" = None
    ) -> "Iterable[Segment]":
        """Yield what is printed, without the control codes of texts."""
        for part in super().render(renderable, options):
            yield part if part.control else part._replace(text=plain_text(part.text))


class PlainFormatter(logging.Formatter):
    """Formats lines of a log that cannot command the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, without control codes."""
        return plain_text(super().format(record))


class Printer:
    """Prints what a command reports, under `--quiet` and `--json`.

    Args:
        quiet: Print nothing but errors.
        as_json: Print results as JSON alone.
    """

    def __init__(self, *, quiet: bool = False, as_json: bool = False) -> None:
        self.quiet = quiet
        self.as_json = as_json

    def show(self, *what: "RenderableType") -> None:
        """Print results for people."""
        if self.quiet or self.as_json:
            return
        console = PlainConsole(highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, NARROWEST)
        for part in what:
            console.print(part, markup=False, soft_wrap=isinstance(part, str))

    def data(self, value: "JsonValue") -> None:
        """Print results for scripts: one JSON document."""
        if self.as_json:
            text = json.dumps(value, ensure_ascii=False, indent=2)
            Console(highlight=False).out(json_safe(text), highlight=False)

    def note(self, text: str) -> None:
        """Print to stderr what a person should know and a script should not read."""
        if not self.quiet:
            PlainConsole(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)

    @contextmanager
    def progress(self, what: str) -> Iterator[ReportProgress]:
        """Show counts and the time left until the block ends: a bar, or lines in a file."""
        console = PlainConsole(stderr=True)
        if self.quiet:
            yield lambda _done, _total: None
            return
        if not console.is_terminal:
            with progress_lines(what, self.note) as report:
                yield report
            return
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
        )
        with Progress(*columns, console=console) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    @contextmanager
    def progress_by_name(self, what: str) -> Iterator[Callable[[str, int, int], None]]:
        """Show a bar for each name in turn, from its first report on."""
        with ExitStack() as bars:
            reports: dict[str, ReportProgress] = {}

            def report(name: str, done: int, total: int) -> None:
                if name not in reports:
                    bars.close()
                    reports[name] = bars.enter_context(self.progress(f"{what} {name}".strip()))
                reports[name](done, total)

            yield report
