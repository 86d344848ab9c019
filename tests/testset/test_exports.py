"""Exports and imports: files that the other tools read, and nothing lost that they can hold."""

import ast
import csv
import json
import sys

import jsonschema
import pytest

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.cli.runs_in_files import invoked
from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, SourceDocument
from testset.formats.exchange import EXPORT_FORMATS, export_golden
from testset.formats.import_ import IMPORT_FORMATS, import_golden
from testset.formats.table import from_pandas, to_pandas

PUMP = SourceDocument("pump parts.md", "The VT-240 has twelve zones.\n\nIt weighs 40 kg.", "Pumps")
VENT = SourceDocument("vent.md", 'Vents are "red", and cost 3 €.\nVents, blue or not, open at 9.')
CORPUS = Corpus((PUMP, VENT))


def span(document: SourceDocument, quote: str) -> GoldSpan:
    start = document.text.index(quote)
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, start + len(quote))


ZONES, WEIGHT = span(PUMP, "twelve zones"), span(PUMP, "It weighs 40 kg.")
HOUR = span(VENT, "open at 9")
ITEMS = (
    GoldenItem(id="a1", question="How many zones?", reference="Twelve", gold=((ZONES,),)),
    GoldenItem(
        id="b2",
        question="And its weight, and when do vents open?\n",
        reference="40 kg, at 9",
        type="conversational",
        gold=((WEIGHT, ZONES), (HOUR,)),
        turns=(Message(role="user", content="A VT?"), Message(role="assistant", content="Yes")),
        topic="=pumps",
        difficulty="hard",
        split="test",
    ),
    GoldenItem(id="c3", question="Who?", reference="Unknown", type="unanswerable",
               expected_behaviour="refuse"),
)  # fmt: skip
GOLDEN = GoldenSet(ITEMS, size=3)

FILES = {name: "out" if name in {"autorag", "beir"} else "out.jsonl" for name in EXPORT_FORMATS}


@pytest.mark.parametrize("name", ["csv", "deepeval", "jsonl", "langsmith", "raget"])
def test_formats_with_room_for_places_bring_back_the_same_items(name, tmp_path):
    path = tmp_path / FILES[name]
    assert export_golden(GOLDEN, path, to=name) == (path,)
    back = import_golden(path, source=name)
    assert back.golden.items == GOLDEN.items
    assert back.unplaced == ()


@pytest.mark.parametrize("name", sorted(set(IMPORT_FORMATS) - {"autorag"}))
def test_every_import_reads_what_the_export_wrote_and_finds_its_evidence(name, tmp_path):
    path = tmp_path / FILES[name]
    export_golden(GOLDEN, path, to=name, corpus=CORPUS)
    back = import_golden(path, source=name, corpus=CORPUS)
    assert len(back.golden) == 3
    assert back.golden.verify(CORPUS.texts) == ()
    assert back.golden.items[0].gold[0][0].doc_id == "pump parts.md"
    assert ZONES.quote in back.golden.items[0].gold[0][0].quote


def test_contexts_without_documents_are_said_to_have_no_place(tmp_path):
    path = tmp_path / "rag.json"
    export_golden(GOLDEN, path, to="labelled_rag")
    back = import_golden(path, source="labelled_rag")
    assert back.unplaced == tuple(item.id for item in back.golden.items[:2])
    assert [item.gold for item in back.golden] == [(), (), ()]


def test_pandas_reads_the_csv_and_frames_come_back(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.csv", to="csv")
    frame = pd.read_csv(path, keep_default_na=False)
    assert frame["question"].tolist() == [item.question for item in ITEMS]
    assert json.loads(frame["gold"][0])[0][0]["quote"] == "twelve zones"
    assert from_pandas(frame).items == ITEMS
    assert from_pandas(to_pandas(GOLDEN)).items == ITEMS
    with pytest.raises(DatasetError, match="question"):
        from_pandas(frame.drop(columns="question"))


def test_ragas_rows_have_the_fields_of_its_samples(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "r.jsonl", to="ragas")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text, none = {"type": "string"}, {"type": "null"}
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": ["user_input", "reference", "reference_contexts"],
        "properties": {
            "user_input": text,
            "reference": text,
            "reference_contexts": {"type": "array", "items": text},
            "persona_name": {"anyOf": [text, none]},
            "query_style": text,
            "query_length": {"enum": ["short", "medium", "long"]},
            "synthesizer_name": text,
        },
    }
    for row in rows:
        jsonschema.validate(row, schema)
    assert rows[1]["user_input"].startswith("user: A VT?\nassistant: Yes\nAnd its weight")


def test_ragas_csv_holds_lists_as_python_writes_them(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "r.csv", to="ragas")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert ast.literal_eval(rows[1]["reference_contexts"]) == [WEIGHT.quote, HOUR.quote]
    back = import_golden(path, source="ragas", corpus=CORPUS).golden.items
    assert back[1].gold == ((WEIGHT,), (HOUR,))


def test_deepeval_goldens_have_the_keys_its_loader_asks_for(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "d.json", to="deepeval")
    rows = json.loads(path.read_text("utf-8"))
    assert rows[0]["input"] == "How many zones?"
    assert rows[0]["expected_output"] == "Twelve"
    assert rows[0]["context"] == ["twelve zones"]
    assert rows[0]["source_file"] == "pump parts.md"
    assert isinstance(rows[0]["additional_metadata"], dict)


def test_pandas_loads_the_raget_file_as_giskard_does(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.jsonl", to="raget")
    frame = pd.read_json(path, orient="records", lines=True).set_index("id")
    assert list(frame.columns) == [
        "question",
        "reference_answer",
        "reference_context",
        "conversation_history",
        "metadata",
    ]
    assert frame.loc["a1", "metadata"]["question_type"] == "simple"
    assert frame.loc["b2", "conversation_history"][0] == {"role": "user", "content": "A VT?"}


def test_labelled_rag_examples_have_the_fields_of_llama_index(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "l.json", to="labelled_rag")
    examples = json.loads(path.read_text("utf-8"))["examples"]
    names = {"query", "query_by", "reference_contexts", "reference_answer", "reference_answer_by"}
    assert {frozenset(example) for example in examples} == {frozenset(names)}
    assert {example["query_by"]["type"] for example in examples} == {"ai"}


def test_langsmith_examples_are_the_same_when_exported_twice(tmp_path):
    (first,) = export_golden(GOLDEN, tmp_path / "1.jsonl", to="langsmith")
    (again,) = export_golden(GOLDEN, tmp_path / "2.jsonl", to="langsmith")
    assert first.read_bytes() == again.read_bytes()
    row = json.loads(first.read_text("utf-8").splitlines()[1])
    assert set(row) == {"id", "inputs", "outputs", "metadata", "split"}
    assert row["outputs"] == {"answer": "40 kg, at 9", "contexts": [WEIGHT.quote, HOUR.quote]}
    assert row["split"] == "test"


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


def test_parquet_files_keep_what_is_needed_and_what_will_do(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    qa, corpus = export_golden(GOLDEN, tmp_path / "autorag", to="autorag", corpus=CORPUS)
    questions, passages = pandas.read_parquet(qa), pandas.read_parquet(corpus)
    assert questions["qid"].tolist() == ["a1", "b2"]  # the one without evidence stays out
    wanted = [[list(group) for group in row] for row in questions["retrieval_gt"]]
    pump, vent = passages["doc_id"]
    assert wanted == [[[pump]], [[pump], [vent]]]
    assert set(passages.columns) >= {"doc_id", "contents", "metadata", "path", "start_end_idx"}
    assert "last_modified_datetime" in passages["metadata"][0]
    back = import_golden(tmp_path / "autorag", source="autorag", corpus=CORPUS)
    assert [item.reference for item in back.golden] == ["Twelve", "40 kg, at 9"]
    assert back.golden.verify(CORPUS.texts) == ()


def test_without_pyarrow_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"llamaindex-rag-eval\[parquet\]"):
        export_golden(GOLDEN, tmp_path, to="autorag", corpus=CORPUS)


def test_a_long_span_belongs_to_the_chunk_that_covers_most_of_it():
    from testset.formats.gold_chunks import chunks_by_document, relevant

    document = SourceDocument("d", "One two three. Four five six. Seven.")
    chunks = chunks_by_document(Corpus((document,)), chunk_size=15)
    item = GoldenItem(id="x", question="q", reference="r", gold=((span(document, document.text),),))
    # 14 of 36 characters, 14 of 36, 6 of 36: none is half, the first of the largest is taken.
    assert relevant(item, chunks) == (("d#0-14",),)


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
        export_golden(GOLDEN, tmp_path / "x", to="excel")
    with pytest.raises(InputError, match="ragas"):
        import_golden(tmp_path / "x", source="trec")
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
    assert invoked("export", golden, "--to", "labelled_rag", "-o", out).exit_code == 0
    told = invoked("import", out, "--from", "labelled_rag", "-o", back, "--docs", str(docs), "--json")  # noqa: E501  # fmt: skip
    assert json.loads(told.stdout)["items"] == 3
    assert GoldenSet.read(back).items[0].gold == ((ZONES,),)
    assert invoked("export", golden, "--to", "excel", "-o", out).exit_code == 2
