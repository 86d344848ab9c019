"""Labelling: who is shown what, what is written, what is said of it, and who may ask."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from llamaindex_rag_eval.decisions.labels import read_labels
from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.ui.label_server import label_app
from llamaindex_rag_eval.ui.labelling import SHARED, Labelling, parts_of
from tests.report.runs import run_of_scores, sample

TOKEN, PORT = "secret", 8125
HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture
def run() -> Run:
    scores = [n % 4 / 3 for n in range(40)]
    needs = {"faithfulness": {"needs": ("contexts", "response")}}
    return run_of_scores("main", {"answer_verdict": scores, "faithfulness": scores}, info=needs)


@pytest.fixture
def labelling(run: Run, tmp_path: Path) -> Labelling:
    return Labelling(run, tmp_path / "labels.jsonl")


@pytest.fixture
def client(labelling: Labelling) -> Iterator[TestClient]:
    app = label_app(labelling, token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
        yield client


def lines(labelling: Labelling) -> list[dict[str, object]]:
    return [json.loads(line) for line in labelling.path.read_text("utf-8").splitlines()]


def test_an_answer_is_shown_without_what_the_judge_says_until_it_is_labelled(
    client: TestClient,
) -> None:
    shown = client.post("api/next", json={"by": "Ana"}).json()
    answer = shown["answer"]
    assert set(answer) == {"id", "query", "answer", "reference", "contexts", "claims"}
    assert shown["progress"] == ["0 of 40 labelled, 0 of them drawn at random."]
    assert answer["claims"] == [f"{answer['id']} stands on the left shelf."]
    label = {"by": "Ana", "id": answer["id"], "verdict": "right", "why": "as the label says"}
    said = client.post("api/label", json=label).json()
    assert [entry["metric"] for entry in said["judge"]] == ["answer_verdict", "faithfulness"]
    assert said["progress"][0].startswith("1 of 40 labelled, ")
    assert client.post("api/next", json={"by": "Ana"}).json()["answer"]["id"] != answer["id"]


def test_a_label_says_who_when_why_and_of_which_answer_and_claims_are_their_own_label(
    labelling: Labelling,
) -> None:
    labelling.label("q3", "partly right", by="Ana", why="no shelf", claims=[False])
    verdict, claims = lines(labelling)
    assert (verdict["label"], verdict["verdict"], verdict["why"]) == (
        0.5,
        "partly right",
        "no shelf",
    )
    assert (claims["metric"], claims["label"], claims["claims"]) == ("faithfulness", 0.0, [False])
    assert verdict["by"] == claims["by"] == "Ana"
    assert verdict["answer"] == claims["answer"]


def test_claims_that_were_not_all_looked_at_are_not_written(labelling: Labelling) -> None:
    labelling.label("q3", "right", claims=[None])
    assert [line["metric"] for line in lines(labelling)] == ["answer_verdict"]


@pytest.mark.parametrize(
    ("sample_id", "verdict", "claims"),
    [("none", "right", []), ("q1", "fine", []), ("q1", "right", [True, True])],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    labelling: Labelling, sample_id: str, verdict: str, claims: list[bool | None]
) -> None:
    with pytest.raises(InputError):
        labelling.label(sample_id, verdict, claims=claims)
    assert not labelling.path.exists()


def test_undo_takes_the_last_label_of_that_person_back_and_shows_its_answer(
    labelling: Labelling,
) -> None:
    labelling.label("q1", "right", by="Ana")
    labelling.label("q2", "wrong", by="Ana", claims=[True])
    labelling.label("q3", "wrong", by="Ben")
    view = labelling.undo("Ana")
    assert view is not None
    assert view["id"] == "q2"
    left = read_labels(labelling.path, merged=False)
    assert [(x.sample_id, x.by, x.metric) for x in left] == [
        ("q1", "Ana", "answer_verdict"),
        ("q3", "Ben", "answer_verdict"),
    ]
    assert labelling.undo("Eve") is None


def test_who_gives_no_name_is_one_person_too(client: TestClient) -> None:
    first = client.post("api/next", json={}).json()["answer"]["id"]
    client.post("api/label", json={"id": first, "verdict": "right"})
    assert client.post("api/next", json={}).json()["answer"]["id"] != first
    assert client.post("api/undo", json={}).json()["answer"]["id"] == first


def test_a_second_person_labels_the_same_answers_first_and_both_are_compared(
    labelling: Labelling,
) -> None:
    for number in range(SHARED + 2):
        shown = labelling.next("Ana")
        assert shown is not None
        labelling.label(shown["id"], "right" if number % 2 else "wrong", by="Ana")
    by_ana = {label.sample_id for label in labelling.labels()}
    for number in range(SHARED):
        shown = labelling.next("Ben")
        assert shown is not None
        assert shown["id"] in by_ana
        labelling.label(shown["id"], "right" if number % 2 else "wrong", by="Ben")
    shown = labelling.next("Ben")
    assert shown is not None
    assert shown["id"] not in by_ana
    # Both say the same of all twenty.
    sentence = labelling.progress()[-1]
    assert sentence.startswith("Ana and Ben agree on 20 of 20; Cohen's kappa 1.00 (")


def test_it_is_said_how_wide_the_interval_is_and_how_many_more_narrow_it(
    labelling: Labelling,
) -> None:
    for _ in range(30):
        shown = labelling.next("Ana")
        assert shown is not None
        labelling.label(shown["id"], "right", by="Ana")
    assert labelling.progress()[1].startswith("By people, answer_verdict is about 1.00 (0.8")
    assert "± 0.05" in labelling.progress()[2]


def test_all_answers_can_be_labelled_and_then_there_is_none_left(labelling: Labelling) -> None:
    for _ in range(40):
        shown = labelling.next("Ana")
        assert shown is not None
        labelling.label(shown["id"], "right", by="Ana")
    assert labelling.next("Ana") is None
    assert len(labelling.labels()) == 40


def test_labels_of_an_answer_that_changed_count_for_the_old_one_only(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    first = run_of_scores("first", {"answer_verdict": [0.5, 0.5]})
    Labelling(first, path).label("q0", "right", by="Ana")
    assert len(Labelling(first, path).labels()) == 1
    second = run_of_scores("second", {"answer_verdict": [0.5, 0.5]})
    assert Labelling(second, path).labels() == []


def test_labels_go_to_a_table_and_come_from_one(labelling: Labelling, tmp_path: Path) -> None:
    labelling.label("q1", "right", by="Ana", why="=1+1")
    table = tmp_path / "labels.csv"
    assert labelling.write_csv(table) == len(labelling.run)
    text = table.read_text("utf-8")
    assert text.startswith("\ufeffid,")  # by which Excel knows UTF-8
    assert "'=1+1" in text
    assert "q0 stands on the left shelf." in text
    assert ",0.5," not in text  # no score of the judge
    with pytest.raises(OutputError, match="there already"):
        labelling.write_csv(table)
    other = Labelling(labelling.run, tmp_path / "other.jsonl")
    specs = ["answer_verdict", "faithfulness"]
    assert other.take(read_labels(table, metrics=specs), "sheet") == 1
    assert [(x.sample_id, x.value, x.by) for x in other.labels()] == [("q1", 1.0, "Ana")]
    assert other.take(read_labels(table, metrics=specs), "sheet") == 0


def test_a_table_of_answers_to_label_is_filled_in_and_read_back(tmp_path: Path) -> None:
    hostile = sample("q0", query="=HYPERLINK(1)", response="x" * 200_000)
    run = run_of_scores("main", {"m": [0.5]}, samples=[hostile])
    table = tmp_path / "sheet.csv"
    labelling = Labelling(run, tmp_path / "labels.jsonl")
    assert labelling.write_csv(table) == 1
    text = table.read_text("utf-8")
    assert "'=HYPERLINK(1)" in text
    table.write_text(text.replace("q0,m,,", "q0,m,1,"), "utf-8")
    assert labelling.take(read_labels(table), "sheet") == 1
    assert [x.sample_id for x in labelling.labels()] == ["q0"]


def test_a_metric_that_is_better_when_lower_gets_the_opposite(tmp_path: Path) -> None:
    run = run_of_scores("main", {"m": [0.5]}, info={"m": {"direction": "lower"}})
    labelling = Labelling(run, tmp_path / "labels.jsonl")
    labelling.label("q0", "right", by="Ana")
    assert labelling.labels()[0].value == 0.0


def test_a_run_without_a_metric_to_label_is_an_error_in_words(tmp_path: Path) -> None:
    run = run_of_scores("main", {"m": [0.5]})
    with pytest.raises(InputError, match="no metric 'other' to label; it has 'm'"):
        Labelling(run, tmp_path / "labels.jsonl", metric="other")


def test_hostile_texts_stay_text_and_evidence_is_marked(tmp_path: Path) -> None:
    assert parts_of("a b  c d", ["b c"]) == [("a ", False), ("b  c", True), (" d", False)]
    hostile = run_of_scores(HOSTILE, {"m": [0.5]}, samples=[sample("q0", response=HOSTILE)])
    app = label_app(Labelling(hostile, tmp_path / "x.jsonl"), token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
        page = client.get("")
        assert HOSTILE not in page.text
        assert "script-src 'sha256-" in page.headers["content-security-policy"]
        assert client.post("api/next", json={}).json()["answer"]["answer"] == HOSTILE


def test_only_this_machine_with_the_token_and_json_may_ask(client: TestClient) -> None:
    assert client.get("", headers={"host": "evil.example"}).status_code == 400
    assert client.get(f"http://127.0.0.1:{PORT}/other/").status_code == 403
    assert client.post("api/next", content="by=Ana").status_code == 415
    refused = client.post("api/label", json={"id": "q1", "verdict": "right", "x": 1})
    assert refused.status_code == 400
