"""Trials: what an engine is given to answer from, with one part exchanged."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from llama_index.core.schema import NodeWithScore, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.diagnosis.cause import TrialName
from llamaindex_rag_eval.diagnosis.evidence import Evidence
from llamaindex_rag_eval.diagnosis.parts import Nodes, Retrieved

NOISE = 5
"""Further nodes of the retriever's ranking that a trial adds as noise."""

_NUMBER = re.compile(r"(?<![A-Za-z\d])(?<![A-Za-z][-–])\d+(?:[.,]\d+)*(?![A-Za-z])")
"""A number that is no part of a name, as in "VT-480" or "CR2032"."""


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


def trials_of_wrong(sample: SingleTurnSample, retrieved: Retrieved) -> Iterator[PlannedTrial]:
    """Yield the trials of a wrong answer.

    They are: the evidence alone; and, if the evidence was passed on, the evidence before what else
    was, and the same nodes once more.

    Args:
        sample: The question, with its evidence.
        retrieved: What is retrieved for it.
    """
    evidence = Evidence.of(sample)
    alone = evidence_nodes(evidence, retrieved.all or retrieved.passed)
    if not alone:
        return
    yield PlannedTrial.plan("alone", sample, alone)
    if evidence.held_in(retrieved.passed):
        yield PlannedTrial.plan("first", sample, (*alone, *_without(retrieved.passed, alone)))
        yield PlannedTrial.plan("again", sample, retrieved.passed)


def trials_of_right(sample: SingleTurnSample, retrieved: Retrieved) -> Iterator[PlannedTrial]:
    """Yield the trials of a right answer: does the engine read, or does it remember?

    They are: the evidence alone; the nodes with another number in place of the answer's; the nodes
    without the evidence; and the nodes with more that do not hold it.

    Args:
        sample: The question, with its evidence.
        retrieved: What is retrieved for it.
    """
    evidence = Evidence.of(sample)
    alone = evidence_nodes(evidence, retrieved.all or retrieved.passed)
    if not alone:
        return
    yield PlannedTrial.plan("alone", sample, alone)
    passed = retrieved.passed
    known = {entry.node.node_id for entry in passed}
    further = [n for n in retrieved.all or () if n.node.node_id not in known][:NOISE]
    if further and evidence.held_in(passed):
        yield PlannedTrial.plan("noise", sample, (*further, *passed))
    others = tuple(entry for entry in passed if not evidence.touched_by(entry))
    if len(others) < len(passed):
        yield PlannedTrial.plan("without", sample, others)
    exchange = exchanged_number(sample.reference, [entry.node.get_content() for entry in passed])
    if exchange is not None:
        texts = [sample.reference, *sample.reference_aliases]
        reference, *aliases = (_replaced(text, *exchange) for text in texts)
        update = {"reference": reference, "reference_aliases": tuple(aliases)}
        nodes = tuple(_rewritten(entry, *exchange) for entry in passed)
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


def exchanged_number(reference: str, texts: Iterable[str]) -> tuple[str, str] | None:
    """Return a number of a right answer that texts hold, and another one to put in its place.

    It is the number with most digits, so that of a date the year changes and the date stays one.
    The other has as many digits, and stands in none of the texts.

    Args:
        reference: The right answer.
        texts: What it was taken from.

    Returns:
        Both numbers as they are written; `None` if no number is in both.

    Example:
        >>> exchanged_number("in March 2006", ["Closed on 3 March 2006, after 12 years."])
        ('2006', '2013')
    """
    held = {number for text in texts for number in _NUMBER.findall(text)}
    numbers = [number for number in _NUMBER.findall(reference) if number in held]
    if not numbers:
        return None
    old = max(numbers, key=lambda number: sum(map(str.isdigit, number)))
    digits = "".join(filter(str.isdigit, old))
    last = min(2, len(digits))  # the first digits give the order of size
    for step in range(7, 7 + 10**last):
        end = (int(digits[-last:]) + step) % 10**last
        changed = iter(f"{digits[:-last]}{end:0{last}}")
        new = "".join(next(changed) if sign.isdigit() else sign for sign in old)
        if new not in held and new != old:
            return old, new
    return None


def _replaced(text: str, old: str, new: str) -> str:
    return _NUMBER.sub(lambda match: new if match[0] == old else match[0], text)


def _rewritten(entry: NodeWithScore, old: str, new: str) -> NodeWithScore:
    """Return a copy of a node with a number replaced; the node stays as it is."""
    node = entry.node
    text = _replaced(node.get_content(), old, new)
    return NodeWithScore(
        node=TextNode(id_=node.node_id, text=text, metadata=dict(node.metadata)), score=entry.score
    )


def _without(nodes: Nodes, left_out: Nodes) -> Nodes:
    ids = {entry.node.node_id for entry in left_out}
    return tuple(entry for entry in nodes if entry.node.node_id not in ids)
