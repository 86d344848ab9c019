"""Who can vote: an oracle that gives several independent answers to one request."""

from typing import Protocol, runtime_checkable

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.request import Oracle

__all__ = ["Votable", "votable"]


@runtime_checkable
class Votable(Protocol):
    """An oracle that can give independent votes."""

    def voter(self, vote: int) -> Oracle:
        """Return an oracle that gives this vote."""
        ...


def votable(oracle: Oracle) -> Votable:
    """Return the oracle as one that can vote.

    Raises:
        InputError: It always answers the same.
    """
    if not isinstance(oracle, Votable):
        raise InputError(f"{oracle!r} always answers the same; expected an oracle over an LLM")
    return oracle
