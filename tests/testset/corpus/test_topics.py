"""Documents of one subject share a topic."""

from testset import SourceDocument
from testset.corpus.digest import digest_of
from testset.corpus.topics import topics_of


def topics(documents: list[SourceDocument]) -> dict[str, str]:
    labels, numbers = topics_of(documents, digest_of(documents))
    return {one.doc_id: labels[n] for one, n in zip(documents, numbers, strict=True)}


def test_documents_of_one_subject_share_a_topic():
    vents = [
        SourceDocument(f"v{n}", f"Roof vents open and close. Vents need grease, note {n}.")
        for n in (1, 2)
    ]
    tax = SourceDocument("t", "The quarterly turnover tax is due in January; invoices follow.")
    found = topics([*vents, tax])
    assert found["v1"] == found["v2"] != found["t"]


def test_a_topic_is_named_after_its_most_typical_words():
    one = SourceDocument("a", "Boilers boilers boilers need water, and pressure valves.")
    two = SourceDocument("b", "Invoices are paid monthly; invoices without tax are returned.")
    found = topics([one, two])
    assert found["a"].split(" · ")[0] == "boilers"
    assert found["b"].split(" · ")[0] == "invoices"


def test_a_topic_without_words_between_blanks_is_named_after_a_heading_or_a_document():
    law = SourceDocument("law.md", "# 未成年人\n\n未成年人不得进入。未成年人的父母应当负责。")
    tax = SourceDocument("tax.md", "纳税人应当申报纳税。税务机关征收税款。")
    assert topics([law, tax]) == {"law.md": "未成年人", "tax.md": "tax.md"}
