"""Trials: what an engine is given to answer from, with one part exchanged."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from llama_index.core.schema import NodeWithScore, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.diagnosis.cause import TrialName
from llamaindex_rag_eval.diagnosis.evidence import Evidence
from llamaindex_rag_eval.diagnosis.exchange import Exchange, exchange_of
from llamaindex_rag_eval.diagnosis.parts import Nodes, Retrieved

NOISE = 5
"""Further nodes of the retriever's ranking that a trial adds as noise."""


@dataclass(frozen=True)
class PlannedTrial:
    """A question, and what it is answered from.

    Attributes:
        name: What is exchanged.
        of: The id of the question.
        sample: The question under an id of the trial, with the answer that is then right.
        nodes: What is answered from.
    """

    name: TrialName
    of: str
    sample: SingleTurnSample
    nodes: Nodes

    @classmethod
    def plan(cls, name: TrialName, sample: SingleTurnSample, nodes: Nodes) -> "PlannedTrial":
        """Return a trial; other nodes make another id, so that its answer is asked for anew."""
        texts = "\0".join(entry.node.get_content() for entry in nodes)
        digest = hashlib.sha256(texts.encode()).hexdigest()[:8]
        named = sample.model_copy(update={"id": f"{sample.id} {name} {digest}"})
        return cls(name, sample.id, named, nodes)


def trials_of(
    sample: SingleTurnSample, retrieved: Retrieved, *, right: bool
) -> Iterator[PlannedTrial]:
    """Yield the trials of an answer; the first is the evidence alone.

    Of a wrong answer, if the evidence was passed on, they are the evidence before what else was,
    and the same nodes once more. Of a right one (does the engine read, or does it remember?) the
    nodes with more that do not hold the evidence, without the evidence, and with another value in
    place of the answer's.

    Args:
        sample: The question, with its evidence.
        retrieved: What is retrieved for it.
        right: Whether the answer is right.
    """
    evidence = Evidence.of(sample)
    alone = evidence_nodes(evidence, retrieved.all or retrieved.passed)
    if not alone:
        return
    yield PlannedTrial.plan("alone", sample, alone)
    if right:
        yield from _reading_trials(sample, retrieved, evidence)
    elif evidence.held_in(retrieved.passed):
        yield PlannedTrial.plan("first", sample, (*alone, *_without(retrieved.passed, alone)))
        yield PlannedTrial.plan("again", sample, retrieved.passed)


def _reading_trials(
    sample: SingleTurnSample, retrieved: Retrieved, evidence: Evidence
) -> Iterator[PlannedTrial]:
    passed = retrieved.passed
    known = {entry.node.node_id for entry in passed}
    further = [n for n in retrieved.all or () if n.node.node_id not in known][:NOISE]
    if further and evidence.held_in(passed):
        yield PlannedTrial.plan("noise", sample, (*further, *passed))
    others = tuple(entry for entry in passed if not evidence.touched_by(entry))
    if len(others) < len(passed):
        yield PlannedTrial.plan("without", sample, others)
    texts, documents = (
        [entry.node.get_content() for entry in nodes] for nodes in (passed, retrieved.all or passed)
    )
    exchange = exchange_of(sample.asked, sample.reference, texts, documents)
    if exchange is not None:
        reference, *aliases = map(exchange.apply, (sample.reference, *sample.reference_aliases))
        update = {"reference": reference, "reference_aliases": tuple(aliases)}
        nodes = tuple(_rewritten(entry, exchange) for entry in passed)
        yield PlannedTrial.plan("exchanged", sample.model_copy(update=update), nodes)


def evidence_nodes(evidence: Evidence, nodes: Sequence[NodeWithScore]) -> Nodes:
    """Return the first node that holds each part of the evidence; else what is quoted of it.

    Args:
        evidence: What a question needs.
        nodes: Where it is looked for.
    """
    ranks = evidence.ranks(nodes)
    if None not in ranks:
        return tuple(nodes[rank] for rank in dict.fromkeys(ranks) if rank is not None)
    return tuple(
        NodeWithScore(node=TextNode(text=text, metadata={"doc_id": doc_id}), score=1.0)
        for doc_id, text in evidence.quotes
    )


def _rewritten(entry: NodeWithScore, exchange: Exchange) -> NodeWithScore:
    """Return a copy of a node with values exchanged; the node stays as it is."""
    node = entry.node
    text = exchange.apply(node.get_content())
    return NodeWithScore(
        node=TextNode(id_=node.node_id, text=text, metadata=dict(node.metadata)), score=entry.score
    )


def _without(nodes: Nodes, left_out: Nodes) -> Nodes:
    ids = {entry.node.node_id for entry in left_out}
    return tuple(entry for entry in nodes if entry.node.node_id not in ids)
