"""Briefs: a description in plain words becomes traffic, in one call of a model."""

from collections import defaultdict
from pathlib import Path

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import InputError, ReplyError
from llamaindex_rag_eval.judge import Judge
from testset.generation.traffic import AXES, Axis, Category, Traffic
from testset.requests.brief import BriefCategory, BriefOf

LONGEST = 4_000
"""Characters of a brief."""
LONGEST_TEXT = 200
"""Characters of each text that a model makes of it."""


def brief_at(text: str | Path) -> str:
    """Return a brief: the text of a file of this name if there is one, else these words.

    Raises:
        InputError: It is empty, or longer than a brief may be.
        DatasetError: The file cannot be read.
    """
    path = Path(text)
    is_name = len(str(text)) < LONGEST_TEXT and path.is_file()
    brief = " ".join((read_text(path) if is_name else str(text)).split())
    if not 0 < len(brief) <= LONGEST:
        raise InputError(f"expected a brief of 1 to {LONGEST:,} characters, got {len(brief):,}")
    return brief


async def traffic_in_brief(brief: str, judge: Judge) -> Traffic:
    """Return what a brief asks for; the shares of a model are made to add up.

    Raises:
        InputError: The model makes something of it that there is not.
        ReplyError: Its reply cannot be used.
        CallError: It cannot be reached.
    """
    reply = await judge.ask(BriefOf(brief=brief))
    try:
        whole = sum(category.share for category in reply.categories)
        categories = (_category(category, whole) for category in reply.categories)
        return Traffic(tuple(categories), source=f"brief: {brief[:LONGEST_TEXT]}")
    except InputError as error:
        raise ReplyError(f"the brief cannot be followed: {error}") from error


def _category(category: BriefCategory, whole: float) -> Category:
    axes: dict[Axis, dict[str, float]] = defaultdict(dict)
    if category.user:
        axes["user"][_plain(category.user)] = 100
    for entry in category.values:
        axes[entry.axis][_plain(entry.value)] = entry.share
    shares = {
        axis: {value: 100 * share / sum(axes[axis].values()) for value, share in axes[axis].items()}
        for axis in AXES
        if axis in axes
    }
    return Category(
        100 * category.share / whole, shares, _plain(category.name), _plain(category.about)
    )


def _plain(text: str) -> str:
    """Return a text of one line, no longer than it may be."""
    return " ".join(text.split())[:LONGEST_TEXT]
