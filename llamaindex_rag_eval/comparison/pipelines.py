"""Grids: every setting of every retriever or query engine, each under a name that says which."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TypeVar

from llamaindex_rag_eval.errors import InputError

__all__ = ["grid"]

Made = TypeVar("Made")


def grid(
    makers: Mapping[str, Callable[..., Made]], **settings: Sequence[object]
) -> dict[str, Made]:
    """Return what each maker makes of each combination of settings, by name, as `compare` takes it.

        bm25 = partial(BM25Retriever.from_defaults, nodes=nodes)
        grid({"bm25": bm25, "dense": index.as_retriever}, similarity_top_k=[2, 5, 10])

    Args:
        makers: Name -> function that makes an engine, or a retriever, of the settings as keywords.
        settings: Setting -> the values it takes.

    Returns:
        Name with settings -> engine: makers in their order, the last setting changing fastest.

    Raises:
        InputError: There is no maker, or a setting has no value.

    Example:
        >>> list(grid({"bm25": lambda top_k: str}, top_k=[2, 5]))
        ['bm25 top_k=2', 'bm25 top_k=5']
    """
    empty = [key for key, values in settings.items() if not values]
    if not makers or empty:
        what = f"a value of {empty[0]!r}" if empty else "a maker of engines"
        raise InputError(f"a grid needs at least {what}")
    combinations = [
        dict(zip(settings, values, strict=True)) for values in product(*settings.values())
    ]
    return {
        " ".join([name, *(f"{key}={value}" for key, value in chosen.items())]): make(**chosen)
        for name, make in makers.items()
        for chosen in combinations
    }
