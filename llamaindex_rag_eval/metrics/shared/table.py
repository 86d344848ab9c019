"""Tables of words beside the metrics: what they ask in words, and what other tools call them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def read_table(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a table by the name of its file: the name of a metric -> what is said of it."""
    text = (Path(__file__).parents[1] / f"{name}.yaml").read_text(encoding="utf-8")
    reader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C it takes a tenth of the time
    table: Mapping[str, Mapping[str, Any]] = yaml.load(text, Loader=reader)  # noqa: S506 - both safe
    return table
