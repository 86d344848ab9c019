"""Limit, seed and temperature reach each class of LLM under the names that it takes."""

from typing import Any

import pytest
from llama_index.core.llms import MockLLM
from llama_index.llms.openai import OpenAI
from pydantic import Field

from llamaindex_rag_eval.models.parameters import parameters_of, reply_limit, thinks


class Ollama(MockLLM):
    """Takes options of the LLM only, as LlamaIndex's class for Ollama."""

    model: str = "llama3.1"
    additional_kwargs: dict[str, Any] = Field(default={"mirostat": 0})


class GoogleGenAI(MockLLM):
    """Takes a configuration, as LlamaIndex's class for Gemini."""


class MistralAI(MockLLM):
    """Has another name for a seed, as LlamaIndex's class for Mistral."""


class Anthropic(MockLLM):
    """Takes no seed, as LlamaIndex's class for Anthropic."""

    temperature: float = 0.0
    thinking_dict: dict[str, Any] | None = None


def options(llm: Any) -> dict[str, Any]:
    made, given = parameters_of(llm, limit=99, seed=7, temperature=0.7)
    assert made is llm
    return given


def thinking(**settings: Any) -> Anthropic:
    return Anthropic(max_tokens=None).model_copy(update={"thinking_dict": settings})


def openai(model: str, **fields: Any) -> OpenAI:
    return OpenAI(model=model, api_key="none", **fields)


def test_each_class_is_given_what_it_takes() -> None:
    usual = {"max_tokens": 99, "seed": 7, "temperature": 0.7}
    assert options(openai("gpt-4o-mini")) == usual
    assert options(openai("o3")) == {"max_tokens": 99, "seed": 7}  # LlamaIndex renames the first
    assert options(Anthropic(max_tokens=None)) == {"max_tokens": 99, "temperature": 0.7}
    assert options(thinking(type="enabled")) == {"max_tokens": 99}
    assert options(MistralAI(max_tokens=None)) == {
        "max_tokens": 99,
        "random_seed": 7,
        "temperature": 0.7,
    }
    inner = {"max_output_tokens": 99, "seed": 7, "temperature": 0.7}
    assert options(GoogleGenAI(max_tokens=None)) == {"generation_config": inner}


def test_ollama_is_given_them_on_a_copy() -> None:
    llm = Ollama(max_tokens=None)
    made, given = parameters_of(llm, limit=99, seed=7, temperature=0.7)
    assert given == {}
    assert made.additional_kwargs == {  # type: ignore[attr-defined]  # an Ollama
        "mirostat": 0,
        "num_predict": 99,
        "seed": 7,
        "temperature": 0.7,
    }
    assert llm.additional_kwargs == {"mirostat": 0}


def test_without_a_seed_the_llm_keeps_its_own_temperature() -> None:
    llm = openai("gpt-4o-mini")
    assert parameters_of(llm, limit=None) == (llm, {})


@pytest.mark.parametrize(
    ("llm", "seen", "limit"),
    [
        (openai("gpt-4o-mini"), False, 500),
        (openai("gpt-4o-mini"), True, None),
        (openai("o3"), False, None),
        (openai("gpt-5-mini"), False, None),
        (GoogleGenAI(max_tokens=None), False, None),
        (Anthropic(max_tokens=None), False, 500),
        (thinking(budget_tokens=20000), False, 20500),
        (thinking(type="adaptive"), False, 8692),
    ],
)
def test_thoughts_are_never_cut_off_by_the_size_of_the_reply(
    llm: Any, seen: bool, limit: int | None
) -> None:
    assert reply_limit(llm, 500, window_left=9000, thinking=seen or thinks(llm)) == limit


def test_a_limit_fits_the_window_and_what_older_models_write() -> None:
    llm = openai("gpt-4o-mini")
    assert reply_limit(llm, 5000, window_left=300, thinking=False) == 300
    assert reply_limit(llm, 50_000, window_left=99_000, thinking=False) == 8192
    assert reply_limit(llm, 500, window_left=-5, thinking=False) == 1
