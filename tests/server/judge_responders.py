"""A model that judges: replies of the right shape, decided by the words and nothing else.

Cheap on purpose: a benchmark of the client must not measure the server.
"""

from collections.abc import Mapping
from zlib import crc32

from tests.server.responder import JsonObject, Responder


def _lot(text: object, sides: int) -> int:
    return crc32(str(text).encode()) % sides


def claims(given: JsonObject, _: JsonObject) -> JsonObject:
    text = str(given.get("text", ""))
    return {"claims": [part.strip() + "." for part in text.split(".") if part.strip()]}


def support(given: JsonObject, _: JsonObject) -> JsonObject:
    sources = [context for context in given["contexts"].values() if context]
    verdicts = []
    for number, claim in given["claims"].items():
        lot = _lot(claim, 10)
        sentence = int(sources[lot % len(sources)][1:].split()[0])
        verdict = "supported" if lot < 7 else "contradicted" if lot == 7 else "not_mentioned"
        why = "decided by the words of the claim"
        evidence = {"supported": [sentence], "contradicted": [-sentence, why]}.get(verdict, [why])
        verdicts.append({"claim": int(number), "evidence": evidence, "verdict": verdict})
    return {"verdicts": verdicts}


def numbers_with(words: str, given: JsonObject) -> list[int]:
    """Return the numbers of the contexts that hold these words."""
    return [int(number) for number, text in given["contexts"].items() if words in text]


def relevance(given: JsonObject, _: JsonObject) -> JsonObject:
    return {
        "verdicts": [
            {
                "context": int(number),
                "reason": "decided by its words",
                "useful": _lot(text, 2) == 1,
            }
            for number, text in given["contexts"].items()
        ]
    }


def questions(given: JsonObject, _: JsonObject) -> JsonObject:
    words = str(given["text"]).split()[:8]
    count = int(given["n"])
    asked = [f"What about {' '.join(words[n:])}?" for n in range(count)]
    return {"noncommittal": False, "questions": asked}


def entities(given: JsonObject, _: JsonObject) -> JsonObject:
    return {
        "entities": [
            {"entity": word, "named_in": numbers_with(word, given)}
            for word in given["reference"].split()
            if word[:1].isupper()
        ]
    }


def relevant_sentences(given: JsonObject, _: JsonObject) -> JsonObject:
    needed = [s["id"] for s in given["sentences"] if _lot(s["text"], 3) == 0]
    return {"reason": "decided by the words", "needed": needed}


def critique(given: JsonObject, _: JsonObject) -> JsonObject:
    verdict = _lot((given["aspect"], given["response"]), 2) == 1
    return {"reason": "decided by the words", "verdict": verdict}


def grade(given: JsonObject, _: JsonObject) -> JsonObject:
    levels = [level["level"] for level in given["scale"]]
    return {
        "reason": "decided by the words",
        "level": levels[_lot((given["criterion"], given.get("response")), len(levels))],
    }


def answer_verdict(given: JsonObject, _: JsonObject) -> JsonObject:
    verdicts = ("right", "partly_right", "wrong", "not_attempted")
    verdict = verdicts[_lot((given["question"], given["response"]), 4)]
    faults = [{"kind": "wrong", "words": given["response"]}] if verdict == "wrong" else []
    return {"reason": "decided by the words", "faults": faults, "verdict": verdict}


def suite(given: JsonObject, body: JsonObject) -> JsonObject:
    """Say in one reply what the separate judgements say of the same texts."""
    plain = {
        name: " ".join(given[name].values()).replace("#", "").split(" ", 1)[1]
        for name in ("reference", "response")
    }
    sides = {"reference": "response", "response": "reference"}
    shown: JsonObject = {}
    for side, other in sides.items():
        text = " ".join(part for part in plain[side].split() if not part.isdigit())
        numbered = dict(enumerate(claims({"text": text}, body)["claims"], start=1))
        columns = [
            support({"contexts": sources, "claims": numbered}, body)["verdicts"]
            for sources in (given["contexts"], given[other])
        ]
        rows = [
            [{key: row[key] for key in ("evidence", "verdict")} for row in column]
            for column in columns
        ]
        shown[f"{side}_claims"] = [
            {"claim": claim, "by_contexts": by_contexts, "by_other": by_other}
            for claim, by_contexts, by_other in zip(numbered.values(), *rows, strict=True)
        ]
    verdicts = relevance(given, body)["verdicts"]
    useful = [verdict["context"] for verdict in verdicts if verdict["useful"]]
    answer = answer_verdict({"question": given["question"], "response": "?"}, body)
    return {**shown, "useful_contexts": useful, "answer": {**answer, "faults": []}}


def preference(given: JsonObject, _: JsonObject) -> JsonObject:
    better = "first" if _lot(given["first"], 99) >= _lot(given["second"], 99) else "second"
    return {"reason": "decided by the words", "better": better}


def topics(given: JsonObject, _: JsonObject) -> JsonObject:
    known = [topic["id"] for topic in given["topics"]]
    return {
        "verdicts": [
            {
                "turn": turn["id"],
                "reason": "decided by its words",
                "topics": [known[_lot(turn["question"], len(known))]],
                "declined": _lot(turn["answer"], 4) == 0,
            }
            for turn in given["turns"]
        ]
    }


def intentions(given: JsonObject, _: JsonObject) -> JsonObject:
    asked = [line["text"] for line in given["conversation"] if line["role"] == "user"]
    return {
        "intentions": [
            {"intention": text, "reason": "decided by the words", "met": _lot(text, 2) == 1}
            for text in asked
        ]
    }


def steps(given: JsonObject, _: JsonObject) -> JsonObject:
    return {"steps": [f"Look for this: {given['criteria']}", "Weigh what was found."]}


def standalone(given: JsonObject, _: JsonObject) -> JsonObject:
    return {"question": f"{given['question']} ({given['history'].splitlines()[0]})"}


def translation(given: JsonObject, _: JsonObject) -> JsonObject:
    return {"translations": [{"id": t["id"], "text": t["text"]} for t in given["texts"]]}


RESPONDERS: Mapping[str, Responder] = {
    "claims": claims,
    "support": support,
    "relevance": relevance,
    "questions": questions,
    "entities": entities,
    "relevant_sentences": relevant_sentences,
    "answer_verdict": answer_verdict,
    "suite": suite,
    "critique": critique,
    "grade": grade,
    "preference": preference,
    "topics": topics,
    "intentions": intentions,
    "steps": steps,
    "standalone": standalone,
    "translation": translation,
}
