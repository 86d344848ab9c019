"""Plain text: without the codes by which a text could command a terminal."""

import re

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
    return re.sub(r"[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text)
