"""Translation: the words of a prompt in another language."""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.prompts.parts import in_order, numbered
from llamaindex_rag_eval.judge.prompts.translation import (
    TRANSLATION,
    TranslationInput,
    TranslationOutput,
)
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Translation", "TranslationOf"]


class Translation(Reply):
    """One translation a text, in the order of the texts."""

    texts: tuple[str, ...]


class TranslationOf(Request[Translation]):
    """What are these texts in this language?"""

    reply: ClassVar[type[Reply]] = Translation
    prompt: ClassVar[Prompt[Any, Any] | None] = TRANSLATION

    texts: tuple[str, ...]
    language: str

    def check(self, reply: Translation) -> None:
        """Hold the reply to one translation per text."""
        same_count("translations", len(reply.texts), "texts", len(self.texts))

    def to_prompt(self) -> TranslationInput:
        """Return the texts numbered from 1."""
        return TranslationInput(texts=numbered(self.texts), language=self.language)

    def from_prompt(self, output: TranslationOutput) -> Translation:
        """Return the translations in the order of the texts."""
        given = output.translations
        places = in_order([entry.id for entry in given], len(self.texts), "translations")
        return Translation(texts=tuple(given[place].text for place in places))

    def stand_in(self) -> Translation:
        """Return the texts as they are."""
        return Translation(texts=self.texts)
