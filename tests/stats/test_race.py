"""The race: who is dropped, who wins, and how often it errs."""

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.race import Race, looks_of, pair_levels, pair_tests
from llamaindex_rag_eval.stats.sample_values import Floats

RACES = 40


def drawn(generator: np.random.Generator, rates: tuple[float, ...], questions: int) -> Floats:
    """Return yes and no for each pipeline; a hard question is hard for all of them."""
    hard = generator.beta(2, 2, questions)
    own = generator.beta(2, 2, (len(rates), questions))
    least = np.sort((hard + generator.beta(2, 2, (2000, questions))).ravel())
    cuts = [least[int((1 - rate) * (len(least) - 1))] for rate in rates]
    return np.where(hard + own > np.array(cuts)[:, None], 1.0, 0.0)


def after(race: Race, scores: Floats, looks: tuple[int, ...], labels: list[int]) -> int:
    """Let a race run, and return how many answers it needed."""
    answers = before = 0
    for look in looks:
        answers += len(race.left) * (look - before)
        before = look
        race.look(scores[:, :look], labels[:look])
        if race.winner is not None:
            break
    return answers


def test_one_look_at_two_pipelines_is_a_two_sided_test() -> None:
    assert pair_levels(2, (1.0,), 0.05)[0] == pytest.approx(0.025, abs=0.002)


def test_levels_of_one_look_are_those_of_tukey() -> None:
    # q of the studentized range at 5 %, 12 groups, no end of freedom: 4.62; Φ(-4.62 / √2) = .00055.
    assert pair_levels(12, (1.0,), 0.05)[0] == pytest.approx(0.00055, rel=0.15)


def test_more_looks_and_more_pipelines_leave_each_pair_less() -> None:
    one, two = pair_levels(4, (1.0,), 0.05)[0], pair_levels(4, (0.5, 1.0), 0.05)
    assert max(two) < one
    assert pair_levels(8, (1.0,), 0.05)[0] < one


def test_looks_grow_and_end_with_all_questions() -> None:
    assert looks_of(8, 20) == (8,)
    assert looks_of(200, 20)[-1] == 200
    assert all(a < b for a, b in zip(looks_of(200, 20), looks_of(200, 20)[1:], strict=False))


def test_pairs_are_tested_on_the_questions_that_both_have() -> None:
    scores = np.array([[1.0, 1.0, np.nan, 0.0], [0.0, np.nan, 1.0, 0.0]])
    tests = pair_tests(scores, [0, 1, 2, 2], 1.0)
    # Both have the first and the last question: (1 + 0) / 2.
    assert tests.difference[0, 1] == pytest.approx(1 / 2)
    assert tests.difference[1, 0] == pytest.approx(-1 / 2)
    assert tests.design.n[0, 1] == 2


def test_a_clear_loser_is_dropped_and_told_with_the_best_of_those_that_beat_it() -> None:
    scores = np.array([[1.0] * 40, [0.0] * 40, [1.0] * 39 + [0.0]])
    race = Race(3, (0.2, 1.0), margin=0.05)
    race.look(scores, list(range(40)))
    (drop,) = race.drops
    assert (drop.loser, drop.winner, drop.difference, drop.questions) == (1, 0, 1.0, 40)
    assert race.left == [0, 2]
    assert race.winner is None


def test_half_a_dozen_questions_drop_nobody() -> None:
    race = Race(12, (0.1, 1.0), margin=0.05)
    race.look(np.array([[1.0] * 6, *[[0.0] * 6] * 11]), list(range(6)))
    assert race.drops == []


def test_the_last_one_left_has_won() -> None:
    race = Race(2, (1.0,), margin=0.05)
    race.look(np.array([[1.0] * 40, [0.0] * 40]), list(range(40)))
    assert (race.left, race.winner) == ([0], 0)


def test_a_pipeline_without_any_score_is_neither_dropped_nor_ahead() -> None:
    race = Race(3, (1.0,), margin=0.05)
    scores = np.array([[np.nan] * 40, [1.0] * 40, [0.0] * 40])
    race.look(scores, list(range(40)))
    assert race.left == [0, 1]
    assert race.leader == 1


def test_the_winner_of_many_alike_is_shown_within_a_wide_margin() -> None:
    generator = np.random.default_rng(0)
    scores = drawn(generator, (0.8, 0.8), 2000)
    race = Race(2, (1.0,), margin=0.1)
    race.look(scores, list(range(2000)))
    assert race.winner is not None
    assert race.drops == []


def test_alike_pipelines_are_rarely_dropped() -> None:
    generator = np.random.default_rng(1)
    looks = looks_of(100, 20)
    wrong = 0
    for _ in range(RACES):
        race = Race(12, tuple(look / 100 for look in looks), margin=0.02)
        after(race, drawn(generator, (0.7,) * 12, 100), looks, list(range(100)))
        wrong += bool(race.drops)
    # 5 % is promised: 2 of 40; 5 or more are seen once in twenty.
    assert wrong <= 4


def test_alike_pipelines_are_rarely_dropped_where_questions_share_documents() -> None:
    generator = np.random.default_rng(2)
    looks = tuple(range(20, 121, 20))
    labels = [number // 4 for number in range(120)]
    wrong = 0
    for _ in range(RACES):
        race = Race(6, tuple(look / 120 for look in looks), margin=0.02)
        alike = np.repeat(generator.normal(0, 0.2, (6, 30)), 4, axis=1)
        scores = np.clip(0.5 + alike + generator.normal(0, 0.1, (6, 120)), 0, 1)
        after(race, scores, looks, labels)
        wrong += bool(race.drops)
    assert wrong <= 4


def test_half_of_the_answers_are_saved_where_two_of_twelve_are_good() -> None:
    generator = np.random.default_rng(3)
    looks = looks_of(200, 20)
    answers = wrong = 0
    for _ in range(8):
        race = Race(12, tuple(look / 200 for look in looks), margin=0.02)
        answers += after(
            race, drawn(generator, (0.85, 0.85, *(0.55,) * 10), 200), looks, list(range(200))
        )
        wrong += any(drop.loser < 2 for drop in race.drops)
    assert answers / (8 * 12 * 200) < 0.5
    assert wrong <= 1


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="margin above 0"):
        Race(2, (1.0,), margin=0)
    with pytest.raises(InputError, match="alpha"):
        Race(2, (1.0,), margin=0.1, alpha=1)


def test_all_that_are_within_the_margin_of_every_other_are_shown_to_be_and_no_worse_one() -> None:
    scores = np.array([[1.0] * 200, [1.0] * 199 + [0.0], [1.0] * 100 + [0.0] * 100])
    race = Race(3, (1.0,), 0.1)
    race.look(scores, list(range(200)))
    assert (race.left, race.within_margin) == ([0, 1], (0, 1))
    few = Race(3, (1.0,), 0.1)
    few.look(scores[:, :10], list(range(10)))
    assert (few.left, few.within_margin) == ([0, 1, 2], ())
