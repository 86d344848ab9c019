"""Before the user waits, it is said what rules can write."""

import pytest

from tests.testset.corpora import table_of
from testset import Corpus, SourceDocument
from testset.generation.forecast import forecast

ENGLISH = SourceDocument("en.md", table_of("ferries", "Weight"))
POLISH = SourceDocument("pl.md", "# Ceny\n\nBasen jest czynny w dni powszednie.\n")


def test_what_is_written_is_counted_and_languages_without_a_table_are_named():
    found = forecast(Corpus((ENGLISH, POLISH)), size=20)
    assert (found.written, found.unknown) == (3, ("pl.md",))
    assert str(found).startswith("about 3 of 20 questions, from labels and tables; an LLM")
    assert str(found).endswith("rules do not know the language of pl.md")


def test_what_was_not_read_counts_as_what_was_up_to_the_size():
    rain = "It rains. " * 1_000
    many = tuple(
        SourceDocument(
            f"{n:03}.md",
            f"# Ferry {n}\n\nThe weight is known, and the length, of the ferry {n} to the port.\n\n"
            f"Weight: {n + 20} t\n\nLength: {n + 30} m\n\n{rain}",
        )
        for n in range(100)
    )
    # Of two attributes, each has a tenth of the set at most, of which 85 % pass the checks.
    assert abs(forecast(Corpus(many), size=300).written - 60) <= 9
    assert forecast(Corpus(many), size=20).written <= 8
    assert forecast(Corpus(many), size=20, types=["multi_hop"]).written == 0


def test_no_language_is_missing_where_there_is_a_table_for_each():
    assert "know the language" not in str(forecast(Corpus((ENGLISH,)), size=5))


def test_documents_of_which_rules_can_ask_nothing_are_said_to_be_so():
    prose = SourceDocument(
        "rain.md", "It rained, and nobody wanted to leave the room. She waited.\n"
    )
    expected = (
        "nothing about these documents; take an LLM (--llm), or bring questions (golden import)"
    )
    assert str(forecast(Corpus((prose,)), size=5)) == expected


def test_of_a_long_document_parts_from_its_beginning_to_its_end_are_read(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("testset.generation.forecast.LONGEST", 150_000)
    title, rain = "# Ports\n\nIt is for you. Mind the depth.\n\n", "It rains. " * 25 + "\n\n"
    ports = f"## Harvat {{n}}\n\nDepth: {{n}} m\n\n{rain}"
    harbour = "".join(ports.format(n=n) for n in range(20, 620))  # 0.2 million characters
    before, behind = (
        Corpus((SourceDocument("a.md", title + text),))
        for text in (harbour + rain * 600, rain * 600 + harbour)
    )
    written = [forecast(corpus, size=5_000).written for corpus in (before, behind)]
    assert written[0] > 150
    assert abs(written[0] / written[1] - 1) < 0.25
