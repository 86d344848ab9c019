"""Instructions: the words a judge is asked in, as LlamaIndex's prompt templates, and others set.

What `get_prompts` and `update_prompts` of LlamaIndex's `PromptMixin` come to for a metric. For
other examples, or another language, give the judge whole prompts:
`Faithfulness(LLMOracle(llm, prompts={ClaimsOf: prompt}))`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.prompts import BasePromptTemplate, PromptTemplate

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.models import (
    CachedOracle,
    LimitedOracle,
    LLMOracle,
    Oracle,
    Prompt,
    Request,
    VotingOracle,
)

__all__ = ["instructions_of", "with_instructions"]

Requests = Sequence[type[Request[Any]]]
Prompts = Mapping[type[Request[Any]], Prompt[Any, Any]]


def instructions_of(judge: Judge, requests: Requests) -> dict[str, BasePromptTemplate]:
    """Return the instruction of each prompt by which a judge asks these requests, by its name.

    Of a judge without a model, what a model would be asked.
    """
    return {
        prompt.name: PromptTemplate(prompt.instruction)
        for prompt in _prompts_of(judge, requests).values()
    }


def with_instructions(
    judge: Judge, requests: Requests, instructions: Mapping[str, BasePromptTemplate]
) -> Judge | None:
    """Return the judge with other instructions for these requests; its examples stay.

    `None` if there are none for these requests.

    Args:
        judge: Over an LLM, perhaps cached, limited, or voting.
        requests: What is asked of it.
        instructions: Prompt name -> instruction. Names with ":" belong to other modules and are
            passed over, as LlamaIndex has it.

    Raises:
        InputError: No prompt has that name, or the judge asks no model.
    """
    known = _prompts_of(judge, requests)
    own = {name: template for name, template in instructions.items() if ":" not in name}
    names = sorted({prompt.name for prompt in known.values()})
    for name in own:
        if name not in names:
            raise InputError(f"no prompt is named {name!r} here; there are {', '.join(names)}")
    changed = {
        request: prompt.changed(instruction=own[prompt.name].get_template())
        for request, prompt in known.items()
        if prompt.name in own
    }
    return Judge(_asking(judge.oracle, changed)) if changed else None


def _prompts_of(judge: Judge, requests: Requests) -> dict[type[Request[Any]], Prompt[Any, Any]]:
    model: object = judge.oracle
    while not isinstance(model, LLMOracle) and hasattr(model, "inner"):
        model = model.inner
    found = {
        request: model.prompt_of(request) if isinstance(model, LLMOracle) else request.prompt
        for request in requests
    }
    return {request: prompt for request, prompt in found.items() if prompt is not None}


def _asking(oracle: Oracle, prompts: Prompts) -> Oracle:
    """Return the oracle with its model asked by these prompts, wrapped as it was."""
    match oracle:
        case CachedOracle():
            return CachedOracle(_asking(oracle.inner, prompts), oracle.store, size=oracle.size)
        case VotingOracle():
            return VotingOracle(_asking(oracle.inner, prompts), oracle.votes)
        case LimitedOracle():
            return LimitedOracle(_asking(oracle.inner, prompts), oracle.limit)
        case LLMOracle():
            return LLMOracle(
                oracle.llm,
                oracle.embed_model,
                limit=oracle.limit,
                prompts={**oracle.prompts, **prompts},
                way=oracle.way,
                isolated=oracle.isolated,
                vote=oracle.vote,
                remote_images=oracle.remote_images,
            )
    raise InputError(f"{oracle!r} asks no model by prompts; expected a judge over an LLM")
