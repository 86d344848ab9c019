"""The screen: results go to stdout, progress and complaints to stderr."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.console import RenderableType

__all__ = ["Screen", "complain"]

Report = Callable[[int, int], None]
"""Called with how much is done, and how much there is."""

NARROWEST = 100
"""Columns assumed where the output is no terminal: tables must not be cut in a log file."""


class Screen:
    """What a command shows, under `--quiet` and `--json`.

    Args:
        quiet: Show nothing but errors.
        as_json: Show results as JSON alone.
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
        """Print what a person should know and a script should not read."""
        if not self.quiet:
            Console(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)

    @contextmanager
    def progress(self, what: str) -> Iterator[Report]:
        """Show a bar with counts and the time left while something goes on."""
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

            def report(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            yield report


def complain(text: str) -> None:
    """Print an error on one line of stderr."""
    console = Console(stderr=True, highlight=False)
    console.print(f"error: {text}", markup=False, soft_wrap=True)
