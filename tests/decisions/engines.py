"""Engines whose answers are right as often as a parameter says, and which count their questions."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

from llamaindex_rag_eval.data.sample import SingleTurnSample

ASKED: Counter[str] = Counter()
"""How often each engine was asked."""


def golden(count: int, per_document: int = 1) -> list[SingleTurnSample]:
    """Return questions, as many on each document."""
    return [
        SingleTurnSample.model_validate(
            {
                "id": f"q{number}",
                "query": f"What is number {number}?",
                "reference": f"answer {number}",
                "gold": [[{"doc_id": f"d{number // per_document}", "start": 0, "end": 5}]],
            }
        )
        for number in range(count)
    ]


def make(rate: float, twin: str = "") -> Callable[[str], dict[str, object]]:
    """Return an engine that is right with this rate; twins answer alike."""

    def engine(question: str) -> dict[str, object]:
        ASKED[f"{rate}{twin}"] += 1
        number = question.rstrip("?").split()[-1]
        luck = int(sha256(f"{rate} {number}".encode()).hexdigest(), 16) % 1000 / 1000
        answer = f"answer {number}" if luck < rate else f"no idea about {number}"
        return {"response": answer, "contexts": [f"context of {number}"]}

    return engine


def fails(rate: float = 1.0, when: str = "asked") -> Callable[[str], str]:
    """Raise, or return an engine that fails whenever it is asked."""
    if when == "made":
        raise RuntimeError("no index of this size")

    def engine(question: str) -> str:
        raise ValueError(f"cannot answer {question}")

    return engine
