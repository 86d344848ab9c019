"""Files that people write in YAML: what one describes, or which line of it is amiss."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError
from yaml import MappingNode, Node, ScalarNode, SequenceNode
from yaml.constructor import ConstructorError

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import DatasetError

ModelT = TypeVar("ModelT", bound=BaseModel)


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # it has no types
    """Makes plain values, no objects; a key that comes twice is an error."""

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> Any:
        keys = [key for key, _ in node.value if isinstance(key, ScalarNode)]
        first = {key.value: key for key in reversed(keys)}
        for key in keys:
            if first[key.value] is not key:
                problem = f"key {key.value!r} comes twice"
                raise ConstructorError(problem=problem, problem_mark=key.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path, kind: type[ModelT]) -> ModelT:
    """Return what a file describes.

    Args:
        path: The file.
        kind: What it describes; it takes no other keys than its own.

    Raises:
        DatasetError: It cannot be read, is not YAML, or has a key or a value that is not expected;
            it says in which line.
    """
    text = read_text(path)
    root: Node | None = None
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        data = None if root is None else loader.construct_document(root)
        return kind.model_validate(data or {})
    except ValidationError as error:
        raise _error(error, kind, root, str(path)) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error) or type(error).__name__
        line = None if mark is None else mark.line + 1
        raise DatasetError(f"expected YAML: {reason}", file=str(path), line=line) from None


def _error(
    error: ValidationError, kind: type[BaseModel], root: Node | None, path: str
) -> DatasetError:
    """Return the first of the errors, an unknown key before others, with what is known instead."""
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    *above, key = first["loc"] or ("",)
    reason = first["msg"].replace("Input should", "should").replace("Value error, ", "")
    if first["type"] == "extra_forbidden":
        reason = f"unknown key {key!r}; expected {', '.join(_fields_of(kind, above))}"
    elif first["type"] == "missing":
        reason = f"{key!r} is missing"
    else:
        above.append(key)
    if first["type"] == "too_short":
        reason = "expected at least one entry, got none"
    # Entries of a list are counted from 1.
    steps = (str(step + 1 if isinstance(step, int) else step) for step in above)
    return DatasetError(
        reason, file=path, line=_line_of(root, first["loc"]), field=".".join(filter(None, steps))
    )


def _fields_of(kind: Any, steps: Sequence[object]) -> Mapping[str, object]:
    """Return the fields of what the entries on the way to a value are."""
    for step in steps:
        kind = kind.model_fields[step].annotation if isinstance(step, str) else get_args(kind)[0]
    fields: Mapping[str, object] = kind.model_fields
    return fields


def _line_of(node: Node | None, steps: Sequence[object]) -> int:
    """Return the line of a value, or of the nearest that there is on the way to it."""
    for step in steps:
        if isinstance(node, SequenceNode) and isinstance(step, int):
            node = node.value[step]
        elif isinstance(node, MappingNode):
            node = next((value for key, value in node.value if key.value == step), node)
    return 1 if node is None else node.start_mark.line + 1
