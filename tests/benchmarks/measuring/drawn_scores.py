"""Scores of a known mean, and changes of a known size, to draw samples from."""

from collections.abc import Callable

import numpy as np

from llamaindex_rag_eval.stats.sample_values import Floats

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def yes(rate: float) -> Draw:
    """Return a draw of yes and no."""
    return lambda rng, shape: np.where(rng.random(shape) < rate, 1.0, 0.0)


def ones(share: float) -> Draw:
    """Return a draw of scores as faithfulness has them: perfect, or some thirds of the claims."""
    return lambda rng, shape: np.where(
        rng.random(shape) < share, 1.0, rng.integers(3, size=shape) / 3
    )


SCORES: dict[str, tuple[Draw, float]] = {
    "normal, sd .2": (lambda rng, shape: rng.normal(0.5, 0.2, shape).clip(0, 1), 0.5),
    "normal, sd .1": (lambda rng, shape: rng.normal(0.5, 0.1, shape).clip(0, 1), 0.5),
    "beta(5, 1)": (lambda rng, shape: rng.beta(5, 1, shape), 5 / 6),
    "beta(1, 9)": (lambda rng, shape: rng.beta(1, 9, shape), 1 / 10),
    "70 % ones, thirds": (ones(0.7), 0.8),
    "90 % ones, thirds": (ones(0.9), 0.9 + 0.1 / 3),
    "96 % ones, thirds": (ones(0.96), 0.96 + 0.04 / 3),
    "rate .5": (yes(0.5), 0.5),
    "rate .8": (yes(0.8), 0.8),
    "rate .95": (yes(0.95), 0.95),
    "rate .99": (yes(0.99), 0.99),
    "1 in 20 collapses": (
        lambda rng, shape: np.where(
            rng.random(shape) < 0.05, 0.0, rng.normal(0.9, 0.03, shape).clip(0, 1)
        ),
        0.855,
    ),
}

CHANGES: dict[str, tuple[Draw, float]] = {
    "none; normal, sd .2": (lambda rng, shape: rng.normal(0, 0.2, shape).clip(-1, 1), 0.0),
    "none; thirds": (lambda rng, s: rng.binomial(3, 0.9, s) / 3 - rng.binomial(3, 0.9, s) / 3, 0.0),
    "none; rate .8": (lambda rng, s: yes(0.8)(rng, s) - yes(0.8)(rng, s), 0.0),
    "none; rate .95": (lambda rng, s: yes(0.95)(rng, s) - yes(0.95)(rng, s), 0.0),
    "none; 3 % change": (lambda rng, s: np.sign(rng.normal(size=s)) * yes(0.03)(rng, s), 0.0),
    "fall; thirds": (
        lambda rng, s: rng.binomial(3, 0.8, s) / 3 - rng.binomial(3, 0.9, s) / 3,
        -0.1,
    ),
    "fall; 5 % collapse": (lambda rng, s: -yes(0.05)(rng, s), -0.05),
    "fall; 10 % collapse": (lambda rng, s: -yes(0.1)(rng, s), -0.1),
    "fall; 5 %, with noise": (
        lambda rng, s: np.where(rng.random(s) < 0.05, -0.9, rng.normal(0, 0.03, s)),
        -0.045,
    ),
}
