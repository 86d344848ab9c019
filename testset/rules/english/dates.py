"""English dates: years, days, months, decades and centuries as they stand in a sentence."""

import re

__all__ = ["ANY_DATE", "DATE", "FRONTED", "MONTHS", "hangs_on_today"]

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_YEAR = r"(?:1[0-9]|20)\d\d"
_PERIOD = (
    r"the (?:early |mid-|late )?(?:\d{4}s|\d{1,2}(?:st|nd|rd|th)(?: and \d{1,2}(?:st|nd|rd|th))? "
    r"centur(?:y|ies))"
)
DATE = (
    rf"(?:(?:\d{{1,2}} (?:{MONTHS})|(?:{MONTHS}) \d{{1,2}},?|(?:{MONTHS}))(?: {_YEAR})?"
    rf"|{_YEAR}(?!s)|{_PERIOD})"
)
ANY_DATE = re.compile(DATE)
FRONTED = re.compile(rf"(?P<prep>In|On|By|Since|Until|During) (?P<date>{DATE}),? (?=\S)")

_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_HANGING = re.compile(
    rf"\b(?:{_DAYS}|yesterday|today|tomorrow|tonight|ago|nowadays)\b"
    r"|\b(?:last|next|this|that|previous|the same|the past|the following) (?:second|minute|hour|"
    r"day|night|week|weekend|month|year|season|decade|century|time|spring|summer|autumn|fall|"
    r"winter|morning|afternoon|evening)s?\b|\bmid-week\b"
)
_LONE_MONTH = re.compile(
    rf"\b(?:in|during|since|until|by|on|early|late|mid|of)[ -](?:the )?(?:{MONTHS})(?: \d{{1,2}})?"
    r"(?![\w ,]*\b\d{4}\b)(?= |$|\?|,)"
)


def hangs_on_today(words: str) -> bool:
    """Return whether a time is told that only the day of writing makes plain.

    Example:
        >>> hangs_on_today("met on Monday"), hangs_on_today("met in May 1951")
        (True, False)
    """
    return bool(_HANGING.search(words) or _LONE_MONTH.search(words))
