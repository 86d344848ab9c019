"""A model that checks what was written for a test set, by the words alone."""

import re
from zlib import crc32

from tests.server.responder import JsonObject

PLAIN = frozenset(
    [
        "the",
        "of",
        "a",
        "an",
        "in",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "and",
        "to",
        "for",
        "with",
        "what",
        "which",
        "it",
    ]
)


def lot(text: object, sides: int) -> int:
    return crc32(str(text).encode()) % sides


def words(text: str) -> list[str]:
    return [w for w in re.findall(r"[\w-]+", text.casefold()) if w not in PLAIN]


def share(question: str, text: str) -> float:
    """Return the share of a question's words that a text holds."""
    asked, held = set(words(question)), set(words(text))
    return len(asked & held) / max(1, len(asked))


def closed_book(given: JsonObject, _: JsonObject) -> JsonObject:
    known = "8849 metres" if "Everest" in str(given["question"]) else ""
    return {"reason": "by heart", "answerable": bool(known), "answer": known}


def findings(given: JsonObject) -> list[JsonObject]:
    """Return what passages without evidence do with the question; of a multi_hop, all passages."""
    found = []
    question, known = str(given["question"]), str(given.get("answer", ""))
    for passage in beside(given):
        lines = re.split(r"(?<=[.!?])\s+", passage["text"])
        best = max(lines, key=lambda line: share(question, line))
        full = share(question, best) >= (0.75 if known else 0.8)
        verdict = "same" if full and (not known or known in best) else "no"
        if known and full and known not in best:
            verdict = "other"
        if verdict != "no":
            found.append({"passage": passage["id"], "quote": best.strip(), "kind": verdict})
    return found


def beside(given: JsonObject) -> list[JsonObject]:
    """Return the passages that an examiner has to say something of."""
    told = [str(entry["text"]) for entry in given.get("evidence", ())]
    return [
        passage
        for passage in given.get("passages", ())
        if given.get("type") == "multi_hop" or not any(text in passage["text"] for text in told)
    ]


def answer_verdict(given: JsonObject, _: JsonObject) -> JsonObject:
    wanted, said = set(words(str(given["references"][0]))), set(words(str(given["response"])))
    verdict = "right" if wanted <= said else "wrong"
    return {"reason": "by the words", "faults": [], "verdict": verdict}


def classes(given: JsonObject, _: JsonObject) -> JsonObject:
    """Tell people and styles apart by the first word and the question mark."""
    users = list(dict.fromkeys([*given.get("users", ()), "A keeper of stores.", "A buyer."]))
    rows = []
    for entry in given["questions"]:
        text = str(entry["text"])
        user = users.index("A buyer." if text.startswith("How much") else "A keeper of stores.")
        type_ = "reasoning" if text.startswith("Why") else "single_hop"
        style = "plain" if "?" in text else "web_search"
        row = {"id": entry["id"], "user": user + 1, "type": type_, "kind": ""}
        rows.append({**row, "style": style})
    return {"users": users, "questions": rows}


def brief(given: JsonObject, _: JsonObject) -> JsonObject:
    """Make two categories of any brief: its words before the first semicolon, and a tenth."""
    who = str(given["brief"]).partition(";")[0]
    long = [{"axis": "length", "value": "long", "share": 90}]
    style = [{"axis": "style", "value": "formal", "share": 50}]
    style += [{"axis": "style", "value": "chat", "share": 50}]
    return {
        "categories": [
            {"name": "most", "share": 45, "user": who, "about": "", "values": style},
            {"name": "few", "share": 5, "user": "A miller.", "about": "store", "values": long},
        ]
    }


def translation(given: JsonObject, _: JsonObject) -> JsonObject:
    """Return the texts with a mark: a language that is told from English at a glance."""
    said = [(entry["id"], f"<{given['language']}> {entry['text']}") for entry in given["texts"]]
    return {"translations": [{"id": number, "text": text} for number, text in said]}


def support(given: JsonObject, _: JsonObject) -> JsonObject:
    verdicts = []
    for number, claim in given["claims"].items():
        supported = share(claim, " ".join(given["contexts"].values())) >= 0.7
        verdicts.append(
            {
                "claim": int(number),
                "evidence": [1] if supported else ["by the words"],
                "verdict": "supported" if supported else "not_mentioned",
            }
        )
    return {"verdicts": verdicts}
