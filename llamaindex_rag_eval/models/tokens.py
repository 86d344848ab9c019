"""Tokens of a text, counted here: an estimate where no provider counts them."""

import re
from collections.abc import Callable
from functools import lru_cache


@lru_cache(maxsize=1024)
def tokens_of(text: str) -> int:
    """Return the number of tokens of a text, by the tokenizer that LlamaIndex ships."""
    return _counter()(text)


@lru_cache(maxsize=1)
def _counter() -> Callable[[str], int]:
    from llama_index.core.utils import get_tokenizer

    try:
        tokenize = get_tokenizer()
    except Exception:  # noqa: BLE001 - its table may have to be fetched; then count words
        return lambda text: len(re.findall(r"\w{1,5}|[^\w\s]", text))
    return lambda text: len(tokenize(text))
