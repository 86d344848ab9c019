"""Exports and imports: files that the other tools read, and nothing lost that they can hold."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.cli.command_line import rag_eval
from tests.testset.formats.golden import CORPUS, GOLDEN, ITEMS, ZONES, span
from testset import Corpus, GoldenSet, SourceDocument, formats
from testset.corpus.passages import passages_of
from testset.formats import EXPORT_FORMATS, IMPORT_FORMATS
from testset.formats.exchange import (
    export_golden,
    formats_by_name,
    import_golden,
    with_missing_fields,
)
from testset.golden.spans import spans_in_passage

FILES = {name: "out" if name in {"autorag", "beir"} else "out.jsonl" for name in EXPORT_FORMATS}


@pytest.mark.parametrize("name", ["csv", "deepeval", "jsonl", "langsmith", "raget"])
def test_formats_with_room_for_places_bring_back_the_same_items(name, tmp_path):
    path = tmp_path / FILES[name]
    assert export_golden(GOLDEN, path, to=name) == (path,)
    back = import_golden(path, source=name)
    assert back.golden.items == GOLDEN.items
    assert (back.unplaced, back.unknown) == ((), ())


@pytest.mark.parametrize("name", sorted(set(IMPORT_FORMATS) - {"autorag"}))
def test_every_import_reads_what_the_export_wrote_and_finds_its_evidence(name, tmp_path):
    path = tmp_path / FILES[name]
    export_golden(GOLDEN, path, to=name, corpus=CORPUS)
    back = import_golden(path, source=name, corpus=CORPUS)
    assert len(back.golden) == 3
    assert back.golden.verify(CORPUS.texts) == ()
    assert back.golden.items[0].gold[0][0].doc_id == "pump parts.md"
    assert ZONES.quote in back.golden.items[0].gold[0][0].quote


@pytest.mark.parametrize("name", ["beir", "labelled_rag", "ragas"])
def test_contexts_without_their_documents_are_refused(name, tmp_path):
    path = tmp_path / FILES[name]
    export_golden(GOLDEN, path, to=name, corpus=CORPUS)
    with pytest.raises(InputError, match="2 of 3 questions come with contexts; give the documents"):
        import_golden(path, source=name)
    others = Corpus((SourceDocument("o.md", "Nothing of that sort."),))
    with pytest.raises(DatasetError, match="contexts stands word for word"):
        import_golden(path, source=name, corpus=others)


def test_contexts_of_which_some_stand_nowhere_are_named_by_their_question(tmp_path):
    path = tmp_path / "r.jsonl"
    row = {"user_input": "Who?", "reference_contexts": ["A context of some other document."]}
    export_golden(GOLDEN, path, to="ragas")
    path.write_text(path.read_text("utf-8") + json.dumps(row) + "\n", "utf-8")
    back = import_golden(path, source="ragas", corpus=CORPUS)
    assert back.unplaced == (back.golden.items[3].id,)


@pytest.mark.parametrize(
    ("name", "text", "unknown"),
    [
        ("csv", "question,reference,rating,empty\nq?,a,3,\n", ("rating",)),
        ("ragas", '{"user_input": "q?", "response": "a", "rubrics": null}', ("response",)),
        ("deepeval", '[{"input": "q?", "additional_metadata": {"x": 1}, "source_file": "f"}]',
         ("source_file", "additional_metadata.x")),
        ("labelled_rag", '{"examples": [{"query": "q?", "query_by": {"a": 1}}]}', ("query_by",)),
        ("langsmith", '{"inputs": {"question": "q?", "k": 3}, "id": 1}', ("id", "inputs.k")),
        ("raget", '{"question": "q?", "correctness": true}', ("correctness",)),
    ],
)  # fmt: skip
def test_columns_that_are_not_understood_are_named(name, text, unknown, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(text)
    assert import_golden(path, source=name).unknown == unknown


def test_the_command_line_names_what_it_leaves_out(tmp_path):
    path, out = tmp_path / "q.csv", str(tmp_path / "out.jsonl")
    path.write_text("question,rating\nq?,3\n")
    told = rag_eval("golden", "import", str(path), "--from", "csv", "-o", out)
    assert "left out: rating" in told.stderr
    assert "1 of them have no reference answer yet" in told.stdout
    path.write_text("question,reference_contexts\nq?,a\n")
    told = rag_eval("golden", "import", str(path), "--from", "csv", "-o", out)
    assert (told.exit_code, "give the documents" in told.stderr) == (2, True)


def test_a_context_of_several_documents_is_taken_from_the_first_and_named(tmp_path):
    docs, path, out = tmp_path / "docs", tmp_path / "q.csv", str(tmp_path / "out.jsonl")
    docs.mkdir()
    for name, text in {"a": "It weighs 40 kg.", "b": "So: It weighs 40 kg.", "c": "No."}.items():
        (docs / f"{name}.md").write_text(text)
    path.write_text("question,reference_contexts\nHeavy?,It weighs 40 kg.\nNo?,No.\n")
    command = ("golden", "import", str(path), "--from", "csv", "-o", out)
    told = rag_eval(*command, "--docs", str(docs))
    assert "1 question with contexts in several documents" in told.stderr
    assert "found in 2 documents, took the first: 'a.md'" in told.stderr
    # A file of ours says where they stand.
    (table,) = export_golden(GoldenSet.read(out), tmp_path / "own.csv", to="csv")
    told = rag_eval("golden", "import", str(table), "--from", "csv", "-o", out, "--docs", str(docs))
    assert "several" not in told.stderr


def test_a_context_may_be_the_cells_of_a_row_but_lacks_no_number(tmp_path):
    rows = "Some say: the TH-10 temperature and humidity probe, too.\n\n| Part | What | Price |\n"
    rows += "|---|---|---|\n| TH-10 | temperature and humidity probe | 74 |\n"
    corpus = Corpus((SourceDocument("p.md", rows),))
    path = tmp_path / "q.csv"
    path.write_text(
        "question,reference_contexts\nPrice?,TH-10 temperature and humidity probe 74\n"
        "Price?,TH-10 temperature and humidity probe 75\n"
    )
    placed, other = import_golden(path, source="csv", corpus=corpus).golden
    assert placed.gold[0][0].quote == "TH-10 | temperature and humidity probe | 74"
    assert other.gold == ()


def test_rejected_and_stale_items_stay_out_of_other_formats(tmp_path):
    items = (
        ITEMS[0].model_copy(update={"status": "rejected"}),
        ITEMS[1].model_copy(update={"status": "stale"}),
        ITEMS[2],
    )
    path = tmp_path / "d.json"
    export_golden(GoldenSet(items), path, to="deepeval")
    assert [row["name"] for row in json.loads(path.read_text("utf-8"))] == ["c3"]


def test_unknown_formats_and_missing_documents_are_refused(tmp_path):
    with pytest.raises(InputError, match="labelled_rag"):
        export_golden(GOLDEN, tmp_path / "x", to="excel")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="ragas"):
        import_golden(tmp_path / "x", source="trec")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="--docs"):
        export_golden(GOLDEN, tmp_path / "x", to="beir")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("csv", "a,b\n1,2\n"),
        ("csv", "question,gold\nq,{\n"),
        ("deepeval", "{}"),
        ("deepeval", "nothing"),
        ("labelled_rag", "[]"),
        ("langsmith", '{"inputs": {}}'),
        ("raget", "[]"),
        ("raget", '{"question": " "}'),
        ("ragas", '{"question": "q"}'),
        ("deepeval", '[{"input": "q", "additional_metadata": {"type": "riddle"}}]'),
    ],
)
def test_a_file_of_another_kind_is_refused_by_name(name, text, tmp_path):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(DatasetError, match="file"):
        import_golden(path, source=name)


def test_a_row_given_twice_is_one_item(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"user_input": "Who?"}\n' * 2)
    back = import_golden(path, source="ragas")
    assert (len(back.golden), back.twins) == (1, 1)


def test_the_command_line_exports_and_imports(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for document in CORPUS.documents:
        (docs / document.doc_id).write_text(document.text, encoding="utf-8")
    golden = str(GOLDEN.write(tmp_path / "golden.jsonl"))
    out, back = str(tmp_path / "rag.json"), str(tmp_path / "back.jsonl")
    assert rag_eval("golden", "export", golden, "--to", "labelled_rag", "-o", out).exit_code == 0
    told = rag_eval("golden", "import", out, "--from", "labelled_rag", "-o", back, "--docs", str(docs), "--json")  # noqa: E501  # fmt: skip
    assert json.loads(told.stdout)["items"] == 3
    (((found,),),) = [item.gold for item in GoldenSet.read(back).items[:1]]
    assert (found.doc_id, found.start, found.quote) == (ZONES.doc_id, ZONES.start, ZONES.quote)
    assert rag_eval("golden", "export", golden, "--to", "excel", "-o", out).exit_code == 2


def test_the_names_of_the_formats_are_those_that_the_modules_declare():
    found = formats_by_name().values()
    written = {entry.name for entry in found if entry.write or entry.write_chunks}
    read = {entry.name for entry in found if entry.read}
    assert set(EXPORT_FORMATS) == written | {"jsonl"}
    assert set(IMPORT_FORMATS) == read | {"jsonl"}


FAQ = '''"""FAQ: a page of questions and answers."""

from pathlib import Path

from testset.formats.format import Format, ImportedRow, read_text, write_lines
from testset.golden.golden_set import GoldenSet


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write a question and its answer on a line."""
    return (write_lines(path, [f"{item.question.strip()} {item.reference}" for item in golden]),)


def read(path: Path) -> list[ImportedRow]:
    """Read the lines."""
    lines = [line.partition("? ") for line in read_text(path).splitlines()]
    return [ImportedRow(f"{question}?", answer) for question, _, answer in lines]


FORMATS = (Format("faq", write=write, read=read),)
'''


def test_a_new_format_is_one_module(tmp_path, monkeypatch):
    (tmp_path / "faq.py").write_text(FAQ)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    (path,) = export_golden(GOLDEN, tmp_path / "faq.txt", to="faq")  # type: ignore[arg-type]  # new
    assert path.read_text().splitlines()[0] == "How many zones? Twelve"
    back = import_golden(path, source="faq").golden  # type: ignore[arg-type]  # new
    assert [item.reference for item in back] == [item.reference for item in GOLDEN]


def test_missing_difficulties_and_splits_are_filled_in_and_given_ones_stay():
    bare = [item.model_copy(update={"split": "", "difficulty": ""}) for item in ITEMS]
    filled = with_missing_fields(GoldenSet(tuple(bare)), CORPUS)
    assert all(item.split for item in filled)
    assert [bool(item.difficulty) for item in filled] == [True, True, False]
    kept = with_missing_fields(GOLDEN, CORPUS)
    assert [item.split for item in kept] == ["", "test", ""]
    assert kept.items[1].difficulty == "hard"


def test_contexts_stand_below_headings_and_table_header_and_are_found_again(tmp_path):
    text = "# Lamps\n\n## Range\n\n| Lamp | Range |\n|---|---|\n| Lume | 12 m |\n| Nord | 30 m |\n"
    document = SourceDocument("lamps.md", text)
    row = span(document, "| Nord | 30 m |")
    item = ITEMS[0].model_copy(update={"gold": ((row,),)})
    path = tmp_path / "r.jsonl"
    export_golden(GoldenSet((item,)), path, to="labelled_rag")
    (example,) = json.loads(path.read_text("utf-8"))["examples"]
    (context,) = example["reference_contexts"]
    assert context.startswith("[Lamps / Range]\n")
    assert "Lamp | Range" in context
    back = import_golden(path, source="labelled_rag", corpus=Corpus((document,)))
    assert back.golden.items[0].gold[0][0].quote.strip("| \n") == row.quote.strip("| \n")
    assert back.unplaced == ()


@pytest.mark.parametrize("name", ["ragas", "deepeval", "langsmith", "raget"])
def test_contexts_have_their_headings_the_header_of_their_table_and_whole_links(name, tmp_path):
    text = "# Parts\n\n## Prices\n\n| Part | Price |\n|---|---|\n| Stator | [50 EUR](price.md) |\n"
    document = SourceDocument("a.md", text)
    (passage,) = passages_of(document)
    (quoted,) = spans_in_passage("Stator | 50 EUR", passage)
    item = ITEMS[0].model_copy(update={"gold": ((quoted,),)})
    (path,) = export_golden(GoldenSet((item,)), tmp_path / FILES[name], to=name)
    context = "[Parts / Prices]\nPart | Price\nStator | [50 EUR](price.md)"
    assert any(form in path.read_text("utf-8") for form in (context, json.dumps(context)[1:-1]))
