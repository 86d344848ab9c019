"""The race: who is dropped, who wins, and how often it errs."""

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.race import Drop, Race, looks_of, pair_levels, pair_tests
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


def test_one_look_at_two_pipelines_is_a_one_sided_test_of_the_best() -> None:
    assert pair_levels(2, (1.0,), 0.05)[0] == pytest.approx(0.05, abs=0.004)


def test_levels_of_one_look_are_those_of_dunnett() -> None:
    # One-sided, 11 treatments, a control, no end of freedom: 2.48; Φ(-2.48) = .0066.
    assert pair_levels(12, (1.0,), 0.05)[0] == pytest.approx(0.0066, rel=0.1)


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
    scores = drawn(np.random.default_rng(0), (0.8, 0.8), 2000)
    leader = int(np.argmax(scores.mean(axis=1)))
    cheaper = [0.0, 0.0]
    cheaper[leader] = 1.0
    race = Race(2, (1.0,), margin=0.1)
    race.look(scores, list(range(2000)), cheaper)
    assert (race.winner, race.drops) == (leader, [])
    assert race.within_margin == (0, 1)
    # One that costs as much and is no better by the margin is of no use; it is not called worse.
    alike = Race(2, (1.0,), margin=0.1)
    alike.look(scores, list(range(2000)))
    (drop,) = alike.drops
    assert (alike.winner, drop.winner, drop.worse) == (leader, leader, False)
    assert (alike.within_margin, alike.ahead_by(0.0, sides=2)) == ((leader,), ())


def test_the_best_of_alike_pipelines_is_rarely_called_worse() -> None:
    generator = np.random.default_rng(1)
    looks = looks_of(100, 20)
    lost = 0
    for _ in range(RACES):
        race = Race(12, tuple(look / 100 for look in looks), margin=0.02)
        after(race, drawn(generator, (0.7,) * 12, 100), looks, list(range(100)))
        lost += any(drop.loser == 0 and drop.worse for drop in race.drops)
    # 5 % is promised: 2 of 40; 5 or more are seen once in twenty.
    assert lost <= 4


def test_the_best_is_rarely_called_worse_where_questions_share_documents() -> None:
    generator = np.random.default_rng(2)
    looks = tuple(range(20, 121, 20))
    labels = [number // 4 for number in range(120)]
    lost = 0
    for _ in range(RACES):
        race = Race(6, tuple(look / 120 for look in looks), margin=0.02)
        alike = np.repeat(generator.normal(0, 0.2, (6, 30)), 4, axis=1)
        scores = np.clip(0.5 + alike + generator.normal(0, 0.1, (6, 120)), 0, 1)
        after(race, scores, looks, labels)
        lost += any(drop.loser == 0 and drop.worse for drop in race.drops)
    assert lost <= 4


def test_a_race_that_the_questions_left_can_hardly_decide_has_no_hope() -> None:
    scores = np.array([[1.0, 0.0] * 30, [0.0, 1.0] * 30])
    for share, margin in ((0.9, 0.02), (0.05, 0.02), (0.9, 0.2)):
        race = Race(2, (share, 1.0), margin)
        race.look(scores, list(range(60)))
        # With most questions still to come, or a wide margin, it may be told.
        assert race.hopeless is ((share, margin) == (0.9, 0.02))
    apart = Race(2, (0.9, 1.0), margin=0.02)
    apart.look(np.array([[1.0] * 20, [1.0] * 17 + [0.0] * 3]), list(range(20)))
    assert (apart.left, apart.hopeless) == ([0, 1], False)


def test_a_winner_is_held_against_those_that_were_dropped() -> None:
    # The first is dropped for the second, which the third beats then; on the first's questions the
    # third is far behind it.
    first = [1.0] * 24 + [0.0] * 16 + [np.nan] * 160
    second = [1.0] * 40 + [0.0] * 160
    third = [0.0] * 40 + [1.0] * 160
    race = Race(3, (0.2, 1.0), margin=0.05)
    race.look(np.array([first, second, third])[:, :40], list(range(40)))
    assert 0 in [drop.loser for drop in race.drops]
    race = Race(3, (0.2, 1.0), margin=0.05, alpha=0.2)
    race.left = [1, 2]
    race.drops = [Drop(0, 1, 0.4, 40, level=0.01, worse=False)]
    race.look(np.array([first, second, third]), list(range(200)))
    assert (race.left, race.winner) == ([2], None)
    assert race.hopeless  # more answers of it alone tell nothing of the first


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
    race, cheaper = Race(3, (1.0,), 0.1), [1.0, 0.0, 0.0]
    race.look(scores, list(range(200)), cheaper)
    assert (race.left, race.within_margin) == ([0, 1], (0, 1))
    few = Race(3, (1.0,), 0.1)
    few.look(scores[:, :10], list(range(10)), cheaper)
    assert (few.left, few.within_margin) == ([0, 1, 2], ())
