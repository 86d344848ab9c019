"""Models that write test sets and have one fault each: what a check of the cascade is for.

All else they do as the faultless one of `tests.server.writer_responders`.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from zlib import crc32

from tests.server.checking_responders import beside
from tests.server.responder import JsonObject, Responder
from tests.server.writer_responders import FAULTLESS, TYPES, facts_in, stated

Change = Callable[[JsonObject, JsonObject], JsonObject]
"""From what was asked and the faultless reply to the spoilt one."""

NOWHERE = "The king of the moon paid forty ducats."


@cache
def _known() -> dict[str, str]:
    """Return what the documents of the tests say: a fact without its value -> its value."""
    from tests.testset.corpora import documents  # slow to import: for this one model alone
    from testset.corpus.passages import passages_of

    return {
        " ".join(words[:-2]).removeprefix("The "): " ".join(words[-2:])
        for document in documents(16)
        for passage in passages_of(document)
        for fact in facts_in(passage.text)
        for words in [str(fact["fact"]).rstrip(".").split()]
    }


def _input(body: JsonObject) -> JsonObject:
    users = [message for message in body["messages"] if message["role"] == "user"]
    content = users[0]["content"]
    return dict(json.loads(content if isinstance(content, str) else content[0]["text"]))


def _changed(name: str, change: Change, given: JsonObject, body: JsonObject) -> JsonObject | str:
    reply = FAULTLESS[name](given, body)
    assert isinstance(reply, dict)
    return change(_input(body), reply)


def _with(**changes: Change) -> Mapping[str, Responder]:
    """Return the faultless model with some replies changed; `write` changes those of all types."""
    write = changes.pop("write", None)
    if write is not None:
        changes |= {f"write_{kind}": write for kind in TYPES}
    spoilt = {name: partial(_changed, name, change) for name, change in changes.items()}
    return {**FAULTLESS, **spoilt}


def _dangling(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "question": "What does this table say of it all?"}


def _about_text(_: JsonObject, reply: JsonObject) -> JsonObject:
    question = str(reply["question"])
    return {**reply, "question": f"According to the text, {question[0].lower()}{question[1:]}"}


def _wrong_number(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "answer": "77777 pieces", "answer_facts": stated("There are 77777 pieces.")}


def _unfounded(_: JsonObject, reply: JsonObject) -> JsonObject:
    """Claim one thing too much, in words that are not the document's own."""
    answer = f"It is {reply['answer']}"
    return {**reply, "answer": answer, "answer_facts": [*reply["answer_facts"], *stated(NOWHERE)]}


def _same_words(given: JsonObject, reply: JsonObject) -> JsonObject:
    """Ask of every fact of a place for the place alone."""
    place = re.search(r"[A-Z][a-z]+-\d+", str(given["facts"][0]["fact"]))
    return {**reply, "question": f"What is recorded of {place.group() if place else 'it'}?"}


def _elsewhere(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "question": "How many lobsters does the harbour land each spring?"}


def _far_off(given: JsonObject, reply: JsonObject) -> JsonObject:
    """Ask of what no document is about, in words that no two questions share."""
    boat, bay, crew = (crc32(f"{n}{given['facts'][0]}".encode()) for n in range(3))
    question = f"How many lobsters does boat v{boat:x} land in w{bay:x} for x{crew:x}?"
    return {**reply, "question": question}


def _one_part(given: JsonObject, reply: JsonObject) -> JsonObject:
    """Claim two facts, and ask for one."""
    fact = str(given["facts"][0]["fact"])
    words = fact.rstrip(".").split()
    return {
        **reply,
        "question": f"What is recorded of {' '.join(words[:-2]).removeprefix('The ')}?",
        "answer": " ".join(words[-2:]),
        "answer_facts": stated(fact),
    }


def _by_heart(given: JsonObject, _: JsonObject) -> JsonObject:
    """Know what the documents of the tests say without being shown any."""
    known = next((told for about, told in _known().items() if about in given["question"]), "")
    return {"reason": "by heart", "answerable": bool(known), "answer": known}


def _silent(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "own": ""}


def _less_complete(given: JsonObject, reply: JsonObject) -> JsonObject:
    whole = "under the condition" in str(given["question"])
    return {**reply, "beside": [], "left_out": [] if whole else ["the condition"]}


def _verdicts(verdict: str) -> Change:
    def change(given: JsonObject, reply: JsonObject) -> JsonObject:
        rows = []
        for passage in beside(given):
            prose = str(passage["text"]).rpartition("\n")[2].strip() or str(passage["text"])
            quote = re.split(r"(?<=[.!?])\s+", prose)[0]
            rows.append({"passage": passage["id"], "quote": quote, "verdict": verdict})
        return {**reply, "findings": rows}

    return change


def _lacking(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "missing": ["which one"], "fit": False}


def _lacking_at_first(given: JsonObject, reply: JsonObject) -> JsonObject:
    lacks = "under the condition" not in str(given["question"])
    return {**reply, "missing": ["which one"], "fit": False} if lacks else reply


def _conditioned(_: JsonObject, reply: JsonObject) -> JsonObject:
    question = str(reply["question"]).rstrip("?")
    return {**reply, "question": f"{question} under the condition that it holds?"}


def _quoting(given: JsonObject, reply: JsonObject) -> JsonObject:
    """Take in what the last passage says that a repair is shown."""
    return {**reply, "quotes": [str(given["evidence"][-1]["text"]).partition("]\n")[2]]}


def _unfit(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "reason": "nobody asks this", "fit": False}


def _unfit_at_first(given: JsonObject, reply: JsonObject) -> JsonObject:
    fit = "under the condition" in str(given["question"])
    return {**reply, "reason": "nobody asks this", "fit": fit}


ADDED_ELSEWHERE = _with(examine=_verdicts("adds"), repair=_quoting)
ABOUT_TEXT = _with(write=_about_text, repair=_about_text)
BY_HEART = _with(closed_book=_by_heart)
DANGLING = _with(write=_dangling)
DANGLING_TWICE = _with(write=_dangling, repair=_dangling)
ELSEWHERE = _with(write=_elsewhere, repair=_elsewhere)
FAR_OFF = _with(write_unanswerable=_far_off, repair=_far_off)
LACKING = _with(examine=_lacking)
INCOMPLETE_AT_FIRST = _with(examine=_less_complete, repair=_conditioned)
LACKING_AT_FIRST = _with(examine=_lacking_at_first, repair=_conditioned)
ONE_PART = _with(write_multi_hop=_one_part)
ONE_PART_TWICE = _with(write_multi_hop=_one_part, repair=_one_part)
OTHERS_SAY_OTHERWISE = _with(examine=_verdicts("other"))
OTHERS_SAY_THE_SAME = _with(examine=_verdicts("same"))
SAME_WORDS = _with(write=_same_words)
SILENT = _with(examine=_silent)
UNFIT = _with(examine=_unfit)
UNFIT_AT_FIRST = _with(examine=_unfit_at_first, repair=_conditioned)
UNFOUNDED = _with(write=_unfounded)
UNFOUNDED_TWICE = _with(write=_unfounded, repair=_unfounded)
WRONG_NUMBER = _with(write=_wrong_number, repair=_wrong_number)
