"""Pairs: questions on several values of one document, whose answers can be proved.

Comparisons, two values at once, follow-ups, false premises, and values
that are not given: a name with a label that others of its kind have, and it has not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from testset.requests.question import Turn
from testset.rules.candidate import Candidate
from testset.rules.structure.labels import question_on
from testset.rules.structure.records import Record
from testset.rules.structure.values import kind_of, number_in
from testset.rules.structure.wording import is_noun, owner_of, placed, worded

_GRANTED = frozenset({"code", "duration", "money", "share"})
"""Kinds of values that a person may take for granted; numbers with a unit, too, or of settings."""
_MEASURED = frozenset({"duration", "money", "number", "share"})
"""Kinds of values of which one is higher."""
MOST = 3
"""Questions of a type at most on one label."""
LONGEST_VALUE = 40
"""Characters of a value at most, for several of them to be asked for at once."""
FEWEST_WITH = 3
"""Names at least that have a label, for a name without it to be a near miss."""


def pairs(records: Sequence[Record]) -> Iterator[Candidate]:
    """Yield the questions on several values of a document."""
    alike: dict[tuple[int, str, str], list[Record]] = defaultdict(list)
    for record in records:
        if _comparable(record):
            group = record.group if record.corner else 0
            alike[group, record.corner, record.label].append(record)
    for same in alike.values():
        if len({record.name for record in same}) < len(same) or len(same) < 2:
            continue
        couples = [(a, b) for a, b in pairwise(same) if a.value != b.value]
        for number, (record, other) in enumerate(couples[: 4 * MOST]):
            write = (_both, _follow_up, _false_premise, _compared)[number % 4]
            yield from write(record, other)
    settings = (same for same in alike.values() if not same[0].corner)
    by_section: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        by_section[id(record.section)].append(record)
    yield from _not_given([same for same in settings if len(same) >= FEWEST_WITH], by_section)


def _comparable(record: Record) -> bool:
    """Return whether a record has a short value of something with a name beside it."""
    question, rule = question_on(record)
    return (
        question != ""
        and rule in {"setting", "table.cell"}
        and not record.across
        and (record.corner != " " or record.name in record.section.raw(record.span))
        and re.match(r"[^\W\d_]", record.name) is not None
        and kind_of(record.name, record.section.language.structure.values) is None
        and len(record.value) <= LONGEST_VALUE
    )


def _both(record: Record, other: Record) -> Iterator[Candidate]:
    question = placed(record, worded(record, "two", other=owner_of(other)))
    if question and record.kind is not None and other.kind is not None:
        answer = f"{record.name}: {record.value}; {other.name}: {other.value}"
        yield replace(
            _draft(record, question, answer, "pair.both"), spans=((record.span,), (other.span,))
        )


def _compared(record: Record, other: Record) -> Iterator[Candidate]:
    """Yield which of two has the higher value, where both are numbers of one unit."""
    low, high = number_in(record.value), number_in(other.value)
    if not is_noun(record) or record.kind not in _MEASURED:
        return
    if low is None or high is None or low[1] != high[1] or low[0] == high[0] or not low[1]:
        return
    question = placed(record, worded(record, "more", other=owner_of(other)))
    if question:
        more = record if low[0] > high[0] else other
        answer = f"{more.name} ({record.name}: {record.value}; {other.name}: {other.value})"
        draft = _draft(record, question, answer, "pair.compared")
        yield replace(draft, spans=((record.span,), (other.span,)), kind="comparison")


def _follow_up(record: Record, other: Record) -> Iterator[Candidate]:
    template = record.section.language.structure.ask.follow_up
    if template:
        turn = Turn(question=question_on(record)[0], answer=record.value)
        question = template.format(other=owner_of(other))
        draft = _draft(other, question, other.value, "pair.follow_up")
        yield replace(draft, type="conversational", turns=(turn,), verbatim=True)


def _false_premise(record: Record, other: Record) -> Iterator[Candidate]:
    """Yield a question that takes another value of the same kind for granted."""
    question = placed(record, worded(record, "wrong", other=other.value))
    answer = worded(record, "right", value=record.value, other=other.value)
    bare = bool(record.corner) and re.search(r"[^\W\d_]", record.value) is None
    granted = record.kind in _GRANTED or (record.kind == "number" and not bare)
    if question and answer and granted and record.kind == other.kind:
        draft = _draft(record, question, answer, "pair.premise")
        yield replace(draft, type="false_premise", behaviour="correct_premise")


def _not_given(
    settings: Sequence[Sequence[Record]], by_section: Mapping[int, Sequence[Record]]
) -> Iterator[Candidate]:
    """Yield what is asked of a setting that others with such values have, and it has not."""
    for same in settings:
        others = [other for group in settings if group is not same for other in group]
        known = {record.name for record in same}
        count = 0
        for record in others:
            fits = record.kind == same[0].kind and record.name not in known
            if (
                not fits
                or not record.code
                or count >= MOST
                or _tells_more(record, same, by_section)
            ):
                continue
            known.add(record.name)
            count += 1
            pattern = replace(same[0], name=record.name, section=record.section)
            draft = _draft(pattern, question_on(pattern)[0], "", "pair.not_given")
            absent = (record.name, same[0].label)
            yield replace(
                draft,
                type="unanswerable",
                behaviour="refuse",
                spans=((record.span,),),
                absent=absent,
            )


def _tells_more(
    record: Record, same: Sequence[Record], by_section: Mapping[int, Sequence[Record]]
) -> bool:
    """Return whether a section has numbers that none of the labels of the others tells.

    They may answer what is asked, as a range says what the least and the most are.
    """
    labels = {other.label for peer in same for other in by_section[id(peer.section)]}
    text = record.section.text_of(record.section.body)
    for other in by_section[id(record.section)]:
        if other.label in labels:
            text = text.replace(other.value, "")
    return re.search(r"\d", text) is not None


def _draft(record: Record, question: str, answer: str, rule: str) -> Candidate:
    return Candidate(
        question,
        answer,
        ((record.span,),),
        "factoid",
        rule,
        record.section.language.code,
        type="multi_hop",
        verbatim=False,
    )
