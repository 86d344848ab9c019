"""Which candidates of the rules become items."""

from collections import Counter

from tests.testset.corpora import documents, table_of
from testset import Corpus, SourceDocument, generate


def corpus() -> Corpus:
    return Corpus(tuple(documents(10, sheets=True)))


def test_one_wording_has_a_tenth_of_a_set_and_the_set_is_rather_too_short():
    golden = generate(documents(40, sheets=True), size=40)
    rules = Counter(item.created.models["rule"] for item in golden)
    assert set(rules.values()) == {4}
    assert any("a tenth of a set has one wording" in cell.reason for cell in golden.shortfall)


def test_a_fifth_of_a_set_is_about_one_document_where_there_are_five():
    page = SourceDocument("pumps.md", table_of("pumps", "Length", "Depth", "Height"))
    about = Counter(
        item.doc_ids[0] for item in generate([page, *documents(5, sheets=True)], size=20)
    )
    assert about["pumps.md"] == 4
    assert len(generate([page], size=6)) == 6


def test_the_set_never_holds_more_than_was_asked_for():
    assert [len(generate(corpus(), size=size)) for size in (1, 2, 3)] == [1, 2, 3]


def test_rules_write_no_unanswerable_question_and_say_so():
    golden = generate(corpus(), size=2, types=["unanswerable"])
    assert len(golden) == 0
    assert "an LLM can" in golden.shortfall[0].reason


def test_rules_say_that_they_ask_in_the_language_of_a_document_only():
    golden = generate(corpus(), size=2, language="de")
    assert len(golden) == 0
    reasons = {cell.reason for cell in golden.shortfall}
    assert len(reasons) == 1
    assert "in its own language only" in reasons.pop()


def test_a_short_set_says_why_a_document_has_no_question_and_what_rules_cannot_write():
    plain = SourceDocument("plain.md", "# Sky\n\nBlue, it seems to me, and rather high up.\n")
    foreign = SourceDocument("el.md", "# Ουρανός\n\nΟ ουρανός είναι γαλανός και ψηλός σήμερα.\n")
    golden = generate([plain, foreign], size=3)
    assert golden.facts["nothing asked, no table or label that rules can ask about"] == "plain.md"
    assert golden.facts["nothing asked, in a language that rules do not know"] == "el.md"
    (cell, *_) = generate([plain], size=1, types=["reasoning"]).shortfall
    assert cell.reason == "rules cannot write reasoning questions; an LLM can (--llm)"
