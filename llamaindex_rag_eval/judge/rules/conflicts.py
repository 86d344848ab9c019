"""Conflicts: in what a claim differs from a sentence about the same thing.

One word makes a true sentence false: another number, unit, date or name, a negation, an opposite,
"all" for "most", one half of an "or", or two things in each other's place. Each is looked for
where the sentence speaks of what the claim speaks of.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.index import credit_among
from llamaindex_rag_eval.judge.rules.lexicon import (
    antonyms,
    around_negations,
    denies_otherwise,
    exclusive,
    opposite_form,
    quantities,
)
from llamaindex_rag_eval.judge.rules.profile import Profile, profile_of, weight_of_keys
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, normalise, terms
from llamaindex_rag_eval.judge.rules.values import Value, agree, compete, values_of
from llamaindex_rag_eval.judge.rules.weights import FUNCTION_WEIGHT

__all__ = [
    "KINDS",
    "VALUE_KINDS",
    "WORDED_ALIKE",
    "Conflict",
    "FoundValues",
    "Kind",
    "conflicts_between",
    "found_values",
]

Kind = Literal[
    "number", "unit", "date", "name", "negation", "antonym", "roles", "quantity", "alternative"
]
KINDS: tuple[Kind, ...] = (
    "number",
    "unit",
    "date",
    "name",
    "negation",
    "antonym",
    "roles",
    "quantity",
    "alternative",
)
"""In what a claim and a sentence may differ."""
VALUE_KINDS: tuple[Kind, ...] = ("number", "unit", "date")
"""The kinds that are told by what values are, however the rest is worded."""

_SEGMENT = re.compile(
    r"[,;:](?!\d)\s*|[，；：。]|、(?=.{4})|(?<=が)(?=、)"
    r"|\s+(?:and|but|while|whereas|und|aber|während|sowie)\s+|而(?=.{4})|但是?|(?<=り)、|\s[–—-]\s"
)
_LATIN = re.compile(r"\w+(?:['’.-]\w+)*")
_MARKERS = frozenset(
    [
        "by",
        "to",
        "from",
        "with",
        "against",
        "for",
        "of",
        "in",
        "on",
        "at",
        "than",
        "into",
        "onto",
        "under",
        "over",
        "after",
        "before",
        "as",
        "via",
        "von",
        "vom",
        "zu",
        "zum",
        "zur",
        "mit",
        "gegen",
        "für",
        "in",
        "im",
        "an",
        "am",
        "auf",
        "bei",
        "nach",
        "vor",
        "als",
        "aus",
        "den",
        "dem",
        "durch",
        "über",
        "unter",
        "gegenüber",
    ]
)
"""Words before a thing that give it its part in the sentence."""
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|being|be|got)\b.{0,60}\bby\b|\b(?:wurde[nrst]?|wird|werden|worden)\b.*"
    r"\b(?:von|vom|durch)\b|[被由]|[られ]れ.{0,3}$|され|られ"
)
_EAST_AFTER = (
    "によって",
    "により",
    "から",
    "より",
    "まで",
    "が",
    "は",
    "を",
    "に",
    "で",
    "と",
    "の",
    "へ",
    "も",
    "的",
)
_EAST_BEFORE = ("被", "由", "向", "给", "对", "从", "比", "把", "在", "于", "为", "跟", "与", "和")
_OR = re.compile(
    r"(?P<left>[^\s,，、。;；]{1,24})(?:,?\s+(?:or|oder|beziehungsweise|bzw\.)\s+|或者?|还是|または|もしくは|あるいは|"
    r"(?<=[^\sぁ-ん])か(?=[^\sぁ-ん]))(?:(?:a|an|the|der|die|das|den|dem|ein|eine|einen|am|im|per|mit|in|on|"
    r"by|at)\s+)*(?P<right>[^\s,，、。;；.]{1,24})"
)
_OR_WORD = re.compile(
    r"\b(?:or|oder|and|und|both|beide|as well as|sowie|sowohl|aber auch)\b|[或和与及]|还是|または|もしくは|[かとやも](?=.)"
)
_JOINED = re.compile(
    r"\s*(?:,|and|or|und|oder|sowie|[和与及跟或、とやか]|或者|または)\s*", re.IGNORECASE
)
"""What stands between two things of which neither is first."""
_MOVED = re.compile(
    r"\b(?:from|von|vom)\s+(?:the |dem |der )?(?P<old>.{1,40}?)\s+(?:to|auf|zu|zum|nach|in)\s+(?:the |den |die |das )?(?P<new>[^,.;]{1,40})"
    r"|从(?P<old2>.{1,12}?)(?:改|变|换|调整|推迟|提前|延|升|降|增|减|移|搬)[^，。]{0,3}?(?:到|至|成|为)了?(?P<new2>[^，。]{1,12})"
    r"|(?:は|が|を|、|^)(?P<old3>[^はがを、]{1,14}?)から(?P<new3>.{1,14}?)(?:に|へ)(?!か)"
)
_CHANGE = re.compile(
    r"\b(?:moved|changed|switched|postponed|delayed|brought|renamed|increased|raised|reduced|cut|"
    r"lowered|rose|fell|grew|verschoben|verlegt|geändert|umbenannt|erhöht|gesenkt|gewechselt|stieg|sank|"
    r"fiel|wuchs)|改|变|换|调整|推迟|提前|延|升|降|增|减|移|搬|変|代わ|替わ|交代|早め|上が|下が"
)
_ONCE = re.compile(
    r"\b(?:from|von|vom|originally|previously|before|former|ursprünglich|vorher|früher|zuvor)\b|从|原来|原|以前|之前|から|元"
)
_EAST_NAME = re.compile(
    r"(?!.*[的了是在和不没有这那被把从到将与也都])[\u30a1-\u30fa\u30fc・·\u3400-\u4dbf\u4e00-\u9fff々]{2,10}"
)
_YES_OR_NO = re.compile(
    r"^(?:yes|no|yeah|nope|ja|nein|doch|はい|いいえ|ええ|是的?|不是?|不会|会|有|没有|对)[,，、]\s*",
    re.IGNORECASE,
)
_EDGE = " .。!！"
_OPENING = 6
_FEW = 3
_FEWEST = 3
_RARE = 0.9
_LONGEST_BLOCK = 100
_ALL = 4
"""What `quantities` calls "all"."""
_CLEAR = 0.34
_CLEARER = 0.8
_ALIKE = 0.5
_UNLIKE = 0.25
_COPIED = 0.85
WORDED_ALIKE = 0.6
"""Likeness of the characters of two texts below which order tells nothing of parts played: the one
puts in its own way what the other says."""


class Conflict(NamedTuple):
    """One thing in which a claim differs from a sentence.

    Attributes:
        kind: In what.
        claim: What the claim says there, as far as it can be told.
        sentence: What the sentence says there, as far as it can be told.
    """

    kind: Kind
    claim: str
    sentence: str

    def __str__(self) -> str:
        """Say it in words."""
        said = f", not {self.sentence!r}" if self.sentence else ""
        return f"its {self.kind} is {self.claim!r}{said}"


@dataclass(frozen=True, eq=False, slots=True)
class _Reading:
    """A text with its segments, each with its values."""

    text: str
    whole: Profile
    values: tuple[Value, ...]
    segments: tuple[Profile, ...]
    starts: tuple[int, ...]

    def segment_at(self, place: int) -> int:
        return max(number for number, start in enumerate(self.starts) if start <= place)

    def text_of(self, value: Value) -> str:
        return self.text[value.start : value.end]


@lru_cache(maxsize=8_192)
def _reading(text: str) -> _Reading:
    plain = normalise(text)
    starts, pieces, start = [], [], 0
    for match in _SEGMENT.finditer(plain):
        if terms(plain[start : match.start()]):
            starts.append(start)
            pieces.append(plain[start : match.start()])
            start = match.end()
    if terms(plain[start:]) or not pieces:
        starts.append(start)
        pieces.append(plain[start:])
    segments = tuple(profile_of(piece) for piece in pieces)
    return _Reading(plain, profile_of(text), values_of(text), segments, (0, *starts[1:]))


@lru_cache(maxsize=8_192)
def conflicts_between(claim: str, sentence: str, *, question: str = "") -> tuple[Conflict, ...]:
    """Return in what a claim differs from a sentence, as far as rules can tell.

    Args:
        claim: A statement, or with its question a short answer.
        sentence: A sentence that may be about the same thing; of a text, the one that has most of
            the claim.
        question: What the claim answers, if anything; its words say what a short answer is about.

    Returns:
        The conflicts, by the order of `KINDS`; empty if there is none, or if the two texts are
        not about the same thing.

    Example:
        >>> conflicts_between("Ito built the lock in 1920.", "Ito built the lock in 1890.")
        (Conflict(kind='date', claim='1920', sentence='1890'),)
        >>> conflicts_between("12 kilograms", "It weighs 12 kg.", question="What does it weigh?")
        ()
    """
    own, theirs = _reading(_YES_OR_NO.sub("", claim)), _reading(sentence)
    asked = profile_of(question) if question else None
    if _is_quoted(own, theirs) or (not question and _share(own.whole, theirs.whole) < _UNLIKE):
        return ()
    alike = fuzz.partial_ratio(own.text, theirs.text) >= 100 * WORDED_ALIKE
    found = [
        *_value_conflicts(own, theirs, asked),
        *_polarity(own, theirs, asked),
        *_quantity(own, theirs),
        *_halves(own, theirs),
        *(_exchanged(own, theirs) if alike else ()),
        *(_mixed(own, theirs, asked) if alike or asked else ()),
        *_names(own, theirs, asked),
        *_superseded(own, theirs, question),
    ]
    first: dict[Kind, Conflict] = {}
    for each in found:
        first.setdefault(each.kind, each)
    return tuple(first[kind] for kind in KINDS if kind in first)


def _is_quoted(own: _Reading, theirs: _Reading) -> bool:
    """Return whether a claim is the sentence, or a part of it that stands alone, word for word."""
    said = own.text.strip(_EDGE)
    parts = {segment.text.strip(_EDGE) for segment in theirs.segments}
    return said in theirs.text and (2 * len(said) >= len(theirs.text) or said in parts)


# ------------------------------------------------------------------ numbers, units and dates


def _value_conflicts(own: _Reading, theirs: _Reading, asked: Profile | None) -> Iterator[Conflict]:
    """Yield values that the sentence has otherwise, or in another place."""
    known = (*own.values, *(values_of(asked.text) if asked else ()))
    others = [each for each in theirs.values if not any(agree(value, each) for value in known)]
    for value in own.values:
        if _is_one(value):
            continue
        agreeing = [each for each in theirs.values if agree(value, each)]
        rivals = [each for each in others if compete(value, each)]
        if not agreeing and rivals:
            other = min(rivals, key=lambda each: (abs(each.number - value.number), each.start))
            yield Conflict(_value_kind(value, other), own.text_of(value), theirs.text_of(other))
            continue
        rivals = [each for each in rivals if each.kind == "date" or each.number != value.number]
        if agreeing and rivals and value.number != 1 and not _MOVED.search(theirs.text):
            anchors = own.whole.content | (asked.content if asked else frozenset())
            rival = _better_place(anchors, agreeing, rivals, theirs)
            if rival:
                kind: Kind = "date" if value.kind == "date" else "roles"
                yield Conflict(kind, own.text_of(value), theirs.text_of(rival))


def _is_one(value: Value) -> bool:
    """Return whether a value is a bare "one", which hardly ever counts anything."""
    return value.kind == "number" and value.number == 1 and not value.readings


def _value_kind(value: Value, other: Value) -> Kind:
    if "date" in (value.kind, other.kind):
        return "date"
    same = abs(value.number - other.number) < 1e-9
    if same and value.bound * other.bound < 0:
        return "antonym"
    measured = {name for name, _ in value.readings}, {name for name, _ in other.readings}
    return "unit" if same and value.readings and measured else "number"


def _better_place(
    anchors: Collection[str], agreeing: Sequence[Value], rivals: Sequence[Value], theirs: _Reading
) -> Value | None:
    """Return a rival value that stands nearer to what the claim is about, if there is one."""
    inside = {
        term.key for each in theirs.values for term in terms(theirs.text[each.start : each.end])
    }
    shared = _opening(theirs) | inside
    here = max(_nearness(each, anchors, theirs, shared) for each in agreeing)
    there = max(rivals, key=lambda each: _nearness(each, anchors, theirs, shared))
    gain = _nearness(there, anchors, theirs, shared) - here
    return there if gain > (_CLEAR if len(theirs.segments) <= _FEW else _CLEARER) else None


def _opening(theirs: _Reading) -> frozenset[str]:
    """Return the first words of content of a sentence: likely the subject of all its parts."""
    if theirs.whole.cjk:
        return profile_of(theirs.text[:_OPENING]).content
    keys = [key for key in theirs.whole.keys if key in theirs.whole.content]
    return frozenset(keys[:1])


def _nearness(
    value: Value, anchors: Collection[str], theirs: _Reading, shared: Collection[str]
) -> float:
    """Return the weight of the claim's words beside a value, and less of those in its segment."""
    segment = theirs.segments[theirs.segment_at(value.start)]
    size = 4 if theirs.whole.cjk else 12
    beside = terms(
        theirs.text[max(0, value.start - size) : value.start]
        + " "
        + theirs.text[value.end : value.end + size]
    )
    wanted = frozenset(anchors).difference(shared)
    near = {term.key for term in beside} & wanted
    return weight_of_keys(segment, wanted & segment.content) + 0.5 * len(near)


class FoundValues(NamedTuple):
    """What of a claim's values is in some sentences.

    Attributes:
        keys: The terms of the values that are, however they are written there.
        present: How many of the values are.
        absent: The share of the values that are not, in [0, 1]; 0 if there is none.
    """

    keys: frozenset[str]
    present: int
    absent: float


def found_values(claim: str, sentences: Iterable[str]) -> FoundValues:
    """Return which values of a claim some sentences bear out.

    Example:
        >>> found = found_values("12 kilograms, 3 metres", ["It weighs 12 kg."])
        >>> sorted(found.keys), found.present, found.absent
        (['12', 'kilogram'], 1, 0.5)
    """
    own = _reading(claim)
    wanted = [value for value in own.values if not _is_one(value)]
    if not wanted:
        return FoundValues(frozenset(), 0, 0.0)
    there = [value for sentence in sentences for value in values_of(sentence)]
    found = [value for value in wanted if any(agree(value, each) for each in there)]
    keys = (term.key for value in found for term in terms(own.text_of(value)))
    return FoundValues(frozenset(keys), len(found), 1 - len(found) / len(wanted))


# ------------------------------------------------------------------ negation and opposites


def _matching(own: Profile, theirs: _Reading) -> list[Profile]:
    """Return the segments of a sentence that have most of a part of the claim; at least one."""
    shares = [_share(own, segment) for segment in theirs.segments]
    pairs = zip(theirs.segments, shares, strict=True)
    return [segment for segment, share in pairs if share >= max(shares) - 0.1]


def _share(own: Profile, segment: Profile) -> float:
    found = [key for key in own.content if key in segment.weights]
    table = antonyms()
    turned = [key for key in own.content if key in table and table[key] & segment.weights.keys()]
    return weight_of_keys(own, {*found, *turned}) / (weight_of_keys(own, own.content) or 1.0)


def _polarity(own: _Reading, theirs: _Reading, asked: Profile | None) -> Iterator[Conflict]:
    """Yield a part of the claim that denies what the sentence says, or says its opposite."""
    near = _share(own.whole, theirs.whole) >= _COPIED <= _share(theirs.whole, own.whole)
    denied = near and own.whole.negated != theirs.whole.negated
    turns = not (denies_otherwise(own.text) or denies_otherwise(theirs.text))
    converse = _reversed(own, theirs)
    if turns and denied and not any(_opposites(own.whole, theirs.whole, theirs.whole)):
        yield Conflict("negation", own.text.strip(), theirs.text.strip())
    small = any(len(part.content) < _FEWEST for part in own.segments)
    for part in (own.whole,) if small else own.segments:
        short = asked is not None and len(part.content) < min(_FEWEST, len(asked.content))
        about = profile_of(f"{asked.text} {part.text}") if asked and short else part
        matching = _matching(about, theirs)
        spread = max(_share(about, each) for each in matching) < _ALIKE
        if spread:
            matching = [theirs.whole]
        if _share(about, matching[0]) < _ALIKE:
            continue
        against = [each for each in matching if bool(each.negated) != bool(about.negated)]
        turned = [pair for each in matching for pair in _opposites(part, each, theirs.whole)]
        if turned and not against and not converse:
            yield Conflict("antonym", *turned[0])
        scattered = spread and len(theirs.segments) > _FEW
        if turned or scattered or not turns or len(against) < len(matching):
            continue
        if all(_denies(each, about) or _denies(about, each) for each in against):
            yield Conflict("negation", part.text.strip(), against[0].text.strip())


def _reversed(own: _Reading, theirs: _Reading) -> bool:
    """Return whether two names stand in the other order, so that an opposite may say the same.

    As in "Ines lost to Yusuf" beside "Yusuf beat Ines".
    """
    names = [
        each for each in own.whole.names if theirs.text.count(each) or each in theirs.whole.weights
    ]
    if own.whole.cjk:
        one, other = ([each[0] for each in _units(text)] for text in (own, theirs))
        blocks = [each for each in _blocks(one, other) if each.size > 1]
        named = [each for each in blocks if _is_name("".join(one[each.own :][: each.size]))]
        return any(a.theirs > b.theirs for a, b in pairwise(named))
    places = [
        [reading.whole.keys.index(key) for key in own.whole.keys if key in names]
        for reading in (own, theirs)
        if all(key in reading.whole.keys for key in names)
    ]
    return len(names) > 1 and len(places) == 2 and places[1] == sorted(places[1], reverse=True)


def _denies(one: Profile, other: Profile) -> bool:
    """Return whether what one text denies is something that the other speaks of."""
    return any(
        _related(key, other)
        for words in around_negations(one.text)
        for key in profile_of(words).content
    )


def _opposites(part: Profile, segment: Profile, whole: Profile) -> Iterator[tuple[str, str]]:
    table = antonyms()
    for word in sorted(part.weights.keys() - whole.weights.keys()):
        against = table.get(word, frozenset()) & segment.weights.keys() - part.weights.keys()
        if against:
            yield word, min(against)
        elif turned := opposite_form(word, segment.weights.keys() - part.weights.keys()):
            yield word, turned


# ------------------------------------------------------------------ how many, and which of two


def _quantity(own: _Reading, theirs: _Reading) -> Iterator[Conflict]:
    """Yield "all" for "most", "most" for "few", or an "all" or "only" that the sentence does not have."""
    claimed, said = quantities(own.text), quantities(theirs.text)
    if claimed and said and claimed.keys().isdisjoint(said):
        high, low = max(claimed), max(said)
        if high > low or (high < low and high == 1):
            yield Conflict("quantity", claimed[high], said[low])
    elif claimed and not said and max(claimed) == _ALL:
        yield Conflict("quantity", claimed[_ALL], "")
    only = exclusive(own.text)
    if only and not exclusive(theirs.text):
        yield Conflict("quantity", only, "")


def _halves(own: _Reading, theirs: _Reading) -> Iterator[Conflict]:
    """Yield one half of an "or" of the sentence, claimed without the other."""
    if _OR_WORD.search(own.text.lower()) or not exclusive(own.text):
        return
    for match in _OR.finditer(theirs.text):
        left, right = (profile_of(match[side]).content for side in ("left", "right"))
        one, other = (bool(each & own.whole.content) for each in (left, right))
        if one != other:
            yield Conflict("alternative", match["left" if one else "right"], match.group())


# ------------------------------------------------------------------ names and parts played


_MOST_PLACES = 20
"""Places of a word in a text that are tried: one that comes more often tells nothing apart."""


class _Block(NamedTuple):
    """A run of words that both texts have."""

    own: int
    theirs: int
    size: int


def _units(reading: _Reading) -> list[tuple[str, int, int]]:
    """Return what is compared of a text in its order, with where it stands."""
    if reading.whole.cjk:
        text = reading.text
        return [(each, at, at + 1) for at, each in enumerate(text) if each.isalnum()]
    return [
        (term.key, match.start(), match.end())
        for match in _LATIN.finditer(reading.text)
        for term in terms(match.group())
        if reading.whole.weights.get(term.key, 1.0) > FUNCTION_WEIGHT
    ]


def _blocks(
    own: Sequence[str], theirs: Sequence[str], *, most: int = _LONGEST_BLOCK
) -> list[_Block]:
    """Return the longest runs that both have, from the left of the claim."""
    places: dict[str, list[int]] = {}
    for at, key in enumerate(theirs):
        places.setdefault(key, []).append(at)
    found, at = [], 0
    while at < len(own):
        best = (0, 0)
        for place in places.get(own[at], ())[:_MOST_PLACES]:
            size = 0
            while (
                size < most
                and at + size < len(own)
                and place + size < len(theirs)
                and own[at + size] == theirs[place + size]
            ):
                size += 1
            best = max(best, (size, -place))
        if best[0]:
            found.append(_Block(at, -best[1], best[0]))
        at += max(best[0], 1)
    return found


def _exchanged(own: _Reading, theirs: _Reading) -> Iterator[Conflict]:
    """Yield two things that play each other's part in the claim."""
    if len(theirs.text) > 600 or _share(own.whole, theirs.whole) < _ALIKE:
        return
    one, other, cjk = _units(own), _units(theirs), own.whole.cjk
    most = _LONGEST_BLOCK if cjk else 1
    keys = [each[0] for each in one], [each[0] for each in other]
    blocks = _blocks(*keys, most=most)
    things = [
        block
        for block in blocks
        if _is_thing([one[n][0] for n in range(block.own, block.own + block.size)], cjk)
        and (cjk or all(seen.count(one[block.own][0]) == 1 for seen in keys))
    ]
    voices = bool(_PASSIVE.search(own.text)), bool(_PASSIVE.search(theirs.text))
    homes = {
        block: (own.segment_at(one[block.own][1]), theirs.segment_at(other[block.theirs][1]))
        for block in things
    }
    for number, first in enumerate(things):
        for second in things[number + 1 :]:
            if any(a != b for a, b in zip(homes[first], homes[second], strict=True)):
                continue
            if _JOINED.fullmatch(own.text[one[first.own + first.size - 1][2] : one[second.own][1]]):
                continue
            parts = [
                _parts(text, units, ends, passive, cjk)
                for text, units, ends, passive in (
                    (own.text, one, _ends(first, second, "own"), voices[0]),
                    (theirs.text, other, _ends(first, second, "theirs"), voices[1]),
                )
            ]
            (mine, yours), (was, were) = parts
            if not mine or not yours or mine == yours or (mine, yours) != (were, was):
                continue
            between = _between(first, second, blocks) or (not cjk and voices[0] != voices[1])
            if between or any(part not in {"S", "O"} for part in (mine, yours)):
                said = own.text[one[first.own][1] : one[second.own + second.size - 1][2]]
                yield Conflict("roles", said, theirs.text)
                return


def _is_thing(keys: Sequence[str], cjk: bool) -> bool:
    text = "".join(keys)
    if any(key[0].isdigit() for key in keys):
        return False
    return not cjk or not re.fullmatch(r"[\u3040-\u309f]+", text)


def _ends(first: _Block, second: _Block, side: str) -> tuple[tuple[int, int], tuple[int, int]]:
    starts = [getattr(block, side) for block in (first, second)]
    return (starts[0], starts[0] + first.size), (starts[1], starts[1] + second.size)


def _between(first: _Block, second: _Block, blocks: Sequence[_Block]) -> bool:
    """Return whether a word that both texts have stands between the two things in both."""
    low, high = sorted((first.theirs, second.theirs))
    return any(first.own < block.own < second.own and low < block.theirs < high for block in blocks)


def _parts(
    text: str,
    units: Sequence[tuple[str, int, int]],
    ends: tuple[tuple[int, int], tuple[int, int]],
    passive: bool,
    cjk: bool,
) -> tuple[str, str]:
    """Return the parts that two things play: what marks them, else which comes first."""
    marks = []
    for start, end in ends:
        begin, finish = units[start][1], units[end - 1][2]
        marks.append(_east_mark(text, begin, finish) if cjk else _west_mark(text, begin))
    order = ("S", "O") if ends[0][0] < ends[1][0] else ("O", "S")
    if passive:
        agents = {"by", "von", "vom", "durch", "被", "由", "に", "によって", "により"}
        marks = ["S" if mark in agents else "O" if mark in ("", "が") else mark for mark in marks]
    elif any(mark in ("が", "を") for mark in marks):
        marks = [{"が": "S", "を": "O"}.get(mark, mark) for mark in marks]
    return tuple(mark or side for mark, side in zip(marks, order, strict=True))  # type: ignore[return-value]


def _west_mark(text: str, begin: int) -> str:
    before = _LATIN.findall(text[max(0, begin - 24) : begin].lower())[-2:]
    return next((word for word in reversed(before) if word in _MARKERS), "")


def _east_mark(text: str, begin: int, finish: int) -> str:
    tail = next((each for each in _EAST_AFTER if text.startswith(each, finish)), "")
    inside = next((each for each in _EAST_AFTER[:-1] if text[begin:finish].endswith(each)), "")
    mark = inside or tail
    if mark:
        return "が" if mark == "は" else mark
    return next((each for each in _EAST_BEFORE if text[:begin].endswith(each)), "")


def _mixed(own: _Reading, theirs: _Reading, asked: Profile | None) -> Iterator[Conflict]:
    """Yield a claim that takes its words from two parts of the sentence that say alike things."""
    if len(theirs.segments) > _FEW:
        return
    opening = _opening(theirs)
    for part in own.segments:
        short = asked is not None and len(part.content) < len(asked.content)
        if not short and part.text.strip(_EDGE) in theirs.text:
            continue
        for first, second in permutations(theirs.segments, 2):
            shared = {key for key in first.content & second.content if first.weights[key] >= 0.3}
            sizes = sorted((len(first.content), len(second.content)))
            if short and asked is not None and first.content <= asked.content:
                continue  # it only repeats the question, as a title does
            if (
                not shared
                or len(shared - opening) * (4 if short else 3) < sizes[0]
                or sizes[1] > 3 * sizes[0]
            ):
                continue
            one = (part.content & first.content) - second.content - opening - first.numbers
            about = asked.content if asked and short else part.content
            other = (about & second.content) - first.content - opening - second.numbers
            misled = short and asked is not None and asked.content & (first.content - shared)
            if (
                min(weight_of_keys(first, one), weight_of_keys(second, other)) > _CLEAR
                and not misled
            ):
                yield Conflict("roles", part.text.strip(), theirs.text)
                return


def _names(own: _Reading, theirs: _Reading, asked: Profile | None) -> Iterator[Conflict]:
    """Yield a name, or in a language without capitals a word, that stands for another."""
    one, other = _units(own), _units(theirs)
    blocks = _blocks([each[0] for each in one], [each[0] for each in other])
    edge, cjk = _Block(-1, -1, 1), own.whole.cjk
    known = asked.text if asked else ""
    for left, right in pairwise([edge, *blocks, _Block(len(one), len(other), 1)]):
        gap, there = (
            units[getattr(left, side) + left.size : getattr(right, side)]
            for units, side in ((one, "own"), (other, "theirs"))
        )
        if not gap or not there or (left is edge and right.own == len(one)):
            continue
        if (
            left is edge
            and not cjk
            and not all(_is_name(own.text[at:to]) for _, at, to in [*gap, ("", 0, 0)][:2])
        ):
            continue
        if not cjk:
            gap, there = gap[:1], there[:1]
        mine, yours = own.text[gap[0][1] : gap[-1][2]], theirs.text[there[0][1] : there[-1][2]]
        measured = any(each.start < gap[-1][2] and gap[0][1] < each.end for each in own.values)
        if not (_is_name(mine) and _is_name(yours)) or measured:
            continue
        if mine in known or yours.lower() in known.lower():
            continue
        if (
            not cjk
            and min(own.whole.weights.get(gap[0][0], 0), theirs.whole.weights.get(there[0][0], 0))
            < _RARE
        ):
            continue
        if mine in theirs.text or yours in own.text or quantities(mine) or quantities(yours):
            continue
        if not (_turn_alike(mine, yours) if cjk else _kin(gap[0][0], own, there[0][0], theirs)):
            yield Conflict("name", mine, yours)


def _turn_alike(one: str, other: str) -> bool:
    """Return whether two words have an opposite in common, and so may say the same."""
    table = antonyms()
    return not table.get(one, frozenset()).isdisjoint(table.get(other, ()))


def _kin(mine: str, own: _Reading, yours: str, theirs: _Reading) -> bool:
    """Return whether a word of one text says what some word of the other does."""
    return _related(mine, theirs.whole) or _related(yours, own.whole)


def _related(key: str, there: Profile) -> bool:
    """Return whether a text has a word, or one that says the same or begins alike."""
    return credit_among(key, there.weights) > 0


def _is_name(text: str) -> bool:
    """Return whether words may be a name: with capitals, or of characters without grammar."""
    return bool(_EAST_NAME.fullmatch(text)) if is_cjk(text) else not text.islower()


def _superseded(own: _Reading, theirs: _Reading, question: str) -> Iterator[Conflict]:
    """Yield what was before a change, where the claim does not speak of the change."""
    moved = _MOVED.search(theirs.text)
    if (
        moved is None
        or not _CHANGE.search(theirs.text.lower())
        or _ONCE.search(f"{question} {own.text}".lower())
    ):
        return
    old, new = (
        next(moved[f"{name}{n}"] for n in ("", "2", "3") if moved[f"{name}{n}"])
        for name in ("old", "new")
    )
    dates = values_of(old), values_of(new)
    kind: Kind = "date" if any(each.kind == "date" for each in dates[0] + dates[1]) else "roles"
    if _holds(own, old) and not _holds(own, new):
        yield Conflict(kind, old, new)


def _holds(own: _Reading, part: str) -> bool:
    """Return whether the claim has the values of a phrase, or else its words."""
    values = values_of(part)
    if values:
        return any(agree(mine, each) for each in values for mine in own.values)
    content = profile_of(part).content
    return bool(content) and content <= own.whole.content
