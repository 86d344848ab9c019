"""Pool: texts that a report holds once, however often they were retrieved or quoted."""

from collections.abc import Mapping

from pydantic import JsonValue

__all__ = ["Pool"]

SHORT = 16
"""Texts up to this length are cheaper to repeat than to look up."""

LONGEST = 20_000
"""Characters shown of one text; a report of whole books would not open."""


class Pool:
    """Texts by number, in the order in which they came."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def texts(self) -> list[str]:
        """The texts, each at its number, cut where they are too long to show."""
        return [_cut(text) for text in self._numbers]

    def number(self, text: str) -> int:
        """Return the number of a text, which is taken in if it is new."""
        return self._numbers.setdefault(text, len(self._numbers))

    def packed(self, data: JsonValue) -> JsonValue:
        """Return plain data with each longer text as `{"t": number}`.

        Example:
            >>> pool = Pool()
            >>> pool.packed({"claim": "Paris lies on the Seine.", "verdict": "supported"})
            {'claim': {'t': 0}, 'verdict': 'supported'}
            >>> pool.texts
            ['Paris lies on the Seine.']
        """
        if isinstance(data, str):
            return data if len(data) <= SHORT else {"t": self.number(data)}
        if isinstance(data, Mapping):
            return {key: self.packed(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.packed(value) for value in data]
        return data


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text) - LONGEST:,} characters more are not shown)"
