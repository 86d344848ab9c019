"""Fact checkers by name: `nli:MODEL`, `minicheck:MODEL`, `ollama-minicheck`."""

import re
from collections.abc import Callable, Mapping

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check.checker import FactChecker
from llamaindex_rag_eval.judge.fact_check.classifier import ClassifierChecker
from llamaindex_rag_eval.judge.fact_check.labels import two_way_labels
from llamaindex_rag_eval.judge.fact_check.ollama import MODEL, OllamaChecker
from llamaindex_rag_eval.models.pair_classifier import PairClassifier

_SHAPE = re.compile(
    r"(?P<kind>nli|minicheck|ollama-minicheck)(?::(?P<model>.+?))?(?:\((?P<settings>\w+=[^()]*)\))?"
)


def _yes_or_no(text: str) -> bool:
    if text not in ("True", "False"):
        raise ValueError(text)
    return text == "True"


_OF_FILES: Mapping[str, Callable[[str], object]] = {
    "revision": str,
    "trust_remote_code": _yes_or_no,
}
_READERS: Mapping[str, Mapping[str, Callable[[str], object]]] = {
    "nli": _OF_FILES,
    "minicheck": _OF_FILES,
    "ollama-minicheck": {"url": str},
}
"""Kind of checker -> what may stand in brackets behind its model, and how it is read; besides
`threshold` and `window`, which all have."""


def fact_checker_at(name: str, *, concurrency: int = 64) -> FactChecker:
    """Return the fact checker that a name stands for.

    Args:
        name: `nli:MODEL`, a model of natural-language inference, three-way or two-way by the
            labels of its configuration; `minicheck:MODEL`, a model of MiniCheck's, as
            `minicheck:lytang/MiniCheck-Flan-T5-Large`, two-way; `ollama-minicheck` or
            `ollama-minicheck:MODEL`, Bespoke-MiniCheck behind Ollama. A model is one of the
            Hugging Face hub, or a folder. Settings follow in brackets: `(threshold=0.7)`,
            `window`; of a model from the hub `revision` and `trust_remote_code=True`; of Ollama
            `url`, that of its OpenAI-compatible API.
        concurrency: The most calls in flight, for `ollama-minicheck`.

    Raises:
        InputError: The name has another form, or the model cannot be read or judges no support.
    """
    found = _SHAPE.fullmatch(name)
    if found is None or (found["model"] is None and found["kind"] != "ollama-minicheck"):
        raise InputError(
            f"{name!r} names no fact checker; expected 'nli:MODEL', 'minicheck:MODEL' or "
            "'ollama-minicheck', as in 'nli:cross-encoder/nli-deberta-v3-base'"
        )
    kind = found["kind"]
    settings = _settings(name, found["settings"] or "", _READERS[kind])
    if kind == "ollama-minicheck":
        model = found["model"] or MODEL
        return OllamaChecker(model, concurrency=concurrency, **settings)  # type: ignore[arg-type]  # read by name
    own = {key: settings.pop(key) for key in _OF_FILES if key in settings}
    form = "joined" if kind == "minicheck" else "pair"
    classifier = PairClassifier(found["model"], form=form, **own)  # type: ignore[arg-type]  # likewise
    labels = two_way_labels(classifier.labels, name) if kind == "minicheck" else classifier.labels
    version = f"{kind}:{classifier.name}@{classifier.version}"
    return ClassifierChecker(classifier, labels=labels, name=version, **settings)  # type: ignore[arg-type]  # likewise


def _settings(
    name: str, text: str, own: Mapping[str, Callable[[str], object]]
) -> dict[str, object]:
    readers: dict[str, Callable[[str], object]] = {"threshold": float, "window": int, **own}
    found: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        key, _, value = (word.strip() for word in part.partition("="))
        if key not in readers:
            raise InputError(f"{name!r} sets {key!r}; expected one of {', '.join(readers)}")
        try:
            found[key] = readers[key](value)
        except ValueError:
            raise InputError(f"{name!r} sets {key} to {value!r}, which cannot be read") from None
    return found
