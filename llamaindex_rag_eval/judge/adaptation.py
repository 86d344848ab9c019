"""Prompts in other languages: shipped ones, and translated ones.

A judge reads Japanese answers better when it is asked in Japanese. `adapted` translates the
instruction and the examples of a prompt by a model, once; save the result with `Prompt.save`.
`shipped` returns the adaptations that come with this package.
"""

from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from typing import Any

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.translation import TranslationOf
from llamaindex_rag_eval.oracle.prompt import Prompt
from llamaindex_rag_eval.oracle.request import Oracle, Request

__all__ = ["LANGUAGES", "adapted", "shipped"]

LANGUAGES = ("en", "de", "ja", "zh")
"""Languages in which the prompts come with this package."""


async def adapted(
    prompt: Prompt[Any, Any], language: str, oracle: Oracle, *, code: str = ""
) -> Prompt[Any, Any]:
    """Return a prompt with instruction and examples translated by a model.

    Args:
        prompt: The prompt, in any language.
        language: The language by its English name, as `Portuguese`.
        oracle: Who translates, in one call; an oracle over an LLM.
        code: The ISO 639-1 code to file it under; the language's name if not given.

    Raises:
        NeedsModelError: The oracle has no model.
        ReplyError: A translation breaks the prompt's models.
    """
    words = list(dict.fromkeys(_words(prompt)))
    reply = await oracle.ask(TranslationOf(texts=tuple(words), language=language))
    table = dict(zip(words, reply.texts, strict=True))
    return _reworded(prompt, lambda text: table.get(text, text), code or language)


def shipped(
    requests: Mapping[type[Request[Any]], Prompt[Any, Any]], language: str
) -> dict[type[Request[Any]], Prompt[Any, Any]]:
    """Return prompts in a language that comes with this package, for `LLMOracle(prompts=…)`.

    Raises:
        InputError: The language does not come with this package.
    """
    if language not in LANGUAGES:
        raise InputError(
            f"no prompts come in {language!r}; there are {', '.join(LANGUAGES)}. Others are made "
            "by `adapted(prompt, language, oracle)`"
        )
    if language == "en":
        return dict(requests)
    folder = files("llamaindex_rag_eval.judge.prompts").joinpath("languages", language)
    found = {}
    for request, prompt in requests.items():
        with as_file(folder.joinpath(f"{prompt.name}.json")) as path:
            found[request] = prompt.load(path)
    return found


def _words(prompt: Prompt[Any, Any]) -> list[str]:
    """Return the texts of a prompt that a person would translate."""
    words: list[str] = []

    def seen(text: str) -> str:
        words.append(text)
        return text

    _reworded(prompt, seen, prompt.language)
    return words


def _reworded(
    prompt: Prompt[Any, Any], reword: Callable[[str], str], language: str
) -> Prompt[Any, Any]:
    """Return a prompt with every text passed through `reword`, closed sets left alone."""
    kept = _closed_words(prompt.input.model_json_schema())
    kept |= _closed_words(prompt.output.model_json_schema())
    examples = [
        prompt.example(
            _walked(example.input.model_dump(mode="json"), reword, kept),
            _walked(example.output.model_dump(mode="json"), reword, kept),
        )
        for example in prompt.examples
    ]
    return prompt.changed(
        instruction=reword(prompt.instruction), examples=examples, language=language
    )


def _walked(node: object, reword: Callable[[str], str], kept: set[str]) -> object:
    if isinstance(node, dict):
        return {key: _walked(value, reword, kept) for key, value in node.items()}
    if isinstance(node, list):
        return [_walked(entry, reword, kept) for entry in node]
    if isinstance(node, str) and node.strip() and node not in kept:
        return reword(node)
    return node


def _closed_words(schema: object) -> set[str]:
    """Return the words that a schema allows in closed sets, and its defaults: no prose."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "enum" and isinstance(value, list):
                found |= {word for word in value if isinstance(word, str)}
            elif key in ("const", "default") and isinstance(value, str):
                found.add(value)
            else:
                found |= _closed_words(value)
    elif isinstance(schema, list):
        for entry in schema:
            found |= _closed_words(entry)
    return found
