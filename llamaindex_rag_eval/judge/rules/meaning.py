"""Meaning: what the cosines of an embedding model say, on one scale for all models and languages.

One model gives unrelated sentences a cosine of 0.1, another 0.8; and of a language that it does not
know it says nothing. So each model is asked once for the sentences of `meaning.json`, eight in each
language, said twice in different words. Their cosines with one another's other wordings show what
unrelated sentences have; where the right one is not the nearest of the eight for most of them, the
model does not know the language.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Language, language_of
from llamaindex_rag_eval.models.request import Embed

KNOWN = 0.75
"""Share of sentences whose other wording a model must find in a language it is trusted in."""


class _Scale(NamedTuple):
    """What unrelated sentences of a language have: the cosine, and how much of meaning is known."""

    unrelated: float
    found: float


_SCALES: "WeakKeyDictionary[Embed, Mapping[Language, _Scale]]" = WeakKeyDictionary()
_PROBING = Lock()


def nearness(claims: Sequence[str], texts: Sequence[str], embed: Embed) -> NDArray[np.float32]:
    """Return how near in meaning each claim is to each text.

    Args:
        claims: Sentences; the language of each decides the scale.
        texts: Sentences.
        embed: Embeds texts, one row each; the same object each time, so that it is probed once.

    Returns:
        An array of shape `(len(claims), len(texts))`: 1 for the same text, about 0 for unrelated
        ones, about 0.5 for the same in other words; not a number for claims in a language that the
        model does not know.
    """
    rows = _unit(embed([*claims, *texts]))
    cosines = rows[: len(claims)] @ rows[len(claims) :].T
    scales = _scales(embed)
    low = [_unrelated(scales, language_of(claim)) for claim in claims]
    floor = np.array(low, dtype=np.float32)[:, None]
    return np.asarray((cosines - floor) / (1 - floor), dtype=np.float32)


def _unrelated(scales: Mapping[Language, _Scale], language: Language) -> float:
    """Return the cosine of unrelated sentences; not a number where the model knows too little.

    A language without sentences of its own is taken for known by a model that knows all others.
    """
    asked = [scales[language]] if language in scales else list(scales.values())
    if min(scale.found for scale in asked) < KNOWN:
        return float("nan")
    return float(np.mean([scale.unrelated for scale in asked]))


def _scales(embed: Embed) -> Mapping[Language, _Scale]:
    with _PROBING:
        found = _SCALES.get(embed)
        if found is None:
            found = _SCALES[embed] = _probed(embed)
        return found


def _probed(embed: Embed) -> Mapping[Language, _Scale]:
    pairs = _pairs()
    rows = _unit(
        embed([text for of_language in pairs.values() for pair in of_language for text in pair])
    )
    scales: dict[Language, _Scale] = {}
    for language, of_language in pairs.items():
        count = len(of_language)
        own, rows = rows[: 2 * count], rows[2 * count :]
        cosines = own[::2] @ own[1::2].T
        numbers = np.arange(count)
        found = [np.mean(cosines.argmax(axis=axis) == numbers) for axis in (0, 1)]
        others = cosines[~np.eye(count, dtype=bool)]
        scales[language] = _Scale(float(others.mean()), float(np.mean(found)))
    return scales


@cache
def _pairs() -> Mapping[Language, Sequence[tuple[str, str]]]:
    stored: Mapping[Language, Sequence[tuple[str, str]]] = json.loads(
        files(__package__).joinpath("meaning.json").read_text(encoding="utf-8")
    )
    return stored


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
