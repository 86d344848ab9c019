"""Traffic files: the categories of a traffic in YAML."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from testset.generation.mixes import KINDS
from testset.generation.traffic import AXES, Category, check_shares, check_value


def _text(value: object) -> str:
    if isinstance(value, bool):  # YAML takes the code of Norwegian for one
        value = "yes" if value else "no"
    if isinstance(value, list | dict) or value is None or not str(value).strip():
        raise ValueError("expected a text")
    return " ".join(str(value).split())


def _shares(value: object) -> Mapping[str, Any]:
    """Return values with their shares: of one value, or of a list, equal ones."""
    if isinstance(value, dict):
        return {_text(name): share for name, share in value.items()}
    texts = dict.fromkeys(map(_text, value if isinstance(value, list) else [value]))
    return dict.fromkeys(texts, 1 / max(1, len(texts)))


def _number(value: object) -> object:
    return value.rstrip("% ") if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
Share = Annotated[float, BeforeValidator(_number)]
Shares = Annotated[dict[str, Share], BeforeValidator(_shares)]


class CategoryEntry(BaseModel):
    """A category as the file has it: an axis that is not there is left open."""

    model_config = ConfigDict(extra="forbid")

    name: Text = ""
    share: Share
    about: Text = ""
    user: Shares = {}
    type: Shares = {}
    kind: Shares = {}
    style: Shares = {}
    language: Shares = {}
    difficulty: Shares = {}
    length: Shares = {}

    @property
    def category(self) -> Category:
        """The category."""
        axes = {axis: shares for axis in AXES if (shares := getattr(self, axis))}
        return Category(self.share, axes, self.name, self.about)

    @field_validator(*AXES)
    @classmethod
    def _check(cls, shares: dict[str, float], info: ValidationInfo) -> dict[str, float]:
        axis: Any = info.field_name
        for value in shares:
            check_value(axis, value)
        check_shares(shares, "the shares")
        types = info.data.get("type") or KINDS
        for kind in shares if axis == "kind" else ():
            if not any(kind in KINDS.get(name, ()) for name in types):
                owner = next(name for name, kinds in KINDS.items() if kind in kinds)
                message = f"{kind!r} is a kind of {owner!r} questions"
                raise ValueError(f"{message}, and the types here are {', '.join(types)}")
        return shares


class TrafficFile(BaseModel):
    """A traffic as its file describes it."""

    model_config = ConfigDict(extra="forbid")

    categories: tuple[CategoryEntry, ...] = Field(min_length=1)

    @field_validator("categories")
    @classmethod
    def _add_up(cls, entries: tuple[CategoryEntry, ...]) -> tuple[CategoryEntry, ...]:
        shares = {f"category {number}": entry.share for number, entry in enumerate(entries, 1)}
        check_shares(shares, "the shares of the categories")
        return entries
