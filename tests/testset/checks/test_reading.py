"""A model reads passages under their titles and headings, few at a time, and each once."""

from typing import Any

import pytest

from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request
from tests.scripted import asked_of
from tests.testset.checks.examples import BUILT, YARD, ferry_draft, index_of, reader_of, verdicts
from testset import SourceDocument, Writer
from testset.checks import alternative_gold
from testset.checks.reading import AT_ONCE, PassageReader
from testset.requests.alternatives import Alternative, Alternatives, AlternativesOf
from testset.requests.question import Turn

MANY = index_of(*(SourceDocument(f"{n}.md", f"# Boat {n}\n\nIt sails.") for n in range(20)))
NO = Alternative(verdict="no")
ALL = tuple(range(20))


class PendingOracle(Oracle):
    """Has no reply yet, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def answers(self, request: type[Request[Any]]) -> bool:
        return True

    def fingerprint(self, request: type[Request[Any]]) -> str:
        return ""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked.append(request)
        raise PendingError("no reply yet")


async def test_a_model_reads_eight_passages_at_a_time():
    replies = (Alternatives(verdicts=(NO,) * count) for count in (8, 8, 4))
    reader, model = reader_of(*replies, index=MANY)
    read = await reader.read(ferry_draft(), ALL)
    asked = asked_of(model.oracle, AlternativesOf)
    assert ([len(request.passages) for request in asked], len(read)) == ([AT_ONCE, 8, 4], 20)


async def test_what_was_read_for_a_question_is_not_sent_again():
    reader, model = reader_of(verdicts("no", "same"), verdicts("no"), index=MANY)
    await reader.read(ferry_draft(), [0, 1])
    read = await reader.read(ferry_draft(), [1, 2, 0])
    assert [read[number].verdict for number in (1, 2, 0)] == ["same", "no", "no"]
    asked = asked_of(model.oracle, AlternativesOf)
    assert [len(request.passages) for request in asked] == [2, 1]


async def test_what_is_pending_is_not_asked_for_again():
    oracle = PendingOracle()
    reader = PassageReader(MANY, Writer(oracle))
    for numbers in (ALL, [0, 1]):
        with pytest.raises(PendingError):
            await reader.read(ferry_draft(), numbers)
    assert len(oracle.asked) == 3


def test_a_passage_is_shown_below_its_title_and_headings():
    document = SourceDocument("lamp.md", "# Lamp\n\n## Battery\n\nIt lasts.", title="Manual")
    passages = index_of(document).passages
    assert [*passages][-1].shown.startswith("[Manual / Lamp / Battery]\n")


async def test_the_neighbours_of_the_evidence_are_read_and_the_conversation_with_them():
    text = "# Orla\n\n## Yard\n\nIt was built at Brevik.\n\n## Crew\n\nNobody is aboard at night."
    document = SourceDocument("orla.md", text)
    index = index_of(document, YARD)
    turns = (Turn(question="Which ferry is it?", answer="The Orla."),)
    place = text.index(BUILT.quote)
    gold = BUILT.cut("orla.md", document.hash, text, place, place + len(BUILT.quote))
    reader, model = reader_of(verdicts("no", "no"), index=index)
    draft = ferry_draft("And where was it made?", "At Brevik.", gold=((gold,),), turns=turns)
    await alternative_gold.by_model(draft, index, reader)
    (asked,) = asked_of(model.oracle, AlternativesOf)
    assert any("Nobody is aboard" in passage for passage in asked.passages)
    assert asked.history == turns
