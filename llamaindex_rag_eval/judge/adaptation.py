"""Prompts in languages that do not come with this package, translated by a model.

`adapted_prompts` translates instructions and examples once and keeps them in a folder, from which
`prompts_in` reads them, by then perhaps mended by hand. It stands here and not on `Prompt`, which
knows no requests to ask a model by.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.judge.languages import Prompts, english_prompts
from llamaindex_rag_eval.judge.translation import TranslationOf
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Oracle

__all__ = ["adapted", "adapted_prompts"]


async def adapted(
    prompt: Prompt[Any, Any],
    language: str,
    llm: LLM | Oracle,
    *,
    code: str = "",
    path: str | Path | None = None,
) -> Prompt[Any, Any]:
    """Return a prompt with instruction and examples translated by a model.

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
    if path is not None and _is_there(path):
        return prompt.load(path)
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    words = list(dict.fromkeys(_words(prompt)))
    reply = await oracle.ask(TranslationOf(texts=tuple(words), language=language))
    table = dict(zip(words, reply.texts, strict=True))
    made = _reworded(prompt, lambda text: table.get(text, text), code or language)
    if path is not None:
        made.save(path)
    return made


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
    known = english_prompts()
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    by_name = {prompt.name: prompt for prompt in known.values()}
    made = await asyncio.gather(
        *(
            adapted(
                prompt, language, oracle, code=code, path=folder and Path(folder, f"{name}.json")
            )
            for name, prompt in by_name.items()
        )
    )
    found = dict(zip(by_name, made, strict=True))
    return {request: found[prompt.name] for request, prompt in known.items()}


def _is_there(path: str | Path) -> bool:
    """Return whether there is a file."""
    return Path(path).is_file()


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
