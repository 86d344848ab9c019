"""How a model is asked to translate the words of a prompt."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["TRANSLATION", "Translated", "TranslationInput", "TranslationOutput"]


class TranslationInput(Wire):
    """The texts, and the language they go into."""

    texts: tuple[Numbered, ...]
    language: str


class Translated(Wire):
    """The translation of one text."""

    id: int
    text: str


class TranslationOutput(Wire):
    """One translation for each text."""

    translations: tuple[Translated, ...]


TRANSLATION = Prompt[TranslationInput, TranslationOutput](
    name="translation",
    instruction="""\
Translate each of `texts` into `language`.
- Words in backticks, names of fields, numbers and line breaks stay as they are.
- The texts belong together: translate a name or a term in the same way everywhere.
- Give exactly one translation for each text, in order of their ids.""",
    input=TranslationInput,
    output=TranslationOutput,
    examples=(
        Example(
            input=TranslationInput(
                texts=(Numbered(id=1, text="List the claims of `text`."),), language="French"
            ),
            output=TranslationOutput(
                translations=(Translated(id=1, text="Énumère les affirmations de `text`."),)
            ),
        ),
    ),
)
