"""The cascade: checks on the final text of a golden item, cheapest first, one a file."""

from testset.checks.alternative_gold import alternative_gold
from testset.checks.alternatives import alternatives
from testset.checks.closed_book import QUOTA, closed_book
from testset.checks.critics_agree import critics_agree
from testset.checks.draft import Draft
from testset.checks.duplicate import Asked, duplicate
from testset.checks.grounded import grounded
from testset.checks.hops_needed import hops_needed
from testset.checks.lint import lint
from testset.checks.proved_unanswerable import nearness, proved_unanswerable
from testset.checks.read_back import read_back
from testset.checks.retrievable import retrievable
from testset.checks.round_trip import round_trip
from testset.checks.self_contained import self_contained
from testset.checks.span import span
from testset.checks.unanswerable import unanswerable
from testset.checks.understood import understood

__all__ = [
    "QUOTA",
    "Asked",
    "Draft",
    "alternative_gold",
    "alternatives",
    "closed_book",
    "critics_agree",
    "duplicate",
    "grounded",
    "hops_needed",
    "lint",
    "nearness",
    "proved_unanswerable",
    "read_back",
    "retrievable",
    "round_trip",
    "self_contained",
    "span",
    "unanswerable",
    "understood",
]
