"""Word lists as one string, which reads better than a column of quotes."""

__all__ = ["listed"]


def listed(text: str) -> frozenset[str]:
    """Return the words of a text, parted at blanks.

    Example:
        >>> sorted(listed("der die das"))
        ['das', 'der', 'die']
    """
    return frozenset(text.split())
