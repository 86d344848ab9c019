"""Plain text: without the codes by which a text could command a terminal."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

CONTROL_CODES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor and screen (CSI)
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c)"  # titles, links, clipboard (OSC, DCS, SOS, PM, APC)
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|\r(?!\n)"  # back to the start of a line, to write over it
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]",
    re.DOTALL,
)
"""The sequences of ECMA-48, and all other controls but tabs and the ends of lines."""


def plain_text(text: str) -> str:
    r"""Return a text without control codes; tabs and ends of lines stay.

    Example:
        >>> plain_text("\x1b[31mred\x1b[0m \x1b]0;title\x07\x9b2Jand\x08\tthe rest\n")
        'red and\tthe rest\n'
    """
    return CONTROL_CODES.sub("", text)


def json_safe(text: str) -> str:
    r"""Return JSON with its control characters written as escapes, as it may have above 127.

    Example:
        >>> json_safe('{"a": "\x9b2J"}')
        '{"a": "\\u009b2J"}'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(r"[\x7f-\x9f]", lambda match: f"\\u{ord(match[0]):04x}", text)


_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}"
)
"""An escaped backslash, a pair of surrogates, or half of one, as JSON has them."""
_HALF = len(r"\ud800")


def without_surrogates(text: str) -> str:
    r"""Return a text with U+FFFD for halves of surrogate pairs, also for those that JSON escapes.

    UTF-8 cannot hold them, and so nothing that is written to a file or sent.

    Example:
        >>> without_surrogates('{"a": "\\ud83d and \\ud83d\\ude00"}')
        '{"a": "\\ufffd and \\ud83d\\ude00"}'
    """
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _ESCAPES.sub(lambda it: r"\ufffd" if len(it[0]) == _HALF else it[0], text)


def mapped_texts(data: T, change: Callable[[str], str]) -> T:
    """Return JSON data with each of its texts changed, names of fields too.

    Example:
        >>> mapped_texts({"a": ["b", 1]}, str.upper)
        {'A': ['B', 1]}
    """
    changed: Any = data
    if isinstance(data, str):
        changed = change(data)
    elif isinstance(data, Mapping):
        changed = {change(str(k)): mapped_texts(inside, change) for k, inside in data.items()}
    elif isinstance(data, list | tuple):
        changed = [mapped_texts(inside, change) for inside in data]
    return changed  # type: ignore[no-any-return]  # of the same form
