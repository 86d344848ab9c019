"""Before the user waits, it is said what rules can write."""

import pytest

from testset import Corpus, SourceDocument
from testset.generation.forecast import forecast

ASKS = "# Fares\n\nThe fares of the ferry are the same on all days of the year for you.\n\n"
SHIFTS = "## Is there a ferry at night?\n\nNo. The last ferry of the day leaves at nine.\n"
ENGLISH = SourceDocument("en.md", ASKS + SHIFTS)
POLISH = SourceDocument("pl.md", "# Ceny\n\nBasen jest czynny w dni powszednie.\n")


def test_what_is_written_is_counted_and_languages_without_a_table_are_named():
    found = forecast(Corpus((ENGLISH, POLISH)), size=20)
    assert (found.form, found.sentences, found.unknown) == (1, 0, ("pl.md",))
    assert str(found).startswith("about 1 of 20 questions: 1 from labels, tables, lists, ")
    assert str(found).endswith("language of pl.md: only what stands there can be asked")


def test_what_was_not_read_counts_as_what_was_up_to_the_size():
    rain = "\n\n" + "It rains. " * 600
    many = tuple(
        SourceDocument(
            f"{n:03}.md", f"# Ferry {n}\n{rain}\n\n{SHIFTS}".replace("at night", f"to port {n:03}")
        )
        for n in range(60)
    )
    # All documents have the same length, one question each, of which 85 % pass the checks.
    assert abs(forecast(Corpus(many), size=100).form - 60 * 0.85) <= 2
    assert forecast(Corpus(many), size=20).form == 20
    assert forecast(Corpus(many), size=20, types=["multi_hop"]).form == 0


def test_no_language_is_missing_where_there_is_a_table_for_each():
    assert "table of the language" not in str(forecast(Corpus((ENGLISH,)), size=5))


def test_documents_of_which_rules_can_ask_nothing_are_said_to_be_so():
    prose = SourceDocument(
        "rain.md", "It rained, and nobody wanted to leave the room. She waited.\n"
    )
    expected = "nothing about these documents; an LLM may (--llm)"
    assert str(forecast(Corpus((prose,)), size=5)) == expected


def test_of_a_long_document_parts_from_its_beginning_to_its_end_are_read(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("testset.generation.forecast.LONGEST", 150_000)
    title, rain = "# Ferries\n\n", "It rains. " * 40 + "\n\n"
    ports = f"## Is there a ferry to port {{n}}?\n\nNo. The last ferry leaves at nine.\n\n{rain}"
    harbour = "".join(ports.format(n=n) for n in range(600))  # 0.3 million characters
    before, behind = (
        Corpus((SourceDocument("a.md", title + text),))
        for text in (harbour + rain * 600, rain * 600 + harbour)
    )
    assert forecast(before, size=5_000).form > 150
    assert abs(forecast(before, size=5_000).form / forecast(behind, size=5_000).form - 1) < 0.25
