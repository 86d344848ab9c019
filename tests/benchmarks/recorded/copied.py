"""What a reply copies from its request, kept as places: no document is in a file of records."""

import json
from collections.abc import Iterator

LEAST = 12
"""Characters of a stretch that counts as copied."""


def shortened(reply: str, source: str) -> str:
    """Return a reply as JSON: texts, and places [start, length] of what it copies from a source.

    Example:
        >>> shortened("He says: the gate opens at nine.", "Mondays the gate opens at nine.")
        '["He says:", [7, 24]]'
    """
    return json.dumps(list(_parts(reply, source)), ensure_ascii=False)


def restored(parts: str, source: str) -> str:
    """Return the reply that was shortened with the same source; a whole one as it is."""
    if not parts.startswith("["):
        return parts
    return "".join(
        part if isinstance(part, str) else source[part[0] : part[0] + part[1]]
        for part in json.loads(parts)
    )


def _parts(reply: str, source: str) -> Iterator[str | tuple[int, int]]:
    """Yield the parts from left to right; of what is copied, the longest stretch at each place."""
    places: dict[str, list[int]] = {}
    for start in range(len(source) - LEAST + 1):
        places.setdefault(source[start : start + LEAST], []).append(start)
    own, here = 0, 0
    while here < len(reply):
        starts = places.get(reply[here : here + LEAST], ())
        lengths = [(_alike(reply, here, source, start), -start) for start in starts]
        if not lengths:
            here += 1
            continue
        length, negative = max(lengths)
        if own < here:
            yield reply[own:here]
        yield -negative, length
        own = here = here + length
    if own < here:
        yield reply[own:here]


def _alike(reply: str, here: int, source: str, start: int) -> int:
    """Return how many characters are the same from two places on."""
    length = 0
    while (
        here + length < len(reply)
        and start + length < len(source)
        and reply[here + length] == source[start + length]
    ):
        length += 1
    return length
