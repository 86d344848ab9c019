"""Embeddings from hashed words: texts that share words point the same way."""

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from hashlib import shake_128

import numpy as np
from numpy.typing import NDArray

from tests.server.responder import JsonObject

DIMENSIONS = 64

WORD = re.compile(r"\w+")


def embed(text: str, *, dimensions: int = DIMENSIONS) -> NDArray[np.float32]:
    """Return the unit vector of a text; a text without words gives the first axis."""
    words = WORD.findall(text.lower())
    total = np.zeros(dimensions, dtype=np.float32)
    for word in words:
        total += _word_vector(word, dimensions)
    length = float(np.linalg.norm(total))
    if length == 0:
        total[0] = length = 1
    return total / np.float32(length)


def embedding_data(body: JsonObject) -> list[JsonObject]:
    """Return the `data` list of an embeddings reply, one entry per input, in order."""
    dimensions = body.get("dimensions", DIMENSIONS)
    as_base64 = body.get("encoding_format", "float") == "base64"
    data: list[JsonObject] = []
    for index, text in enumerate(_texts(body["input"])):
        vector = embed(text, dimensions=dimensions)
        coded = b64encode(vector.astype("<f4").tobytes()).decode() if as_base64 else vector.tolist()
        data.append({"object": "embedding", "index": index, "embedding": coded})
    return data


def _texts(given: str | Sequence[str | int | Sequence[int]]) -> list[str]:
    if isinstance(given, str):
        return [given]
    if given and isinstance(given[0], int):
        return [" ".join(map(str, given))]
    return [entry if isinstance(entry, str) else " ".join(map(str, entry)) for entry in given]  # type: ignore[arg-type]  # an int stands only in a list of ints


@lru_cache(maxsize=65536)
def _word_vector(word: str, dimensions: int) -> NDArray[np.float32]:
    drawn = np.frombuffer(shake_128(word.encode()).digest(dimensions), dtype=np.int8)
    vector = drawn.astype(np.float32) + np.float32(0.5)
    unit: NDArray[np.float32] = vector / np.float32(np.linalg.norm(vector))
    return unit
