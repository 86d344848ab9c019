"""`rag-eval evaluate`: its files, and what judging by an LLM costs: budgets, votes, repeats."""

import csv
import json
from pathlib import Path

import pytest

from llamaindex_rag_eval import Run
from tests.cli.command_line import rag_eval
from tests.server import LoopbackServer

FOUR = "faithfulness,answer_relevancy,context_precision,context_recall"


def test_evaluate_writes_a_table_and_a_run_and_prints_the_means(
    main_job: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.csv"
    done = rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr,hit_rate@3", "-o", out)
    assert done.exit_code == 0, done.output
    assert "hit_rate@3 ↑" in done.stdout
    with out.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 6
    run = Run.read(tmp_path / "scores.jsonl")
    assert (run.name, len(run)) == ("bm25", 6)


def test_rules_report_a_language_that_they_do_not_know(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    words = ("evaluate", files[0], "-o", tmp_path / "s.csv", "-m")
    sentence = "Most questions are in a language of which the rules compare only words and values:"
    for query, said in (("Où se trouve le numéro de la pompe ?", True), ("Where is it?", False)):
        for file in files:
            row = {"query": query, "response": "Sur la plaque.", "reference": "Dessus."}
            file.write_text(json.dumps(row))
        assert (sentence in rag_eval(*words, "answer_verdict").stdout) is said
        notes = json.loads(rag_eval(*words, "answer_verdict", "--json").stdout)["notes"]
        assert any(sentence in note for note in notes) is said
        assert sentence not in rag_eval(*words, "exact_match").stdout
        assert (sentence in rag_eval("compare", *files, "-m", "answer_verdict").stdout) is said


def test_metrics_that_are_named_one_by_one_are_all_taken(main_job: Path, tmp_path: Path) -> None:
    words = ("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-m", "hit_rate@3,ndcg@3")
    done = rag_eval(*words, "-o", tmp_path / "scores.csv", "--json")
    names = [entry["metric"] for entry in json.loads(done.stdout)["metrics"]]
    assert names == ["mrr", "hit_rate@3", "ndcg@3"]


def test_a_value_given_twice_is_an_error_and_not_the_last_one(
    main_job: Path, tmp_path: Path
) -> None:
    words = ("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", tmp_path / "a.csv")
    done = rag_eval(*words, "-o", tmp_path / "b.csv")
    assert done.exit_code == 2
    assert "-o specified multiple times" in done.stderr
    assert not list(tmp_path.iterdir())


def test_json_leaves_nothing_else_on_stdout(main_job: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    done = rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", out, "--json")
    assert [entry["metric"] for entry in json.loads(done.stdout)["metrics"]] == ["mrr"]


def test_quiet_says_nothing(main_job: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    done = rag_eval("evaluate", main_job / "answers-bm25.jsonl", "-m", "mrr", "-o", out, "-q")
    assert (done.output, done.exit_code) == ("", 0)


def evaluate(answers: Path, server: LoopbackServer, *options: str) -> tuple[int, str]:
    """Evaluate by an LLM, and return the exit code and what is printed."""
    llm = f"openai-like:{server.url}:gpt-4o-mini"
    out = answers.with_name("scores.csv")
    done = rag_eval("evaluate", answers, "-m", FOUR, "-o", out, "--llm", llm, *options)
    return done.exit_code, done.output


def test_a_dry_run_says_what_the_run_then_costs(answers: Path, server: LoopbackServer):
    code, output = evaluate(answers, server, "--dry-run", "--json")
    assert code == 0
    assert server.stats().calls == 0
    expected = json.loads(output)
    evaluate(answers, server)
    run = Run.read(answers.with_name("scores.jsonl"))
    spent = run.provenance.usage
    assert server.stats().calls == spent["calls"] == expected["calls"] == 6 * 3
    assert abs(spent["prompt_tokens"] / expected["prompt_tokens"] - 1) < 0.3
    by_metric = spent["by_metric"]
    assert isinstance(by_metric, dict)
    assert set(by_metric) == set(FOUR.split(","))
    assert spent["cost"] == pytest.approx(expected["cost"], rel=0.5)


def test_a_budget_of_calls_stops_cleanly_and_the_next_run_goes_on(
    answers: Path, server: LoopbackServer
):
    code, _ = evaluate(answers, server, "--max-calls", "7")
    assert code == 6
    assert server.stats().calls <= 7
    run = Run.read(answers.with_name("scores.jsonl"))
    assert all(row.status == "scored" for row in run.rows)
    assert any(summary.missing for summary in run.summary())
    assert "the budget of 7 calls is spent" in run.provenance.notes[-1]
    code, _ = evaluate(answers, server)
    assert code == 0
    assert len(Run.read(answers.with_name("scores.jsonl")).rows) == 4 * 3


def test_votes_are_odd_and_need_a_model(answers: Path, server: LoopbackServer):
    code, output = evaluate(answers, server, "--votes", "2")
    assert (code, "odd" in output) == (2, True)
    done = rag_eval("evaluate", answers, "--votes", "3")
    assert (done.exit_code, "--votes needs --llm" in done.output) == (2, True)


def test_votes_are_all_asked(answers: Path, server: LoopbackServer):
    code, _ = evaluate(answers, server, "--votes", "3")
    assert code == 0
    assert server.stats().calls == 6 * 3 * 3


def test_a_price_table_of_ones_own_counts(answers: Path, server: LoopbackServer, tmp_path: Path):
    prices = tmp_path / "prices.json"
    prices.write_text('{"gpt-4o-mini": {"prompt": 1000000, "completion": 0}}')
    code, output = evaluate(answers, server, "--dry-run", "--json", "--prices", str(prices))
    expected = json.loads(output)
    assert (code, expected["cost"]) == (0, expected["prompt_tokens"])
    prices.write_text("[]")
    code, output = evaluate(answers, server, "--dry-run", "--prices", str(prices))
    assert (code, "dollars" in output) == (2, True)


def test_batch_files_are_written_and_read_until_all_is_scored(
    main_job: Path, tmp_path: Path
) -> None:
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as server:
        llm = f"openai-like:{server.url}:m"
        words = ("evaluate", main_job / "answers-bm25.jsonl", "-m", "faithfulness", "--llm", llm)
        online = rag_eval(*words, "-o", tmp_path / "online.csv")
        assert online.exit_code == 0, online.output
        batch = (*words, "-o", tmp_path / "batch.csv", "--batch", tmp_path / "batch")
        first = rag_eval(*batch)
        assert first.exit_code == 4
        assert "round-1.requests.jsonl" in first.stderr
        notes = Run.read(tmp_path / "batch.jsonl").provenance.notes
        assert notes[-1].startswith("6 results are pending")
        done = rag_eval(*batch, "--batch-submit")
    assert done.exit_code == 0, done.output
    assert "round-1.requests.jsonl: completed" in done.stderr
    assert (tmp_path / "batch.csv").read_text() == (tmp_path / "online.csv").read_text()


def test_batch_files_need_a_model(main_job: Path, tmp_path: Path) -> None:
    words = ("evaluate", main_job / "answers-bm25.jsonl", "-o", tmp_path / "scores.csv")
    done = rag_eval(*words, "--batch", tmp_path)
    assert (done.exit_code, "--batch needs --llm" in done.stderr) == (2, True)
    done = rag_eval(*words, "--batch-submit")
    assert (done.exit_code, "--batch-submit needs --batch" in done.stderr) == (2, True)


WORDS = (
    "Judged by the LLM 'gpt-4o-mini' (18 of 21 judgements) and by words (3 of 21 judgements); "
    "words are compared in answer_relevancy, as no embedding model was given (--embed)."
)


def test_without_embeddings_the_run_says_that_words_were_compared(
    answers: Path, server: LoopbackServer
):
    code, output = evaluate(answers, server, "--json", "-q")
    assert (code, json.loads(output)["notes"]) == (0, [WORDS])
    shown = rag_eval("runs", "show", str(answers.with_name("scores.jsonl"))).stdout
    assert "by the LLM 'gpt-4o-mini', 3 by words" in " ".join(shown.split())


def test_an_embedding_model_beside_an_llm_compares_the_texts(answers: Path, server: LoopbackServer):
    code, output = evaluate(
        answers, server, "--json", "-q", "--embed", f"openai-like:{server.url}:local-embedding"
    )
    embedded = WORDS.partition(" and by words")[0] + (
        " and by the embedding model 'local-embedding' (3 of 21 judgements)."
    )
    assert (code, json.loads(output)["notes"]) == (0, [embedded])
    assert server.stats().by_endpoint["embeddings"] >= 1
    run = Run.read(answers.with_name("scores.jsonl"))
    assert run.provenance.answered_by["SimilaritiesOf"] == "embedding/local-embedding"


def test_an_embedding_model_works_without_an_llm(answers: Path, server: LoopbackServer):
    embed = f"openai-like:{server.url}:local-embedding"
    out = answers.with_name("scores.csv")
    words = ("evaluate", answers, "-m", "answer_similarity,faithfulness", "--embed", embed)
    done = rag_eval(*words, "-o", out, "--json")
    assert done.exit_code == 0, done.output
    (note,) = json.loads(done.stdout)["notes"]
    assert note.startswith("Judged by embedded language rules with the embedding model 'local-emb")
    assert server.stats().by_endpoint.keys() == {"embeddings"}


def test_a_provider_that_is_not_installed_is_named_with_its_command(answers: Path):
    done = rag_eval("evaluate", answers, "--llm", "no-such-provider:x")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install llama-index-llms-no-such-provider" in " ".join(done.stderr.split())
    done = rag_eval("evaluate", answers, "--embed", "no-such-provider:x")
    assert "pip install llama-index-embeddings-no-such-provider" in " ".join(done.stderr.split())


def test_a_folder_is_told_to_be_one(tmp_path: Path) -> None:
    done = rag_eval("evaluate", tmp_path, "-o", tmp_path / "s.csv")
    assert done.exit_code == 2
    assert "it is a folder; expected a file of samples" in done.stderr


OWN_METRIC = """
from llamaindex_rag_eval import Metric, Score


class Brevity(Metric):
    \"\"\"One over the number of sentences, in (0, 1]; higher is better.\"\"\"

    name = "brevity"
    needs = frozenset({"response"})

    async def measure(self, sample):
        return Score(1 / sample.response.count("."))


ready = Brevity()
"""


def test_a_metric_of_ones_own_is_named_by_its_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_metrics_of_a_test.py").write_text(OWN_METRIC)
    (tmp_path / "a.jsonl").write_text('{"query": "q", "response": "a. b.", "reference": "a"}\n')
    for place in ("Brevity", "ready", "Brevity(threshold=.5)"):
        name = f"own_metrics_of_a_test:{place}"
        done = rag_eval("evaluate", "a.jsonl", "-m", f"exact_match,{name}", "--json", "-q")
        means = {entry["metric"]: entry["mean"] for entry in json.loads(done.stdout)["metrics"]}
        assert means == {"exact_match": 0.0, "brevity": 0.5}
    wrong = rag_eval("evaluate", "a.jsonl", "-m", "own_metrics_of_a_test:Score")
    assert (wrong.exit_code, "expected a metric, or a class" in wrong.stderr) == (2, True)
    assert "no module 'nowhere'" in rag_eval("evaluate", "a.jsonl", "-m", "nowhere:X").stderr
