"""English sentences as questions, one file for each thing that is asked for."""

from testset.rules.english.definition import definitions, namings
from testset.rules.english.manner import manners, periods
from testset.rules.english.numeric import counted_subjects, counts, values
from testset.rules.english.passive import passives, subjects_told
from testset.rules.english.person import agents, doers, places
from testset.rules.english.reason import objects, reasons
from testset.rules.english.relation import conditions, parts, relations, statements, superlatives
from testset.rules.english.share import populations, shares
from testset.rules.english.temporal import durations, temporal
from testset.rules.english.which import kinds

__all__ = [
    "agents",
    "conditions",
    "counted_subjects",
    "counts",
    "definitions",
    "doers",
    "durations",
    "kinds",
    "manners",
    "namings",
    "objects",
    "parts",
    "passives",
    "periods",
    "places",
    "populations",
    "reasons",
    "relations",
    "shares",
    "statements",
    "subjects_told",
    "superlatives",
    "temporal",
    "values",
]
