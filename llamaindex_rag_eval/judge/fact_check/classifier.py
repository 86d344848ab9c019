"""Checking by a classifier of pairs: labels to chances, pairs in batches, off the event loop."""

import asyncio
import copy
import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from llamaindex_rag_eval.errors import CallError, InputError, RagEvalError
from llamaindex_rag_eval.judge.fact_check.checker import THRESHOLD, Chance, Pair
from llamaindex_rag_eval.judge.fact_check.labels import columns_of
from llamaindex_rag_eval.models.pair_classifier import version_of

WINDOW = 400
"""Tokens of a source that are read at a time, as by MiniCheck's authors (Tang et al. 2024,
https://github.com/Liyan06/MiniCheck)."""

USUAL_LIMIT = 512
"""Tokens that a model is taken to read if it does not say: those of BERT."""

BYTES_A_TOKEN = 3
"""Bytes of UTF-8, a cautious estimate, for models without a tokenizer."""

GATHERING = 0.005
"""Seconds for which pairs are collected before the first batch goes to the model."""

MOST_PAIRS = 256
"""Pairs from which a batch takes in no further request."""

UNIT = 1e-3
"""How far the sum of a row of probabilities may be from 1."""


@runtime_checkable
class CrossEncoderLike(Protocol):
    """A model that scores pairs of texts, as `sentence_transformers.CrossEncoder` does."""

    def predict(self, pairs: Any, /) -> Any:
        """Return a row of numbers for each pair: a logit or a probability for each label."""
        ...


class ClassifierChecker:
    """A fact checker over any model with `predict`, three-way or two-way by its labels.

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

    quick = True

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
        self.name = name or _name_of(model)
        self.labels = tuple(labels or _labels_of(model))
        self.columns = columns_of(self.labels, self.name)
        self.limit = _limit_of(model)
        self.window = window
        self.threshold = threshold
        self._options = _options_of(model)
        self._queue = PairQueue(self._score)
        # The model's own tokenizer is at work in another thread, and takes one call at a time.
        self._tokenizer = copy.deepcopy(getattr(model, "tokenizer", None))

    def __repr__(self) -> str:
        return f"ClassifierChecker({self.name!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        if self._tokenizer is None or not texts:
            return [-(-len(text.encode()) // BYTES_A_TOKEN) for text in texts]
        found = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)
        return [len(ids) for ids in found["input_ids"]]

    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return the probabilities of each pair; the model runs in a thread.

        Raises:
            CallError: The model failed.
        """
        return await self._queue.chances(pairs)

    def _score(self, pairs: list[Pair]) -> list[Chance]:
        scores = np.asarray(self.model.predict(pairs, **self._options), dtype=np.float64)
        rows = probabilities(scores.reshape(len(pairs), -1))
        if rows.shape[1] != len(self.labels):
            raise InputError(
                f"{self.name!r} gives {rows.shape[1]} numbers a pair, but has the labels "
                f"{', '.join(self.labels)}"
            )
        supported, against = self.columns
        return [
            Chance(float(row[supported]), 0.0 if against is None else float(row[against]))
            for row in rows
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


@dataclass
class _Waiting:
    """What waits in one event loop."""

    requests: list[tuple[tuple[Pair, ...], asyncio.Future[list[Chance]]]] = field(
        default_factory=list
    )
    worker: asyncio.Task[None] | None = None


class PairQueue:
    """Score pairs in a thread, one batch at a time; what comes meanwhile is the next batch."""

    def __init__(self, score: Callable[[list[Pair]], list[Chance]]) -> None:
        self.score = score
        self._begin()

    def __getstate__(self) -> dict[str, object]:
        """Return the settings only: what waits belongs to the event loops of this process."""
        return {"score": self.score}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings, with nothing waiting."""
        self.score = state["score"]
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting] = WeakKeyDictionary()

    async def chances(self, pairs: Sequence[Pair]) -> list[Chance]:
        """Return the score of each pair, in order.

        Raises:
            CallError: They could not be scored.
        """
        if not pairs:
            return []
        loop = asyncio.get_running_loop()
        here = self._by_loop.setdefault(loop, _Waiting())
        future: asyncio.Future[list[Chance]] = loop.create_future()
        here.requests.append((tuple(pairs), future))
        if here.worker is None or here.worker.done():
            here.worker = loop.create_task(self._work(here))
        return await future

    async def _work(self, here: _Waiting) -> None:
        await asyncio.sleep(GATHERING)
        while here.requests:
            batch, size = [], 0
            while here.requests and size < MOST_PAIRS:
                batch.append(here.requests.pop(0))
                size += len(batch[-1][0])
            distinct = list(dict.fromkeys(pair for pairs, _ in batch for pair in pairs))
            try:
                found = await asyncio.to_thread(self._locked, distinct)
            except Exception as error:  # noqa: BLE001 - the model may be of anybody
                failure = error if isinstance(error, RagEvalError) else _failure(error)
                for _, future in batch:
                    if not future.done():
                        future.set_exception(failure)
                continue
            known = dict(zip(distinct, found, strict=True))
            for pairs, future in batch:
                if not future.done():
                    future.set_result([known[pair] for pair in pairs])

    def _locked(self, pairs: list[Pair]) -> list[Chance]:
        with self._lock:
            return self.score(pairs)


def _failure(error: Exception) -> CallError:
    return CallError(f"the fact checker failed: {type(error).__name__}: {error}")


def _labels_of(model: object) -> tuple[str, ...]:
    names = getattr(getattr(model, "config", None), "id2label", None)
    if not names:
        raise InputError(
            f"{model!r} does not name its outputs; name them in their order, as "
            "`FactCheckOracle(model, labels=('contradiction', 'entailment', 'neutral'))`"
        )
    return tuple(str(names[number]) for number in sorted(names))


def _name_of(model: object) -> str:
    """Return the model's own name, with a hash of its folder or the commit of the hub."""
    config = getattr(model, "config", None)
    found = str(getattr(config, "_name_or_path", "") or "")
    if not found:
        raise InputError(
            f"{model!r} has no name to keep its replies under; give it one, as "
            "`FactCheckOracle(model, name='my-checker-2')`, and another whenever it changes"
        )
    card = getattr(model, "model_card_data", None)
    return f"{found}@{version_of(found, getattr(card, 'base_model_revision', None))}"


def _limit_of(model: object) -> int:
    """Return the tokens that a model reads, by the names that such models have for it."""
    for attribute in ("limit", "max_seq_length", "max_length"):
        found = getattr(model, attribute, None)
        if isinstance(found, int) and 0 < found < 1_000_000:  # "no limit" is a very large number
            return found
    return USUAL_LIMIT


def _options_of(model: CrossEncoderLike) -> dict[str, ArrayLike]:
    """Return what sentence-transformers' models want to be told: probabilities, and no bar."""
    try:
        known = inspect.signature(model.predict).parameters
    except (TypeError, ValueError):  # written in C
        return {}
    wanted = {"apply_softmax": True, "show_progress_bar": False}
    return {name: value for name, value in wanted.items() if name in known}
