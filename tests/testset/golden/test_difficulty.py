"""The difficulty of a question follows from rank, overlap and hops."""

import pytest

from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, SourceDocument
from testset.checks.draft import Draft
from testset.corpus.deployed import Retrieved
from testset.corpus.index import CorpusIndex
from testset.golden.difficulty import difficulty_level, difficulty_over, with_difficulty
from testset.golden.item import Axes


@pytest.mark.parametrize(
    ("rank", "overlap", "hops", "level"),
    [
        (1, 1.0, 1, "easy"),
        (2, 1.0, 1, "medium"),
        (5, 0.6, 1, "medium"),
        (6, 1.0, 1, "hard"),
        (1, 0.59, 1, "medium"),
        (1, 0.29, 1, "hard"),
        (1, 1.0, 2, "medium"),
        (1, 1.0, 3, "hard"),
        (None, 1.0, 1, "hard"),
        (None, 0.0, 0, ""),
    ],
)
def test_a_question_is_as_hard_as_its_hardest_part(rank, overlap, hops, level):
    assert difficulty_level(rank=rank, overlap=overlap, hops=hops) == level


def test_difficulty_is_measured_over_the_documents():
    pump = SourceDocument("pump", "Ada Byron designed the Harwell pump.")
    vent = SourceDocument("vent", "Otto Lorn sketched every chimney.")
    quote = {d: GoldSpan.cut(d.doc_id, d.hash, d.text, 0, len(d.text)) for d in (pump, vent)}

    def asked(question: str, *gold: tuple[GoldSpan, ...]) -> GoldenItem:
        return GoldenItem(id=question, question=question, reference="r", gold=gold)

    both = (quote[pump],), (quote[vent],)
    items = (
        asked("Who designed the Harwell pump?", (quote[pump],)),
        asked("Who is behind the machine?", (quote[pump],)),
        asked("Who designed the Harwell pump and sketched a chimney?", *both),
        asked("Who sleeps?"),
    )
    found = with_difficulty(GoldenSet(items), Corpus((pump, vent)))
    assert [entry.difficulty for entry in found] == ["easy", "hard", "medium", ""]
    assert [entry.difficulty_by for entry in found] == ["BM25", "BM25", "BM25", ""]


def test_difficulty_is_measured_by_what_a_deployed_retriever_shows():
    text = "One line. Two lines."
    document = SourceDocument("a", text)
    first = GoldSpan.cut("a", document.hash, text, 0, 9)
    second = GoldSpan.cut("a", document.hash, text, 10, 20)
    index = CorpusIndex.of([document])

    def level(gold: tuple[GoldSpan, ...], *places: tuple[str, int, int] | None) -> tuple[str, str]:
        groups = tuple((span,) for span in gold)
        found = Retrieved("shop:retriever", places, (0,))
        draft = Draft("What?", "That.", "", "single_hop", Axes(), groups, hits=found)
        return difficulty_over(draft, index)

    assert level((first,), ("a", 0, 9)) == ("easy", "shop:retriever")
    assert level((first,), None, ("a", 0, 9)) == ("medium", "shop:retriever")
    assert level((first,), ("a", 10, 20)) == ("hard", "shop:retriever")
    assert level((first, second), ("a", 0, 20)) == ("medium", "shop:retriever")
    assert level((first,)) == ("hard", "shop:retriever")  # it finds nothing
    assert level((first,), None)[1] == "BM25"  # what it finds cannot be told
