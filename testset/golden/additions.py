"""Additions: questions that users asked in production, as items of a golden set."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from testset.golden.golden_set import GoldenSet
from testset.golden.item import Axes, Created, GoldenItem, item_id
from testset.version import VERSION

SOURCE = "source"
"""The key in an item's `created.models` that says where a question comes from."""


def with_samples(
    golden: GoldenSet, samples: Iterable[Sample], *, source: str, referenced: bool = False
) -> GoldenSet:
    """Return a golden set with the questions of samples that it does not have yet.

    A question that differs in case, width or blanks only is the same one. Left out are
    conversations, blank questions, questions on which the application failed, and, where other
    answers have contexts, those that were answered without any retrieval, as greetings are. The
    answers given in production are not taken as references.

    Args:
        golden: The set.
        samples: Samples from logs.
        source: Where they come from, stored with each item.
        referenced: Leave out samples without a reference answer.

    Example:
        >>> logs = [SingleTurnSample(query=query) for query in ("Who?", "who? ", "Why?")]
        >>> [item.question for item in with_samples(GoldenSet(()), logs, source="production")]
        ['Who?', 'Why?']
    """
    items = list(golden.items)
    known = {plain_question(item.question) for item in items}
    for sample in _usable(samples, referenced=referenced):
        plain = plain_question(sample.query)
        if plain not in known:
            known.add(plain)
            items.append(_item(sample, source))
    return replace(golden, items=tuple(items), size=len(items))


def _usable(samples: Iterable[Sample], *, referenced: bool) -> Iterator[SingleTurnSample]:
    single = [sample for sample in samples if isinstance(sample, SingleTurnSample)]
    retrieves = any(sample.contexts for sample in single)
    for sample in single:
        greeted = retrieves and bool(sample.response.strip()) and not sample.has("contexts")
        if sample.error or greeted or not sample.query.strip():
            continue
        if sample.reference.strip() or not referenced:
            yield sample


def plain_question(question: str) -> str:
    """Return a question without case, width and runs of blanks, to tell equal ones."""
    return " ".join(unicodedata.normalize("NFKC", question).casefold().split())


def _item(sample: SingleTurnSample, source: str) -> GoldenItem:
    language = sample.metadata.get("language", "")
    topic = sample.metadata.get("topic", "")
    return GoldenItem(
        id=item_id(sample.query, sample.reference, "single_hop", ()),
        question=sample.query,
        reference=sample.reference,
        reference_aliases=sample.reference_aliases,
        expected_behaviour=sample.expected_behaviour,
        axes=Axes(language=language if isinstance(language, str) else ""),
        topic=topic if isinstance(topic, str) else "",
        created=Created(models={SOURCE: source}, version=VERSION),
    )
