from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Critique, CritiqueOf, Questions
from llamaindex_rag_eval.metrics.summarization_score import SummarizationScore
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


async def test_a_summary_is_worth_what_it_answers_and_what_it_saves():
    oracle = ScriptedOracle(
        Questions(questions=("a?", "b?")),
        by_request={CritiqueOf: lambda asked: Critique(verdict=asked.query == "a?")},
    )
    sample = SingleTurnSample(response="ab", contexts=("abcdefgh",))
    # half of the questions, three quarters of the characters
    assert await score(SummarizationScore(oracle, n=2), sample) == (1 / 2 + 3 / 4) / 2


async def test_questions_that_are_given_are_asked_in_place_of_the_judges():
    oracle = ScriptedOracle(
        by_request={CritiqueOf: lambda asked: Critique(verdict=asked.query == "Own?")}
    )
    sample = SingleTurnSample(response="ab", contexts=("abcdefgh",))
    metric = SummarizationScore(oracle, questions=("Own?", "Other?"))
    assert await score(metric, sample) == (1 / 2 + 3 / 4) / 2


async def test_without_contexts_the_reference_contexts_are_the_text():
    oracle = ScriptedOracle(Questions(questions=("a?",)), Critique(verdict=True))
    sample = SingleTurnSample(response="ab", reference_contexts=("abcdefgh",))
    # the question, and three quarters of the characters
    assert await score(SummarizationScore(oracle, n=1), sample) == (1 + 3 / 4) / 2
    missing = SummarizationScore().missing(SingleTurnSample(response="ab"))
    assert missing == "contexts, or reference_contexts"
