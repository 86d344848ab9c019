"""The difficulty of a question follows from rank, overlap and hops."""

import pytest

from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, SourceDocument
from testset.golden.difficulty import difficulty_level, with_difficulty


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
