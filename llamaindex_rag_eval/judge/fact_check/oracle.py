"""The fact-checking oracle: a small model answers `SupportOf`, another oracle everything else."""

from collections.abc import Sequence

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check.by_name import fact_checker_at
from llamaindex_rag_eval.judge.fact_check.checker import FactChecker
from llamaindex_rag_eval.judge.fact_check.classifier import ClassifierChecker, CrossEncoderLike
from llamaindex_rag_eval.judge.fact_check.reading import read
from llamaindex_rag_eval.judge.support_of import SupportOf
from llamaindex_rag_eval.models import EmbeddedOracle, Oracle
from llamaindex_rag_eval.models.request import OracleOver, Reply, ReplyT, Request, check_reply

VERSION = "1"
"""Part of the fingerprint: raised whenever the same model would be asked differently."""


class FactCheckOracle(OracleOver):
    """Answer `SupportOf` by a fact checker, and leave everything else to another oracle.

    The verdict is "supported" from a probability of `threshold` on, "contradicted" where the model
    tells contradictions and one is as likely, otherwise "not mentioned"; no claim is "partly"
    supported. If no source supports a claim alone, the two that come nearest are read together.
    A claim or source that is a short answer is read behind the question, as the embedded rules
    do: "Who was met? Saint Peter". Of an image, the caption is read; the conversation before the
    question is not.

    Args:
        model: `nli:MODEL` or `minicheck:MODEL`, see `fact_checker_at`; a model with
            `predict(pairs)`, as sentence-transformers' `CrossEncoder`; or a `FactChecker`.
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

    _by_rule = False  # in a rehearsal

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

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the checker's model, its version and the settings; of others, `inner`'s."""
        if issubclass(request, SupportOf):
            if self._by_rule:
                return "rehearsal"
            settings = f"threshold={self.threshold}/window={self.window}"
            return f"fact-check/{VERSION}/{self.checker.name}/{settings}"
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether it is `SupportOf`, or `inner` answers it."""
        return issubclass(request, SupportOf) or self.inner.answers(request)

    def rehearsal(self, inner: Oracle) -> Oracle:
        """Return an oracle for a dry run: rules answer `SupportOf`, and no model is run."""
        rehearsed = self.over(inner)
        rehearsed._by_rule = True
        return rehearsed

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer one request.

        Raises:
            CallError: The model failed, or a claim is too long for it.
        """
        if not isinstance(request, SupportOf):
            return await self.inner.ask(request)
        reply: Reply = (
            request.by_rule()
            if self._by_rule
            else await read(self.checker, request, threshold=self.threshold, window=self.window)
        )
        return check_reply(request, reply)  # type: ignore[return-value]  # `ReplyT` is its reply


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
