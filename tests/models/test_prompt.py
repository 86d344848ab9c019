import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from llamaindex_rag_eval.errors import DatasetError, OutputError
from llamaindex_rag_eval.models import Example, Prompt
from llamaindex_rag_eval.models.prompt import json_in, strict_schema


class Given(BaseModel):
    text: str
    note: str = ""


class Part(BaseModel):
    """For people."""

    title: str
    default: int = 0


class Wanted(BaseModel):
    reason: str
    parts: tuple[Part, ...]


ECHO = Prompt[Given, Wanted](
    name="echo",
    instruction="Say it again.",
    input=Given,
    output=Wanted,
    examples=(
        Example(
            input=Given(text="a"),
            output=Wanted(reason="r", parts=(Part(title="t", default=1),)),
        ),
    ),
)


def test_the_strict_schema_requires_every_property_and_allows_no_other() -> None:
    part = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "default": {"type": "integer"}},
        "required": ["title", "default"],
        "additionalProperties": False,
    }
    assert strict_schema(Wanted) == {
        "$defs": {"Part": part},
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
        },
        "required": ["reason", "parts"],
        "additionalProperties": False,
    }


def test_the_fingerprint_changes_with_the_wording_and_only_with_it() -> None:
    changed: list[Prompt[Any, Any]] = [
        ECHO.changed(instruction="Say it once more."),
        ECHO.changed(examples=()),
        Prompt[Given, Given](
            name="echo",
            instruction=ECHO.instruction,
            input=Given,
            output=Given,
        ).changed(examples=()),
    ]
    prints = [ECHO.fingerprint, *(prompt.fingerprint for prompt in changed)]
    assert len(set(prints)) == 4
    assert ECHO.changed().fingerprint == ECHO.fingerprint
    assert ECHO.changed(language="de").fingerprint == ECHO.fingerprint


def test_the_examples_are_shown_as_json_without_what_says_nothing() -> None:
    assert 'Input: {"text":"a"}\nReply: {"reason":"r","parts":[' in ECHO.system
    assert ECHO.system.startswith("Say it again.")


def test_a_saved_prompt_is_loaded_in_its_words(tmp_path: Path) -> None:
    german = ECHO.changed(instruction="Sag es „nochmal“.", language="de")
    path = german.save(tmp_path / "deep" / "echo.json")
    loaded = ECHO.load(path)
    assert (loaded.instruction, loaded.language) == ("Sag es „nochmal“.", "de")
    assert loaded.examples == ECHO.examples
    assert loaded.fingerprint == german.fingerprint != ECHO.fingerprint


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a saved prompt"),
        ("[]", "not a saved prompt"),
        ('{"name": "other"}', "expected prompt 'echo', got 'other'"),
        ('{"name": "echo", "instruction": "x", "language": "en"}', "examples"),
        (
            json.dumps(
                {
                    "name": "echo",
                    "instruction": "x",
                    "language": "en",
                    "examples": [{"input": {}, "output": {}}],
                }
            ),
            "text",
        ),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "echo.json"
    path.write_text(content)
    with pytest.raises(DatasetError, match=message) as caught:
        ECHO.load(path)
    assert caught.value.file == str(path)


def test_a_missing_file_and_a_place_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        ECHO.load(tmp_path / "none.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        ECHO.save(tmp_path / "file" / "echo.json")


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
OBJECTS = st.dictionaries(
    st.text(),
    st.recursive(
        LEAVES, lambda x: st.lists(x) | st.dictionaries(st.text(), x, max_size=3), max_leaves=8
    ),
    max_size=4,
)
PROSE = st.text(st.characters(exclude_characters="{}`<>", exclude_categories=["Cs"]))


@settings(max_examples=60, deadline=None)
@given(OBJECTS, PROSE, PROSE)
def test_prose_around_an_object_is_passed_over(value: object, before: str, after: str) -> None:
    assert json_in(f"{before}{json.dumps(value)}{after}") == value


@settings(max_examples=60, deadline=None)
@given(OBJECTS, st.sampled_from(["json", "JSON", ""]))
def test_a_code_fence_is_passed_over(value: object, language: str) -> None:
    assert json_in(f"Here:\n```{language}\n{json.dumps(value, indent=1)}\n```\n") == value


@settings(max_examples=60, deadline=None)
@given(OBJECTS.filter(bool))
def test_every_truncation_is_an_error(value: object) -> None:
    text = json.dumps(value)
    for end in range(len(text)):
        with pytest.raises(ValueError, match=r"."):
            json_in(text[:end])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_object_or_an_error(text: str) -> None:
    try:
        found = json_in(text)
    except ValueError:
        return
    assert isinstance(found, dict)


@settings(max_examples=60, deadline=None)
@given(st.text(), st.lists(st.integers(), min_size=1, max_size=3))
def test_trailing_commas_are_forgiven_outside_of_strings(text: str, numbers: list[int]) -> None:
    inside = json.dumps(text + ",}" + text + ",]")
    written = f'{{"a": {inside}, "b": {str(numbers)[:-1]}, ], }}'
    assert json_in(written) == {"a": json.loads(inside), "b": numbers}


def test_braces_and_fences_in_strings_are_text() -> None:
    value = {"quote": 'use {"a": 1}, ```json {"b": 2}``` or }}{{', "n": 1}
    assert json_in(f"```json\n{json.dumps(value)}\n```") == value


def test_a_truncated_list_of_objects_is_not_its_first_entry() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        json_in('{"verdicts": [{"claim": 1, "verdict": "supported"}, {"claim": 2')


def test_a_brace_of_prose_is_not_the_object() -> None:
    assert json_in('As {you asked}: {"a": 1}') == {"a": 1}


def test_two_different_objects_are_one_too_many() -> None:
    with pytest.raises(ValueError, match="one whole JSON object"):
        json_in('{"verdict": true} or rather {"verdict": false}')


def test_the_same_object_twice_is_one() -> None:
    assert json_in('{"a": 1} I repeat: {"a":1}') == {"a": 1}


def test_a_fence_decides_between_objects() -> None:
    assert json_in('For {"a": 1} I say:\n```json\n{"b": 2}\n```') == {"b": 2}


def test_a_draft_among_thoughts_is_not_the_reply() -> None:
    said = '<think>Perhaps {"verdict": true}? {no</think>\n{"verdict": false}'
    assert json_in(said) == {"verdict": False}


@pytest.mark.parametrize(
    "text",
    ["", "no", "[1, 2]", "null", '{"a": NaN}', '{"a": Infinity}', '{"a": 1', "{", "{{{"],
)
def test_what_holds_no_whole_object_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_in(text)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "[" * 100_000, "{" * 200_000, '"{a}' * 50_000])
def test_hostile_nesting_is_an_error_and_does_not_take_for_ever(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_in(text)
