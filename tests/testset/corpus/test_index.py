"""Search by words ranks as the formula of BM25 says; search by vectors, as the embedding does."""

import math

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import Field

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from testset import SourceDocument
from testset.corpus.bm25 import Bm25
from testset.corpus.counts import counted_part, united
from testset.corpus.index import CorpusIndex, keys_of

TEXTS = st.lists(
    st.lists(st.sampled_from(["vent", "pump", "red", "1998", "東京"]), max_size=9).map(" ".join),
    max_size=9,
)


def test_search_ranks_by_words_and_ties_by_order():
    index = Bm25(united([counted_part(["red vent", "blue pump", "blue pump"])]))
    assert [number for number, _ in index.search("blue pumps", k=3)] == [1, 2]
    assert index.search("blue pumps", k=3, without=[1])[0][0] == 2
    assert index.rank("blue pump", [2]) == 2
    assert index.rank("green", [0, 1]) is None


def by_hand(texts: list[str], query: str, number: int) -> float:
    """Return the score of one text from the formula, term by term."""
    keys = [keys_of(text) for text in texts]
    mean = sum(map(len, keys)) / len(keys)
    score = 0.0
    for key in dict.fromkeys(keys_of(query)):
        holding = sum(key in found for found in keys)
        idf = math.log(1 + (len(keys) - holding + 0.5) / (holding + 0.5))
        times = keys[number].count(key)
        norm = 1.5 * (1 - 0.75 + 0.75 * len(keys[number]) / mean) if mean else 1.0
        score += idf * times * (1.5 + 1) / (times + norm)
    return score


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.sampled_from(["red pump", "vent vent", "東京 1998", "green", ""]))
def test_scores_follow_the_formula(texts, query):
    found = Bm25(united([counted_part(texts)])).scores(query)
    assert len(found) == len(texts)
    for number, score in enumerate(found):
        assert score == pytest.approx(by_hand(texts, query, number), abs=1e-12)


def test_texts_without_words_are_never_found():
    for texts in ([], [""], ["...", " "]):
        index = Bm25(united([counted_part(texts)]))
        assert index.search("red vent", k=3) == []
        assert not index.known("red")
        # No text of n holds the term: log(1 + (n + 1/2) / (1/2)) = log(2 n + 2).
        assert index.idf("red") == pytest.approx(math.log(2 * len(texts) + 2))


class Lengths(LexicalEmbedding):
    """An embedding that compares nothing but the length of texts."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(len(text)), 1.0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [self._get_text_embedding(text) for text in texts]


class Seen(Lengths):
    """An embedding that remembers the texts it is given."""

    texts: list[str] = Field(default_factory=list)

    def _get_text_embedding(self, text: str) -> list[float]:
        self.texts.append(text)
        return super()._get_text_embedding(text)


def test_vectors_are_made_of_passages_below_their_headings():
    model = Seen()
    CorpusIndex.of([SourceDocument("a.md", "# Pool\n\n## Floats\n\nNone.\n")], model)
    assert model.texts == ["[Pool / Floats]\nNone."]


def test_the_second_retriever_is_the_embedding_that_was_given():
    near, far = SourceDocument("a", "Rain fell on Ely."), SourceDocument("b", "Rain. " * 9 + "End.")
    lengths = CorpusIndex.of([near, far], Lengths())
    assert lengths.search("Snow came to Lyn.", k=1) == (0,)
    assert CorpusIndex.of([far, near]).search("Snow came to Ely.", k=1) == (1,)
