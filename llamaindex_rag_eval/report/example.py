"""An example of a wrong answer: its first wrong claim, marked where it comes from."""

import re
from collections.abc import Iterator, Mapping, Sequence

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.report.view import Shown
from llamaindex_rag_eval.runs.run import Run

Parts = tuple[tuple[str, str], ...]
"""A text in parts, each with the name of its mark; empty for one that is not marked."""

BESIDE = 160
"""Characters of a text left and right of what is marked; the list of questions has it whole."""

GRAVEST = ("contradicted", "not_mentioned", "partly")
"""Verdicts on a claim that is not supported, the worst first."""


Claim = dict[str, str]
"""What was judged of a claim: `claim`, `verdict`, `quote`, `reason`; each may be empty."""


def example_of(run: Run, sample: SingleTurnSample, spec: str) -> Shown:
    """Return what a metric and the claims of an answer say of it.

    Returns:
        The `verdict`, or the score where the metric has no verdicts, empty for an answer without;
        the `answer`, marked; the first wrong `claim`, empty where the metrics name none; `why`; the
        number of the context that is shown as `source`, from 1, or 0 for none; its `passage`,
        marked.
    """
    result, claims = run.result(sample.id, spec), tuple(_claims(run, sample.id))
    wrong = _first_wrong(result.evidence if result else None, claims)
    source, passage = _passage(wrong, claims, sample.texts)
    score = "" if result is None or result.score is None else f"{spec} {result.score:.2f}"
    reason = "" if result is None else result.reason
    return {
        "verdict": ((result.verdict if result else "") or score).replace("_", " "),
        "answer": _marked(sample.response, wrong["claim"], "wrong"),
        "claim": wrong["claim"],
        "why": wrong["reason"] or reason,
        "source": source,
        "passage": passage,
    }


def _claims(run: Run, key: str) -> Iterator[Claim]:
    """Yield the claims of an answer that its metrics judged, whatever wrote the evidence."""
    for info in run.metrics:
        result = run.result(key, info.spec)
        if result is None or (info.needs and "response" not in info.needs):
            continue
        evidence = result.evidence
        groups = evidence.items() if isinstance(evidence, Mapping) else [("", evidence)]
        for name, claims in groups:
            if not name.startswith("reference") and isinstance(claims, list):
                yield from (_claim(claim) for claim in claims if isinstance(claim, Mapping))


def _claim(data: Mapping[str, object]) -> Claim:
    parts = {name: data.get(name) for name in ("claim", "verdict", "quote", "reason")}
    return {name: part if isinstance(part, str) else "" for name, part in parts.items()}


def _first_wrong(evidence: object, claims: Sequence[Claim]) -> Claim:
    """Return what the verdict names as wrong, or the claim that is furthest from supported."""
    named = evidence.get("wrong") if isinstance(evidence, Mapping) else None
    if isinstance(evidence, Mapping) and isinstance(named, list) and named:
        return _claim({"claim": str(named[0]), "reason": evidence.get("reason")})
    ranked = (claim for verdict in GRAVEST for claim in claims if claim["verdict"] == verdict)
    return next((claim for claim in ranked if claim["claim"]), _claim({}))


def _passage(wrong: Claim, claims: Sequence[Claim], texts: Sequence[str]) -> tuple[int, Parts]:
    """Return the number of the context that the claim is from, or that denies it, and an extract.

    Where its words stand in no context, the quote of a claim that holds them is looked for.
    """
    around = [claim["quote"] for claim in claims if _match(claim["claim"], wrong["claim"])]
    for words in (wrong["quote"], wrong["claim"], *around):
        for number, text in enumerate(texts, start=1):
            if _match(text, words):
                return number, _marked(text, words, "wrong")
    return 0, ()


def _match(text: str, words: str) -> re.Match[str] | None:
    """Return where words stand in a text, whatever their blanks; `None` for no words."""
    pattern = r"\s+".join(re.escape(part) for part in words[:2000].split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) if pattern else None


def _marked(text: str, words: str, mark: str) -> Parts:
    """Return an extract of a text with words marked; its beginning where they do not stand in it.

    Example:
        >>> _marked("It is 40 m wide.", "40 m", "wrong")
        (('It is ', ''), ('40 m', 'wrong'), (' wide.', ''))
    """
    match = _match(text, words)
    if match is None:
        return ((_cut(text), ""),)
    start, end = match.span()
    before, after = text[max(0, start - BESIDE) : start], text[end : end + BESIDE]
    parts = (
        (f"{'…' if start > BESIDE else ''}{before}", ""),
        (_cut(text[start:end]), mark),
        (f"{after}{'…' if end + BESIDE < len(text) else ''}", ""),
    )
    return tuple(part for part in parts if part[0])


def _cut(text: str) -> str:
    return text if len(text) <= 2 * BESIDE else f"{text[: 2 * BESIDE - 1]}…"
