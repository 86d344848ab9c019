"""The fitted model: probabilities from named features, with weights read from a JSON file.

`tests/benchmarks/fit_rules.py` fits the weights on human labels; the file says which and how
well.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

__all__ = ["ModelName", "probability"]

ModelName = Literal["statement", "answer"]


class _Weights(NamedTuple):
    bias: float
    weights: Mapping[str, float]


@cache
def _weights(name: ModelName) -> _Weights:
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    model = json.loads(text)[name]
    return _Weights(float(model["bias"]), {key: float(w) for key, w in model["weights"].items()})


def probability(name: ModelName, features: Mapping[str, float], *, shift: float = 0.0) -> float:
    """Return the probability in [0, 1] that a model gives to features.

    Args:
        name: `statement` for whole statements, `answer` for short answers to a question.
        features: All the features that the model names.
        shift: Added to the log-odds.
    """
    model = _weights(name)
    score = model.bias + shift
    score += sum(weight * features[key] for key, weight in model.weights.items())
    return 1 / (1 + math.exp(-score)) if score > -60 else 0.0
