"""Minimal pairs from real documents: a sentence with one value, and the same with another.

The documents are those of the examples and of `RAG_EVAL_DATA`, read when this runs. A sentence
serves if the value stands in it, and in the sentences beside it, once; the right claim is the
sentence without its markup, every second one as what the documents say. A value of code is
exchanged for another of the same documents, a number for one near it, a unit for one of the same
measure.
"""

import random
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.changed_claims import DATA, REPOSITORY
from tests.benchmarks.written_pairs import Pair

EXAMPLES = REPOSITORY / "examples" / "docs"
MOST = 12
"""Pairs of a kind and language."""
MOST_OF_FILE = 3
LENGTHS = {"en": (40, 240), "de": (40, 260), "zh": (14, 110), "ja": (18, 130)}
"""Fewest and most characters of a sentence."""
_SENTENCE_END = {False: r"(?<=[.!?])(?<!\d\.)\s+(?=[A-ZÄÖÜ`\"“„])", True: r"(?<=[。！？])"}
_MARKUP = re.compile(
    r"```[\s\S]*?(?:```|\Z)|^(?:\.\. .*|///.*|[#|:*<{>!+].*|[ \t]{3,}.*|\d+\..*|- .*|[-=~^]{3,})$"
    r"|\{[.#%][^}]*\}|<[^>\n]+>",
    re.MULTILINE,
)
_STRESSED = re.compile(r"\*{1,2}(\S[^*]*?)\*{1,2}")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_ROLE = re.compile(r":[\w:+-]+:`~?([^`<]+?)(?: ?<[^>]*>)?`")
_BOUNDED = re.compile(
    r"\b(?:within|until|before|at least|at most|up to|(?:more|less|fewer) than|or (?:newer|later)"
    r"|or (?:greater|higher|above)|innerhalb|binnen|bis|vor|mindestens|höchstens"
    r"|(?:mehr|weniger) als|oder (?:neuer|höher))\b|至少|至多|最多|超过|以上|以下|以内|之内|更高"
    r"|更新|以降|まで|少なくとも|最大|超|未満",
    re.IGNORECASE,
)
"""With another number, what a bound says may still follow."""

MEASURES = (
    *(
        ("seconds", "minutes", "hours", "days", "weeks", "months", "years"),
        ("KB", "MB", "GB", "TB"),
    ),
    ("Sekunden", "Minuten", "Stunden", "Tage", "Wochen", "Monate", "Jahre"),
    ("Tagen", "Wochen", "Monaten", "Jahren"),
    *(("秒", "分钟", "小时", "天", "周", "个月"), ("分", "時間"), ("週間", "か月")),
    *(("KiB", "MiB", "GiB"), ("mm", "cm", "m", "km"), ("°C", "°F", "K"), ("grams", "kilograms")),
)
REPORTED = {
    "en": "According to the documents, the following holds: ",
    "de": "Laut den Dokumenten gilt: ",
    "zh": "文档中写道：",
    "ja": "文書によると、",
}
CURRENCIES = (("$", "€", "£"), ("dollars", "euros", "pounds"), ("美元", "欧元", "日元"))
CURRENCY_NAMES = (*CURRENCIES, ("ドル", "ユーロ", "円"), ("Euro", "Franken"), ("USD", "EUR", "GBP"))
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}


class Sentence(NamedTuple):
    """A sentence of a document.

    Attributes:
        file: The document.
        text: The sentence.
        around: The sentence with those beside it, as a source.
    """

    file: str
    text: str
    around: str


Exchange = Callable[[str, random.Random, Sequence[str]], str]


def _other_number(value: str, rng: random.Random, values: Sequence[str]) -> str:
    """Return a text with another last number of as many digits, or one more."""
    *_, last = re.finditer(r"\d+", value)
    near = int(last.group()) + rng.choice((1, 2, 3, 5))
    return value[: last.start()] + str(near).zfill(len(last.group())) + value[last.end() :]


def _other_day(value: str, rng: random.Random, values: Sequence[str]) -> str:
    """Return another date: the month of a name, the day or the year by number."""
    for names in (text.split() for text in MONTHS.values()):
        if month := next((name for name in names if name in value.split()), ""):
            return value.replace(month, rng.choice([name for name in names if name != month]))
    first = re.search(r"\d+", value.rpartition("月")[2] or value)
    day = int(first.group())
    return value.replace(first.group(), str(day - 1 if day > 20 else day + 3))


def _other_of(groups: Sequence[Sequence[str]]) -> Exchange:
    def exchange(value: str, rng: random.Random, values: Sequence[str]) -> str:
        """Return a text with another name of the same group."""
        fitting = [(name, group) for group in groups for name in group if name in value]
        name, group = max(fitting, key=lambda each: len(each[0]))
        return value.replace(name, rng.choice([other for other in group if other != name]))

    return exchange


def _other_code(value: str, rng: random.Random, values: Sequence[str]) -> str:
    """Return another such value of the documents."""
    others = [other for other in values if not set(other.split()) >= set(value.split())]
    alike = [other for other in others if other[0] == value[0]]
    return rng.choice(alike or others or [""])


def _any_of(names: Sequence[Sequence[str]]) -> str:
    flat = sorted({re.escape(each) for group in names for each in group}, key=len, reverse=True)
    return "|".join(flat)


_MONTH = "|".join(name for text in MONTHS.values() for name in text.split())
_WORD_END = r"(?![A-Za-z間])"
_TOOLS = "pip|uv|git|flask|fastapi|docker|python|uvicorn|npm|curl|tiup|mkdir|source|hatch"
RULES: Mapping[str, tuple[str, Exchange]] = {
    "number": (
        r"(?<![A-Za-z0-9_.,:/$€£#`–-])"
        r"(?!(?:19|20)\d\d)(?:[2-9]|[1-9]\d{1,4})(?![\d.,:/`%–-]*\d)"
        r"(?= [a-zäöü]{4}| ?[个種种名人回件つ])",
        _other_number,
    ),
    "unit": (
        rf"(?<![A-Za-z0-9_.,])\d[\d.,]* ?(?:{_any_of(MEASURES)}){_WORD_END}",
        _other_of(MEASURES),
    ),
    "currency": (
        rf"[$€£]\d[\d.,]*|\d[\d.,]* ?(?:{_any_of(CURRENCY_NAMES[1:])}|€){_WORD_END}",
        _other_of(CURRENCY_NAMES),
    ),
    "date": (
        rf"(?:\d{{1,2}}\.? )?\b(?:{_MONTH}) \d{{1,4}}\b|\b(?:19|20)\d\d-\d\d-\d\d\b"
        r"|\d{1,2}月\d{1,2}日|(?:19|20)\d\d ?年",
        _other_day,
    ),
    "version": (
        r"(?<=[A-Za-z] )(?!\d+\.\d+\.\d{4})v?\d+\.\d+(?:\.\d+)?(?![\w%]|\.[\dx])(?! [a-zäöü])",
        _other_number,
    ),
    "flag": (r"(?<=`)--?[a-z][\w-]+(?=`)", _other_code),
    "path": (r"(?<=`)(?:(?:[\w.~-]*/)+[\w.-]*\.\w+|(?:/[\w.-]+){2,}/?)(?=`)", _other_code),
    "command": (rf"(?<=`)(?:{_TOOLS}) [^`]+(?=`)", _other_code),
}


COUNTED = frozenset({"number", "unit", "currency"})
"""Kinds for which a sentence must hold no other number."""
BOUNDABLE = COUNTED | {"date", "version"}
"""Kinds for which it must name no bound."""


def document_pairs(language: str) -> list[Pair]:
    """Return the pairs of a language; say on stderr where documents are absent."""
    sentences = list(_sentences(language))
    return [pair for kind in RULES for pair in _pairs(kind, language, sentences)]


def _pairs(kind: str, language: str, sentences: Sequence[Sentence]) -> Iterator[Pair]:
    exchange = RULES[kind][1]
    matching = _matching(kind, sentences)
    values = sorted({value for _, value in matching})
    of_file: Counter[str] = Counter()
    for each, value in sorted(matching, key=lambda row: zlib.crc32(row[0].text.encode())):
        other = exchange(value, random.Random(zlib.crc32(each.text.encode())), values)
        usable = other and other not in each.around and each.around.count(value) == 1
        if usable and of_file.total() < MOST and of_file[each.file] < MOST_OF_FILE:
            lead = REPORTED[language] if of_file.total() % 2 else ""
            of_file[each.file] += 1
            right, wrong = (each.text, each.text.replace(value, other))
            yield Pair(
                kind=kind,
                language=language,
                source=_plain(each.around),
                right=lead + _plain(right),
                wrong=lead + _plain(wrong),
                origin="documents",
            )


def _matching(kind: str, sentences: Sequence[Sentence]) -> list[tuple[Sentence, str]]:
    """Return the sentences with exactly one value of a kind, each once, and the value."""
    pattern = re.compile(RULES[kind][0])
    matching = []
    for each in {each.text: each for each in sentences}.values():
        found = pattern.findall(each.text)
        numbers = len(re.findall(r"\d+", each.text))
        bounded = kind in BOUNDABLE and _BOUNDED.search(each.text)
        if len(found) == 1 and not bounded and (kind not in COUNTED or numbers == 1):
            matching.append((each, found[0]))
    return matching


def _plain(text: str) -> str:
    return _STRESSED.sub(r"\1", text.replace("`", ""))


@cache
def _sentences(language: str) -> tuple[Sentence, ...]:
    """Return the sentences of all documents in a language that may be perturbed."""
    few, most = LENGTHS[language]
    return tuple(
        Sentence(str(path), text, around)
        for path in _files(language)
        for paragraph in _paragraphs(path.read_text("utf-8"))
        for text, around in _with_neighbours(paragraph, language in {"zh", "ja"})
        if few <= len(text) <= most and _is_whole(text)
    )


def _is_whole(text: str) -> bool:
    """Return whether a text looks like a sentence, and not like a piece between abbreviations."""
    return text[-1] in ".。" and text.count("(") == text.count(")")


def _files(language: str) -> Iterator[Path]:
    for path in sorted((*EXAMPLES.rglob("*.md"), *EXAMPLES.rglob("*.txt"))):
        name = path.relative_to(EXAMPLES).parts[0]
        if language == (name if name in LENGTHS else "en"):
            yield path
    folders = sorted((DATA / "documents").glob("*"))
    if not folders:
        print(f"{DATA / 'documents'} is not there: no pairs from it", file=sys.stderr)
    for folder in folders:
        marks = [part for part in folder.name.split("_") if part in LENGTHS] or ["en"]
        if marks == [language]:
            yield from sorted((*folder.rglob("*.md"), *folder.rglob("*.rst")))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of running text: no headings, lists, tables, quotations and code."""
    prose = _ROLE.sub(r"\1", _LINK.sub(r"\1", _MARKUP.sub("", text))).replace("``", "`")
    lines = (line.strip() for line in prose.splitlines())
    for filled, group in groupby(lines, key=bool):
        if filled:
            yield " ".join(group)


def _with_neighbours(paragraph: str, cjk: bool) -> Iterator[tuple[str, str]]:
    parts = [part.strip() for part in re.split(_SENTENCE_END[cjk], paragraph) if part.strip()]
    for at, part in enumerate(parts):
        yield part, ("" if cjk else " ").join(parts[max(0, at - 1) : at + 2])
