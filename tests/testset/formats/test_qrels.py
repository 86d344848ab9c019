"""Relevance judgements are read by the tools that score runs."""

import json

from tests.testset.formats.golden import CORPUS, GOLDEN, PUMP, VENT, span
from testset import Corpus, GoldenItem, SourceDocument
from testset.formats.exchange import export_golden
from testset.formats.qrels import chunks_by_document, relevant_chunks


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


def test_a_long_span_belongs_to_the_chunk_that_covers_most_of_it():
    document = SourceDocument("d", "One two three. Four five six. Seven.")
    chunks = chunks_by_document(Corpus((document,)), chunk_size=15)
    item = GoldenItem(id="x", question="q", reference="r", gold=((span(document, document.text),),))
    # 14 of 36 characters, 14 of 36, 6 of 36: none is half, the first of the largest is taken.
    assert relevant_chunks(item, chunks) == (("d#0-14",),)
