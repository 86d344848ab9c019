"""Facts are linked by what they share."""

import pytest

from testset import GoldSpan, SourceDocument
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.generation.links import links_of, partners_of
from testset.golden.spans import LocatedFact


def fact(text: str, doc_id: str) -> LocatedFact:
    return LocatedFact(text, GoldSpan.cut(doc_id, "", text, 0, len(text)))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (
            "The Orla ferry came from Brevik.",
            "The yard at Brevik was sold.",
            "bridge",
        ),
        ("The Brevik yard closed in 2004.", "The Brevik yard closed in 2006.", "conflict"),
        ("The lamp runs for nine hours.", "A lantern runs for ten hours.", "comparison"),
        ("It began in 1848 with a march.", "Another tax was raised during 1848.", "across"),
    ],
)
def test_facts_are_linked_by_what_they_share(first, second, kind):
    (link,) = links_of([fact(first, "a")], [fact(second, "b")])
    assert link.kind == kind


def test_facts_that_share_nothing_or_say_the_same_are_not_linked():
    assert links_of([fact("Cats purr.", "a")], [fact("Rivers freeze.", "b")]) == ()
    same = "The Brevik yard closed in 2004."
    assert links_of([fact(same, "a")], [fact(same, "b")]) == ()


def test_partners_are_passages_of_other_documents_that_share_a_name():
    texts = {
        "a": "The Orla ferry came from Brevik.",
        "b": "In Brevik there was a yard.",
        "c": "Cats purr at night and came home.",
    }
    documents = [SourceDocument(name, text) for name, text in texts.items()]
    index = CorpusIndex.of(documents, [p for d in documents for p in passages_of(d)])
    assert partners_of(index, 0) == (1,)
