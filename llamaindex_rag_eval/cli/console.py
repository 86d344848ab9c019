"""The console: results go to stdout, progress and notes to stderr."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.plain_text import json_safe, plain_text

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
    begun: list[tuple[float, int]] = []  # when something was done first, and how much

    def line() -> str:
        done, total = counts
        now = monotonic()
        of = f" {done} of {total}," if total else ""
        left = ""
        if begun and begun[0][1] < done < total:
            pace = (now - begun[0][0]) / (done - begun[0][1])
            left = f", {_duration(pace * (total - done))} left"
        return f"{what}:{of} {_duration(now - start)}{left}"

    def repeat() -> None:
        while not ended.wait(every):
            write(line())

    def report(done: int, total: int) -> None:
        counts[:] = done, total
        if done and not begun:
            begun.append((monotonic(), done))

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


def _shown(text: str) -> str:
    # Most parts of a table are the space around its texts.
    return without_keys(plain_text(text)) if text.strip(" \n") else text


class PlainConsole(Console):
    """A console that prints no key, and on which no text can command the terminal.

    Its own colours stay.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield what is printed, without the control codes of texts."""
        for part in super().render(renderable, options):
            yield part if part.control else part._replace(text=_shown(part.text))


def print_line(text: str) -> None:
    """Print a line to stderr."""
    PlainConsole(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)


class PlainFormatter(logging.Formatter):
    """Formats lines of a log that hold no key and cannot command the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, without keys and control codes."""
        return _shown(super().format(record))


@dataclass(kw_only=True)
class Printer:
    """Prints what a command reports.

    Attributes:
        quiet: Whether nothing but errors is printed.
        as_json: Whether results are printed as JSON on stdout.
    """

    quiet: bool = False
    as_json: bool = False

    def show(self, *what: RenderableType) -> None:
        """Print results for people."""
        if self.quiet or self.as_json:
            return
        console = PlainConsole(highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, NARROWEST)
        for part in what:
            console.print(part, markup=False, soft_wrap=isinstance(part, str))

    def data(self, value: "library.JsonValue") -> None:
        """Print results for scripts: one JSON document."""
        if self.as_json:
            console = Console(highlight=False)
            is_unicode = console.encoding.startswith("utf")
            text = json.dumps(without_keys(value), ensure_ascii=not is_unicode, indent=2)
            console.out(json_safe(text), highlight=False)

    def note(self, text: str) -> None:
        """Print to stderr what a person should know and a script should not read."""
        if not self.quiet:
            print_line(text)

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
        from rich import progress as rich

        columns = (
            rich.TextColumn("{task.description}", markup=False),
            rich.BarColumn(),
            rich.MofNCompleteColumn(),
            rich.TimeRemainingColumn(compact=True),
        )
        with rich.Progress(*columns, console=console) as bar:
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


printer = Printer()
"""What all commands print by; `rag-eval --quiet` and `--json` set it."""
