"""Languages: what rules know of one, read from `languages/xx.toml`, and which a text is in."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import tomllib
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from llamaindex_rag_eval.errors import InputError

FOLDER = Path(__file__).parent / "languages"
CLUE_LENGTH = 6_000
"""Characters from which the language of a text is read; more would not change the answer."""
CLUE_SHARE = 0.12
"""Share of common words from which a text is in a language; less is chance."""
CLUE_SHARE_ALONE, CLUE_LEAD = 0.04, 4
"""The same where it has so many times the words of any other: lists and tables have few."""
SCRIPT_SHARE = 0.15
"""Share of letters in a script from which a text is written in it: Latin names are common."""
_SCRIPTS = {
    "kana": re.compile(r"[\u3040-\u30ff]"),
    "hangul": re.compile(r"[\uac00-\ud7a3]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}
"""Script -> its characters; the first one of which there are enough is that of a text."""
_FIRST_SYLLABLE, _SYLLABLES, _FINALS = 0xAC00, 11_172, 28
"""Where Unicode's syllables of Hangul begin, how many there are, and ends that each can have."""
_LETTER = re.compile(r"[^\W\d_]")


def joined(value: object) -> object:
    """Return a text that is written in several parts, so that no line is too long."""
    return "".join(map(str, value)) if isinstance(value, list) else value


Text = Annotated[str, BeforeValidator(joined)]
"""A text, or a list of its parts."""
Pattern = Annotated[re.Pattern[str], BeforeValidator(joined)]
"""A pattern, or a list of its parts."""
_NOTHING = re.compile("(?!)")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fault(_Table):
    """What finds a fault, and what it says."""

    pattern: Pattern
    says: str


class Reading(_Table):
    """What questions and answers of a language look like: the table `[reader]`.

    Attributes:
        about_the_text: Finds a question that speaks of the text that it comes from.
        pointer: Finds what refers to something outside a question.
        pronoun: Finds what does so unless a name stands before it.
        question: Faults of a question.
        answer: Faults of an answer.
    """

    about_the_text: Pattern = _NOTHING
    pointer: Pattern = _NOTHING
    pronoun: Pattern = _NOTHING
    question: tuple[Fault, ...] = ()
    answer: tuple[Fault, ...] = ()


class Language(_Table):
    """What rules know of a language.

    Lists of words may hold patterns; each is matched as a whole, and case does not matter.

    Attributes:
        code: ISO 639-1, the name of the file.
        name: In English.
        script: In which it is written; by it, Chinese, Japanese and Korean are told.
        common: Its commonest words, by which a language in Latin letters is told.
        small: Whether common nouns have no capital, so that headings and labels lose theirs.
        question: Finds the end of a heading that is a question.
        silent: Headings, labels and columns that name nothing, as "Overview".
        example: Words of what is no fact: examples, templates.
        opens: Begins or ends a text that cannot be understood alone.
        persons: Labels whose value is a person.
        many: Finds a label that names several things.
        articles: Words of which one stands before a noun, and is `{the}` in a question; in a
            language without any, particles as "of". Of a label that has none, nothing is asked.
        particles: What a question says behind any name, and what it is behind a syllable that ends
            in a consonant, and behind another, as in Korean.
        polite: A polite message around a question, `{question}`; empty for none.
        ask: Questions of the schema by the kind of value, `text` for all others.
        reader: For the last reader, which turns nonsense down.
    """

    code: str
    name: str
    script: Literal["han", "hangul", "kana", "latin"] = "latin"
    common: frozenset[str] = frozenset()
    small: bool = False
    question: Text = r"[?？]$"
    silent: tuple[str, ...] = ()
    example: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    many: Text = "(?!)"
    articles: tuple[str, ...] = ()
    particles: tuple[tuple[str, str, str], ...] = ()
    polite: Text = ""
    ask: dict[str, str] = {}
    reader: Reading = Reading()

    def names(self, heading: str) -> bool:
        """Return whether a heading or a label names something."""
        silent = (self.silent, languages()["en"].silent)
        return bool(heading) and not any(_any_of(words).fullmatch(heading) for words in silent)

    def is_example(self, text: str) -> bool:
        """Return whether a text says of itself that it is an example."""
        return _any_of(self.example).search(text) is not None

    def is_open(self, text: str) -> bool:
        """Return whether a text points at what stands around it."""
        return _any_of(self.opens).search(text) is not None

    def is_question(self, text: str) -> bool:
        """Return whether a line is a question."""
        return _compiled(self.question).search(text) is not None

    def is_many(self, label: str) -> bool:
        """Return whether a label names several things."""
        return _compiled(self.many).search(label) is not None

    def bare(self, name: str) -> str:
        """Return a name without the article before it."""
        articles = "|".join(self.articles) or "(?!)"
        after = _compiled(rf"^(?:{articles})(?:\s+|(?<=['’]))").sub("", name, count=1)
        return after[:1].upper() + after[1:] if after != name else name

    def is_person(self, label: str) -> bool:
        """Return whether a label is that of a person."""
        return _any_of(self.persons).fullmatch(label) is not None

    def finished(self, question: str) -> str:
        """Return a question with the particles that fit the names before them."""
        for either, closed, opened in self.particles:
            first, *parts = question.split(either)
            for part in parts:
                last = ord(first.rstrip("”\"'’」)")[-1:] or " ") - _FIRST_SYLLABLE
                particle = closed if last % _FINALS else opened
                first += (particle if 0 <= last < _SYLLABLES else either) + part
            question = first
        return question


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return _compiled(f"(?:{'|'.join(words)})" if words else "(?!)")


UNKNOWN = Language(code="other", name="unknown")
"""A language without a table: nothing is asked."""


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
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{path.name}, {field}: {first['msg']}") from error


def language_of(text: str) -> Language | None:
    """Return the language of a text; `None` if there is no table of it.

    Example:
        >>> language = language_of("ここはどこですか")
        >>> language.code if language else ""
        'ja'
    """
    head = text[:CLUE_LENGTH]
    letters = len(_LETTER.findall(head))
    for script, pattern in _SCRIPTS.items():
        if len(pattern.findall(head)) > SCRIPT_SHARE * letters:
            fits = (language for language in languages().values() if language.script == script)
            return next(fits, None)
    words = re.findall(r"[^\W\d_]+", head.casefold())
    counts = Counter(words)
    shares = {
        code: sum(counts[word] for word in language.common)
        for code, language in languages().items()
    }
    known = {code: len(counts.keys() & {*each.common}) for code, each in languages().items()}
    best, second = sorted(sorted(shares), key=lambda code: (-known[code], -shares[code]))[:2]
    least = CLUE_SHARE if shares[best] < CLUE_LEAD * shares[second] else CLUE_SHARE_ALONE
    return languages()[best] if shares[best] > least * len(words) else None
