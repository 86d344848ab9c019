"""Two golden items under review, and their document."""

from pathlib import Path

from llamaindex_rag_eval.data.sample import Fact
from testset import Check, GoldenItem, GoldenSet, GoldSpan

TEXT = "The VT-240 has twelve zones. It weighs 40 kg."


def span(quote: str, text: str = TEXT) -> GoldSpan:
    start = text.index(quote)
    return GoldSpan.cut("pump.md", "", text, start, start + len(quote))


ITEMS = (
    GoldenItem(
        id="a",
        question="How many zones?",
        reference="Twelve",
        reference_facts=(Fact(text="It has twelve zones."),),
        gold=((span("twelve zones"),),),
        checks={"closed_book": Check(verdict="tagged"), "lint": Check(verdict="passed")},
    ),
    GoldenItem(id="b", question="How heavy?", reference="40 kg", gold=((span("40 kg"),),)),
)


def states(path: Path) -> list[tuple[str, str]]:
    """Return the ids and states of the items in a file."""
    return [(item.id, item.status) for item in GoldenSet.read(path)]
