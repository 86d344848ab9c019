"""Citations: do the sources that the response cites bear out what it says?

A response cites its contexts by number, as `[1]` for the first, the way LlamaIndex's
`CitationQueryEngine` writes.

Source: Gao et al. (2023), "Enabling Large Language Models to Generate Text with Citations",
section 3, https://arxiv.org/abs/2305.14627.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from llamaindex_rag_eval.formulas.means import f_measure
from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportOf
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.claims import share

_MARKER = re.compile(r"(?i)\s*[\[【]\s*(?:Source\s*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*[\]】]")
"""`[1]`, `[1, 3]`, `[2-4]`, `[Source 1]`, `【1】`."""
_LEADING = re.compile(f"(?i)(?:{_MARKER.pattern.removeprefix('(?i)')})+")
_LONGEST_RANGE = 50
"""Sources that `[1-999]` may stand for at most; more is no citation."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence with what it cites.

    Attributes:
        cited: The numbers of the sources it cites, counted from 0, each once.
        claims: Its claims with the sources that support each.
        text: The sentence without its markers.
    """

    cited: tuple[int, ...]
    claims: tuple[Support, ...] = ()
    text: str = ""


def cited_sentences(response: str) -> tuple[CitedSentence, ...]:
    """Return the sentences of a response with the sources that each cites.

    A marker belongs to the sentence it stands in, and after a full stop to the one before it.

    Example:
        >>> [s.cited for s in cited_sentences("It is long [1]. It is blue. [2, 3] It is old.")]
        [(0,), (1, 2), ()]
    """
    cited: list[tuple[str, list[int]]] = []
    for sentence in sentences(response):
        leading = _LEADING.match(sentence)
        if leading and cited:
            cited[-1][1].extend(_numbers(leading[0]))
            sentence = sentence[leading.end() :].strip()
        if text := _MARKER.sub("", sentence).strip():
            cited.append((text, _numbers(sentence)))
    return tuple(CitedSentence(tuple(dict.fromkeys(n)), text=text) for text, n in cited)


def _numbers(text: str) -> list[int]:
    """Return the numbers of the sources that the markers name, counted from 0."""
    numbers: list[int] = []
    for marker in _MARKER.finditer(text):
        for part in re.split(r"\s*[,;]\s*", marker[1]):
            first, *last = (int(number) for number in re.split(r"\s*[–-]\s*", part))
            end = last[0] if last else first
            if end - first < _LONGEST_RANGE:
                numbers.extend(number - 1 for number in range(first, end + 1))
    return numbers


def citation_precision_score(sentences: Sequence[CitedSentence]) -> float | None:
    """Return the share of the citations that are needed, as ALCE defines it.

    A citation counts if what its sentence cites supports the sentence fully, and the citation is
    not superfluous: it is if it does not support the sentence alone and the others do without it.

    Returns:
        A share in [0, 1], higher is better; None without citations.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> citation_precision_score([CitedSentence((0, 1), supports_of("10"))])
        0.5
    """
    return share(
        _is_needed(sentence, source) for sentence in sentences for source in sentence.cited
    )


def _is_needed(sentence: CitedSentence, source: int) -> bool:
    others = set(sentence.cited) - {source}
    return _is_borne_out(sentence, set(sentence.cited)) and (
        _is_borne_out(sentence, {source}) or not _is_borne_out(sentence, others)
    )


def citation_relevance_score(sentences: Sequence[CitedSentence]) -> float | None:
    """Return the share of the citations whose source supports a claim of the sentence.

    Returns:
        A share in [0, 1], higher is better; None without citations.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> half = CitedSentence((0, 1), supports_of("10", "00"))  # a claim stands nowhere
        >>> citation_relevance_score([half]), citation_precision_score([half])
        (0.5, 0.0)
    """
    return share(
        any(claim.supported_by(source) for claim in sentence.claims)
        for sentence in sentences
        for source in sentence.cited
    )


def citation_coverage_score(sentences: Sequence[CitedSentence]) -> float | None:
    """Return the share of the sentences with a claim that are fully supported by what they cite.

    A claim that takes several sources together needs all of them cited.

    Returns:
        A share in [0, 1], higher is better; None if no sentence makes a claim.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> cited = CitedSentence((0,), supports_of("10"))
        >>> citation_coverage_score([cited, CitedSentence((), supports_of("10"))])
        0.5
    """
    return share(
        _is_borne_out(sentence, set(sentence.cited)) for sentence in sentences if sentence.claims
    )


def _is_borne_out(sentence: CitedSentence, cited: set[int]) -> bool:
    """Return whether these sources support every claim of a sentence that makes one."""
    return bool(sentence.claims) and all(_is_supported(claim, cited) for claim in sentence.claims)


def _is_supported(claim: Support, cited: set[int]) -> bool:
    """Return whether the cited sources support a claim: one of its sources, or all if joint."""
    if not claim.supported:
        return False
    return cited.issuperset(claim.sources) if claim.jointly else bool(cited & {*claim.sources})


class _Citations(Metric):
    """A metric over the sentences of the response with the sources that they cite.

    Limitations: Only numbers in brackets are seen, as `[1]`; footnotes and names of authors are no
    citations.
    """

    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)

    async def measure(self, sample: SingleTurnSample) -> Score:
        cited = cited_sentences(sample.response)
        question = sample.query
        claims = await asyncio.gather(
            *(self.judge.claims(sentence.text, question=question) for sentence in cited)
        )
        support = iter(
            await self.judge.support(sum(claims, ()), sources=sample.contexts, question=question)
        )
        judged = [
            replace(sentence, claims=tuple(islice(support, len(own))))
            for sentence, own in zip(cited, claims, strict=True)
        ]
        evidence = [{"text": s.text, "cited": s.cited, "claims": s.claims} for s in judged]
        return Score(self.compute(judged), {"sentences": evidence})


class CitationPrecision(_Citations):
    """Citation precision: is every citation needed by a sentence that is supported?

        citation_precision = needed citations of supported sentences / citations

    A sentence is supported if all its claims follow from what it cites. A citation of it is needed
    unless it does not support the sentence alone and the other citations do without it. In [0, 1],
    higher is better; a number that names no context is a citation that supports nothing. Asks the
    judge for claims once a sentence, and once for the support of all. `citation_relevance` is
    looser.

    Limitations: Sentences that cite nothing cost nothing: one good citation in a long answer scores
    1. `citation_coverage` counts them.

    Source: ALCE (Gao et al. 2023), section 3, where the sentence is judged as a whole.
    """

    name = "citation_precision"
    undefined = "The response cites nothing."
    formula = citation_precision_score


class CitationRelevance(_Citations):
    """Citation relevance: does each cited source support something that the sentence says?

        citation_relevance = citations whose source supports a claim of the sentence / citations

    In [0, 1], higher is better; looser than `citation_precision`: a citation counts also where the
    sentence has another claim that nothing supports, or another citation suffices. Asks the judge
    for claims once a sentence, and once for the support of all.

    Limitations: A sentence of which only one claim is supported scores as one that is supported
    fully, and sentences without citations cost nothing.
    """

    name = "citation_relevance"
    undefined = "The response cites nothing."
    formula = citation_relevance_score


class CitationCoverage(_Citations):
    """Citation coverage: is every sentence supported by what it cites?

        citation_coverage = sentences that what they cite supports fully / sentences with a claim

    In [0, 1], higher is better. Asks the judge for claims once a sentence, and once for the
    support of all.

    Limitations: Common knowledge and linking remarks without a citation are unsupported, if the
    judge finds a claim in them. A claim that no document supports and one that was only not cited
    cost the same.
    """

    name = "citation_coverage"
    undefined = "The response makes no claim."
    formula = citation_coverage_score


class CitationF1(_Citations):
    """Citation F1: are citations both right and complete?

        citation_f1 = 2 · precision · coverage / (precision + coverage)

    In [0, 1], higher is better. Asks the judge for claims once a sentence, and once for the
    support of all.

    Limitations: It is undefined for an answer without citations, so that a pipeline which never
    cites gets no value, not a low one.
    """

    name = "citation_f1"
    undefined = "The response cites nothing, or makes no claim."

    @staticmethod
    def formula(sentences: Sequence[CitedSentence]) -> float | None:
        """Return the harmonic mean of precision and coverage."""
        return f_measure(citation_precision_score(sentences), citation_coverage_score(sentences))
