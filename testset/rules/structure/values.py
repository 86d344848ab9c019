"""Values: what kind of value a short text is, and the number in it."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Literal

from llamaindex_rag_eval.judge.rules.tokens import is_cjk

ValueKind = Literal[
    "address",
    "code",
    "date",
    "duration",
    "hours",
    "money",
    "number",
    "phone",
    "share",
    "time",
    "version",
]
"""Kinds of values; an address is one of e-mail, hours are from a time to another."""

_NUMBER = r"[+−-]?\d[\d.,  _]*"
_KINDS: Mapping[ValueKind, str] = {
    "address": r"[\w.+-]+@ ?[\w-]+(?:\.[\w-]+)+",
    "money": r"(?:[$€£¥₩￥]|(?!RFC|ISO|IEC|DIN)[A-Z]{3} |[A-Z]{1,2}\$ ?){number}"
    r"|{number} ?(?:[€$£¥₩]|[A-Z]{3}\b)",
    "share": r"{number} ?[%％]",
    "date": r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?![\d-])|\d{1,2}[./]\d{1,2}[./]\d{4}",
    "phone": r"(?:\+|\(?0)\d[\d ()/-]{5,}\d(?![.,])",
    "hours": r"\d{1,2}[:h：]\d{2}[^\d,;，、；]{1,9}\d{1,2}[:h：]\d{2}(?!\d)",
    "time": r"\d{1,2}[:h]\d{2}\b",
    "version": r"(?!\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d))v?\d+\.\d+(?:\.\d+)+|v\d+(?:\.\d+)*",
    "duration": r"{number}(?:(?<=\d)m| ?(?:ms|[shd]))\b",
    "number": r"{number}\+?(?: ?[^\W\d_][\w/²³°]*)?(?: ?[^\W\d_]+)?",
}
"""Kind -> what such a value looks like in any language; the first that fits counts."""
_CODE = re.compile(
    r"--?[a-z][\w-]*(?:[= ]<?\w+>?)?|[A-Za-z][\w-]*(?:[._]\w[\w-]*)+(?:\(\))?|[A-Za-z_]\w*\(\)"
    r"|(?=[\w-]*\d)[A-Za-z]\w*(?:-\w+)+"
)
_SWITCH = re.compile(
    r"(?i:true|false|none|null|n/a|on|off|yes|no|enabled|disabled|ja|nein)|[是否有无]|なし|あり|はい|いいえ|真|[偽假]|非該当|不适用|必須|任意|\"[^\"]*\"|'[^']*'"
)
_REMARK = re.compile(r"\s*\([^()]*\)$")
_ABOUT = re.compile(r"^(?:[~≈<>≤≥约約약]|大约|(?:etwa|circa|ca\.|env\.)(?= )) ?")
LONGEST_REMARK = 40
"""Characters behind a value that still are a remark on it."""
LONGEST_REMARK_CJK = 10
"""The same in Chinese and Japanese."""
_REMARK_WORDS = 5


def kind_of(text: str, words: Mapping[ValueKind, str]) -> ValueKind | None:
    """Return the kind of a value; `None` for what is none, as a sentence.

    A remark in brackets behind the value, and "~" before it, do not matter.

    Args:
        text: The value.
        words: Kind -> what such a value looks like in the language; `{number}` stands for one.

    Example:
        >>> english = {"duration": "{number} days?"}
        >>> [kind_of(t, english) for t in ("$96.05", "20 days", "a@b.org", "8 MB", "as you like")]
        ['money', 'duration', 'address', 'number', None]
    """
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").strip().rstrip(".。;；")
    plain = _ABOUT.sub("", _REMARK.sub("", plain).strip("\"'`"))
    for kind, pattern in _KINDS.items():
        own = words.get(kind)
        for each in (own, pattern) if own else (pattern,):
            match = _compiled(each).match(plain)
            rest = plain[match.end() :] if match else ""
            if match and _is_whole(rest) and not (kind == "duration" and _more(rest)):
                return kind
    return "code" if _SWITCH.fullmatch(plain) else None


def is_code(text: str) -> bool:
    """Return whether a name is one of code: an option, a setting, a function; no site.

    Example:
        >>> [is_code(text) for text in ("MAX_SIZE", "--app", "VT-240", "Health-plan", "Cloud.gov")]
        [True, True, True, False, False]
    """
    site = re.fullmatch(r"[A-Z]\w*\.[a-z]{2,4}", text)
    return site is None and _CODE.fullmatch(text) is not None


def is_switch(text: str) -> bool:
    """Return whether a value only says yes or no, or nothing."""
    text = re.sub(r"\[\w+\]$", "", text)
    return _SWITCH.fullmatch(text) is not None or not re.search(r"\w", text)


def number_in(text: str) -> tuple[float, str] | None:
    """Return the number of a text and all that stands beside it; `None` without just one number.

    Example:
        >>> number_in("1,200 kg"), number_in("3 to 5"), number_in("none")
        ((1200.0, 'kg'), None, None)
    """
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    numbers = re.findall(r"[+-]?\d+(?:[,_]\d{3})*(?:\.\d+)?", plain)
    if len(numbers) != 1:
        return None
    unit = " ".join(plain.replace(numbers[0], " ").split())
    return float(re.sub("[,_]", "", numbers[0])), unit


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{number}", _NUMBER))


def _more(rest: str) -> bool:
    """Return whether behind a duration stands how it is filled, or another value."""
    return len(rest.split()) == 1 or re.search(r"\d", rest) is not None


def _is_whole(rest: str) -> bool:
    """Return whether behind a value stands only a short remark on it."""
    short = len(rest.split()) <= _REMARK_WORDS and len(rest) <= LONGEST_REMARK
    short = short and (not is_cjk(rest) or len(rest) <= LONGEST_REMARK_CJK)
    short = short and not re.match(r"-[^\W\d_]", rest)
    return short and not re.search(r"[.。!?！？:：]\s*\S", rest)
