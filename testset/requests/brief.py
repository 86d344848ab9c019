"""Briefs: who asks what, and how, as somebody describes it in plain words."""

from typing import Literal

from pydantic import Field

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.request import Reply, Request, written

MOST_CATEGORIES = 12
"""Categories that a brief has at most."""

BriefAxis = Literal["type", "kind", "style", "language", "difficulty", "length"]


class BriefValue(Reply):
    """A value that questions of a category have, and the share of them in percent."""

    axis: BriefAxis
    value: str
    share: float = Field(gt=0, le=100)


class BriefCategory(Reply):
    """One part of the questions.

    Attributes:
        name: What it is called.
        share: Its share of all, in percent.
        user: Who asks and what for, in a sentence; empty for anybody.
        about: Words by which documents are looked for; empty for all.
        values: What its questions are; an axis that is not there is open.
    """

    name: str
    share: float = Field(gt=0, le=100)
    user: str
    about: str
    values: tuple[BriefValue, ...]


class Briefed(Reply):
    """The parts of the questions."""

    categories: tuple[BriefCategory, ...]


class BriefOf(Request[Briefed]):
    """Which questions does this description ask for?"""

    prompt = written("brief")

    brief: str

    def check(self, reply: Briefed) -> None:
        """Check that there are parts, and not too many."""
        if not 0 < len(reply.categories) <= MOST_CATEGORIES:
            raise ReplyError(f"{len(reply.categories)} categories; expected 1 to {MOST_CATEGORIES}")
