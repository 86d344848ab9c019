"""Who answered: the judgements of a metric, counted by their kind and by what answered them."""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache

from llamaindex_rag_eval.data.sample import Sample

Answerers = dict[str, dict[str, int]]
"""Kind of judgement -> fingerprint of what answered -> how many judgements."""

CROSS_ENCODER = "cross-encoder/"
"""Before the name of a cross-encoder, as a fingerprint; its kind of judgement is `CrossEncoder`."""

WORDS = "words"

VOTES = re.compile(r"^votes=(\d+)/(.*)$", re.DOTALL)
"""A judge that is asked several times, and the fingerprint of one vote."""

answerers: ContextVar[Answerers | None] = ContextVar("answerers", default=None)
"""Takes the judgements of the metric that is measured; set by `BaseMetric.result`."""


judged_sample: ContextVar[Sample | None] = ContextVar("judged_sample", default=None)
"""The sample that is measured, its question as it stands alone; set by `Metric.score`."""


def count_judgement(kind: str, who: str) -> None:
    """Count one judgement for the metric that asked for it."""
    judged = answerers.get()
    if judged is not None:
        counts = judged.setdefault(kind, {})
        counts[who] = counts.get(who, 0) + 1


def sum_of_answerers(several: Iterable[Mapping[str, Mapping[str, int]]]) -> Answerers:
    """Return the judgements of several results together.

    Example:
        >>> sum_of_answerers([{"ClaimsOf": {"llm/m": 1}}, {"ClaimsOf": {"llm/m": 2}}])
        {'ClaimsOf': {'llm/m': 3}}
    """
    total: Answerers = {}
    for judged in several:
        for kind, counts in judged.items():
            mine = total.setdefault(kind, {})
            for who, count in counts.items():
                mine[who] = mine.get(who, 0) + count
    return total


def answerer_name(who: str) -> str:
    """Return what a fingerprint stands for, in words.

    Example:
        >>> answerer_name("votes=3/llm/gpt-4o-mini/0123456789ab/claims:0123456789ab")
        "the LLM 'gpt-4o-mini' (3 votes)"
        >>> answerer_name("embedded-rules/3/words"), answerer_name("embedding/small")
        ('words', "the embedding model 'small'")
    """
    votes = VOTES.match(who)
    if votes:
        return f"{answerer_name(votes[2])} ({votes[1]} votes)"
    kind, _, rest = who.partition("/")
    if kind == "llm":
        model, *behind = rest.rsplit("/", 2)
        labels = "".join(behind[-1:]).partition("+")[2]
        return f"the LLM {model!r}{f', aligned with {labels} labels' if labels else ''}"
    if kind == "fact-check":  # its version before, threshold and window behind
        return f"the fact checker {rest.partition('/')[2].rsplit('/', 2)[0]!r}"
    if kind == "embedding":
        return f"the embedding model {rest!r}"
    if who.startswith(CROSS_ENCODER):
        return f"the cross-encoder {rest!r}"
    if kind == "embedded-rules":
        if rest.endswith(f"/{WORDS}"):
            return WORDS
        model = rest.partition("+")[2]
        return f"embedded language rules{f' with the embedding model {model!r}' if model else ''}"
    return repr(who)


def judge_changes(before: str, after: str) -> tuple[str, ...]:
    """Return in words what differs between two judges: who answers, or else how it is asked.

    Args:
        before: The fingerprints of what answered for the first judge, with commas between them.
        after: Those of the second.

    Returns:
        The differences; none where nothing is known of a judge. What only one of them was asked is
        no difference.

    Example:
        >>> judge_changes("llm/m/0/claims:a", "llm/m/0/claims:b")
        ("the prompt 'claims'",)
        >>> judge_changes("llm/m/0/claims:a", "llm/n/0/claims:a")
        ("the LLM 'm' before, the LLM 'n' now",)
    """
    if not before or not after:
        return ()
    old, new = (before.split(", "), after.split(", "))
    names = [dict.fromkeys(map(answerer_name, judge)) for judge in (old, new)]
    if not names[0].keys() >= names[1].keys():
        first, second = map(" and ".join, names)
        return (f"{first} before, {second} now",)
    known = {subject: detail for who in old for subject, detail in _details(who).items()}
    now = {subject: detail for who in new for subject, detail in _details(who).items()}
    return tuple(key for key, detail in known.items() if now.get(key, detail) != detail)


def _details(who: str) -> dict[str, str]:
    """Return what may change of an answerer, in words -> how it is."""
    who = VOTES.sub(r"\2", who)
    parts = who.rsplit("/", 2)
    if who.startswith("llm/") and len(parts) == 3:
        name, _, prompt = parts[2].partition(":")
        return {"the sampling parameters": parts[1], f"the prompt {name!r}": prompt}
    kind, _, version = who.removesuffix(f"/{WORDS}").partition("/")
    return {f"the version of {kind!r}": version}


def by_rules(who: str) -> bool:
    """Return whether embedded rules answered, those that compare words apart from them."""
    who = VOTES.sub(r"\2", who)
    return who.startswith("embedded-rules/") and not who.endswith(f"/{WORDS}")


@lru_cache(maxsize=256)
def compares_texts(who: str) -> bool:
    """Return whether this compares texts: an embedding model, a cross-encoder, or their words."""
    who = VOTES.sub(r"\2", who)
    return who.startswith(("embedding/", CROSS_ENCODER)) or who.endswith(f"/{WORDS}")


def by_answerer(judged: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return the judgements by the name of who answered, the most first."""
    counts: dict[str, int] = {}
    for kind in judged.values():
        for who, count in kind.items():
            name = answerer_name(who)
            counts[name] = counts.get(name, 0) + count
    return dict(sorted(counts.items(), key=lambda entry: -entry[1]))


def comparison_note(judged: Mapping[str, Mapping[str, int]]) -> str:
    """Return by whom texts were compared, as a sentence; empty if none were."""
    names = {answerer_name(who) for kind in judged.values() for who in kind if compares_texts(who)}
    return f"Texts were compared by {' and by '.join(sorted(names))}." if names else ""
