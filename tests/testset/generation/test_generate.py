"""The generator: exact in number and place, the same every time, nothing asked twice."""

import re
from pathlib import Path

import pytest

from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import table_of
from testset import Corpus, GoldenSet, SourceDocument, data_card, generate
from testset.golden.splits import shared_documents

PUMPS = table_of("pumps", "Weight")
DOCS = Path(__file__).parents[3] / "examples" / "docs"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.read(DOCS)


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    return generate(DOCS, size=30)


def test_no_more_than_the_number_asked_for_at_exact_places(golden, corpus):
    assert 15 <= len(golden) <= 30
    assert bool(golden.shortfall) == (len(golden) < 30)
    assert golden.verify(corpus.texts) == ()
    assert len({item.question.casefold() for item in golden}) == len(golden)
    assert len({item.id for item in golden}) == len(golden)


def test_no_document_has_questions_in_both_splits(golden, corpus):
    assert shared_documents(golden) == ()
    assert {item.split for item in golden} == {"dev", "test"}
    with LoopbackServer(responders=FAULTLESS) as server:
        by_model = generate(corpus, size=20, judge=oracle_at(server))
    assert shared_documents(by_model) == ()
    assert {item.split for item in by_model} == {"dev", "test"}


def test_every_answer_stands_in_its_evidence(golden):
    cut = [item for item in golden if item.expected_behaviour == "answer"]
    assert cut
    for item in cut:
        quotes = "".join(group[0].quote for group in item.gold)
        for part in re.findall(r"[^\W_]+", item.reference):
            assert part in quotes, item.question


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_set(golden, corpus, tmp_path):
    first = golden.write(tmp_path / "a.jsonl").read_bytes()
    again = generate(corpus, size=30).write(tmp_path / "b.jsonl").read_bytes()
    assert first == again
    assert generate(corpus, size=30, seed=8).write(tmp_path / "c.jsonl").read_bytes() != first


def test_most_questions_stay_when_a_document_is_added(golden, corpus):
    new = SourceDocument(
        "zz.md", "Ada Byron was born in London in 1815. Brackwell Hall is a house."
    )
    before = {item.id for item in golden}
    after = {item.id for item in generate([*corpus.documents, new], size=30)}
    assert len(before & after) >= 0.8 * len(before)


def test_a_document_given_twice_yields_no_twin_questions():
    copies = [SourceDocument(f"{n}.md", PUMPS) for n in range(3)]
    golden = generate(copies, size=5)
    assert len({item.question for item in golden}) == len(golden)
    assert {item.doc_ids[0] for item in golden} == {"0.md"}


def test_what_could_not_be_filled_is_told():
    golden = generate([SourceDocument("a.md", PUMPS)], size=9)
    assert 0 < len(golden) < 9
    assert sum(entry.wanted - entry.got for entry in golden.shortfall) == 9 - len(golden)
    none = generate([SourceDocument("a.txt", "Nothing.")], size=2, types=["multi_hop"])
    assert len(none) == 0
    assert none.shortfall[0].reason == "rules cannot write multi_hop questions; an LLM can (--llm)"


def test_only_the_language_asked_for_is_used():
    page = (
        "# Les ventilateurs\n\nElle est dans la salle et les poids sont à gauche de la porte.\n\n"
    )
    names = ("Harvat", "Orlant", "Bekum", "Selvan", "Torvid")
    sections = "".join(f"## {name}\n\n- Poids : {n + 4} kg\n\n" for n, name in enumerate(names))
    french = SourceDocument("v.md", page + sections)
    both = [french, SourceDocument("p.md", PUMPS)]
    for language in ("en", "fr"):
        spoken = {item.axes.language for item in generate(both, size=5, language=language)}
        assert spoken == {language}


def test_the_data_card_tells_counts_and_holds_no_markup_of_documents(golden):
    card = data_card(golden)
    assert f"- items: {len(golden)} of 30 asked for" in card
    assert re.search(r"±1[12] points", card)
    hostile = generate([SourceDocument("<img src=x>.md", PUMPS)], size=1)
    assert "<img" not in data_card(hostile)
