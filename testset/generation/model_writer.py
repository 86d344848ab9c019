"""The model writer: questions about passage after passage, of which it examines those wanted."""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from llamaindex_rag_eval.models.request import Oracle
from testset.checks.draft import Draft
from testset.checks.run import CheckContext, run_model_checks
from testset.generation.attempt import LOG, Attempt
from testset.generation.choice import ItemWriter
from testset.generation.drafts import ModelProposal, drafts_in
from testset.generation.extension import questions_about
from testset.generation.passages import OVER_TWO, Passages
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.targets import Traits
from testset.generation.traffic import Target
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Created, GoldenItem
from testset.requests.drafts import DraftsOf, JointDraftsOf, Wanted
from testset.requests.examine import ExamineOf
from testset.version import VERSION

AT_ONCE = 64
"""Questions that are examined at a time, unless all that is missing is."""
SURPLUS = 1 / 12
"""Questions that are examined besides those that are missing, as a share, where rounds are few."""
MAX_ATTEMPTS = 4
"""Attempts for each question of a type, before the type is given up."""
MENDED = frozenset({"lint", "span"})
"""Checks by rule whose rejection an examiner may mend: it is asked all the same."""
AVOIDED = 8
"""The latest accepted questions of a topic that a writer is shown, not to ask them again."""
MOST_WANTED = 8
"""Questions that are wanted of which a writer is told, to choose those that a passage carries."""


class ModelWriter(ItemWriter[ModelProposal]):
    """Have questions written passage by passage, and examine those that the quotas choose.

    Args:
        run: What is wanted, of which documents.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        config = self._config = run.config
        self.window = AT_ONCE if config.steps is None else 2 * config.size
        self.attempts, self.steps = MAX_ATTEMPTS, config.steps or math.inf
        self.surplus = 0 if config.steps is None else SURPLUS
        self._index, self._author = run.prepared.index, run.author
        self._passages = Passages(run.prepared, config.seed, questions_about(config.extend))
        self._personas: Counter[str] = Counter()
        self._read: set[int] = set()

    def offers(self, type_: str) -> bool:
        """Return whether any passage fits this type."""
        return self._passages.fits(type_)

    def propose(self, stratum: Stratum, targets: Sequence[Target]) -> Attempt | None:
        """Return the call for questions about the next passages."""
        numbers = self._passages.take(stratum)
        if not numbers:
            return None
        self._read.update(numbers)
        types = self._passages.types(numbers, [target.type for target in targets])
        fitting = [target for target in targets if target.type in types]
        asking = JointDraftsOf if stratum.type in OVER_TWO else DraftsOf
        request = asking(
            passages=tuple(self._index.passages[number].shown for number in numbers),
            wanted=tuple(map(self._wanted, fitting[:MOST_WANTED])),
            examples=tuple(self._config.examples),
            avoid=self.run.context.accepted.latest(stratum.topic, AVOIDED),
        )
        work = partial(self._propose, request, numbers)
        return replace(self._attempt(stratum, numbers, work), prepares=True)

    async def _propose(
        self, request: DraftsOf, numbers: tuple[int, ...], attempt: Attempt
    ) -> Attempt:
        reply = await self._author.ask(request)
        passages = {number: self._index.passages[number] for number in numbers}
        proposals = drafts_in(
            reply,
            request.wanted,
            attempt.stratum.topic,
            passages,
            without=self.run.prepared.boilerplate,
        )
        if not proposals:
            reason = "no fact could be located word for word" if reply.questions else reply.reason
            return attempt.rejected("proposals", reason or "nothing to ask")
        return replace(attempt, proposals=proposals)

    def attempt(self, proposal: ModelProposal) -> Attempt:
        """Return an attempt to examine a question, with what is accepted now."""
        context = replace(self.run.context, accepted=self.run.context.accepted.now())
        work = partial(self._examine, proposal.draft, context)
        return self._attempt(proposal.stratum, proposal.passages, work)

    def measure(self, proposal: ModelProposal) -> Traits:
        """Return how hard a question is.

        How hard it is for a retriever that is deployed is known only once that was asked.
        """
        if self.run.context.deployed is not None:
            return {}
        return {"difficulty": difficulty_over(proposal.draft, self._index)[0]}

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

    def _wanted(self, target: Target) -> Wanted:
        """Return what is asked for: a target, with what it leaves open in its share."""
        people = self._config.personas or ("",)
        persona = target.user or min(people, key=lambda name: self._personas[name])
        self._personas[persona] += 1
        return Wanted(
            type=target.type,
            kind=target.kind,
            persona=persona,
            style="" if target.style == "plain" else target.style,
            length=target.length,
            language=target.language or self._config.language or "",
        )

    def _attempt(
        self,
        stratum: Stratum,
        numbers: Sequence[int],
        work: Callable[[Attempt], Awaitable[Attempt]],
    ) -> Attempt:
        names = dict.fromkeys(self._index.passages[number].document.doc_id for number in numbers)
        created = _created(stratum.type, *self.run.oracles, self._config.seed)
        return Attempt(stratum, tuple(names), created, work)

    async def _examine(self, draft: Draft, context: CheckContext, attempt: Attempt) -> Attempt:
        """Check one question; take it as its examiner has mended it, unless that is worse."""
        if self._config.log is not None and self._config.log.holds(draft.question):
            return replace(attempt, draft=draft).rejected(LOG, "is nearly a question of the log")
        report = await run_model_checks(draft, context)
        if report.rejected_by in MENDED:
            await context.examiner.opinion(draft)
        mended = context.examiner.mended(draft)
        if mended is None:
            return attempt.checked(report)
        again = await run_model_checks(mended, context)
        if again.rejected_by and not report.rejected_by:
            return attempt.checked(report)
        return replace(attempt.checked(again), repaired=next(iter(report.faults), "grounded"))


def _created(type_: str, writer: Oracle, verifier: Oracle, seed: int) -> Created:
    """Return which models wrote and verified an item, and by which prompts."""
    asking = JointDraftsOf if type_ in OVER_TWO else DraftsOf
    by = {"writer": writer.fingerprint(asking), "verifier": verifier.fingerprint(ExamineOf)}
    models = {role: name.rpartition("/")[0] or name for role, name in by.items()}
    prompts = dict(name.rpartition("/")[2].partition(":")[::2] for name in by.values())
    return Created(models=models, prompts=prompts, seed=seed, version=VERSION)
