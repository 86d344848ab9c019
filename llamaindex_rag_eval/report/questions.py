"""Questions: what a report shows of each question, as data that its page draws from."""

import json
from collections.abc import Sequence

from pydantic import JsonValue

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.report.pool import Pool
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

__all__ = ["embedded_json", "question_data"]


def question_data(
    runs: Sequence[Run], names: Sequence[str], metrics: Sequence[MetricInfo]
) -> dict[str, JsonValue]:
    """Return all questions of the runs, each with what every run made of it.

    Args:
        runs: One or two.
        names: What they are called.
        metrics: Which scores are shown, in this order.
    """
    pool = Pool()
    by_id = [{sample.id: sample for sample in run.samples} for run in runs]
    asked = dict.fromkeys(key for samples in by_id for key in samples)
    questions: list[JsonValue] = []
    for key in asked:
        first = next(samples[key] for samples in by_id if key in samples)
        answers: list[JsonValue] = [
            _answer(run, samples[key], metrics, pool) if key in samples else None
            for run, samples in zip(runs, by_id, strict=True)
        ]
        questions.append({**_question(first, pool), "runs": answers})
    return {
        "names": list(names),
        "metrics": [
            {"label": info.spec, "direction": info.direction, "threshold": info.threshold}
            for info in metrics
        ],
        "questions": questions,
        "texts": list(pool.texts),
    }


def embedded_json(data: JsonValue) -> str:
    r"""Return data as JSON that may stand inside a `script` element: no text can end it.

    Example:
        >>> embedded_json("</script><!--")
        '"\\u003c/script\\u003e\\u003c!--"'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _question(sample: Sample, pool: Pool) -> dict[str, JsonValue]:
    kinds = {
        key: value
        for key, value in sample.metadata.items()
        if isinstance(value, str | int | float) and len(str(value)) <= 60
    }
    shown: dict[str, JsonValue] = {
        "id": sample.id,
        "reference": pool.number(sample.reference),
        "kinds": {str(key): value for key, value in kinds.items()},
    }
    if isinstance(sample, MultiTurnSample):
        return {**shown, "query": pool.number(_talk(sample)), "gold": []}
    gold: list[JsonValue] = [
        {"doc": span.doc_id, "quote": pool.number(span.quote)}
        for group in sample.gold
        for span in group
        if span.quote
    ]
    gold += [{"doc": "", "quote": pool.number(text)} for text in sample.reference_contexts]
    return {**shown, "query": pool.number(sample.asked), "gold": gold}


def _answer(
    run: Run, sample: Sample, metrics: Sequence[MetricInfo], pool: Pool
) -> dict[str, JsonValue]:
    results = [run.result(sample.id, info.spec) for info in metrics]
    scores: list[JsonValue] = [_score(result, pool) for result in results]
    if not isinstance(sample, SingleTurnSample):
        return {"response": pool.number(""), "contexts": [], "scores": scores}
    places = [*sample.context_spans, *[None] * len(sample.contexts)]
    contexts: list[JsonValue] = [
        {"text": pool.number(text), "doc": place.doc_id if place else ""}
        for text, place in zip(sample.texts, places, strict=False)
    ]
    answer: dict[str, JsonValue] = {
        "response": pool.number(sample.response),
        "contexts": contexts,
        "scores": scores,
    }
    if sample.error:
        answer["error"] = pool.number(sample.error)
    if sample.latency is not None:
        answer["latency"] = round(sample.latency, 3)
    return answer


def _score(result: Result | None, pool: Pool) -> JsonValue:
    """Return a result as `[score, status, words, evidence]`."""
    if result is None:
        return [None, "missing", pool.number(""), None]
    score = None if result.score is None else round(result.score, 4)
    words = result.reason or result.feedback or ""
    return [score, result.status, pool.number(words), pool.packed(result.evidence)]


def _talk(sample: MultiTurnSample) -> str:
    return "\n".join(f"{message.role}: {message.content}" for message in sample.messages)
