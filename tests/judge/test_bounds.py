"""Bounds of a reply: every good one keeps them, and one that does not fit breaks them."""

import json
from typing import Any

import jsonschema
import pytest

from llamaindex_rag_eval.judge import ClaimsOf, EntitiesOf, RelevanceOf, SupportOf
from llamaindex_rag_eval.models import Request
from llamaindex_rag_eval.models.prompt import as_input, strict_schema
from tests.models.asking import REQUESTS
from tests.models.responders import BY_NAME


def schema_for(request: Request[Any]) -> dict[str, Any]:
    """Return the schema by which a server samples the reply to a request."""
    assert request.prompt is not None
    return strict_schema(request.prompt.output, request.bounds)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_good_reply_keeps_the_bounds(name: str) -> None:
    request = REQUESTS[name]
    user = {"role": "user", "content": as_input(request.to_prompt())}
    reply = BY_NAME[name]({}, {"messages": [user]})
    jsonschema.validate(json.loads(json.dumps(reply)), schema_for(request))


def verdict(claim: int, *evidence: int | str) -> dict[str, Any]:
    return {"claim": claim, "evidence": evidence, "verdict": "supported"}


OFF: list[tuple[str, str, dict[str, Any]]] = [
    ("a verdict too few", "support", {"verdicts": [verdict(1, 1), verdict(2, 1)]}),
    ("a verdict twice", "support", {"verdicts": [verdict(n, 1) for n in (1, 2, 2)]}),
    ("a sentence that is not there", "support", {"verdicts": [verdict(n, 4) for n in (1, 2, 3)]}),
    ("sentences without end", "support", {"verdicts": [verdict(n, *[1] * 9) for n in (1, 2, 3)]}),
    ("no evidence", "support", {"verdicts": [verdict(n) for n in (1, 2, 3)]}),
    ("no verdict", "relevance", {"verdicts": []}),
    ("a context that is not there", "entities", {"entities": [{"entity": "Ada", "named_in": [3]}]}),
    ("a sentence that is not there", "relevant_sentences", {"reason": "none", "needed": [4]}),
    ("a level off the scale", "grade", {"reason": "fine", "level": 2}),
    ("a reason without end", "critique", {"reason": "so " * 100, "verdict": True}),
    ("too many questions", "questions", {"noncommittal": False, "questions": ["Who?"] * 3}),
    ("claims without end", "claims", {"claims": ["Ada is tall."] * 40}),
    ("steps without end", "steps", {"steps": ["Read it."] * 40}),
]


@pytest.mark.parametrize(("name", "reply"), [off[1:] for off in OFF], ids=[off[0] for off in OFF])
def test_a_reply_that_does_not_fit_breaks_the_bounds(name: str, reply: dict[str, Any]) -> None:
    prompt = REQUESTS[name].prompt
    assert prompt is not None
    plain = json.loads(json.dumps(reply))
    jsonschema.validate(plain, dict(prompt.schema_of_output))  # the plain schema lets it pass
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, schema_for(REQUESTS[name]))


LARGE: list[Request[Any]] = [
    SupportOf(claims=("Ada is tall.",) * 30, sources=("It is so. " * 2000,)),
    RelevanceOf(question="Who?", contexts=("It is so.",) * 1500, answer="Ada."),
    EntitiesOf(reference="Ada met Ben. " * 900, contexts=()),
    ClaimsOf(text="Ada is tall. " * 900),
]


@pytest.mark.parametrize("request_", LARGE, ids=[type(each).__name__ for each in LARGE])
def test_a_large_request_has_a_schema_that_a_server_can_take(request_: Request[Any]) -> None:
    def visit(node: object) -> None:
        if isinstance(node, dict):
            assert node.get("enum") != []
            # llama.cpp counts up to 2000, and fails beyond.
            assert all(node.get(key, 1) <= 2000 for key in ("minItems", "maxItems", "maxLength"))
            assert len(node.get("prefixItems", ())) <= 20
        for entry in (
            node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        ):
            visit(entry)

    visit(schema_for(request_))
