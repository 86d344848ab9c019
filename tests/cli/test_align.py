"""`rag-eval align`: from labels to a judge, over a model on the loopback interface."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval import AnswerVerdict, Judge, Run, SingleTurnSample
from llamaindex_rag_eval.judge.alignment import Alignment
from llamaindex_rag_eval.models.by_name import llm_at
from llamaindex_rag_eval.models.embedded import RULES_VERSION
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.runs.provenance import Provenance
from tests.cli.command_line import Ended, rag_eval
from tests.report.runs import run_of_scores
from tests.server import LoopbackServer

RESPONDERS = "tests.server.aligned_responders"
COUNT = 24


def sample(number: int) -> SingleTurnSample:
    """Return an answer that is the reference itself, goes on behind it, or is another."""
    endings = ("Brevik", "Brevik, as far as I know", "Lund")
    return SingleTurnSample(
        id=f"q{number}",
        query=f"Where is quay {number}?",
        response=endings[number % 3],
        reference="Brevik",
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run that rules judged strictly."""
    samples = [sample(number) for number in range(COUNT)]
    scores = [float(number % 3 == 0) for number in range(COUNT)]
    info = {"answer_verdict": {"threshold": 1.0}}
    strict = run_of_scores("r", {"answer_verdict": scores}, samples=samples, info=info)
    who = {"answer_verdict": {"AnswerVerdictOf": {f"embedded-rules/{RULES_VERSION}": COUNT}}}
    provenance = Provenance(metrics=strict.metrics, judged=who)
    return Run(samples, strict.results, provenance, "r").to_jsonl(tmp_path / "run.jsonl")


def labels(folder: Path, *, why: str = "The name is there.") -> Path:
    """Write labels by somebody who does not mind words behind the reference."""
    rows = [
        {
            "id": f"q{n}",
            "metric": "answer_verdict",
            "label": int(n % 3 < 2),
            "by": "ann",
            "why": why,
        }
        for n in range(COUNT)
    ]
    path = folder / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[LoopbackServer]:
    with LoopbackServer(responders=f"{RESPONDERS}:{request.param}") as server:
        yield server


def aligned(server: LoopbackServer, run: Path, *words: object, model: str = "m") -> Ended:
    llm = f"openai-like:{server.url}:{model}"
    folder = run.parent
    return rag_eval(
        "align", run, folder / "labels.jsonl", "-o", folder / "judge.toml", "--llm", llm, *words
    )


by = pytest.mark.parametrize


@by("served", ["TEACHABLE"], indirect=True)
def test_examples_are_taken_where_they_raise_agreement(served, run: Path, tmp_path: Path) -> None:
    labels(tmp_path)
    done = aligned(served, run)
    assert done.exit_code == 0, done.output
    # 8 of 24 answers go on behind the reference, and the strict judge misses them all.
    assert done.stdout.startswith("Agreement 0.667 (")
    assert "examples: accepted, 8 labelled cases" in done.stdout
    assert "agreement 1.000" in done.stdout
    judge = Alignment.read(tmp_path / "judge.toml")
    assert (len(judge.examples), judge.rules, judge.threshold, judge.labels) == (8, (), None, 24)
    assert (judge.before[:6], judge.after[:6]) == ("0.667 ", "1.000 ")  # 16 and 24 of 24

    llm = f"openai-like:{served.url}:m"
    words = ("evaluate", run, "-m", "answer_verdict", "--judge", tmp_path / "judge.toml")
    scored = rag_eval(*words, "-o", tmp_path / "new.csv", "--llm", llm)
    assert scored.exit_code == 0, scored.output
    after = Run.read(tmp_path / "new.jsonl")
    assert after["answer_verdict"] == 16 / 24
    (who,) = after.provenance.judged["answer_verdict"]["AnswerVerdictOf"]
    assert who.endswith("+24")
    assert "the LLM 'm', aligned with 24 labels" in after.provenance.notes[0]
    assert judge.digest in after.provenance.alignments[0]
    assert after.provenance.notes[-1] == after.provenance.alignments[0]


@by("served", ["STUBBORN"], indirect=True)
def test_nothing_is_taken_and_no_file_written_where_agreement_does_not_rise(
    served, run: Path, tmp_path: Path
) -> None:
    labels(tmp_path)
    done = aligned(served, run, "--take-rules")
    assert done.exit_code == 0, done.output
    assert "examples: refused" in done.stdout
    assert "rules: refused" in done.stdout
    assert "rise 0.000 (" in done.stdout
    assert "Nothing was changed" in done.stdout
    assert not (tmp_path / "judge.toml").exists()


@by("served", ["RULED"], indirect=True)
def test_house_rules_are_shown_before_they_are_taken(served, run: Path, tmp_path: Path) -> None:
    labels(tmp_path)
    shown = aligned(served, run)
    assert "rules: accepted, 1 house rules; --take-rules takes them" in shown.stdout
    assert "+- An answer that begins with the reference is right." in shown.stdout
    assert not (tmp_path / "judge.toml").exists()
    calls = served.stats().calls
    taken = aligned(served, run, "--take-rules")
    assert taken.exit_code == 0, taken.output
    assert served.stats().calls == calls  # the replies are kept beside the judge
    rules = Alignment.read(tmp_path / "judge.toml").rules
    assert rules == ("An answer that begins with the reference is right.",)


@by("served", ["TEACHABLE"], indirect=True)
def test_another_model_or_prompt_is_refused_by_name(served, run: Path, tmp_path: Path) -> None:
    labels(tmp_path)
    aligned(served, run)
    path = tmp_path / "judge.toml"
    words = ("evaluate", run, "-m", "answer_verdict", "--judge", path, "-o", tmp_path / "n.csv")
    other = rag_eval(*words, "--llm", f"openai-like:{served.url}:gpt-5")
    assert other.exit_code == 2
    assert "is for the LLM 'm', and the LLM 'gpt-5' judges now" in other.stderr
    ruled = rag_eval(*words)
    assert "and embedded language rules judges now" in ruled.stderr
    german = rag_eval(*words, "--llm", f"openai-like:{served.url}:m", "--prompts", "de")
    assert german.exit_code == 2
    assert "the prompt of 'AnswerVerdictOf' has changed" in german.stderr
    oracle = LLMOracle(llm_at(f"openai-like:{served.url}:m"))
    assert Judge.load(path, oracle).alignment == Alignment.read(path)
    again = aligned(served, run, "--judge", path)
    assert "the judge is aligned already" in again.stderr


@by("served", ["TEACHABLE"], indirect=True)
def test_batch_files_come_to_the_same_end(served, run: Path, tmp_path: Path) -> None:
    labels(tmp_path)
    online = aligned(served, run, "--json")
    expected = (tmp_path / "judge.toml").read_text(encoding="utf-8")
    (tmp_path / "judge.toml").unlink()
    words = ("--batch", tmp_path / "batch", "--json")
    first = aligned(served, run, *words)
    assert (first.exit_code, first.stdout) == (4, "")
    done = aligned(served, run, *words, "--batch-submit")
    assert done.exit_code == 0, done.output
    assert done.stdout == online.stdout
    assert (tmp_path / "judge.toml").read_text(encoding="utf-8") == expected
    # The plain verdicts; examples and rules of five folds and of all; verdicts by rules.
    rounds = sorted((tmp_path / "batch").glob("round-*.requests.jsonl"))
    assert [path.read_text().count("\n") for path in rounds] == [24, 24 + 6, 24]


@by("served", ["TEACHABLE"], indirect=True)
def test_a_dry_run_counts_the_most_there_can_be_and_asks_nothing(
    served, run: Path, tmp_path: Path
) -> None:
    labels(tmp_path)
    done = aligned(served, run, "--dry-run", "--json")
    assert done.exit_code == 0, done.output
    # Plain, with examples, with rules; and the rules of five folds and of all.
    assert json.loads(done.stdout)["calls"] == 3 * 24 + 6
    assert served.stats().calls == 0
    assert not (tmp_path / "judge.toml").exists()


def test_rules_as_the_judge_get_a_threshold(tmp_path: Path, run: Path) -> None:
    plain = Run.read(run)
    scores = {"answer_verdict": [(1.0, 0.5, 0.0)[n % 3] for n in range(COUNT)]}
    partly = run_of_scores("r", scores, samples=[sample(n) for n in range(COUNT)])
    Run(plain.samples, partly.results, plain.provenance, "r").to_jsonl(run)
    words = ("align", run, labels(tmp_path), "-o", tmp_path / "judge.toml")
    done = rag_eval(*words)
    assert done.exit_code == 0, done.output
    assert "threshold: accepted, 1 to 0.25" in done.stdout
    assert "examples" not in done.stdout
    judge = Judge.load(tmp_path / "judge.toml")
    assert judge.alignment is not None
    assert judge.alignment.threshold == 0.25
    scored = rag_eval(
        *("evaluate", run, "-m", "answer_verdict", "--judge", tmp_path / "judge.toml"),
        *("-o", tmp_path / "new.csv"),
    )
    assert scored.exit_code == 0, scored.output
    after = Run.read(tmp_path / "new.jsonl")
    assert after.metrics[0].threshold == 0.25
    assert AnswerVerdict(judge).passes(0.5)
    assert not AnswerVerdict().passes(0.5)
    assert "threshold 0.25" in after.provenance.alignments[0]


def test_too_few_labels_are_refused(tmp_path: Path, run: Path) -> None:
    path = labels(tmp_path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:19]), encoding="utf-8")
    done = rag_eval("align", run, path)
    assert done.exit_code == 2
    assert "19 labels drawn at random" in done.stderr
    assert "expected 20 or more" in done.stderr


@by("served", ["STUBBORN"], indirect=True)
def test_a_judge_is_asked_again_about_labelled_answers(served, run: Path, tmp_path: Path) -> None:
    path, cache = labels(tmp_path), tmp_path / "cache.db"
    scores = ("evaluate", run, "-m", "answer_verdict", "--cache", cache, "-o", tmp_path / "s.csv")
    scored = rag_eval(*scores, "--llm", f"openai-like:{served.url}:m")
    assert scored.exit_code == 0, scored.output
    calls = served.stats().calls
    words = ("align", tmp_path / "s.jsonl", path, "--cache", cache, "-o", tmp_path / "judge.toml")
    same = rag_eval(*words, "--ask-again", 20, "--llm", f"openai-like:{served.url}:m")
    assert same.exit_code == 0, same.output
    assert served.stats().calls == calls + 20
    shown = " ".join(same.stdout.split())
    assert "answer_verdict: the judge is the same." in shown
    assert "of 20 labelled answers that were judged again, 0 have another verdict" in shown

    other = ("--llm", f"openai-like:{served.url}:n", "--json")
    done = rag_eval(*words, "--ask-again", 5, *other)
    (drift,) = json.loads(done.stdout)["drift"]
    assert (drift["answers"], drift["changes"]) == (5, ["the LLM 'm' before, the LLM 'n' now"])
    assert served.stats().calls == calls + 25
    assert not (tmp_path / "judge.toml").exists()
    assert rag_eval(*words, "--ask-again", 5, "--dry-run", *other).exit_code == 2
