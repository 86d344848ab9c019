"""The model writer: proposals for each passage first, then the questions that quotas choose."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from llamaindex_rag_eval.errors import CallError, EndpointError, EngineError, ReplyError
from llamaindex_rag_eval.judge import Judge
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import NOT_REPAIRED, CheckContext, CheckReport, run_model_checks
from testset.corpus.deployed import DeployedSearch
from testset.corpus.prepared import PreparedCorpus
from testset.generation.attempt import Attempt, Order, Slot, without_retriever
from testset.generation.config import GenerationConfig
from testset.generation.drafts import draft_from, stated_fact, with_quotes
from testset.generation.extension import questions_about
from testset.generation.grounds import OVER_TWO, Grounds, orders_of, types_over
from testset.generation.items import created_by_model, question_length
from testset.generation.jobs import Job, fits_measured, fits_proposal, held_back
from testset.generation.mixes import IN_KEY_WORDS
from testset.generation.orders import Orders
from testset.generation.query_log import LOG
from testset.generation.quotas import Stratum
from testset.generation.targets import Targets, same_person
from testset.generation.traffic import Target
from testset.golden.item import Axes, GoldenItem
from testset.requests.proposals import JointProposalsOf, ProposalsOf
from testset.requests.question_types import WRITING
from testset.requests.repair import RepairOf
from testset.requests.writer import Writer

MAX_ATTEMPTS = 4
"""Attempts for each question of a type, before the type is given up."""
AVOIDED = 8
"""The latest accepted questions of a topic that a writer is shown, not to ask them again."""


class ModelWriter:
    """Propose questions passage by passage, write what the quotas choose, and check it.

    Args:
        prepared: The documents.
        config: What is asked for.
        writer: Who writes.
        judge: Who verifies.
        asked: The questions accepted so far.
        deployed: The retriever that is deployed, if one is given.
        targets: What is open of the traffic, if one is given.
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
        targets: Targets | None = None,
    ) -> None:
        self._index, self._config = prepared.index, config
        self._writer, self._judge, self._asked = writer, judge, asked
        self._deployed, self._targets = deployed, targets
        self._boilerplate = prepared.boilerplate
        about = questions_about(config.extend)
        self._grounds = Grounds(prepared, seed=config.seed, about=about)
        self._orders = Orders()
        self._tried: Counter[str] = Counter()
        self._proposed: Counter[str] = Counter()
        self._styles: Counter[str] = Counter()
        self._read: set[int] = set()

    def offers(self, type_: str) -> bool:
        """Return whether any passage fits this type."""
        return self._grounds.fits(type_)

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        """Return a slot for what was offered, or else for proposals; `None` while they are out."""
        most = MAX_ATTEMPTS * (wanted + 2)
        tired = self._tried[stratum.type] >= most
        chosen = None if tired else self._chosen(stratum)
        if chosen is not None:
            self._tried[stratum.type] += 1
            return self._slot(stratum, *chosen)
        settled = self._targets is not None and not self._targets.left(stratum.type)
        if offered or (tired and self._orders.has(stratum)) or settled:
            return None
        if self._proposed[stratum.type] >= most or self._orders.joins(stratum):
            return None
        passages = self._grounds.take(stratum)
        if not passages:
            return None
        self._proposed[stratum.type] += 1
        self._orders.sent(stratum)
        self._read.update(passages)
        people = self._people(stratum.type)
        proposals = partial(self._propose, stratum, passages, tuple(types), people)
        return Slot(stratum, proposals, prepares=True)

    def _chosen(self, stratum: Stratum) -> tuple[Order, int | None] | None:
        """Return the first order, with the target that it fulfils; `None` if none fulfils any."""
        targets = self._targets
        if targets is None:
            return self._orders.first(stratum, None)

        def target_of(order: Order) -> int | None:
            fits, measured = partial(fits_proposal, order), partial(fits_measured, order)
            return targets.take(stratum.type, fits, measured)

        return self._orders.first(stratum, target_of)

    def _slot(self, stratum: Stratum, order: Order, number: int | None) -> Slot:
        """Return the slot of an order, with what is accepted and wanted now."""
        target, measured = Target(), None
        if self._targets is not None and number is not None:
            target, measured = self._targets.all[number], self._targets.to_measure(number)
        own = self._index.passages[order.passages[0]].language
        known = same_person(target.user, order.offer.persona)
        axes = Axes(
            persona=target.user if known else order.offer.persona,
            style=target.style or self._style(stratum.type),
            language=target.language or self._config.language or own,
        )
        avoid = self._asked.latest(stratum.topic, AVOIDED)
        job = Job(order, axes, avoid, self._asked.now(), measured)
        return Slot(stratum, partial(self._write, job), target=number)

    def _people(self, type_: str) -> tuple[str, ...]:
        """Return who may ask: those that the traffic lacks, or those that were given."""
        wanted = () if self._targets is None else self._targets.users(type_)
        return wanted or tuple(self._config.personas or ())

    def waits(self, stratum: Stratum) -> bool:
        """Return whether a stratum waits for proposals that are under way."""
        return self._orders.waits(stratum)

    def settled(self, attempt: Attempt) -> None:
        """Keep what was proposed; the quotas choose among it."""
        self._orders.settled(attempt)

    def more(self) -> bool:
        """Offer what fits no open target of the traffic; nothing is held back without one."""
        if self._targets is None or not self._targets.relax():
            return False
        self._tried.clear()
        return True

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

    def _style(self, type_: str) -> str:
        """Return the style that is farthest behind its share, of those that fit the type."""
        shares = self._config.style_shares
        if type_ not in IN_KEY_WORDS:
            shares = {name: n for name, n in shares.items() if name != "web_search"} or shares
        style = min(sorted(shares), key=lambda name: (self._styles[name] + 1) / shares[name])
        self._styles[style] += 1
        return style

    async def _propose(
        self,
        stratum: Stratum,
        numbers: tuple[int, ...],
        types: tuple[str, ...],
        personas: tuple[str, ...],
    ) -> Attempt:
        """Ask what somebody would ask of passages; an unusable reply fails this slot alone."""
        attempt = replace(self._attempt_at(stratum, numbers), prepared=True)
        passages = [self._index.passages[number] for number in numbers]
        asking = JointProposalsOf if stratum.type in OVER_TWO else ProposalsOf
        request = asking(
            passages=tuple(passage.shown for passage in passages),
            types=types_over(passages, types),
            personas=personas,
        )
        try:
            reply = await self._writer.ask(request)
        except ReplyError as error:
            return replace(attempt, rejected_by="reply", reason=str(error))
        except EndpointError:
            raise  # it ends the run
        except CallError as error:
            return replace(attempt, rejected_by="call", reason=str(error), unreachable=True)
        orders = orders_of(reply, stratum.topic, numbers, passages, without=self._boilerplate)
        if not orders:
            reason = "no fact could be located word for word" if reply.offers else reply.reason
            return replace(attempt, rejected_by="proposals", reason=reason or "nothing to ask")
        return replace(attempt, orders=orders)

    async def _write(self, job: Job) -> Attempt:
        """Write and check one question; an unusable reply fails this attempt alone.

        Raises:
            BudgetError: The budget is spent.
            EndpointError: The model takes no call any more.
            PendingError: A reply is not in a batch file yet.
        """
        order = job.order
        attempt = replace(self._attempt_at(order.stratum, order.passages), axes=job.axes)
        try:
            return await self._written(attempt, job)
        except EngineError as error:
            return without_retriever(attempt, error)
        except ReplyError as error:
            return replace(attempt, rejected_by="reply", reason=str(error))
        except EndpointError:
            raise  # it ends the run
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

    async def _written(self, attempt: Attempt, job: Job) -> Attempt:
        order, axes, type_ = job.order, job.axes, job.order.stratum.type
        by_heart = self._config.max_by_heart is not None
        context = CheckContext(
            self._index, job.asked, self._judge, by_heart=by_heart, deployed=self._deployed
        )
        stated = tuple(map(stated_fact, order.facts))
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
                avoid=tuple(job.avoid),
            )
        )
        asks = self._asks(order, axes)
        draft = draft_from(order, axes, written, asks)
        if self._config.log is not None and self._config.log.holds(draft.question):
            return replace(attempt, rejected_by=LOG, reason="is nearly a question of the log")
        deployed = self._deployed is not None
        aside = held_back(job, attempt, draft, self._index, deployed=deployed)
        if aside is not None:
            return aside
        report = await run_model_checks(draft, context)
        if not report.faults or report.rejected_by in NOT_REPAIRED:
            return _checked(attempt, report)
        read = dict.fromkeys([*order.passages, *report.draft.adding])
        passages = [self._index.passages[number] for number in read]
        repaired = await self._writer.repair(
            RepairOf(
                facts=stated,
                type=type_,
                language=axes.language,
                question=written.question,
                reference=written.reference,
                fault="; ".join(f"{name}: {why}" for name, why in report.faults.items()),
                evidence=tuple(passage.shown for passage in passages),
                history=written.history,
                persona=axes.persona,
                style=axes.style,
            )
        )
        order, mended = with_quotes(order, repaired, passages)
        again = await run_model_checks(draft_from(order, axes, mended, asks), context)
        if again.rejected_by and not report.rejected_by:
            return _checked(attempt, report)
        return replace(_checked(attempt, again), repaired=next(iter(report.faults)))


def _checked(attempt: Attempt, report: CheckReport) -> Attempt:
    return replace(
        attempt,
        axes=attempt.axes.model_copy(update={"length": question_length(report.draft)}),
        draft=report.draft,
        checks=report.checks,
        rejected_by=report.rejected_by,
        reason=report.reason,
    )
