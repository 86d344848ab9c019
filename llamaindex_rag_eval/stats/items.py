"""Items: how hard each question is, how well it tells pipelines apart, how surely all order them.

A pipeline of ability θ gets a question of difficulty b and discrimination a right with probability
1 / (1 + exp(−a·(θ − b))). Few pipelines say little of a question, so that all three are shrunk
toward their priors: θ ~ N(0, 1), ln a ~ N(0, 0.5), a·b ~ N(0, 2).

Source: Birnbaum (1968), the two-parameter logistic model, fitted by its mode as in Mislevy (1986),
"Bayes modal estimation in item response models", https://doi.org/10.1007/BF02293979.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import kendalltau

Array = NDArray[np.float64]

LOG_SLOPE_SD, INTERCEPT_SD = 0.5, 2.0
"""Standard deviations of the priors of ln a and of −a·b."""


@dataclass(frozen=True, slots=True)
class ItemFit:
    """The fit of the model.

    Attributes:
        ability: Of each pipeline, shape `(pipelines,)`; higher is better.
        difficulty: Of each question, shape `(questions,)`, on the scale of ability.
        discrimination: Of each question, above 0; 1 is the prior's middle, higher tells more.
        uncertainty: Standard error of the logarithm of `discrimination`, given the abilities.
    """

    ability: Array
    difficulty: Array
    discrimination: Array
    uncertainty: Array

    def probability(self) -> Array:
        """Return how likely each pipeline is right, shape `(pipelines, questions)`."""
        return np.asarray(
            expit(self.discrimination * (self.ability[:, None] - self.difficulty)), dtype=np.float64
        )

    def information(self) -> Array:
        """Return what each question tells of an ability, averaged over the pipelines, above 0."""
        chance = self.probability()
        return np.asarray((self.discrimination**2 * chance * (1 - chance)).mean(axis=0))


def fit_items(scores: Array) -> ItemFit:
    """Return the most likely abilities, difficulties and discriminations.

    Args:
        scores: Shape `(pipelines, questions)`, in [0, 1], a share counting in part; NaN is missing.
    """
    pipelines, questions = scores.shape
    known, values = ~np.isnan(scores), np.nan_to_num(scores)

    def loss(parameters: Array) -> tuple[float, Array]:
        ability, intercept, log_slope = np.split(parameters, [pipelines, pipelines + questions])
        slope = np.exp(log_slope)
        logit = ability[:, None] * slope + intercept
        error = np.where(known, expit(logit) - values, 0)
        likelihood = np.where(known, np.logaddexp(0, logit) - values * logit, 0).sum()
        priors = (ability**2).sum() + ((intercept / INTERCEPT_SD) ** 2).sum()
        priors += ((log_slope / LOG_SLOPE_SD) ** 2).sum()
        gradient = [
            (error * slope).sum(axis=1) + ability,
            error.sum(axis=0) + intercept / INTERCEPT_SD**2,
            (error * ability[:, None]).sum(axis=0) * slope + log_slope / LOG_SLOPE_SD**2,
        ]
        return float(likelihood + priors / 2), np.concatenate(gradient)

    start = np.zeros(pipelines + 2 * questions)
    means = np.nanmean(scores, axis=1)
    start[:pipelines] = (means - means.mean()) / (means.std() or 1.0)
    best = minimize(loss, start, jac=True, method="L-BFGS-B").x
    ability, intercept, log_slope = np.split(best, [pipelines, pipelines + questions])
    slope = np.exp(log_slope)
    chance = expit(ability[:, None] * slope + intercept)
    weight = np.where(known, chance * (1 - chance), 0)
    steep = (weight * (ability[:, None] * slope) ** 2).sum(axis=0) + 1 / LOG_SLOPE_SD**2
    level = weight.sum(axis=0) + 1 / INTERCEPT_SD**2
    both = (weight * ability[:, None] * slope).sum(axis=0)
    return ItemFit(ability, -intercept / slope, slope, 1 / np.sqrt(steep - both**2 / level))


def split_half_tau(scores: Array, *, runs: int, seed: int) -> Array:
    """Return Kendall's τ of the orders that two halves of the questions give, one a random split.

    Args:
        scores: Shape `(pipelines, questions)`; NaN is missing.
        runs: How many splits.
        seed: Of the splits.
    """
    rng = np.random.default_rng(seed)
    halves = (np.array_split(rng.permutation(scores.shape[1]), 2) for _ in range(runs))
    return np.array(
        [_tau(*(np.nanmean(scores[:, half], axis=1) for half in two)) for two in halves]
    )


def simulated_tau(fit: ItemFit, size: int, *, runs: int, seed: int) -> Array:
    """Return τ of the order by `size` questions like these with the true one, one a simulation."""
    rng = np.random.default_rng(seed)
    chance = fit.probability()
    taus = []
    for _ in range(runs):
        drawn = chance[:, rng.integers(chance.shape[1], size=size)]
        taus.append(_tau((rng.random(drawn.shape) < drawn).mean(axis=1), chance.mean(axis=1)))
    return np.array(taus)


def _tau(first: Array, second: Array) -> float:
    """Return Kendall's τ-b; 0 where all are equal."""
    return float(np.nan_to_num(kendalltau(first, second).statistic))
