"""The generic responder: what it fills in is what the schema admits."""

from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from tests.server.generic import fill, sentence


class Leaf(BaseModel):
    kind: Literal["leaf"]
    grade: Literal["low", "high"]
    share: float = Field(gt=0, lt=1)
    size: int = Field(ge=3, le=5)
    code: str = Field(min_length=20, max_length=25)


class Branch(BaseModel):
    kind: Literal["branch"]
    parts: Annotated[list["Tree"], Field(min_length=2, max_length=4)] | None
    pair: tuple[int, str]
    note: str | None = None
    flags: set[bool]


class Tree(BaseModel):
    node: Branch | Leaf
    others: list["Tree"] = []


def test_a_value_is_what_the_schema_admits() -> None:
    schema = Tree.model_json_schema()
    values = [fill(schema, seed) for seed in range(50)]
    # A set of booleans may draw one twice; uniqueness is not promised, so it is not checked.
    schema["$defs"]["Branch"]["properties"]["flags"].pop("uniqueItems")
    validator = Draft202012Validator(schema)
    for value in values:
        validator.validate(value)
        Tree.model_validate(value)


def test_the_seed_decides() -> None:
    schema: dict[str, Any] = Tree.model_json_schema()
    assert fill(schema, 1) == fill(schema, 1)
    assert len({repr(fill(schema, seed)) for seed in range(20)}) > 10
    assert sentence(4) == sentence(4)


def test_lists_have_one_to_three_elements_unless_the_schema_says_otherwise() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    assert {len(fill(schema, seed)) for seed in range(40)} == {1, 2, 3}
    assert {len(fill({**schema, "minItems": 5}, seed)) for seed in range(10)} == {5}
    assert fill({**schema, "maxItems": 0}, 0) == []


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7}, 7),
        ({"enum": ["a"]}, "a"),
        ({"type": ["null"]}, None),
        ({"allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"const": "x"}}}, "x"),
        ({"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}, {"a": 1}),
        ({"type": "integer", "exclusiveMinimum": 2, "exclusiveMaximum": 4}, 3),
    ],
)
def test_a_schema_with_one_value_gives_it(schema: dict[str, Any], value: object) -> None:
    assert fill(schema, 0) == value
