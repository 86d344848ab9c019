"""The writer's prompts in other languages, translated by a model and kept in a folder.

Questions and answers are in the language asked for whatever the prompts are in; a model that is
better in its users' language can be asked in it, too. No translation comes with this package.
"""

import asyncio
from pathlib import Path
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.prompts import Prompts, loaded_prompts, prompts_of
from llamaindex_rag_eval.judge.translation import adapt_prompt
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Oracle
from testset import requests

CLOSED = ("behaviour", "importance", "kind", "style", "type", "types")
"""Fields of the examples that hold names of this package; they are the same in every language."""


def writer_prompts() -> Prompts:
    """Return every prompt of the writer, by the request it asks."""
    return prompts_of(requests)


def writer_prompts_in(folder: str | Path) -> Prompts:
    """Return the prompts that a folder holds, for `LLMOracle(prompts=…)`; the others stay English.

    Raises:
        InputError: It holds no prompt of the writer.
        DatasetError: A file holds another prompt, or none.
    """
    known = writer_prompts()
    prompts = loaded_prompts(known, folder)
    if not prompts:
        names = ", ".join(sorted(prompt.name for prompt in known.values()))
        raise InputError(f"{str(folder)!r} holds no prompt of the writer; expected any of {names}")
    return prompts


async def adapted_writer_prompts(
    language: str, llm: LLM | Oracle, *, code: str, folder: str | Path | None = None
) -> Prompts:
    """Return all prompts of the writer, translated by a model, for `LLMOracle(prompts=…)`.

    The judge's own prompts, by which answers are grounded, are translated by `adapted_prompts`.

    Args:
        language: The language by its English name, as `Portuguese`.
        llm: Who translates, in one call a prompt; all at once.
        code: Its ISO 639-1 code, as `pt`; the examples are in this language then.
        folder: Where to keep them, a file a prompt; what is there already is not asked again.

    Raises:
        NeedsModelError: An oracle without a model was given.
        ReplyError: A translation breaks a prompt's models; the others are kept.
        DatasetError: A file holds another prompt.
        OutputError: The folder cannot be written.
    """
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    known = writer_prompts()

    async def translated(prompt: Prompt[Any, Any]) -> Prompt[Any, Any]:
        path = None if folder is None else Path(folder, f"{prompt.name}.json")
        if path is not None and path.is_file():
            return prompt.load(path)
        found = _with_own_names(
            await adapt_prompt(prompt, language, oracle, code=code), prompt, code
        )
        if path is not None:
            found.save(path)
        return found

    return dict(zip(known, await asyncio.gather(*map(translated, known.values())), strict=True))


def _with_own_names(
    translated: Prompt[Any, Any], prompt: Prompt[Any, Any], code: str
) -> Prompt[Any, Any]:
    """Return a translated prompt whose examples keep values that are names, and its language."""
    examples = []
    for example, own in zip(translated.examples, prompt.examples, strict=True):
        given = _with_names(
            example.input.model_dump(mode="json"), own.input.model_dump(mode="json")
        )
        if "language" in given.get("settings", ()):
            given["settings"]["language"] = code
        wanted = _with_names(
            example.output.model_dump(mode="json"), own.output.model_dump(mode="json")
        )
        examples.append(translated.example(given, wanted))
    return translated.changed(examples=examples)


def _with_names(value: Any, own: Any) -> Any:
    """Return a value with the names of another, of the same form, at every depth."""
    if isinstance(value, dict) and isinstance(own, dict):
        return {
            name: own[name] if name in CLOSED and name in own else _with_names(entry, own.get(name))
            for name, entry in value.items()
        }
    if isinstance(value, list) and isinstance(own, list) and len(value) == len(own):
        return [_with_names(entry, other) for entry, other in zip(value, own, strict=True)]
    return value
