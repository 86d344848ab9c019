"""Clusters of samples: what is not independent, and what is said about it."""

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.clusters import clusters_of
from tests.report.runs import run_of_scores, sample


def about(sample_id: str, *documents: str, **metadata: object) -> SingleTurnSample:
    spans = [[{"doc_id": document, "start": 0, "end": 3}] for document in documents]
    return sample(sample_id, gold=spans, metadata=metadata)


def labels(*samples: SingleTurnSample, how: str = "documents") -> list[int]:
    return list(clusters_of(samples, how).labels.values())  # type: ignore[arg-type]  # one is wrong


def test_questions_that_share_a_document_with_a_third_are_one_cluster() -> None:
    asked = (about("a", "x"), about("b", "y"), about("c", "x", "z"), about("d", "z"), about("e"))
    assert labels(*asked) == [0, 1, 0, 0, 2]
    assert labels(*asked, how="none") == [0, 1, 2, 3, 4]


def test_a_conversation_is_a_cluster_and_so_are_repeated_answers() -> None:
    talk = (about("a", conversation_id=7), about("b", conversation_id="7"), about("c"), about("d"))
    assert labels(*talk) == [0, 0, 1, 2]
    again = (about("a#1", repeat_of="a"), about("a#2", repeat_of="a"), about("b"), about("c"))
    assert labels(*again) == labels(*again, how="none") == [0, 0, 1, 2]


def test_where_long_questions_link_all_documents_each_counts_to_its_first() -> None:
    asked = [about("all", *"xyzw"), *(about(name, name) for name in "xyzw")]
    found = clusters_of(asked)
    assert list(found.labels.values()) == [0, 0, 1, 2, 3]
    assert "a mean takes each for its first document" in found.notes[0]


def test_questions_on_one_document_count_for_themselves_with_a_note() -> None:
    found = clusters_of([about(str(number), "x") for number in range(5)])
    assert list(found.labels.values()) == [0, 1, 2, 3, 4]
    assert found.notes == (
        "All questions are about 1 document: what is found holds for other questions on the same, "
        "and says nothing about other documents.",
    )


def test_questions_without_spans_are_put_together_by_their_gold_chunks() -> None:
    chunks = [("n1",), ("n2", "n3"), ("n3",), ("n4",), ()]
    asked = [sample(f"q{n}", reference_context_ids=ids) for n, ids in enumerate(chunks)]
    found = clusters_of(asked)
    assert list(found.labels.values()) == [0, 1, 1, 2, 3]
    # Chunks are no documents: how many there are of these is not known.
    assert found.documents == 0
    assert (
        "they tell as much as 4 questions about separate documents"
        in found.sentences([4.5], found.labels)[0]
    )


def test_the_document_of_a_span_counts_before_the_chunk() -> None:
    spans = [[{"doc_id": "x", "start": 0, "end": 3}]]
    asked = [
        sample("a", gold=spans, reference_context_ids=("n1",)),
        sample("b", gold=spans, reference_context_ids=("n2",)),
        *(sample(f"q{n}", reference_context_ids=("n1",)) for n in range(2)),
        sample("c", reference_context_ids=("n9",)),
    ]
    assert labels(*asked) == [0, 0, 1, 1, 2]


def test_questions_on_one_chunk_count_for_themselves_with_a_note() -> None:
    found = clusters_of([sample(f"q{n}", reference_context_ids=("n1",)) for n in range(5)])
    assert list(found.labels.values()) == [0, 1, 2, 3, 4]
    assert "All questions are about 1 passage" in found.notes[0]


def test_a_mean_over_documents_has_the_wider_interval() -> None:
    asked = [about(str(number), f"d{number // 4}") for number in range(48)]
    scores = [float(number // 4 % 3 > 0) for number in range(48)]
    run = run_of_scores("r", {"m": scores}, samples=asked)
    (together,), (alone,) = run.summary(), run.summary("none")
    assert together.mean == alone.mean == 2 / 3
    assert together.low is not None
    assert alone.low is not None
    assert together.low < alone.low - 0.05
    assert together.effective_n is not None
    assert round(together.effective_n) == 12


def test_another_way_to_cluster_is_refused() -> None:
    with pytest.raises(InputError, match="expected 'documents' or 'none'"):
        labels(about("a"), how="topics")
