import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from llamaindex_rag_eval.errors import DatasetError, OutputError
from llamaindex_rag_eval.models import Example, Prompt
from llamaindex_rag_eval.models.prompt import strict_schema


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
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "parts": {"type": "array", "items": part},
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


def test_a_file_in_yaml_leaves_what_it_does_not_say_to_the_one_that_it_extends(
    tmp_path: Path,
) -> None:
    files = {
        "frame": "{language: de, frame: Nur JSON.}",
        "common": "{extends: frame, instruction: 'Erst dies. {task} Dann das.'}",
        "echo": "{name: echo, extends: common, task: Sag es., examples: []}",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    loaded = ECHO.load(tmp_path / "echo.yaml")
    assert (loaded.language, loaded.system) == ("de", "Erst dies. Sag es. Dann das.\n\nNur JSON.")
    (tmp_path / "echo.yaml").write_text("name: [", encoding="utf-8")
    with pytest.raises(DatasetError, match="not a saved prompt"):
        ECHO.load(tmp_path / "echo.yaml")


def test_an_example_has_no_field_that_its_model_has_not(tmp_path: Path) -> None:
    path = ECHO.save(tmp_path / "echo.json")
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["examples"][0]["input"]["who built it, die"] = None  # as YAML reads an unquoted comma
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(DatasetError, match="has 'who built it, die', which Given has not"):
        ECHO.load(path)
    saved["examples"][0]["input"] = {"text": "a", "history": ""}  # of an earlier version
    path.write_text(json.dumps(saved), encoding="utf-8")
    assert ECHO.load(path).examples == ECHO.examples


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
