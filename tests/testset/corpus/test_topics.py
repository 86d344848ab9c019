"""Documents of one subject share a topic."""

from testset import SourceDocument
from testset.corpus.topics import topics_of


def test_documents_of_one_subject_share_a_topic():
    vents = [
        SourceDocument(f"v{n}", f"Roof vents open and close. Vents need grease, note {n}.")
        for n in (1, 2)
    ]
    tax = SourceDocument("t", "The quarterly turnover tax is due in January; invoices follow.")
    topics = topics_of([*vents, tax])
    assert topics["v1"] == topics["v2"] != topics["t"]
