"""Selection: one writer after the other, in rounds, accepted in the order of the attempts."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from llamaindex_rag_eval.errors import BudgetError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import EmbeddedOracle, Limit
from llamaindex_rag_eval.models.usage import Budget
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Corpus, GoldenSet, SourceDocument, generate
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import CheckContext
from testset.corpus.prepared import PreparedCorpus
from testset.generation.account import Account
from testset.generation.attempt import Attempt
from testset.generation.choice import ItemWriter
from testset.generation.config import GenerationConfig
from testset.generation.drafts import ModelProposal
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.selection import Selection
from testset.generation.targets import Targets
from testset.generation.traffic import Target
from testset.golden.item import Axes, Created, GoldenItem

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
ONE = Stratum("pumps", "single_hop")
PREPARED = PreparedCorpus.of(Corpus((SourceDocument("a.txt", "The pump is red."),)))


def run(size: int) -> Run:
    oracle, targets = EmbeddedOracle(), Targets([Target(type="single_hop", topic="pumps")] * size)
    context = CheckContext(PREPARED.index, AskedQuestions(), Judge(oracle))
    config = GenerationConfig(size=size, types=["single_hop"])
    return Run(config, PREPARED, Judge(oracle), context, targets, Account(None))


class NumberWriter(ItemWriter[ModelProposal]):
    """Writes a numbered question after as many turns of the loop as it is told; some are bad."""

    def __init__(
        self, turns: Mapping[int, int], bad: frozenset[int] = frozenset(), *, size: int
    ) -> None:
        super().__init__(run(size))
        self.window, self.turns, self.bad = 4, turns, bad
        self.flying = self.most = self.written = 0
        self.error: Exception | None = None
        for number in range(40):
            words = " ".join(f"w{number}x{n}" for n in range(5))
            axes = Axes(persona=str(number), language="en")
            draft = Draft(f"What is {words}?", "red", "", "single_hop", axes, ())
            self.proposals[ONE].append(ModelProposal("pumps", (0,), draft))

    def attempt(self, proposal: ModelProposal) -> Attempt:
        return Attempt(ONE, ("a.txt",), Created(), lambda a: self.write(a, proposal))

    async def write(self, attempt: Attempt, proposal: ModelProposal) -> Attempt:
        number = int(proposal.draft.axes.persona)
        self.written += 1
        self.flying += 1
        self.most = max(self.most, self.flying)
        for _ in range(self.turns.get(number, 1)):
            await asyncio.sleep(0)
        self.flying -= 1
        if self.error is not None and number >= 5:
            raise self.error
        check = "lint" if number in self.bad else ""
        return replace(attempt, draft=proposal.draft, rejected_by=check)

    def why(self, stratum: Stratum) -> str:
        return "nothing is left"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        return {}


def filled(writer: NumberWriter) -> Selection:
    selection = Selection(writer.run)
    asyncio.run(selection.write_missing(writer))
    return selection


def test_what_is_accepted_does_not_depend_on_which_reply_comes_first():
    bad = frozenset({1, 4, 5})
    first = filled(NumberWriter({0: 30, 3: 9}, bad, size=6))
    other = filled(NumberWriter({2: 30, 5: 17}, bad, size=6))
    assert len(first.items) == 6
    assert first.items == other.items
    assert first.rejected == other.rejected


def test_a_round_writes_a_window_of_questions_and_no_more_than_are_wanted():
    writer = NumberWriter({}, size=10)
    assert len(filled(writer).items) == 10
    assert (writer.most, writer.written) == (4, 10)


def test_a_budget_ends_the_run_and_what_was_written_before_stays():
    writer = NumberWriter({}, size=10)
    writer.error = BudgetError("spent")
    selection = filled(writer)
    assert len(selection.items) == 5
    assert selection.summary == {"stopped": "spent"}
    assert {entry.reason for entry in selection.shortfall} == {"spent"}


def test_what_the_plan_lacks_is_told_with_the_reason_of_the_writer():
    selection = filled(NumberWriter({}, frozenset(range(40)), size=2))
    assert [(e.wanted, e.got, e.reason) for e in selection.shortfall] == [(2, 0, "nothing is left")]


class SurplusWriter(NumberWriter):
    """Writes twice as many as are missing, once."""

    steps, surplus = 1, 1


def test_what_passed_and_is_not_wanted_is_spare_and_taken_before_anything_is_written():
    first = filled(SurplusWriter({}, frozenset({0}), size=2))
    assert (len(first.items), len(first.spares)) == (2, 1)
    assert first.rejected[0].check == "lint"
    golden = GoldenSet(first.items, reserve=first.spares)
    writer = NumberWriter({}, size=1)
    config = replace(writer.run.config, size=3, extend=golden)
    selection = Selection(replace(writer.run, config=config))
    asyncio.run(selection.write_missing(writer))
    assert writer.written == 0
    assert [item.question for item in selection.items] == [first.spares[0].question]
    assert selection.spares == ()


def test_of_what_passed_the_set_is_what_fits_the_targets_best_of_all():
    wanted = Targets([Target(length="long"), Target(type="table"), Target()])
    base = item_of(SurplusWriter({}, size=1))
    axes = [Axes(length=name) for name in ("short", "long", "short", "short")]  # type: ignore[arg-type]  # a length
    items = [base.model_copy(update={"id": str(n), "axes": own}) for n, own in enumerate(axes)]
    items[3] = items[3].model_copy(update={"type": "table"})
    chosen, spares = wanted.chosen(items)
    assert [item.id for item in chosen] == ["0", "1", "3"]
    assert [item.id for item in spares] == ["2"]
    assert [target.type for target in wanted.open(items[:2])] == ["table"]


def item_of(writer: NumberWriter) -> GoldenItem:
    return filled(writer).items[0]


def test_rules_write_what_the_budget_of_a_model_leaves():
    with LoopbackServer(responders=FAULTLESS) as server:
        judge = oracle_at(server, limit=Limit(4, budget=Budget(calls=12)))
        golden = generate(
            documents(30, sheets=True), size=12, types=["single_hop"], judge=judge, fill=True
        )
    by = Counter(item.created.models["writer"] == "rules" for item in golden)
    assert len(golden) == 12
    assert by[True] > 0
    assert by[False] > 0
    assert "12 calls" in golden.facts["stopped"]


def test_a_model_writes_what_rules_leave():
    docs = documents(6, sheets=True)
    with LoopbackServer(responders=FAULTLESS) as server:
        golden = generate(
            docs,
            size=8,
            types=["single_hop", "conditional"],
            writer=EmbeddedOracle(),
            judge=oracle_at(server),
            fill=True,
        )
    types = Counter((item.created.models["writer"] == "rules", item.type) for item in golden)
    assert types[False, "conditional"] >= 3
    assert types[True, "single_hop"] > 0
