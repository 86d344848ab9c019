"""Reasons: what the evidence of a score says, in one line for tables.

    2 of 3 claims supported; contradicted: 'The pump weighs 13 kg.'

Written from the plain data of the evidence, so that every metric over the same judgements says it
in the same words, and a run that was written before says it too.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from pydantic import JsonValue

MOST_NAMED = 3
"""Claims that are quoted of each kind; the others are counted."""

LONGEST_QUOTE = 120
"""Characters of a quoted claim; the evidence has it whole."""


def reason_of(evidence: JsonValue) -> str:
    """Return what the evidence of a score says; empty where its judgements say no more.

    Args:
        evidence: As `Result.evidence` holds it.

    Example:
        >>> claims = [
        ...     {"claim": "It is old.", "verdict": "supported"},
        ...     {"claim": "It is red.", "verdict": "not_mentioned"},
        ... ]
        >>> reason_of(claims)
        "1 of 2 claims supported; not mentioned: 'It is red.'"
        >>> reason_of({"response_in_reference": claims[:1], "reference_in_response": claims[1:]})
        "response in reference: 1 of 1 claims supported | reference in response: 0 of 1 claims supported; not mentioned: 'It is red.'"
    """  # noqa: E501 - a reason is one line
    if isinstance(evidence, Mapping):
        if isinstance(evidence.get("gains"), list):
            return _of_ranks(evidence)
        named = [
            (name, _beside(part) if name == "beside_the_question" else reason_of(part))
            for name, part in evidence.items()
            if name != "reason"
        ]
        said = [f"{name.replace('_', ' ')}: {reason}" for name, reason in named if reason]
        return said[0].partition(": ")[2] if len(named) == 1 and said else " | ".join(said)
    entries = list(_entries(evidence))
    if entries and all({"claim", "verdict"} <= entry.keys() for entry in entries):
        return _of_claims(entries)
    if entries and all("useful" in entry for entry in entries):
        return _of_contexts(entries)
    return ""


def _entries(evidence: JsonValue) -> Iterator[Mapping[str, Any]]:
    """Yield the judgements of a list, also those that stand in the sentences of a response."""
    for entry in evidence if isinstance(evidence, list) else ():
        if not isinstance(entry, dict):
            continue
        support = entry.get("support")
        if isinstance(entry.get("claims"), list):
            yield from _entries(entry["claims"])
        else:
            yield support if isinstance(support, dict) else entry


def _beside(evidence: JsonValue) -> str:
    """Name the claims that were not held against a short reference."""
    return _quoted([str(entry["claim"]) for entry in _entries(evidence)])


def _of_claims(entries: Sequence[Mapping[str, Any]]) -> str:
    by_verdict: dict[str, list[str]] = {}
    for entry in entries:
        by_verdict.setdefault(str(entry["verdict"]), []).append(str(entry["claim"]))
    supported = len(by_verdict.pop("supported", []))
    kinds = sorted(by_verdict.items())
    parts = [f"{verdict.replace('_', ' ')}: {_quoted(claims)}" for verdict, claims in kinds]
    known = [entry["probability"] for entry in entries if entry.get("probability") is not None]
    sure = f" (mean probability {fmean(known):.2f})" if len(known) == len(entries) else ""
    return "; ".join([f"{supported} of {len(entries)} claims supported{sure}", *parts])


def _quoted(claims: Sequence[str]) -> str:
    quotes = [f"'{_short(' '.join(claim.split()))}'" for claim in claims[:MOST_NAMED]]
    more = len(claims) - MOST_NAMED
    return ", ".join(quotes) + (f" and {more} more" if more > 0 else "")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…"


def _of_contexts(entries: Sequence[Mapping[str, Any]]) -> str:
    ranks = [rank for rank, entry in enumerate(entries, start=1) if entry["useful"]]
    listed = f": {_numbers(ranks)}" if ranks else ""
    return f"{len(ranks)} of {len(entries)} contexts useful{listed}"


def _of_ranks(evidence: Mapping[str, Any]) -> str:
    gains = evidence["gains"]
    ranks = [rank for rank, gain in enumerate(gains, start=1) if gain > 0]
    where = f"gold evidence at rank {_numbers(ranks)}" if ranks else "no gold evidence"
    return f"{where} of {len(gains)} retrieved"


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
