"""What rules can ask is put in the order to try it."""

from dataclasses import replace

import pytest

from testset import Corpus, SourceDocument
from testset.corpus.cores import working_on
from testset.corpus.prepared import PreparedCorpus
from testset.generation import candidates
from testset.generation.candidates import ranked_candidates

TOWN = (
    "# {0}\n\nThis is the page of the town, and it is for you. Mind the weight and the length.\n\n"
    "- Weight: {1}0 kg\n- Length: {1} m\n"
)


def texts_of(*names: str) -> dict[str, str]:
    """Return texts of which each has two attributes."""
    return {f"{name}.md": TOWN.format(name, n) for n, name in enumerate(names, 1)}


def test_documents_take_turns():
    texts = texts_of("Kelm", "Zorn", "Brisk", "Tolm", "Arvel")
    documents = tuple(SourceDocument(name, text) for name, text in texts.items())
    prepared = replace(PreparedCorpus.of(Corpus(documents)), topics=dict.fromkeys(texts, "t"))
    strata = ranked_candidates(prepared, size=5, seed=7, language="")
    (found,) = [entries for stratum, entries in strata.items() if stratum.type == "single_hop"]
    first = {entry.candidate.first.doc_id for entry in found[:5]}
    assert first == set(texts)


@pytest.mark.parametrize("size", [1, 50])
def test_any_number_of_workers_finds_the_same(size: int, monkeypatch: pytest.MonkeyPatch):
    texts = texts_of("Kelm", "Zorn", "Brisk", "Tolm", "Arvel", "Nusk")
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
