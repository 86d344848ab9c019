"""Whether the recorded judgements are asked for in the very words in which they were recorded.

A record's id is a digest of its messages: where all are found again, no byte has changed. The
labelled sets are not in the repository (`RAG_EVAL_DATA`).
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from llamaindex_rag_eval import Judge, LLMOracle
from llamaindex_rag_eval.models import Limit
from llamaindex_rag_eval.models.openai_like import OpenAILike
from tests.benchmarks.judge_by_model import RECORDS
from tests.benchmarks.measuring.records import MissingSetError
from tests.benchmarks.recorded.copied import restored
from tests.benchmarks.recorded.judging import ALL_CLAIMS
from tests.benchmarks.recorded.records import Asked, Recorded, read_records
from tests.benchmarks.recorded.tasks import tasks_of
from tests.golden.parts import MissingInputError
from tests.golden.text import as_json, digest
from tests.server import LoopbackServer, Responder


@cache
def _records() -> Mapping[str, Recorded]:
    """Return the recorded judgements by the ids of what was asked."""
    paths = sorted(RECORDS.glob("*-20*.jsonl"))
    return {record.id: record for path in paths for record in read_records(path)}


def _asked(body: Mapping[str, Any]) -> Asked:
    """Return what a body asks, as it is recorded."""
    name = body["response_format"]["json_schema"]["name"]
    messages = tuple((each["role"], _text(each["content"])) for each in body["messages"])
    return Asked("", name, messages, body.get("seed"))


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _reply(_: object, body: Mapping[str, Any]) -> str:
    """Answer as recorded.

    Raises:
        KeyError: Nobody was asked this.
    """
    asked = _asked(body)
    return restored(_records()[asked.id].reply, asked.user)


def _responders() -> Mapping[str, Responder]:
    return {record.prompt: _reply for record in _records().values()}


RESPONDERS = _responders()
"""Answers of the server, by the names of prompts."""


def texts() -> Mapping[str, str]:
    """Return, by prompt, how many requests are those that were recorded, and which others are.

    Raises:
        MissingInputError: A labelled set is not there.
    """
    try:
        tasks = tasks_of()
    except MissingSetError as missing:
        raise MissingInputError(str(missing)) from None
    with LoopbackServer(responders=f"{__name__}:RESPONDERS", record=True) as server:
        llm = OpenAILike(model="gpt-4o-mini", api_base=server.url, api_key="none", max_retries=0)
        oracle = LLMOracle(llm, limit=Limit(retries=0), claims_at_once=ALL_CLAIMS)

        async def ask_all() -> list[Any]:
            asking = (task.values(Judge(oracle)) for task in tasks)
            return await asyncio.gather(*asking, return_exceptions=True)

        outcomes = asyncio.run(ask_all())
        bodies = server.requests()
    failed = Counter(type(each).__name__ for each in outcomes if isinstance(each, BaseException))
    return {"judgements.json": as_json({"prompts": _by_prompt(bodies), "failed": dict(failed)})}


def _by_prompt(bodies: list[dict[str, Any]]) -> Mapping[str, Any]:
    asked: dict[str, Asked] = {}
    settings: dict[str, Counter[str]] = defaultdict(Counter)
    for body in bodies:
        each = _asked(body)
        if each.id not in asked:
            rest = {key: value for key, value in body.items() if key != "messages"}
            settings[each.prompt][digest(json.dumps(rest["response_format"], sort_keys=True))] += 1
        asked[each.id] = each
    on_file = Counter(record.prompt for record in _records().values())
    return {
        name: {
            "on file": on_file[name],
            "asked as recorded": sum(
                e.prompt == name and e.id in _records() for e in asked.values()
            ),
            "asked otherwise": sorted(
                digest(e.id) for e in asked.values() if e.prompt == name and e.id not in _records()
            ),
            "schemas": dict(settings[name]),
        }
        for name in sorted({*on_file, *(each.prompt for each in asked.values())})
    }
