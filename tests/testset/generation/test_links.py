"""Passages are linked by reference, heading, words, names and sequence."""

from testset import SourceDocument
from testset.corpus.index import CorpusIndex
from testset.generation.links import Links

TEXTS = {
    "ferry.md": "# Ferry\n\nThe Orla ferry came from Brevik.\n\n## Fares\n\nAdults pay 40.\n",
    "tram.md": "# Tram\n\nTrams run to the hill.\n\n## Fares\n\nOn a tram, children ride free.\n",
    "yard.md": "# Brevik yard\n\nIn Brevik there was a yard.\n",
    "cats.md": "# Cats\n\nCats purr at night.\n",
    "rules.md": "# Rules\n\nFor pets see Cats; no dogs.\n",
}


def linked(heading: str, document: str, *, count: int = 9) -> list[tuple[str, str]]:
    """Return document and heading of what is linked with the passage under a heading."""
    index = CorpusIndex.of([SourceDocument(name, text) for name, text in TEXTS.items()])
    places = [(entry.document.doc_id, entry.headings[-1]) for entry in index.passages]
    found = Links(index).of(places.index((document, heading)), count=count)
    return [places[number] for number in found]


def test_a_name_links_passages_of_two_documents():
    assert ("yard.md", "Brevik yard") in linked("Ferry", "ferry.md")


def test_the_same_heading_links_what_can_be_compared():
    assert ("tram.md", "Fares") in linked("Fares", "ferry.md")


def test_a_passage_that_names_a_heading_is_linked_with_it():
    assert linked("Cats", "cats.md", count=1) == [("rules.md", "Rules")]


def test_what_follows_in_a_document_is_linked_and_nothing_with_itself():
    found = linked("Ferry", "ferry.md")
    assert ("ferry.md", "Fares") in found
    assert ("ferry.md", "Ferry") not in found
    assert ("cats.md", "Cats") not in linked("Fares", "tram.md")


def test_passages_of_one_section_are_not_linked():
    section = "Orla ferries sail. " * 90
    text = f"# Harbour\n\n## Ferries\n\n{section}\n\n{section.replace('sail', 'wait')}\n"
    index = CorpusIndex.of([SourceDocument("harbour.md", text)])
    assert {entry.headings for entry in index.passages} == {("Harbour", "Ferries")}
    assert Links(index).of(0, count=9) == ()


def test_elsewhere_is_another_document():
    index = CorpusIndex.of([SourceDocument(name, text) for name, text in TEXTS.items()])
    for number, passage in enumerate(index.passages):
        for other in Links(index).elsewhere(number):
            assert index.passages[other].document.doc_id != passage.document.doc_id


def test_elsewhere_is_found_beyond_the_many_passages_of_its_own_document():
    sections = "".join(f"## Part {n}\n\nIt has {n} of Orla.\n\n" for n in range(30))
    texts = {"long.md": f"# Orla ferry\n\n{sections}", "other.md": "# News\n\nOrla sails.\n"}
    index = CorpusIndex.of([SourceDocument(name, text) for name, text in texts.items()])
    assert Links(index).elsewhere(0) == (len(index.passages) - 1,)
