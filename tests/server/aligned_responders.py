"""A model that judges too strictly, and learns from labelled cases or from house rules, or not.

It calls an answer right if it is the reference word for word, and wrong otherwise. `TEACHABLE`
takes on what people say of the nearest labelled case; `RULED` follows a rule; `STUBBORN` neither.
"""

from collections.abc import Mapping

from tests.server.judge_responders import RESPONDERS
from tests.server.responder import JsonObject, Responder

RULE = "An answer that begins with the reference is right."


def _strict(given: JsonObject) -> bool:
    return str(given["response"]) in given["references"]


def _verdict(right: bool) -> JsonObject:
    return {"reason": "by its words", "faults": [], "verdict": "right" if right else "wrong"}


def stubborn(given: JsonObject, _: JsonObject) -> JsonObject:
    return _verdict(_strict(given))


def teachable(given: JsonObject, _: JsonObject) -> JsonObject:
    begins = str(given["response"]).startswith(str(given["references"][0]))
    taught = any(case["people"] == "right" for case in given.get("labelled", ()))
    return _verdict(_strict(given) or (begins and taught))


def ruled(given: JsonObject, body: JsonObject) -> JsonObject:
    begins = str(given["response"]).startswith(str(given["references"][0]))
    return _verdict(_strict(given) or (begins and RULE in str(body["messages"][0])))


def house_rules(given: JsonObject, _: JsonObject) -> JsonObject:
    return {"rules": [RULE] if any(label["why"] for label in given["labels"]) else []}


STUBBORN: Mapping[str, Responder] = {
    **RESPONDERS,
    "answer_verdict": stubborn,
    "house_rules": house_rules,
}
TEACHABLE: Mapping[str, Responder] = {**STUBBORN, "answer_verdict": teachable}
RULED: Mapping[str, Responder] = {**STUBBORN, "answer_verdict": ruled}
