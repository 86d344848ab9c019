"""Documents of one subject share a topic."""

from testset import SourceDocument
from testset.corpus.digest import digest_of
from testset.corpus.topics import topics_of


def test_documents_of_one_subject_share_a_topic():
    vents = [
        SourceDocument(f"v{n}", f"Roof vents open and close. Vents need grease, note {n}.")
        for n in (1, 2)
    ]
    tax = SourceDocument("t", "The quarterly turnover tax is due in January; invoices follow.")
    topics = topics_of([*vents, tax], digest_of([*vents, tax]))
    assert topics["v1"] == topics["v2"] != topics["t"]


def test_a_topic_is_named_after_its_most_typical_words():
    one = SourceDocument("a", "Boilers boilers boilers need water, and pressure valves.")
    two = SourceDocument("b", "Invoices are paid monthly; invoices without tax are returned.")
    topics = topics_of([one, two], digest_of([one, two]))
    assert topics["a"].split(" · ")[0] == "boilers"
    assert topics["b"].split(" · ")[0] == "invoices"
