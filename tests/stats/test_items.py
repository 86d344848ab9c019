"""Difficulty and discrimination of questions, and how surely they order pipelines."""

import numpy as np
from scipy.special import expit

from llamaindex_rag_eval.stats.items import fit_items, simulated_tau, split_half_tau


def made(pipelines: int = 60, questions: int = 40, seed: int = 1):
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=pipelines)
    difficulty = rng.normal(0, 1.2, questions)
    discrimination = np.exp(rng.normal(0, 0.5, questions))
    chance = expit(discrimination * (ability[:, None] - difficulty))
    return ability, difficulty, discrimination, (rng.random(chance.shape) < chance) * 1.0


def test_what_made_the_scores_is_recovered() -> None:
    ability, difficulty, discrimination, scores = made(pipelines=150)
    fit = fit_items(scores)
    assert np.corrcoef(fit.ability, ability)[0, 1] > 0.88
    assert np.corrcoef(fit.difficulty, difficulty)[0, 1] > 0.9
    assert np.corrcoef(np.log(fit.discrimination), np.log(discrimination))[0, 1] > 0.6


def test_the_uncertainty_of_few_pipelines_covers_how_far_discriminations_are_off() -> None:
    _, _, discrimination, scores = made(pipelines=8, questions=300)
    fit = fit_items(scores)
    off = (np.log(fit.discrimination) - np.log(discrimination)) / fit.uncertainty
    assert 0.8 < off.std() < 1.3


def test_a_question_that_all_answer_alike_tells_least_and_one_turned_round_less_than_the_middle():
    scores = made()[-1]
    scores[:, 0], scores[:, 1] = 1, 0
    scores[:, 2] = 1 - (np.argsort(np.argsort(scores.mean(axis=1))) >= len(scores) / 2)
    fit = fit_items(scores)
    assert set(np.argsort(fit.information())[:2]) <= {0, 1, 2}
    assert fit.discrimination[2] < 0.6
    assert fit.difficulty[0] < fit.difficulty[3:].min()
    assert fit.difficulty[1] > fit.difficulty[3:].max()


def test_missing_scores_leave_the_others_as_they_are() -> None:
    scores = made()[-1]
    scores[:10, :20] = np.nan
    fit = fit_items(scores)
    assert np.isfinite(np.concatenate([fit.ability, fit.difficulty, fit.uncertainty])).all()


def test_more_questions_order_more_surely_and_halves_less_surely_than_all() -> None:
    scores = made(pipelines=8, questions=60)[-1]
    fit = fit_items(scores)
    few, many = (simulated_tau(fit, size, runs=200, seed=0).mean() for size in (15, 240))
    assert 0 < few < many <= 1
    halves = split_half_tau(scores, runs=200, seed=0)
    assert 0 < halves.mean() < many
    assert split_half_tau(np.ones((4, 10)), runs=3, seed=0).tolist() == [0, 0, 0]
