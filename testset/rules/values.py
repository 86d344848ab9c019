"""Values: of which kind what stands in a cell or behind a label is."""

import re
import unicodedata
from typing import Literal

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.rules.values import Value, values_of
from testset.corpus.passages import CJK

ValueKind = Literal["amount", "code", "date", "duration", "mark", "money", "person", "text", "time"]
"""Kinds of values; of a mark, as a tick, "yes", a link or an e-mail address, nothing is asked."""

_CURRENCIES = frozenset({"dollar", "euro", "pound", "yen", "yuan", "franc", "won", "rupee", "cent"})
_CODE = re.compile(
    r"--?[a-z][\w-]*(?:[= ]<?\w+>?)?|[A-Za-z][\w-]*(?:[._]\w[\w-]*)+(?:\(\))?|[A-Za-z_]\w*\(\)"
    r"|(?=[\w-]*\d)[A-Za-z]\w*(?:-\w+)+|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+"
)
_MARK = re.compile(
    r"[\W_]*|(?i:true|false|none|null|n/?a|on|off|yes|no|y|n|x|enabled|disabled|ja|nein|oui|non|s[ií]|"
    r"optional|required|tb[ad]|todo|done|wip|open|closed|-)|[是否有无]|なし|あり|はい|いいえ|必須|任意|必填|可选|예|아니오"
    r"|필수|선택|없음|\S+@\S+\.\w+|(?:https?:|www\.)\S+|.",
    re.DOTALL,
)
_NAME = re.compile(r"[^\W\d_a-zß-ÿ][\w.'’-]+(?: [^\W\d_a-zß-ÿ][\w.'’-]*){1,3}")
MOST_WORDS = 5
"""Words of a value at most that is a number, a date or a time, with its unit."""
_REMARK = re.compile(r",\s*[^\W\d_]")
"""Something said of a number, as in "7 inch, touch": the number alone is not the value."""
LONGEST = 48
"""Characters of such a value at most; a third of them in Chinese, Japanese and Korean."""


def kind_of(text: str, *, person: bool = False) -> ValueKind:
    """Return the kind of a value.

    Args:
        text: The value.
        person: Whether its label is that of a person.

    Example:
        >>> [kind_of(t) for t in ("$96.05", "20 days", "a@b.org", "3 May 2024", "8 MB", "as is")]
        ['money', 'duration', 'mark', 'date', 'amount', 'text']
    """
    plain = unicodedata.normalize("NFKC", text).strip().rstrip(".。;；").strip("\"'`*")
    if _MARK.fullmatch(plain) and not plain.isdigit():
        return "mark"
    if person and _NAME.fullmatch(re.split(r"[,(（、]", plain)[0].strip()):
        return "person"
    if _CODE.fullmatch(plain) or re.match(r"[A-Za-z]+-?\d", plain):
        return "code" if _CODE.fullmatch(plain) else "text"
    values = values_of(plain)
    longest = LONGEST // CJK if is_cjk(plain) else LONGEST
    begins = values and not re.match(r"[^\W\d_]", plain[: values[0].start].strip())
    short = len(plain.split()) <= MOST_WORDS and len(plain) <= longest
    if begins and short and not _REMARK.search(plain):
        return _measured(values[0])
    return "text"


def _measured(value: Value) -> ValueKind:
    if value.kind == "date":
        return "time" if {name for name, _ in value.fields} <= {"t", "either"} else "date"
    units = {unit for unit, _ in value.readings}
    if units & _CURRENCIES:
        return "money"
    return "duration" if "second" in units else "amount"


def is_code(text: str) -> bool:
    """Return whether a name is one of code: an option, a setting, a function; no site.

    Example:
        >>> [is_code(text) for text in ("MAX_SIZE", "--app", "VT-240", "Health-plan", "Cloud.gov")]
        [True, True, True, False, False]
    """
    site = re.fullmatch(r"[A-Z]\w*\.[a-z]{2,4}", text)
    return site is None and _CODE.fullmatch(text) is not None
