"""The parts of the harness: each returns the texts of a few small files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module


class MissingInputError(Exception):
    """What a part reads is not on this machine."""


@dataclass(frozen=True)
class Part:
    """A part of the harness.

    Attributes:
        name: Its name: that of its module, and of its folder of records.
        about: What it holds.
        quick: Whether `make test` compares it; the others are compared by `record --diff` alone.
    """

    name: str
    about: str
    quick: bool = True

    @property
    def texts(self) -> Callable[[], Mapping[str, str]]:
        """The function that returns its texts, by the name of the file."""
        found: Callable[[], Mapping[str, str]] = import_module(f"tests.golden.{self.name}").texts
        return found


PARTS: Mapping[str, Part] = {
    part.name: part
    for part in (
        Part("prompts", "fingerprints of all prompts in all languages"),
        Part("messages", "what models are sent: requests, metrics, a golden set"),
        Part(
            "judgements", "the recorded judgements: asked in the words in which they were recorded"
        ),
        Part(
            "commands", "command lines on the demo's folder: exit code, JSON, first line of stderr"
        ),
        Part("demo", "the demo: golden set, scores, the report's view"),
        Part("names", "public names with signatures, errors, metrics with their pages"),
        Part("files", "what is read from files that version 0.1 wrote"),
    )
}
