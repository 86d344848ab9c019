"""Filling a set: one writer after the other, many slots at a time, accepted in their order."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from llamaindex_rag_eval.errors import BudgetError
from llamaindex_rag_eval.models import EmbeddedOracle, Limit
from llamaindex_rag_eval.models.usage import Budget
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import SourceDocument, generate
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.corpus.index import CorpusIndex
from testset.generation.attempt import Attempt, Slot
from testset.generation.config import GenerationConfig
from testset.generation.fill import Fill
from testset.generation.quotas import Stratum
from testset.golden.item import Axes, Created, GoldenItem

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
ONE = Stratum("pumps", "single_hop")
INDEX = CorpusIndex.of([SourceDocument("a.txt", "The pump is red.")])


class NumberWriter:
    """Writes a numbered question after as many turns of the loop as it is told; some are bad."""

    def __init__(self, turns: Mapping[int, int], bad: frozenset[int] = frozenset()) -> None:
        self.window, self.turns, self.bad = 4, turns, bad
        self.taken = 0
        self.flying = self.most = 0
        self.error: Exception | None = None

    def offers(self, type_: str) -> bool:
        return type_ == "single_hop"

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        if self.taken >= 40:
            return None
        number, self.taken = self.taken, self.taken + 1
        return Slot(stratum, lambda: self.write(stratum, number))

    async def write(self, stratum: Stratum, number: int) -> Attempt:
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
        return Attempt(stratum, ("a.txt",), Axes(), Created(), draft, rejected_by=check)

    def waits(self, stratum: Stratum) -> bool:
        return False

    def settled(self, attempt: Attempt) -> None: ...

    def more(self) -> bool:
        return False

    def why(self, stratum: Stratum) -> str:
        return "nothing is left"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        return {}


def filled(writer: NumberWriter, size: int) -> Fill:
    config = GenerationConfig(size=size, types=["single_hop"])
    fill = Fill({ONE: size}, config, INDEX, AskedQuestions(), settled=lambda: None)
    asyncio.run(fill.run(writer))
    return fill


def test_what_is_accepted_does_not_depend_on_which_reply_comes_first():
    bad = frozenset({1, 4, 5})
    first = filled(NumberWriter({0: 30, 3: 9}, bad), 6)
    other = filled(NumberWriter({2: 30, 5: 17}, bad), 6)
    assert len(first.items) == 6
    assert first.items == other.items
    assert first.rejected == other.rejected


def test_a_window_of_slots_is_written_at_a_time_and_no_more_than_is_wanted():
    writer = NumberWriter({})
    assert len(filled(writer, 10).items) == 10
    assert (writer.most, writer.taken) == (4, 10)


def test_a_budget_ends_the_run_and_what_was_written_before_stays():
    writer = NumberWriter({})
    writer.error = BudgetError("spent")
    fill = filled(writer, 10)
    assert len(fill.items) == 5
    assert fill.stopped == "spent"
    assert {entry.reason for entry in fill.shortfall(writer)} == {"spent"}


def test_what_the_plan_lacks_is_told_with_the_reason_of_the_writer():
    fill = filled(NumberWriter({}, frozenset(range(40))), 2)
    assert [(e.wanted, e.got, e.reason) for e in fill.shortfall(NumberWriter({}))] == [
        (2, 0, "nothing is left")
    ]


class TypedWriter(NumberWriter):
    """Offers singles at once, and finds doubles in the second step alone, if at all."""

    def __init__(self, doubles: int) -> None:
        super().__init__({})
        self.doubles = doubles

    def more(self) -> bool:
        return self.taken >= 4 and self.doubles > 0

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        if stratum.type == "double" and not self.more():
            return None
        if stratum.type == "single_hop" and not offered:
            return None
        self.doubles -= stratum.type == "double"
        return super().take(stratum, wanted=wanted, types=types, offered=offered)

    async def write(self, stratum: Stratum, number: int) -> Attempt:
        attempt = await super().write(stratum, number)
        assert attempt.draft is not None
        return replace(attempt, draft=replace(attempt.draft, type=stratum.type))


@pytest.mark.parametrize("doubles", [2, 0])
def test_what_a_step_wrote_beyond_a_quota_fills_only_what_no_later_step_can(doubles):
    plan = {Stratum("pumps", "single_hop"): 2, Stratum("pumps", "double"): 2}
    config = GenerationConfig(size=4, types=["single_hop", "double"], steps=2)
    fill = Fill(plan, config, INDEX, AskedQuestions(), settled=lambda: None)
    asyncio.run(fill.run(TypedWriter(doubles)))
    assert Counter(item.type for item in fill.items) == {
        "single_hop": 4 - doubles,
        **({"double": doubles} if doubles else {}),
    }
    assert [entry.check for entry in fill.rejected] == ["size"] * doubles


def test_rules_write_what_the_budget_of_a_model_leaves():
    with LoopbackServer(responders=FAULTLESS) as server:
        judge = oracle_at(server, limit=Limit(4, budget=Budget(calls=40)))
        golden = generate(documents(30), size=12, types=["single_hop"], judge=judge, fill=True)
    by = Counter(item.created.models["writer"] == "rules" for item in golden)
    assert len(golden) == 12
    assert by[True] > 0
    assert by[False] > 0
    assert "40 calls" in golden.facts["stopped"]


def test_a_model_writes_what_rules_leave():
    docs = [*documents(6), SourceDocument("a.txt", "Ada Byron designed the Harwell pump in 1843.")]
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
