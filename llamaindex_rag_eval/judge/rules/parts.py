"""Parts: the names of a claim that the sentence has otherwise, or in one another's place."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.evidence import credit_among
from llamaindex_rag_eval.judge.rules.lexicon import antonyms, quantities
from llamaindex_rag_eval.judge.rules.profile import Profile
from llamaindex_rag_eval.judge.rules.reading import Conflict, Reading, Unit
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.rules.vocabulary import function_words, pattern_of, words_of

_WORD = re.compile(r"\w+")
_PASSIVE = pattern_of("passive", flags=re.NOFLAG)
_AGENTS = frozenset(words_of("agents"))
"""What marks who acts, where the verb is in the passive."""
_AFTER = tuple(words_of("marks"))
_EAST_NAME = re.compile(
    r"(?!.*[的了是在和不没有这那被把从到将与也都由])[\u30a1-\u30fa\u30fc・·\u3400-\u4dbf\u4e00-\u9fff々]{2,10}"
)
_LONGEST_SENTENCE = 600
_LONGEST_BLOCK = 100
_MOST_PLACES = 20
"""Places of a word in a text that are tried: one that comes more often tells nothing apart."""
_RARE = 0.9


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


def names(own: Reading, theirs: Reading, about: Profile | None) -> Iterator[Conflict]:
    """Yield a name, or in a language without capitals a word, that stands for another."""
    cjk, known = own.whole.cjk, about.text if about else ""
    mine_keys, other = ([unit.key for unit in reading.units] for reading in (own, theirs))
    for kind, start, end, first, last in SequenceMatcher(
        None, mine_keys, other, autojunk=False
    ).get_opcodes():
        if kind != "replace":
            continue
        gap, there = own.units[start:end], theirs.units[first:last]
        if not cjk:
            if start == 0 and not all(
                _is_name(own.text[each.start : each.end]) for each in gap[:2]
            ):
                continue
            gap, there = gap[:1], there[:1]
        mine, yours = (_text_of(own, gap), _text_of(theirs, there))
        measured = any(each.start < gap[-1].end and gap[0].start < each.end for each in own.values)
        if measured or not (_is_name(mine) and _is_name(yours)):
            continue
        if mine in f"{known} {theirs.text}" or yours.lower() in f"{known} {own.text}".lower():
            continue
        if quantities(mine) or quantities(yours):
            continue
        if not (_turn_alike(mine, yours) if cjk else _say_alike(gap[0], own, there[0], theirs)):
            yield Conflict("name", mine, yours)


def _text_of(reading: Reading, units: Sequence[Unit]) -> str:
    return reading.text[units[0].start : units[-1].end]


def _is_name(text: str) -> bool:
    """Return whether words may be a name: with capitals, or of characters without grammar."""
    return bool(_EAST_NAME.fullmatch(text)) if is_cjk(text) else not text.islower()


def _turn_alike(first: str, other: str) -> bool:
    """Return whether two words have an opposite in common, and so may say the same."""
    table = antonyms()
    return not table.get(first, frozenset()).isdisjoint(table.get(other, ()))


def _say_alike(mine: Unit, own: Reading, yours: Unit, theirs: Reading) -> bool:
    """Return whether a word is common, or the other text has one that says the same."""
    weights = own.whole.weights.get(mine.key, 0), theirs.whole.weights.get(yours.key, 0)
    return min(weights) < _RARE or bool(
        credit_among(mine.key, theirs.whole.weights) or credit_among(yours.key, own.whole.weights)
    )
