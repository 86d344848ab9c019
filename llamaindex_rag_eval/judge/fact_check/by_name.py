"""Fact checkers by name: `nli`, `minicheck`, or one of these with `:MODEL` behind it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check.checker import FactChecker
from llamaindex_rag_eval.judge.fact_check.classifier import (
    ClassifierChecker,
    labels_of,
    name_of,
    two_way_labels,
)
from llamaindex_rag_eval.models.pair_classifier import PairClassifier

DEFAULTS: Mapping[str, str] = {
    "nli": "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
    "minicheck": "lytang/MiniCheck-Flan-T5-Large",
}
"""The model of a kind that is named without one: of `nli` a multilingual one, else an English one."""

_SHAPE = re.compile(r"(?P<kind>nli|minicheck)(?::(?P<model>.+?))?(?:\((?P<settings>\w+=[^()]*)\))?")

_READERS: Mapping[str, Callable[[str], object]] = {
    "threshold": float,
    "window": int,
    "revision": str,
    "trust_remote_code": {"True": True, "False": False}.__getitem__,
}
"""Setting in brackets behind a model -> how it is read."""

_OF_FILES = ("revision", "trust_remote_code")
"""Settings of models of Hugging Face."""


def fact_checker_at(name: str) -> FactChecker:
    """Return the fact checker that a name stands for.

    Args:
        name: `nli:MODEL`, a model of natural-language inference, three-way or two-way by the
            labels of its configuration; or `minicheck:MODEL`, a model of MiniCheck's, two-way.
            Without a model it is that of `DEFAULTS`. A model is one of the Hugging Face hub, or a
            folder. Settings follow in brackets: `(threshold=0.7)`, `window`, `revision` and
            `trust_remote_code=True`.

    Raises:
        InputError: The name has another form, or the model cannot be read or judges no support.
    """
    parts = _SHAPE.fullmatch(name)
    if parts is None:
        raise InputError(
            f"{name!r} names no fact checker; expected 'nli:MODEL' or 'minicheck:MODEL', each "
            "without a model, too, as in 'nli:cross-encoder/nli-deberta-v3-base'"
        )
    kind = parts["kind"]
    chosen = parts["model"] or DEFAULTS[kind]
    settings = _settings(name, parts["settings"] or "")
    files = {key: settings.pop(key) for key in _OF_FILES if key in settings}
    model = PairClassifier(chosen, joined=kind == "minicheck", **files)
    labels = two_way_labels(labels_of(model), name) if kind == "minicheck" else None
    return ClassifierChecker(model, labels=labels, name=f"{kind}:{name_of(model)}", **settings)


def _settings(name: str, text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in _READERS:
            raise InputError(f"{name!r} sets {key!r}; expected one of {', '.join(_READERS)}")
        try:
            settings[key] = _READERS[key](value)
        except (KeyError, ValueError):
            raise InputError(f"{name!r} sets {key} to {value!r}, which cannot be read") from None
    return settings
