"""The cascade: checks on the final text of a golden item, cheapest first, one a file."""

from testset.checks.alternative_gold import alternative_gold
from testset.checks.duplicate import Asked, duplicate
from testset.checks.ground import Draft, Ground
from testset.checks.grounded import grounded
from testset.checks.lint import lint
from testset.checks.retrievable import difficulty_of, retrievable
from testset.checks.round_trip import round_trip
from testset.checks.self_contained import self_contained
from testset.checks.span import span
from testset.checks.unanswerable import unanswerable

__all__ = [
    "Asked",
    "Draft",
    "Ground",
    "alternative_gold",
    "difficulty_of",
    "duplicate",
    "grounded",
    "lint",
    "retrievable",
    "round_trip",
    "self_contained",
    "span",
    "unanswerable",
]
