"""The console: results go to stdout, progress and notes to stderr."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.console import RenderableType

__all__ = ["Printer"]

ReportProgress = Callable[[int, int], None]
"""Called with how many are done, and how many there are."""

NARROWEST = 100
"""Columns assumed where the output is no terminal: tables must not be cut in a log file."""


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
        console = Console(highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, NARROWEST)
        for part in what:
            console.print(part, markup=False, soft_wrap=isinstance(part, str))

    def data(self, value: "JsonValue") -> None:
        """Print results for scripts: one JSON document."""
        if self.as_json:
            text = json.dumps(value, ensure_ascii=False, indent=2)
            Console(highlight=False).out(text, highlight=False)

    def note(self, text: str) -> None:
        """Print to stderr what a person should know and a script should not read."""
        if not self.quiet:
            Console(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)

    @contextmanager
    def progress(self, what: str) -> Iterator[ReportProgress]:
        """Show a bar with counts and the time left until the block ends."""
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
        console = Console(stderr=True)
        with Progress(*columns, console=console, disable=self.quiet) as bar:
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
                    reports[name] = bars.enter_context(self.progress(f"{what} {name}"))
                reports[name](done, total)

            yield report
