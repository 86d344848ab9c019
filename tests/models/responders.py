"""A model that judges by the words alone, the same whether it sees all at once or parts.

A claim is supported by the sources that hold its words, and contradicted by those that deny them;
a context is useful if it holds the answer. What is asked stands in the first user message, also
where a later one asks for a correction.
"""

import json
import re
from collections.abc import Mapping

from tests.server import judge_responders as plain
from tests.server.asked import last_object, prompt_text
from tests.server.responder import JsonObject, Responder


def support(given: JsonObject, _: JsonObject) -> JsonObject:
    sentences = [part for source in given["contexts"].values() for part in _sentences(source)]
    return {"verdicts": [_verdict(n, claim, sentences) for n, claim in given["claims"].items()]}


def _sentences(source: str) -> list[tuple[int, str]]:
    """Return the sentences of a source by their numbers."""
    _, *parts = re.split(r"#(\d+) ?", source)
    return [(int(n), text.strip()) for n, text in zip(parts[::2], parts[1::2], strict=True)]


def _verdict(number: str, claim: str, sentences: list[tuple[int, str]]) -> JsonObject:
    said = claim.rstrip(".")
    against = [-n for n, text in sentences if f"Never: {said}" in text]
    behind = [n for n, text in sentences if said in text.replace(f"Never: {said}", "")]
    verdict = "supported" if behind else "contradicted" if against else "not_mentioned"
    why = [] if behind else ["the words"]
    return {"claim": int(number), "evidence": [*behind, *against, *why], "verdict": verdict}


def relevance(given: JsonObject, _: JsonObject) -> JsonObject:
    useful = plain.numbers_with(given["answer"], given)
    return {
        "verdicts": [
            {"context": number, "reason": "the words", "useful": number in useful}
            for number in map(int, given["contexts"])
        ]
    }


def entities(given: JsonObject, _: JsonObject) -> JsonObject:
    words = (w.strip(".") for w in given["reference"].split() if w[:1].isupper())
    return {
        "entities": [
            {"entity": word, "named_in": plain.numbers_with(word, given)}
            for word in dict.fromkeys(words)
        ]
    }


def given_in(body: JsonObject) -> JsonObject:
    """Return the input that the first user message holds."""
    return last_object({"messages": [m for m in body["messages"] if m["role"] == "user"][:1]})


def _from_first(responder: Responder) -> Responder:
    return lambda _, body: responder(given_in(body), body)


BY_NAME: Mapping[str, Responder] = {
    name: _from_first(responder)
    for name, responder in {
        **plain.RESPONDERS,
        "support": support,
        "relevance": relevance,
        "entities": entities,
    }.items()
}

MARKERS = {
    "List the factual claims that": "claims",
    "decide whether `contexts` support it": "support",
    "decide whether it was useful to arrive at": "relevance",
    "Write exactly `n` questions to": "questions",
    "List the entities that `reference` names": "entities",
    "are needed to answer `question`": "relevant_sentences",
    "`aspect` is only its name": "critique",
    "Grade what you are given on": "grade",
    "Is `response` a right answer to": "answer_verdict",
    "Which answer to `question` is better": "preference",
    "decide which of `topics` its `question` belongs to": "topics",
    "List what the user of `conversation` wants": "intentions",
    "Write the steps by which they go about it": "steps",
    "so that it is understood without it": "standalone",
    "Translate each of `texts` into `language`": "translation",
}
"""Where there is neither a schema nor a tool, the instruction says what is asked."""

RESPONDERS: Mapping[str, Responder] = {
    **BY_NAME,
    **{marker: BY_NAME[name] for marker, name in MARKERS.items()},
}


OFF_REPLIES = {
    "support": '{"verdicts": [{"claim": "1", "verdict": "NOT MENTIONED", "evidence": null}]}',
    "critique": '{"result": {"reason": "r", "verdict": false}}',
    "entities": '[{"entity": "Ada", "named_in": "Context 1"}, {"Entity": "Ben", "named_in": []}]',
}
"""Replies that are off their form, in text, and can be read in one way only."""


def _always(text: str) -> Responder:
    return lambda _given, _body: text


OFF_RESPONDERS: Mapping[str, Responder] = {
    marker: _always(OFF_REPLIES[name]) for marker, name in MARKERS.items() if name in OFF_REPLIES
}

HOLLOW: Mapping[str, Responder] = {"claims": _always('{"claims": ["No claims."]}')}
"""A placeholder in place of an empty list."""

HALVED: Mapping[str, Responder] = {
    "claims": _always('{"claims": ["Ada \ud83d is tall.", "Ben \\udc00 is old. \\ud83d\\ude00"]}')
}
"""A reply with halves of surrogate pairs: as a character, and as an escape of JSON."""

LOOPING: Mapping[str, Responder] = {
    "claims": _always(json.dumps({"claims": ["Ada is tall."] * 999}))
}


def _example_in(body: JsonObject) -> str:
    """Return the reply of the first example that the prompt shows."""
    shown = prompt_text(body).partition("\nReply: ")[2]
    return shown.partition("\n")[0]


def _echo_at_first(responder: Responder) -> Responder:
    return lambda given, body: (
        _example_in(body) if len(body["messages"]) == 2 else responder(given, body)
    )


ECHOING: Mapping[str, Responder] = {name: lambda _, body: _example_in(body) for name in BY_NAME}
"""A model that repeats an example of the prompt."""

ECHOING_AT_FIRST: Mapping[str, Responder] = {
    name: _echo_at_first(responder) for name, responder in BY_NAME.items()
}
"""The same, until it is told that this is no reply."""
