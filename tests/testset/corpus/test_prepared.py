"""A prepared corpus says what it is doing, and parses a large document once."""

from dataclasses import replace

from testset import Corpus, SourceDocument
from testset.corpus.prepared import PreparedCorpus

FERRY = SourceDocument("ferry.md", "# Ferry\n\nThe ferry leaves at nine on all days.\n")


def test_preparing_is_reported_before_the_first_document_is_done():
    reports: list[tuple[str, int, int]] = []
    PreparedCorpus.of(Corpus((FERRY,)), tell=lambda *report: reports.append(report))
    assert reports == [("read", 1, 1), ("plan", 0, 1), ("plan", 1, 1), ("plan", 1, 1)]


def test_copies_of_a_document_are_parsed_once():
    assert replace(FERRY).view is replace(FERRY).view
