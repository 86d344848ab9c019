"""What stands before the main clause of an English sentence: a date, a setting, a connective."""

import re
from dataclasses import dataclass

from testset.rules.english.dates import FRONTED

__all__ = ["Opening", "opening_of", "plain"]

_LEADING = re.compile(
    r"^(?:(?:However|Additionally|In addition|Also|Finally|Furthermore|Moreover|Today|Originally|"
    r"Initially|Eventually|Historically|Traditionally|Consequently|Nevertheless|Subsequently|"
    r"Similarly|As a result|For example|For instance|In fact|Later|Then|Therefore|Meanwhile|"
    r"Instead|Unfortunately|Of course|Likewise|Conversely|Hence|Indeed|Specifically|Basically|"
    r"Essentially|Generally|Usually|Typically|In general|In short|Note that|Nonetheless|Thus|"
    r"By default|First|Second|Third|Overall|Notably|In particular|Firstly|Secondly)|"
    r"(?:Although|Though|While|After|Before|Since|Following|Despite|Even with|Contrary to|Given|"
    r"In addition to|In response to|As part of|Instead of|On behalf of|By|On the|With the|"
    r"Because of|Due to|Prior to|According to|Unlike|Along with|Together with|With|Using|"
    r"Based on|Like|As|Unlike|"
    r"Through|Over|For|From|Among) [^,]{5,90}), "
)
_BRACKETS = re.compile(r"\s?\((?!\d{4}\))[^()]{0,80}\)|\[[^\[\]]{0,40}\]")
_SETTING = re.compile(
    r"(?P<setting>(?:In|During|Under|At|Within|Throughout) [\w' -]{3,40}), (?=\S)"
)
_APPOSITION = re.compile(
    r"^(?P<name>(?:The )?[A-Z][\w'’.-]+(?: (?:[A-Z][\w'’.-]+|of|the|on|for))*), [^,;()"
    r"]{4,80},(?= [a-z])"
)


@dataclass(frozen=True, slots=True)
class Opening:
    """A sentence in two: what opens it, and its main clause.

    Attributes:
        body: The main clause, its first letter a capital.
        date: The date that opens the sentence; empty if none does.
        preposition: What stood before that date.
        setting: A phrase like "During the war"; empty if none opens the sentence.
    """

    body: str
    date: str = ""
    preposition: str = ""
    setting: str = ""


def plain(text: str) -> str:
    """Return a sentence with single blanks, and none before its commas and full stops.

    Example:
        >>> plain("Ely 's  hall , of stone .")
        "Ely's hall, of stone."
    """
    joined = re.sub(r"\s+", " ", text).strip()
    if re.search(r" [,.](?: |$)", joined):
        joined = re.sub(r"(?<=\w) - (?=\w)", "-", joined)
    return re.sub(r" (?=(?:[,;:]|['’]s\b|\.)(?:\s|$))", "", joined)


def opening_of(text: str) -> Opening | None:
    """Return a sentence parted; `None` if its main clause cannot be told from what opens it.

    Example:
        >>> opening_of("In 1951, the Ely hall was built.")
        Opening(body='The Ely hall was built.', date='1951', preposition='In', setting='')
    """
    text = _BRACKETS.sub("", text)
    text = _LEADING.sub("", text)
    if not re.match(r"[a-z]+[A-Z]", text):
        text = text[:1].upper() + text[1:]
    fronted = FRONTED.match(text)
    setting = None if fronted else _SETTING.match(text)
    opening = fronted or setting
    body = text[opening.end() :] if opening else text
    if not opening and re.match(r"[A-Z][a-z]*(?: [a-z]+){0,4},", body):
        return None
    if not re.match(r"[a-z]+[A-Z]", body):
        body = body[:1].upper() + body[1:]
    body = _APPOSITION.sub(r"\g<name>", body)
    date, preposition = (fronted["date"].rstrip(","), fronted["prep"]) if fronted else ("", "")
    return Opening(body, date, preposition, setting["setting"] if setting else "")
