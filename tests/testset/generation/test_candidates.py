"""What rules can ask is put in the order to try it."""

from dataclasses import replace

from testset import Corpus, SourceDocument
from testset.corpus.prepared import PreparedCorpus
from testset.generation.candidates import ranked_candidates


def test_documents_take_turns_and_the_surest_questions_come_first():
    texts = {
        "a.md": "# Kelm\n\nKelm is a town on the Orla. The Kelm bridge was opened in 1931.\n",
        "b.md": "# Zorn\n\nZorn is a village near Kelm. The Zorn mill was built in 1902.\n",
    }
    documents = tuple(SourceDocument(name, text) for name, text in texts.items())
    prepared = replace(PreparedCorpus.of(Corpus(documents)), topics=dict.fromkeys(texts, "t"))
    strata = ranked_candidates(prepared, size=5, seed=7, language="")
    (found,) = [entries for stratum, entries in strata.items() if stratum.type == "single_hop"]
    first = {entry.candidate.first.doc_id for entry in found[:2]}
    assert first == set(texts)
    for name in texts:
        own = [e.candidate.sure for e in found if e.candidate.first.doc_id == name]
        assert len(own) >= 2
        assert own == sorted(own, reverse=True)
