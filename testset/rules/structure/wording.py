"""Wording: how a value is asked for by what its document calls it, whatever that is.

A label is asked for as a noun only where the table of the language is sure that it is one. Any
other, as "Opens" or "By", is quoted as it stands.
"""

import re

from testset.rules.structure.answers import in_setting, under_heading
from testset.rules.structure.records import Record
from testset.rules.structure.values import is_code

_CORNER = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")
"""What the rows of a table are, in a few words."""
_NAME = re.compile(r"[A-ZÄÖÜÉ][\w.-]*(?: [A-ZÄÖÜÉ\d][\w.-]*){0,3}")
"""A name that needs no quotes."""
_NUMBERED = re.compile(r"[\W\d_]+")
"""A name without a letter."""
_PROPER = re.compile(r"[^\W\d_A-Z][A-Z]|[A-Z]{2}\w*\d|[A-Z]\w*[A-Z]{2}S$")
"""Finds the name of a thing, as "cChardet" or "BM25S", where common nouns have no capital."""
_COMMAND = re.compile(
    r"(?<!\S)[a-z][a-z\d]*(?:[-_.][a-z\d]+)+(?!\S)|\b\w+\(\d\w?\)|^[A-Za-z][\w.-]*$", re.ASCII
)
"""Finds the name of a command in a heading: one with a hyphen, one of a manual, one word alone."""
_ASKS = re.compile(r"(?:^|: )¿?\{what\}")
"""A template whose question begins with what is asked for."""


def worded(record: Record, form: str, **words: str) -> str:
    """Return a question on a record, or the answer to one; empty without a template for it.

    Args:
        record: What is asked for.
        form: The name of the template, as "of" or "more".
        words: What stands in its braces beside `label`, `name` and `what`.
    """
    known = record.section.language.structure
    proper = known.small and _PROPER.search(record.label)
    many = "_many" if known.finds("many", record.label) and not proper else ""
    article, own, typed = known.article_of(record.label), known.ask.noun, f"{form}_{record.kind}"
    fits = is_noun(record) and not (many and record.kind in {"address", "phone"})
    keys = (f"{typed}_{article}", typed, form + many)
    by_gender = next((own[key] for key in keys if key in own), None) if fits else None
    by_kind = known.ask.typed.get(typed + many) if many or not fits else None
    by_kind = by_kind or (None if fits else known.ask.typed.get(typed))
    template: str = by_kind or (getattr(known.ask, form) if by_gender is None else by_gender)
    label = _lowered(record, record.label) if fits else record.label
    if not template or not re.search(r"[^\W\d_]", label):
        return ""
    what = (record.kind and known.ask.kinds.get(record.kind)) or known.ask.what
    if _ASKS.search(template):
        template = template.replace("{what}", what[:1].upper() + what[1:], 1)
    words = {
        "label": label,
        "low": _lowered(record, label),
        "article": article,
        "name": owner_of(record),
        "what": what,
        **words,
    }
    return " ".join(template.format(**words).split())


def is_noun(record: Record) -> bool:
    """Return whether a label is a noun: by its form, or since the document gives it an article."""
    known = record.section.language.structure
    if known.genders:
        return bool(known.article_of(record.label))
    if known.small and _PROPER.search(record.label):
        return False
    counted = record.kind is not None and known.is_one("quantity", record.label)
    named = known.small and record.section.outline.has_article(record.label)
    loose = (
        counted and (named or bool(record.corner)) and (not known.small or record.kind == "number")
    )
    return loose or known.is_one("noun", record.label)


def owner_of(record: Record) -> str:
    """Return whose a value is: a name of code, or one in quotes with what the rows are."""
    known = record.section.language.structure
    if _NUMBERED.fullmatch(record.name):
        corner = corner_of(record) if record.corner.strip() else ""
        return f"{corner} {record.name}".strip()
    named = _NAME.fullmatch(record.name) is not None and len(record.name) > 1
    named = named and not (known.genders and not re.search(r"\d", record.name))
    named = named and not (known.small and record.corner.strip() and record.name[1:].islower())
    named = named or known.is_one("day", record.name)
    if not record.name or record.code or is_code(record.name) or named:
        return record.name
    whole = len(record.name) > 1 and not known.is_one("phrase", record.name)
    if record.section.language.script != "latin" and whole:
        return record.name
    corner = corner_of(record)
    usable = _CORNER.fullmatch(corner) and not known.finds("many", corner)
    usable = usable and not _PROPER.search(corner)
    usable = usable and not record.name[:1].isdigit()
    template = known.ask.row if usable else known.ask.quoted
    return template.format(label=corner, name=record.name)


def corner_of(record: Record) -> str:
    """Return what the rows of a table are, as it stands inside a sentence."""
    corner = _lowered(record, record.corner)
    return re.sub(r"(?<=[^\W\d_a-zA-Z]{2})名[称前]?$", "", corner)


def _lowered(record: Record, text: str) -> str:
    """Return a header or label without its capitals, in languages whose nouns have none."""
    if not record.section.language.structure.small:
        return text
    return re.sub(
        r"(?<![\w.-])[A-Z](?=[a-z]*(?:-[a-z]+)*(?![\w.-]))", lambda first: first[0].lower(), text
    )


def placed(record: Record, question: str) -> str:
    """Return a question with its page, unless it is on a setting with a name of its own.

    An option is asked for with what its command is called. Empty where that, or the page, has no
    name.
    """
    if question and record.name.startswith("-"):
        names = (record.section.page, *record.section.path)
        command = next(filter(_COMMAND.search, reversed(names)), "")
        under = record.section.language.structure.ask.under
        return under.format(name=command, question=question) if command else ""
    if not question or (record.code and not record.corner):
        return question
    if record.section.nameless:
        return ""
    located = in_setting(record.section, question, always=True)
    own = record.code and not record.name.islower()
    return located if own else under_heading(record.section, located)
