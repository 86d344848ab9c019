"""A set that grows: what it has stays byte for byte, what is new asks where it is silent."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.cli.command_line import rag_eval
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Corpus, GoldenSet, QuestionType, data_card, generate
from testset.checks.answers import letters_of
from testset.corpus.prepared import PreparedCorpus
from testset.generation import model_writer
from testset.generation.extension import missing_types, topics_near, write_extended
from testset.golden.golden_set import with_report
from testset.golden.splits import held_splits, joins_splits, shared_documents

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
DOCUMENTS = documents(24)
SHEETS = documents(24, sheets=True)
FEW = SHEETS[:8]
SINGLE: list[QuestionType] = ["single_hop"]


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=FAULTLESS) as running:
        yield running


@pytest.fixture(scope="module", params=["rules", "model"])
def grown(request: pytest.FixtureRequest, server: LoopbackServer) -> tuple[GoldenSet, GoldenSet]:
    """Return a set and what it was extended to."""
    if request.param == "rules":
        first = generate(SHEETS, size=12)
        return first, generate(SHEETS, size=20, extend=first)
    first = generate(DOCUMENTS, size=12, judge=oracle_at(server))
    return first, generate(DOCUMENTS, size=20, extend=first, judge=oracle_at(server))


def test_the_items_stay_and_the_size_is_the_total(grown):
    first, golden = grown
    assert len(golden) == 20
    assert golden.items[:12] == first.items
    assert golden.facts["new items"] == "8"
    assert golden.facts["kept items"] == "12, as they were"
    assert "- new items: 8" in data_card(golden)
    assert len({letters_of(item.question) for item in golden if not item.turns}) == sum(
        not item.turns for item in golden
    )


def test_each_document_stays_in_its_split(grown):
    first, golden = grown
    assert shared_documents(golden) == ()
    before, now = held_splits(first), held_splits(golden)
    assert {name: now[name] for name in before} == before


def test_documents_that_nobody_asks_about_come_first(grown):
    first, golden = grown
    about = {name for item in first for name in item.doc_ids}
    new = [item for item in golden.items[12:] if item.gold]
    fresh = [item for item in new if not about & {item.doc_ids[0]}]
    # Documents about which nothing can be asked are left; a pair needs a partner.
    assert len(fresh) >= 0.7 * len(new)


def test_a_set_in_another_language_is_not_asked_again_in_this_one(server):
    judge, kinds = oracle_at(server), SINGLE
    english = generate(DOCUMENTS, size=20, types=kinds, judge=judge)
    again = generate(DOCUMENTS, size=32, types=kinds, language="pt", extend=english, judge=judge)
    asked = {(item.gold[0][0].start, item.doc_ids) for item in english}
    new = again.items[20:]
    assert {item.axes.language for item in new} == {"pt"}
    assert not asked & {(item.gold[0][0].start, item.doc_ids) for item in new}


def test_types_that_the_whole_lacks_are_added(server):
    first = generate(DOCUMENTS, size=6, types=["single_hop"], judge=oracle_at(server))
    types: list[QuestionType] = ["single_hop", "reasoning"]
    golden = generate(DOCUMENTS, size=12, types=types, extend=first, judge=oracle_at(server))
    assert {item.type for item in golden.items[6:]} == {"reasoning"}
    # Half of 12 is 6 and 6 are there; of a set that has too many of all, shares are as asked for.
    assert missing_types(first, {"single_hop": 1, "reasoning": 1}, 12) == {
        "single_hop": 0,
        "reasoning": 6,
    }
    assert missing_types(first, {"single_hop": 1}, 6) == {"single_hop": 1}


def test_what_is_added_near_some_questions_is_of_their_topics():
    first = generate(SHEETS, size=12)
    near = [first.items[0].question]
    topics = topics_near(near, PreparedCorpus.of(Corpus.of(SHEETS)))
    golden = generate(SHEETS, size=15, extend=first, near=near)
    added = {item.topic for item in golden.items[12:]}
    assert first.items[0].topic in added
    assert added <= topics.keys() < {item.topic for item in first}


def test_the_command_takes_spares_of_a_set_that_it_extends_before_it_asks(
    server, tmp_path, monkeypatch
):
    monkeypatch.setattr(model_writer, "SURPLUS", 1 / 2)
    docs, out = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    for entry in DOCUMENTS:
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    llm = ("--llm", f"openai-like:{server.url}:gpt-4o-mini", "--types", "single_hop")
    batch = ("--batch", tmp_path / "batch", "--batch-submit")
    done = rag_eval("generate", docs, "-o", out, "--size", 12, *llm, *batch)
    first = out.read_bytes()
    spare = with_report(GoldenSet.read(out), out).reserve
    assert spare, done.stderr
    assert f"{len(spare)} spare question" in done.stderr
    server.reset()
    size = 12 + len(spare)
    done = rag_eval("generate", docs, "--extend", out, "--size", size, *llm)
    assert server.stats().calls == 0
    assert (done.exit_code, out.read_bytes().startswith(first)) == (0, True)
    golden = with_report(GoldenSet.read(out), out)
    assert {item.id for item in golden.items[12:]} == {item.id for item in spare}
    assert golden.reserve == ()


def test_a_spare_whose_words_have_moved_is_not_taken(server, monkeypatch):
    monkeypatch.setattr(model_writer, "SURPLUS", 1 / 2)
    first = generate(DOCUMENTS, size=17, types=SINGLE, judge=oracle_at(server), steps=1)
    moved = [replace(entry, text=f"Anew. {entry.text}") for entry in DOCUMENTS]
    assert first.reserve
    golden = generate(moved, size=18, types=SINGLE, extend=first, judge=oracle_at(server))
    misplaced = {entry.item_id for entry in golden.verify(Corpus.of(moved).texts)}
    assert golden.items[0].id in misplaced
    assert golden.items[17].id not in misplaced


def test_a_size_that_is_reached_already_is_refused():
    first = generate(FEW, size=5)
    with pytest.raises(InputError, match=r"size counts the items .*: expected more than 5, got 5"):
        generate(FEW, size=5, extend=first)


def test_what_a_review_rejected_is_replaced_within_the_same_size():
    first = generate(FEW, size=5)
    rejected = first.items[0].model_copy(update={"status": "rejected"})
    reviewed = replace(first, items=(rejected, *first.items[1:]))
    golden = generate(FEW, size=5, extend=reviewed)
    assert (len(golden), len(golden.in_use)) == (6, 5)
    assert golden.shortfall == ()


def test_documents_that_changed_are_told(server):
    first = generate(DOCUMENTS, size=3, types=["single_hop"], judge=oracle_at(server))
    (one, *_) = (item for item in first)
    corpus = Corpus.of([entry for entry in DOCUMENTS if entry.doc_id != one.doc_ids[0]])
    golden = generate(corpus, size=4, extend=first, judge=oracle_at(server))
    assert "do not fit these documents: `rag-eval golden refresh`" in golden.facts["kept items"]


def test_the_lines_of_the_file_stay_also_where_they_are_written_otherwise(tmp_path):
    path = generate(FEW, size=2).write(tmp_path / "g.jsonl")
    text = path.read_text("utf-8").replace('","', '",  "').rstrip("\n")
    path.write_text(text, "utf-8")
    golden = generate(FEW, size=4, extend=GoldenSet.read(path))
    write_extended(golden, path, path)
    assert path.read_text("utf-8").startswith(text + "\n")
    assert GoldenSet.read(path).items == golden.items


def test_a_file_of_another_version_says_so(tmp_path):
    path = generate(FEW, size=1).write(tmp_path / "g.jsonl")
    (version,) = (item.created.version for item in GoldenSet.read(path))
    text = path.read_text("utf-8").replace(f'"version":"{version}"', '"version":"99.1"')
    path.write_text(text.replace('"kind":', '"genus":'), "utf-8")
    with pytest.raises(DatasetError, match=r"line 1.*written by version '99.1'; this is version"):
        GoldenSet.read(path)
    path.write_text(text, "utf-8")
    golden = generate(FEW, size=2, extend=GoldenSet.read(path))
    assert golden.facts["kept items"] == "1, as they were; some written by version 99.1"


def test_documents_of_both_splits_are_not_joined_through_a_new_one():
    held = held_splits(())
    assert not joins_splits([("a", "b")], held)
    assert joins_splits([("a", "new"), ("new", "b")], {"a": "dev", "b": "test"})
    assert not joins_splits([("a", "new"), ("other", "b")], {"a": "dev", "b": "test"})
