"""Reading: what a fact checker finds about claims in sources, window by window.

A claim is as likely supported by a source as by the window that supports it best; the same holds
for contradictions. This is how SummaC (Laban et al. 2022, https://arxiv.org/abs/2111.09525) and
MiniCheck (Tang et al. 2024, https://arxiv.org/abs/2404.10774) read long documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.judge.fact_check.checker import Chance, FactChecker, Pair
from llamaindex_rag_eval.judge.fact_check.windows import Window, passage_of, windows_of
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.support import support_of

SPECIAL_TOKENS = 8
"""Tokens that a model has around source and claim; of those supported, MiniCheck's Flan-T5 most."""

OTHERS_SHARE = 0.25
"""Share of what a model reads that a claim must leave to the source; and the most of a question."""


class Found(NamedTuple):
    """What a window says of a claim."""

    window: Window
    chance: Chance


@dataclass(frozen=True)
class Reading:
    """What was found about one claim.

    Attributes:
        claim: As the model was shown it.
        room: Tokens that it leaves to the source.
        found: What each window says.
        together: What the two sources that come nearest say, read together; None if one suffices,
            or both are too long.
        quote: The sentence that counts most, or "".
    """

    claim: str
    room: int
    found: tuple[Found, ...]
    together: tuple[Found, Found, Chance] | None = None
    quote: str = ""

    @property
    def for_it(self) -> tuple[Found, ...]:
        """The window of each source that supports the claim best; the best source first."""
        best: dict[int, Found] = {}
        for one in sorted(self.found, key=lambda each: -each.chance.supported):
            best.setdefault(one.window.source, one)
        return tuple(best.values())

    @property
    def against_it(self) -> tuple[Found, ...]:
        """The window of each source that contradicts the claim most; the worst source first."""
        worst: dict[int, Found] = {}
        for one in sorted(self.found, key=lambda each: -each.chance.contradicted):
            worst.setdefault(one.window.source, one)
        return tuple(worst.values())

    @property
    def supported(self) -> float:
        """How likely the claim is supported, in [0, 1]; 0 over empty sources."""
        chances = [one.chance.supported for one in self.found]
        return max([*chances, self.together[2].supported if self.together else 0.0], default=0.0)

    @property
    def contradicted(self) -> float:
        """How likely it is contradicted, in [0, 1]; 0 over empty sources."""
        return max((one.chance.contradicted for one in self.found), default=0.0)


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is a short answer, which states nothing without its question.

    Example:
        >>> is_fragment("Saint Peter", "Who was met?"), is_fragment("", "Who was met?")
        (True, False)
    """
    return bool(question) and not text.startswith(question) and is_short_answer(text)


class Reader:
    """Reads sources for what they say of claims.

    Args:
        checker: Judges each pair.
        threshold: Probability from which a claim counts as supported.
        window: Tokens of a source that are read at a time.
    """

    def __init__(self, checker: FactChecker, *, threshold: float, window: int) -> None:
        self.checker = checker
        self.threshold = threshold
        self.window = window

    async def read(
        self, claims: Sequence[str], sources: Sequence[str], *, question: str = ""
    ) -> list[Reading]:
        """Return what the sources say of each claim.

        Raises:
            CallError: The model failed, or a claim is too long for it.
            ReplyError: A model behind a server gave no verdict.
        """
        if self._tokens(question) > OTHERS_SHARE * self.checker.limit:
            question = ""
        shown = [
            f"{question} {claim}" if is_fragment(claim, question) else claim for claim in claims
        ]
        rooms = [self._room(claim) for claim in shown]
        windows = {room: self._windows(sources, room, question) for room in set(rooms)}
        pairs = [
            (window.shown, claim)
            for claim, room in zip(shown, rooms, strict=True)
            for window in windows[room]
        ]
        chances = iter(await self.checker.chances(pairs))
        readings = [
            Reading(claim, room, tuple(Found(window, next(chances)) for window in windows[room]))
            for claim, room in zip(shown, rooms, strict=True)
        ]
        return await self._with_quotes(await self._with_two_sources(readings))

    def _tokens(self, text: str) -> int:
        return self.checker.count([text])[0]

    def _room(self, claim: str) -> int:
        """Return the tokens that a source may have beside a claim."""
        tokens, limit = self._tokens(claim), self.checker.limit
        room = limit - tokens - SPECIAL_TOKENS
        if room < OTHERS_SHARE * limit:
            raise CallError(
                f"a claim has {tokens} tokens; {self.checker.name!r} reads {limit} with the source"
            )
        return min(room, self.window)

    def _windows(self, sources: Sequence[str], room: int, question: str) -> tuple[Window, ...]:
        windows: list[Window] = []
        for number, text in enumerate(sources):
            cut = windows_of(passage_of(text, self.checker.count, room), number, room)
            lead = question if len(cut) == 1 and is_fragment(text, question) else ""
            windows += (replace(one, lead=lead) for one in cut)
        return tuple(windows)

    async def _with_two_sources(self, readings: Sequence[Reading]) -> list[Reading]:
        """Read the two nearest sources together, for each claim that none supports alone."""
        wanted: dict[int, tuple[Found, Found]] = {}
        for place, reading in enumerate(readings):
            nearest = sorted(reading.for_it[:2], key=lambda one: one.window.source)
            if len(nearest) < 2 or reading.supported >= self.threshold:
                continue
            if sum(one.window.tokens for one in nearest) <= reading.room:
                wanted[place] = (nearest[0], nearest[1])
        pairs = [
            (f"{first.window.shown}\n{second.window.shown}", readings[place].claim)
            for place, (first, second) in wanted.items()
        ]
        chances = dict(zip(wanted, await self.checker.chances(pairs), strict=True))
        return [
            replace(reading, together=(*wanted[place], chances[place]))
            if place in wanted
            else reading
            for place, reading in enumerate(readings)
        ]

    async def _with_quotes(self, readings: Sequence[Reading]) -> list[Reading]:
        """Find the sentence of the window that decided on each claim."""
        decisive = [self._decisive(reading) for reading in readings]
        if not self.checker.quick:
            pairs = zip(readings, decisive, strict=True)
            return [replace(reading, quote=_nearest(reading.claim, one)) for reading, one in pairs]
        asked = [
            (sentence, reading.claim)
            for reading, one in zip(readings, decisive, strict=True)
            if one is not None and len(one.sentences) > 1
            for sentence in one.sentences
        ]
        known = dict(zip(asked, await self.checker.chances(asked), strict=True))
        return [
            replace(reading, quote=self._best_sentence(reading, one, known))
            for reading, one in zip(readings, decisive, strict=True)
        ]

    def _best_sentence(
        self, reading: Reading, window: Window | None, known: Mapping[Pair, Chance]
    ) -> str:
        if window is None or len(window.sentences) == 1:
            return window.sentences[0] if window else ""
        chances = [known[sentence, reading.claim] for sentence in window.sentences]
        pro = reading.supported >= self.threshold
        weights = [one.supported if pro else one.contradicted for one in chances]
        return window.sentences[weights.index(max(weights))]

    def _decisive(self, reading: Reading) -> Window | None:
        """Return the window by which a claim is supported or contradicted; None if it is not."""
        if reading.supported >= self.threshold:
            return reading.for_it[0].window
        if reading.contradicted >= self.threshold:
            return reading.against_it[0].window
        return None


def _nearest(claim: str, window: Window | None) -> str:
    """Return the sentence of a window that has most of a claim's words, or ""."""
    if window is None:
        return ""
    if len(window.sentences) == 1:
        return window.sentences[0]
    return support_of((claim,), (window.text,))[0].quote
