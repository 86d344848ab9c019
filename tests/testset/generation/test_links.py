"""Passages are linked by what they share."""

from testset import SourceDocument
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.generation.links import partners_of


def test_partners_are_passages_of_other_documents_that_share_a_name():
    texts = {
        "a": "The Orla ferry came from Brevik.",
        "b": "In Brevik there was a yard.",
        "c": "Cats purr at night and came home.",
    }
    documents = [SourceDocument(name, text) for name, text in texts.items()]
    index = CorpusIndex.of(documents, [p for d in documents for p in passages_of(d)])
    assert partners_of(index, 0) == (1,)
