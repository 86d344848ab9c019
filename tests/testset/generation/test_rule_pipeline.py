"""Which candidates of the rules become items."""

from testset import Corpus, SourceDocument, generate

TOWNS = ("Ely", "Lynn", "March", "Soham", "Wells", "Diss", "Holt", "Eye", "Ware", "Rye")
FACTS = "{0} Hall is a concert house in the fens. Nora {0} designed the {0} Bridge in {1}."


def corpus() -> Corpus:
    texts = enumerate(FACTS.format(town, 1900 + n) for n, town in enumerate(TOWNS))
    return Corpus(tuple(SourceDocument(f"{n}.txt", text) for n, text in texts))


def test_no_rule_writes_more_than_a_third_while_others_have_good_candidates():
    golden = generate(corpus(), size=9)
    rules = [item.created.models["rule"].removesuffix(".reworded") for item in golden]
    assert len(rules) == 9
    assert max(rules.count(rule) for rule in rules) <= 9 / 3


def test_one_rule_fills_the_set_where_no_other_has_anything():
    deeds = enumerate(
        f"Nora {town} designed the {town} Bridge in 19{n + 10}." for n, town in enumerate(TOWNS)
    )
    documents = [SourceDocument(f"{n}.txt", text) for n, text in deeds]
    golden = generate(documents, size=10)
    assert len(golden) == 10


def test_the_set_never_holds_more_than_was_asked_for():
    assert [len(generate(corpus(), size=size)) for size in (1, 4, 7)] == [1, 4, 7]


def test_rules_write_no_unanswerable_question_and_say_so():
    golden = generate(corpus(), size=2, types=["unanswerable"])
    assert len(golden) == 0
    assert "an LLM may" in golden.shortfall[0].reason


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
    assert golden.facts["nothing asked about plain.md"].startswith("no table, label, list")
    assert golden.facts["nothing asked about el.md"].startswith("no table of its language")
    (cell, *_) = generate([plain], size=1, types=["reasoning"]).shortfall
    assert cell.reason == "rules cannot write reasoning questions; an LLM can (--llm)"
