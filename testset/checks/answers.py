"""Which values a text offers as an answer of one kind: its dates, its counts, its names."""

import re

from testset.search import keys_of

__all__ = ["best_answer", "values_of"]

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember"
)
_DATE = re.compile(
    rf"(?:\d{{1,2}}\.? (?:{_MONTHS})|(?:{_MONTHS}) \d{{1,2}},?|(?:{_MONTHS}))(?: \d{{4}})?"
    r"|\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|(?<!\d)(?:1\d|20)\d\d(?!\d)"
)
_NUMBER = re.compile(
    r"\d[\d,.]*\d|\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|"
    r"vier|"
    r"fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b"
)
WINDOW = 48
"""Characters on each side of a value that tell what it is the value of."""


def values_of(text: str, kind: str) -> list[tuple[int, str]]:
    """Return place and text of every value of a kind; none for kinds without a form."""
    pattern = {"temporal": _DATE, "numeric": _NUMBER}.get(kind)
    if pattern is None:
        return []
    return [(match.start(), match.group()) for match in pattern.finditer(text)]


def best_answer(question: str, text: str, kind: str) -> str:
    """Return the value of `text` whose surroundings share most with the question.

    Example:
        >>> best_answer("In which year was the pump built?",
        ...             "The vent was made in 1990, and the pump was built in 1995.", "temporal")
        '1995'
    """
    asked = set(keys_of(question))
    best, most = "", -1.0
    for place, value in values_of(text, kind):
        around = text[max(0, place - WINDOW) : place + len(value) + WINDOW]
        clause = _clause_around(text, place)
        shared = len(asked & set(keys_of(clause))) + 0.1 * len(asked & set(keys_of(around)))
        if shared > most:
            best, most = value, shared
    return best


def _clause_around(text: str, place: int) -> str:
    """Return the stretch between commas or full stops that a place lies in."""
    start = 0
    for match in _BORDER.finditer(text):
        if match.start() > place:
            return text[start : match.start()]
        start = match.end()
    return text[start:]


_BORDER = re.compile(r"[;。；，]\s*|\.\s|,\s(?=(?:but|and|while|whereas|aber|und)\b)")
