"""`rag-eval more watch`: passes over traces, their runs, alarms and unusual questions."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval
from tests.decisions.test_watch import FAITHFUL, INVENTED, trace


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(answers: list[str], question: str = "What holds 5 l?") -> None:
    file = Path("spans.jsonl")
    before = file.read_text() if file.exists() else ""
    start = before.count("\n")
    lines = [json.dumps(trace(n, answer, question)) for n, answer in enumerate(answers, start)]
    file.write_text(before + "\n".join(lines) + "\n")


WATCH = ("more", "watch", "spans.jsonl", "-m", "faithfulness", "--min", "faithfulness=.8")


def test_passes_end_in_stored_runs_and_an_alarm_in_its_exit_code(folder: Path) -> None:
    write([FAITHFUL] * 20)
    quiet = rag_eval(*WATCH, "--false-alarm-every", "200")
    assert quiet.exit_code == 0, quiet.output
    assert "20 new answers scored, of 20 traces." in quiet.stdout
    assert "no alarm in this pass, 20 answers scored" in quiet.stdout

    write([INVENTED] * 20)
    alarm = rag_eval(*WATCH, "--false-alarm-every", "200", "--json")
    assert alarm.exit_code == 3
    said = json.loads(alarm.stdout)
    assert (said["scored"], said["has_alarm"]) == (20, True)
    assert said["limits"][0]["recent"] == 20
    runs = json.loads(rag_eval("runs", "--name", "live", "--json").stdout)
    assert [run["samples"] for run in runs] == [20, 20]


def test_unusual_questions_can_be_added_to_the_golden_set(folder: Path) -> None:
    write([FAITHFUL], "Wem gehört der rote Schlüssel?")
    lines = [json.dumps({"query": f"What holds {n} l of oil in the hall?"}) for n in range(20)]
    Path("logs.jsonl").write_text("\n".join(lines))
    assert rag_eval("golden", "add", "golden.jsonl", "logs.jsonl").exit_code == 0

    done = rag_eval(*WATCH, "--golden", "golden.jsonl", "-o", "unusual.jsonl")

    assert "1 questions unlike those of the golden set in unusual.jsonl" in done.stdout
    added = rag_eval("golden", "add", "golden.jsonl", "unusual.jsonl")
    assert "1 questions added" in added.stdout


def test_wrong_options_are_named(folder: Path) -> None:
    write([FAITHFUL])
    for options, said in (
        (["--from", "phoenix"], "expected files of traces, or --from"),
        (["--golden", "golden.jsonl"], "--golden and --out need one another"),
        (["--every", "soon"], "'--every' is 'soon'; expected seconds, or a duration"),
        (["--max", "faithfulness"], "is no threshold"),
        (["--share", "2"], "'share' is 2.0, expected"),
    ):
        done = rag_eval(*WATCH, *options)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())


def test_an_error_of_the_application_is_counted_and_is_no_failure_of_the_pass(
    folder: Path,
) -> None:
    write([FAITHFUL] * 3)
    broken = trace(9, "", "What weighs 90 kg?")
    for spans in broken["resourceSpans"][0]["scopeSpans"]:
        spans["spans"][0]["status"] = {"code": 2, "message": "upstream timeout"}
    with Path("spans.jsonl").open("a") as file:
        file.write(json.dumps(broken) + "\n")
    done = rag_eval(*WATCH)
    assert done.exit_code == 0, done.output
    assert "1 failed in your application: they have no answer to score." in done.stdout
