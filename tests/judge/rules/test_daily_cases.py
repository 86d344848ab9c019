"""What people write daily: how many cases the embedded judge judges as a reader does.

The numbers are what the rules reach; a change that reaches fewer is a step back.
"""

from collections import Counter

from tests.benchmarks.daily_cases import daily, lengths, worked

REACHED = {
    "daily: right": 78,
    "daily: faithful": 60,
    "lengths: in order": 10,
    "worked examples": 58,
}


def test_as_many_cases_as_before_are_judged_as_a_reader_does() -> None:
    right = Counter(case.task for case in (*daily(), *lengths(), *worked()) if case.is_right)
    assert {task: right[task] >= fewest for task, fewest in REACHED.items()} == dict.fromkeys(
        REACHED, True
    )
