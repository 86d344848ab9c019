"""Exchange: another value in place of the one that answers a question, so that texts stay sensible.

A number becomes another of its size; of an amount whose number is in words, the unit becomes
another of what it measures; a name changes places with one of the same kind. Units and names come
from the same documents: names are of one kind if they stand behind the same label, or in columns of
the same head.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.quantities import units_called
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, normalise
from llamaindex_rag_eval.judge.rules.values import values_of

_NUMBER = re.compile(
    r"(?<![A-Za-z\d])(?<![A-Za-z\d][-–/])\d+(?:[.,]\d+)*(?![A-Za-z\d]|[.,]\d|[-–/]\d{3})"
)
"""A number that is no part of a name, as in "VT-480", "CR2032" or "2016/680"."""
_SINGULAR = frozenset({"0", "1", "00", "01"})
"""Numbers behind which other words stand."""
_STEP = re.compile(r"(?m)^\s*(\d+)[.)]\s")
"""The number of a step."""
_YEAR = re.compile(r"1[89]\d\d|20\d\d")
STEP = 7
"""What is added to a number; it is no round one, which a model may guess."""
MONTHS = 12
"""Days, months, hours and minutes below it are all valid."""
_LABELLED = re.compile(r"[\s>*#+-]*(?P<label>[^:：|]{2,40})[:：]\s*(?P<value>[^:：|]{2,40})")
LONGEST = 12
"""Characters of a name in Chinese or Japanese at most; what is longer is a sentence."""
_RULE = re.compile(r"(?=[^-]*-)[\s|:-]*")
"""What stands between the heads and the rows of a table."""
_MARKS = " \t*_`.。"
_LETTERS = r"[^\W\d_]"


@dataclass(frozen=True)
class Exchange:
    """What becomes what.

    Attributes:
        pattern: What may be exchanged.
        table: What of it is, and its replacement.
    """

    pattern: re.Pattern[str]
    table: Mapping[str, str]

    def apply(self, text: str) -> str:
        """Return a text with the values exchanged."""
        return self.pattern.sub(lambda match: self.table.get(match[0], match[0]), text)


def exchange_of(
    question: str, reference: str, texts: Sequence[str], documents: Iterable[str]
) -> Exchange | None:
    """Return what is exchanged of a right answer in the texts it was taken from.

    Args:
        question: The question; what stands in it stays.
        reference: The right answer.
        texts: What it was taken from.
        documents: Where units and names of the same kind are looked for.

    Returns:
        The exchange; `None` if nothing of the answer is safe to exchange.

    Example:
        >>> texts = ["Owner: Ada Ito", "Owner: Ben Huber"]
        >>> exchange = exchange_of("Who owns the pump?", "Ada Ito", texts, texts)
        >>> exchange.apply("Ada Ito") if exchange else ""
        'Ben Huber'
    """
    numbers = exchanged_numbers(question, reference, texts)
    if numbers:
        return Exchange(_NUMBER, dict(numbers))
    known = [*documents]
    for old, new in (*_unit_pairs(reference, known), *_name_pairs(reference, known)):
        whole = _whole(old, new)
        written = "\n".join(texts)
        if whole.search(question) or not _whole(old).search(written):
            continue
        if old not in _whole(old).sub("", written):  # no form of it is left, as a genitive
            return Exchange(whole, {old: new, new: old})
    return None


def exchanged_numbers(
    question: str, reference: str, texts: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Return a number of a right answer that texts hold, and another one to put in its place.

    It is the number with most digits, so that of a date the year changes and the date stays one;
    all years of the texts change by as much, so that what was before stays before. Another number
    has as many digits, and stands in none of the texts.

    Args:
        question: The question; its numbers stay.
        reference: The right answer.
        texts: What it was taken from.

    Returns:
        Both numbers as they are written, other years behind them; nothing if no number is in both.

    Example:
        >>> exchanged_numbers("When?", "in March 2006", ["Closed on 3 March 2006, after 12 years."])
        (('2006', '2013'),)
    """
    held = {number for text in texts for number in _NUMBER.findall(text)}
    fixed = _SINGULAR.union(_NUMBER.findall(question), _STEP.findall(reference))
    numbers = [n for n in _NUMBER.findall(reference) if n in held and n not in fixed]
    if not numbers:
        return ()
    parts = _parts_of_dates(reference)
    old = max(numbers, key=lambda n: (n not in parts, sum(map(str.isdigit, n))))
    if _YEAR.fullmatch(old):
        years = [old, *sorted(n for n in held - fixed - {old} if _YEAR.fullmatch(n))]
        return tuple((year, str(int(year) + STEP)) for year in years)
    digits = "".join(filter(str.isdigit, old))
    last = min(2, len(digits))  # the first digits give the order of size
    size = MONTHS if old in parts else 10**last
    for step in range(STEP, STEP + size):
        end = (int(digits[-last:]) + step) % size
        changed = iter(f"{digits[:-last]}{end:0{last}}")
        new = "".join(next(changed) if sign.isdigit() else sign for sign in old)
        if new not in held | fixed:
            return ((old, new),)
    return ()


def _parts_of_dates(text: str) -> set[str]:
    """Return the days, months, hours and minutes of a text: what stays one below a dozen."""
    plain = normalise(text)
    dates = (value for value in values_of(text) if value.kind == "date")
    numbers = (n for date in dates for n in re.findall(r"\d+", plain[date.start : date.end]))
    return {number for number in numbers if len(number) < 3}


def _unit_pairs(reference: str, documents: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield amounts in words, as "three hours", with another unit of the documents' behind them."""
    for match in re.finditer(rf"\b(?=({_LETTERS}+)\s({_LETTERS}+))", reference):
        number, unit = match.groups()
        own, values = units_called(unit.lower()), values_of(f"{number} {unit}")
        if not own or not values or not values[0].readings or values[0].number <= 1:
            continue
        for word in re.findall(rf"\s({_LETTERS}{{3,}})", "\n".join(documents)):
            readings = units_called(word.lower())
            plural = word[-1] == unit[-1] and word.islower() == unit.islower()
            if readings and readings[0][0] == own[0][0] and readings[0] != own[0] and plural:
                yield f"{number} {unit}", f"{number} {word}"


def _name_pairs(reference: str, documents: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield names of a right answer, each with another of the same kind."""
    slots = [slot for text in documents for slot in _labelled(text)]
    for old in dict.fromkeys((reference.strip(_MARKS), *entities_of(reference))):
        kinds = {slot for slot, name in slots if name == old}
        for slot, new in slots:
            if slot in kinds and _alike(old, new):
                yield old, new


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands behind labels and in tables, each with its label or the column's head."""
    heads: list[str] = []
    before: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip(_MARKS) for cell in line.strip().strip("|").split("|")]
        if _RULE.fullmatch(line):
            heads = before
        elif len(cells) == len(heads) > 1:
            yield from zip(map(str.casefold, heads), cells, strict=True)
        elif match := _LABELLED.fullmatch(line):
            yield match["label"].strip(_MARKS).casefold(), match["value"].strip(_MARKS)
        before = cells


def _alike(old: str, new: str) -> bool:
    """Return whether two names are of one form, and neither is a part of the other."""
    either = old + new
    if any(map(str.isdigit, either)) or old in new or new in old or count_negations(new):
        return False
    if is_cjk(either):
        return is_cjk(old) and is_cjk(new) and 1 < len(old) <= LONGEST and 1 < len(new) <= LONGEST
    capitals = [[word[0].isupper() for word in name.split()] for name in (old, new)]
    return min(len(old), len(new)) > 3 and capitals[0] == capitals[1] and capitals[0][0]


def _whole(*names: str) -> re.Pattern[str]:
    """Return a pattern that finds names as whole words."""
    edge = r"(?<![^\W\u3040-\u309f])(?:{})(?![^\W\u3040-\u309f])"
    return re.compile(edge.replace("{}", "|".join(map(re.escape, names))))
