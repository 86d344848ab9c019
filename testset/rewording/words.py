"""Words of a closed class, written as one text."""

__all__ = ["words"]


def words(text: str) -> frozenset[str]:
    """Return the words of a text, for membership tests.

    Example:
        >>> sorted(words("do does did"))
        ['did', 'do', 'does']
    """
    return frozenset(text.split())
