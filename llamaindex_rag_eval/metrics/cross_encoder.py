"""Cross-encoders: models that read two texts together and say how alike they are."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

from llamaindex_rag_eval.errors import CallError

__all__ = ["CrossEncoderLike", "cross_encoder_score"]

_one_at_a_time = threading.Lock()
"""Tokenizers of transformers may not be used by two threads at once."""


@runtime_checkable
class CrossEncoderLike(Protocol):
    """What `sentence_transformers.CrossEncoder` is, or anything that predicts as it does."""

    def predict(self, sentences: Sequence[tuple[str, str]]) -> Iterable[float]:
        """Return one number a pair of texts."""
        ...


async def cross_encoder_score(encoder: str | CrossEncoderLike, first: str, second: str) -> float:
    """Return what a cross-encoder says of two texts, from a thread of its own.

    Args:
        encoder: The encoder, or the name or folder of a HuggingFace model, loaded once.
        first: A text.
        second: A text.

    Returns:
        The model's number: most models with one output give a share in [0, 1].

    Raises:
        CallError: The model cannot be loaded, or does not give one number a pair.
    """
    return await asyncio.to_thread(_score, encoder, first, second)


def _score(encoder: str | CrossEncoderLike, first: str, second: str) -> float:
    with _one_at_a_time:
        try:
            model = _loaded(encoder) if isinstance(encoder, str) else encoder
            (score,) = model.predict([(first, second)])
            return float(score)
        except Exception as error:  # every library has errors of its own
            raise CallError(
                f"the cross-encoder {encoder!r} gave no number: {type(error).__name__}: {error}"
            ) from error


@lru_cache(maxsize=4)
def _loaded(name: str) -> CrossEncoderLike:
    from sentence_transformers import CrossEncoder

    model: CrossEncoderLike = CrossEncoder(name)
    return model
