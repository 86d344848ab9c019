"""The prompts of the writer in another language, read from a folder and asked by."""

import json

import pytest

from llamaindex_rag_eval.errors import InputError
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import generate, writer_prompts, writer_prompts_in
from testset.requests.proposals import ProposalsOf

FAULTLESS = "tests.server.writer_responders:FAULTLESS"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pt")
    for prompt in writer_prompts().values():
        changed = prompt.changed(instruction=f"<Portuguese> {prompt.instruction}", language="pt")
        changed.save(made / f"{prompt.name}.json")
    return made


def test_all_prompts_are_read_from_a_folder(folder):
    prompts = writer_prompts_in(folder)
    assert set(prompts) == set(writer_prompts())
    assert {prompt.language for prompt in prompts.values()} == {"pt"}


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
    told = [given["settings"] for given in users if "settings" in given]
    assert {settings["language"] for settings in told if "language" in settings} == {"pt"}
    english = oracle_at(server).fingerprint(ProposalsOf).rpartition(":")[2]
    assert all(item.created.prompts["proposals"] != english for item in golden)
    assert {item.axes.language for item in golden} == {"pt"}


def test_prompts_that_a_folder_lacks_stay_english_and_an_empty_one_is_named(folder, tmp_path):
    (tmp_path / "proposals.json").write_bytes((folder / "proposals.json").read_bytes())
    assert set(writer_prompts_in(tmp_path)) == {ProposalsOf}
    with pytest.raises(InputError, match="write_single_hop"):
        writer_prompts_in(tmp_path / "none")
