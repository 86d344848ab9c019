"""A model reads passages under their titles and headings, few at a time."""

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    BUILT,
    YARD,
    ferry_draft,
    index_of,
    verdicts,
    writer,
)
from testset import SourceDocument
from testset.checks import alternative_gold
from testset.checks.reading import AT_ONCE, read_passages
from testset.requests.alternatives import Alternative, Alternatives, AlternativesOf
from testset.requests.question import Turn

MANY = index_of(*(SourceDocument(f"{n}.md", f"# Boat {n}\n\nIt sails.") for n in range(20)))
NO = Alternative(verdict="no")
ALL = tuple(range(20))


async def test_a_model_reads_eight_passages_at_a_time():
    reader = writer(*(Alternatives(verdicts=(NO,) * count) for count in (8, 8, 4)))
    read = await read_passages(ferry_draft(), ALL, MANY, reader, until=frozenset({"other"}))
    asked = asked_of(reader.oracle, AlternativesOf)
    assert ([len(request.passages) for request in asked], len(read)) == ([AT_ONCE, 8, 4], 20)


async def test_nothing_is_read_after_what_was_looked_for():
    conflict = Alternative(verdict="other")
    replies = ((NO,) * 8, (*(NO,) * 7, conflict))
    reader = writer(*(Alternatives(verdicts=each) for each in replies))
    read = await read_passages(ferry_draft(), ALL, MANY, reader, until=frozenset({"other"}))
    assert len(read) == 16


def test_a_passage_is_shown_below_its_title_and_headings():
    document = SourceDocument("lamp.md", "# Lamp\n\n## Battery\n\nIt lasts.", title="Manual")
    passages = index_of(document).passages
    assert passages[-1].shown.startswith("[Manual / Lamp / Battery]\n")


async def test_the_neighbours_of_the_evidence_are_read_and_the_conversation_with_them():
    text = "# Orla\n\n## Yard\n\nIt was built at Brevik.\n\n## Crew\n\nNobody is aboard at night."
    document = SourceDocument("orla.md", text)
    index = index_of(document, YARD)
    turns = (Turn(question="Which ferry is it?", answer="The Orla."),)
    place = text.index(BUILT.quote)
    gold = BUILT.cut("orla.md", document.hash, text, place, place + len(BUILT.quote))
    reader = writer(verdicts("no", "no"))
    draft = ferry_draft("And where was it made?", "At Brevik.", gold=((gold,),), turns=turns)
    await alternative_gold.by_model(draft, index, reader)
    (asked,) = asked_of(reader.oracle, AlternativesOf)
    assert any("Nobody is aboard" in passage for passage in asked.passages)
    assert asked.history == turns
