"""True claims drawn from corpora, and the same with one thing changed: labelled by construction.

A question with its answer in the place of its question word says what its passage says in other
words; with another number, another name, a negation or an opposite it does not. Half of the
articles of each corpus, "a", is for fitting, the other, "b", for looking.
"""

import json
import os
import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval.judge.rules.lexicon import antonyms
from llamaindex_rag_eval.judge.rules.quantities import unit_at, units_called
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, words

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RAG_EVAL_DATA", REPOSITORY.parent / "shared" / "data"))

CORPORA = {"en": "xquad_en", "de": "xquad_de", "zh": "xquad_zh", "ja": "jsquad_ja"}
_ASKED = {
    "en": r"\b(?:how (?:many|much|long|old|tall|far|often|large|big)"
    r"|what|which|who(?:m|se)?|where|when|why)\b",
    "de": r"\b(?:wie ?viele?|wie (?:lange|hoch|alt|weit|oft|groß)|was|wer|wen|wem|wessen"
    r"|wo(?:hin|her)?|wann|welche[rsnm]?|warum)\b",
    "zh": r"什么时候|什么|谁|哪(?:里|儿|个|些|一个|一年|年|位|种)?|多少|几|如何|怎样|为什么",
    "ja": r"いつ|どこ|誰|だれ|何(?:年|人|月|日|という)?|なに|どの|いくつ|いくら|どれ|どんな|なぜ",
}
_NEGATED = {
    "en": (
        r"\b(is|are|was|were|has|have|had|can|could|will|would|may|must|should|did|does)\b",
        r"\1 not",
    ),
    "de": (
        r"\b(ist|sind|war|waren|hat|hatte|haben|wird|wurde|wurden|werden|kann|können|muss)\b",
        r"\1 nicht",
    ),
    "zh": (r"(?<![不没但只也还可正就凡总若])(是|会|能|可以|允许|包括|属于)", r"不\1"),
    "ja": (r"(れた|した|った|いる|ある|れる|する|なる|です|ます)。$", r"\1わけではない。"),
}
_WIDENED = {
    "en": (r"\b(?:most|many|some|several)\b", "all"),
    "de": (r"\b(?:die meisten|viele|einige|mehrere)\b", "alle"),
    "zh": (r"大多数|大部分|许多|很多|一些|有些", "所有"),
    "ja": (r"ほとんどの|多くの|一部の|いくつかの", "すべての"),
}
_OR = {
    "en": re.compile(r"\b(?P<one>\w+) or \w+"),
    "de": re.compile(r"\b(?P<one>\w+) oder \w+"),
    "zh": re.compile(r"(?P<one>[\u4e00-\u9fff]{2})或者?[\u4e00-\u9fff]{2}"),
    "ja": re.compile(
        r"(?P<one>[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{2,6})(?:または|あるいは|もしくは)[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{2,6}"
    ),
}
_ONLY = {"en": "only ", "de": "nur ", "zh": "只有"}
UNIT_NAMES = (
    *("kg", "g", "km", "m", "cm", "hours", "minutes", "days", "weeks", "months", "years", "meters"),
    *("kilometers", "miles", "Stunden", "Minuten", "Tage", "Wochen", "Monate", "Jahre", "Meter"),
    *("Kilometer", "公里", "米", "厘米", "小时", "分钟", "天", "个月", "年", "メートル", "時間"),
    *("キロメートル", "分間", "週間", "か月", "年間", "dollar", "euro", "美元", "欧元", "ドル"),
)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Changed:
    """A claim about a passage.

    Attributes:
        kind: How it was made.
        right: Whether it still says what the passage says.
        question: What it answers.
        claim: The claim; a short answer without its question.
        source: The passage, or the sentence that has the answer.
        group: The article.
    """

    kind: str
    right: bool
    question: str
    claim: str
    source: str
    group: str


def changed_claims(language: str, part: str, most: int) -> list[Changed]:
    """Return claims on `most` questions of a corpus, from one half of its articles."""
    folder = DATA / "corpora" / CORPORA[language]
    passages = {row["doc_id"]: row for row in _rows(folder / "docs.jsonl")}
    asked = [
        row
        for row in sorted(
            _rows(folder / "questions_dev.jsonl"), key=lambda row: zlib.crc32(row["id"].encode())
        )
        if (zlib.crc32(passages[row["relevant"][0]]["title"].encode()) % 2 == 0) == (part == "a")
    ]
    answers = [(min(row["answers"], key=len), row["relevant"][0]) for row in asked]
    found: list[Changed] = []
    for number, (row, (short, place)) in enumerate(zip(asked[:most], answers, strict=False)):
        text = passages[place]["text"]
        gold = next((each for each in sentences(text) if short in each), "")
        if not gold or gold == short:
            continue
        rng = random.Random(zlib.crc32(row["id"].encode()))
        rivals = _rivals(short, place, answers, text, rng)
        source = gold if number % 3 == 0 else text
        beside = [
            other for other, where in answers if where == place and other in gold and len(other) > 1
        ]
        made = [
            *_claims(language, row["question"], short, gold, rivals, rng),
            *_rearranged(language, short, gold, beside),
        ]
        title = passages[place]["title"]
        found += [
            Changed(kind, right, row["question"], claim, source, title)
            for kind, right, claim in made
        ]
        elsewhere = _elsewhere(short, title, list(passages.values()))
        found += [Changed("elsewhere", False, row["question"], short, elsewhere, title)] * bool(
            elsewhere
        )
    return found


def _elsewhere(short: str, title: str, passages: Sequence[Mapping[str, str]]) -> str:
    """Return a passage of another article that has an answer by chance, or nothing."""
    words_of = {short} if is_cjk(short) else {f" {short} ", f" {short}.", f" {short},"}
    return next(
        (
            each["text"]
            for each in passages
            if each["title"] != title and any(form in each["text"] for form in words_of)
        ),
        "",
    )


def _rows(path):  # type: ignore[no-untyped-def] # rows of a file of ours
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _rivals(
    short: str, place: str, answers: Sequence[tuple[str, str]], text: str, rng: random.Random
) -> list[str]:
    """Return wrong answers: another number, a name of the same passage and one of another."""
    if _DIGITS.search(short):
        return [_DIGITS.sub(lambda match: _other_number(match.group(), rng), short, count=1)]
    fitting = [
        (other, where)
        for other, where in answers
        if not set(words(other) or other) & set(words(short) or short)
        and not _DIGITS.search(other)
        and len(other) <= 2 * len(short) + 3
        and other[0].isupper() == short[0].isupper()
    ]
    near = [other for other, where in fitting if where == place]
    far = [other for other, where in fitting if where != place and other not in text]
    return [rng.choice(each) for each in (near, far) if each]


def _other_number(old: str, rng: random.Random) -> str:
    turned = old[:-2] + old[-1] + old[-2] if len(old) > 1 else old
    near = str(int(old) + rng.choice((1, 2, 3, 7, 10)))
    return turned if turned != old and turned[0] != "0" and rng.random() < 0.4 else near


def _claims(
    language: str, question: str, short: str, gold: str, rivals: Sequence[str], rng: random.Random
) -> Iterator[tuple[str, bool, str]]:
    yield "gold", True, gold
    yield "short", True, short
    stated = _stated(language, question, short)
    yield "stated", True, stated
    yield "part", True, _part_with(gold, short)
    for rival in rivals:
        kind = "number" if _DIGITS.search(short) else "name"
        yield f"{kind}_short", False, rival
        yield f"{kind}_stated", False, _stated(language, question, rival)
        yield kind, False, gold.replace(short, rival)
    form, to = _NEGATED[language]
    for kind, text in (("negated", gold), ("negated_stated", stated)):
        denied, count = re.subn(form, to, text, count=1)
        if count and text.count("not") == 0:
            yield kind, False, denied
    if turned := _turned(gold, rng):
        yield "antonym", False, turned


def _rearranged(
    language: str, short: str, gold: str, beside: Sequence[str]
) -> Iterator[tuple[str, bool, str]]:
    """Yield a sentence with two things in each other's place, and with "all" for "most"."""
    other = next((each for each in beside if each not in short and short not in each), "")
    if other and len(short) > 1:
        yield "roles", False, gold.replace(short, "\0").replace(other, short).replace("\0", other)
    if exchanged := _other_unit(gold):
        yield "unit", False, exchanged
    if either := _OR[language].search(gold):
        one = f"{either['one']}のみ" if language == "ja" else f"{_ONLY[language]}{either['one']}"
        yield "alternative", False, gold.replace(either.group(), one)
    form, to = _WIDENED[language]
    widened, count = re.subn(form, to, gold, count=1, flags=re.IGNORECASE)
    if count:
        yield "quantity", False, widened


def _other_unit(text: str) -> str:
    """Return a text with another unit of the same measure behind one of its numbers."""
    for match in re.finditer(r"\d ?", text):
        readings, end = unit_at(text, match.start() + 1)
        if len(readings) == 1:
            others = [
                name
                for name in UNIT_NAMES
                if len(units_called(name)) == 1
                and units_called(name)[0][0] == readings[0][0]
                and abs(units_called(name)[0][1] / readings[0][1] - 1) > 0.3
                and is_cjk(name) == is_cjk(text)
            ]
            if others:
                other = others[zlib.crc32(text.encode()) % len(others)]
                return text[: match.end()] + other + text[end:]
    return ""


def _stated(language: str, question: str, answer: str) -> str:
    """Return a question with an answer in the place of its question word."""
    plain = question.strip().rstrip("?？。.").removesuffix("か")
    said, count = re.subn(_ASKED[language], lambda _: answer, plain, count=1, flags=re.IGNORECASE)
    stop = "。" if is_cjk(question) else "."
    return (said if count else f"{plain} {answer}") + stop


def _part_with(gold: str, short: str) -> str:
    """Return the part of a sentence between commas that has the answer, with its neighbour."""
    parts = re.split(r"(?<=[,，、])(?!\d)", gold)
    at = next((n for n, part in enumerate(parts) if short in part), 0)
    return "".join(parts[max(0, at - 1) : at + 1]) if len(parts) > 2 else gold


def _turned(text: str, rng: random.Random) -> str:
    """Return a text with one word in the place of its opposite, or nothing."""
    table = antonyms()
    if is_cjk(text):
        pairs = [text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2] in table]
    else:
        pairs = [word for word in words(text) if word.lower() in table and len(word) > 3]
    if not pairs:
        return ""
    word = rng.choice(pairs)
    other = rng.choice(sorted(table[word if is_cjk(text) else word.lower()]))
    return text.replace(word, other, 1)
