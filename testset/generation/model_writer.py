"""The model writer: proposals for each passage first, then the questions that quotas choose."""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from llamaindex_rag_eval.errors import CallError, EngineError, ReplyError
from llamaindex_rag_eval.judge import Judge
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import NOT_REPAIRED, CheckContext, CheckReport, run_model_checks
from testset.corpus.deployed import DeployedSearch
from testset.corpus.prepared import PreparedCorpus
from testset.generation.attempt import Attempt, Order, Slot, without_retriever
from testset.generation.config import GenerationConfig
from testset.generation.extension import questions_about
from testset.generation.grounds import OVER_TWO, Grounds, orders_of, types_over
from testset.generation.items import created_by_model, question_length
from testset.generation.quotas import Stratum
from testset.golden.item import Axes, Behaviour, GoldenItem, GoldSpan
from testset.golden.spans import LocatedFact
from testset.requests.proposals import ProposalsOf
from testset.requests.question import Stated, Written
from testset.requests.question_types import WRITING
from testset.requests.repair import RepairOf
from testset.requests.writer import Writer

__all__ = ["ModelWriter"]

BEHAVIOUR: Mapping[str, Behaviour] = {
    "unanswerable": "refuse",
    "underspecified": "clarify",
    "false_premise": "correct_premise",
}
"""Question type -> what a good pipeline does with it; it answers those of other types."""
MAX_ATTEMPTS = 4
"""Attempts for each question of a type, before the type is given up."""
AVOIDED = 8
"""The latest accepted questions of a topic that a writer is shown, not to ask them again."""
PROMISED = 3
"""Questions that proposals of one passage are expected to hold; so many wait for them."""


class ModelWriter:
    """Proposals questions passage by passage, write what the quotas choose, and check it.

    Args:
        prepared: The documents.
        config: What is asked for.
        writer: Who writes.
        judge: Who verifies.
        asked: The questions accepted so far.
        deployed: The retriever that is deployed, if one is given.
    """

    window = 64

    def __init__(
        self,
        prepared: PreparedCorpus,
        config: GenerationConfig,
        writer: Writer,
        judge: Judge,
        asked: AskedQuestions,
        deployed: DeployedSearch | None = None,
    ) -> None:
        self._index, self._config = prepared.index, config
        self._writer, self._judge, self._asked = writer, judge, asked
        self._deployed = deployed
        self._boilerplate = prepared.boilerplate
        about = questions_about(config.extend)
        self._grounds = Grounds(prepared, seed=config.seed, about=about)
        self._orders: dict[Stratum, deque[Order]] = defaultdict(deque)
        self._out: Counter[tuple[str, bool]] = Counter()
        self._waiting: dict[tuple[str, bool], set[Stratum]] = defaultdict(set)
        self._tried: Counter[str] = Counter()
        self._proposed: Counter[str] = Counter()
        self._styles: Counter[str] = Counter()
        self._read: set[int] = set()

    def offers(self, type_: str) -> bool:
        """Return whether any passage fits this type."""
        return self._grounds.fits(type_)

    def take(self, stratum: Stratum, *, wanted: int, types: Sequence[str]) -> Slot | None:
        """Return a slot for what was offered, or else for proposals; `None` while they are out."""
        most = MAX_ATTEMPTS * (wanted + 2)
        orders = self._orders[stratum]
        if orders and self._tried[stratum.type] < most:
            self._tried[stratum.type] += 1
            order, style = orders.popleft(), self._style()
            avoid, asked = self._asked.latest(stratum.topic, AVOIDED), self._asked.now()
            return Slot(stratum, partial(self._write, order, style, avoid, asked))
        party = stratum.topic, stratum.type in OVER_TWO
        if orders or self._proposed[stratum.type] >= most or self._joins(stratum, party):
            return None
        passages = self._grounds.take(stratum)
        if not passages:
            return None
        self._proposed[stratum.type] += 1
        self._out[party] += 1
        self._read.update(passages)
        proposals = partial(self._propose, stratum, passages, tuple(types))
        return Slot(stratum, proposals, prepares=True)

    def waits(self, stratum: Stratum) -> bool:
        """Return whether a stratum waits for proposals that are under way."""
        return stratum in self._waiting[stratum.topic, stratum.type in OVER_TWO]

    def _joins(self, stratum: Stratum, party: tuple[str, bool]) -> bool:
        """Let a stratum wait for proposals that are under way, if they have room for it."""
        waiting = self._waiting[party]
        if len(waiting) < (PROMISED - 1) * self._out[party]:
            waiting.add(stratum)
        return stratum in waiting

    def settled(self, attempt: Attempt) -> None:
        """Keep what was proposed; the quotas choose among it."""
        if attempt.prepared:
            party = attempt.stratum.topic, attempt.stratum.type in OVER_TWO
            self._out[party] -= 1
            self._waiting[party].clear()
        for order in attempt.orders:
            self._orders[order.stratum].append(order)

    def more(self) -> bool:
        """Nothing is held back."""
        return False

    def why(self, stratum: Stratum) -> str:
        """Return how often the type was tried, or that no passage fits it."""
        tried, proposed_for = self._tried[stratum.type], self._proposed[stratum.type]
        if not tried:
            asked = f"{proposed_for} passages offer no question of this type"
            return asked if proposed_for else "no passage fits this type"
        steps, left = self._config.steps, self._grounds.left(stratum)
        within = "" if steps is None else f" in {steps} steps"
        return f"{tried} attempts at this type{within}; {left} passages of the cell were not tried"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        """Return how many passages were read."""
        del items
        return {"passages read by the writer": str(len(self._read))}

    def _style(self) -> str:
        """Return the style that is farthest behind its share."""
        shares = self._config.style_shares
        style = min(sorted(shares), key=lambda name: (self._styles[name] + 1) / shares[name])
        self._styles[style] += 1
        return style

    async def _propose(
        self, stratum: Stratum, numbers: tuple[int, ...], types: tuple[str, ...]
    ) -> Attempt:
        """Ask what somebody would ask of passages; an unusable reply fails this slot alone."""
        attempt = replace(self._attempt_at(stratum, numbers), prepared=True)
        passages = [self._index.passages[number] for number in numbers]
        request = ProposalsOf(
            passages=tuple(passage.shown for passage in passages),
            types=types_over(passages, types),
            personas=tuple(self._config.personas or ()),
        )
        try:
            reply = await self._writer.ask(request)
        except ReplyError as error:
            return replace(attempt, rejected_by="reply", reason=str(error))
        except CallError as error:
            return replace(attempt, rejected_by="call", reason=str(error), unreachable=True)
        orders = orders_of(reply, stratum.topic, numbers, passages, without=self._boilerplate)
        if not orders:
            reason = "no fact could be located word for word" if reply.offers else reply.reason
            return replace(attempt, rejected_by="proposals", reason=reason or "nothing to ask")
        return replace(attempt, orders=orders)

    async def _write(
        self, order: Order, style: str, avoid: Sequence[str], asked: AskedQuestions
    ) -> Attempt:
        """Write and check one question; an unusable reply fails this attempt alone.

        Raises:
            BudgetError: The budget is spent.
            PendingError: A reply is not in a batch file yet.
        """
        language = self._config.language or self._index.passages[order.passages[0]].language
        axes = Axes(persona=order.offer.persona, style=style, language=language)
        attempt = replace(self._attempt_at(order.stratum, order.passages), axes=axes)
        try:
            return await self._written(attempt, order, avoid, asked)
        except EngineError as error:
            return without_retriever(attempt, error)
        except ReplyError as error:
            return replace(attempt, rejected_by="reply", reason=str(error))
        except CallError as error:
            return replace(attempt, rejected_by="call", reason=str(error), unreachable=True)

    def _attempt_at(self, stratum: Stratum, numbers: Sequence[int]) -> Attempt:
        passages = (self._index.passages[number] for number in numbers)
        oracles = self._writer.oracle, self._judge.oracle
        return Attempt(
            stratum,
            tuple(dict.fromkeys(passage.document.doc_id for passage in passages)),
            Axes(),
            created_by_model(stratum.type, *oracles, self._config.seed),
        )

    def _asks(self, order: Order, axes: Axes) -> str:
        """Return what is asked in the language of the passages, if the question is in another."""
        languages = {self._index.passages[number].language for number in order.passages}
        return "" if axes.language in languages else order.offer.asks

    async def _written(
        self, attempt: Attempt, order: Order, avoid: Sequence[str], asked: AskedQuestions
    ) -> Attempt:
        type_, axes = order.stratum.type, attempt.axes
        by_heart = self._config.max_by_heart is not None
        context = CheckContext(
            self._index, asked, self._judge, by_heart=by_heart, deployed=self._deployed
        )
        stated = tuple(map(_stated, order.facts))
        written = await self._writer.question(
            WRITING[type_](  # type: ignore[index]  # an offer's type is a question type
                facts=stated,
                asks=order.offer.asks,
                language=axes.language,
                kind=order.offer.kind,
                persona=axes.persona,
                style=axes.style,
                aside=self._grounds.remark(order.passages) if type_ == "distracting" else "",
                examples=tuple(self._config.examples),
                avoid=tuple(avoid),
            )
        )
        asks = self._asks(order, axes)
        report = await run_model_checks(_draft(order, axes, written, asks), context)
        if not report.rejected_by or report.rejected_by in NOT_REPAIRED:
            return _checked(attempt, report)
        repaired = await self._writer.repair(
            RepairOf(
                facts=stated,
                type=type_,
                language=axes.language,
                question=written.question,
                reference=written.reference,
                fault=report.faults,
                history=written.history,
                persona=axes.persona,
                style=axes.style,
            )
        )
        again = await run_model_checks(_draft(order, axes, repaired, asks), context)
        return replace(_checked(attempt, again), repaired=report.rejected_by)


def _stated(fact: LocatedFact) -> Stated:
    """Return a fact as the writer sees it: with its document, title and headings."""
    under = fact.span.setting[:1]
    document = f"{fact.span.doc_id} ({under[0]})" if under else fact.span.doc_id
    return Stated(statement=fact.statement, document=document, importance=fact.importance)


def _checked(attempt: Attempt, report: CheckReport) -> Attempt:
    return replace(
        attempt,
        axes=attempt.axes.model_copy(update={"length": question_length(report.draft)}),
        draft=report.draft,
        checks=report.checks,
        rejected_by=report.rejected_by,
        reason=report.reason,
    )


def _draft(order: Order, axes: Axes, written: Written, asks: str) -> Draft:
    """Return what was written as a draft with gold spans.

    Each fact used is a group of its own: all are needed. Of a question that must be asked back, all
    facts are one group: each is a possible answer. An unanswerable question has no gold spans.
    """
    facts: Sequence[LocatedFact] = order.facts
    spans = tuple(dict.fromkeys(facts[number].span for number in written.used))
    gold: tuple[tuple[GoldSpan, ...], ...] = tuple((entry,) for entry in spans)
    if order.stratum.type == "unanswerable":
        gold = ()
    elif order.stratum.type == "underspecified":
        gold = (spans,)
    return Draft(
        question=written.question,
        reference=written.reference,
        kind=order.offer.kind,
        type=order.stratum.type,
        language=axes.language,
        gold=gold,
        facts=written.reference_facts,
        turns=written.history,
        behaviour=BEHAVIOUR.get(order.stratum.type, "answer"),
        style=axes.style,
        verbatim=False,
        asks=asks,
    )
