"""The writer's prompts in other languages, translated by a model and kept in a folder.

Questions and answers are in the language asked for whatever the prompts are in; a model that is
better in its users' language can be asked in it, too. No translation comes with this package.
"""

from pathlib import Path

from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.prompts import Prompts, loaded_prompts, prompts_of
from llamaindex_rag_eval.judge.translation import adapt_prompts
from llamaindex_rag_eval.models.request import Oracle
from testset import requests


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
    return await adapt_prompts(writer_prompts(), language, llm, code=code, folder=folder)
