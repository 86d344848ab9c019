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
from testset import Category, Corpus, SourceDocument, Traffic, generate
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
from testset.golden.item import Axes, Created, GoldenItem

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
ONE = Stratum("pumps", "single_hop")
PREPARED = PreparedCorpus.of(Corpus((SourceDocument("a.txt", "The pump is red."),)))


def run() -> Run:
    oracle, targets = EmbeddedOracle(), Targets(None, 1, seed=1)
    context = CheckContext(PREPARED.index, AskedQuestions(), Judge(oracle))
    return Run(GenerationConfig(), PREPARED, oracle, context, targets, Account(None))


class NumberWriter(ItemWriter[ModelProposal]):
    """Writes a numbered question after as many turns of the loop as it is told; some are bad."""

    def __init__(self, turns: Mapping[int, int], bad: frozenset[int] = frozenset()) -> None:
        super().__init__(run())
        self.window, self.turns, self.bad = 4, turns, bad
        self.taken = 0
        self.flying = self.most = 0
        self.error: Exception | None = None

    def take(self, stratum: Stratum, wanted: int) -> Attempt | None:
        if self.taken >= 40:
            return None
        number, self.taken = self.taken, self.taken + 1
        return Attempt(
            stratum, ("a.txt",), Axes(), Created(), lambda attempt: self.write(attempt, number)
        )

    async def write(self, attempt: Attempt, number: int) -> Attempt:
        self.flying += 1
        self.most = max(self.most, self.flying)
        for _ in range(self.turns.get(number, 1)):
            await asyncio.sleep(0)
        self.flying -= 1
        if self.error is not None and number >= 5:
            raise self.error
        words = " ".join(f"w{number}x{n}" for n in range(5))
        draft = Draft(f"What is {words}?", "red", "", "single_hop", "en", ())
        check = "lint" if number in self.bad else ""
        return replace(attempt, draft=draft, rejected_by=check)

    def why(self, stratum: Stratum) -> str:
        return "nothing is left"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        return {}


def filled(writer: NumberWriter, size: int) -> Selection:
    config = GenerationConfig(size=size, types=["single_hop"])
    selection = Selection({ONE: size}, replace(writer.run, config=config, targets=writer.targets))
    asyncio.run(selection.write_missing(writer))
    return selection


def test_what_is_accepted_does_not_depend_on_which_reply_comes_first():
    bad = frozenset({1, 4, 5})
    first = filled(NumberWriter({0: 30, 3: 9}, bad), 6)
    other = filled(NumberWriter({2: 30, 5: 17}, bad), 6)
    assert len(first.items) == 6
    assert first.items == other.items
    assert first.rejected == other.rejected


def test_a_round_writes_a_window_of_questions_and_no_more_than_are_wanted():
    writer = NumberWriter({})
    assert len(filled(writer, 10).items) == 10
    assert (writer.most, writer.taken) == (4, 10)


def test_a_budget_ends_the_run_and_what_was_written_before_stays():
    writer = NumberWriter({})
    writer.error = BudgetError("spent")
    selection = filled(writer, 10)
    assert len(selection.items) == 5
    assert selection.summary == {"stopped": "spent"}
    assert {entry.reason for entry in selection.shortfall} == {"spent"}


def test_what_the_plan_lacks_is_told_with_the_reason_of_the_writer():
    selection = filled(NumberWriter({}, frozenset(range(40))), 2)
    assert [(e.wanted, e.got, e.reason) for e in selection.shortfall] == [(2, 0, "nothing is left")]


class ShortWriter(NumberWriter):
    """Writes two short questions, whatever the targets want, and nothing more."""

    def __init__(self, targets: Targets) -> None:
        super().__init__({})
        self.targets = targets

    def take(self, stratum: Stratum, wanted: int) -> Attempt | None:
        if self.taken == 2:
            return None
        target = self.targets.take(stratum.type, lambda _: True, lambda _: True)
        attempt = super().take(stratum, wanted)
        assert attempt is not None
        assert target is not None
        return replace(attempt, target=target)


def test_a_question_that_passed_and_fits_no_target_is_kept_until_less_counts():
    long = Traffic((Category(100, {"length": {"long": 100.0}}),))
    writer = ShortWriter(Targets(long, 2, seed=1))
    selection = filled(writer, 2)
    assert writer.taken == len(selection.items) == 2
    assert selection.rejected == ()
    assert selection.summary["traffic, length"] == "long: 0 of 2"


def test_rules_write_what_the_budget_of_a_model_leaves():
    with LoopbackServer(responders=FAULTLESS) as server:
        judge = oracle_at(server, limit=Limit(4, budget=Budget(calls=40)))
        golden = generate(
            documents(30, sheets=True), size=12, types=["single_hop"], judge=judge, fill=True
        )
    by = Counter(item.created.models["writer"] == "rules" for item in golden)
    assert len(golden) == 12
    assert by[True] > 0
    assert by[False] > 0
    assert "40 calls" in golden.facts["stopped"]


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
