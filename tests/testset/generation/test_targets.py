"""Targets: what there is goes to what is wanted, with as little amiss as can be."""

from collections.abc import Sequence
from random import Random

import pytest
import scipy.optimize

from testset.generation.quotas import Stratum
from testset.generation.targets import WEIGHTS, Traits, assigned
from testset.generation.traffic import Target

TYPES = ("single_hop", "table", "conditional", "unanswerable")


def amiss(target: Target, traits: Traits) -> int:
    """Return what is amiss with a question for a target, axis by axis."""
    pairs = {axis: (getattr(target, axis), traits.get(axis, "")) for axis in WEIGHTS}
    return sum(WEIGHTS[axis] for axis, (a, b) in pairs.items() if a and b and a != b)


def drawn(draw: Random, wanted: int, there: int, *, topics: int = 3, open_: bool = True):
    """Return targets and questions of random types, topics and users; some leave these open."""
    names = [f"topic {number}" for number in range(topics)]
    blank = [""] if open_ else []
    targets = [
        Target(
            type=draw.choice([*TYPES, *blank]),
            topic=draw.choice([*names, *blank]),
            user=draw.choice(["keeper", ""]) if open_ else "",
        )
        for _ in range(wanted)
    ]
    questions = [
        {
            **Stratum(draw.choice(names), draw.choice(TYPES)).traits,
            "user": draw.choice(["keeper", "nurse", ""]),
            "complete": draw.choice(["yes", "no"]) if open_ else "yes",
        }
        for _ in range(there)
    ]
    return targets, questions


@pytest.mark.parametrize("seed", range(100))
def test_no_assignment_of_single_questions_has_less_amiss(seed: int):
    draw = Random(seed)
    targets, questions = drawn(draw, draw.randrange(9), draw.randrange(12))
    costs = [[amiss(target, traits) for traits in questions] for target in targets]
    best = 0
    if targets and questions:
        rows, columns = scipy.optimize.linear_sum_assignment(costs)
        best = sum(costs[row][column] for row, column in zip(rows, columns, strict=True))
    pairs = assigned(targets, questions)
    assert len(pairs) == min(len(targets), len(questions))
    assert len({target for target, _ in pairs.values()}) == len(pairs)
    assert all(
        own == amiss(targets[target], questions[number]) for number, (target, own) in pairs.items()
    )
    assert sum(own for _, own in pairs.values()) == best


def test_of_questions_that_are_alike_the_first_are_taken():
    same = Stratum("pumps", "table").traits
    others = Stratum("pumps", "single_hop").traits
    wanted = [Target(type="table", topic="pumps"), Target(type="table")]
    assert list(assigned(wanted, [others, same, same, same])) == [1, 2]


def test_a_question_without_an_answer_is_the_last_to_stand_in_for_one_with():
    there = [Stratum("pumps", name).traits for name in ("unanswerable", "conditional")]
    assert list(assigned([Target(type="table", topic="pumps")], there)) == [1]


def test_ten_times_as_many_questions_take_far_less_than_a_hundred_times_the_operations(
    monkeypatch: pytest.MonkeyPatch,
):
    # What is compared with one another is counted: the cells of the matrices that are solved,
    # which takes about as many operations for each row again, and one for each question.
    solve, counted = scipy.optimize.linear_sum_assignment, list[int]()

    def counting(costs) -> tuple[Sequence[int], Sequence[int]]:
        counted.append(costs.size)
        return solve(costs)

    monkeypatch.setattr(scipy.optimize, "linear_sum_assignment", counting)
    operations = []
    for size in (200, 2000):
        targets, questions = drawn(Random(7), size, 2 * size, topics=20, open_=False)
        counted.clear()
        assert len(assigned(targets, questions)) == size
        operations.append(len(questions) + sum(counted))
    assert operations[1] <= 12 * operations[0]
