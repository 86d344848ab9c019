"""Words of metrics, by their names: criteria and scales in `criteria.yaml`, and other tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Level

_NUMBER = re.compile(r"\d+")


def read_table(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a table by the name of its file: the name of a metric -> what is said of it."""
    text = (Path(__file__).parents[1] / f"{name}.yaml").read_text(encoding="utf-8")
    reader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C it takes a tenth of the time
    table: Mapping[str, Mapping[str, Any]] = yaml.load(text, Loader=reader)  # noqa: S506 - both safe
    return table


@dataclass(frozen=True, slots=True)
class Criterion:
    """What is judged, and what an answer of each level is like, the lowest first."""

    definition: str = ""
    levels: tuple[Level, ...] = ()


def rubric_levels(rubric: Mapping[int, str] | Mapping[str, str]) -> tuple[Level, ...]:
    """Return the levels of a rubric, the lowest first.

    Args:
        rubric: Level -> description; a level is a number, or a name with one in it, as
            `score3_description`.

    Raises:
        InputError: A name has no number, or there are fewer than two levels.

    Example:
        >>> [level.value for level in rubric_levels({"score2_description": "b", "score1": "a"})]
        [1, 2]
    """
    levels: dict[int, str] = {}
    for name, description in rubric.items():
        number = _NUMBER.search(str(name))
        if number is None:
            raise InputError(f"a level of a rubric needs a number, got {name!r}")
        levels[int(number[0])] = description
    if len(levels) < 2:
        raise InputError(f"a rubric needs two levels or more, got {dict(rubric)!r}")
    return tuple(Level(value=value, description=levels[value]) for value in sorted(levels))


def level_share(level: int, scale: Sequence[Level]) -> float:
    """Return how far up its scale a level is: 0 for the lowest, 1 for the highest.

    Args:
        level: The value of the level chosen.
        scale: All levels, two or more, in any order.

    Returns:
        A number in [0, 1] that grows evenly with the level's value.

    Raises:
        InputError: The scale has fewer than two levels, or not this one.

    Example:
        >>> level_share(3, rubric_levels({1: "Bad.", 2: "Poor.", 3: "Fair.", 5: "Good."}))
        0.5
    """
    values = {each.value for each in scale}
    if len(values) < 2 or level not in values:
        raise InputError(f"expected a level of a scale of two or more, got {level!r} of {values!r}")
    return (level - min(values)) / (max(values) - min(values))


def _criterion(words: Mapping[str, Any]) -> Criterion:
    levels = rubric_levels(words["levels"]) if "levels" in words else ()
    return Criterion(words.get("definition", ""), levels)


CRITERIA: Mapping[str, Criterion] = {
    name: _criterion(words) for name, words in read_table("criteria").items()
}


class Worded:
    """A metric that takes its words from the table, by its name.

    Attributes:
        definition: What is to be judged, or when an aspect is there, as a question.
        levels: The scale, each level described, the lowest first; empty for a yes or no.
    """

    definition = ""
    levels: ClassVar[tuple[Level, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if words := CRITERIA.get(vars(cls).get("name", "")):
            cls.definition, cls.levels = words.definition, words.levels
