"""Relevance judgements are read by the tools that score runs."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests.testset.formats.golden import CORPUS, GOLDEN, PUMP, VENT, span
from testset import Corpus, GoldenItem, GoldenSet, HardNegative, SourceDocument
from testset.formats.exchange import export_golden, import_golden
from testset.formats.qrels import chunk_id, chunks_by_document, relevant_chunks


def test_trec_eval_reads_the_qrels(tmp_path):
    import ir_measures
    from ir_measures import P, Recall

    path, topics = export_golden(GOLDEN, tmp_path / "q.qrels", to="trec", corpus=CORPUS)
    judged = list(ir_measures.read_trec_qrels(str(path)))
    pump, vent = (f"{name}#0-{len(d.text)}" for name, d in (("pump%20parts.md", PUMP), ("vent.md", VENT)))  # noqa: E501  # fmt: skip
    assert [(q.query_id, q.doc_id) for q in judged] == [("a1", pump), ("b2", pump), ("b2", vent)]
    run = [ir_measures.ScoredDoc("a1", pump, 1.0), ir_measures.ScoredDoc("b2", vent, 1.0)]
    # a1: 1 of 1 found, b2: 1 of 2; the mean is 3/4. The first document is relevant for both.
    found = ir_measures.calc_aggregate([Recall @ 5, P @ 1], judged, run)
    assert found == {Recall @ 5: 3 / 4, P @ 1: 1}
    assert topics.read_text("utf-8").splitlines()[2] == "c3\tWho?"
    whole, _ = export_golden(GOLDEN, tmp_path / "w.qrels", to="trec")
    assert whole.read_text("utf-8").splitlines()[0] == "a1 0 pump%20parts.md 1"


def test_a_beir_folder_has_its_three_files(tmp_path):
    corpus, queries, judged = export_golden(GOLDEN, tmp_path / "beir", to="beir", corpus=CORPUS)
    ids = {json.loads(line)["_id"] for line in corpus.read_text("utf-8").splitlines()}
    assert len(queries.read_text("utf-8").splitlines()) == 3
    rows = [line.split("\t") for line in judged.read_text("utf-8").splitlines()]
    assert rows[0] == ["query-id", "corpus-id", "score"]
    assert {row[1] for row in rows[1:]} <= ids
    assert judged.name == "test.tsv"


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ("head\nq1 d1 1\n", "test.tsv.*2.*between tabs"),
        ("head\nq1\td1\tnan\n", "between tabs"),
    ],
)
def test_a_judgement_of_another_form_is_named(tmp_path, qrels, message):
    _, _, judged = export_golden(GOLDEN, tmp_path / "beir", to="beir", corpus=CORPUS)
    judged.write_text(qrels, "utf-8")
    with pytest.raises(DatasetError, match=message):
        import_golden(tmp_path / "beir", source="beir", corpus=CORPUS)


def test_a_hard_negative_is_judged_not_relevant(tmp_path):
    text = "".join(f"Sentence number {n} stands here. " for n in range(100))
    document = SourceDocument("d", text)
    first, *_, last = chunks_by_document(Corpus((document,)))["d"]
    gold = ((span(document, "Sentence number 1 stands here."),),)
    quotes = (first.start, first.end), (last.start, last.end)
    negatives = tuple(
        HardNegative(doc_id="d", start=start, end=end, quote=text[start:end])
        for start, end in quotes
    )
    item = GoldenItem(id="x", question="q", reference="r", gold=gold, hard_negatives=negatives)
    refused = item.model_copy(update={"id": "y", "gold": ()})  # would count as never found
    golden, corpus = GoldenSet((item, refused)), Corpus((document,))
    path, _ = export_golden(golden, tmp_path / "q.qrels", to="trec", corpus=corpus)
    # The first chunk holds the gold span, too, and stays relevant.
    assert path.read_text("utf-8").splitlines() == [
        f"x 0 {chunk_id('d', first)} 1",
        f"x 0 {chunk_id('d', last)} 0",
    ]
    _, _, judged = export_golden(golden, tmp_path / "beir", to="beir", corpus=corpus)
    assert judged.read_text("utf-8").splitlines()[2] == f"x\t{chunk_id('d', last)}\t0"
    back = import_golden(tmp_path / "beir", source="beir", corpus=corpus)
    assert [len(group) for group in back.golden.items[0].gold] == [1]


def test_a_long_span_belongs_to_the_chunk_that_covers_most_of_it():
    document = SourceDocument("d", "One two three. Four five six. Seven.")
    chunks = chunks_by_document(Corpus((document,)), chunk_size=15)
    item = GoldenItem(id="x", question="q", reference="r", gold=((span(document, document.text),),))
    # 14 of 36 characters, 14 of 36, 6 of 36: none is half, the first of the largest is taken.
    assert relevant_chunks(item, chunks) == (("d#0-14",),)
