"""Values: the quantities, dates and times of a text, read so that they can be compared.

"Twelve kilograms" and "12 kg" are one value, so are "3 May 1998" and "1998-05-03", "halb neun
abends" and "20:30". Two values conflict if they are of one kind and not the same.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from llamaindex_rag_eval.judge.rules.numerals import number_of, number_word
from llamaindex_rag_eval.judge.rules.tokens import normalise
from llamaindex_rag_eval.judge.rules.units import unit_pattern, units_called

__all__ = ["Value", "agree", "compete", "values_of"]


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its unit, a date or a time of the day, as far as the text gives it.

    Attributes:
        kind: What it is.
        number: The number as it stands; 0 for dates and times.
        readings: For a number with a unit, what it may measure and how much of it.
        fields: For a date or time, its parts: `y`ear, `m`onth, `d`ay, `w`eekday, `q`uarter,
            `decade`, `century`, `season`, `part` of a period, `t`ime in minutes.
        bound: 1 for at least, -1 for at most, else 0.
        start: Where it begins in the normalised text.
        end: Where it ends.
    """

    kind: Literal["number", "date"]
    number: float = 0.0
    readings: tuple[tuple[str, float], ...] = ()
    fields: tuple[tuple[str, int], ...] = ()
    bound: int = 0
    start: int = 0
    end: int = 0


_MONTHS = (
    "january januar jan|february februar feb|march märz mar|april apr|may mai|june juni jun|"
    "july juli jul|august aug|september sept sep|october oktober oct okt|november nov|"
    "december dezember dec dez"
)
_WEEKDAYS = (
    "monday montag|tuesday dienstag|wednesday mittwoch|thursday donnerstag|friday freitag|"
    "saturday samstag sonnabend|sunday sonntag"
)
_SEASONS = "spring frühling frühjahr 春|summer sommer 夏|autumn herbst 秋|winter 冬"
_PARTS = (
    "early beginning anfang frühen frühe 初期 初頭 初 前半 上旬 上半|mid middle mitte mittleren 中期 中叶 中頃 中旬|"
    "late end ende späten späte 末期 末 後半 后期 下旬 下半"
)


def _places(table: str) -> dict[str, int]:
    groups = enumerate(table.split("|"), start=1)
    return {word: number for number, group in groups for word in group.split()}


def _any(words: Mapping[str, int]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_MONTH, _WEEKDAY = _places(_MONTHS), _places(_WEEKDAYS)
_SEASON, _PART = _places(_SEASONS), _places(_PARTS)
_FULL_MONTHS = {word: number for word, number in _MONTH.items() if len(word) > 3}
_EAST_DAYS = dict(zip("月火水木金土日", range(1, 8), strict=True))
_EARLY = f"(?:(?P<part>{_any(_PART)})(?: of| der| des|-| the| in den)* ?)?"
_DAY = r"(?:st|nd|rd|th|\.)?"
_HALVES = "am|vormittags?|morgens?|früh|上午|早上|凌晨|早晨|清晨|午前|朝|今朝"
_AFTERNOONS = "pm|nachmittags?|abends?|下午|晚上|傍晚|午後|夕方|夜|晚"
_PM = re.compile(rf"(?:{_AFTERNOONS})")
_DATES = [
    re.compile(pattern)
    for pattern in (
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<d>\d{1,2})(?P<sep>[./])(?P<m>\d{1,2})(?P=sep)(?P<y>\d{4})?(?!\d)",
        r"(?P<y>\d{4})年(?:(?P<m>\d{1,2})月)?(?:(?P<d>\d{1,2})[日号號](?![间間]))?"
        r"(?P<part>初|末)?(?:の?(?P<season>[春夏秋冬]))?",
        r"(?<!\d)(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})[日号號](?![间間]))?(?P<part>初|末|上旬|中旬|下旬)?",
        r"(?<!\d)(?P<d>\d{1,2})[日号號](?![间間後后内以]|に?\d)",
        rf"\b(?:(?P<d>\d{{1,2}}){_DAY} (?:of )?)(?P<month>{_any(_MONTH)})\b\.?(?:,? (?P<y>\d{{4}}))?",
        rf"\b(?P<month>{_any(_MONTH)})\b\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.:,]\d)"
        r"(?:,? (?P<y>\d{4}))?",
        rf"\b(?P<month>{_any(_MONTH)})\b\.?,? (?P<y>\d{{4}})",
        rf"\b(?P<month>{_any(_FULL_MONTHS)})\b",
        rf"\b(?P<weekday>{_any(_WEEKDAY)})s?\b",
        r"(?:周|星期|礼拜|週)(?P<w>[1-6])|(?:周|星期|礼拜)(?P<sunday>[日天])|(?P<east>[月火水木金土日])曜日?",
        rf"{_EARLY}(?P<ordinal>\d{{1,2}}|[a-zäöüß]+)(?:st|nd|rd|th|\.)?[ -]?"
        r"(?:century|jahrhunderts?|世紀|世纪)(?P<after>初期|初頭|前半|中期|中叶|後半|后期|末期|初|末)?",
        rf"{_EARLY}(?P<century>\d{{2}})00s\b|{_EARLY.replace('part', 'part2')}(?P<decade>\d{{3}})0"
        r"(?:s|er|年代)(?P<after>初期|前半|中期|後半|后期|末期|初|末)?",
        r"\bq(?P<q>[1-4])\b|(?P<nth>first|second|third|fourth|ersten?s?|zweiten?s?|dritten?s?|"
        r"vierten?s?|[1-4]\.) (?:quarter|quartals?)\b|第(?P<qe>[1-4])(?:季度|四半期)",
        rf"\b(?P<season>{_any({w: n for w, n in _SEASON.items() if w.isascii() or w[0] == 'f'})})\b"
        r"(?:[ ,]+(?:of )?(?P<y>\d{4})\b)?",
        r"(?:の|年|去|今|明|这|この|毎|每|^)(?P<season>[春夏秋冬])(?=[天季にのはも、。,]|$)",
        rf"(?P<half>{_HALVES}|{_AFTERNOONS})?の?(?<!\d)(?P<hour>\d{{1,2}})[点點時时](?!間|间)"
        r"(?:(?P<minute>\d{1,2})分|(?P<thirty>半)|(?P<quarter>[1-3])刻)?",
        r"(?<![\d.:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?![\d:])(?: ?uhr)?(?: ?(?P<half>[ap])\.?m\b\.?"
        rf"| (?P<later>{_HALVES}|{_AFTERNOONS}))?",
        r"(?<![\d.:])(?P<hour>\d{1,2})(?:[.:](?P<minute>\d{2}))?(?: ?(?P<half>[ap])\.?m\b\.?"
        rf"| ?uhr(?: (?P<minute2>\d{{1,2}}))?(?: (?P<later>{_HALVES}|{_AFTERNOONS}))?| o'clock)",
        r"\b(?P<shift>halb|half past|viertel nach|quarter past|viertel vor|quarter to|dreiviertel) "
        rf"(?P<named>\d{{1,2}}|[a-zäöüß]+)(?: uhr)?(?: (?P<later>{_HALVES}|{_AFTERNOONS}))?",
        r"(?<![\d.,:/-])(?P<y>1[0-9]{3}|20\d\d)(?![\d.,:/%°-]*\d| ?(?:%|°|€|\$|(?:[kcm]?m|[km]?g|m?l)\b))",
    )
]
_SHIFTS = {
    "halb": -30, "half past": 30, "viertel nach": 15, "quarter past": 15, "viertel vor": -15,
    "quarter to": -15, "dreiviertel": -15,
}  # fmt: skip
_PHRASES: dict[str, tuple[float, str]] = {
    "half an hour": (30, "min"), "halbe stunde": (30, "min"), "halben stunde": (30, "min"),
    "半小时": (30, "min"), "半个小时": (30, "min"), "半時間": (30, "min"),
    "an hour and a half": (90, "min"), "three quarters of an hour": (45, "min"),
    "quarter of an hour": (15, "min"), "1刻钟": (15, "min"), "一刻钟": (15, "min"),
    "dreiviertelstunde": (45, "min"), "viertelstunde": (15, "min"),
    "halbes jahr": (6, "months"), "halben jahr": (6, "months"), "半年": (6, "months"),
    "half a day": (12, "hours"), "半天": (12, "hours"), "半日": (12, "hours"),
    "a fortnight": (14, "days"), "half a kilo": (0.5, "kg"), "an hour": (1, "hour"),
    "a dozen": (12, ""), "ein dutzend": (12, ""), "1打": (12, ""), "1ダース": (12, ""),
    "半升": (0.5, "升"), "半斤": (0.5, "斤"), "半公斤": (0.5, "公斤"), "半吨": (0.5, "吨"),
    "半米": (0.5, "米"), "半リットル": (0.5, "リットル"), "半キロ": (0.5, "キロ"),
    "half a litre": (0.5, "l"), "half a liter": (0.5, "l"), "halber liter": (0.5, "l"),
    "halben liter": (0.5, "l"), "half a metre": (0.5, "m"), "half a mile": (0.5, "mi"),
    "half a year": (6, "months"), "anderthalb jahre": (18, "months"),
}  # fmt: skip
_PHRASE = re.compile(
    "|".join(map(re.escape, sorted(_PHRASES, key=lambda each: (-len(each), each))))
)
_SCALES = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "millionen": 10**6, "mio": 10**6,
    "billion": 10**9, "milliarde": 10**9, "milliarden": 10**9, "mrd": 10**9, "bn": 10**9,
    "trillion": 10**12, "billionen": 10**12, "tausend": 1000, "dozen": 12, "millions": 10**6,
}  # fmt: skip
_FRACTIONS = {
    "half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
    "tenth": 10, "tenths": 10, "hälfte": 2, "drittel": 3, "viertel": 4, "fünftel": 5,
    "zehntel": 10,
}  # fmt: skip
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[a-zäöüß]+")
_CURRENCY = re.compile(r"(us\$|[$€£¥]) ?$")
_SHARES = re.compile(
    r"百分之(?P<percent>\d+(?:\.\d+)?)|(?P<below>\d+)分[之の](?P<above>\d+(?:\.\d+)?)"
)
_LEAST = re.compile(
    r"(?:at least|no less than|more than|over|above|minimum(?: of)?|mindestens|wenigstens|über|"
    r"mehr als|至少|超过|不少于|最少|少なくとも|最低)(?: \w+)? ?$"
)
_MOST = re.compile(
    r"(?:at most|no more than|not more than|less than|fewer than|under|below|up to|"
    r"maximum(?: \w+)? of|höchstens|maximal|bis zu|weniger als|unter|至多|最多|不超过|少于|不到|最大|多くても)"
    r"(?: \w+)? ?$"
)
_LEAST_AFTER = re.compile(r"[^\d、，。,.]{0,3}?(?:以上|超|or more|oder mehr)")
_MOST_AFTER = re.compile(
    r"[^\d、，。,.]{0,3}?(?:以下|以内|未満|未满|or less|or fewer|oder weniger)"
)
_LINK = re.compile(
    r" ?(?:to|and|or|und|oder|bis|auf|-|–|—|~|〜|至|到|から|或|か|、) ?(?:the |den |zu )?"
)
_CLUE = re.compile(
    rf"\d|半|[周曜期春夏秋冬]|刻|\b(?:{_any(_FULL_MONTHS)}|{_any(_WEEKDAY)}|"
    rf"{'|'.join(sorted({*_FRACTIONS, *_SCALES, *_SEASON}))})|(?:viertel)?stunde|jahr|hour|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen(?:th)?|\w+ty|"
    r"first|third|\w+th|twice|ein|eine|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|"
    r"zwölf|erste|dritte|\w+zig|\w*hundert\w*|\w*einhalb|\w+mal|\w+zehn|\w+te[nrsm]?|anderthalb)"
)


@lru_cache(maxsize=8_192)
def values_of(text: str) -> tuple[Value, ...]:
    """Return the values of a text in its order.

    Example:
        >>> [value.readings for value in values_of("It weighs twelve kilograms.")]
        [(('gram', 12000.0),)]
        >>> [value.fields for value in values_of("seit dem 3. Mai 1998")]
        [(('d', 3), ('m', 5), ('y', 1998))]
    """
    plain = normalise(text).lower()
    if not _CLUE.search(plain):
        return ()
    found: list[Value] = []
    for start, end, fields in _dates(plain):
        plain = plain[:start] + "\0" * (end - start) + plain[end:]
        found.append(Value("date", fields=tuple(sorted(fields.items())), start=start, end=end))
    stated = [*_stated(plain)]
    for value in stated:
        plain = plain[: value.start] + "\0" * (value.end - value.start) + plain[value.end :]
    numbers = [_bounded(value, plain) for value in (*stated, *_numbers(plain))]
    return tuple(sorted([*found, *_ranged(numbers, plain)], key=lambda value: value.start))


def _dates(plain: str) -> Iterator[tuple[int, int, dict[str, int]]]:
    for pattern in _DATES:
        taken = []
        for match in pattern.finditer(plain):
            fields = _fields({name: part for name, part in match.groupdict().items() if part})
            if fields:
                taken.append(match.span())
                yield (*match.span(), fields)
        for start, end in taken:
            plain = plain[:start] + "\0" * (end - start) + plain[end:]


def _fields(parts: Mapping[str, str]) -> dict[str, int]:
    """Return the parts of a date or a time; none if they are not possible."""
    fields = {
        name: int(parts[name])
        for name in ("y", "m", "d", "w", "q", "century", "decade")
        if name in parts
    }
    if "century" in fields:
        fields["century"] += 1
    for name, key, table in (
        ("month", "m", _MONTH),
        ("weekday", "w", _WEEKDAY),
        ("season", "season", _SEASON),
        ("part", "part", _PART),
        ("part2", "part", _PART),
        ("after", "part", _PART),
        ("east", "w", _EAST_DAYS),
    ):
        if name in parts:
            fields[key] = table[parts[name]]
    if "sunday" in parts:
        fields["w"] = 7
    if quarter := parts.get("nth") or parts.get("qe"):
        fields["q"] = _number(quarter.rstrip(".")) or (2 if quarter.startswith("second") else 1)
    if "ordinal" in parts:
        century = _number(parts["ordinal"])
        return {} if not century else fields | {"century": century}
    minutes = _clock(parts)
    if minutes is not None:
        fields["t"] = minutes
    wrong = fields.get("m", 1) > 12 or fields.get("d", 1) > 31 or not fields.get("d", 1)
    return {} if wrong or fields.keys() <= {"part"} else fields


def _number(word: str) -> int:
    value = float(word) if word.isdigit() else number_word(word)
    return int(value) if value else 0


def _clock(parts: Mapping[str, str]) -> int | None:
    """Return minutes since midnight; over 1440 where morning and evening are left open."""
    hour = parts.get("hour") or parts.get("named")
    if hour is None:
        return None
    hours = _number(hour)
    minutes = int(parts.get("minute") or parts.get("minute2") or 0)
    minutes += 30 if "thirty" in parts else 15 * int(parts.get("quarter", 0))
    minutes += _SHIFTS.get(parts.get("shift", ""), 0)
    if not 0 < hours + minutes / 60 < 25 or minutes > 59:
        return None
    half = parts.get("half") or parts.get("later") or ""
    if half == "p" or (half != "a" and _PM.fullmatch(half)):
        return (hours % 12 + 12) * 60 + minutes
    known = bool(half) or hours > 12 or hours == 0
    return hours * 60 + minutes + (0 if known else 2 * 1440)


def _stated(plain: str) -> Iterator[Value]:
    """Yield shares as in "6 of 100", and amounts in fixed phrases as in "half an hour"."""
    for match in _SHARES.finditer(plain):
        percent, above, below = match["percent"], match["above"], match["below"]
        share = float(percent) / 100 if percent else float(above) / (float(below) or 1)
        whole = float(percent or above)
        yield Value("number", whole, (("ratio", share),), (), 0, *match.span())
    for match in _PHRASE.finditer(plain):
        number, unit = _PHRASES[match.group()]
        amount = tuple((name, size * number) for name, size in units_called(unit))
        yield Value("number", number, amount, (), 0, *match.span())


def _numbers(plain: str) -> Iterator[Value]:
    """Yield the numbers that are no dates, with their units."""
    tokens = list(_TOKEN.finditer(plain))
    at = 0
    while at < len(tokens):
        number, after = _number_at(tokens, at, plain)
        if number is None:
            at += 1
            continue
        start, end = tokens[at].start(), tokens[after - 1].end()
        word = tokens[after].group() if after < len(tokens) else ""
        gap = plain[end : tokens[after].start()] if word else ""
        if word in _FRACTIONS and gap in (" ", "-") and number < 20:
            part = (("ratio", number / _FRACTIONS[word]),)
            yield Value("number", number, part, start=start, end=tokens[after].end())
            at = after + 1
            continue
        end += plain.startswith(".", end) and plain[end - 3 : end] in {"mio", "mrd"}
        unit = unit_pattern().match(plain, end)
        readings: tuple[tuple[str, float], ...] = units_called(unit["unit"]) if unit else ()
        if unit:
            end = unit.end()
        elif currency := _CURRENCY.search(plain[max(0, start - 4) : start]):
            readings = units_called(currency.group(1))
        weak = after == at + 1 and tokens[at].group() in {
            "one",
            "ein",
            "eine",
            "einen",
            "einer",
            "einem",
            "a",
            "an",
        }
        if not weak or readings or plain.strip(" .!。") == tokens[at].group():
            measured = tuple((dimension, size * number) for dimension, size in readings)
            yield Value("number", number, measured, start=start, end=end)
        at = after


def _number_at(tokens: list[re.Match[str]], at: int, plain: str) -> tuple[float | None, int]:
    """Return the number that begins at a token, and the first token behind it."""
    first = tokens[at].group()
    value: float | None
    if first[0].isdigit():
        read = number_of(first)
        value = float(read) if read and read.count(".") < 2 else None
        if value is not None and tokens[at].start() and plain[tokens[at].start() - 1] == ".":
            value = None
    elif first in {"ein", "eine", "einen", "einer", "einem"}:
        value = 1.0
    else:
        value = number_word(first) if first != "second" else None
    at += 1
    total, spelled = 0.0, not first[0].isdigit()
    while value is not None and at < len(tokens):
        gap, word = plain[tokens[at - 1].end() : tokens[at].start()], tokens[at].group()
        more = number_word(word) if spelled and word not in {"twice", "second"} else None
        if gap not in ("", " ", "-", ". "):
            break
        if word in _SCALES:
            value, large = value * _SCALES[word], _SCALES[word] > 100
            total, value = (total + value, 0.0) if large else (total, value)
        elif word == "and" and _follows(tokens, at, "a", "half"):
            value, at = value + 0.5, at + 2
        elif more is not None and _continues(total + value, more):
            value += more
        elif not (word == "and" and total + value >= 100 and _is_number(tokens, at + 1)):
            break
        at += 1
    return None if value is None else total + value, at


def _continues(number: float, more: float) -> bool:
    """Return whether a number word goes on with another, as "twenty" does with "five"."""
    size = 10 if number % 100 else 100 if number % 1000 else 1000
    return number >= 20 and 0 < more < size and not number % size


def _is_number(tokens: list[re.Match[str]], at: int) -> bool:
    return at < len(tokens) and number_word(tokens[at].group()) is not None


def _follows(tokens: list[re.Match[str]], at: int, *words: str) -> bool:
    return tuple(each.group() for each in tokens[at + 1 : at + 1 + len(words)]) == words


def _bounded(value: Value, plain: str) -> Value:
    before, after = plain[max(0, value.start - 28) : value.start], plain[value.end : value.end + 12]
    if _LEAST.search(before) or _LEAST_AFTER.match(after):
        return replace(value, bound=1)
    if _MOST.search(before) or _MOST_AFTER.match(after):
        return replace(value, bound=-1)
    return value


def _ranged(values: list[Value], plain: str) -> list[Value]:
    """Give the first number of a range the unit of the second: "five to ten years"."""
    found = sorted(values, key=lambda value: value.start)
    for place in range(len(found) - 1, 0, -1):
        one, other = found[place - 1], found[place]
        between = plain[one.end : other.start]
        if not one.readings and other.readings and other.number and _LINK.fullmatch(between):
            scale = one.number / other.number
            readings = tuple((name, size * scale) for name, size in other.readings)
            found[place - 1] = replace(one, readings=readings)
    return found


def agree(claim: Value, source: Value) -> bool:
    """Return whether a source's value bears out a claim's.

    Example:
        >>> one, other, far = values_of("1500 ml, 1.5 litres, 1.5 gallons")
        >>> agree(one, other), agree(one, far)
        (True, False)
    """
    if claim.kind != source.kind:
        date, number = (claim, source) if claim.kind == "date" else (source, claim)
        fields = dict(date.fields)
        single = fields["y"] if fields.keys() == {"y"} else fields.get("d")
        return single == number.number and not number.readings
    if claim.kind == "date":
        own, theirs = dict(claim.fields), _widened(source)
        shared = own.keys() & theirs.keys()
        return bool(shared) and all(
            _same_field(key, own[key], theirs[key], own, theirs) for key in shared
        )
    if claim.bound * source.bound < 0:
        return False
    if claim.readings and source.readings:
        return any(
            one == other and _near(size, true)
            for one, size in claim.readings
            for other, true in source.readings
        )
    if claim.readings or source.readings:
        (reading, bare) = (claim, source) if claim.readings else (source, claim)
        sizes = [size for name, size in reading.readings if name in ("ratio",)]
        return _near(reading.number, bare.number) or any(_near(size, bare.number) for size in sizes)
    return _near(claim.number, source.number)


def _near(one: float, other: float) -> bool:
    """Return whether two numbers are equal, or one is the other rounded by less than 1 %."""
    gap, size = abs(one - other), max(abs(one), abs(other))
    if gap <= 1e-6 * size:
        return True
    if gap > 0.01 * size:
        return False
    places = [len(f"{each:.6f}".rstrip("0").partition(".")[2]) for each in (one, other)]
    return places[0] != places[1] and round(one, min(places)) == round(other, min(places))


def _widened(value: Value) -> dict[str, int]:
    """Return the parts of a date with what follows from them."""
    fields = dict(value.fields)
    if "y" in fields:
        fields.setdefault("decade", fields["y"] // 10)
    if "decade" in fields:
        fields.setdefault("century", fields["decade"] // 10 + 1)
    return fields


def _same_field(
    key: str, own: int, theirs: int, claim: Mapping[str, int], source: Mapping[str, int]
) -> bool:
    if key == "t" and max(own, theirs) >= 2 * 1440:
        return own % 720 == theirs % 720
    if key in "dm" and {"d", "m"} <= claim.keys() & source.keys():  # 3/5 is May or March
        return {claim["d"], claim["m"]} == {source["d"], source["m"]} and (
            own == theirs or (max(claim["d"], claim["m"]) <= 12)
        )
    return own == theirs


def compete(claim: Value, source: Value) -> bool:
    """Return whether two values are of one kind, so that one of them cannot be the other."""
    if claim.kind == "date" and source.kind == "date":
        return not _widened(claim).keys().isdisjoint(_widened(source))
    if claim.kind != source.kind:
        return False
    if claim.readings and source.readings:
        shared = {name for name, _ in claim.readings} & {name for name, _ in source.readings}
        return bool(shared) or _near(claim.number, source.number)
    return True
