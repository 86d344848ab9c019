"""Which candidates of the rules become items."""

from collections import Counter

from testset import Corpus, SourceDocument, generate

TOWNS = ("Ely", "Lynn", "March", "Soham", "Wells", "Diss", "Holt", "Eye", "Ware", "Rye")
FACTS = (
    "# {0} Hall\n\n{0} Hall is a concert house in the fens. "
    "The {0} Bridge was opened in {1} by the mayor of the town."
)
PARTS = ("valve", "door", "hatch", "gate", "vent", "lid")


def corpus() -> Corpus:
    texts = enumerate(FACTS.format(town, 1900 + n) for n, town in enumerate(TOWNS))
    return Corpus(tuple(SourceDocument(f"{n}.md", text) for n, text in texts))


def test_one_wording_has_a_tenth_of_a_set_and_the_set_is_rather_too_short():
    towns = [f"{town}{end}" for town in TOWNS for end in ("", "ford", "by", "wick")]
    facts = enumerate(FACTS.format(town, 1900 + n) for n, town in enumerate(towns))
    documents = [SourceDocument(f"{n}.md", text) for n, text in facts]
    golden = generate(documents, size=40)
    rules = Counter(item.created.models["rule"] for item in golden)
    assert rules == {"definition": 4}
    assert any("a tenth of a set has one wording" in cell.reason for cell in golden.shortfall)


def test_a_fifth_of_a_set_is_about_one_document_where_there_are_five():
    ask = "## How do I open the {0} of {1}?\n\nTurn the {0} of {1} to the left, and wait.\n\n"
    texts = ["# FAQ\n\n" + "".join(ask.format(part, "Ely") for part in PARTS)]
    texts += [FACTS.format(town, 1900 + n) for n, town in enumerate(TOWNS[:5])]
    documents = [SourceDocument(f"{n}.md", text) for n, text in enumerate(texts)]
    about = Counter(item.doc_ids[0] for item in generate(documents, size=20))
    assert about["0.md"] == 4
    assert len(generate(documents[:1], size=6)) == 6


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
    assert golden.facts["nothing asked about plain.md"].startswith("no table, label, short form")
    assert golden.facts["nothing asked about el.md"].startswith(
        "in a language that rules cannot tell"
    )
    (cell, *_) = generate([plain], size=1, types=["reasoning"]).shortfall
    assert cell.reason == "rules cannot write reasoning questions; an LLM can (--llm)"
