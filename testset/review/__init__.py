"""Review: a person looks at golden items and accepts, edits or rejects them."""

from testset.review.decisions import Action, Decisions, State
from testset.review.evidence import Piece, evidence_of

__all__ = ["Action", "Decisions", "Piece", "State", "evidence_of"]
