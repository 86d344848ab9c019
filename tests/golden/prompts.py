"""Fingerprints of all prompts of judge and writer, in all languages that come with the package."""

from collections.abc import Mapping
from typing import Any

from llamaindex_rag_eval.judge.prompts import languages, shipped_prompts
from llamaindex_rag_eval.models import Prompt
from tests.golden.text import digest, lines_of
from testset import writer_prompts


def texts() -> Mapping[str, str]:
    """Return a line for each prompt in each language."""
    prompts = [*writer_prompts().items()]
    for language in languages():
        prompts += shipped_prompts(language).items()
    rows = {
        f"{prompt.name} {prompt.language} {request.__name__}": _row(prompt)
        for request, prompt in prompts
    }
    return {"prompts.json": lines_of(rows)}


def _row(prompt: Prompt[Any, Any]) -> dict[str, str]:
    """Return the fingerprint, and what tells which part of a prompt has changed."""
    return {
        "fingerprint": prompt.fingerprint,
        "instruction": digest(prompt.instruction),
        "system": digest(prompt.system),
        "schema": digest(dict(prompt.schema_of_output)),
    }
