from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Grade, Judge, RelevantSentences, RelevantSentencesOf
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from llamaindex_rag_eval.metrics.context_relevance import ContextRelevance, ContextRelevancy
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


async def test_context_relevancy_is_the_share_of_the_sentences_needed():
    oracle = ScriptedOracle(RelevantSentences(sentences=(1,)))
    contexts = ["It rains. The Nile is long. It pours.", "Nothing else is known."]
    assert await score(ContextRelevancy(Judge(oracle)), query="q", contexts=contexts) == 1 / 4
    assert oracle.asked == [
        RelevantSentencesOf(
            question="q",
            sentences=("It rains.", "The Nile is long.", "It pours.", "Nothing else is known."),
        )
    ]


async def test_context_relevance_is_the_mean_of_the_grades_of_the_contexts():
    oracle = ScriptedOracle(
        by_request={
            ContextRelevanceOf: lambda asked: Grade(level={"a": 2, "b": 0}[asked.contexts[0]])
        }
    )
    assert await score(ContextRelevance(oracle), query="q", contexts=("a", "b")) == 1 / 2
    by_rule = await ContextRelevance(EmbeddedOracle()).result(
        SingleTurnSample(query="Who built the lock?", contexts=("Ito built the lock.", "Rain."))
    )
    assert by_rule.score == 1 / 2
