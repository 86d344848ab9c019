"""Values as text that is the same on every machine, in every version of Python, at every run."""

import hashlib
import inspect
import json
import re
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

DIGITS = 6
"""Decimal places of a number: sums of floats differ further to the right between machines."""

TAKEN = "<what answers take>"
"""A reason that is given where times differ enough: that differs from run to run."""

MASKS = (
    (re.compile(r"An answer of [^;]*? takes .* than one of [^.]*\."), TAKEN),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:<port>"),
    (re.compile(r"(?<![\w.])\d+(?:\.\d+)? (?:s|ms|seconds?|minutes?)\b"), "<duration>"),
    (re.compile(r" at 0x[0-9a-f]+"), ""),
    (re.compile(r"\b\d:\d\d(?::\d\d)?\b"), "<duration>"),
)
"""What differs from run to run -> what is written in its place."""

VOLATILE = {
    "started": "<time>",
    "created_at": "<time>",
    "seconds": "<duration>",
    "latency": "<duration>",
    "latencies": "<durations>",
    "versions": "<versions>",
}
"""Keys of JSON whose values differ from run to run or from machine to machine."""


def rounded(value: Any) -> Any:
    """Return plain data with its numbers rounded, and without what differs from run to run."""
    if isinstance(value, float):
        return 0.0 if abs(value) < 10**-DIGITS else round(value, DIGITS)
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        if "latency" in (value.get("metric"), value.get("name")):
            return {"latency": "<durations>"}
        if value.get("metric") == "tokens" and "p_adjusted" in value:
            value = {**value, "p_adjusted": "<by that of latency>"}  # they are one family
        return {
            str(key): VOLATILE[key] if key in VOLATILE and entry else rounded(entry)
            for key, entry in value.items()
        }
    if isinstance(value, list | tuple):
        return [entry for entry in map(rounded, value) if entry != TAKEN]
    return value


def masked(text: str, *more: tuple[str, str]) -> str:
    """Return a text without times, durations, ports and addresses of objects."""
    for exact, name in more:
        text = text.replace(exact, name)
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def as_json(value: Any) -> str:
    """Return plain data as sorted, indented JSON that ends with a line break."""
    return json.dumps(rounded(value), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def lines_of(rows: Mapping[str, Any]) -> str:
    """Return a mapping as JSON with one line for each entry, sorted by key."""
    lines = (
        f" {json.dumps(key, ensure_ascii=False)}: "
        + json.dumps(rounded(value), ensure_ascii=False, sort_keys=True)
        for key, value in sorted(rows.items())
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def digest(value: Any) -> str:
    """Return twelve hexadecimal digits for a text or plain data."""
    text = value if isinstance(value, str) else as_json(value)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def signature_text(function: Callable[..., Any]) -> str:
    """Return the signature of a function, with annotations by the last part of their names.

    `inspect` writes annotations differently from one version of Python to the next, and with the
    modules in which classes stand, which may move.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(?)"
    parameters = [
        parameter.replace(annotation=parameter.empty, default=_Shown.of(parameter.default))
        for parameter in signature.parameters.values()
    ]
    shown = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    for name, parameter in signature.parameters.items():
        if parameter.annotation is not parameter.empty:
            annotated = f"{name}: {annotation_text(parameter.annotation)}".replace("\\", r"\\")
            shown = re.sub(rf"(?<=[(\s*]){name}(?==|,|\)| )", annotated, shown, count=1)
    if signature.return_annotation is not signature.empty:
        shown += f" -> {annotation_text(signature.return_annotation)}"
    return masked(shown)


class _Shown:
    """A default value whose `repr` is the same everywhere."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    @classmethod
    def of(cls, default: Any) -> Any:
        if default is inspect.Parameter.empty:
            return default
        if isinstance(default, Path):
            return cls(f"Path({str(default)!r})")
        if inspect.isroutine(default) or inspect.isclass(default):
            return cls(default.__name__)
        return cls(repr(default))


T = TypeVar("T")


def annotation_text(annotation: Any) -> str:
    """Return an annotation as text.

    Example:
        >>> annotation_text(Union[int, None]), annotation_text("Sequence[str]")
        ('None | int', 'Sequence[str]')
        >>> annotation_text(Mapping[str, Literal["a", "b"]])
        "Mapping[str, Literal['a', 'b']]"
    """
    if isinstance(annotation, str):
        return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)", "", annotation)
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, list):  # the arguments of a Callable
        return f"[{', '.join(map(annotation_text, annotation))}]"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(sorted(map(annotation_text, arguments)))
    if origin is not None and hasattr(annotation, "__metadata__"):
        return annotation_text(arguments[0])
    if origin is not None:
        of = ", ".join("..." if each is Ellipsis else annotation_text(each) for each in arguments)
        return f"{annotation_text(origin)}[{of}]"
    if hasattr(annotation, "__forward_arg__"):
        return annotation_text(annotation.__forward_arg__)
    return str(getattr(annotation, "__name__", None) or annotation).rpartition(".")[2]
