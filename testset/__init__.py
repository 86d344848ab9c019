"""Golden sets: questions, answers and exact evidence, written from documents and verified."""

from testset.card import data_card
from testset.chunks import Chunk, chunks_of, exact_nodes
from testset.documents import Corpus, Skipped, SourceDocument
from testset.estimate import Estimate, aestimate
from testset.generator import agenerate, generate
from testset.golden import Axes, Check, Created, GoldenItem, GoldSpan
from testset.golden_set import GoldenSet, Mismatch, Rejection, Shortfall
from testset.writer import Writer

__all__ = [
    "Axes",
    "Check",
    "Chunk",
    "Corpus",
    "Created",
    "Estimate",
    "GoldSpan",
    "GoldenItem",
    "GoldenSet",
    "Mismatch",
    "Rejection",
    "Shortfall",
    "Skipped",
    "SourceDocument",
    "Writer",
    "aestimate",
    "agenerate",
    "chunks_of",
    "data_card",
    "exact_nodes",
    "generate",
]
