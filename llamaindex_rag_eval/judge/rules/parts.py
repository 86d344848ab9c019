"""Parts: the names of a claim that the sentence has otherwise, or in one another's place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.evidence import credit_among
from llamaindex_rag_eval.judge.rules.profile import FUNCTION_WEIGHT, Profile
from llamaindex_rag_eval.judge.rules.reading import Conflict, Reading, Unit
from llamaindex_rag_eval.judge.rules.tokens import language_of
from llamaindex_rag_eval.judge.rules.vocabulary import function_words, pattern_of, words_of

_WORD = re.compile(r"\w+")
_PASSIVE = pattern_of("passive", flags=re.NOFLAG)
_AGENTS = frozenset(words_of("agents"))
"""What marks who acts, where the verb is in the passive."""
_AFTER = tuple(words_of("marks"))
_LONGEST_SENTENCE = 600
_LONGEST_BLOCK = 100
_MOST_PLACES = 20
"""Places of a word in a text that are tried: one that comes more often tells nothing apart."""
_FEW = 3
"""Words, or characters, of a run that may stand for another."""
_FEWEST_KEPT, _FEWEST_KEPT_EAST = 3, 5
"""Words, or characters, of content that a claim must have in common with a sentence beside it."""
_QUANTIFIERS: frozenset[str] = frozenset()


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
            size = 0
            while (
                size < most
                and at + size < len(own)
                and position + size < len(theirs)
                and own[at + size] == theirs[position + size]
            ):
                size += 1
            best = max(best, (size, -position))
        if best[0]:
            blocks.append(_Block(at, -best[1], best[0]))
        at += max(best[0], 1)
    return blocks


def exchanged(own: Reading, theirs: Reading) -> Iterator[Conflict]:
    """Yield two things that play each other's part in the claim."""
    if len(theirs.text) > _LONGEST_SENTENCE:
        return
    cjk = own.whole.cjk
    keys = [[unit.key for unit in reading.units] for reading in (own, theirs)]
    blocks = _blocks(*keys, most=_LONGEST_BLOCK if cjk else 1)
    things = [block for block in blocks if _is_thing(keys[0][block.own :][: block.size], keys, cjk)]
    for first, second in combinations(things, 2):
        mine = _played(own, (first.own, first.size), (second.own, second.size))
        if mine[0] == mine[1]:
            continue
        stands = _played(theirs, (first.theirs, first.size), (second.theirs, second.size))
        if mine != stands[::-1]:
            continue
        low, high = sorted((first.theirs, second.theirs))
        between = any(
            first.own < each.own < second.own and low < each.theirs < high for each in blocks
        )
        passive = not cjk and _is_passive(own) != _is_passive(theirs)
        if between or passive or not {*mine} <= {"S", "O"}:
            last = own.units[second.own + second.size - 1]
            yield Conflict("roles", own.text[own.units[first.own].start : last.end], theirs.text)
            return


def _is_thing(run: Sequence[str], keys: Sequence[Sequence[str]], cjk: bool) -> bool:
    """Return whether a run of units may be a thing: no number, no grammar, once in each text."""
    if any(key[0].isdigit() for key in run):
        return False
    if cjk:
        return not re.fullmatch(r"[\u3040-\u309f]+", "".join(run))
    return all(each.count(run[0]) == 1 for each in keys)


def _is_passive(reading: Reading) -> bool:
    return _has_passive(reading.text)


@lru_cache(maxsize=1024)
def _has_passive(text: str) -> bool:
    return bool(_PASSIVE.search(text))


def _played(reading: Reading, *runs: tuple[int, int]) -> tuple[str, ...]:
    """Return the parts that two things play, and their segment: what marks them, else their order."""
    marks, passive = [], _is_passive(reading)
    for at, size in runs:
        start, end = reading.units[at].start, reading.units[at + size - 1].end
        mark = (_east_mark if reading.whole.cjk else _west_mark)(reading.text, start, end)
        if passive and (mark in _AGENTS or mark in ("", "が")):
            mark = "S" if mark in _AGENTS else "O"
        marks.append(mark)
    if not passive and {"が", "を"} & {*marks}:
        marks = [{"が": "S", "を": "O"}.get(mark, mark) for mark in marks]
    segments = {reading.segment_at(reading.units[at].start) for at, _ in runs}
    order = ("S", "O") if runs[0] < runs[1] else ("O", "S")
    return tuple(mark or each for mark, each in zip(marks, order, strict=True)) * (
        len(segments) == 1
    ) or ("", "")


def _west_mark(text: str, start: int, _end: int) -> str:
    before = _WORD.findall(text[max(0, start - 24) : start].lower())[-2:]
    return next((word for word in reversed(before) if word in function_words()), "")


def _east_mark(text: str, start: int, end: int) -> str:
    behind = next((each for each in _AFTER if text.startswith(each, end)), "")
    mark = next((each for each in _AFTER[:-1] if text[start:end].endswith(each)), behind)
    before = text[max(0, start - 1) : start]
    return "が" if mark == "は" else mark or (before if before in _AGENTS else "")


class _Run(NamedTuple):
    """Neighbouring words of a text that another text lacks.

    Attributes:
        units: The words; in Chinese and Japanese the characters.
        text: As the text has them.
        behind: What stands behind them.
    """

    units: tuple[Unit, ...]
    text: str
    behind: str


def other_words(own: Reading, theirs: Reading, about: Profile | None) -> Iterator[Conflict]:
    """Yield a name, or the one word that is missing, for which the sentence has another.

    A claim that has all of a sentence but one word says something else more often than the same;
    of a claim that differs in more, words cannot tell.
    """
    known = about.weights if about else {}
    lost, others = _runs_without(own, theirs, known), _runs_without(theirs, own, known)
    if not lost or not others:
        return
    names = [next(filter(_is_name, runs), None) for runs in (lost, others)]
    capitals = not own.whole.cjk and language_of(own.source) != "de"  # where only names have them
    if capitals and names[0] and names[1]:
        yield Conflict("name", names[0].text, names[1].text)


def _runs_without(
    own: Reading, theirs: Reading, known: Mapping[str, float]
) -> list[_Run]:
    """Return the runs of words of content that the other text and the question lack."""
    there = {**known, **theirs.whole.weights}
    runs: list[list[Unit]] = [[]]
    for position, unit in enumerate(own.units):
        measured = any(each.start < unit.end and unit.start < each.end for each in own.values)
        if measured or _is_found(own, position, there) or own.text[unit.start : unit.end] in _QUANTIFIERS:
            runs.append([])
        else:
            runs[-1].append(unit)
    return [
        _Run(tuple(run), own.text[run[0].start : run[-1].end], own.text[run[-1].end :].lstrip()[:1])
        for run in runs
        if run
    ]


def _is_found(own: Reading, position: int, there: Mapping[str, float]) -> bool:
    """Return whether a word is in another text, or says little; a character only with a neighbour."""
    unit = own.units[position]
    if _weight(own, unit) <= FUNCTION_WEIGHT or "\u3040" <= unit.key <= "\u309f":
        return True
    if not own.whole.cjk:
        return credit_among(unit.key, there) > 0
    neighbours = own.units[max(0, position - 1) : position + 2]
    pairs = pairwise(neighbours)
    return any(a.key + b.key in there for a, b in pairs if unit in (a, b) and a.end == b.start)


def _weight(reading: Reading, unit: Unit) -> float:
    return reading.whole.weights.get(unit.key, 1.0)


def _is_name(run: _Run) -> bool:
    """Return whether a run has a capital other than that of the first word of a sentence."""
    first = run.units[0].start == 0 and not run.behind.isupper()
    return any(not word[0].islower() for word in run.text.split()[first:])
