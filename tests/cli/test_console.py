"""Progress in a file is lines; the console's other output is tested with the commands."""

import logging
import re
from threading import Event

import pytest

from llamaindex_rag_eval.cli.console import Printer, progress_lines
from tests.cli.command_line import rag_eval


def test_progress_in_a_file_is_a_line_every_few_seconds_and_one_at_the_end():
    # What is left is told by the pace since the first was done: before, engines are set up.
    lines: list[str] = []
    counted = Event()

    def write(line: str) -> None:
        lines.append(line)
        if "2 of 4" in line:
            counted.set()

    with progress_lines("scoring", write, every=0.001) as report:
        report(1, 4)
        report(2, 4)
        counted.wait()
        report(4, 4)
    assert any(re.fullmatch(r"scoring: 2 of 4, 0:\d\d, 0:\d\d left", line) for line in lines)
    assert re.fullmatch(r"scoring: 4 of 4, 0:\d\d", lines[-1])


def test_work_that_cannot_be_counted_yet_says_how_long_it_takes():
    lines: list[str] = []
    with progress_lines("scoring", lines.append):
        pass
    assert lines == ["scoring: 0:00"]


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_goes_to_stderr_also_when_that_is_a_file(quiet, capsys):
    with Printer(quiet=quiet).progress("scoring") as report:
        report(2, 2)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("scoring: 2 of 2, ") is not quiet


def test_requests_of_clients_are_told_only_where_their_level_was_set(monkeypatch):
    told, silent = logging.getLogger("openai"), logging.getLogger("httpx")
    monkeypatch.setattr(told, "level", logging.INFO)
    monkeypatch.setattr(silent, "level", logging.NOTSET)
    assert rag_eval("more", "metrics", "--quiet").exit_code in (0, 2)
    assert (told.level, silent.level) == (logging.INFO, logging.WARNING)
