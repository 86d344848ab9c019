"""Languages: what rules know of one, read from `languages/xx.toml`, and which a text is in."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import tomllib
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from llamaindex_rag_eval.errors import InputError
from testset.rules.structure.values import ValueKind
from testset.rules.templates import Ask, Templates

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


class Structure(BaseModel):
    """What the rules that read the form of a document know of a language.

    Attributes:
        question: Finds the end of a heading that is a question.
        silent: A heading that names nothing, as "Overview"; the whole of it.
        useless: A label, column or lead-in that names nothing to ask for; the whole of it.
        sum: A row that sums up the others; the whole of it.
        location: Finds a column that says where something is on what its rows name.
        meaning: A column or label that says what its row means; the whole of it.
        phrase: A name that is no noun, so that nobody asks what it is; the whole of it.
        condition: A text that says under which condition; the whole of it.
        day: A label or a row that is a day of the week, or several; the whole of it.
        addressed: Finds where a text speaks to its reader; any text does if it is empty.
        opens: The beginning of a text that cannot be understood alone.
        copula: What stands between a term and its definition; `{term}` stands for the term.
        question_and_answer: Marks before a question and its answer, as "Q:" and "A:".
        small: Whether common nouns have no capital, so that headings and labels lose theirs.
        mine: Words that a reader replaces when asking, as "your" by "my".
        many: Finds a label that names several things.
        task: Finds a heading whose numbered list is one of steps.
        articles: Words of which one stands before most nouns.
        definite: Finds what a question names without saying which one, so that it needs its page.
        indefinite: Finds what names a `{noun}` as one of many.
        noun: A label that is a noun without doubt, so that it can be asked for as one; the whole.
        quantity: A header of numbers that is a noun; the whole.
        measure: A header whose number says nothing without its unit; the whole.
        genders: Article -> the labels that are nouns with it, where nouns have a gender.
        values: Kinds of values by what they look like; `{number}` stands for a number.
        particles: What a question says behind any name, and what it is behind a syllable that ends
            in a consonant, and behind another, as in Korean.
        within: What stands between a page and a heading of it.
        verbs: Verbs that name tasks.
        gerund: Their ending in headings, as "ing".
        headings: Headings to questions; the first that matches is used.
        leads: Lead-ins of lists to questions.
        ask: Other questions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = r"[?？]$"
    silent: str = r"(?!)"
    useless: str = r"(?!)"
    sum: str = r"(?!)"
    location: str = r"(?!)"
    meaning: str = r"(?!)"
    phrase: str = r"(?!)"
    condition: str = r"(?!)"
    day: str = r"(?!)"
    addressed: str = ""
    opens: str = r"(?!)"
    copula: str = r"(?!)"
    question_and_answer: tuple[str, str] = ("(?!)", "(?!)")
    small: bool = False
    mine: dict[str, str] = {}
    many: str = r"(?!)"
    task: str = r"(?!)"
    articles: str = r"(?!)"
    definite: str = r"(?!)"
    indefinite: str = ""
    noun: str = r"(?!)"
    quantity: str = r"(?!)"
    measure: str = r"(?!)"
    genders: dict[str, str] = {}
    values: dict[ValueKind, str] = {}
    particles: tuple[tuple[str, str, str], ...] = ()
    within: str = ", "
    verbs: tuple[str, ...] = ()
    gerund: str = ""
    headings: tuple[Ask, ...] = ()
    leads: tuple[Ask, ...] = ()
    ask: Templates = Templates()

    @cached_property
    def forms(self) -> dict[str, str]:
        """The form of each verb with the ending `gerund`, and the verb."""
        verbs = self.verbs if self.gerund else ()
        return {stem + self.gerund: verb for verb in verbs for stem in _stems(verb)}

    def question_of(self, rows: tuple[Ask, ...], text: str, **known: str) -> tuple[str, Ask] | None:
        """Return the question that the first fitting row makes of a text, and the row."""
        for row in rows:
            if match := self._pattern(row.match).fullmatch(text):
                if not row.ask:
                    return None
                groups = {name: self._asking(value) for name, value in match.groupdict().items()}
                if "gerund" in groups:
                    groups["verb"] = self.forms[groups["gerund"].casefold()]
                if "verb" in groups:
                    groups["verb"] = groups["verb"].lower()
                question = " ".join(row.ask.format(**known, **groups).split())
                worded = re.match(r"[^\W\d_]+[ '’]", question) is not None
                return (question[:1].upper() + question[1:] if worded else question), row
        return None

    def finished(self, question: str) -> str:
        """Return a question with the particles that fit the names before them."""
        for either, closed, opened in self.particles:
            first, *rest = question.split(either)
            for part in rest:
                last = ord(first.rstrip("”\"'’」)")[-1:] or " ") - _FIRST_SYLLABLE
                particle = closed if last % _FINALS else opened
                first += (particle if 0 <= last < _SYLLABLES else either) + part
            question = first
        return question

    def _asking(self, text: str | None) -> str:
        """Return what a document tells its reader as the reader says it: "your" becomes "my"."""
        return re.sub(r"[^\W\d_]+", lambda word: self.mine.get(word[0], word[0]), text or "")

    def article_of(self, label: str) -> str:
        """Return the article of a label by its gender; empty if that is not known."""
        noun, *rest = label.split(" (")[0].split() or [""]
        noun = "" if rest and rest[0][:1].isupper() else noun
        fits = (a for a, nouns in self.genders.items() if _compiled(nouns).fullmatch(noun))
        return next(fits, "")

    def is_a(self, term: str, text: str) -> bool:
        """Return whether a text begins with what says what a term is."""
        pattern = self.copula.replace("{term}", re.escape(term))
        return re.match(pattern, text, re.IGNORECASE) is not None

    def definites(self, text: str) -> list[str]:
        """Return what a text names without saying which one, as "the pier"."""
        return [match.group() for match in _compiled(self.definite).finditer(text)]

    def introduces(self, things: Iterable[str], text: str) -> bool:
        """Return whether a text names one of these as one of many, as "a pier" does "the pier"."""
        nouns = (re.escape(thing.split()[-1]) for thing in things)
        made = (self.indefinite.replace("{noun}", noun) for noun in nouns)
        return any(_compiled(pattern).search(text) for pattern in made)

    def finds(
        self, name: Literal["addressed", "many", "opens", "location", "question", "task"], text: str
    ) -> bool:
        """Return whether one of the patterns finds something in a text."""
        return _compiled(getattr(self, name)).search(text) is not None

    def is_one(
        self,
        name: Literal[
            "condition",
            "day",
            "meaning",
            "measure",
            "noun",
            "phrase",
            "quantity",
            "silent",
            "sum",
            "useless",
        ],
        text: str,
    ) -> bool:
        """Return whether one of the patterns matches the whole of a text."""
        return _compiled(getattr(self, name)).fullmatch(text) is not None

    def _pattern(self, match: str) -> re.Pattern[str]:
        match = match.replace("{verb}", f"(?P<verb>{_any_of(self.verbs)})")
        return _compiled(match.replace("{gerund}", f"(?P<gerund>{_any_of(tuple(self.forms))})"))


@cache
def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, words)) or "(?!)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _stems(verb: str) -> tuple[str, ...]:
    """Return what an ending is put to: "run" gives "run" and "runn", "use" gives "us"."""
    return (verb[:-1],) if re.search("[^e]e$", verb) else (verb, verb + verb[-1])


class Language(BaseModel):
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

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    name: str
    script: Literal["han", "hangul", "kana", "latin"] = "latin"
    common: frozenset[str] = frozenset()
    structure: Structure
    clause: dict[str, JsonValue] = {}
    reader: dict[str, JsonValue] = {}

    def names(self, heading: str) -> bool:
        """Return whether a heading names something."""
        return bool(heading) and not self.structure.is_one("silent", heading)


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
        >>> found = language_of("ここはどこですか")
        >>> found.code if found else ""
        'ja'
    """
    head = text[:CLUE_LENGTH]
    letters = len(_LETTER.findall(head))
    for script, pattern in _SCRIPTS.items():
        if len(pattern.findall(head)) > SCRIPT_SHARE * letters:
            return next(
                (language for language in languages().values() if language.script == script), None
            )
    words = re.findall(r"[^\W\d_]+", head.casefold())
    counts = Counter(words)
    shares = {
        code: sum(counts[word] for word in language.common)
        for code, language in languages().items()
    }
    best, second = sorted(sorted(shares), key=lambda code: -shares[code])[:2]
    least = CLUE_SHARE if shares[best] < CLUE_LEAD * shares[second] else CLUE_SHARE_ALONE
    return languages()[best] if shares[best] > least * len(words) else None
