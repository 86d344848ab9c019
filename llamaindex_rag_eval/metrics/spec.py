"""Specs: a metric with its settings as one string, written and parsed.

`ndcg@10`, `factual_correctness(mode=recall)`, `rubric(levels={1: 'Wrong.', 2: 'Right.'})`. The
settings between the brackets are read as data and never run.
"""

import ast
import keyword
import re
from collections.abc import Mapping

from llamaindex_rag_eval.errors import InputError

LONGEST = 20_000
"""Largest number of characters of a spec; room for settings that hold whole rubrics."""

_SHAPE = re.compile(
    r"\s*(?P<name>[^@()]+?)\s*(?:@\s*(?P<k>\d{1,9}))?\s*(?:\((?P<inside>.*)\))?\s*", re.DOTALL
)


def format_spec(name: str, settings: Mapping[str, object]) -> str:
    """Return a name and settings as one string, which `parse_spec` parses.

    Example:
        >>> format_spec("ndcg", {"k": 10, "gain": "exponential"})
        'ndcg@10(gain=exponential)'
    """
    rest = {key: value for key, value in settings.items() if key != "k"}
    rank = f"@{settings['k']}" if "k" in settings else ""
    inside = ",".join(f"{key}={_format_value(value)}" for key, value in rest.items())
    return f"{name}{rank}{f'({inside})' if inside else ''}"


def parse_spec(spec: str) -> tuple[str, dict[str, object]]:
    """Return the name and the settings of a spec.

    Values are numbers, `True`, `False`, `None`, plain or quoted strings, and tuples, lists and
    mappings of them.

    Raises:
        InputError: It is not written like a spec.

    Example:
        >>> parse_spec("ndcg@10(gain=exponential)")
        ('ndcg', {'k': 10, 'gain': 'exponential'})
    """
    match = _SHAPE.fullmatch(spec) if len(spec) <= LONGEST else None
    if match is None:
        raise InputError(f"{spec!r} is no metric; expected 'name', 'name@k' or 'name(key=value)'")
    rank: dict[str, object] = {"k": int(match["k"])} if match["k"] else {}
    inside = _parse_settings(match["inside"], spec) if match["inside"] else {}
    if rank and "k" in inside:
        raise InputError(f"{spec!r} gives 'k' twice")
    return match["name"], {**rank, **inside}


def _parse_settings(inside: str, spec: str) -> dict[str, object]:
    try:
        call = ast.parse(f"_({inside})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError("no list of key=value")
        names = [word.arg for word in call.keywords]
        if None in names or len(set(names)) < len(names):
            raise ValueError("each setting has a name, and each name comes once")
        return {str(word.arg): _parse_value(word.value) for word in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise InputError(
            f"the settings of {spec!r} cannot be read ({error}); expected key=value, …"
        ) from None


def _parse_value(node: ast.expr) -> object:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Tuple):
        return tuple(_parse_value(part) for part in node.elts)
    return ast.literal_eval(node)


def _format_value(value: object) -> str:
    if isinstance(value, str):
        plain = value.isascii() and value.isidentifier() and not keyword.iskeyword(value)
        return value if plain else repr(value)
    return repr(value)
