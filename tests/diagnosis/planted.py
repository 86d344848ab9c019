"""Query engines with planted faults: each loses the answers to some questions, in a known way."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.models.request import ReplyT, Request

FAULTS: Mapping[str, str] = {
    "cut_through": "never_indexed",
    "unread": "never_indexed",
    "sunk": "not_found",
    "low": "ranked_too_low",
    "filtered": "cut",
    "memory": "misread",
    "half": "order",
    "last": "distracted",
    "wrong_reference": "golden_item",
    "flip": "judge",
    "fickle": "unstable",
}
"""A planted fault -> the cause that it is."""

TOP_K = 5
DEPTH = 20

_QUESTION = re.compile(r"What does pump (P\d+) weigh")


def questions(planted: Mapping[int, str], count: int) -> list[SingleTurnSample]:
    """Return questions on one document each; some with a wrong reference."""
    samples = []
    for number in range(count):
        text, start = document(number)
        end = start + len(fact(number))
        wrong = planted.get(number) == "wrong_reference"
        samples.append(
            SingleTurnSample(
                id=f"q{number}",
                query=f"What does pump P{number} weigh?",
                reference=f"{mass(number) + 511 if wrong else mass(number)} kg",
                gold=((Span(doc_id=f"{number}.md", start=start, end=end, quote=text[start:end]),),),
            )
        )
    return samples


def mass(number: int) -> int:
    """Return what a pump weighs, in kilograms."""
    return 100 + Random(number).randrange(400)


def fact(number: int) -> str:
    """Return the sentence that answers a question."""
    return (
        f"According to its plate from the works in Norway, pump P{number} weighs {mass(number)} kg."
    )


def document(number: int) -> tuple[str, int]:
    """Return a document, and where its fact begins."""
    before = f"Hall {number} was built in {1900 + number}. It has a crane. "
    return f"{before}{fact(number)} The crew of hall {number} has its lunch at noon.", len(before)


@dataclass
class Words:
    """What the parts of an engine know of the faults that are planted in them.

    Attributes:
        planted: Number of a question -> its fault.
        seen: How often each was answered.
    """

    planted: Mapping[int, str]
    seen: Counter[int]

    def of(self, query: str) -> tuple[int, str]:
        """Return the number of a question, and its fault; "" for none."""
        match = _QUESTION.search(query)
        assert match is not None
        number = int(match[1][1:])
        return number, self.planted.get(number, "")


class PlantedRetriever(BaseRetriever):
    """Ranks all nodes: those of the question's document first, unless a fault says otherwise."""

    def __init__(self, words: Words, count: int) -> None:
        super().__init__()
        self.similarity_top_k = TOP_K
        self._words = words
        self._nodes: list[tuple[int, TextNode]] = []
        for number in range(count):
            text, start = document(number)
            planted = words.planted.get(number)
            middle = start + len(fact(number)) // 2
            cuts = [0, middle, len(text)] if planted == "cut_through" else [0, len(text)]
            for low, high in pairwise(cuts):
                if planted != "unread":
                    node = TextNode(
                        text=text[low:high],
                        start_char_idx=low,
                        end_char_idx=high,
                        metadata={"doc_id": f"{number}.md"},
                        id_=f"{number}-{low}",
                    )
                    self._nodes.append((number, node))

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        number, fault = self._words.of(query_bundle.query_str)
        own = [node for owner, node in self._nodes if owner == number]
        others = [node for owner, node in self._nodes if owner != number]
        place = {"sunk": DEPTH + 5, "low": TOP_K + 2, "half": TOP_K - 1}.get(fault, 0)
        if fault == "cut_through":
            nodes = [own[0], *others, own[1]]
        else:
            nodes = [*others[:place], *own, *others[place:]]
        return [NodeWithScore(node=node, score=1.0) for node in nodes[: self.similarity_top_k]]


class PlantedFilter(BaseNodePostprocessor):
    """Drops the document of some questions."""

    words: Any

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        assert query_bundle is not None
        number, fault = self.words.of(query_bundle.query_str)
        dropped = f"{number}.md" if fault == "filtered" else ""
        return [entry for entry in nodes if entry.node.metadata.get("doc_id") != dropped]


class PlantedReader(BaseSynthesizer):
    """Finds the mass of the pump in what it is given, or says that it is not there.

    With an `inner` reader, that one reads what the faults leave.
    """

    def __init__(self, words: Words, inner: BaseSynthesizer | None = None) -> None:
        super().__init__(llm=MockLLM())
        self._words = words
        self._inner = inner

    def get_response(self, query_str: str, text_chunks: Sequence[str], **_: Any) -> str:
        number, fault = self._words.of(query_str)
        self._words.seen[number] += 1
        texts = list(text_chunks)
        if fault == "remembers":
            return f"Pump P{number} weighs {mass(number)} kg."
        if fault == "memory":
            return f"Pump P{number} weighs {mass(number) + 1000} kg."
        if fault == "fickle" and self._words.seen[number] == 1:
            return f"Pump P{number} weighs {mass(number) + 1000} kg."
        if fault == "half" and len(texts) > 1:
            texts = texts[: len(texts) // 2]
        if fault == "last":
            texts = texts[-1:]
        if self._inner is not None:
            return str(self._inner.get_response(query_str, texts))
        weighed = re.search(rf"pump P{number} weighs (\d+) kg", " ".join(texts))
        if weighed is None and fault == "last":
            return f"Pump P{number} weighs {mass(number) + 1000} kg."
        return f"Pump P{number} weighs {weighed[1]} kg." if weighed else "The documents do not say."

    async def aget_response(self, query_str: str, text_chunks: Sequence[str], **_: Any) -> str:
        return self.get_response(query_str, text_chunks)

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: Any) -> None:
        del prompts


class FlippingOracle(EmbeddedOracle):
    """Rules that call the answers to some questions wrong."""

    def __init__(self, planted: Mapping[int, str]) -> None:
        super().__init__()
        self._words = Words(planted, Counter())

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        query = str(getattr(request, "query", ""))
        reply = await super().ask(request)
        if isinstance(request, AnswerVerdictOf) and self._words.of(query)[1] == "flip":
            return reply.model_copy(update={"verdict": "wrong"})
        return reply


def engine(
    planted: Mapping[int, str],
    count: int,
    *,
    reader: BaseSynthesizer | None = None,
    inner: BaseSynthesizer | None = None,
) -> RetrieverQueryEngine:
    """Return an engine over documents with these faults.

    Args:
        planted: Number of a question -> its fault.
        count: How many documents and questions there are.
        reader: Answers from nodes; by default one that has the faults of a reader.
        inner: Reads what these faults leave; by default a script does.
    """
    words = Words(planted, Counter())
    return RetrieverQueryEngine(
        PlantedRetriever(words, count),
        response_synthesizer=reader or PlantedReader(words, inner),
        node_postprocessors=[PlantedFilter(words=words)],
    )


def faulty() -> RetrieverQueryEngine:
    """Return an engine for eight questions, two of them with a fault, as `--engine` takes it."""
    return engine({0: "filtered", 1: "memory"}, 8)
