"""The model writer: proposals for each passage first, then the questions that quotas choose."""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from llamaindex_rag_eval.models.request import Oracle
from testset.checks.run import NOT_REPAIRED, CheckContext, run_model_checks
from testset.corpus.passages import Passage
from testset.generation.attempt import LOG, Attempt
from testset.generation.choice import ItemWriter
from testset.generation.drafts import ModelProposal, draft_from, with_quotes
from testset.generation.extension import questions_about
from testset.generation.mixes import IN_KEY_WORDS
from testset.generation.proposals import OVER_TWO, Passages, proposals_in
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.targets import Traits, plain
from testset.generation.traffic import Target
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Created, GoldenItem
from testset.requests.examine import ExamineOf
from testset.requests.proposals import JointProposalsOf, ProposalsOf
from testset.requests.question import Written
from testset.requests.question_types import WRITING
from testset.requests.repair import Repaired, RepairOf
from testset.requests.writer import Writer
from testset.version import VERSION

AT_ONCE = 64
"""Questions that are written at a time, unless all that is missing is."""
MAX_ATTEMPTS = 4
"""Attempts for each question of a type, before the type is given up."""
AVOIDED = 8
"""The latest accepted questions of a topic that a writer is shown, not to ask them again."""


class ModelWriter(ItemWriter[ModelProposal]):
    """Propose questions passage by passage, write what the quotas choose, and check it.

    Args:
        run: What is wanted, of which documents.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        config = self._config = run.config
        self.window = AT_ONCE if config.steps is None else 2 * config.size
        self.attempts, self.steps = MAX_ATTEMPTS, config.steps or math.inf
        self._index, self._writer = run.prepared.index, Writer(run.author)
        self._passages = Passages(run.prepared, config.seed, questions_about(config.extend))
        self._styles: Counter[str] = Counter()
        self._read: set[int] = set()

    def offers(self, type_: str) -> bool:
        """Return whether any passage fits this type."""
        return self._passages.fits(type_)

    def surplus(self, missing: int) -> int:
        """Return how many questions are written besides, where rounds are few.

        With a sixth and one more, nearly all sets are full where 93 of 100 questions pass.
        """
        return 0 if self._config.steps is None else 1 + math.ceil(missing / 6)

    def propose(
        self, stratum: Stratum, types: Sequence[str], users: Sequence[str]
    ) -> Attempt | None:
        """Return the call for what somebody would ask of the next passages."""
        numbers = self._passages.take(stratum)
        if not numbers:
            return None
        self._read.update(numbers)
        asking = JointProposalsOf if stratum.type in OVER_TWO else ProposalsOf
        request = asking(
            passages=tuple(self._index.passages[number].shown for number in numbers),
            types=self._passages.types(numbers, types),
            personas=tuple(users or self._config.personas or ()),
        )
        work = partial(self._propose, request, numbers)
        return replace(self._attempt(stratum, numbers, work), prepares=True)

    async def _propose(
        self, request: ProposalsOf, numbers: tuple[int, ...], attempt: Attempt
    ) -> Attempt:
        reply = await self._writer.ask(request)
        passages = [self._index.passages[number] for number in numbers]
        proposals = proposals_in(
            reply, attempt.stratum.topic, numbers, passages, without=self.run.prepared.boilerplate
        )
        if not proposals:
            reason = "no fact could be located word for word" if reply.offers else reply.reason
            return attempt.rejected("proposals", reason or "nothing to ask")
        return replace(attempt, proposals=proposals)

    def attempt(self, proposal: ModelProposal, target: Target) -> Attempt:
        """Return an attempt to write a proposal, with what is accepted and wanted now."""
        persona = proposal.offer.persona
        own = self._index.passages[proposal.passages[0]].language
        axes = Axes(
            persona=target.user if plain(target.user) == plain(persona) else persona,
            style=target.style or self._style(proposal.stratum.type),
            language=target.language or self._config.language or own,
        )
        context = replace(self.run.context, accepted=self.run.context.accepted.now())
        work = partial(self._write, proposal, context, target.length)
        return replace(self._attempt(proposal.stratum, proposal.passages, work), axes=axes)

    def measure(self, proposal: ModelProposal) -> Traits:
        """Return how hard a question is that asks in the words of its proposal.

        How long it will be is asked for. How hard it is for a retriever that is deployed is known
        only once that was asked.
        """
        if self.run.context.deployed is not None:
            return {}
        used = tuple(range(len(proposal.facts)))
        written = Written(question=proposal.offer.asks, reference="", used=used)
        draft = draft_from(proposal, Axes(), written, "")
        return {"difficulty": difficulty_over(draft, self._index)[0]}

    def why(self, stratum: Stratum) -> str:
        """Return how often the type was tried, or that no passage fits it."""
        tried, proposed_for = self.tried[stratum.type], self.proposed[stratum.type]
        if not tried:
            read = f"{proposed_for} passages offer no question of this type"
            return read if proposed_for else "no passage fits this type"
        steps, left = self._config.steps, self._passages.left(stratum)
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

    def _attempt(
        self,
        stratum: Stratum,
        numbers: Sequence[int],
        work: Callable[[Attempt], Awaitable[Attempt]],
    ) -> Attempt:
        names = dict.fromkeys(self._index.passages[number].document.doc_id for number in numbers)
        created = _created(stratum.type, *self.run.oracles, self._config.seed)
        return Attempt(stratum, tuple(names), Axes(), created, work)

    async def _write(
        self, proposal: ModelProposal, context: CheckContext, length: str, attempt: Attempt
    ) -> Attempt:
        """Write and check one question; repair it once, if a check sends it back."""
        axes, offer = attempt.axes, proposal.offer
        distracts = proposal.stratum.type == "distracting"
        written = await self._writer.ask(
            WRITING[proposal.stratum.type](  # type: ignore[index]  # an offer's is a question type
                facts=proposal.stated,
                asks=offer.asks,
                language=axes.language,
                kind=offer.kind,
                persona=axes.persona,
                style=axes.style,
                length=length,
                aside=self._passages.remark(proposal.passages) if distracts else "",
                examples=tuple(self._config.examples),
                avoid=context.accepted.latest(proposal.stratum.topic, AVOIDED),
            )
        )
        languages = {self._index.passages[number].language for number in proposal.passages}
        asks = "" if axes.language in languages else offer.asks
        draft = draft_from(proposal, axes, written, asks)
        if self._config.log is not None and self._config.log.holds(draft.question):
            return replace(attempt, draft=draft).rejected(LOG, "is nearly a question of the log")
        report = await run_model_checks(draft, context)
        if not report.faults or report.rejected_by in NOT_REPAIRED:
            return attempt.checked(report)
        read = dict.fromkeys([*proposal.passages, *report.draft.adding])
        passages = [self._index.passages[number] for number in read]
        repaired = await self._repaired(proposal, axes, written, report.faults, passages)
        proposal, mended = with_quotes(proposal, repaired, passages)
        again = await run_model_checks(draft_from(proposal, axes, mended, asks), context)
        if again.rejected_by and not report.rejected_by:
            return attempt.checked(report)
        return replace(attempt.checked(again), repaired=next(iter(report.faults)))

    async def _repaired(
        self,
        proposal: ModelProposal,
        axes: Axes,
        written: Written,
        faults: Mapping[str, str],
        passages: Sequence[Passage],
    ) -> Repaired:
        request = RepairOf(
            facts=proposal.stated,
            type=proposal.stratum.type,
            language=axes.language,
            question=written.question,
            reference=written.reference,
            fault="; ".join(f"{name}: {why}" for name, why in faults.items()),
            evidence=tuple(passage.shown for passage in passages),
            history=written.history,
            persona=axes.persona,
            style=axes.style,
        )
        return await self._writer.ask(request)


def _created(type_: str, writer: Oracle, verifier: Oracle, seed: int) -> Created:
    """Return which models wrote and verified an item, and by which prompts."""
    asking = JointProposalsOf if type_ in OVER_TWO else ProposalsOf
    by = {
        "proposals": writer.fingerprint(asking),
        "writer": writer.fingerprint(WRITING[type_]),  # type: ignore[index]  # as above
        "verifier": verifier.fingerprint(ExamineOf),
    }
    models = {role: by[role].rpartition("/")[0] or by[role] for role in ("writer", "verifier")}
    prompts = dict(name.rpartition("/")[2].partition(":")[::2] for name in by.values())
    return Created(models=models, prompts=prompts, seed=seed, version=VERSION)
