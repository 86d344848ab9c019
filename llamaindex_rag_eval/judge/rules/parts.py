"""Parts: the names of a claim that the sentence has otherwise, or in one another's place."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from llamaindex_rag_eval.formulas.texts import common_start
from llamaindex_rag_eval.judge.rules.evidence import credit_among
from llamaindex_rag_eval.judge.rules.lexicon import antonyms
from llamaindex_rag_eval.judge.rules.profile import FUNCTION_WEIGHT, Profile, Unit
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, language_of, terms
from llamaindex_rag_eval.judge.rules.value_conflicts import Conflict
from llamaindex_rag_eval.judge.rules.vocabulary import function_words, pattern_of, words_of

_WORD = re.compile(r"\w+")
_PASSIVE = pattern_of("passive", flags=re.NOFLAG)
_AGENTS = frozenset(words_of("agents"))
"""What marks who acts, where the verb is in the passive."""
_ARTICLES = frozenset(word.lower() for word in words_of("articles"))
_VERBS = frozenset(words_of("verbs"))
_AFTER = tuple(words_of("marks"))
_ASKS_WHO = pattern_of("asks_who")
_DONE_TO = re.compile(
    r"(?:(?:The|Der|Die|Das) )?(?P<who>[A-Z\u00c0-\u00de][\w'-]*(?: [A-Z\u00c0-\u00de][\w'-]*)*) "
    r"(?P<verb>[a-zß-ÿ]+) (?:(?:the|den|die|das) )?$"
    r"|(?P<topic>.+)[がは].*?$|(?P<name>.{2,}?)(?P<did>[\u4e00-\u9fff]{1,2})(?<![是为由])[了过]$"
)
"""What stands before the object of a short sentence: who does something, and what."""
_ASKED_FOR = 4
"""Words within which a question says what is asked for, as in "Which Norwegian firm …"."""
_EDGE = " .。!！"
_LONGEST_SENTENCE = 600
_LONGEST_BLOCK = 100
_MOST_PLACES = 20
"""Places of a word in a text that are tried: one that comes more often tells nothing apart."""


class _Block(NamedTuple):
    """A run of units that both texts have."""

    own: int
    theirs: int
    size: int


def _blocks(
    own: Sequence[str], theirs: Sequence[str], *, most: int = _LONGEST_BLOCK
) -> list[_Block]:
    """Return the longest runs that both have, from the left of the claim."""
    positions: dict[str, list[int]] = {}
    for at, key in enumerate(theirs):
        positions.setdefault(key, []).append(at)
    blocks, at = [], 0
    while at < len(own):
        best = (0, 0)
        for position in positions.get(own[at], ())[:_MOST_PLACES]:
            size = common_start(own[at : at + most], theirs[position : position + most])
            best = max(best, (size, -position))
        if best[0]:
            blocks.append(_Block(at, -best[1], best[0]))
        at += max(best[0], 1)
    return blocks


def exchanged(own: Profile, theirs: Profile) -> Iterator[Conflict]:
    """Yield two things that play each other's part in the claim.

    A part is told by the word or particle beside a thing, or else by the order of the two.
    """
    if len(theirs.plain) > _LONGEST_SENTENCE:
        return
    keys = [[unit.key for unit in reading.units] for reading in (own, theirs)]
    passive = [bool(_PASSIVE.search(reading.plain)) for reading in (own, theirs)]
    blocks = _blocks(*keys, most=_LONGEST_BLOCK if own.cjk else 1)
    things = [
        (
            block,
            _mark(own, block.own, block.size, passive=passive[0]),
            _mark(theirs, block.theirs, block.size, passive=passive[1]),
        )
        for block in blocks
        if _is_thing(keys[0][block.own :][: block.size], keys, cjk=own.cjk)
    ]
    moved = any(first.theirs > second.theirs for (first, *_), (second, *_) in pairwise(things))
    if not moved and all(mark == other for _, mark, other in things):
        return  # each plays the same part in both
    turned = not own.cjk and passive[0] != passive[1]
    for (first, *early), (second, *late) in combinations(things, 2):
        order = "SO" if first.theirs < second.theirs else "OS"
        mine = early[0] or "S", late[0] or "O"
        there = early[1] or order[0], late[1] or order[1]
        if mine[0] == mine[1] or mine != there[::-1]:
            continue
        low, high = sorted((first.theirs, second.theirs))
        between = (first.own < a.own < second.own and low < a.theirs < high for a in blocks)
        apart = (not {*mine} <= {"S", "O"} or any(between)) and _is_reordered(
            own, theirs, first.own + first.size, second.own
        )
        if (turned or apart) and _share_segments(own, theirs, first, second):
            last = own.units[second.own + second.size - 1]
            yield Conflict("roles", own.plain[own.units[first.own].start : last.end], theirs.plain)
            return


def _is_reordered(own: Profile, theirs: Profile, first: int, last: int) -> bool:
    """Return whether something stands between two units, and from there on nothing is new."""
    between = own.plain[own.units[first - 1].end : own.units[last].start]
    behind = own.plain[own.units[first - 1].end :].lower()
    if own.cjk:
        return bool(between.strip()) and all(c in theirs.plain for c in behind if c.isalnum())
    words = set(_WORD.findall(behind))
    return bool(between.strip()) and words.issubset(_WORD.findall(theirs.plain.lower()))


def _share_segments(own: Profile, theirs: Profile, first: _Block, second: _Block) -> bool:
    """Return whether two things stand in one segment of the claim, and in one of the sentence."""
    both = (own, (first.own, second.own)), (theirs, (first.theirs, second.theirs))
    return all(
        len({text.segment_at(text.units[n].start) for n in units}) == 1 for text, units in both
    )


def _mark(reading: Profile, at: int, size: int, *, passive: bool) -> str:
    """Return what marks the part of a thing: S and O, a word, or "" for nothing."""
    start, end = reading.units[at].start, reading.units[at + size - 1].end
    mark = (_east_mark if reading.cjk else _west_mark)(reading.plain, start, end)
    if passive:
        mark = "S" if mark in _AGENTS else "O" if mark in ("", "が") else mark
    return {"が": "S", "を": "O"}.get(mark, mark)


def _is_thing(run: Sequence[str], keys: Sequence[Sequence[str]], *, cjk: bool) -> bool:
    """Return whether a run of units may be a thing: no number, no grammar, once in each text."""
    if any(key[0].isdigit() for key in run):
        return False
    if cjk:
        return not re.fullmatch(r"[\u3040-\u309f]+", "".join(run))
    return all(each.count(run[0]) == 1 for each in keys)


def _west_mark(text: str, start: int, _end: int) -> str:
    words = _WORD.findall(text[max(0, start - 24) : start].lower())
    before = [word for word in words if word not in _ARTICLES][-1:]
    return next((word for word in before if word in function_words() - _VERBS), "")


def _east_mark(text: str, start: int, end: int) -> str:
    behind = next((each for each in _AFTER if text.startswith(each, end)), "")
    mark = next((each for each in _AFTER[:-1] if text[start:end].endswith(each)), behind)
    before = text[max(0, start - 1) : start]
    return "が" if mark == "は" else mark or (before if before in _AGENTS else "")


class _Run(NamedTuple):
    """Neighbouring words of a text that another text lacks.

    Attributes:
        text: As the text has them.
        frame: The words before and behind it, "" at an end of the text.
        is_name: Whether it has a capital other than that of the first word of a sentence.
    """

    text: str
    frame: tuple[str, str]
    is_name: bool


def other_name(own: Profile, theirs: Profile, about: Profile | None) -> Iterator[Conflict]:
    """Yield a name for which the sentence has another.

    A name has a capital. In Chinese and Japanese it is all that a claim has otherwise, between the
    same characters; in German, where all nouns have capitals, names cannot be told.
    """
    known = (about,) if about else ()
    lost = _runs_without(own, theirs, *known)
    if own.cjk and len(lost) == 1 and any(lost[0].frame):
        frames = {run.frame: run.text for run in _runs_without(theirs, own, *known)}
        if lost[0].frame in frames:
            yield Conflict("name", lost[0].text, frames[lost[0].frame])
    names = [] if own.cjk else [run.text for run in lost if run.is_name]
    if names and language_of(own.plain) != "de":
        others = [run.text for run in _runs_without(theirs, own, *known) if run.is_name]
        if others:
            yield Conflict("name", names[0], others[0])


def _runs_without(own: Profile, *others: Profile) -> list[_Run]:
    """Return the runs of words of content that other texts lack."""
    lacking = [
        number
        for number, unit in enumerate(own.units)
        if not _is_found(own, number, others)
        and not any(each.start < unit.end and unit.start < each.end for each in own.values)
    ]
    keys = ["", *(unit.key for unit in own.units), ""]
    runs = []
    for _, group in groupby(enumerate(lacking), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in group]
        first, last = numbers[0], numbers[-1]
        start, end = own.units[first].start, own.units[last].end
        text, begins_name = own.plain[start:end], own.plain[end:].lstrip()[:1].isupper()
        opens = first == 0 and not (start == 0 and begins_name)
        is_name = any(not word[0].islower() for word in text.split()[opens:])
        runs.append(_Run(text, (keys[first], keys[last + 2]), is_name))
    return runs


def _is_found(own: Profile, position: int, others: Sequence[Profile]) -> bool:
    """Return whether a word is in other texts, or says little; a character only with a neighbour."""
    unit = own.units[position]
    if _weight(own, unit) <= FUNCTION_WEIGHT or "\u3040" <= unit.key <= "\u309f":
        return True
    if not own.cjk:
        return credit_among(unit.key, *others) > 0
    neighbours = own.units[max(0, position - 1) : position + 2]
    pairs = pairwise(neighbours)
    near = [a.key + b.key for a, b in pairs if unit in (a, b) and a.end == b.start]
    return any(key in other.weights for key in near for other in others)


def _weight(reading: Profile, unit: Unit) -> float:
    return reading.weights.get(unit.key, 1.0)


def is_object(question: str, said: str, answer: str) -> bool:
    """Return whether a text says that somebody else did to the answer what is asked who did.

    Example:
        >>> is_object("Who won?", "Uganda beat Kenya.", "Kenya")
        True
        >>> is_object("Who won?", "Kenya beat Uganda.", "Kenya")
        False
    """
    before, matched, behind = said.partition(answer)
    done = _DONE_TO.match(before) if matched and _ASKS_WHO.match(question) else None
    if done is None or _PASSIVE.search(said):
        return False
    in_question = {term.key for term in terms(" ".join(question.split()[_ASKED_FOR:]) or question)}
    who, did = done["who"] or done["topic"] or done["name"], done["verb"] or done["did"] or ""
    if done["topic"]:
        did = behind[1:] if behind[:1] in ("を", "に") else ""
    elif {did, who.lower()} & function_words() or (done["name"] and behind.strip(_EDGE)):
        return False
    if is_cjk(who) and {term.key for term in terms(who)} & in_question:
        return False
    return any(
        term.key in in_question or any(_turn_alike(term.key, key) for key in in_question)
        for term in terms(did)
    )


def _turn_alike(first: str, other: str) -> bool:
    """Return whether two words have an opposite in common, and so may say the same."""
    table = antonyms()
    return not table.get(first, frozenset()).isdisjoint(table.get(other, ()))
