"""Labels: what a value is, asked of each "label: value" line, definition and cell of a table."""

import re
from collections.abc import Iterator
from dataclasses import replace

from testset.checks.answers import letters_of
from testset.rules.candidate import Candidate, Kind
from testset.rules.structure.answers import in_setting, under_heading
from testset.rules.structure.glossary import long_form
from testset.rules.structure.records import Record
from testset.rules.structure.titles import letters
from testset.rules.structure.values import ValueKind, is_code, is_switch, kind_of, number_in
from testset.rules.structure.wording import is_noun, placed, worded

_KINDS: dict[ValueKind, Kind] = {
    "date": "temporal",
    "duration": "numeric",
    "hours": "temporal",
    "money": "numeric",
    "number": "numeric",
    "phone": "numeric",
    "share": "numeric",
    "time": "temporal",
}
_REACHED = frozenset({"address", "hours", "phone"})
"""Kinds of values that say how something is reached, whatever stands before them."""
_NUMBERED = re.compile(r"\d$")
"""Ends a code of a message, which means something, and does nothing."""
_LETTER = re.compile(r"[^\W\d_]")
_SHORT_FORM = re.compile(r"[A-Z][A-Za-z0-9]{1,7}")
_CJK = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_WORDS = re.compile(r"(?<!\S)[a-z]+(?!\S)")
FEWEST_FOREIGN = 3
"""Small words of a cell at least, with no Chinese or Japanese, for it to be of another language."""
_CAPITALS = re.compile(r"[A-Z][A-Z\d_.-]+")
"""A name of code in capitals, not a key as "D", nor a list of names."""
_PROSE = re.compile(r"[^\x00-\x7f]{2}|(?<!\S)[^\W\d_]+,? [^\W\d_]+[,.;:]?(?!\S)")
"""Finds what no piece of code has: two words in a row."""
SHORTEST_MEANING = 30
"""Bytes of a meaning at least: a dozen characters of Chinese or Japanese."""
_EDITION = re.compile(r"\D*[^\W\d]\D* v?\d+\.\d[\d.]*")
"""One of many editions, as "Field guide 4.2": of a history of changes."""
_CODED = re.compile(r"^[A-Z]:\d|\b\w{1,3}[:=]\S+,? \w{1,3}[:=]\S")
"""Finds values in short forms, as "V:12, I:40", that only a legend explains."""
LONGEST_LABEL = 30
"""Bytes of a label without a name at most: a dozen characters of Chinese or Japanese."""
LONGEST_ENTRY = 90
"""Characters of a cell of text at most, which is asked for by the name of its column."""


def labels(record: Record) -> Iterator[Candidate]:
    """Yield what a record answers."""
    question, rule = question_on(record)
    if not question or not _asks(record):
        return
    table = bool(record.corner)
    yield Candidate(
        question,
        record.value,
        ((record.span,),),
        _KINDS.get(record.kind, "factoid") if record.kind else "factoid",
        rule,
        record.section.language.code,
        type="table" if table else "single_hop",
        verbatim=letters_of(record.value) in letters_of(record.section.raw(record.span)),
        wider=under_heading(record.section, question),
    )


def question_on(record: Record) -> tuple[str, str]:
    """Return what a record answers, and the name of the rule; or empty strings."""
    known = record.section.language.structure
    if known.is_one("meaning", record.label) and record.name:
        return _meaning(record, record.name, "table.meaning" if record.corner else "meaning")
    if record.name and (record.corner or record.kind is not None):
        return _of(record)
    if record.kind is None:
        return ("", "") if record.name else _meaning(record, record.label, "meaning")
    bare = {"code", "number"} if known.ask.what else {"code", "number", "address"}
    return ("", "") if record.kind in bare else _labelled(record)


def _labelled(record: Record) -> tuple[str, str]:
    """Return what is asked of a value that has a label, and no name but its heading."""
    known, section = record.section.language.structure, record.section
    ask, setting = known.ask, section.page if record.apart else section.setting
    if record.apart and section.setting != section.page and record.kind not in _REACHED:
        return "", ""
    what = (record.kind and ask.kinds.get(record.kind)) or ask.what
    form = "on" if record.kind == "hours" and known.is_one("day", record.label) else "labelled"
    form = "only" if ask.only and letters(record.label) in letters(what) else form
    short = len(record.label.encode()) <= LONGEST_LABEL and record.label not in setting
    question = worded(record, form, name=setting) if setting and short else ""
    return (question, f"label.{record.kind}") if question else ("", "")


def _of(record: Record) -> tuple[str, str]:
    """Return what is asked of a cell, or of a value of something with a name."""
    known = record.section.language.structure
    text = record.kind is None or is_switch(record.value)
    long = text and len(record.value) > LONGEST_ENTRY
    bare = len(record.name) == 1 or not _LETTER.search(record.name)
    if bare and not (record.corner.strip() and record.name.isalnum()):
        return "", ""
    if record.kind == "number" and kind_of(f"1 {record.label}".lower(), known.values) != "number":
        return "", ""
    script = record.section.language.script
    stated = text or (record.kind == "number" and script != "latin")
    said = record.label if len(_WORDS.findall(record.value)) < FEWEST_FOREIGN else record.value
    foreign = script in {"han", "kana"} and not _CJK.search(said)
    number = number_in(record.value)
    unclear = (
        stated and (known.genders or known.ask.noun) and not is_noun(record),
        number and not number[1] and known.is_one("measure", record.label),
        record.corner and (foreign or "=" in record.label),
        text and record.value[0] in "「“„«",
        _CODED.search(record.value) or _EDITION.fullmatch(record.name),
    )
    if any(unclear):
        return "", ""
    if record.across and (question := worded(record, "across")):
        return placed(record, question), "table.across"
    form = "across" if record.corner and known.finds("location", record.label) else "of"
    question = "" if long else worded(record, form)
    if not question:
        return "", ""
    rule = "table.cell" if record.corner else "setting"
    return placed(record, question), rule


def _meaning(record: Record, name: str, rule: str) -> tuple[str, str]:
    known = record.section.language.structure
    ask, more = known.ask, len(record.value.replace(name, "").encode())
    if (
        2 * more < len(record.value.encode())
        or known.is_one("phrase", name)
        or record.kind is not None
    ):
        return "", ""
    typed = re.match(r"[^.!?]{1,30}, optional\b", record.value) is not None
    open_ended = re.search(r"[.。]\s*\S.*[^.。!)）…]$", record.value) is not None
    logged = typed or open_ended or record.value.count(":") > 1
    logged = logged or known.is_one("condition", record.value)
    if more < SHORTEST_MEANING or logged or not _PROSE.search(record.value):
        return "", ""
    if ask.short and _SHORT_FORM.fullmatch(name) and long_form(record.value, name):
        return ask.short.format(name=name), "short_form"
    says = record.corner and record.label[:4].casefold() in ask.says.casefold()
    template = ask.says if says else ask.does
    foreign = record.section.language.script in {"han", "kana"} and not _CJK.search(record.value)
    if template and not foreign and (is_code(name) or (record.code and _CAPITALS.fullmatch(name))):
        acts = says or re.search(r"^-|[_.()]", name) or not _NUMBERED.search(name)
        question = (template if acts else ask.means).format(name=name)
        if name.startswith("-") or (record.corner and name.islower()):
            return placed(replace(record, name=name), question), rule
        located = in_setting(record.section, question, always=name.isalpha())
        return under_heading(record.section, located) if name.isalpha() else located, rule
    return "", ""


def _asks(record: Record) -> bool:
    """Return whether the value is an answer: not a question, a cross reference, or a blank."""
    value = record.value
    known = record.section.language.structure
    inside = value[:1].lower() + value[1:]  # what a thing of code does begins with a verb
    if known.finds("question", value) or known.finds("opens", inside):
        return False
    return re.search(r"\w", value) is not None and not re.search(r"https?://", value)
