"""Off replies in the habits of many models, a hundred and more: read, or refused.

Each has the request it answers, its text, and what it must come to: a short form of the reply, or
`REFUSED`. The habits are those of reasoning models that think aloud, of models trained on tool
calls, and of small models that copy an example, fill in a template, or contradict themselves.
"""

import json
from collections.abc import Mapping
from typing import Any

from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Entities,
    EntitiesOf,
    Questions,
    QuestionsOf,
    RelevanceOf,
    RelevanceReply,
    SupportOf,
    SupportReply,
)
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict, AnswerVerdictOf
from llamaindex_rag_eval.models import Reply, Request
from llamaindex_rag_eval.models.prompt import as_input

REQUESTS: Mapping[str, Request[Any]] = {
    "claims": ClaimsOf(
        text="It opened in 1987. Tickets cost 4 euros.", question="When did the museum open?"
    ),
    "none": ClaimsOf(text="There are no claims in the deed, says the clerk."),
    "support": SupportOf(
        claims=("Mira carries 40 cars.", "Mira was built in Kiel."),
        sources=("Mira carries 40 cars. It runs on diesel.", "It was built in Bremen."),
        question="How many cars does the ferry Mira carry?",
    ),
    "support1": SupportOf(claims=("Mira carries 40 cars.",), sources=("Mira carries 40 cars.",)),
    "verdict": AnswerVerdictOf(
        query="How wide is the lock?",
        references=("The lock is 5 m wide and 80 m long.",),
        response="It is 500 cm wide.",
    ),
    "flag": AnswerVerdictOf(
        query="Which two colours does the flag have?",
        references=("Blue and white.",),
        response="Blue and green.",
    ),
    "relevance": RelevanceOf(
        question="What does the ticket cost?",
        contexts=("The museum opened in 1987.", "A ticket is 4 euros."),
        answer="4 euros",
    ),
    "relevance3": RelevanceOf(
        question="What does the ticket cost?",
        contexts=("The museum opened in 1987.", "A ticket is 4 euros.", "Dogs stay out."),
        answer="4 euros",
    ),
    "questions": QuestionsOf(text="The battery of the Tarn radio lasts twenty hours.", n=2),
    "entities": EntitiesOf(
        reference="Marie Curie won the Nobel Prize in 1911.",
        contexts=("Curie got the Nobel Prize.", "It rains in Oslo."),
    ),
}

REFUSED = None

Case = tuple[str, str, object]


def short(reply: Reply) -> object:
    """Return what a reply says, without its reasons."""
    match reply:
        case Claims():
            return list(reply.claims)
        case SupportReply():
            return [(v.verdict, list(v.sources), list(v.contradicted_by)) for v in reply.verdicts]
        case AnswerVerdict():
            return (reply.verdict, list(reply.missing), list(reply.wrong))
        case RelevanceReply():
            return [verdict.useful for verdict in reply.verdicts]
        case Questions():
            return [reply.noncommittal, *reply.questions]
        case Entities():
            return [(entity.name, list(entity.contexts)) for entity in reply.entities]
        case _:
            raise TypeError(reply)


def example(name: str, number: int = 0) -> Any:
    """Return the output of an example that a prompt shows, as plain data."""
    prompt = REQUESTS[name].prompt
    assert prompt is not None
    return json.loads(as_input(prompt.examples[number].output))


dumps = json.dumps

OPENED, COST = "The museum opened in 1987.", "Tickets cost 4 euros."
CLAIMS = {"claims": [OPENED, COST]}
BOTH = [OPENED, COST]

YES: dict[str, Any] = {"claim": 1, "evidence": [1], "verdict": "supported"}
NO: dict[str, Any] = {"claim": 2, "evidence": [-3, "in Bremen"], "verdict": "contradicted"}
ABSENT: dict[str, Any] = {"evidence": ["no word of it"], "verdict": "not_mentioned"}
SUPPORT = {"verdicts": [YES, NO]}
SUPPORTED = [("supported", [0], []), ("contradicted", [], [1])]
UNMENTIONED: list[object] = [("not_mentioned", [], [])] * 2

RIGHT: dict[str, Any] = {"reason": "The same width.", "faults": [], "verdict": "right"}
GREEN = {"kind": "wrong", "words": "green"}
WHITE = {"kind": "missing", "words": "white"}
PARTLY: dict[str, Any] = {
    "reason": "Blue is there.",
    "faults": [WHITE, GREEN],
    "verdict": "partly_right",
}
HALF = ("partly_right", ["white"], ["green"])

OLD: dict[str, Any] = {"context": 1, "reason": "nothing", "useful": False}
PRICE: dict[str, Any] = {"context": 2, "reason": "the price", "useful": True}
DOGS: dict[str, Any] = {"context": 3, "reason": "nothing", "useful": False}
RELEVANCE = {"verdicts": [OLD, PRICE]}

ASKED = ["How long does the Tarn radio play?", "What is the battery life of a Tarn radio?"]
QUESTIONS: dict[str, Any] = {"noncommittal": False, "questions": ASKED}

CURIE: dict[str, Any] = {"entity": "Marie Curie", "named_in": [1]}
PRIZE: dict[str, Any] = {"entity": "Nobel Prize", "named_in": [1]}
YEAR: dict[str, Any] = {"entity": "1911", "named_in": []}
ENTITIES = {"entities": [CURIE, PRIZE, YEAR]}
NAMED = [("Marie Curie", [0]), ("Nobel Prize", [0]), ("1911", [])]


def without(entry: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in names}


def listing(name: str, *entries: object) -> str:
    return dumps({name: entries})


def verdicts(*entries: object) -> str:
    return listing("verdicts", *entries)


def lines(*entries: object, between: str = "\n") -> str:
    return between.join(map(dumps, entries))


def judged(**changes: object) -> str:
    return dumps({**RIGHT, **changes})


def flag(*faults: object, verdict: str = "partly_right", reason: str = "Blue is there.") -> str:
    return dumps({"reason": reason, "faults": faults, "verdict": verdict})


ECHOES: dict[str, Case] = {
    "the first example of claims": ("claims", dumps(example("claims")), REFUSED),
    "the second example of claims": ("claims", dumps(example("claims", 1)), REFUSED),
    "an example's claim after one's own": (
        "claims",
        listing("claims", OPENED, "Jon Berg built the Karlin bridge."),
        REFUSED,
    ),
    "an example's claim, a word changed": (
        "claims",
        listing("claims", "The Karlin bridge was built in about 1987."),
        REFUSED,
    ),
    "the example of support, cut": (
        "support",
        verdicts(*example("support")["verdicts"][2:4]),
        REFUSED,
    ),
    "a reason of the example of support": (
        "support",
        verdicts(YES, {**NO, "evidence": [-3, "14, not 40"]}),
        REFUSED,
    ),
    **{
        f"example {n} of answer_verdict": ("verdict", dumps(example("verdict", n)), REFUSED)
        for n in range(5)
    },
    "an example's reason without its fault": (
        "verdict",
        judged(reason="The question asks for cars: 40 is not 14.", verdict="wrong"),
        REFUSED,
    ),
    "an example's reason in other letters": (
        "flag",
        flag(GREEN, reason="the company is right; the year, not asked for, is 2019"),
        REFUSED,
    ),
    "the example of relevance": ("relevance", dumps(example("relevance")), REFUSED),
    "the example of relevance, and one's own": (
        "relevance3",
        verdicts(*example("relevance")["verdicts"], {**DOGS, "reason": "a rule on dogs"}),
        REFUSED,
    ),
    "the example of relevance, a word changed": (
        "relevance",
        verdicts(OLD, {**PRICE, "reason": "a height to start from"}),
        REFUSED,
    ),
    "the example of questions": ("questions", dumps(example("questions")), REFUSED),
    "a question of the example": (
        "questions",
        dumps({**QUESTIONS, "questions": [ASKED[0], example("questions")["questions"][1]]}),
        REFUSED,
    ),
    "the example of entities": ("entities", dumps(example("entities")), REFUSED),
    "an entity of the example": (
        "entities",
        listing("entities", CURIE, {"entity": "Nordlys observatory", "named_in": []}),
        REFUSED,
    ),
    "an example, then the reply": (
        "claims",
        f"{dumps(example('claims'))}\n{dumps(CLAIMS)}",
        BOTH,
    ),
    "the input, then the reply": (
        "claims",
        f"{as_input(REQUESTS['claims'].to_prompt())}\n{dumps(CLAIMS)}",
        BOTH,
    ),
}

INVENTED: dict[str, Case] = {
    "a fault that stands in no text": (
        "verdict",
        judged(verdict="wrong", faults=[{"kind": "wrong", "words": "the depth in feet"}]),
        REFUSED,
    ),
    "a wrong number that is the reference's": (
        "verdict",
        judged(verdict="wrong", faults=[{"kind": "wrong", "words": "5 m"}]),
        REFUSED,
    ),
    "a wrong word that is the reference's": (
        "flag",
        flag({"kind": "wrong", "words": "white"}),
        REFUSED,
    ),
    "a missing word that is the response's": (
        "flag",
        flag({"kind": "missing", "words": "green"}),
        REFUSED,
    ),
    "faults that stand where they should": ("flag", dumps(PARTLY), HALF),
    "a fault with a word of the question": (
        "flag",
        flag({"kind": "missing", "words": "colours: white"}),
        ("partly_right", ["colours: white"], []),
    ),
    "a quote in a reason that stands nowhere": (
        "verdict",
        judged(reason='The reference says "three fathoms deep".', verdict="wrong"),
        REFUSED,
    ),
    "a typographic quote that stands nowhere": (
        "support",
        verdicts(YES, {**NO, "evidence": [-3, "“made in Lisbon yards”"]}),
        REFUSED,
    ),
    "a quote in a reason that is shown": (
        "verdict",
        judged(reason='The reference says "5 m wide".'),
        ("right", [], []),
    ),
    "a quoted word": ("verdict", judged(reason='It "fits".'), ("right", [], [])),
    "an entity that the reference lacks": (
        "entities",
        listing("entities", CURIE, {"entity": "Oslo", "named_in": [2]}),
        REFUSED,
    ),
    "a year that the reference lacks": (
        "entities",
        listing("entities", CURIE, {"entity": "1903", "named_in": []}),
        REFUSED,
    ),
    "an entity with one more name": (
        "entities",
        listing("entities", {"entity": "Marie Sklodowska Curie", "named_in": [1]}),
        [("Marie Sklodowska Curie", [0])],
    ),
    "an inflected entity": (
        "entities",
        listing("entities", {"entity": "Curies", "named_in": [1]}),
        [("Curies", [0])],
    ),
    "an apology for a claim": (
        "claims",
        listing("claims", "I'm sorry, but I can't help you with that."),
        REFUSED,
    ),
    "a sentence that stands nowhere": ("support", verdicts({**YES, "evidence": [9]}, NO), REFUSED),
}

CONTRADICTIONS: dict[str, Case] = {
    "right beside a fault": (
        "verdict",
        judged(faults=[{"kind": "wrong", "words": "500 cm"}]),
        REFUSED,
    ),
    "right beside something missing": (
        "verdict",
        judged(faults=[{"kind": "missing", "words": "80 m long"}]),
        REFUSED,
    ),
    "right, and the reason says wrong": ("verdict", judged(reason="Wrong."), REFUSED),
    "wrong, and the reason says right": (
        "verdict",
        judged(reason="right", verdict="wrong"),
        REFUSED,
    ),
    "right, and the reason says so": ("verdict", judged(reason="Right."), ("right", [], [])),
    "one verdict in two spellings": (
        "verdict",
        '{"reason": "r", "faults": [], "verdict": "right", "Verdict": "wrong"}',
        REFUSED,
    ),
    "supported, and the reason is another verdict": (
        "support",
        verdicts({**YES, "evidence": [1, "not mentioned"]}, NO),
        REFUSED,
    ),
    "supported by what contradicts": ("support", verdicts({**YES, "evidence": [-1]}, NO), REFUSED),
    "one sentence for and against": (
        "support",
        verdicts({**YES, "evidence": [1, -1]}, NO),
        REFUSED,
    ),
    "not mentioned, with a contradiction": (
        "support",
        verdicts(YES, {**NO, "verdict": "not_mentioned"}),
        REFUSED,
    ),
    "not mentioned, with the nearest sentence": (
        "support",
        verdicts(YES, {**NO, "evidence": [3, "no Kiel"], "verdict": "not_mentioned"}),
        [("supported", [0], []), ("not_mentioned", [], [])],
    ),
    "useful for nothing": ("relevance", verdicts({**OLD, "useful": True}, PRICE), REFUSED),
    "useful, and the reason says not": (
        "relevance",
        verdicts({**OLD, "useful": True, "reason": "Not useful."}, PRICE),
        REFUSED,
    ),
    "not useful, and the reason says useful": (
        "relevance",
        verdicts(OLD, {**PRICE, "useful": False, "reason": "useful"}),
        REFUSED,
    ),
    "one claim twice": ("support", verdicts(YES, {**NO, "claim": 1}), REFUSED),
    "two whole replies": ("flag", lines(PARTLY, {**PARTLY, "verdict": "wrong"}), REFUSED),
    "two lists of claims": (
        "claims",
        lines({"claims": [OPENED]}, {"claims": [COST]}),
        REFUSED,
    ),
    "a draft in thoughts": (
        "flag",
        f"<think>{flag(verdict='wrong')}</think>{dumps(PARTLY)}",
        HALF,
    ),
}

PLACEHOLDERS: dict[str, Case] = {
    **{
        f"claims: {text}": ("claims", listing("claims", text), REFUSED)
        for text in (
            "No claims.",
            "None",
            "N/A",
            "There are no factual claims in the text.",
            "The text makes no claims.",
            "...",
            "<claim>",
            "Claim 1",
            "string",
            "[Insert claim here]",
        )
    },
    "a placeholder after a claim": ("claims", listing("claims", OPENED, "…"), REFUSED),
    "a text that says no claims": (
        "none",
        listing("claims", "There are no claims in the deed."),
        ["There are no claims in the deed."],
    ),
    "no claims at all": ("claims", listing("claims"), []),
    "a placeholder for a reason": ("verdict", judged(reason="<reason>"), REFUSED),
    "the schema's word for a reason": ("verdict", judged(reason="string"), REFUSED),
    "a placeholder for a fault": (
        "flag",
        flag({"kind": "wrong", "words": "<words>"}),
        REFUSED,
    ),
    "dots for a fault": ("flag", flag({"kind": "wrong", "words": "..."}), REFUSED),
    "dots for a reason": ("relevance", verdicts(OLD, {**PRICE, "reason": "..."}), REFUSED),
    "numbered questions": (
        "questions",
        dumps({**QUESTIONS, "questions": ["Question 1?", "Question 2?"]}),
        REFUSED,
    ),
    "dots for a question": (
        "questions",
        dumps({**QUESTIONS, "questions": [ASKED[0], "..."]}),
        REFUSED,
    ),
    "none for an entity": (
        "entities",
        '{"entities": [{"entity": "None", "named_in": []}]}',
        REFUSED,
    ),
    "no entities for an entity": (
        "entities",
        '{"entities": [{"entity": "No entities", "named_in": []}]}',
        REFUSED,
    ),
    "a numbered entity": (
        "entities",
        '{"entities": [{"entity": "Entity 1", "named_in": [1]}]}',
        REFUSED,
    ),
    "an empty reason": ("verdict", judged(reason=""), ("right", [], [])),
    "the schema": (
        "claims",
        '{"properties": {"claims": {"type": "array", "items": {"type": "string"}}}}',
        REFUSED,
    ),
}

MISSING: dict[str, Case] = {
    "no faults": ("verdict", dumps(without(RIGHT, "faults")), ("right", [], [])),
    "null for faults": ("verdict", judged(faults=None), ("right", [], [])),
    "none for faults": ("verdict", judged(faults="none"), ("right", [], [])),
    "wrong without faults": (
        "flag",
        '{"reason": "Other colours.", "verdict": "wrong"}',
        ("wrong", [], []),
    ),
    "faults by another name": (
        "verdict",
        '{"reason": "r", "errors": ["500 cm"], "verdict": "right"}',
        REFUSED,
    ),
    "contexts from 0": (
        "relevance",
        verdicts({**OLD, "context": 0}, {**PRICE, "context": 1}),
        [False, True],
    ),
    "contexts from 0, the other way round": (
        "relevance",
        verdicts({**PRICE, "context": 1}, {**OLD, "context": 0}),
        REFUSED,
    ),
    "contexts 0 and 2": ("relevance", verdicts({**OLD, "context": 0}, PRICE), REFUSED),
    "no numbers of contexts": (
        "relevance",
        verdicts(without(OLD, "context"), without(PRICE, "context")),
        [False, True],
    ),
    "null for numbers of contexts": (
        "relevance",
        verdicts({**OLD, "context": None}, {**PRICE, "context": None}),
        [False, True],
    ),
    "one number of a context missing": (
        "relevance",
        verdicts(without(OLD, "context"), PRICE),
        REFUSED,
    ),
    "no number, then 1": (
        "relevance",
        verdicts(without(OLD, "context"), {**PRICE, "context": 1}),
        REFUSED,
    ),
    "too few without numbers": (
        "relevance3",
        verdicts(without(OLD, "context"), without(PRICE, "context")),
        REFUSED,
    ),
    "numbers by the name of id": (
        "relevance",
        verdicts({**without(PRICE, "context"), "id": 2}, {**without(OLD, "context"), "id": 1}),
        [False, True],
    ),
    "numbers by an unknown name": (
        "relevance",
        verdicts({**without(PRICE, "context"), "n": 2}, {**without(OLD, "context"), "n": 1}),
        REFUSED,
    ),
    "no numbers of claims": (
        "support",
        verdicts(without(YES, "claim"), without(NO, "claim")),
        SUPPORTED,
    ),
    "claims from 0 without sentences": (
        "support",
        verdicts({**ABSENT, "claim": 0}, {**ABSENT, "claim": 1}),
        UNMENTIONED,
    ),
    "claims from 0, and sentences from 0 or 1": (
        "support",
        verdicts({**YES, "claim": 0}, {**NO, "claim": 1}),
        REFUSED,
    ),
    "sentences from 0": ("support1", verdicts({**YES, "evidence": [0]}), REFUSED),
    "entities in contexts from 0": (
        "entities",
        '{"entities": [{"entity": "Curie", "named_in": [0]}]}',
        REFUSED,
    ),
}


def called(arguments: object, name: str = "reply") -> dict[str, object]:
    return {"name": name, "arguments": arguments}


SHAPES: dict[str, Case] = {
    "Mistral thinks": ("claims", f"[THINK]Two claims? {{draft}}[/THINK]\n{dumps(CLAIMS)}", BOTH),
    "Mistral drafts": ("flag", f"[THINK]{flag(verdict='wrong')}[/THINK]{dumps(PARTLY)}", HALF),
    "thoughts by another name": (
        "flag",
        f"<reasoning>{flag(verdict='wrong')}</reasoning>{dumps(PARTLY)}",
        HALF,
    ),
    "thoughts that only end": (
        "flag",
        f"Hm. {flag(verdict='wrong')}\n</think>\n{dumps(PARTLY)}",
        HALF,
    ),
    "the end of thoughts in a claim": (
        "claims",
        listing("claims", OPENED, "Tickets </think> cost 4 euros."),
        [OPENED, "Tickets </think> cost 4 euros."],
    ),
    "thoughts without an end": (
        "flag",
        f"[THINK]{flag(verdict='wrong')} or {dumps(PARTLY)}",
        REFUSED,
    ),
    "channels": (
        "flag",
        f"<|channel|>analysis<|message|>{flag(verdict='wrong')}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{dumps(PARTLY)}",
        HALF,
    ),
    "a tool call": ("claims", dumps(called(CLAIMS, "claims")), BOTH),
    "a tool call with its arguments as a string": ("claims", dumps(called(dumps(CLAIMS))), BOTH),
    "a tool call with parameters": (
        "support",
        dumps({"type": "function", "name": "support", "parameters": SUPPORT}),
        SUPPORTED,
    ),
    "a tool call of OpenAI": (
        "relevance",
        dumps({"id": "call_1", "type": "function", "function": called(dumps(RELEVANCE))}),
        [False, True],
    ),
    "a list of one tool call": ("flag", dumps([called(PARTLY)]), HALF),
    "a list of tool calls by name": ("entities", dumps({"tool_calls": [called(ENTITIES)]}), NAMED),
    "a tool call of Anthropic": (
        "questions",
        dumps({"type": "tool_use", "id": "t", "name": "questions", "input": QUESTIONS}),
        [False, *ASKED],
    ),
    "a function call of Gemini": (
        "claims",
        dumps({"functionCall": {"name": "claims", "args": CLAIMS}}),
        BOTH,
    ),
    "a tool call in tags": ("claims", f"<tool_call>\n{dumps(called(CLAIMS))}\n</tool_call>", BOTH),
    "a tool call of Mistral": ("claims", f"[TOOL_CALLS][{dumps(called(CLAIMS))}]", BOTH),
    "a function in tags": ("claims", f"<function=claims>{dumps(CLAIMS)}</function>", BOTH),
    "the same tool call twice": ("flag", dumps([called(PARTLY), called(PARTLY)]), HALF),
    "two tool calls that differ": (
        "flag",
        dumps([called(PARTLY), called({**PARTLY, "verdict": "wrong"})]),
        REFUSED,
    ),
    "a tool call for each verdict": ("support", dumps([called(YES), called(NO)]), SUPPORTED),
    "a verdict a line": ("support", lines(YES, NO), SUPPORTED),
    "a verdict a line in a fence": (
        "relevance",
        f"```jsonl\n{lines(OLD, PRICE)}\n```",
        [False, True],
    ),
    "verdicts with commas between": ("support", lines(YES, NO, between=",\n"), SUPPORTED),
    "an entity a line": ("entities", lines(CURIE, PRIZE, YEAR), NAMED),
    "a verdict too few, a line each": ("relevance3", lines(OLD, PRICE), REFUSED),
    "a verdict a line, one of them twice": (
        "support",
        lines(YES, NO, {**NO, "verdict": "partly"}),
        REFUSED,
    ),
    "one entity, or rather another": (
        "entities",
        f"{dumps(CURIE)} or rather {dumps(PRIZE)}",
        REFUSED,
    ),
    "a map by number": (
        "support",
        dumps({"1": without(YES, "claim"), "2": without(NO, "claim")}),
        SUPPORTED,
    ),
    "a map by number below its name": (
        "relevance",
        dumps({"verdicts": {"2": without(PRICE, "context"), "1": without(OLD, "context")}}),
        [False, True],
    ),
    "a map by name and number": (
        "support",
        dumps({"claim_1": without(YES, "claim"), "Claim 2": NO}),
        SUPPORTED,
    ),
    "a map by number of another claim": ("support1", dumps({"2": without(YES, "claim")}), REFUSED),
    "a map whose numbers differ": ("support", dumps({"1": NO, "2": YES}), REFUSED),
    "texts by number": ("claims", dumps({"claims": {"1": OPENED, "2": COST}}), BOTH),
    "texts in objects": ("claims", listing("claims", {"claim": OPENED}, {"claim": COST}), BOTH),
    "texts with numbers": (
        "claims",
        listing("claims", {"id": 1, "text": OPENED}, {"id": 2, "text": COST}),
        BOTH,
    ),
    "texts with a verdict of their own": (
        "claims",
        listing("claims", {"text": OPENED, "is_claim": False}),
        REFUSED,
    ),
    "a list in a string": ("support", dumps({"verdicts": dumps([YES, NO])}), SUPPORTED),
    "the reply in a string": ("claims", dumps(dumps(CLAIMS)), BOTH),
    "comments": (
        "claims",
        f'{{\n  // what the text says\n  "claims": [\n    "{OPENED}", // in 1987\n'
        f'    "{COST}", /* the price */\n  ]\n}}',
        BOTH,
    ),
    "comments with a sign": (
        "verdict",
        '{"reason": "Equal.", # 5 m\n "faults": [], # none\n "verdict": "right"}',
        ("right", [], []),
    ),
    "an address in a text": (
        "claims",
        '{"claims": ["See https://a.b/c # d.", "Tickets cost 4 euros."],}',
        ["See https://a.b/c # d.", COST],
    ),
    "another verdict in a comment": (
        "verdict",
        '{"reason": "Equal.", "faults": [], "verdict": "right" // or "verdict": "wrong"\n}',
        REFUSED,
    ),
}

CASES: dict[str, Case] = {
    **ECHOES,
    **INVENTED,
    **CONTRADICTIONS,
    **PLACEHOLDERS,
    **MISSING,
    **SHAPES,
}
