"""Judgements whose right reply is known by how the request was made."""

import json
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from llamaindex_rag_eval.judge import (
    EntitiesOf,
    Judge,
    PreferenceOf,
    QuestionsOf,
    RelevanceOf,
    RelevantSentencesOf,
)
from llamaindex_rag_eval.judge.critique import RefusalOf
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from llamaindex_rag_eval.judge.intentions import IntentionsOf
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.judge.topics import TopicsOf
from llamaindex_rag_eval.judge.wire import Line
from tests.benchmarks.measuring.records import Record, labels, read
from tests.benchmarks.recorded.task import Task, Values, right

EACH = 10
"""Requests of each judgement whose right reply is known by how it was made."""

MADE = Path(__file__).parents[2] / "data" / "judgements" / "made.json"
"""Texts of our own for what no labelled set asks."""

TURNED_AWAY = ("Will it rain tomorrow?", "I can only help with these topics.")
"""A turn that belongs to no topic and is declined."""


def passages(draw: random.Random) -> Iterator[Task]:
    """Yield what is asked about passages of which one is known to answer the question."""
    docs = {str(doc["doc_id"]): doc for doc in read("corpora/xquad_en/docs")}
    titles = sorted({str(doc["title"]) for doc in docs.values()})
    questions = draw.sample(read("corpora/xquad_en/questions_dev"), EACH)
    for number, row in enumerate(questions):
        question, answer = str(row["question"]), str(row["answers"][0])  # type: ignore[index] # a list
        gold = docs[row["relevant"][0]]  # type: ignore[index] # a list of names
        others = draw.sample([doc for doc in docs.values() if doc["title"] != gold["title"]], 3)
        order = draw.sample([gold, *others], 4)
        contexts = tuple(str(doc["text"]) for doc in order)
        place = order.index(gold)
        units = tuple(sentences(str(gold["text"])))
        holding = {n for n, unit in enumerate(units) if answer in unit}
        reference = next((unit for unit in units if answer in unit), answer)
        graded, level = (gold, 2) if number % 2 else (others[0], 0)
        listed = (*draw.sample([t for t in titles if t != gold["title"]], 2), str(gold["title"]))
        asked = {
            "relevance": right(
                RelevanceOf(question=question, contexts=contexts, answer=answer),
                place,
                lambda reply, place: _mean(
                    v.useful == (n == place) for n, v in enumerate(reply.verdicts)
                ),
            ),
            "entities": right(
                EntitiesOf(reference=reference, contexts=contexts),
                place,
                lambda reply, place: _mean(place in e.contexts for e in reply.entities),
            ),
            "relevant_sentences": right(
                RelevantSentencesOf(question=question, sentences=units),
                holding,
                lambda reply, holding: bool(holding & set(reply.sentences)),
            ),
            "grade": right(
                ContextRelevanceOf(query=question, contexts=(str(graded["text"]),)),
                level,
                lambda reply, level: reply.level == level,
            ),
            "topics": right(
                TopicsOf(turns=(TURNED_AWAY, (question, answer)), topics=listed),
                [((), True), ((2,), False)],
                lambda reply, known: [(t.topics, t.declined) for t in reply.turns] == known,
            ),
        }
        for name, values in asked.items():
            yield Task(name, str(row["id"]), {}, values)


def preferences(draw: random.Random) -> Iterator[Task]:
    """Yield a right and a wrong answer to the same question, in either order."""
    pairs: dict[str, dict[float, Record]] = {}
    for row in read("evouna_nq"):
        pairs.setdefault(str(row["question"]), {})[labels([row], "correct")[0]] = row
    both = sorted(question for question, found in pairs.items() if len(found) == 2)
    for number, question in enumerate(draw.sample(both, EACH)):
        good, bad = (str(pairs[question][each]["response"]) for each in (1.0, 0.0))
        winner = "first" if number % 2 else "second"
        first, second = (good, bad) if winner == "first" else (bad, good)
        reference = str(pairs[question][1.0]["reference"])
        request = PreferenceOf(query=question, first=first, second=second, reference=reference)
        values = right(request, winner, lambda reply, winner: reply.winner == winner)
        yield Task("preference", str(pairs[question][1.0]["id"]), {}, values)


def made(draw: random.Random) -> Iterator[Task]:
    """Yield what is asked about texts of our own."""
    own = json.loads(MADE.read_text(encoding="utf-8"))
    asked: dict[str, list[Callable[[Judge], Awaitable[Values]]]] = {
        "questions": [
            right(
                QuestionsOf(text=each["text"], n=3),
                each["evasive"],
                lambda reply, evasive: reply.noncommittal == evasive,
            )
            for each in own["texts"]
        ],
        "refusal": [
            right(
                RefusalOf(query=each["question"], response=each["response"]),
                each["refusal"],
                lambda reply, refusal: reply.verdict == refusal,
            )
            for each in own["answers"]
        ],
        "intentions": [_wishes(own["wishes"], draw) for _ in range(EACH)],
        "steps": [
            right(
                StepsOf(criteria=text),
                (3, 5),
                lambda reply, few: few[0] <= len(reply.steps) <= few[1],
            )
            for text in own["criteria"]
        ],
    }
    for name, all_values in asked.items():
        for number, values in enumerate(all_values):
            yield Task(name, f"made-{number}", {}, values)


def _wishes(
    wishes: Sequence[Mapping[str, str]], draw: random.Random
) -> Callable[[Judge], Awaitable[Values]]:
    """Return a conversation in which the assistant meets some of three wishes."""
    lines: list[Line] = []
    met = []
    for wish in draw.sample(wishes, 3):
        met.append(draw.random() < 0.5)
        lines.append(Line(role="user", text=wish["ask"]))
        lines.append(Line(role="assistant", text=wish["met" if met[-1] else "unmet"]))
    request = IntentionsOf(conversation=tuple(lines))
    return right(request, met, lambda reply, met: [w.met for w in reply.intentions] == met)


def _mean(marks: Iterable[bool]) -> float:
    found = list(marks)
    return sum(found) / len(found) if found else float("nan")
