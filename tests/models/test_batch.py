import json
from dataclasses import replace
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.models.batch import OPENAI, BatchFolder

CHAT = "/v1/chat/completions"
GOOD = {"id": "c", "choices": [{"message": {"role": "assistant", "content": "{}"}}]}


def body(number: int) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": f"question {number}"}]}


def ask(folder: BatchFolder, *numbers: int) -> list[int]:
    """Return the statuses of the replies; 1 for a reply that is pending."""
    statuses = []
    for number in numbers:
        try:
            statuses.append(folder.reply(CHAT, body(number))[1].status)
        except PendingError:
            statuses.append(1)
    return statuses


def requests(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answer(path: Path, to: Path, *, status: int = 200, only: int | None = None) -> None:
    lines = [
        {"custom_id": line["custom_id"], "response": {"status_code": status, "body": GOOD}}
        for line in requests(path)[:only]
    ]
    to.write_text("".join(json.dumps(line) + "\n" for line in reversed(lines)), "utf-8")


def test_a_request_is_written_once_in_the_form_of_openais_batches(tmp_path: Path):
    folder = BatchFolder(tmp_path)
    assert ask(folder, 1, 2, 1) == [1, 1, 1]
    (path,) = folder.write_round()
    assert path.name == "round-1.requests.jsonl"
    first, second = requests(path)
    assert (first["method"], first["url"], first["body"]) == ("POST", CHAT, body(1))
    assert second["body"] == body(2)
    assert first["custom_id"] != second["custom_id"]


def test_replies_are_read_in_any_order_and_from_any_file(tmp_path: Path):
    folder = BatchFolder(tmp_path)
    ask(folder, 1, 2)
    (path,) = folder.write_round()
    answer(path, tmp_path / "output.jsonl")
    assert ask(BatchFolder(tmp_path), 2, 1) == [200, 200]


def test_a_file_without_any_reply_is_waited_for_and_not_written_again(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1)
    folder.write_round()
    again = BatchFolder(tmp_path)
    assert ask(again, 1) == [1]
    assert again.write_round() == ()
    assert [path.name for path in again.waiting] == ["round-1.requests.jsonl"]


def test_the_next_round_holds_what_is_new_and_what_an_answered_file_left_out(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1, 2)
    (path,) = folder.write_round()
    answer(path, tmp_path / "output.jsonl", only=1)
    again = BatchFolder(tmp_path)
    assert ask(again, 1, 2, 3) == [200, 1, 1]
    (second,) = again.write_round()
    assert second.name == "round-2.requests.jsonl"
    assert [line["body"] for line in requests(second)] == [body(2), body(3)]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_transient_error_is_asked_again_and_is_the_reply_after_three_of_them(
    tmp_path: Path, status: int
):
    for number in (1, 2, 3):
        folder = BatchFolder(tmp_path)
        assert ask(folder, 1) == [1]
        (path,) = folder.write_round()
        assert path.name == f"round-{number}.requests.jsonl"
        answer(path, tmp_path / f"output-{number}.jsonl", status=status)
    assert ask(BatchFolder(tmp_path), 1) == [status]


def test_what_a_batch_left_out_is_asked_again_as_often_as_it_takes(tmp_path: Path):
    for number in range(1, 6):
        ask(folder := BatchFolder(tmp_path), 1, number + 1)
        (path,) = folder.write_round()
        assert body(1) in [line["body"] for line in requests(path)]
        line = {"custom_id": requests(path)[0]["custom_id"], "error": {"code": "batch_expired"}}
        (tmp_path / f"errors-{number}.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    assert ask(BatchFolder(tmp_path), 1) == [1]


def test_a_refused_request_is_not_asked_again(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1)
    (path,) = folder.write_round()
    answer(path, tmp_path / "errors.jsonl", status=400)
    assert ask(BatchFolder(tmp_path), 1) == [400]


def test_a_good_reply_goes_before_an_error_whichever_is_read_first(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1)
    (path,) = folder.write_round()
    answer(path, tmp_path / "a.jsonl", status=500)
    answer(path, tmp_path / "b.jsonl")
    answer(path, tmp_path / "c.jsonl", status=500)
    assert ask(BatchFolder(tmp_path), 1) == [200]


def test_lines_that_are_no_reply_and_strange_ids_are_counted_and_do_no_harm(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1)
    (path,) = folder.write_round()
    answer(path, tmp_path / "output.jsonl")
    strange = {"custom_id": "strange-1", "response": {"status_code": 200, "body": GOOD}}
    cut = '{"custom_id": "x", "respon'
    (tmp_path / "more.jsonl").write_text(f'{json.dumps(strange)}\n[1]\n"a"\n{cut}', "utf-8")
    again = BatchFolder(tmp_path)
    assert ask(again, 1) == [200]
    assert (again.unknown, again.unreadable) == (1, 3)


def test_files_are_divided_by_requests_and_by_bytes(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path, form=replace(OPENAI, most_requests=2)), 1, 2, 3)
    assert [len(requests(path)) for path in folder.write_round()] == [2, 1]
    ask(small := BatchFolder(tmp_path / "small", form=replace(OPENAI, most_bytes=1)), 1, 2)
    names = [path.name for path in small.write_round()]
    assert names == ["round-1.requests.jsonl", "round-1-part-2.requests.jsonl"]


def test_parts_are_waited_for_one_by_one(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path, form=replace(OPENAI, most_requests=1)), 1, 2)
    first, second = folder.write_round()
    answer(first, tmp_path / "output.jsonl")
    again = BatchFolder(tmp_path)
    assert ask(again, 1, 2) == [200, 1]
    assert again.write_round() == ()
    assert again.waiting == (second,)


def test_the_tokens_of_a_reply_are_counted_once_also_by_another_process(tmp_path: Path):
    folder = BatchFolder(tmp_path)
    assert [folder.is_first_reading("a-1"), folder.is_first_reading("a-1")] == [True, False]
    assert not BatchFolder(tmp_path).is_first_reading("a-1")


def test_a_round_that_late_replies_have_made_needless_is_not_waited_for(tmp_path: Path):
    ask(folder := BatchFolder(tmp_path), 1, 2)
    (first,) = folder.write_round()
    answer(first, tmp_path / "output.jsonl", only=1)
    ask(folder := BatchFolder(tmp_path), 1, 2)
    (second,) = folder.write_round()
    assert BatchFolder(tmp_path).waiting == (second,)
    answer(first, tmp_path / "late.jsonl")
    again = BatchFolder(tmp_path)
    assert (ask(again, 1, 2), again.write_round(), again.waiting) == ([200, 200], (), ())
