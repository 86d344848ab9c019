"""`rag-eval generate`: estimates, budgets, personas, and mistakes in one line."""

import json
from pathlib import Path

import pytest
from docx import Document as WordDocument

from tests.cli.command_line import SITES, rag_eval
from tests.server import LoopbackServer
from tests.testset.corpora import documents, table_of
from testset import Corpus, GoldenSet

FAULTLESS = "tests.server.writer_responders:FAULTLESS"


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=FAULTLESS) as running:
        yield running


@pytest.fixture
def command(server, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for entry in documents(16):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    server.reset()
    llm = f"openai-like:{server.url}:gpt-4o-mini"
    begin = ("generate", docs, "-o", tmp_path / "g.jsonl", "--llm", llm)

    def run(*options: object):
        return rag_eval(*begin, *options)

    return run


def test_a_dry_run_tells_calls_tokens_and_dollars_by_stage_and_asks_nothing(
    command, server, tmp_path
):
    done = command("--size", 5, "--dry-run", "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert set(data) == {"write", "check", "total", "low", "high", "source"}
    assert data["write"]["calls"] >= 2
    assert data["low"]["calls"] < data["total"]["calls"] < data["high"]["calls"]
    assert "200 questions over 21 folders" in data["source"]
    assert data["total"]["cost"] > 0
    assert server.stats().calls == 0
    assert not (tmp_path / "g.jsonl").exists()


def test_voices_types_and_languages_are_as_asked(command, tmp_path):
    done = command(
        *("--size", 4, "--types", "single_hop,reasoning", "--personas", "A miller.", "--quiet")
    )
    assert done.exit_code == 0, done.output
    golden = GoldenSet.read(tmp_path / "g.jsonl")
    assert {item.type for item in golden} == {"single_hop", "reasoning"}
    assert {item.axes.persona for item in golden} == {"A miller."}
    assert "- model calls: " in rag_eval("golden", "card", tmp_path / "g.jsonl").stdout
    assert not (tmp_path / "g.jsonl.journal").exists()


def test_people_are_named_in_the_command(command, tmp_path):
    done = command("--size", 3, "--types", "single_hop", "--personas", "A miller, A nurse")
    assert done.exit_code == 0, done.output
    golden = GoldenSet.read(tmp_path / "g.jsonl")
    assert {item.axes.persona for item in golden} <= {"A miller", "A nurse"}


def test_a_set_grows_in_place_and_keeps_its_lines(command, tmp_path):
    assert command("--size", 4).exit_code == 0
    before = (tmp_path / "g.jsonl").read_bytes()
    done = command("--size", 7, "--extend", tmp_path / "g.jsonl")
    assert done.exit_code == 0, done.output
    assert "7 questions in" in done.output
    assert "3 of them new" in done.output
    after = (tmp_path / "g.jsonl").read_bytes()
    assert after.startswith(before)
    assert len(after.splitlines()) == 7
    full = command("--size", 7, "--extend", tmp_path / "g.jsonl")
    assert full.exit_code == 2
    assert "expected more than 7, got 7" in " ".join(full.output.split())


def test_a_set_grows_on_a_failure_mode(command, tmp_path):
    assert command("--size", 4).exit_code == 0
    (item, *_) = GoldenSet.read(tmp_path / "g.jsonl")
    grow = ("--size", 6, "--extend", tmp_path / "g.jsonl", "--mode")
    line = {"mode": "wrong unit", "id": item.id, "question": item.question}
    (tmp_path / "diagnosis").mkdir()
    (tmp_path / "diagnosis" / "modes.jsonl").write_text(json.dumps(line), "utf-8")
    for wrong, why in (
        ((*grow, "stale"), "there are: wrong unit"),
        (("--mode", "wrong unit"), "--mode needs the set that grows"),
    ):
        refused = command(*wrong)
        assert (refused.exit_code, why in " ".join(refused.output.split())) == (2, True)
    assert command(*grow, "wrong unit").exit_code == 0
    assert {added.topic for added in GoldenSet.read(tmp_path / "g.jsonl").items[4:]} == {item.topic}


def test_a_spent_budget_leaves_what_was_done_and_the_journal_to_go_on_from(
    command, server, tmp_path
):
    done = command("--size", 12, "--max-calls", 14)
    assert done.exit_code == 6
    assert "the budget of 14 calls is spent" in done.output
    part = GoldenSet.read(tmp_path / "g.jsonl")
    assert 0 < len(part) < 12
    assert command("--size", 12).exit_code == 0
    assert len(GoldenSet.read(tmp_path / "g.jsonl")) == 12
    assert server.stats().answered_again == 0


def test_replies_in_the_cache_are_not_paid_for_again(command, server, tmp_path):
    cache = tmp_path / "cache.db"
    assert command("--size", 4, "--cache", cache).exit_code == 0
    first = (tmp_path / "g.jsonl").read_bytes()
    spent = server.stats().calls
    assert command("--size", 4, "--cache", cache).exit_code == 0
    assert server.stats().calls == spent
    assert (tmp_path / "g.jsonl").read_bytes() == first


def test_a_budget_without_a_model_is_refused(tmp_path):
    done = rag_eval("generate", tmp_path, "--max-calls", 3)
    assert done.exit_code == 2
    assert "need --llm" in done.output


def pdf(text: str) -> bytes:
    """Return a PDF of one page with one line of text."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = "%PDF-1.4\n", []
    for number, entry in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{entry}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    body += f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    body += f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{body.index('xref')}\n%%EOF\n"
    return body.encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "mixed"
    docs.mkdir()
    word = WordDocument()
    word.add_paragraph("The Nord lantern was lit by Karl Lund.")
    word.save(str(docs / "lantern.docx"))
    (docs / "lamp.pdf").write_bytes(pdf("The Lume lamp was lit by Jonas Berg."))
    (docs / "pump.md").write_text("# Pump\n\nIt is for the mine. The mass is on the plate.\n")
    (docs / "ferry.html").write_text("<h1>Ferry</h1><p>The Orla ferry is on the quay.</p>")
    parts = "".join(f"Rotor Q{n},{n}10 kg\n" for n in range(1, 6))
    (docs / "parts.csv").write_text(f"Part,Mass\n{parts}")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    return docs


def test_files_of_all_kinds_are_read_and_broken_ones_are_named(folder, tmp_path):
    out = tmp_path / "g.jsonl"
    done = rag_eval("generate", folder, "-o", out, "--size", 40, "--workers", 1)
    assert done.exit_code == 1, done.output  # rules do not find forty questions in five lines
    asked = {item.doc_ids[0] for item in GoldenSet.read(out)}
    assert asked == {"parts.csv"}
    read = {document.doc_id for document in Corpus.read(folder).documents}
    assert read == {"lantern.docx", "lamp.pdf", "pump.md", "ferry.html", "parts.csv"}
    assert "left out broken.pdf: is cut off, and no page of it can be read" in done.output
    assert " at 0x" not in done.output


def test_a_set_of_no_questions_does_not_lead_on(folder, tmp_path):
    done = rag_eval("generate", folder, "-o", tmp_path / "g.jsonl", "--language", "ja", "--size", 2)
    assert done.exit_code == 1
    assert "Next:" not in done.output


MISTAKES = {
    "an unknown type": (["--types", "single_hop,riddle"], "no question type is named 'riddle'"),
    "workers beside a cluster": (["--workers", "2", "--on", "ray"], "is for this machine"),
    "a style, as before": (["--style", "chat"], "no option --style here; use --traffic"),
    "a voice for rules": (["--personas", "A miller"], "need --llm"),
    "an output that is a folder": (["-o", "."], "it is a folder; expected a file name"),
    "a card, as before": (["--card", "."], "no option --card here; use rag-eval golden"),
    "a budget without a model": (["--max-cost", "1"], "need --llm"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_is_wrong(mistake, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")
    options, message = MISTAKES[mistake]
    done = rag_eval("generate", folder, *options)
    assert done.exit_code == 2
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("error: ")
    assert message in line
    assert not (tmp_path / "golden.jsonl").exists()


@pytest.mark.parametrize(
    ("name", "message"), [("nowhere", "no folder"), ("empty", "holds no file")]
)
def test_a_folder_that_is_not_there_or_empty_is_one_line(name, message, tmp_path):
    (tmp_path / "empty").mkdir()
    done = rag_eval("generate", tmp_path / name)
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert message in done.stderr


def test_a_size_of_nothing_is_refused_with_what_is_expected(folder):
    done = rag_eval("generate", folder, "--size", 0)
    assert done.exit_code == 2
    assert "for --size. Must be > 0" in " ".join(done.stderr.split())


def test_every_gold_quote_stands_where_the_golden_set_says(main_job: Path) -> None:
    golden = GoldenSet.read(main_job / "golden.jsonl")
    assert len(golden) == 6
    assert golden.verify(Corpus.read(SITES).texts) == ()


def test_a_golden_set_that_falls_short_is_written_and_said_so(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text(table_of("ferries", "Weight"))
    out = tmp_path / "golden.jsonl"
    done = rag_eval("generate", docs, "-o", out, "--size", 50)
    assert done.exit_code == 1
    assert " of 50 questions could be written:" in done.stderr
    assert out.exists()


def test_no_empty_golden_set_is_written(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("劳动合同应当订立。劳动者的工资。\n", encoding="utf-8")
    done = rag_eval("generate", docs, "-o", tmp_path / "golden.jsonl", "--size", 3)
    assert done.exit_code == 1
    assert "There is no question: no " in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_a_dry_run_finds_mistakes_in_what_searches_and_asks_none_of_it(command, server):
    searches = (
        "--retriever",
        "tests.cli.deployed:retriever",
        "--embed",
        f"openai-like:{server.url}:m",
    )
    done = command("--size", 4, "--dry-run", *searches)
    assert (done.exit_code, server.stats().calls) == (0, 0), done.output
    done = command("--dry-run", "--retriever", "tests.cli.deployed:nowhere")
    assert (done.exit_code, "nowhere" in done.stderr) == (2, True)
    done = command("--dry-run", "--embed", "no-such-kind:model")
    assert (done.exit_code, "no-such-kind" in done.stderr) == (2, True)


@pytest.mark.parametrize("quiet", [False, True])
def test_that_no_index_is_kept_is_said_once_and_not_to_the_quiet(tmp_path, quiet):
    docs = tmp_path / "docs"
    docs.mkdir()
    for entry in documents(4):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    (docs / ".rag-eval").write_text("in the way", encoding="utf-8")
    options = ("-o", tmp_path / "g.jsonl", "--size", 2, *(["-q"] if quiet else []))
    done = rag_eval("generate", docs, *options)
    assert done.stderr.count("no index of") == int(not quiet)


def test_the_deployed_retriever_is_asked_and_named_or_its_fault_told(command, tmp_path):
    place = "tests.cli.deployed:retriever"
    done = command("--size", 4, "--retriever", place)
    assert done.exit_code == 0, done.output
    golden = GoldenSet.read(tmp_path / "g.jsonl")
    assert {item.difficulty_by for item in golden if item.gold} == {place}
    assert f"- retriever: {place}" in rag_eval("golden", "card", tmp_path / "g.jsonl").stdout
    assert "of the nodes that" not in done.output
    done = command("--retriever", "tests.cli.deployed:elsewhere")
    assert (done.exit_code, "stands in the documents" in done.stderr) == (2, True)
    done = command("--retriever", "tests.cli.deployed:nowhere")
    assert (done.exit_code, "has no 'nowhere'" in done.stderr) == (2, True)
