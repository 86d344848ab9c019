"""Reading: what a fact checker says of claims over sources, window by window.

A claim is as likely supported by a source as by the window that supports it best; the same holds
for contradictions. This is how SummaC (Laban et al. 2022, https://arxiv.org/abs/2111.09525) and
MiniCheck (Tang et al. 2024, https://arxiv.org/abs/2404.10774) read long documents.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from llamaindex_rag_eval.data.sample import text_of
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.judge.fact_check.checker import Chance, FactChecker
from llamaindex_rag_eval.judge.fact_check.windows import Window, windows_of
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.support import Support, SupportReply, Verdict
from llamaindex_rag_eval.judge.support_of import SupportOf

SPECIAL_TOKENS = 8
"""Tokens that a model has around source and claim; of those supported, MiniCheck's Flan-T5 most."""

OTHERS_SHARE = 0.25
"""Share of what a model reads that a claim must leave to the source; and the most of a question."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a window says of a claim; or two of different sources, read together.

    Attributes:
        window: The window; of two, the one that says more.
        sources: The numbers of the sources, from 0.
        chance: How likely the claim is supported, and contradicted.
    """

    window: Window
    sources: tuple[int, ...]
    chance: Chance


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads claims over the same windows.

    Attributes:
        checker: Judges each pair of a window and a claim.
        windows: Of all sources.
        threshold: Probability from which a claim counts as supported, or as contradicted.
        room: Tokens that a source may have beside a claim.
    """

    checker: FactChecker
    windows: Sequence[Window]
    threshold: float
    room: int

    async def verdict(self, claim: str, shown: str) -> Support:
        """Return the verdict on a claim, which the model is shown in full; support wins."""
        chances = await self.checker.chances([(window.shown, shown) for window in self.windows])
        findings = [
            Finding(window, (window.source,), chance)
            for window, chance in zip(self.windows, chances, strict=True)
        ]
        findings += await self._of_two_sources(shown, findings)
        pro = [entry for entry in findings if entry.chance.supported >= self.threshold]
        against = [entry for entry in findings if entry.chance.contradicted >= self.threshold]
        sources = {number for finding in pro for number in finding.sources}
        supported = max((entry.chance.supported for entry in findings), default=0.0)
        contradicted = max((entry.chance.contradicted for entry in findings), default=0.0)
        verdict: Verdict = "supported" if pro else "contradicted" if against else "not_mentioned"
        likely = (
            f"Contradiction is {contradicted:.0%} likely."
            if verdict == "contradicted"
            else f"Support is {supported:.0%} likely."
        )
        return Support(
            claim=claim,
            verdict=verdict,
            sources=tuple(sorted(sources)),
            contradicted_by=tuple(sorted({entry.sources[0] for entry in against} - sources)),
            jointly=any(len(entry.sources) > 1 for entry in pro),
            quote=await self._quote(shown, pro, against),
            probability=supported,
            reason=likely,
        )

    async def _of_two_sources(self, claim: str, findings: Sequence[Finding]) -> list[Finding]:
        """Return what the two nearest sources say together, where none supports a claim alone."""
        best: dict[int, Finding] = {}
        for finding in sorted(findings, key=lambda entry: -entry.chance.supported):
            best.setdefault(finding.window.source, finding)
        nearest = list(best.values())[:2]
        if len(nearest) < 2 or nearest[0].chance.supported >= self.threshold:
            return []
        if sum(entry.window.tokens for entry in nearest) > self.room:
            return []
        windows = sorted((entry.window for entry in nearest), key=lambda window: window.source)
        text = "\n".join(window.shown for window in windows)
        (chance,) = await self.checker.chances([(text, claim)])
        sources = tuple(window.source for window in windows)
        return [Finding(nearest[0].window, sources, chance._replace(contradicted=0.0))]

    async def _quote(self, claim: str, pro: Sequence[Finding], against: Sequence[Finding]) -> str:
        """Return the sentence that decided, or ""."""
        if not (pro or against):
            return ""
        column = 0 if pro else 1  # of a chance
        window = max(pro or against, key=lambda finding: finding.chance[column]).window
        if len(window.sentences) == 1:
            return window.sentences[0]
        chances = await self.checker.chances([(text, claim) for text in window.sentences])
        weights = [chance[column] for chance in chances]
        return window.sentences[weights.index(max(weights))]


async def read(
    checker: FactChecker, request: SupportOf, *, threshold: float, window: int
) -> SupportReply:
    """Return what the sources say of each claim.

    Args:
        checker: Judges each pair of a window and a claim.
        request: The claims and the sources.
        threshold: Probability from which a claim counts as supported, or as contradicted.
        window: Tokens of a source that are read at a time.

    Raises:
        CallError: The model failed, or a claim is too long for it.
        ReplyError: A model behind a server gave no verdict.
    """
    question = request.question
    if checker.count([question])[0] > OTHERS_SHARE * checker.limit:
        question = ""
    shown = [
        f"{question} {claim}" if is_fragment(claim, question) else claim for claim in request.claims
    ]
    room = min(window, _room(checker, shown))
    windows: list[Window] = []
    for number, source in enumerate(request.sources):
        text = text_of(source)
        cut = windows_of(text, checker.count, room, number)
        lead = question if len(cut) == 1 and is_fragment(text, question) else ""
        windows += (replace(piece, lead=lead) for piece in cut)
    reader = Reader(checker, windows, threshold, room)
    return SupportReply(
        verdicts=tuple(await asyncio.gather(*map(reader.verdict, request.claims, shown)))
    )


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is a short answer, which states nothing without its question.

    Example:
        >>> is_fragment("Saint Peter", "Who was met?"), is_fragment("", "Who was met?")
        (True, False)
    """
    return bool(question) and not text.startswith(question) and is_short_answer(text)


def _room(checker: FactChecker, claims: Sequence[str]) -> int:
    """Return the tokens that a source may have beside the longest of the claims."""
    tokens = max(checker.count(claims), default=0)
    room = checker.limit - tokens - SPECIAL_TOKENS
    if room < OTHERS_SHARE * checker.limit:
        raise CallError(
            f"a claim has {tokens} tokens; {checker.name!r} reads {checker.limit} with the source"
        )
    return room
