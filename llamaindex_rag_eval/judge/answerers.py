"""Who answered: the judgements of a metric, counted by their kind and by what answered them."""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache

Answerers = dict[str, dict[str, int]]
"""Kind of judgement -> fingerprint of what answered -> how many judgements."""

CROSS_ENCODER = "cross-encoder/"
"""Before the name of a cross-encoder, as a fingerprint; its kind of judgement is `CrossEncoder`."""

WORDS = "words"

VOTES = re.compile(r"^votes=(\d+)/(.*)$", re.DOTALL)
"""A judge that is asked several times, and the fingerprint of one vote."""

answerers: ContextVar[Answerers | None] = ContextVar("answerers", default=None)
"""Takes the judgements of the metric that is measured; set by `BaseMetric.result`."""


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
