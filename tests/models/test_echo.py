"""Echoes of a prompt's examples: which replies they are, and what comes of them."""

import json
from functools import partial

import pytest
from pydantic import BaseModel

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.judge.prompts import (
    english_prompts,
    languages,
    prompts_of,
    shipped_prompts,
)
from tests.judge.replies import output_of, reply_to
from tests.models.asking import REQUESTS, oracle_at, serving
from testset import requests

SHIPPED = [english_prompts(), prompts_of(requests), *map(shipped_prompts, languages())]

CLAIMS = english_prompts()[ClaimsOf]
RESPONDERS = "tests.models.responders"


def as_given(given: BaseModel) -> BaseModel:
    return given


def echo_of(name: str, output: dict[str, object]) -> str:
    """Return what is found to be an echo in an output of the prompt for its usual request."""
    prompt = type(REQUESTS[name]).prompt
    assert prompt is not None
    return prompt.echo(prompt.output.model_validate(output), REQUESTS[name].to_prompt)


def test_the_output_of_every_shipped_example_is_an_echo_unless_its_input_is_judged() -> None:
    for prompts in SHIPPED:
        for prompt in prompts.values():
            given = REQUESTS.get(prompt.name, REQUESTS["claims"])
            for example in prompt.examples:
                assert prompt.echo(example.output, given.to_prompt), prompt.name
                assert not prompt.echo(example.output, partial(as_given, example.input))


@pytest.mark.parametrize(
    "claims",
    [
        ["Ada is tall.", "Ada Holm built the Karlin bridge!"],  # one of two
        ["The Karlin bridge was built in 1911."],  # a word less
    ],
)
def test_one_text_of_an_example_is_an_echo_if_its_words_are_not_the_inputs(claims) -> None:
    assert echo_of("claims", {"claims": claims}) == claims[-1]


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("grade", {"reason": "", "level": 1}),
        ("grade", {"reason": "One of the two rooms is missing.", "level": 1}),
        ("answer_verdict", {"reason": "It names Ben.", "faults": [], "verdict": "wrong"}),
        (
            "relevance",
            {"verdicts": [{"context": n, "reason": "nothing", "useful": False} for n in (1, 2, 3)]},
        ),
        (
            "support",
            {"verdicts": [{"claim": 1, "evidence": [2, "no year"], "verdict": "partly"}]},
        ),
        ("claims", {"claims": []}),
    ],
)
def test_a_reply_in_the_manner_of_an_example_is_none(name, output) -> None:
    assert echo_of(name, output) == ""


def test_the_same_words_are_no_echo_where_the_input_has_them() -> None:
    request = ClaimsOf(
        text="The Karlin bridge? Ada Holm built it in about 1911, and so it stands.",
        question="Who built the bridge?",
    )
    output = CLAIMS.output(claims=("Ada Holm built the Karlin bridge.",))
    assert CLAIMS.echo(output, request.to_prompt) == ""


@pytest.mark.parametrize("name", ["claims", "support", "answer_verdict", "grade"])
async def test_a_model_that_echoes_is_told_so_and_judges_then(name) -> None:
    request = REQUESTS[name]
    with serving(responders=f"{RESPONDERS}:ECHOING_AT_FIRST", record=True) as server:
        reply = await oracle_at(server).ask(request)
        told = server.requests()[-1]["messages"][-1]["content"]
    assert reply == reply_to(request, output_of(request))
    assert "repeats an example of the instructions" in json.dumps(told)


async def test_a_model_that_does_nothing_but_echo_fails() -> None:
    ended = {}
    with serving(responders=f"{RESPONDERS}:ECHOING") as server:
        for name, request in REQUESTS.items():
            try:
                await oracle_at(server).ask(request)
                ended[name] = "a reply"
            except ReplyError as error:
                ended[name] = str(error)
        assert server.stats().calls == 3 * len(REQUESTS)
    assert all("repeats an example of the instructions" in end for end in ended.values()), ended
