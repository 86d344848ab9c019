"""A source document: an id, an exact text; or a file that gave none, and why."""

import hashlib
from dataclasses import dataclass

__all__ = ["Skipped", "SourceDocument"]


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document: its id, its exact text, and its title if it has one."""

    doc_id: str
    text: str
    title: str = ""

    @property
    def hash(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that could not be read, and why."""

    path: str
    reason: str
