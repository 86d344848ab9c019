"""The suite: one reply for all judgements on a sample, and what is asked beside it."""

import asyncio
from typing import Any

import pytest

from llamaindex_rag_eval import (
    CachedOracle,
    Judge,
    LLMOracle,
    SingleTurnSample,
    VotingOracle,
    evaluate,
)
from llamaindex_rag_eval.judge import Claims, ClaimsOf, SupportOf, SupportReply
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict, AnswerVerdictOf
from llamaindex_rag_eval.judge.answerers import judged_sample
from llamaindex_rag_eval.judge.suite import Suite, SuiteOf, SuiteOracle
from llamaindex_rag_eval.judge.support import Support
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.models.by_name import llm_at
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.usage import Usage
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.server import LoopbackServer

RESPONDERS = "tests.server.judge_responders:RESPONDERS"
SAMPLE = SingleTurnSample(
    id="q",
    query="How many cars does Orla carry?",
    response="It carries 14 cars. It is blue.",
    contexts=("Orla runs on batteries.", "Orla carries 14 cars."),
    reference="Orla carries 14 cars.",
)


def judged(verdict: str, *evidence: int | str) -> dict[str, Any]:
    return {"verdict": verdict, "evidence": evidence}


def suite_of(**changes: object) -> Suite:
    yes, no = judged("supported", 1), judged("not_mentioned", "no colour")
    parts: dict[str, Any] = {
        "reference_claims": [
            {
                "claim": "Orla carries 14 cars.",
                "by_contexts": judged("supported", 2),
                "by_other": yes,
            }
        ],
        "response_claims": [
            {
                "claim": "It carries 14 cars.",
                "by_contexts": judged("supported", 2),
                "by_other": yes,
            },
            {"claim": "Orla is blue.", "by_contexts": no, "by_other": no},
        ],
        "useful_contexts": [2],
        "answer": {"reason": "The number is right.", "faults": [], "verdict": "right"},
    }
    return Suite.model_validate(parts | changes)


def scores(oracle: ScriptedOracle, *metrics: str) -> dict[str, float | None]:
    run = evaluate([SAMPLE], metrics=metrics, judge=Judge(SuiteOracle(oracle)))
    return {result.metric: result.score for result in run.results}


def test_one_request_answers_all_judgements_of_a_sample() -> None:
    oracle = ScriptedOracle(by_request={SuiteOf: suite_of()})
    metrics = ("faithfulness", "context_recall", "context_precision", "factual_correctness")
    # One of two claims is supported; the only useful context is the second of two.
    expected = {"faithfulness": 1 / 2, "context_recall": 1, "context_precision": 1 / 2}
    found = scores(oracle, *metrics, "answer_verdict")
    assert {name: found[name] for name in expected} == expected
    assert found["answer_verdict"] == 1
    assert oracle.asked == [SuiteOf.of(SAMPLE)]


def test_an_invalid_part_alone_is_asked_by_itself() -> None:
    entry = {"claim": "It carries 14 cars.", "by_contexts": judged("supported", 9)}
    wrong = [{**entry, "by_other": judged("supported", 1)}]
    separate = SupportReply(
        verdicts=(Support(claim="It carries 14 cars.", verdict="supported", sources=(1,)),)
    )
    script: dict[Any, Any] = {SuiteOf: suite_of(response_claims=wrong), SupportOf: separate}
    oracle = ScriptedOracle(by_request=script)
    assert scores(oracle, "faithfulness", "answer_verdict")["faithfulness"] == 1
    assert [type(request) for request in oracle.asked] == [SuiteOf, SupportOf]


def test_a_suite_that_fails_is_asked_once_and_all_by_itself() -> None:
    support = SupportReply(verdicts=(Support(claim="c", verdict="supported", sources=(0,)),))
    script: dict[Any, Any] = {
        ClaimsOf: Claims(claims=("c",)),
        SupportOf: support,
        SuiteOf: Claims(claims=()),  # of the wrong type: the contract is broken
        AnswerVerdictOf: AnswerVerdict(verdict="right"),
    }
    oracle = ScriptedOracle(by_request=script)
    found = scores(oracle, "faithfulness", "answer_verdict")
    assert found == {"faithfulness": 1, "answer_verdict": 1}
    assert sum(isinstance(request, SuiteOf) for request in oracle.asked) == 1


@pytest.mark.parametrize("lacking", ["contexts", "reference", "response"])
def test_a_sample_that_lacks_a_text_is_asked_about_as_before(lacking: str) -> None:
    empty: object = () if lacking == "contexts" else ""
    assert SuiteOf.of(SAMPLE.model_copy(update={lacking: empty})) is None
    oracle = ScriptedOracle(by_request={ClaimsOf: Claims(claims=())})
    asyncio.run(Judge(SuiteOracle(oracle)).claims("It is blue."))
    assert [type(request) for request in oracle.asked] == [ClaimsOf]


def test_other_texts_than_those_of_the_sample_are_asked_about_by_themselves() -> None:
    oracle = ScriptedOracle(by_request={ClaimsOf: Claims(claims=()), SuiteOf: suite_of()})

    async def ask() -> None:
        judged_sample.set(SAMPLE)
        judge = Judge(SuiteOracle(oracle))
        await judge.claims("Another text.", question=SAMPLE.query)
        await judge.claims(SAMPLE.response, question=SAMPLE.query, atomicity="low")

    asyncio.run(ask())
    assert [type(request) for request in oracle.asked] == [ClaimsOf, ClaimsOf]


def test_a_model_that_says_the_same_gives_the_same_scores_in_three_calls() -> None:
    with LoopbackServer(responders=RESPONDERS) as server:
        llm = llm_at(f"openai-like:{server.url}:m")
        plain = LLMOracle(llm, logprobs=False)
        runs, calls = [], []
        for oracle in (plain, SuiteOracle(plain)):
            server.reset()
            runs.append(evaluate(made_samples(2), metrics=EIGHT, judge=Judge(oracle), workers=1))
            calls.append(server.stats().calls)
    assert calls == [18, 6]  # claims, support and relevance in one; questions and entities beside
    assert [r.score for r in runs[0].results] == [r.score for r in runs[1].results]
    names = [run.provenance.judged["faithfulness"]["ClaimsOf"] for run in runs]
    (before,), (after,) = names
    assert after.startswith(f"{before}.")


def test_a_dry_run_counts_separate_requests_and_votes_are_independent() -> None:
    oracle = LLMOracle(llm_at("openai-like:http://127.0.0.1:9/v1:m"))
    usage = Usage()
    judge = Judge(dry_run_of(CachedOracle(SuiteOracle(oracle)), usage))
    evaluate([SAMPLE], metrics=["faithfulness", "answer_verdict"], judge=judge)
    assert usage.total.calls == 3  # an upper bound: claims, support and verdict
    voters = VotingOracle(CachedOracle(SuiteOracle(oracle)), 3)
    assert voters.fingerprint(ClaimsOf).startswith("votes=3/llm/m/")
