"""Languages: what rules know of one, read from `languages/xx.toml`, and which a text is in."""

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from llamaindex_rag_eval.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Language", "Structure", "language_of", "languages"]

FOLDER = Path(__file__).parent / "languages"
CLUE_LENGTH = 6_000
"""Characters from which the language of a text is read; more would not change the answer."""
CLUE_SHARE = 0.12
"""Share of common words from which a text is in a language; less is chance."""
SCRIPT_SHARE = 0.15
"""Share of letters in a script from which a text is written in it: Latin names are common."""
_SCRIPTS = {
    "kana": re.compile(r"[\u3040-\u30ff]"),
    "hangul": re.compile(r"[\uac00-\ud7a3]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}
"""Script -> its characters; the first one of which there are enough is that of a text."""
_LETTER = re.compile(r"[^\W\d_]")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Structure(_Table):
    """What the rules that read the form of a document know of a language."""


class Language(_Table):
    """What rules know of a language; the tables of the file by their names.

    Attributes:
        code: ISO 639-1, the name of the file.
        name: In English.
        script: In which it is written; by it, Chinese, Japanese and Korean are told.
        common: Its commonest words, by which a language in Latin letters is told.
        structure: For the rules that read the form of a document.
        clause: For the rules that read sentences.
        reader: For the last reader, which turns nonsense down.
    """

    code: str
    name: str
    script: Literal["han", "hangul", "kana", "latin"] = "latin"
    common: frozenset[str] = frozenset()
    structure: Structure
    clause: dict[str, JsonValue] = {}
    reader: dict[str, JsonValue] = {}


@cache
def languages() -> dict[str, Language]:
    """Return the languages that there are tables of, by their codes.

    Raises:
        InputError: A table is no TOML, or has a key or value that it may not have; says where.
    """
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.toml"))}


def _read(path: Path) -> Language:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Language.model_validate({"code": path.stem, **data})
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path.name}, {place}: {first['msg']}") from error


def language_of(text: str) -> Language | None:
    """Return the language of a text; `None` if there is no table of it.

    Example:
        >>> found = language_of("ここはどこですか")
        >>> found.code if found else ""
        'ja'
    """
    head = text[:CLUE_LENGTH]
    letters = len(_LETTER.findall(head))
    for script, pattern in _SCRIPTS.items():
        if len(pattern.findall(head)) > SCRIPT_SHARE * letters:
            return next((one for one in languages().values() if one.script == script), None)
    words = re.findall(r"[^\W\d_]+", head.casefold())
    counts = Counter(words)
    shares = {code: sum(counts[word] for word in one.common) for code, one in languages().items()}
    best = max(sorted(shares), key=lambda code: shares[code], default="")
    return languages()[best] if best and shares[best] > CLUE_SHARE * len(words) else None
