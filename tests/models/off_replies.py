"""Replies that are off their form, sixty and more, with what must become of each."""

import json
from typing import Any

from llamaindex_rag_eval.judge import (
    ClaimsOf,
    CritiqueOf,
    EntitiesOf,
    GradeOf,
    Level,
    RelevanceOf,
    SupportOf,
)
from llamaindex_rag_eval.models import Request
from llamaindex_rag_eval.models.prompt import as_input
from tests.models.responders import OFF_REPLIES

REQUESTS: dict[str, Request[Any]] = {
    "one": SupportOf(claims=("Ada is tall.",), sources=("Ada is tall.", "Rain.", "Tall Ada.")),
    "two": SupportOf(claims=("Ada is tall.", "Ben is old."), sources=("Ada is tall.", "Rain.")),
    "relevance": RelevanceOf(question="Where?", contexts=("In Oslo.", "Rain."), answer="Oslo"),
    "claims": ClaimsOf(text="Ada is tall. Ben is old."),
    "critique": CritiqueOf(aspect="brief", definition="Is it brief?", response="Yes."),
    "grade": GradeOf(
        criterion="good",
        definition="How good?",
        levels=(Level(value=1, description="bad"), Level(value=3, description="good")),
        response="Fine.",
    ),
    "entities": EntitiesOf(reference="Ada met Ben.", contexts=("Ada sang.", "It rains.")),
}

AGAIN = None
"""What a reply comes to that leaves its meaning open: the model is asked again."""


def verdict(claim: object = 1, **changes: object) -> dict[str, object]:
    """Return a good verdict on a claim with these changes; a field that is `...` is left out."""
    good: dict[str, object] = {"claim": claim, "evidence": [1], "verdict": "supported"}
    return {key: value for key, value in {**good, **changes}.items() if value is not ...}


def one(**changes: object) -> str:
    return json.dumps({"verdicts": [verdict(**changes)]})


def renamed(**names: str) -> str:
    return json.dumps({"verdicts": [{names.get(k, k): v for k, v in verdict().items()}]})


def read(**changes: object) -> dict[str, object]:
    """Return what the good verdict comes to, with these changes."""
    good = {"verdict": "supported", "sources": (0,), "quote": "Ada is tall."}
    return {"verdicts": [{"claim": "Ada is tall.", **good, **changes}]}


TOGETHER = read(sources=(0, 2), jointly=True)
NOT_MENTIONED = read(verdict="not_mentioned", sources=(), quote="")
AGAINST = read(verdict="contradicted", sources=(), contradicted_by=(1,), quote="Rain.")
WHY = {**AGAINST["verdicts"][0], "reason": "it rains"}  # type: ignore[index]  # a list, as `read` writes it
BARE: dict[str, object] = {"verdict": "not_mentioned", "evidence": ["no word of Ben"]}
BOTH = [verdict(), verdict(2, **BARE)]
BOTH_READ: dict[str, object] = {
    "verdicts": [
        *read()["verdicts"],  # type: ignore[misc]  # likewise
        {"claim": "Ben is old.", "verdict": "not_mentioned", "reason": "no word of Ben"},
    ]
}
GOOD = one()
ECHO = as_input(SupportOf.prompt.examples[0].output)

ADA: dict[str, object] = {"claims": ["Ada is tall."]}
NO_CLAIMS: dict[str, object] = {"claims": []}
GOOD_LEVEL: dict[str, object] = {"level": 3}

Case = tuple[str, str, dict[str, object] | None]

WORDS: dict[str, Case] = {
    "capital": ("one", one(verdict="Supported"), read()),
    "all capitals": ("one", one(verdict="NOT MENTIONED", evidence=[]), NOT_MENTIONED),
    "hyphen": ("one", one(verdict="not-mentioned", evidence=[]), NOT_MENTIONED),
    "spaces and a full stop": ("one", one(verdict=" not mentioned. ", evidence=[]), NOT_MENTIONED),
    "bold": ("one", one(verdict="**supported**"), read()),
    "camel case": ("one", one(verdict="notMentioned", evidence=[]), NOT_MENTIONED),
    "partly in capitals": ("one", one(verdict="PARTLY"), read(verdict="partly", sources=())),
    "together": ("one", one(verdict="Together", evidence=[1, 3]), TOGETHER),
    "together from one source": ("one", one(verdict="together"), read()),
    "a word of its own": ("one", one(verdict="partially supported"), AGAIN),
    "a word denied": ("one", one(verdict="not supported"), AGAIN),
    "two words": ("one", one(verdict="supported/contradicted"), AGAIN),
    "a flag for a word": ("one", one(verdict=True), AGAIN),
    "no verdict": ("one", one(verdict=...), AGAIN),
    "null for a verdict": ("one", one(verdict=None), AGAIN),
    "an empty verdict": ("one", one(verdict=""), AGAIN),
}

FIELDS: dict[str, Case] = {
    "no evidence": ("one", one(verdict="not_mentioned", evidence=...), NOT_MENTIONED),
    "null for evidence": ("one", one(verdict="not_mentioned", evidence=None), NOT_MENTIONED),
    "contradicted by nothing": (
        "one",
        one(verdict="contradicted", evidence=[]),
        read(verdict="contradicted", sources=(), quote=""),
    ),
    "supported by nothing": ("one", one(evidence=...), AGAIN),
    "supported by null": ("one", one(evidence=None), AGAIN),
    "supported by a reason": ("one", one(evidence=["it is so"]), AGAIN),
    "supported by what contradicts": ("one", one(evidence=[-1]), AGAIN),
    "a reason of its own": (
        "one",
        one(verdict="contradicted", evidence=[-2], reason="it rains"),
        {"verdicts": [WHY]},
    ),
    "a reason alone": (
        "one",
        one(verdict="not_mentioned", evidence=..., reason="it rains"),
        read(verdict="not_mentioned", sources=(), quote="", reason="it rains"),
    ),
    "an empty reason": ("one", one(reason=""), read()),
    "null for a reason": ("one", one(reason=None), read()),
    "further fields": ("one", one(quote="Tall Ada.", together=True), read()),
    "sources in place of sentences": ("one", renamed(evidence="supported_by"), AGAIN),
    "no claim": ("one", one(claim=...), read()),
    "keys in capitals": ("one", renamed(verdict="Verdict", evidence="EVIDENCE"), read()),
    "keys with a space": ("one", renamed(verdict="ver dict"), read()),
    "two keys for one field": (
        "one",
        one(verdict=..., Verdict="supported", VERDICT="contradicted"),
        AGAIN,
    ),
    "one key twice": (
        "one",
        GOOD.replace('"verdict": "supported"', '"verdict": "contradicted", "verdict": "supported"'),
        AGAIN,
    ),
}

NUMBERS: dict[str, Case] = {
    "a number for a list": ("one", one(evidence=2), read(sources=(1,), quote="Rain.")),
    "numbers as strings": ("one", one(claim="1", evidence=["1", "3"]), read(sources=(0, 2))),
    "sentences by name": ("one", one(evidence=["Sentence 1", "sentence #3"]), read(sources=(0, 2))),
    "sentences by sign": ("one", one(evidence="#1, #3"), read(sources=(0, 2))),
    "numbers in a string": ("one", one(evidence="1, 2 and 3"), read(sources=(0, 1, 2))),
    "a list in a string": ("one", one(evidence="[1, 3]"), read(sources=(0, 2))),
    "a number in brackets": ("one", one(evidence=["[1]"]), read()),
    "a sentence named twice": ("one", one(evidence=[1, "1", 1]), read()),
    "a contradiction in a string": (
        "one",
        one(verdict="contradicted", evidence=["-2", "it rains"]),
        {"verdicts": [WHY]},
    ),
    "contradicted without a minus": (
        "one",
        one(verdict="contradicted", evidence=[2, "it rains"]),
        {"verdicts": [WHY]},
    ),
    "supported and contradicted": (
        "one",
        one(evidence=["1", "-2"]),
        read(contradicted_by=(1,)),
    ),
    "the claim by name": ("one", one(claim="Claim 1"), read()),
    "a source by name": ("one", one(evidence=["Source 1"]), AGAIN),
    "a range": ("one", one(evidence="1-3"), AGAIN),
    "a sentence that is not there": ("one", one(evidence="Sentence 7"), AGAIN),
    "the sentence nought": ("one", one(evidence=[0, 1]), AGAIN),
    "half a sentence": ("one", one(evidence=[1.5]), AGAIN),
    "a flag for a sentence": ("one", one(evidence=[True]), AGAIN),
    "a list in a list of numbers": ("one", one(evidence=[[1], [3]]), AGAIN),
    "prose for numbers": ("one", one(evidence="all but 2"), AGAIN),
    "the sentence itself": ("one", one(evidence=["Ada is tall."]), AGAIN),
    "the claim in words for its number": ("one", one(claim="Ada is tall."), AGAIN),
    "a level in words": ("grade", '{"level": "Level 3"}', GOOD_LEVEL),
    "a level between": ("grade", '{"reason": "r", "level": 2.5}', AGAIN),
    "a choice of levels": ("grade", '{"reason": "r", "level": "1 or 3"}', AGAIN),
    "a negative level": ("grade", '{"reason": "r", "level": "-3"}', AGAIN),
    "yes with a full stop": ("critique", '{"verdict": "Yes."}', {"verdict": True}),
    "it depends": ("critique", '{"reason": "r", "verdict": "yes and no"}', AGAIN),
}

FORMS: dict[str, Case] = {
    "a list of verdicts": ("two", json.dumps(BOTH), BOTH_READ),
    "a verdict alone": ("one", json.dumps(verdict()), read()),
    "an object for a list": ("one", json.dumps({"verdicts": verdict()}), read()),
    "a verdict a line": ("two", "\n".join(map(json.dumps, BOTH)), BOTH_READ),
    "a list of claims": ("claims", 'Claims:\n["Ada is tall."]', ADA),
    "an empty list": ("claims", "```json\n[]\n```", NO_CLAIMS),
    "a list in a list": ("claims", '[1, ["Ada is tall."]]', AGAIN),
    "an empty list in a list": ("claims", "[[]]", AGAIN),
    "a list in a remark": ("claims", '[as you said: ["Ada is tall."]]', AGAIN),
    "an object around": (
        "critique",
        OFF_REPLIES["critique"],
        {"reason": "r", "verdict": False},
    ),
    "an object around a list": ("two", json.dumps({"Results": BOTH}), BOTH_READ),
    "texts by an unknown name": ("claims", '{"questions": ["Is Ada tall?"]}', AGAIN),
    "a text for a list": ("claims", '{"claims": "Ada is tall. Ben is old."}', AGAIN),
    "null among texts": ("claims", '{"claims": ["Ada is tall.", null]}', AGAIN),
    "a number in words for a list of numbers": (
        "entities",
        OFF_REPLIES["entities"],
        {"entities": [{"name": "Ada", "contexts": (0,)}, {"name": "Ben"}]},
    ),
    "an entity without its contexts": ("entities", '[{"entity": "Ada"}]', AGAIN),
    "a context too many": ("entities", '[{"entity": "Ada", "named_in": [3]}]', AGAIN),
    "flags in words, without reasons": (
        "relevance",
        '{"verdicts": [{"context": 1, "useful": "Yes"}, {"context": 2, "useful": "FALSE"}]}',
        {"verdicts": [{"useful": True}, {"useful": False}]},
    ),
    "two verdicts on one context": (
        "relevance",
        '[{"context": 1, "useful": true}, {"context": 1, "useful": false}]',
        AGAIN,
    ),
    "a verdict too few": ("two", one(verdict="Supported"), AGAIN),
}

TEXTS: dict[str, Case] = {
    "an example first": ("one", f"Reply: {ECHO}\n\nReply: {GOOD}", read()),
    "the input first": ("one", f"{as_input(REQUESTS['one'].to_prompt())}\n{GOOD}", read()),
    "a draft and a final one": (
        "one",
        f"{one(verdict='contradicted')}\nOn reflection, my final answer:\n{GOOD}",
        read(),
    ),
    "a draft by name": ("one", f"Draft: {one(evidence=[2])}\nReply: {GOOD}", read()),
    "a draft and a fence": ("one", f"{one(evidence=[2])}\n```json\n{GOOD}\n```", read()),
    "a fence and another": ("one", f"```\n{GOOD}\n```\n{one(evidence=[2])}", AGAIN),
    "one or the other": ("one", f"{GOOD}\nor\n{one(verdict='contradicted')}", AGAIN),
    "not the final one": ("one", f"{GOOD}\nThis is not final:\n{one(evidence=[2])}", AGAIN),
    "an example and what does not fit": ("one", f"{ECHO}\n{one(verdict='maybe')}", AGAIN),
    "raw newlines": (
        "critique",
        '{"reason": "a\nb", "verdict": true}',
        {"reason": "a\nb", "verdict": True},
    ),
    "trailing commas": ("grade", '{"reason": "r", "level": "3",}', {"reason": "r", "level": 3}),
    "a fence and prose around": (
        "grade",
        'Sure [1]!\n```json\n{"Level": 3}\n```\nAnything else {you need}?',
        {"level": 3},
    ),
    "cut off": ("two", json.dumps(BOTH)[:-20], AGAIN),
    "single quotes": ("critique", "{'reason': 'r', 'verdict': True}", AGAIN),
    "prose": ("critique", "Yes, it is brief.", AGAIN),
}

CASES: dict[str, Case] = {**WORDS, **FIELDS, **NUMBERS, **FORMS, **TEXTS}
