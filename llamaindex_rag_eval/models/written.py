"""Prompts whose words stand in a file: English beside the request, read when first used."""

import sys
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from llamaindex_rag_eval.models.prompt import Prompt

LANGUAGES = "languages"
"""The folder beside a request's module that holds a folder for each language."""


class WrittenPrompt:
    """The `prompt` of a request, in the words of `languages/en/NAME.yaml` beside its module."""

    def __init__(
        self, name: str, input_model: type[BaseModel] | None, output_model: type[BaseModel] | None
    ) -> None:
        self._name, self._input, self._output = name, input_model, output_model

    def __set_name__(self, owner: type[Any], attribute: str) -> None:
        self._request = owner

    def __get__(self, request: object, kind: type[object]) -> Prompt[Any, Any]:
        return self._prompt

    @cached_property
    def _prompt(self) -> Prompt[Any, Any]:
        module = Path(str(sys.modules[self._request.__module__].__file__))
        prompt = Prompt[Any, Any](
            name=self._name,
            instruction="",
            input=self._input or self._request,
            output=self._output or self._request.reply,
        )
        return prompt.load(module.parent / LANGUAGES / "en" / f"{self._name}.yaml")


def written(
    name: str,
    input_model: type[BaseModel] | None = None,
    output_model: type[BaseModel] | None = None,
) -> Any:  # a descriptor, which is a `Prompt` to who reads it
    """Return the prompt of a request whose words stand in `languages/en/NAME.yaml`.

    Args:
        name: The name of the prompt and of its file.
        input_model: What a model is sent, where this is not the request itself, field by field.
        output_model: What a model replies, where this is not the reply of the request.
    """
    return WrittenPrompt(name, input_model, output_model)
