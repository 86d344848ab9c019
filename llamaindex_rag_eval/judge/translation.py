"""Translation: the prompts of the judge in a language that does not come with this package.

`adapted_prompts` has a model translate instructions, frame and examples once, and keeps them in a
folder from which `prompts_in` reads them, corrected by hand if need be. It is no method of
`Prompt`, which knows no requests to ask a model by.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.judge.prompts import Prompts, english_prompts, shipped_prompts
from llamaindex_rag_eval.judge.wire import (
    NumberedTexts,
    Wire,
    check_count,
    in_order,
)
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Oracle, Reply, Request, written

NAMES = frozenset({"behaviour", "importance", "kind", "language", "style", "type", "types"})
"""Fields of examples that hold names; they are the same in every language."""


class Translation(Reply):
    """One translation a text, in the order of the texts."""

    texts: tuple[str, ...]


class TranslationInput(Wire):
    """The texts, and the language they go into."""

    texts: NumberedTexts
    language: str


class Translated(Wire):
    """The translation of one text."""

    id: int
    text: str


class TranslationOutput(Wire):
    """One translation for each text."""

    translations: tuple[Translated, ...]


class TranslationOf(Request[Translation]):
    """What are these texts in this language?"""

    prompt = written("translation", TranslationInput, TranslationOutput)

    texts: tuple[str, ...]
    language: str

    def check(self, reply: Translation) -> None:
        """Check that there is one translation per text."""
        check_count("translations", len(reply.texts), "texts", len(self.texts))

    def from_prompt(self, output: TranslationOutput) -> Translation:
        """Return the translations in the order of the texts."""
        ordered = in_order(output.translations, "id", len(self.texts), "translations")
        return Translation(texts=tuple(entry.text for entry in ordered))

    def stand_in(self) -> Translation:
        """Return the texts as they are."""
        return Translation(texts=self.texts)


async def adapt_prompt(
    prompt: Prompt[Any, Any],
    language: str,
    llm: LLM | Oracle,
    *,
    code: str = "",
    path: str | Path | None = None,
) -> Prompt[Any, Any]:
    """Return a prompt with instruction, frame and examples translated by a model.

    Args:
        prompt: The prompt, in any language.
        language: The language by its English name, as `Portuguese`.
        llm: Who translates, in one call.
        code: The ISO 639-1 code to file it under; the language's name if not given.
        path: A file to keep it in; if it is there already, it is read and nothing is asked.

    Raises:
        NeedsModelError: An oracle without a model was given.
        ReplyError: A translation breaks the prompt's models.
        DatasetError: The file holds another prompt.
        OutputError: The file cannot be written.
    """
    if path is not None and _is_file(path):
        return prompt.load(path)
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    words = list(dict.fromkeys(_words(prompt)))
    reply = await oracle.ask(TranslationOf(texts=tuple(words), language=language))
    table = dict(zip(words, reply.texts, strict=True))
    translated = _map_texts(prompt, lambda text: table.get(text, text), code or language)
    if path is not None:
        translated.save(path)
    return translated


async def adapted_prompts(
    language: str, llm: LLM | Oracle, *, code: str = "", folder: str | Path | None = None
) -> Prompts:
    """Return all prompts of the judge, translated by a model, for `LLMOracle(prompts=…)`.

    Args:
        language: The language by its English name, as `Portuguese`.
        llm: Who translates, in one call a prompt; all at once.
        code: The ISO 639-1 code to file them under; the language's name if not given.
        folder: Where to keep them, a file a prompt; what is there already is not asked again.

    Raises:
        NeedsModelError: An oracle without a model was given.
        ReplyError: A translation breaks a prompt's models; the others are kept.
        DatasetError: A file holds another prompt.
        OutputError: The folder cannot be written.
    """
    return await adapt_prompts(english_prompts(), language, llm, code=code, folder=folder)


async def adapt_prompts(
    known: Prompts, language: str, llm: LLM | Oracle, *, code: str, folder: str | Path | None
) -> Prompts:
    """Return prompts translated by a model, each once; see `adapted_prompts`."""
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    by_name = {prompt.name: prompt for prompt in known.values()}
    translated = await asyncio.gather(
        *(
            adapt_prompt(
                prompt, language, oracle, code=code, path=folder and Path(folder, f"{name}.json")
            )
            for name, prompt in by_name.items()
        )
    )
    adapted = dict(zip(by_name, translated, strict=True))
    return {request: adapted[prompt.name] for request, prompt in known.items()}


def write_prompts(folder: str | Path, language: str, *, llm: LLM | Oracle | None = None) -> Prompts:
    """Write all prompts of the judge to a folder, a JSON file a prompt, and return them.

    Args:
        folder: Where to; files that are there already are kept.
        language: A language of `languages()`; or with `llm` the English name of any other.
        llm: Who translates, in one call a prompt; not needed for languages of `languages()`.

    Raises:
        InputError: The language does not come with this package, and there is no `llm`.
        ReplyError: A translation breaks a prompt's models; the others are kept.
        DatasetError: A file holds another prompt.
        OutputError: The folder cannot be written.
    """
    if llm is not None:
        return run_sync(adapted_prompts(language, llm, folder=folder))
    prompts = shipped_prompts(language)
    for name, prompt in {prompt.name: prompt for prompt in prompts.values()}.items():
        path = Path(folder, f"{name}.json")
        if not path.is_file():
            prompt.save(path)
    return prompts


def _is_file(path: str | Path) -> bool:  # of its own: blocking calls are barred in coroutines
    return Path(path).is_file()


def _words(prompt: Prompt[Any, Any]) -> list[str]:
    """Return the texts of a prompt that a person would translate."""
    words: list[str] = []

    def collect(text: str) -> str:
        words.append(text)
        return text

    _map_texts(prompt, collect, prompt.language)
    return words


def _map_texts(
    prompt: Prompt[Any, Any], change: Callable[[str], str], language: str
) -> Prompt[Any, Any]:
    """Return a prompt with every text passed through `change`, but for names and closed words."""
    closed = _closed_words(prompt.input.model_json_schema())
    closed |= _closed_words(prompt.output.model_json_schema())

    def mapped(node: object, field: str) -> object:
        if isinstance(node, dict):
            return {key: mapped(value, key) for key, value in node.items()}
        if isinstance(node, list):
            return [mapped(entry, field) for entry in node]
        if field == "language" and node == prompt.language:
            return language
        if not isinstance(node, str) or not node.strip() or field in NAMES or node in closed:
            return node
        return change(node)

    examples = [
        prompt.example(
            mapped(example.input.model_dump(mode="json"), ""),
            mapped(example.output.model_dump(mode="json"), ""),
        )
        for example in prompt.examples
    ]
    return prompt.changed(
        instruction=change(prompt.instruction),
        examples=examples,
        language=language,
        frame=change(prompt.frame),
    )


def _closed_words(schema: object) -> set[str]:
    """Return the words that a schema lists as enumerated or default values; they are no prose."""
    closed: set[str] = set()
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "enum" and isinstance(value, list):
                closed |= {word for word in value if isinstance(word, str)}
            elif key in ("const", "default") and isinstance(value, str):
                closed.add(value)
            else:
                closed |= _closed_words(value)
    elif isinstance(schema, list):
        for entry in schema:
            closed |= _closed_words(entry)
    return closed
