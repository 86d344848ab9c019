"""The default mixes of question types and styles, and the kinds of questions: `mixes.yaml`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from testset.golden.item import QuestionType

_TABLES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))

MODEL_TYPES: Mapping[QuestionType, float] = _TABLES["model_types"]
RULE_TYPES: Mapping[QuestionType, float] = _TABLES["rule_types"]
STYLES: Mapping[str, float] = _TABLES["styles"]
KINDS: Mapping[str, Sequence[str]] = _TABLES["kinds"]
IN_KEY_WORDS = frozenset({"single_hop", "table", "unanswerable"})
"""The types that ask for one point, which a few key words can name: `web_search`."""


def fits_style(style: str, type_: str) -> bool:
    """Return whether a question of a type can be asked in a style."""
    return style != "web_search" or type_ in IN_KEY_WORDS
