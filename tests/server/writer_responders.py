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
    examine,
    lot,
    support,
    translation,
)
from tests.server.responder import JsonObject, Responder

TYPES = [
    "single_hop",
    "multi_hop",
    "reasoning",
    "conditional",
    "summary",
    "conversational",
    "distracting",
    "situational",
    "double",
    "unanswerable",
    "false_premise",
    "underspecified",
    "conflict",
    "table",
]
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


def proposals(given: JsonObject, _: JsonObject) -> JsonObject:
    """Offer a question of four of the types, each about other facts of the passages."""
    found, own = list[JsonObject](), list[list[JsonObject]]()
    for passage in given["passages"]:
        text = str(passage["text"]).partition("]\n")[2] or str(passage["text"])
        facts = [{"passage": passage["id"], **fact} for fact in facts_in(text)]
        for number, fact in enumerate(facts, len(found) + 1):
            fact["id"] = number
        first = lot(text, max(1, len(facts)))
        found += facts
        own.append([*facts[first:], *facts[:first]])
    settings, questions = given["settings"], list[JsonObject]()
    people = settings.get("personas") or ["A keeper of stores."]
    for turn, kind in enumerate(sorted(settings["types"], key=lambda kind: kind != "table")):
        about = _vital(kind, turn, own)
        if len(about) < (2 if kind in PAIRS else 1) or len(questions) == 4:
            continue
        asks = " and ".join(_subject(fact["fact"]) for fact in about)
        who = people[lot(asks, len(people))]
        vital = [fact["id"] for fact in about]
        entry = {"persona": who, "asks": asks, "type": kind, "kind": ""}
        others = [fact["id"] for fact in own[0] if fact["id"] not in vital]
        okay = others[:1] if kind == "conversational" else []
        questions.append({**entry, "vital": vital, "okay": okay})
    return {"reason": "by the words", "facts": found, "questions": questions}


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


def _chosen(offered: list[JsonObject], kind: str) -> list[JsonObject]:
    return offered[: 2 if kind in PAIRS else 1]


def write(kind: str, faults: bool, given: JsonObject, _: JsonObject) -> JsonObject:
    used = _chosen(given["facts"], kind)
    told = [entry["fact"] for entry in used]
    drawn = lot((kind, told, given["settings"].get("style")), EVERY) if faults else EVERY
    fault = FAULTS[drawn] if drawn < len(FAULTS) else ""
    item = _item(kind, told, [entry["id"] for entry in used])
    return _spoilt(item, fault, told)


def _item(kind: str, told: list[str], used: list[int]) -> JsonObject:
    about = " and ".join(_subject(fact) for fact in told)
    question = OPENINGS.get(kind, "What is recorded of {}?").format(about)
    answer = _value(told[0]) if len(told) == 1 else " ".join(told)
    history = []
    if kind == "conversational":
        history = [{"question": f"What is {about}?", "answer": _subject(told[0])}]
        question = "What more is recorded of it there?"
    if kind == "unanswerable":
        answer, told = "", []
    if kind in ("false_premise", "reasoning"):
        answer = told[0]
    return {
        "used": used,
        "history": history,
        "question": question,
        "answer": answer,
        "answer_facts": stated(*told),
    }


def stated(*texts: str) -> list[JsonObject]:
    return [{"fact": text, "importance": "vital"} for text in texts]


def _spoilt(item: JsonObject, fault: str, told: list[str]) -> JsonObject:
    question = item["question"]
    match fault:
        case "dangling" | "hopeless":
            word = "this table" if fault == "dangling" else "this list"
            return {**item, "question": f"What does {word} say of {_subject(told[0])}?"}
        case "about_text":
            return {
                **item,
                "question": f"According to the text, {question[0].lower()}{question[1:]}",
            }
        case "wrong_number":
            return {
                **item,
                "answer": "77777 pieces",
                "answer_facts": stated("There are 77777 pieces."),
            }
        case "answered":
            return {**item, "question": f"What is recorded of {_subject(told[0])}?"}
    return item


def repair(given: JsonObject, _: JsonObject) -> JsonObject:
    used = _chosen(given["facts"], str(given["settings"]["type"]))
    told = [entry["fact"] for entry in used]
    item = _item(str(given["settings"]["type"]), told, [entry["id"] for entry in used])
    if "this list" in given["question"]:
        item["question"] = given["question"]
    return {**item, "history": [], "quotes": []}


def _asked(responder: Responder, _: JsonObject, body: JsonObject) -> JsonObject | str:
    """Answer the first message of the user: what follows it asks for a correction."""
    users = [message for message in body["messages"] if message["role"] == "user"]
    content = users[0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    return responder(object_in(text), body)


_CHECKING: Mapping[str, Responder] = {
    "proposals": proposals,
    "joint_proposals": proposals,
    "repair": repair,
    "closed_book": closed_book,
    "answer_verdict": answer_verdict,
    "classes": classes,
    "brief": brief,
    "examine": partial(examine, 9),
    "support": support,
    "translation": translation,
}

RESPONDERS: Mapping[str, Responder] = {
    **{name: partial(_asked, responder) for name, responder in _CHECKING.items()},
    **{f"write_{kind}": partial(_asked, partial(write, kind, True)) for kind in TYPES},
}
"""A writer that makes mistakes."""

FAULTLESS: Mapping[str, Responder] = {
    **RESPONDERS,
    **{f"write_{kind}": partial(_asked, partial(write, kind, False)) for kind in TYPES},
    "examine": partial(_asked, partial(examine, 0)),
}
"""One that makes none."""


def _written_in_german(given: JsonObject, _: JsonObject) -> JsonObject:
    """Ask for the names and numbers of the first fact, and answer with them."""
    fact = given["facts"][0]
    names = re.findall(r"\b[A-Z][a-z]+[\w-]*|\d+", fact["fact"].partition(" ")[2])
    about = [name for name in names if not name.isdecimal()]
    answer = f"Es sind {' und '.join(names)}."
    return {
        "used": [fact["id"]],
        "history": [],
        "question": f"Was ist zu {' und '.join(about) or 'der Liste'} bekannt?",
        "answer": answer,
        "answer_facts": stated(answer),
    }


def _always_right(_: JsonObject, __: JsonObject) -> JsonObject:
    return {"reason": "the same", "faults": [], "verdict": "right"}


def _without_doubt(given: JsonObject, _: JsonObject) -> JsonObject:
    claims = [{"claim": e["id"], "doubt": "", "supported": True} for e in given.get("claims", ())]
    read = {
        "missing": [],
        "claims": claims,
        "own": str(given.get("answer", "")),
        "left_out": [],
        "beside": [],
        "findings": [],
    }
    return {**read, "reason": "the same", "fit": True}


IN_GERMAN: Mapping[str, Responder] = {
    **FAULTLESS,
    "write_single_hop": partial(_asked, _written_in_german),
    "answer_verdict": partial(_asked, _always_right),
    "examine": partial(_asked, _without_doubt),
}
"""One that writes single-hop questions in German about documents in any language."""
