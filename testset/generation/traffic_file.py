"""Traffic files: YAML, read with the line of everything, so that a mistake is found at once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import yaml
from yaml import MappingNode, Node, ScalarNode, SequenceNode

from llamaindex_rag_eval.errors import InputError
from testset.generation.mixes import KINDS
from testset.generation.traffic import (
    AXES,
    Axis,
    Category,
    Traffic,
    check_shares,
    check_value,
)

KEYS = ("name", "share", "about", *AXES)
"""The keys of a category."""


def read_traffic(path: str | Path) -> Traffic:
    """Return the traffic of a YAML file.

    Raises:
        InputError: The file cannot be read or is no traffic; the message names line and key.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from error
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        categories = tuple(map(_category, _categories(root)))
        with _line_of(root):
            return Traffic(categories, source=Path(path).name)
    except yaml.YAMLError as error:
        raise InputError(f"{str(path)!r} is no YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise InputError(f"{str(path)!r} is nested too deeply") from error
    except _MisfitError as error:
        raise InputError(f"{str(path)!r}, {error}") from error


class _MisfitError(Exception):
    """A node that is not what was expected, with its line."""

    def __init__(self, node: Node | None, message: str) -> None:
        line = 1 if node is None else node.start_mark.line + 1
        super().__init__(f"line {line}: {message}")


@contextmanager
def _line_of(node: Node | None) -> Iterator[None]:
    """Name the line of a node in the error of a check."""
    try:
        yield
    except InputError as error:
        raise _MisfitError(node, str(error)) from error


def _categories(root: Node | None) -> list[Node]:
    rows = _entries(root, "a mapping with the key 'categories'", ("categories",))
    listed = rows.get("categories")
    if not isinstance(listed, SequenceNode) or not listed.value:
        raise _MisfitError(listed or root, "expected a list of categories under 'categories'")
    return list(listed.value)


def _category(node: Node) -> Category:
    rows = _entries(node, "a category: a mapping with 'share' and what its questions are", KEYS)
    if "share" not in rows:
        raise _MisfitError(node, "key 'share' is missing: how much of the traffic it is")
    axes = {key: _values(key, rows[key]) for key in AXES if key in rows}
    _check_kinds(axes, rows.get("kind"))
    name = _text(rows["name"], "name") if "name" in rows else ""
    about = _text(rows["about"], "about") if "about" in rows else ""
    return Category(_number(rows["share"], "share"), axes, name, about)


def _values(axis: Axis, node: Node) -> Mapping[str, float]:
    """Return the values of an axis with their shares: of one value, or of a list, equal ones."""
    if isinstance(node, ScalarNode):
        nodes, shares = [node], {_text(node, axis): 1.0}
    elif isinstance(node, SequenceNode):
        nodes = list(node.value)
        texts = [_text(entry, axis) for entry in nodes]
        shares = dict.fromkeys(texts, 1 / max(1, len(set(texts))))
    else:
        rows = _entries(node, f"key {axis!r}: a value, a list of them, or values with shares")
        nodes = [key for key, _ in cast(MappingNode, node).value]
        shares = {value: _number(row, f"{axis}: {value}") for value, row in rows.items()}
    for entry, value in zip(nodes, shares, strict=False):
        with _line_of(entry):
            check_value(axis, value)
    with _line_of(node):
        check_shares(shares, f"key {axis!r}: the shares")
    return shares


def _check_kinds(axes: Mapping[Axis, Mapping[str, float]], node: Node | None) -> None:
    """Require that each kind of a category is one of a type of it."""
    types = axes.get("type", KINDS)
    for kind in axes.get("kind", {}):
        if not any(kind in KINDS.get(name, ()) for name in types):
            owner = next(name for name, kinds in KINDS.items() if kind in kinds)
            message = f"key 'kind': {kind!r} is a kind of {owner!r} questions"
            raise _MisfitError(node, f"{message}, and the types here are {', '.join(types)}")


def _entries(node: Node | None, expected: str, known: Sequence[str] = ()) -> dict[str, Node]:
    """Return the keys of a mapping with their values.

    Raises:
        _MisfitError: It is no mapping, or a key comes twice or is not known.
    """
    if not isinstance(node, MappingNode):
        raise _MisfitError(node, f"expected {expected}")
    rows: dict[str, Node] = {}
    for key, value in node.value:
        name = _text(key, "a key")
        if name in rows:
            raise _MisfitError(key, f"key {name!r} comes twice")
        if known and name not in known:
            others = f"any of {', '.join(known)}" if known[1:] else repr(known[0])
            raise _MisfitError(value, f"unknown key {name!r}; expected {others}")
        rows[name] = value
    return rows


def _text(node: Node, what: str) -> str:
    if not isinstance(node, ScalarNode) or not node.value.strip():
        raise _MisfitError(node, f"key {what!r}: expected a text")
    return " ".join(node.value.split())


def _number(node: Node, what: str) -> float:
    text = _text(node, what)
    try:
        return float(text.rstrip("% "))
    except ValueError:
        raise _MisfitError(node, f"key {what!r}: expected a number, got {text!r}") from None
