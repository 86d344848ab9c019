"""The writer's prompts: which there are, and others in their place, as in another language.

Questions and answers are in the language asked for whatever the prompts are in; a model that is
better in its users' language can be asked in it, too. No translation comes with this package.
"""

from pathlib import Path

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.prompts import Prompts, loaded_prompts, prompts_of
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
