"""Checking by a classifier of pairs: labels to chances, pairs in batches, off the event loop."""

import asyncio
import copy
import inspect
import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from llamaindex_rag_eval.errors import CallError, InputError, RagEvalError
from llamaindex_rag_eval.judge.fact_check.checker import THRESHOLD, Chance, FactChecker, Pair
from llamaindex_rag_eval.models.pair_classifier import USUAL_LIMIT, version_of
from llamaindex_rag_eval.models.settings_only import SettingsOnly

WINDOW = 400
"""Tokens of a source that are read at a time, as by MiniCheck's authors (Tang et al. 2024,
https://github.com/Liyan06/MiniCheck)."""

GATHERING = 0.005
"""Seconds for which pairs are collected before they go to the model."""

MOST_PAIRS = 256
"""Pairs from which a batch takes in no further request."""

UNIT = 1e-3
"""How far the sum of a row of probabilities may be from 1."""

SUPPORTED = frozenset({"entailment", "entailed", "entails", "supported", "supports", "consistent"})
CONTRADICTED = frozenset({"contradiction", "contradicted", "contradicts", "refuted", "refutes"})
UNNAMED = re.compile(r"label_\d+|\d+")
"""The names that a configuration gives to outputs which nobody named."""


@runtime_checkable
class CrossEncoderLike(Protocol):
    """A model that scores pairs of texts, as `sentence_transformers.CrossEncoder` does."""

    def predict(self, pairs: Any, /) -> Any:
        """Return a row of numbers for each pair: a logit or a probability for each label."""
        ...


class ClassifierChecker(SettingsOnly, FactChecker):
    """A fact checker over any model with `predict`, three-way or two-way by its labels.

    Pairs are scored in a thread, one batch at a time; what comes meanwhile is the next batch.

    Args:
        model: Scores pairs of a source and a claim. Its logits or probabilities are taken; of one
            output, probabilities only.
        labels: The names of its outputs; by default those of its configuration.
        name: Names the model and its version in the cache; by default its configuration does.
        window: Tokens of a source that are read at a time.
        threshold: Probability from which a claim counts as supported.

    Raises:
        InputError: The labels are unknown, or the model has no name.
    """

    def __init__(
        self,
        model: CrossEncoderLike,
        *,
        labels: Sequence[str] | None = None,
        name: str = "",
        window: int = WINDOW,
        threshold: float = THRESHOLD,
    ) -> None:
        self.model = model
        self.name = name or name_of(model)
        self.labels = tuple(labels or labels_of(model))
        self.supported, self.contradicted = columns_of(self.labels, self.name)
        self.limit = _limit_of(model)
        self.window = window
        self.threshold = threshold
        # The model's own tokenizer is at work in another thread, and takes one call at a time.
        self.tokenizer = copy.deepcopy(getattr(model, "tokenizer", None))
        self._begin()

    def _begin(self) -> None:
        self._waiting: list[tuple[tuple[Pair, ...], Future[list[Chance]]]] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fact-check")

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        if self.tokenizer is None or not texts:
            return super().count(texts)
        tokens = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return [len(ids) for ids in tokens["input_ids"]]

    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return the probabilities of each pair, in order.

        Raises:
            CallError: The model failed.
        """
        if not pairs:
            return []
        future: Future[list[Chance]] = Future()
        self._waiting.append((tuple(pairs), future))
        await asyncio.sleep(GATHERING)
        self._thread.submit(self._work)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Score the pairs that wait; in the thread. Requests beyond one batch wait for the next."""
        batch: list[tuple[tuple[Pair, ...], Future[list[Chance]]]] = []
        while self._waiting and sum(len(pairs) for pairs, _ in batch) < MOST_PAIRS:
            pairs, future = self._waiting.pop(0)
            if future.set_running_or_notify_cancel():
                batch.append((pairs, future))
        distinct = list(dict.fromkeys(pair for pairs, _ in batch for pair in pairs))
        if not distinct:
            return
        try:
            known = dict(zip(distinct, self._score(distinct), strict=True))
        except Exception as error:  # noqa: BLE001 - the model may be of anybody
            for _, future in batch:
                future.set_exception(_failure(error))
            return
        for pairs, future in batch:
            future.set_result([known[pair] for pair in pairs])

    def _score(self, pairs: list[Pair]) -> list[Chance]:
        scores = np.asarray(
            self.model.predict(pairs, **_options_of(self.model)), dtype=np.float64
        ).reshape(len(pairs), -1)
        rows = probabilities(scores)
        if rows.shape[1] != len(self.labels):
            raise InputError(
                f"{self.name!r} gives {rows.shape[1]} numbers a pair, but has the labels "
                f"{', '.join(self.labels)}"
            )
        against = np.zeros(len(rows)) if self.contradicted is None else rows[:, self.contradicted]
        return [
            Chance(float(supported), float(contradicted))
            for supported, contradicted in zip(rows[:, self.supported], against, strict=True)
        ]


def probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows of probabilities: rows that are some already as they are, the softmax of others.

    Raises:
        CallError: A score is not a number, or a single output is no probability.

    Example:
        >>> probabilities(np.array([[0.25, 0.75], [5.0, 5.0]])).tolist()
        [[0.25, 0.75], [0.5, 0.5]]
    """
    if not np.isfinite(scores).all():
        raise CallError("the fact checker gave a score that is not a number")
    within = ((scores >= 0) & (scores <= 1)).all(axis=1)
    if scores.shape[1] == 1:
        if not within.all():
            raise CallError(
                "the fact checker has one output, which is no probability; expected [0, 1]"
            )
        return scores
    already = within & (np.abs(scores.sum(axis=1) - 1) <= UNIT)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    return np.where(already[:, None], scores, softmax)


def columns_of(labels: Sequence[str], model: str) -> tuple[int, int | None]:
    """Return the number of the output for support, from 0, and of that for contradiction, if any.

    Args:
        labels: The names of the outputs, in their order; models differ in it.
        model: Shown in the error.

    Raises:
        InputError: No name means support, or several do.

    Example:
        >>> columns_of(("CONTRADICTION", "Entailment", "neutral"), "m")
        (1, 0)
    """
    names = [_plain(label) for label in labels]
    supported = [number for number, name in enumerate(names) if name in SUPPORTED]
    contradicted = [number for number, name in enumerate(names) if name in CONTRADICTED]
    if len(supported) != 1 or len(contradicted) > 1:
        raise InputError(
            f"the labels of {model!r} are {', '.join(map(repr, labels))}; expected one of "
            "entailment or supported, and beside it contradiction and neutral, or not_entailment. "
            "If the model does judge support, name its outputs: "
            "`FactCheckOracle(model, labels=('contradiction', 'entailment', 'neutral'))`"
        )
    return supported[0], contradicted[0] if contradicted else None


def two_way_labels(labels: Sequence[str], model: str) -> tuple[str, ...]:
    """Return the labels of a MiniCheck model: unnamed, the second of its two means support.

    Raises:
        InputError: There are not two.
    """
    if len(labels) != 2:
        raise InputError(
            f"{model!r} has {len(labels)} labels, {', '.join(map(repr, labels))}; MiniCheck's "
            "models have two. For a model of natural-language inference say 'nli:MODEL'"
        )
    if all(UNNAMED.fullmatch(_plain(label)) for label in labels):
        return ("not_supported", "supported")
    return tuple(labels)


def labels_of(model: object) -> tuple[str, ...]:
    """Return the names of a model's outputs, in their order.

    Raises:
        InputError: It does not name them.
    """
    names = getattr(getattr(model, "config", None), "id2label", None)
    if not names:
        raise InputError(
            f"{model!r} does not name its outputs; name them in their order, as "
            "`FactCheckOracle(model, labels=('contradiction', 'entailment', 'neutral'))`"
        )
    return tuple(str(names[number]) for number in sorted(names))


def name_of(model: object) -> str:
    """Return a model's own name and its version.

    Raises:
        InputError: It has no name.
    """
    config = getattr(model, "config", None)
    name = str(getattr(config, "_name_or_path", "") or "")
    if not name:
        raise InputError(
            f"{model!r} has no name to keep its replies under; give it one, as "
            "`FactCheckOracle(model, name='my-checker-2')`, and another whenever it changes"
        )
    card = getattr(model, "model_card_data", None)  # of sentence-transformers' models
    revision = getattr(model, "revision", None) or getattr(card, "base_model_revision", None)
    return f"{name}@{version_of(name, revision)}"


def _plain(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", label.strip().lower()).strip("_")


def _limit_of(model: object) -> int:
    """Return the tokens that a model reads, by the names that such models have for it."""
    for attribute in ("limit", "max_seq_length", "max_length"):
        limit = getattr(model, attribute, None)
        if isinstance(limit, int) and 0 < limit < 1_000_000:  # "no limit" is a very large number
            return limit
    return USUAL_LIMIT


def _options_of(model: CrossEncoderLike) -> dict[str, ArrayLike]:
    """Return what sentence-transformers' models want to be told: probabilities, and no bar."""
    try:
        known = inspect.signature(model.predict).parameters
    except (TypeError, ValueError):  # written in C
        return {}
    wanted = {"apply_softmax": True, "show_progress_bar": False}
    return {name: value for name, value in wanted.items() if name in known}


def _failure(error: Exception) -> RagEvalError:
    if isinstance(error, RagEvalError):
        return error
    return CallError(f"the fact checker failed: {type(error).__name__}: {error}")
