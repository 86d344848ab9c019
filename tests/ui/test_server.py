"""The server shows runs to those who have the token, changes nothing, and trusts no text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers
from llamaindex_rag_eval.diagnosis.modes import SortedFailure, write_modes
from llamaindex_rag_eval.report.lost import write_lost
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History
from llamaindex_rag_eval.ui.server import ui_app
from tests.report.runs import sample
from tests.ui.histories import run_on

TOKEN, PORT = "secret", 8124
HOSTILE = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "runs.db")


@pytest.fixture
def client(store: RunStore) -> Iterator[TestClient]:
    app = ui_app(History(store), "a folder", token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
        yield client


def test_the_first_page_has_each_metric_with_its_interval_and_each_run(
    store: RunStore, client: TestClient
) -> None:
    for day in (1, 2, 3):
        store.add(run_on(day, m=[day / 4, 0.5, 0.25, 1.0]), tags=["ci"])
    text = client.get("").text
    last = store.find("last").means[0]
    assert f"main, 2026-03-03 04:30: {last.mean:.3f} ({last.low:.3f} to {last.high:.3f})" in text
    assert text.count('class="range"') == 3
    assert 'aria-label="m over 3 runs; arrow keys lead from run to run"' in text


def test_runs_are_chosen_by_name_tag_and_number(store: RunStore, client: TestClient) -> None:
    for day, name in enumerate(["main", "branch", "main", "main"], start=1):
        store.add(run_on(day, name, m=[day / 8, 0.5]), tags=[f"day{day % 2}"])
    assert "3 runs of 4" in client.get("", params={"name": "main"}).text
    assert "2 runs of 4" in client.get("", params={"tag": "day0"}).text
    assert "2 runs of 4" in client.get("", params={"last": 2}).text
    assert "4 runs" in client.get("", params={"last": "many"}).text
    assert "No run has this name and tag" in client.get("", params={"name": "x"}).text


def test_a_run_that_is_stored_meanwhile_is_there_at_the_next_look(
    store: RunStore, client: TestClient
) -> None:
    store.add(run_on(1, m=[0.5, 0.25]))
    assert "1 run," in client.get("").text
    store.add(run_on(2, m=[0.5, 0.25]))
    assert "2 runs," in client.get("").text


def test_what_may_be_shipped_is_decided_by_the_policy(store: RunStore) -> None:
    ids = [store.add(run_on(day, m=[day / 4] * 24, k=[0.5] * 24)).id for day in (2, 1)]
    wide = (Policy(margin=0.5), "Ship: worse by less than the margin on m")
    for policy, headline in ((Policy(), "Do not ship: worse on m"), wide):
        app = ui_app(History(store), "here", policy=policy, token=TOKEN, port=PORT)
        with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
            assert headline in client.get("compare", params={"a": ids[0], "b": ids[1]}).text


def test_two_runs_are_compared_question_by_question(store: RunStore, client: TestClient) -> None:
    a = store.add(run_on(1, m=[0.25] * 12)).id
    b = store.add(run_on(2, m=[0.5] * 12)).id
    text = client.get("compare", params={"a": a, "b": b}).text
    assert '<span class="b" dir="auto">main, 2026-03-02 04:30</span> against' in text
    assert "+0.250" in text
    assert '<a href="./">All runs</a>' in text
    assert "compared with itself" in client.get("compare", params={"a": a, "b": a}).text


def test_one_run_is_the_report_with_what_changed_since_the_one_before(
    store: RunStore, client: TestClient
) -> None:
    store.add(run_on(1, m=[0.25] * 12))
    key = store.add(run_on(2, m=[0.5] * 12)).id
    text = client.get("run", params={"id": key}).text
    assert "Since last time" in text
    assert "main, 2026-03-01 04:30" in text


def test_a_run_and_a_comparison_show_the_diagnosis_and_the_modes_of_the_folder(
    store: RunStore, tmp_path: Path
) -> None:
    before, now = run_on(1, m=[0.0, 0.0, 1.0]), run_on(2, m=[0.0, 1.0, 1.0])
    samples = [entry for entry in now.samples if isinstance(entry, SingleTurnSample)]
    lost = LostAnswers(samples, (LostAnswer(samples[0], ("ranked_too_low",), 7),))
    write_lost(lost, tmp_path / "diagnosis")
    write_modes([SortedFailure("wrong shelf", "q0")], tmp_path / "diagnosis" / "modes.jsonl")
    ids = [store.add(run).id for run in (before, now)]
    labels = tmp_path / "labels.jsonl"
    app = ui_app(History(store), "here", labels=labels, token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
        assert f'href="run?id={ids[1]}#lost">Where answers are lost</a>' in client.get("").text
        alone = client.get("run", params={"id": ids[1]}).text
        both = client.get("compare", params={"a": ids[0], "b": ids[1]}).text
        for page in (alone, both):
            assert "Of 3 questions 1 got no fully right answer: 1 ranked too low." in page
            assert "wrong shelf" in page
        (tmp_path / "modes.jsonl").write_text("{}\n")
        assert "modes.jsonl" in client.get("run", params={"id": ids[1]}).text


def test_runs_without_a_common_question_are_an_error_in_words(
    store: RunStore, client: TestClient
) -> None:
    a = store.add(run_on(1, samples=[sample("a")], m=[0.25])).id
    b = store.add(run_on(2, samples=[sample("b")], m=[0.25])).id
    reply = client.get("compare", params={"a": a, "b": b})
    assert reply.status_code == 404
    assert "question" in reply.text


@pytest.mark.parametrize("place", ["run?id=x", "compare?a=x", "question?id=x", "run"])
def test_what_is_not_there_is_said_on_a_page(
    store: RunStore, client: TestClient, place: str
) -> None:
    store.add(run_on(1, m=[0.5]))
    reply = client.get(place)
    assert reply.status_code == 404
    assert "<h1>Not to be shown</h1>" in reply.text


def test_hostile_text_is_escaped_on_every_page(store: RunStore, client: TestClient) -> None:
    bad = sample(
        HOSTILE,
        query=HOSTILE,
        response=HOSTILE,
        reference=HOSTILE,
        contexts=(HOSTILE,),
        error=HOSTILE,
    )
    keys = [
        store.add(
            run_on(day, HOSTILE, samples=[bad, sample("b")], m=[day / 4, 0.5]), tags=[HOSTILE]
        ).id
        for day in (1, 2)
    ]
    pages = ["", "run", "compare", "question", "question?id=none<img src=x>"]
    asked = [{"name": HOSTILE}, {"id": keys[0]}, {"a": keys[0], "b": keys[1]}]
    asked += [{"id": HOSTILE}, {}]
    for page, params in zip(pages, asked, strict=True):
        reply = client.get(page, params=params or None)
        assert "<img" not in reply.text, page
        assert "<script>alert" not in reply.text, page


def test_only_the_token_and_the_names_of_this_machine_open_it_and_nothing_is_sent(
    store: RunStore, client: TestClient
) -> None:
    assert client.get(f"http://127.0.0.1:{PORT}/").status_code == 403
    assert client.get(f"http://127.0.0.1:{PORT}/wrong/").status_code == 403
    assert client.get("", headers={"Host": "evil.example"}).status_code == 400
    assert client.post("", json={}).status_code == 405
    policy = client.get("").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


def test_answers_of_a_stored_run_are_labelled_into_a_file(store: RunStore, tmp_path: Path) -> None:
    stored = store.add(run_on(1, m=[0.5, 0.25]))
    labels = tmp_path / "labels.jsonl"
    app = ui_app(History(store), "a folder", labels=labels, token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}/{TOKEN}/") as client:
        assert f'href="label?id={stored.id}"' in client.get("").text
        assert "Is it right?" in client.get("label", params={"id": stored.id}).text
        shown = client.post("api/next", params={"id": stored.id}, json={}).json()["answer"]
        label = {"id": shown["id"], "verdict": "wrong"}
        assert client.post("api/label", params={"id": stored.id}, json=label).status_code == 200
        assert client.post("api/next", params={"id": "none"}, json={}).status_code == 400
    assert '"verdict": "wrong"' in labels.read_text("utf-8")
