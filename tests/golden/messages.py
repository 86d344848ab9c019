"""What models are sent: the bodies of requests as they arrive at a server, by the real client."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import metric_of
from tests.contract.samples import METRIC_SPECS, samples_for
from tests.golden.text import digest, lines_of
from tests.golden.workspace import inside, rag_eval
from tests.models.asking import MODELS, REQUESTS, oracle_at, serving
from tests.server import LoopbackServer
from tests.testset.corpora import documents

OF_EACH = 2
"""Samples that each metric measures: a full one, and one with mistakes."""

SHOWN = 100
"""Characters of a request that are recorded beside its digest, for who reads a difference."""


def texts() -> Mapping[str, str]:
    """Return what is sent for each request in each way, by each metric, and for a golden set."""
    with serving(record=True) as server:
        ways = asyncio.run(_by_way(server))
        metrics, calls = asyncio.run(_by_metric(server))
    return {
        "ways.json": lines_of(ways),
        "metrics.json": lines_of(metrics),
        "calls.json": lines_of(calls),
        "golden_set.json": lines_of(_for_a_golden_set()),
    }


async def _by_way(server: LoopbackServer) -> Mapping[str, Any]:
    """Return what is sent for one request of each kind, in each way of asking."""
    rows: dict[str, Any] = {}
    for way in MODELS:
        oracle = oracle_at(server, way)
        for name, request in REQUESTS.items():
            server.reset()
            await oracle.ask(request)
            for number, body in enumerate(server.requests()):
                rows[f"{name} by {way} {number}"] = _row(body)
    return rows


async def _by_metric(server: LoopbackServer) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return what all metrics ask, and how often each asks what."""
    bodies, calls = [], {}
    for spec in METRIC_SPECS:
        server.reset()
        for sample in samples_for(spec)[:OF_EACH]:
            await metric_of(spec, Judge(oracle_at(server))).result(sample)
        asked = [body for body in server.requests() if "messages" in body]
        bodies += asked
        calls[spec] = dict(sorted(Counter(map(_name, asked)).items()))
    return rows_of(bodies), calls


def _for_a_golden_set() -> Mapping[str, Any]:
    """Return what is asked for a golden set, by a model that makes no mistakes."""
    with (
        TemporaryDirectory() as folder,
        LoopbackServer(
            responders="tests.server.writer_responders:FAULTLESS", record=True
        ) as server,
        inside(Path(folder)),
    ):
        Path("docs").mkdir()
        for document in documents(6):
            Path("docs", document.doc_id).write_text(document.text, encoding="utf-8")
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        done = rag_eval(f"generate docs --size 6 --llm {llm} -o golden.jsonl")
        if done.code != 0:
            raise ChildProcessError(f"writing ended with {done.code}: {done.stderr}")
        return rows_of(body for body in server.requests() if "messages" in body)


def rows_of(bodies: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a row for each different request, by the name of its prompt and its digest."""
    return {f"{_name(body)} {digest(user_text(body))}": _row(body) for body in bodies}


def _row(body: Mapping[str, Any]) -> Mapping[str, str]:
    """Return digests of all that is sent, and the beginning of what is asked."""
    settings = {key: value for key, value in body.items() if key != "messages"}
    return {
        "messages": digest(json.dumps(body["messages"], ensure_ascii=False)),
        "settings": digest(json.dumps(settings, sort_keys=True)),
        "user": user_text(body)[:SHOWN],
    }


def _name(body: Mapping[str, Any]) -> str:
    form = body.get("response_format") or {}
    return str(form.get("json_schema", {}).get("name", "text"))


def user_text(body: Mapping[str, Any]) -> str:
    """Return the text of the messages after the first, which is the same for a prompt."""
    parts = []
    for message in body["messages"][1:]:
        content = message["content"]
        parts += [content] if isinstance(content, str) else [json.dumps(part) for part in content]
    return "\n".join(parts)
