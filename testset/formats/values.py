"""Values of foreign rows, taken with care: what is not of the kind expected is as if not there."""

from collections.abc import Mapping

from llamaindex_rag_eval.data.sample import Message

__all__ = ["mapping", "messages", "text", "texts"]


def text(value: object) -> str:
    """Return a text; empty for anything else.

    Example:
        >>> text("a"), text(None)
        ('a', '')
    """
    return value if isinstance(value, str) else ""


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of a list; one text is a list of one.

    Example:
        >>> texts(["a", 1, "b"]), texts("a"), texts(None)
        (('a', 'b'), ('a',), ())
    """
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list | tuple):
        return ()
    return tuple(entry for entry in value if isinstance(entry, str))


def mapping(value: object) -> Mapping[str, object]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def messages(value: object) -> tuple[Message, ...]:
    """Return the messages of a conversation, those of users and assistants."""
    found = value if isinstance(value, list | tuple) else ()
    return tuple(
        Message(role=entry["role"], content=text(entry.get("content")))
        for entry in found
        if isinstance(entry, dict) and entry.get("role") in ("user", "assistant")
    )
