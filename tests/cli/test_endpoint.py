"""`--engine http://…`: a service that takes questions as JSON."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.run import Endpoint
from llamaindex_rag_eval.engines.http import HttpEngine
from llamaindex_rag_eval.errors import InputError
from tests.cli.command_line import rag_eval
from tests.engines.test_http import Service, service as service

MAP = "response=$.answer, contexts=$.sources[*].text"


def test_a_service_answers_a_golden_set(tmp_path: Path, service: Service):
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text('{"question": "What holds 5 l?"}\n')
    body = tmp_path / "body.json"
    body.write_text('{"input": "{question}"}')

    done = rag_eval(
        *("run", questions, "--engine", service.url, "--map", MAP, "--body", body),
        *("--header", "X-Tenant: acme", "-o", out),
    )

    assert done.exit_code == 0, done.output
    answer = json.loads(out.read_text())
    assert answer["response"] == "5 l"
    assert answer["contexts"] == ["The pump holds 5 l.", "A pump."]
    assert service.bodies == [{"input": "What holds 5 l?"}]
    assert service.headers[0]["x-tenant"] == "acme"


def test_options_become_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("APP_KEY", "secret")
    header, body = ["Authorization: Bearer ${APP_KEY}"], '{"q": "{question}"}'
    options = Endpoint(reply_map=MAP, body=body, header=header, timeout=5)
    found = options.named("https://host/ask")
    assert found == HttpEngine(
        "https://host/ask",
        fields={"response": "$.answer", "contexts": "$.sources[*].text"},
        body={"q": "{question}"},
        headers={"Authorization": "Bearer ${APP_KEY}"},
        timeout=5,
    )
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("place", "options", "said"),
    [
        ("app:engine", {"reply_map": "response=$.a"}, "are for --engine http://"),
        ("http://host", {"reply_map": "response"}, "--map expects NAME=VALUE"),
        ("http://host", {"header": ["my-key"]}, "--header expects NAME:VALUE, got no ':'"),
        ("http://host", {"body": "body.yaml"}, "is no JSON and no file: No such file"),
        ("http://host", {"body": '{"q": '}, "--body is no JSON: "),
    ],
)
def test_options_that_are_not_understood_are_named(place: str, options: dict, said: str):
    with pytest.raises(InputError, match=said):
        Endpoint(**options).named(place)
