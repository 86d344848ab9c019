"""What passes between the stages: what was proposed, what is to be written, what came of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from llamaindex_rag_eval.errors import CallError, EndpointError, EngineError, ReplyError
from testset.checks.draft import Draft
from testset.checks.run import CheckReport
from testset.corpus.index import CorpusIndex
from testset.generation.quotas import Stratum
from testset.generation.traffic import length_of
from testset.golden.difficulty import difficulty_over
from testset.golden.golden_set import Rejection
from testset.golden.item import Check, Created, GoldenItem

LOG = "log"
"""What a question is rejected by that is nearly one of the log."""
RETRIEVER = "retriever"
"""What an attempt is rejected by whose deployed retriever failed."""
CALL = "call"
"""What an attempt is rejected by whose model could not be reached."""


class Proposal(Protocol):
    """A question that was proposed, and can be written."""

    @property
    def stratum(self) -> Stratum:
        """Its topic and type."""

    @property
    def traits(self) -> Mapping[str, str]:
        """What it is, by the axes of a target, as far as that is known by now."""


@dataclass(frozen=True)
class Attempt:
    """A call for proposals, or an attempt to write a question and to check it.

    Attributes:
        stratum: The topic, and the type that was wanted.
        doc_ids: The documents that it was written about.
        created: What made it.
        work: Writes and checks it; depends on nothing that is accepted after it was chosen.
        prepares: Whether it only finds out what can be written.
        draft: The question as it was written last; `None` if none was.
        checks: The verdict of each check.
        rejected_by: The check that rejected it, or the step that failed before the checks;
            empty if it passed.
        reason: Why it was rejected; empty if it passed.
        repaired: The check for which it was repaired; empty if it was not.
        proposals: What it offers to write.
    """

    stratum: Stratum
    doc_ids: tuple[str, ...]
    created: Created
    work: Callable[["Attempt"], Awaitable["Attempt"]]
    prepares: bool = False
    draft: Draft | None = None
    checks: Mapping[str, Check] = field(default_factory=dict)
    rejected_by: str = ""
    reason: str = ""
    repaired: str = ""
    proposals: tuple[Proposal, ...] = ()

    @property
    def rejection(self) -> Rejection:
        """What the account says of it, as it was turned down; no words that people asked."""
        shown = self.draft if self.rejected_by != LOG else None
        texts = (shown.question, shown.reference) if shown else ("", "")
        return Rejection(*texts, self.doc_ids[0], self.rejected_by, self.reason)

    async def done(self) -> "Attempt":
        """Return what came of it; an unusable reply, or a lost call, fails this attempt alone.

        Raises:
            BudgetError: The budget is spent.
            EndpointError: The model takes no call any more.
            PendingError: A reply is not in a batch file yet.
        """
        try:
            return await self.work(self)
        except EndpointError:
            raise  # it ends the run
        except (EngineError, ReplyError, CallError) as error:
            by = {EngineError: RETRIEVER, ReplyError: "reply"}.get(type(error), CALL)
            return self.rejected(by, str(error))

    def rejected(self, by: str, reason: str) -> "Attempt":
        """Return it as one that came to nothing."""
        return replace(self, rejected_by=by, reason=reason)

    def checked(self, report: CheckReport) -> "Attempt":
        """Return it with its draft, and what the checks say of it."""
        draft = report.draft
        length = length_of(draft.question, draft.language)
        draft = replace(draft, axes=draft.axes.model_copy(update={"length": length}))
        checked = replace(self, draft=draft, checks=report.checks)
        return checked.rejected(report.rejected_by, report.reason)

    def item(self, draft: Draft, index: CorpusIndex) -> GoldenItem:
        """Return the item of its draft, which has passed; its split is drawn later."""
        level, by = difficulty_over(draft, index)
        return GoldenItem(
            **draft.item_fields,
            checks=self.checks,
            difficulty=level,
            difficulty_by=by,
            topic=self.stratum.topic,
            created=self.created,
        )
