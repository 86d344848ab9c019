"""Prompts translated by a model, kept in a folder and read from it again."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError, NeedsModelError
from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.judge.prompts import english_prompts, prompts_in
from llamaindex_rag_eval.judge.translation import (
    Translation,
    TranslationOf,
    adapt_prompt,
    adapted_prompts,
)
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from tests.models.asking import llm_at, serving

CLAIMS = ClaimsOf.prompt


def shouted(request):
    return Translation(texts=tuple(text.upper() for text in request.texts))


async def test_adapting_translates_instruction_and_examples_once_and_keeps_them(tmp_path):
    oracle = ScriptedOracle(by_request={TranslationOf: shouted})
    path = tmp_path / "claims.json"
    made = await adapt_prompt(CLAIMS, "Shouting", oracle, code="sh", path=path)
    assert made.instruction == CLAIMS.instruction.upper()
    assert made.examples[0].output.claims[0] == "ADA HOLM BUILT THE KARLIN BRIDGE."
    assert made.examples[1].input.atomicity == "low"  # a closed word, not prose
    assert (made.language, made.name) == ("sh", "claims")
    again = await adapt_prompt(CLAIMS, "Shouting", oracle, code="sh", path=path)
    assert again == made
    assert len(oracle.asked) == 1
    assert json.loads(path.read_text(encoding="utf-8"))["language"] == "sh"


async def test_adapting_takes_an_llm_and_refuses_rules(tmp_path):
    def translated(server):
        return adapt_prompt(CLAIMS, "German", llm_at(server), code="de")

    with serving() as server:
        made = await translated(server)
        assert server.stats().calls == 1
    assert made.language == "de"
    with pytest.raises(NeedsModelError):
        await adapt_prompt(CLAIMS, "German", EmbeddedOracle())
    (tmp_path / "claims.json").write_text('{"name": "support"}', encoding="utf-8")
    with pytest.raises(DatasetError, match="'claims'"):
        await adapt_prompt(CLAIMS, "German", EmbeddedOracle(), path=tmp_path / "claims.json")


async def test_all_prompts_are_adapted_one_call_each_and_read_from_their_folder(tmp_path):
    with serving() as server:
        made = await adapted_prompts("Danish", llm_at(server), code="da", folder=tmp_path)
        names = {prompt.name for prompt in made.values()}
        assert server.stats().calls == len(names)
        again = await adapted_prompts("Danish", llm_at(server), code="da", folder=tmp_path)
        assert server.stats().calls == len(names)
    assert prompts_in(tmp_path) == again == made
    assert set(made) == set(english_prompts())
    assert {prompt.language for prompt in made.values()} == {"da"}
