"""Diagnosis: engines with planted faults, engines that cannot be opened, and what is kept."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import get_response_synthesizer
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import (
    CitationQueryEngine,
    RetrieverQueryEngine,
    RouterQueryEngine,
)
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool

from llamaindex_rag_eval import LostAnswers, diagnose
from llamaindex_rag_eval.diagnosis.parts import EngineParts
from llamaindex_rag_eval.engines.engine import with_settings
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.diagnosis.planted import (
    DEPTH,
    FAULTS,
    FlippingOracle,
    PlantedReader,
    Words,
    engine,
    mass,
    questions,
)


class Silent(PlantedReader):
    """A reader that must not be asked."""

    def __init__(self) -> None:
        super().__init__(Words({}, Counter()))

    def get_response(self, *_: Any, **__: Any) -> str:
        raise AssertionError("asked again")


KINDS = sorted(FAULTS)
PLANTED = dict(enumerate(KINDS))
COUNT = 30


@pytest.fixture(scope="module")
def lost() -> LostAnswers:
    return diagnose(
        engine(PLANTED, COUNT),
        questions(PLANTED, COUNT),
        judge=FlippingOracle(PLANTED),
        second=EmbeddedOracle(),
        depth=DEPTH,
        control=5,
    )


def test_each_planted_fault_gets_its_cause(lost: LostAnswers) -> None:
    causes = {entry.sample.id: entry.causes[0] for entry in lost.lost}
    assert causes == {f"q{number}": FAULTS[kind] for number, kind in PLANTED.items()}


def test_each_planted_fault_gets_its_cause_with_rules_that_read() -> None:
    lost = diagnose(
        engine(PLANTED, COUNT, inner=get_response_synthesizer(llm=ExtractiveLLM())),
        questions(PLANTED, COUNT),
        judge=FlippingOracle(PLANTED),
        second=EmbeddedOracle(),
        depth=DEPTH,
        control=0,
    )
    causes = {entry.sample.id: entry.causes[0] for entry in lost.lost}
    assert causes == {f"q{number}": FAULTS[kind] for number, kind in PLANTED.items()}


def test_the_causes_add_up_to_what_is_not_right(lost: LostAnswers) -> None:
    assert lost.right.value == pytest.approx((COUNT - len(PLANTED)) / COUNT)
    assert sum(entry.count for entry in lost.causes) == len(PLANTED)
    assert sum(e.share.value or 0 for e in lost.causes) + (lost.right.value or 0) == pytest.approx(
        1
    )
    assert all(entry.share.interval is not None for entry in lost.causes)


def test_what_is_ranked_too_low_says_which_rank_would_do(lost: LostAnswers) -> None:
    remedies = {entry.cause: entry.text.remedy for entry in lost.causes}
    # the planted document stands behind TOP_K + 2 = 7 others
    assert remedies["ranked_too_low"].endswith(
        "Half of them are within rank 8, nine in ten within 8."
    )
    assert "rank" not in remedies["misread"]


def test_perfect_retrieval_mends_what_is_lost_before_the_reader_and_by_what_it_passes(
    lost: LostAnswers,
) -> None:
    stays = sum(FAULTS[kind] in ("misread", "golden_item", "judge") for kind in KINDS)
    assert lost.reach.value == pytest.approx((COUNT - stays) / COUNT)


def test_a_reader_that_reads_follows_the_evidence_and_refuses_without_it(lost: LostAnswers) -> None:
    assert {name: share.value for name, share in lost.reading.items()} == {
        "alone": 1.0,
        "noise": 1.0,
        "without": 1.0,
        "exchanged": 1.0,
    }


def test_an_engine_that_remembers_does_not_follow_the_evidence() -> None:
    known = dict.fromkeys(range(6), "remembers")
    lost = diagnose(engine(known, 6), questions(known, 6))
    assert lost.lost == ()
    assert lost.reading["exchanged"].value == 0.0
    assert lost.reading["without"].value == 1.0  # LlamaIndex asks no model about no contexts


def test_of_a_function_it_is_said_whether_the_evidence_was_among_its_contexts() -> None:
    inner = engine({0: "low", 1: "memory"}, 12)

    def service(question: str) -> dict[str, Any]:
        reply = inner.query(question)
        return {"response": str(reply), "contexts": [n.get_content() for n in reply.source_nodes]}

    lost = diagnose(service, questions({}, 12))
    assert {e.sample.id: e.causes for e in lost.lost} == {
        "q0": ("not_passed_on",),
        "q1": ("not_used",),
    }
    assert lost.reach.value is None
    assert not lost.reading


def test_answers_and_trials_are_kept_and_not_asked_again(tmp_path: Path) -> None:
    planted = {0: "last", 1: "low"}
    first = diagnose(engine(planted, 8), questions(planted, 8), out=tmp_path)
    silent = engine(planted, 8, reader=Silent())
    again = diagnose(silent, questions(planted, 8), out=tmp_path)
    assert again.as_json() == first.as_json()


def test_trials_of_another_engine_are_refused(tmp_path: Path) -> None:
    planted = {0: "last", 1: "low"}
    old, new = (with_settings(engine(planted, 8), engine=name) for name in ("a:old", "a:new"))
    answers = run(old, questions(planted, 8))
    diagnose(old, answers, out=tmp_path)
    with pytest.raises(InputError, match=r"trials\.jsonl' holds answers of engine='a:old', not of"):
        diagnose(new, answers, out=tmp_path)


def test_answers_that_are_given_are_not_asked_for() -> None:
    samples = [
        sample.model_copy(update={"response": f"{mass(number)} kg", "contexts": ("x",)})
        for number, sample in enumerate(questions({}, 4))
    ]
    silent = engine({}, 4, reader=Silent())
    lost = diagnose(silent, samples, control=0)
    assert lost.right.value == 1.0


def test_engines_that_retrieve_and_answer_in_two_steps_are_opened() -> None:
    retriever = engine({}, 4).retriever
    llm = MockLLM()
    citing = CitationQueryEngine(retriever=retriever, llm=llm)
    plain = RetrieverQueryEngine.from_args(retriever, llm=llm)
    tool = QueryEngineTool.from_defaults(plain, description="pumps")
    router = RouterQueryEngine(LLMSingleSelector.from_defaults(llm=llm), [tool], llm=llm)
    assert [EngineParts(e).opened for e in (plain, citing, router, print)] == [
        True,
        True,
        False,
        False,
    ]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="take 'answer_verdict'"):
        diagnose(engine({}, 2), questions({}, 2), metric="refusal")
    with pytest.raises(InputError, match="expected questions"):
        diagnose(engine({}, 2), [])
