"""A small golden set and its documents, to write in the formats of other tools."""

from llamaindex_rag_eval.data.sample import Message
from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, HardNegative, SourceDocument
from testset.golden.spans import cut_span

PUMP = SourceDocument("pump parts.md", "The VT-240 has twelve zones.\n\nIt weighs 40 kg.", "Pumps")
VENT = SourceDocument("vent.md", 'Vents are "red", and cost 3 €.\nVents, blue or not, open at 9.')
CORPUS = Corpus((PUMP, VENT))


def span(document: SourceDocument, quote: str) -> GoldSpan:
    start = document.text.index(quote)
    return cut_span(document, start, start + len(quote))


ZONES, WEIGHT = span(PUMP, "twelve zones"), span(PUMP, "It weighs 40 kg.")
HOUR = span(VENT, "open at 9")
ITEMS = (
    GoldenItem(id="a1", question="How many zones?", reference="Twelve", gold=((ZONES,),)),
    GoldenItem(
        id="b2",
        question="And its weight, and when do vents open?\n",
        reference="40 kg, at 9",
        type="conversational",
        gold=((WEIGHT, ZONES), (HOUR,)),
        turns=(Message(role="user", content="A VT?"), Message(role="assistant", content="Yes")),
        topic="=pumps",
        difficulty="hard",
        difficulty_by="shop:retriever",
        hard_negatives=(
            HardNegative(doc_id="vent.md", start=0, end=13, quote=VENT.text[:13], found_by="BM25"),
        ),
        split="test",
    ),
    GoldenItem(id="c3", question="Who?", reference="Unknown", type="unanswerable",
               expected_behaviour="refuse"),
)  # fmt: skip
GOLDEN = GoldenSet(ITEMS, size=3)
