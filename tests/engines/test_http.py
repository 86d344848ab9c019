import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.engines.http import HttpEngine
from llamaindex_rag_eval.engines.retrieval import named_retriever, retriever_at
from llamaindex_rag_eval.engines.runner import arun, run
from llamaindex_rag_eval.errors import EngineError, InputError
from tests.engines.pipelines import questions, rows

KEY = "k-51-secret"

REPLY = {
    "answer": "5 l",
    "sources": [{"text": "The pump holds 5 l.", "id": "n1"}, {"text": "A pump.", "id": 2}],
    "usage": {"in": 12, "out": 3, "cost": "free"},
}

LATE = object()

MAP = {
    "response": "$.answer",
    "contexts": "$.sources[*].text",
    "context_ids": "$.sources[*].id",
    "prompt_tokens": "$.usage.in",
    "completion_tokens": "$.usage.out",
    "cost": "$.usage.cost",
}


class Service(ThreadingHTTPServer):
    """Plays its replies in turn, the last one again and again, and keeps what it was sent.

    A reply that is `LATE` comes when the service ends.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, Any]] = [(200, REPLY)]
        self.bodies: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/ask"


class Handler(BaseHTTPRequestHandler):
    server: Service
    protocol_version = "HTTP/1.1"  # connections are kept

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(asked))
        self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
        replies = self.server.replies
        status, reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if reply is LATE:
            self.server.ended.wait()
            self.close_connection = True
            return
        text = reply if isinstance(reply, str) else json.dumps(reply)
        self.send_response(status)
        self.send_header("Retry-After", "0")
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        del format, args


@pytest.fixture
def service() -> Iterator[Service]:
    server = Service()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.ended.set()
    server.shutdown()
    server.server_close()
    thread.join()


def one_row(engine: HttpEngine, **options: Any) -> SingleTurnSample:
    return rows(run(engine, questions("What holds 5 l?"), **options))[0]


def test_a_question_is_posted_and_its_reply_read_by_paths(service: Service):
    row = one_row(HttpEngine(service.url, fields=MAP))

    assert service.bodies == [{"question": "What holds 5 l?"}]
    assert row.response == "5 l"
    assert row.contexts == ("The pump holds 5 l.", "A pump.")
    assert row.context_ids == ("n1", "2")
    assert row.metadata["usage"] == {"prompt_tokens": 12, "completion_tokens": 3}  # "free" is none
    assert row.latency is not None


def test_without_a_map_the_names_of_the_reply_are_read(service: Service):
    service.replies = [(200, {"answer": "5 l", "retrieved_contexts": ["a"], "took": 3})]

    row = one_row(HttpEngine(service.url))

    assert (row.response, row.contexts) == ("5 l", ("a",))


def test_a_body_of_ones_own_holds_question_id_and_conversation(service: Service):
    body = {"messages": "{messages}", "input": {"text": "Q: {question} ({id})"}, "top_k": 3}
    before = (Message(role="user", content="Who?"), Message(role="assistant", content="He {id}."))
    sample = SingleTurnSample(id="q1", query="And {id}?", earlier_messages=before)

    run(HttpEngine(service.url, body=body), EvaluationDataset([sample]))

    assert service.bodies[0]["input"] == {"text": "Q: And {id}? (q1)"}
    assert service.bodies[0]["top_k"] == 3
    assert service.bodies[0]["messages"] == [
        {"role": "user", "content": "Who?"},
        {"role": "assistant", "content": "He {id}."},
        {"role": "user", "content": "And {id}?"},
    ]


def test_without_messages_the_conversation_is_part_of_the_question(service: Service):
    before = (Message(role="user", content="Who?"),)
    sample = SingleTurnSample(query="And when?", earlier_messages=before)

    run(HttpEngine(service.url), EvaluationDataset([sample]))

    assert service.bodies == [{"question": "user: Who?\nuser: And when?"}]


def test_keys_come_from_the_environment_and_stand_in_no_message(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("APP_KEY", KEY)
    service.replies = [(401, f"the key Bearer {KEY} is not known")]
    engine = HttpEngine(f"{service.url}?k={KEY}", headers={"Authorization": "Bearer ${APP_KEY}"})

    row = one_row(engine)

    assert service.headers[0]["authorization"] == f"Bearer {KEY}"
    assert row.error.startswith("http://127.0.0.1")
    assert row.error.endswith("/ask: HTTP 401 Unauthorized: the key Bearer *** is not known")
    assert len(service.bodies) == 1  # refused is refused: no second attempt


def test_what_is_transient_is_asked_again(service: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("llamaindex_rag_eval.engines.asking.FIRST_WAIT", 0.001)
    service.replies = [(503, "busy"), (429, "slower"), (200, REPLY)]

    assert one_row(HttpEngine(service.url, fields=MAP)).response == "5 l"
    assert len(service.bodies) == 3


@pytest.mark.parametrize(
    ("status", "reply", "said"),
    [
        (422, {"detail": "no field 'q'"}, """HTTP 422 Unprocessable Entity: {"detail": "no f"""),
        (302, "", "HTTP 302 Found: redirects are not followed; it leads to /elsewhere"),
        (200, "<html>Log in</html>", "expected JSON, got no content type: <html>Log in</html>"),
        (
            200,
            {"result": "5 l"},
            """nothing at $.answer, $.sources[*].text, $.sources[*].id in {""",
        ),
    ],
)
def test_a_reply_without_an_answer_is_named_as_what_it_is(
    service: Service, status: int, reply: Any, said: str
):
    service.replies = [(status, reply)]

    row = one_row(HttpEngine(service.url, fields=MAP))

    assert said in row.error
    assert len(service.bodies) == 1


def test_nobody_at_the_address_is_said_so(service: Service):
    port = service.server_address[1] + 1 if service.server_address[1] < 65000 else 1
    row = one_row(HttpEngine(f"http://127.0.0.1:{port}/ask"), retries=0)

    assert "was refused: no server listens there" in row.error


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"url": "ftp://host/ask"}, "expected a URL of http or https"),
        ({"url": "http://me:pw@host/ask"}, "the URL holds a user or password"),
        ({"fields": {"answer": "$.a"}}, "no field is named 'answer'; expected response, contexts"),
        ({"fields": {"response": "a"}}, "'a' is no JSON path"),
        ({"body": {"q": "question"}}, "the body has no place for the question"),
        ({"headers": {"X-Api-Key": KEY}}, "the header 'X-Api-Key' holds a key: name a variable"),
        ({"headers": {"X-Tenant": "${NO_SUCH}"}}, "variable 'NO_SUCH', which is not set"),
        ({"headers": {"X-Tenant": "5 $"}}, "has a '$' that begins no variable"),
        ({"timeout": 0}, "'timeout' is 0"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(options: dict[str, Any], said: str):
    with pytest.raises(InputError) as refused:
        HttpEngine(**{"url": "http://host/ask", **options})
    assert said in str(refused.value)
    assert KEY not in str(refused.value)


async def test_a_reply_that_comes_too_late_is_a_time_out(service: Service):
    service.replies = [(200, REPLY), (200, LATE)]
    await HttpEngine(service.url).ask("?")  # its connection is kept, so that only a reply is late

    asked = await arun(HttpEngine(service.url, timeout=0.2), questions("?"), retries=0)

    (row,) = rows(asked)
    assert row.error.endswith("/ask: no answer within 0.2 s")


async def test_a_service_is_a_retriever_by_its_contexts(service: Service):
    service.replies = [
        (503, ""),
        (200, {"contexts": ["The pump holds 5 l."], "context_ids": ["n"]}),
    ]
    retriever = retriever_at(f"{service.url}?key=secret")

    (node,) = await retriever.nodes("What holds 5 l?")

    assert retriever.name == service.url
    assert (node.node.get_content(), node.node_id) == ("The pump holds 5 l.", "n")
    mapped = named_retriever(HttpEngine(service.url, fields={"contexts": "$.contexts"}))
    assert [one.text for one in await mapped.nodes("?")] == ["The pump holds 5 l."]


async def test_a_service_that_retrieves_nothing_is_no_retriever(service: Service):
    service.replies = [(200, {"answer": "5 l"})]
    with pytest.raises(EngineError, match="the reply has no contexts"):
        await retriever_at(service.url).nodes("What holds 5 l?")
