"""What rules can ask is put in the order to try it."""

from dataclasses import replace

import pytest

from testset import Corpus, SourceDocument
from testset.corpus.cores import working_on
from testset.corpus.prepared import PreparedCorpus
from testset.generation import candidates
from testset.generation.candidates import ranked_candidates
from testset.rules.candidate import RELIABLE


def test_documents_take_turns_and_the_surest_questions_come_first():
    texts = {
        "a.md": "# Kelm\n\nKelm is a small town on the Orla. The Kelm Ferry (KF) is old; see KF.\n",
        "b.md": "# Zorn\n\nZorn is a small village near Kelm. The Zorn Mill (ZM) is old; see ZM.\n",
    }
    documents = tuple(SourceDocument(name, text) for name, text in texts.items())
    prepared = replace(PreparedCorpus.of(Corpus(documents)), topics=dict.fromkeys(texts, "t"))
    strata = ranked_candidates(prepared, size=5, seed=7, language="")
    (found,) = [entries for stratum, entries in strata.items() if stratum.type == "single_hop"]
    first = {entry.candidate.first.doc_id for entry in found[:2]}
    assert first == set(texts)
    for name in texts:
        own = [RELIABLE[e.candidate.family] for e in found if e.candidate.first.doc_id == name]
        assert len(own) >= 2
        assert own == sorted(own, reverse=True)


@pytest.mark.parametrize("size", [1, 50])
def test_any_number_of_workers_finds_the_same(size: int, monkeypatch: pytest.MonkeyPatch):
    texts = {
        f"{name}.md": f"# {name}\n\n{name} is a small town on the Orla. "
        f"The {name} Ferry ({name[0]}F) is there. The {name[0]}F is old.\n"
        for name in ("Kelm", "Zorn", "Brisk", "Tolm", "Arvel", "Nusk")
    }
    documents = tuple(SourceDocument(name, text) for name, text in texts.items())
    prepared = PreparedCorpus.of(Corpus(documents))
    monkeypatch.setattr(candidates, "LEAST_PASSAGES", 2)
    monkeypatch.setattr(candidates, "CANDIDATES_PER_ITEM", 2)
    here = ranked_candidates(prepared, size=size, seed=7, language="")
    asked = {entry.candidate.first.doc_id for entries in here.values() for entry in entries}
    assert (len(asked) < len(texts)) == (size == 1)  # reading stops when there is enough
    monkeypatch.setattr(candidates, "READ_HERE", 1)
    monkeypatch.setattr(candidates, "PART", 1)
    for workers in (1, 2):
        with working_on(None, workers):
            assert ranked_candidates(prepared, size=size, seed=7, language="") == here
