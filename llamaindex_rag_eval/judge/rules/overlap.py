"""Overlap: how much of one text's content another has."""

from collections.abc import Collection

from llamaindex_rag_eval.judge.rules.profile import Profile

__all__ = ["coverage"]


def coverage(wanted: Profile, keys: Collection[str], *, without: Collection[str] = ()) -> float:
    """Return the weighted share of a text's content terms that are among `keys`.

    Args:
        wanted: The text.
        keys: The terms there are.
        without: Terms of the text that do not count.

    Returns:
        A share in [0, 1], higher is more; 0 for a text without content.
    """
    counted = [key for key in wanted.content if key not in without]
    total = sum(wanted.weights[key] for key in counted)
    return sum(wanted.weights[key] for key in counted if key in keys) / total if total else 0.0
