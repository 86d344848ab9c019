"""The prompts of the writer in another language: translated once, kept, and asked by."""

import asyncio
import json

import pytest

from llamaindex_rag_eval.errors import InputError
from tests.models.asking import llm_at, oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import adapted_writer_prompts, generate, writer_prompts, writer_prompts_in
from testset.requests.drafts import DraftsOf

FAULTLESS = "tests.server.writer_responders:FAULTLESS"


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=FAULTLESS, record=True) as running:
        yield running


@pytest.fixture(scope="module")
def folder(server, tmp_path_factory):
    made = tmp_path_factory.mktemp("pt")
    asyncio.run(adapted_writer_prompts("Portuguese", llm_at(server), code="pt", folder=made))
    return made


def test_every_prompt_is_translated_in_one_call_and_never_again(server, folder):
    assert server.stats().by_name == {"translation": len(writer_prompts())}
    again = asyncio.run(
        adapted_writer_prompts("Portuguese", llm_at(server), code="pt", folder=folder)
    )
    assert server.stats().calls == len(writer_prompts())
    assert again == writer_prompts_in(folder)
    assert set(again) == set(writer_prompts())


def test_examples_tell_their_language_and_keep_the_names_that_are_ours(folder):
    found = writer_prompts_in(folder)
    asked = found[DraftsOf].examples[0]
    assert asked.input.settings.wanted[0].type == "single_hop"
    assert asked.output.questions[0].question.startswith("<Portuguese> ")


def test_a_golden_set_is_written_by_them_in_the_language_asked_for(folder):
    prompts = writer_prompts_in(folder)
    with LoopbackServer(responders=FAULTLESS, record=True) as server:
        oracle = oracle_at(server, prompts=prompts)
        golden = generate(
            documents(16), size=3, types=["single_hop", "double"], language="pt", judge=oracle
        )
        bodies = server.requests()
    assert len(golden) == 3
    # Support and the verdict on an answer are the judge's, which has its own prompts.
    judged = {"support", "answer_verdict"}
    asked = [b for b in bodies if b["response_format"]["json_schema"]["name"] not in judged]
    assert {body["messages"][0]["content"][:12] for body in asked} == {"<Portuguese>"}
    users = [json.loads(body["messages"][-1]["content"]) for body in bodies]
    told = [entry for given in users for entry in given.get("settings", {}).get("wanted", ())]
    assert {entry["language"] for entry in told} == {"pt"}
    english = oracle_at(server).fingerprint(DraftsOf).rpartition(":")[2]
    assert all(item.created.prompts["drafts"] != english for item in golden)
    assert {item.axes.language for item in golden} == {"pt"}


def test_prompts_that_a_folder_lacks_stay_english_and_an_empty_one_is_named(folder, tmp_path):
    (tmp_path / "drafts.json").write_bytes((folder / "drafts.json").read_bytes())
    assert set(writer_prompts_in(tmp_path)) == {DraftsOf}
    with pytest.raises(InputError, match="joint_drafts"):
        writer_prompts_in(tmp_path / "none")
