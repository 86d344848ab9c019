"""Questions: what a report shows of each question, as the JSON that its script reads."""

from collections.abc import Mapping, Sequence

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from pydantic import JsonValue

from llamaindex_rag_eval.data.plain_text import mapped_texts, plain_text
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample, transcript
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

SHORT = 16
"""Characters up to which a text is repeated: shorter than a reference to the table."""

LONGEST = 20_000
"""Characters shown of one text; a page with whole books would be too large to open."""

MOST_QUESTIONS = 1000
"""Questions in a page; with more, a browser takes seconds to open it."""


class StringTable(dict[str, int]):
    """Texts with their numbers: a page holds each once, however often it was retrieved or quoted.

    Example:
        >>> strings = StringTable()
        >>> strings["a"], strings["b"], strings["a"]
        (0, 1, 0)
    """

    def __missing__(self, text: str) -> int:
        return self.setdefault(text, len(self))

    def pack(self, data: JsonValue) -> JsonValue:
        """Return plain data with each longer text as `{"t": number}`.

        Example:
            >>> StringTable().pack({"claim": "Paris lies on the Seine.", "verdict": "supported"})
            {'claim': {'t': 0}, 'verdict': 'supported'}
        """
        if isinstance(data, str):
            return data if len(data) <= SHORT else {"t": self[data]}
        if isinstance(data, Mapping):
            return {key: self.pack(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.pack(value) for value in data]
        return data


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text) - LONGEST:,} characters more are not shown)"


def shown_ids(ids: Sequence[str], most: int = MOST_QUESTIONS) -> Sequence[str]:
    """Return the ids of the questions that are shown: all, or as many at equal distances.

    Example:
        >>> shown_ids(["a", "b", "c", "d", "e"], most=2)
        ('a', 'c')
    """
    if len(ids) <= most:
        return ids
    return tuple(ids[number * len(ids) // most] for number in range(most))


def question_data(
    runs: Sequence[Run], names: Sequence[str], metrics: Sequence[MetricInfo], ids: Sequence[str]
) -> dict[str, JsonValue]:
    """Return questions of the runs, each with every run's answer, contexts and scores.

    Args:
        runs: One or more.
        names: The name of each.
        metrics: Whose scores are shown, in this order.
        ids: Of the questions, each of one run at least.
    """
    strings = StringTable()
    questions: list[JsonValue] = []
    for key in ids:
        samples = [run.sample(key) for run in runs]
        answers: list[JsonValue] = [
            None if sample is None else _answer(run, sample, metrics, strings)
            for run, sample in zip(runs, samples, strict=True)
        ]
        first = next(sample for sample in samples if sample is not None)
        questions.append({**_question(first, strings), "runs": answers})
    return {
        "names": list(names),
        "metrics": [
            {"label": info.spec, "direction": info.direction, "threshold": info.threshold}
            for info in metrics
        ],
        "questions": questions,
        "texts": [_shortened(text) for text in strings],
    }


def embedded_json(data: JsonValue) -> Markup:
    r"""Return data as JSON that may stand inside a `script` element: no text can end it.

    Example:
        >>> embedded_json("</script><!--")
        Markup('"\\u003c/script\\u003e\\u003c!--"')
    """
    plain = mapped_texts(data, plain_text)
    return htmlsafe_json_dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _question(sample: Sample, strings: StringTable) -> dict[str, JsonValue]:
    kinds = {
        key: value
        for key, value in sample.metadata.items()
        if isinstance(value, str | int | float) and len(str(value)) <= 60
    }
    shown: dict[str, JsonValue] = {
        "id": sample.id,
        "reference": strings[sample.reference],
        "kinds": {str(key): value for key, value in kinds.items()},
    }
    if isinstance(sample, MultiTurnSample):
        return {**shown, "query": strings[transcript(sample.messages)], "gold": []}
    gold: list[JsonValue] = [
        {
            "doc": span.doc_id,
            "part": part,
            "quote": strings[span.quote],
            "setting": [strings[line] for line in span.setting],
        }
        for part, group in enumerate(sample.gold, 1)
        for span in group
        if span.quote
    ]
    quoted = {span.quote for group in sample.gold for span in group}
    texts = (text for text in sample.reference_contexts if text not in quoted)
    gold += [
        {"doc": "", "part": part, "quote": strings[text], "setting": []}
        for part, text in enumerate(texts, len(sample.gold) + 1)
    ]
    return {**shown, "query": strings[sample.asked], "gold": gold}


def _answer(
    run: Run, sample: Sample, metrics: Sequence[MetricInfo], strings: StringTable
) -> dict[str, JsonValue]:
    results = [run.result(sample.id, info.spec) for info in metrics]
    scores: list[JsonValue] = [_score(result, strings) for result in results]
    if not isinstance(sample, SingleTurnSample):
        return {"response": strings[""], "contexts": [], "scores": scores}
    spans = [*sample.context_spans, *[None] * len(sample.contexts)]
    contexts: list[JsonValue] = [
        {"text": strings[text], "doc": span.doc_id if span else ""}
        for text, span in zip(sample.texts, spans, strict=False)
    ]
    answer: dict[str, JsonValue] = {
        "response": strings[sample.response],
        "contexts": contexts,
        "scores": scores,
    }
    if sample.error:
        answer["error"] = strings[sample.error]
    if sample.latency is not None:
        answer["latency"] = round(sample.latency, 3)
    return answer


def _score(result: Result | None, strings: StringTable) -> JsonValue:
    """Return a result as `[score, status, reason, evidence]`."""
    if result is None:
        return [None, "missing", strings[""], None]
    score = None if result.score is None else round(result.score, 4)
    return [score, result.status, strings[result.reason], strings.pack(result.evidence)]
