"""Models that write test sets and have one fault each: what a check of the cascade is for.

All else they do as the faultless one of `tests.server.writer_responders`.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial

from tests.server.checking_responders import beside
from tests.server.responder import JsonObject, Responder
from tests.server.writer_responders import FAULTLESS, facts_in

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


def _with(write: Change | None = None, **changes: Change) -> Mapping[str, Responder]:
    """Return the faultless model with some replies changed, and with each question that it writes.

    A change of a question is given the entry of what is wanted.
    """

    def rewritten(given: JsonObject, reply: JsonObject) -> JsonObject:
        assert write is not None
        wanted = {entry["id"]: entry for entry in given["settings"]["wanted"]}
        rows = [write(wanted[entry["wanted"]], entry) for entry in reply["questions"]]
        return {**reply, "questions": rows}

    if write is not None:
        changes |= {"drafts": rewritten, "joint_drafts": rewritten}
    spoilt = {name: partial(_changed, name, change) for name, change in changes.items()}
    return {**FAULTLESS, **spoilt}


def _dangling(_: JsonObject, entry: JsonObject) -> JsonObject:
    return {**entry, "question": "What does this table say of it all?"}


def _about_text(_: JsonObject, entry: JsonObject) -> JsonObject:
    question = str(entry["question"])
    return {**entry, "question": f"According to the text, {question[0].lower()}{question[1:]}"}


def _wrong_number(_: JsonObject, entry: JsonObject) -> JsonObject:
    return {**entry, "answer": "77777 pieces", "facts": [_saying(entry, "There are 77777 pieces.")]}


def _unfounded(_: JsonObject, entry: JsonObject) -> JsonObject:
    """Claim one thing too much, in words that are not the document's own."""
    answer = f"It is {entry['answer']}"
    return {**entry, "answer": answer, "facts": [*entry["facts"], _saying(entry, NOWHERE)]}


def _saying(entry: JsonObject, fact: str) -> JsonObject:
    """Return the first fact of an entry with other words, and the same proof."""
    return {**entry["facts"][0], "fact": fact}


def _same_words(_: JsonObject, entry: JsonObject) -> JsonObject:
    """Ask of every fact of a place for the place alone."""
    place = re.search(r"[A-Z][a-z]+-\d+", str(entry["question"]))
    return {**entry, "question": f"What is recorded of {place.group() if place else 'it'}?"}


def _elsewhere(_: JsonObject, entry: JsonObject) -> JsonObject:
    return {**entry, "question": "How many lobsters does the harbour land each spring?"}


def _one_part(_: JsonObject, entry: JsonObject) -> JsonObject:
    """Claim two facts, and ask for one."""
    words = str(entry["facts"][0]["fact"]).rstrip(".").split()
    return {
        **entry,
        "question": f"What is recorded of {' '.join(words[:-2]).removeprefix('The ')}?",
        "answer": " ".join(words[-2:]),
    }


def _by_heart(given: JsonObject, _: JsonObject) -> JsonObject:
    """Know what the documents of the tests say without being shown any."""
    known = next((told for about, told in _known().items() if about in given["question"]), "")
    return {"reason": "by heart", "answerable": bool(known), "answer": known}


def _silent(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "own": ""}


def _conditioned(kind: str, what: str) -> Change:
    """Return a change that finds a fault in a question, and mends it by a condition."""

    def change(given: JsonObject, reply: JsonObject) -> JsonObject:
        question = str(given["question"]).rstrip("?")
        mended = f"{question} under the condition that it holds?"
        return {**reply, "faults": [{"kind": kind, "what": what}], "question": mended}

    return change


def _findings(kind: str) -> Change:
    def change(given: JsonObject, reply: JsonObject) -> JsonObject:
        rows = []
        for passage in beside(given):
            prose = str(passage["text"]).rpartition("\n")[2].strip() or str(passage["text"])
            quote = re.split(r"(?<=[.!?])\s+", prose)[0]
            rows.append({"passage": passage["id"], "quote": quote, "kind": kind})
        return {**reply, "findings": rows}

    return change


def _lacking(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "faults": [{"kind": "not_named", "what": "which one"}], "fit": False}


def _unmended(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "question": "", "answer": "", "facts": [], "fit": not reply["faults"]}


def _adding(given: JsonObject, reply: JsonObject) -> JsonObject:
    """Take in what the last passage says besides."""
    told = [str(entry["text"]) for entry in given["evidence"]]
    passages = given["passages"]
    last = passages[-1]
    added = facts_in(str(last["text"]).partition("]\n")[2])[0]
    return {
        **reply,
        "faults": [{"kind": "left_out", "what": "what another passage tells"}],
        "answer": f"{given['answer']}; {added['fact']}",
        "facts": [
            *({"fact": text, "passage": 1, "quote": text.rpartition("\n")[2]} for text in told),
            {**added, "passage": last["id"]},
        ],
    }


def _unfit(_: JsonObject, reply: JsonObject) -> JsonObject:
    return {**reply, "reason": "nobody asks this", "fit": False}


ADDED_ELSEWHERE = _with(examine=_adding)
ABOUT_TEXT = _with(write=_about_text)
BY_HEART = _with(closed_book=_by_heart)
DANGLING = _with(write=_dangling)
DANGLING_UNMENDED = _with(write=_dangling, examine=_unmended)
ELSEWHERE = _with(write=_elsewhere)
LACKING = _with(examine=_lacking)
INCOMPLETE = _with(examine=_conditioned("left_out", "the condition"))
LACKING_AT_FIRST = _with(examine=_conditioned("not_named", "which one"))
ONE_PART = _with(write=_one_part)
OTHERS_SAY_OTHERWISE = _with(examine=_findings("other"))
OTHERS_SAY_THE_SAME = _with(examine=_findings("same"))
SAME_WORDS = _with(write=_same_words)
SILENT = _with(examine=_silent)
UNFIT = _with(examine=_unfit)
UNFOUNDED = _with(write=_unfounded)
UNFOUNDED_UNMENDED = _with(write=_unfounded, examine=_unmended)
WRONG_NUMBER = _with(write=_wrong_number)
WRONG_NUMBER_UNMENDED = _with(write=_wrong_number, examine=_unmended)
