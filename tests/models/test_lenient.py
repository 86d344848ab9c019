"""Replies that are off their form, sixty and more, and what must become of each."""

import time
from typing import Any

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.judge.prompts import languages, shipped_prompts
from llamaindex_rag_eval.models import Reply, Request
from llamaindex_rag_eval.models.request import check_reply
from tests.models.asking import oracle_at, serving
from tests.models.off_replies import (
    AGAIN,
    CASES,
    FIELDS,
    FORMS,
    NUMBERS,
    REQUESTS,
    TEXTS,
    WORDS,
    one,
)


def reply_to(request: Request[Any], text: str) -> Reply:
    """Return the reply that an oracle would take from this text."""
    assert request.prompt is not None
    found: Reply = check_reply(request, request.from_prompt(request.prompt.parse(text)))
    return found


def test_there_are_at_least_sixty() -> None:
    assert len(CASES) == sum(map(len, (WORDS, FIELDS, NUMBERS, FORMS, TEXTS))) >= 60


@pytest.mark.parametrize("name", CASES)
def test_what_is_unambiguous_is_taken_and_all_else_asked_again(name: str) -> None:
    asked, text, expected = CASES[name]
    request = REQUESTS[asked]
    if expected is AGAIN:
        with pytest.raises((ReplyError, ValueError), match=r"."):
            reply_to(request, text)
    else:
        assert reply_to(request, text) == request.reply.model_validate(expected)


async def test_what_is_taken_costs_no_further_call() -> None:
    with serving(responders="tests.models.responders:OFF_RESPONDERS") as server:
        oracle = oracle_at(server, "text")
        support = await oracle.ask(REQUESTS["one"])
        critique = await oracle.ask(REQUESTS["critique"])
        entities = await oracle.ask(REQUESTS["entities"])
        assert server.stats().calls == 3
    assert [entry.verdict for entry in support.verdicts] == ["not_mentioned"]
    assert (critique.verdict, critique.reason) == (False, "r")
    assert [entity.contexts for entity in entities.entities] == [(0,), ()]


def test_what_is_wrong_is_said_of_what_could_not_be_read() -> None:
    with pytest.raises(ValueError, match="verdict") as caught:
        reply_to(REQUESTS["one"], one(verdict="maybe", evidence=...))
    assert "evidence" not in str(caught.value)  # it was missing, and may be


def test_every_shipped_example_is_read_as_it_is_however_it_is_wrapped() -> None:
    prompts = [prompt for code in languages() for prompt in shipped_prompts(code).values()]
    assert len(prompts) > 40
    for prompt in prompts:
        for example in prompt.examples:
            text = example.output.model_dump_json()
            assert prompt.parse(text) == prompt.parse(f'{{"result": {text}}}') == example.output


LONG = 250_000

HOSTILE = {
    "brackets": "[" * LONG,
    "braces": "{" * LONG,
    "pairs of brackets": "[]" * (LONG // 2),
    "pairs of braces": "{}" * (LONG // 2),
    "closed brackets": "[" * (LONG // 2) + "]" * (LONG // 2),
    "lists of nothing": "[[]" * (LONG // 3),
    "objects in objects": '{"a":' * (LONG // 5),
    "lists of objects": '[{"a":' * (LONG // 6),
    "lists of texts": '[""' * (LONG // 3),
    "deep lists": ("[" * 900 + "x") * (LONG // 901),
    "escaped quotes": '{"' + '\\"' * (LONG // 2),
    "quotes": '{"a": ' + '"' * LONG,
    "commas": '{"a": 1' + ", " * (LONG // 2),
    "white space": '{"a": [' + " " * LONG,
    "fences": "```" * (LONG // 3),
    "fence and newlines": '{"a": 1}{"b": 2}```' + "\n" * LONG,
    "a number": '{"level": "' + "1" * LONG + '"}',
    "a bare number": '{"level": ' + "1" * LONG + "}",
    "a key": '{"' + " _-" * (LONG // 3) + '": 1}',
    "wrappers": '{"a":' * 800 + "1" + "}" * 800,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    "prompt", [SupportOf.prompt, ClaimsOf.prompt], ids=lambda prompt: str(prompt.name)
)
def test_long_nonsense_is_an_error_soon(name: str, prompt: Any) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        prompt.parse(HOSTILE[name])
    assert time.process_time() - began < 5  # quadratic work would take minutes
