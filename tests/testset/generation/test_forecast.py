"""Before the user waits, it is said what rules can write."""

from testset import Corpus, SourceDocument
from testset.generation.forecast import forecast

PRICES = "# Fares\n\nThe fares of the ferry are the same on all days of the year for you.\n\n"
ENGLISH = SourceDocument("en.md", f"{PRICES}- Adult: $4.50\n- Child: $2.10\n")
POLISH = SourceDocument("pl.md", "# Ceny\n\nBasen jest czynny.\n\n- Bilet normalny: 18 $\n")


def test_questions_by_form_are_counted_and_languages_without_a_table_named():
    found = forecast(Corpus((ENGLISH, POLISH)))
    assert (found.form, found.unknown) == (3, ("pl.md",))
    assert str(found).startswith("about 3 questions from tables, lists, headings and FAQ; ")
    assert str(found).endswith("language of pl.md: only what stands there can be asked")


def test_what_was_not_read_counts_as_what_was():
    many = tuple(
        SourceDocument(f"{number:03}.md", ENGLISH.text + "\n\n" + "It rains. " * 600)
        for number in range(40)
    )
    # All documents have the same length, 2 questions each.
    assert forecast(Corpus(many)).form == 40 * 2


def test_no_language_is_missing_where_there_is_a_table_for_each():
    assert "table of the language" not in str(forecast(Corpus((ENGLISH,))))


def test_documents_of_which_rules_can_ask_nothing_are_said_to_be_so():
    prose = SourceDocument(
        "rain.md", "It rained, and nobody wanted to leave the room. She waited.\n"
    )
    assert str(forecast(Corpus((prose,)))) == "nothing about these documents; an LLM may (--llm)"
