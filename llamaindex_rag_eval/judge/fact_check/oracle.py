"""The fact-checking oracle: a small model answers `SupportOf`, another oracle everything else."""

from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import text_of
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check.by_name import fact_checker_at
from llamaindex_rag_eval.judge.fact_check.checker import FactChecker
from llamaindex_rag_eval.judge.fact_check.classifier import ClassifierChecker, CrossEncoderLike
from llamaindex_rag_eval.judge.fact_check.reading import Reader, Reading
from llamaindex_rag_eval.judge.support import Support, SupportReply, Verdict
from llamaindex_rag_eval.judge.support_of import SupportOf
from llamaindex_rag_eval.models import EmbeddedOracle, Oracle, Usage
from llamaindex_rag_eval.models.request import Reply, ReplyT, Request, check_reply
from llamaindex_rag_eval.models.voting import votable

VERSION = "1"
"""Part of the fingerprint: raised whenever the same model would be asked differently."""


class FactCheckOracle:
    """Answer `SupportOf` by a fact checker, and leave everything else to another oracle.

    The verdict is "supported" from a probability of `threshold` on, "contradicted" where the model
    tells contradictions and one is as likely, otherwise "not mentioned"; no claim is "partly"
    supported. If no source supports a claim alone, the two that come nearest are read together.
    A claim or source that is a short answer is read behind the question, as the embedded rules
    do: "Who was met? Saint Peter". Of an image, the caption is read; the conversation before the
    question is not.

    Args:
        model: `nli:MODEL`, `minicheck:MODEL` or `ollama-minicheck`, see `fact_checker_at`; a model
            with `predict(pairs)`, as sentence-transformers' `CrossEncoder`; or a `FactChecker`.
        inner: Answers everything but `SupportOf`, claims among it; by default the embedded rules.
        threshold: Above 0, at most 1; by default the checker's, 0.5.
        labels: The names of a model's outputs, where its configuration does not name them.
        name: Names a model and its version in the cache, where its configuration does not.
        window: Tokens of a source that are read at a time; by default the checker's, 400.

    Raises:
        InputError: The model cannot be read, its labels are unknown, or a setting is out of range.

    Example:
        >>> class AlwaysSure:
        ...     def predict(self, pairs):
        ...         return [[0.1, 0.9] for _ in pairs]
        >>> labels = ("not_supported", "supported")
        >>> oracle = FactCheckOracle(AlwaysSure(), labels=labels, name="always-sure")
        >>> oracle.fingerprint(SupportOf)
        'fact-check/1/always-sure/threshold=0.5/window=400'
    """

    def __init__(
        self,
        model: str | CrossEncoderLike | FactChecker,
        inner: Oracle | None = None,
        *,
        threshold: float | None = None,
        labels: Sequence[str] | None = None,
        name: str = "",
        window: int | None = None,
    ) -> None:
        self.checker = _checker_of(model, labels, name)
        self.inner = EmbeddedOracle() if inner is None else inner
        self.threshold = self.checker.threshold if threshold is None else threshold
        self.window = self.checker.window if window is None else window
        if not 0 < self.threshold <= 1:
            raise InputError(
                f"threshold is {self.threshold!r}; expected a number above 0, at most 1"
            )
        if self.window < 1:
            raise InputError(f"window is {self.window!r}; expected a number of tokens above 0")

    def __repr__(self) -> str:
        return f"FactCheckOracle({self.checker!r}, {self.inner!r})"

    @property
    def usage(self) -> Usage | None:
        """The calls and tokens of a checker behind a server; None for a local model."""
        found = getattr(self.checker, "usage", None)
        return found if isinstance(found, Usage) else None

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the checker's model, its version and the settings; of others, `inner`'s."""
        if issubclass(request, SupportOf):
            settings = f"threshold={self.threshold}/window={self.window}"
            return f"fact-check/{VERSION}/{self.checker.name}/{settings}"
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether it is `SupportOf`, or `inner` answers it."""
        return issubclass(request, SupportOf) or self.inner.answers(request)

    def voter(self, vote: int) -> "FactCheckOracle":
        """Return an oracle in which `inner` gives another, independent vote.

        Raises:
            InputError: `inner` cannot vote independently.
        """
        return self.over(votable(self.inner).voter(vote))

    def over(self, inner: Oracle) -> "FactCheckOracle":
        """Return the same fact checker before another oracle."""
        return FactCheckOracle(self.checker, inner, threshold=self.threshold, window=self.window)

    def rehearsal(self, inner: Oracle) -> Oracle:
        """Return an oracle for a dry run: rules answer `SupportOf`, and no model is run."""
        return _Rehearsal(inner)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer one request.

        Raises:
            CallError: The model failed, or a claim is too long for it.
            ReplyError: A model behind a server gave no verdict.
        """
        if not isinstance(request, SupportOf):
            return await self.inner.ask(request)
        reply: Reply = await self._support(request)
        return check_reply(request, reply)  # type: ignore[return-value]  # `ReplyT` is its reply

    async def _support(self, request: SupportOf) -> SupportReply:
        reader = Reader(self.checker, threshold=self.threshold, window=self.window)
        texts = [text_of(source) for source in request.sources]
        readings = await reader.read(request.claims, texts, question=request.question)
        pairs = zip(request.claims, readings, strict=True)
        return SupportReply(
            verdicts=tuple(_verdict(claim, one, self.threshold) for claim, one in pairs)
        )


class _Rehearsal:
    """Answers `SupportOf` by rule, at no cost, and leaves the rest to another oracle."""

    def __init__(self, inner: Oracle) -> None:
        self.inner = inner

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return a fingerprint that no real reply has."""
        return f"rehearsal/{self.inner.fingerprint(request)}"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether it is `SupportOf`, or `inner` answers it."""
        return issubclass(request, SupportOf) or self.inner.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return an answer by rule, or that of `inner`."""
        if issubclass(type(request), SupportOf):
            return request.by_rule()
        return await self.inner.ask(request)


def _checker_of(
    model: str | CrossEncoderLike | FactChecker, labels: Sequence[str] | None, name: str
) -> FactChecker:
    if isinstance(model, str):
        if labels is not None or name:
            raise InputError(f"{model!r} is a name: labels and name are for a model in memory")
        return fact_checker_at(model)
    if isinstance(model, FactChecker):
        return model
    if not isinstance(model, CrossEncoderLike):
        raise InputError(f"{model!r} cannot check facts; expected a name, or a model with predict")
    return ClassifierChecker(model, labels=labels, name=name)


def _verdict(claim: str, reading: Reading, threshold: float) -> Support:
    """Return the verdict on a claim from what was found about it; support wins."""
    alone = [one for one in reading.for_it if one.chance.supported >= threshold]
    against = [one for one in reading.against_it if one.chance.contradicted >= threshold]
    sources = tuple(sorted(one.window.source for one in alone))
    contradicting = sorted({one.window.source for one in against} - set(sources))
    together = reading.together
    jointly = not alone and together is not None and together[2].supported >= threshold
    if jointly and together is not None:
        sources = (together[0].window.source, together[1].window.source)
    verdict: Verdict = (
        "supported" if sources else "contradicted" if contradicting else "not_mentioned"
    )
    graded = all(one.chance.graded for one in reading.found)
    return Support(
        claim=claim,
        verdict=verdict,
        sources=sources,
        contradicted_by=tuple(contradicting),
        jointly=jointly,
        quote=reading.quote,
        probability=reading.supported if graded else None,
        reason=_reason(reading, verdict) if graded else "",
    )


def _reason(reading: Reading, verdict: Verdict) -> str:
    if verdict == "contradicted":
        return f"Contradiction is {reading.contradicted:.0%} likely."
    return f"Support is {reading.supported:.0%} likely."
