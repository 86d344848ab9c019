"""A run and questions to publish."""

from llamaindex_rag_eval.data.sample import Message, SingleTurnSample, Span
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run

QUESTIONS = (
    SingleTurnSample(
        id="shelf",
        query="Where does the Atlas stand?",
        reference="On the left shelf.",
        gold=((Span(doc_id="hall.md", start=4, end=22, quote="on the left shelf"),),),
        metadata={"split": "dev", "type": "single_hop"},
    ),
    SingleTurnSample(
        id="key",
        query="And who keeps its key?",
        reference="The librarian.",
        earlier_messages=(Message(role="user", content="Where is the Atlas?"),),
    ),
    SingleTurnSample(id="fee", query="What is the fee?", expected_behaviour="refuse"),
)


def answers(**metadata: object) -> list[SingleTurnSample]:
    """Return the questions with answers; each may say which trace it came from."""
    said = ("It stands on the left shelf.", "The janitor keeps it.", "")
    seen = ("The Atlas stands on the left shelf.", "The librarian keeps the key.")
    fields: list[dict[str, object]] = [
        {"response": said[0], "contexts": seen, "latency": 1.5},
        {"response": said[1], "contexts": seen},
        {"error": "EngineError: timed out"},
    ]
    return [
        SingleTurnSample.model_validate(
            {
                **question.model_dump(exclude_unset=True),
                **more,
                "metadata": {
                    **question.metadata,
                    **{name: f"{value}{number}" for name, value in metadata.items()},
                },
            }
        )
        for number, (question, more) in enumerate(zip(QUESTIONS, fields, strict=True))
    ]


def answered_run(**metadata: object) -> Run:
    """Return a run over the answers: by rules, with two metrics."""
    metrics: list[BaseMetric | str] = [Faithfulness(threshold=0.5), "context_recall"]
    judge = EmbeddedOracle()
    return evaluate(answers(**metadata), metrics=metrics, judge=judge, name="atlas", workers=1)
