"""A model that writes test sets: replies of the right shape, decided by the words alone.

It reads facts off sentences, asks for them, and answers from what it is shown, so that most of
what it writes is right; and a share, drawn by the words, has each fault that a check is for.
Made for documents of short sentences with numbers, as `tests.testset.corpora` writes them.
"""

import re
from collections.abc import Mapping
from functools import partial

from tests.server.asked import object_in
from tests.server.checking_responders import (
    answer_verdict,
    brief,
    classes,
    closed_book,
    findings,
    lot,
    share,
    support,
    translation,
)
from tests.server.responder import JsonObject, Responder

PAIRS = frozenset({"multi_hop", "summary", "double", "underspecified", "conflict"})
OPENINGS = {
    "reasoning": "What follows if we know that {}?",
    "conditional": "What holds under the condition that {}?",
    "summary": "What is the overview of {}?",
    "situational": "I work there now: what should I know of {}?",
    "double": "What is known of {} as well?",
    "distracting": "Whatever else is said, what is known of {}?",
    "underspecified": "How much does it weigh, given {}?",
    "table": "What is noted for {}?",
    "unanswerable": "Who holds the patent on {}?",
    "false_premise": "Why does the figure 99 hold for {}?",
}
FAULTS = ("dangling", "about_text", "wrong_number", "answered", "hopeless")
EVERY = 24
"""One question in so many has each fault."""


def facts_in(passage: str) -> list[JsonObject]:
    """Return the sentences of a passage, and the second cell of each row of its table."""
    rows = [row for row in passage.split("\n") if " | " in row]
    prose = re.sub(r"^.* \| .*$", "", passage, flags=re.MULTILINE)
    found = [part.strip() for part in re.split(r"(?<=[.!?])\s+", prose) if len(part.strip()) > 12]
    entries: list[JsonObject] = [
        {"quote": line, "fact": " ".join(line.split())} for line in found[:8]
    ]
    for row in rows[1:5]:
        names, cells = rows[0].split(" | "), row.split(" | ")
        entries.append({"quote": row, "fact": f"The {names[1]} of {cells[0]} is {cells[1]}."})
    return entries


def questions(most: int, faults: bool, given: JsonObject, _: JsonObject) -> JsonObject:
    """Write at most so many of the questions that are wanted, each about other facts."""
    own = list[list[JsonObject]]()
    for passage in given["passages"]:
        text = str(passage["text"]).partition("]\n")[2] or str(passage["text"])
        facts = [{"passage": passage["id"], **fact} for fact in facts_in(text)]
        first = lot(text, max(1, len(facts)))
        own.append([*facts[first:], *facts[:first]])
    rows = list[JsonObject]()
    for entry in given["settings"]["wanted"]:
        about = _vital(entry["type"], len(rows), own)
        if len(rows) < most and len(about) >= (2 if entry["type"] in PAIRS else 1):
            item = _item(entry["type"], about)
            told = [str(fact["fact"]) for fact in about]
            drawn = lot((entry["type"], told, entry.get("style")), EVERY) if faults else EVERY
            fault = FAULTS[drawn] if drawn < len(FAULTS) else ""
            who = {"persona": entry.get("persona") or "A keeper of stores.", "kind": "", "asks": ""}
            rows.append({"wanted": entry["id"], **who, **_spoilt(item, fault, about[0])})
    return {"reason": "by the words", "questions": rows}


def _vital(kind: str, turn: int, own: list[list[JsonObject]]) -> list[JsonObject]:
    """Return the facts of one question: one of each passage; two of one for a double question."""
    if kind == "table":
        rows = [fact for fact in own[0] if " | " in fact["quote"]]
        return rows[turn % len(rows) :][:1] if rows else []
    if kind in PAIRS and len(own) == 1:
        return own[0][:2]
    return [facts[turn % len(facts)] for facts in own if facts]


def _subject(fact: str) -> str:
    """Return a fact without its value: its last two words."""
    return " ".join(fact.rstrip(".").split()[:-2]).removeprefix("The ")


def _value(fact: str) -> str:
    return " ".join(fact.rstrip(".").split()[-2:])


def _item(kind: str, about: list[JsonObject]) -> JsonObject:
    """Return the question of a type about facts, with its answer."""
    told = [str(fact["fact"]) for fact in about]
    subject = " and ".join(_subject(fact) for fact in told)
    question = OPENINGS.get(kind, "What is recorded of {}?").format(subject)
    answer = _value(told[0]) if len(told) == 1 else " ".join(told)
    history = []
    if kind == "conversational":
        history = [{"question": f"What is {subject}?", "answer": _subject(told[0])}]
        question = "What more is recorded of it there?"
    if kind in ("false_premise", "reasoning"):
        answer = told[0]
    silent = kind == "unanswerable"
    return {
        "history": history,
        "question": question,
        "answer": "" if silent else answer,
        "facts": [] if silent else about,
    }


def _spoilt(item: JsonObject, fault: str, about: JsonObject) -> JsonObject:
    question, subject = item["question"], _subject(str(about["fact"]))
    match fault:
        case "dangling" | "hopeless":
            word = "this table" if fault == "dangling" else "this list"
            return {**item, "question": f"What does {word} say of {subject}?"}
        case "about_text":
            return {
                **item,
                "question": f"According to the text, {question[0].lower()}{question[1:]}",
            }
        case "wrong_number":
            wrong = {**about, "fact": "There are 77777 pieces."}
            return {**item, "answer": "77777 pieces", "facts": [wrong]}
        case "answered":
            return {**item, "question": f"What is recorded of {subject}?"}
    return item


def examine(every: int, given: JsonObject, _: JsonObject) -> JsonObject:
    """Mend what points at "this table" or says what the evidence lacks.

    Find one of the other items in `every` unfit, none for 0.
    """
    question, type_ = str(given["question"]), str(given.get("type", "single_hop"))
    told = " ".join(entry["text"] for entry in given.get("evidence", ()))
    doubted = [e["text"] for e in given.get("facts", ()) if share(e["text"], told) < 0.7]
    missing = re.findall(r"\bthis \w+", question)
    faults = [{"kind": "not_named", "what": what} for what in missing]
    faults += [{"kind": "not_supported", "what": what} for what in doubted]
    mended: JsonObject = {"question": "", "answer": "", "facts": []}
    if faults and missing != ["this list"]:
        item = _item(type_, _proven(given))
        mended = {name: item[name] for name in mended}
        mended["question"] = mended["question"] if type_ != "conversational" else ""
    fit = not faults or bool(mended["question"] or mended["answer"])
    return {
        "bearing": ["-" for _ in given.get("passages", ())],
        "own": " ".join(entry["text"] for entry in given.get("passages", ())),
        "faults": faults,
        "findings": findings(given),
        **mended,
        "reason": "by the words",
        "fit": fit and (not every or bool(faults) or lot(question, every) > 0),
    }


def _proven(given: JsonObject) -> list[JsonObject]:
    """Return the facts that the evidence states; without any, the first of the passages."""
    passages = given["passages"]
    told = [str(e["text"]).rpartition("\n")[2] for e in given.get("evidence", ())]
    texts = [re.split(r"(?<=[.!?])\s+", text)[-1] for text in told[:2]]
    if not texts:
        return [{**facts_in(str(passages[0]["text"]).partition("]\n")[2])[0], "passage": 1}]
    return [
        {"fact": text, "quote": text, "passage": entry["id"]}
        for text in texts
        for entry in [next((e for e in passages if text in e["text"]), passages[0])]
    ]


def _asked(responder: Responder, _: JsonObject, body: JsonObject) -> JsonObject | str:
    """Answer the first message of the user: what follows it asks for a correction."""
    users = [message for message in body["messages"] if message["role"] == "user"]
    content = users[0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    return responder(object_in(text), body)


_CHECKING: Mapping[str, Responder] = {
    "closed_book": closed_book,
    "answer_verdict": answer_verdict,
    "classes": classes,
    "brief": brief,
    "support": support,
    "translation": translation,
}


def _writing(faults: bool, every: int) -> Mapping[str, Responder]:
    return {
        "drafts": partial(questions, 3, faults),
        "joint_drafts": partial(questions, 2, faults),
        "examine": partial(examine, every),
    }


def _all(responders: Mapping[str, Responder]) -> Mapping[str, Responder]:
    return {name: partial(_asked, responder) for name, responder in responders.items()}


RESPONDERS: Mapping[str, Responder] = _all({**_CHECKING, **_writing(True, 9)})
"""A writer that makes mistakes."""

FAULTLESS: Mapping[str, Responder] = _all({**_CHECKING, **_writing(False, 0)})
"""One that makes none."""


def _written_in_german(given: JsonObject, body: JsonObject) -> JsonObject:
    """Ask for the names and numbers of each fact, and answer with them."""
    reply = questions(3, False, given, body)
    return {**reply, "questions": [_in_german(entry) for entry in reply["questions"]]}


def _in_german(entry: JsonObject) -> JsonObject:
    fact = entry["facts"][0]
    names = re.findall(r"\b[A-Z][a-z]+[\w-]*|\d+", fact["fact"].partition(" ")[2])
    about = [name for name in names if not name.isdecimal()]
    answer = f"Es sind {' und '.join(names)}."
    return {
        **entry,
        "asks": entry["question"],
        "question": f"Was ist zu {' und '.join(about) or 'der Liste'} bekannt?",
        "answer": answer,
        "facts": [{**fact, "fact": answer}],
    }


def _always_right(_: JsonObject, __: JsonObject) -> JsonObject:
    return {"reason": "the same", "faults": [], "verdict": "right"}


def _without_doubt(given: JsonObject, _: JsonObject) -> JsonObject:
    stays = {
        "bearing": [],
        "faults": [],
        "findings": [],
        "question": "",
        "answer": "",
        "facts": [],
    }
    return {"own": str(given.get("answer", "")), **stays, "reason": "the same", "fit": True}


IN_GERMAN: Mapping[str, Responder] = {
    **FAULTLESS,
    "drafts": partial(_asked, _written_in_german),
    "answer_verdict": partial(_asked, _always_right),
    "examine": partial(_asked, _without_doubt),
}
"""One that writes questions in German about documents in any language."""
