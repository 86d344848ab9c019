"""`--engine http://…`: a service that takes questions as JSON."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.endpoint import engine_named
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
    found = engine_named(
        "https://host/ask", MAP, '{"q": "{question}"}', ["Authorization: Bearer ${APP_KEY}"], 5
    )
    assert found == HttpEngine(
        "https://host/ask",
        fields={"response": "$.answer", "contexts": "$.sources[*].text"},
        body={"q": "{question}"},
        headers={"Authorization": "Bearer ${APP_KEY}"},
        timeout=5,
    )
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("app:engine", "response=$.a"), "are for --engine http://"),
        (("http://host", "response"), "--map expects NAME=VALUE"),
        (("http://host", None, None, ["my-key"]), "--header expects NAME:VALUE, got no ':'"),
        (("http://host", None, "body.yaml"), "is no JSON and no file: No such file"),
        (("http://host", None, '{"q": '), "--body is no JSON: "),
    ],
)
def test_options_that_are_not_understood_are_named(arguments: tuple[str, ...], said: str):
    with pytest.raises(InputError, match=said):
        engine_named(*arguments)  # type: ignore[arg-type]  # as the command line gives them
