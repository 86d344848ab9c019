"""Labels: what the outputs of a model mean, by the names that its configuration gives them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from llamaindex_rag_eval.errors import InputError

SUPPORTED = frozenset({"entailment", "entailed", "entails", "supported", "supports", "consistent"})
CONTRADICTED = frozenset({"contradiction", "contradicted", "contradicts", "refuted", "refutes"})
NEITHER = frozenset(
    {
        "neutral",
        "not_entailment",
        "not_entailed",
        "not_supported",
        "unsupported",
        "inconsistent",
        "not_mentioned",
        "not_enough_info",
        "nei",
    }
)
UNNAMED = re.compile(r"label_\d+|\d+")
"""The names that a configuration gives to outputs which nobody named."""


class Columns(NamedTuple):
    """Which output of a model means what.

    Attributes:
        supported: The number of the output for "the source supports the claim", from 0.
        contradicted: That for "the source contradicts it"; None if the model does not tell.
    """

    supported: int
    contradicted: int | None


def columns_of(labels: Sequence[str], model: str) -> Columns:
    """Return which output means what; by name, for models differ in their order.

    Args:
        labels: The names of the outputs, in their order.
        model: Shown in the error.

    Raises:
        InputError: A name is unknown, or none or several mean support.

    Example:
        >>> columns_of(("CONTRADICTION", "Entailment", "neutral"), "m")
        Columns(supported=1, contradicted=0)
    """
    names = [_plain(label) for label in labels]
    supported = [place for place, name in enumerate(names) if name in SUPPORTED]
    contradicted = [place for place, name in enumerate(names) if name in CONTRADICTED]
    unknown = [name for name in names if name not in SUPPORTED | CONTRADICTED | NEITHER]
    if unknown or len(supported) != 1 or len(contradicted) > 1:
        raise InputError(
            f"the labels of {model!r} are {', '.join(map(repr, labels))}; expected one of "
            "entailment or supported, and beside it contradiction and neutral, or not_entailment. "
            "If the model does judge support, name its outputs: "
            "`FactCheckOracle(model, labels=('contradiction', 'entailment', 'neutral'))`"
        )
    return Columns(supported[0], contradicted[0] if contradicted else None)


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


def _plain(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", label.strip().lower()).strip("_")
