"""Replies of a model on file: found again by what it was asked, whatever else a request holds."""

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.judge.prompts import english_prompts, prompts_of
from llamaindex_rag_eval.models import Prompt
from llamaindex_rag_eval.models.batch import reply_of
from tests.benchmarks.recorded.copied import restored, shortened
from testset import requests


@dataclass(frozen=True)
class Asked:
    """One request of a batch file.

    Attributes:
        custom_id: Its id in the file.
        prompt: The name of the prompt.
        messages: Role and text of each message.
        seed: Of an attempt that was not the first; two attempts are two requests.
    """

    custom_id: str
    prompt: str
    messages: tuple[tuple[str, str], ...]
    seed: int | None = None

    @property
    def id(self) -> str:
        """The same for the same messages, whatever the model, its settings and the schema."""
        whole = json.dumps([*self.messages, *([] if self.seed is None else [self.seed])])
        return hashlib.sha256(whole.encode()).hexdigest()[:24]

    @property
    def system(self) -> str:
        """The first message; unless contexts come first, the static part of the prompt."""
        return self.messages[0][1]

    @property
    def user(self) -> str:
        """What follows it: the request, and of a correction also the reply and what is wrong."""
        first, *more = self.messages[1:]
        return "\n\n".join((first[1], *(f"[{role}] {text}" for role, text in more)))


@dataclass(frozen=True)
class Recorded:
    """A reply, who gave it and when; what it copies from the request is kept as its place there.

    Attributes:
        id: Of what was asked.
        prompt: The name of the prompt.
        fingerprint: Of the prompt at that time.
        reply: The text, as `shortened` gives it; in old records whole.
        model: Who replied.
        date: When, as YYYY-MM-DD.
    """

    id: str
    prompt: str
    fingerprint: str
    reply: str
    model: str
    date: str

    def line(self, asked: Asked) -> str:
        """Return the reply as a batch brings it to who asked."""
        return batch_line(asked.custom_id, restored(self.reply, asked.user), self.model)


def asked_in(folder: Path, name: str = "*") -> Iterator[Asked]:
    """Yield the requests of the batch files in a folder, or of one of them."""
    for path in sorted(folder.glob(name)):
        if not path.name.endswith(".requests.jsonl"):
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            request = json.loads(line)
            body = request["body"]
            prompt = body["response_format"]["json_schema"]["name"]
            messages = tuple((m["role"], _text(m["content"])) for m in body["messages"])
            yield Asked(request["custom_id"], prompt, messages, body.get("seed"))


def _text(content: Any) -> str:
    """Return the text of a message, which some clients send in blocks."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def replies_in(folder: Path) -> dict[str, str]:
    """Return the texts of the replies in a folder, by the id of their request in the files."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        if not path.name.endswith(".requests.jsonl"):
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                if (reply := reply_of(row)) is not None and reply.good:
                    found[row["custom_id"]] = reply.body["choices"][0]["message"]["content"]
    return found


def batch_line(custom_id: str, reply: str, model: str) -> str:
    """Return a reply as a batch brings it."""
    body = {
        "id": custom_id,
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": reply},
            }
        ],
    }
    line = {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}
    return json.dumps(line, ensure_ascii=False)


def read_records(path: Path) -> list[Recorded]:
    """Return the records of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Recorded(**json.loads(line)) for line in lines if line]


def write_records(
    path: Path, asked: Iterable[Asked], replies: Mapping[str, str], model: str, date: str
) -> list[Recorded]:
    """Write the replies to what the prompts of today ask, in order of prompts and ids."""
    prompts = {prompt.name: prompt for prompt in _prompts()}
    found = {
        each.id: Recorded(
            each.id,
            each.prompt,
            prompts[each.prompt].fingerprint,
            shortened(replies[each.custom_id], each.user),
            model,
            date,
        )
        for each in asked
        if each.custom_id in replies and _is_asked_by(prompts[each.prompt], each)
    }
    records = sorted(found.values(), key=lambda record: (record.prompt, record.id))
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(asdict(record), ensure_ascii=False) for record in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return records


def _is_asked_by(prompt: Prompt[Any, Any], asked: Asked) -> bool:
    """Return whether a request was made of the words that a prompt has today."""
    whole = f"{asked.system}\n{asked.user}"
    return all(part.strip() in whole for part in prompt.system.partition(prompt.frame))


def _prompts() -> list[Prompt[Any, Any]]:
    """Return the prompts of judges and of writers."""
    return [*english_prompts().values(), *prompts_of(requests).values()]


def agreement(
    records: Sequence[Recorded], used: Mapping[str, Asked]
) -> dict[str, tuple[int, int, int]]:
    """Return, by prompt, how many requests have several replies, and how far these decide alike.

    The first reply to a request is held against the last: how many of all decisions are the same.
    """
    by_id: dict[str, list[Recorded]] = {}
    for record in records:
        by_id.setdefault(record.id, []).append(record)
    counts: dict[str, tuple[int, int, int]] = {}
    for key in (key for key, replies in by_id.items() if len(replies) > 1 and key in used):
        first, last = by_id[key][0], by_id[key][-1]
        both = [decisions(restored(each.reply, used[key].user)) for each in (first, last)]
        names = both[0].keys() | both[1].keys()
        alike = sum(both[0].get(name) == both[1].get(name) for name in names)
        before = counts.get(first.prompt, (0, 0, 0))
        counts[first.prompt] = (before[0] + 1, before[1] + alike, before[2] + len(names))
    return counts


def decisions(reply: str) -> dict[str, object]:
    """Return what a reply decides, and no reason: by the number or name of what it decides on.

    Example:
        >>> decisions('{"verdicts": [{"claim": 1, "evidence": [2], "verdict": "supported"}]}')
        {'1': 'supported'}
        >>> decisions('{"reason": "It names nobody.", "faults": [], "verdict": "not_attempted"}')
        {'': 'not_attempted'}
    """
    output = json.loads(reply)
    entries = output.get("verdicts", output.get("entities", [output]))
    return {
        str(entry.get("claim", entry.get("context", entry.get("entity", "")))): entry.get(
            "verdict", entry.get("useful", entry.get("named_in"))
        )
        for entry in entries
    }


def unused(records: Sequence[Recorded], used: Container[str]) -> tuple[Counter[str], Counter[str]]:
    """Return how many records of each prompt were not asked for.

    First those that a change of their prompt orphaned, then those of prompts that are as they were:
    what comes before them is missing, or their samples were left out.
    """
    prompts = {prompt.name: prompt.fingerprint for prompt in _prompts()}
    left = [record for record in records if record.id not in used]
    changed = [r.prompt for r in left if prompts.get(r.prompt) != r.fingerprint]
    same = [r.prompt for r in left if prompts.get(r.prompt) == r.fingerprint]
    return Counter(changed), Counter(same)
