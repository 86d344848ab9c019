"""Passages: which passages a model is asked about, alone and with linked ones."""

from testset import Corpus, SourceDocument
from testset.corpus.prepared import PreparedCorpus
from testset.generation.passages import Passages
from testset.generation.quotas import Stratum

FERRY = "The Orla ferry was built at the Brevik yard, and carries 120 people over the wide fjord."
YARD = "The Brevik yard closed its last dry dock in 2004, and had 310 workers until that very year."
TABLE = f"{YARD}\n\n| Lamp | Range |\n|---|---|\n| Lume | 12 m |\n"
DOCUMENTS = [SourceDocument("a.md", FERRY), SourceDocument("b.md", TABLE)]
PREPARED = PreparedCorpus.of(Corpus.of(DOCUMENTS))
PASSAGES = PREPARED.index.passages


def test_pairs_and_tables_are_asked_for_where_there_are_any():
    wanted = ("table", "single_hop", "multi_hop")
    table = next(n for n, passage in enumerate(PASSAGES) if "Lume" in passage.text)
    ferry = next(n for n, passage in enumerate(PASSAGES) if "ferry" in passage.text)
    types = Passages(PREPARED, seed=7).types
    assert types([table], wanted) == ("table", "single_hop")
    assert types([ferry], wanted) == ("single_hop",)
    assert types([ferry, table], wanted) == ("multi_hop",)


def test_each_passage_is_taken_once_alone_and_once_with_another():
    reading = Passages(PREPARED, seed=7)
    topic = PREPARED.topics["a.md"]
    topics = {topic, PREPARED.topics["b.md"]}
    alone = [n for t in topics for _ in PASSAGES for n in reading.take(Stratum(t, "single_hop"))]
    assert sorted(alone) == list(range(len(PASSAGES)))
    pair = reading.take(Stratum(topic, "multi_hop"))
    assert len({PASSAGES[number].document.doc_id for number in pair}) == 2
    assert reading.fits("multi_hop")
