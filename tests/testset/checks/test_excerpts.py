"""An excerpt holds what of a passage may bear on a question, under its headings."""

from tests.testset.checks.examples import index_of
from testset import SourceDocument
from testset.checks.excerpts import LENGTH, excerpt

FILLER = " ".join(f"The harbour of Brevik has {n} cranes and a long pier." for n in range(10, 22))
LONG = SourceDocument(
    "orla.md", f"# Orla\n\n{FILLER} The ferry was painted in May. It carries 120 people. {FILLER}"
)
ROWS = "\n".join(f"| Boat {n} | {n} knots | a note on boat {n} |" for n in range(10, 40))
TABLE = SourceDocument("boats.md", f"# Boats\n\n| Name | Speed | Note |\n|---|---|---|\n{ROWS}\n")


def test_a_short_passage_is_shown_whole():
    index = index_of(SourceDocument("a.md", "# Orla\n\nIt sails. It stops."))
    assert excerpt(index.passages[0], "sails?", index) == "[Orla]\nIt sails. It stops."


def test_sentences_that_share_words_are_shown_with_the_one_before_them():
    index = index_of(LONG)
    passage = next(p for p in index.passages if "120 people" in p.text)
    shown = excerpt(passage, "How many people does it carry?", index)
    lines = shown.split("\n")
    place = lines.index("It carries 120 people.")
    assert lines[0] == "[Orla]"
    assert lines[place - 1] == "The ferry was painted in May."
    assert "…" in lines
    assert len(shown) < LENGTH + 100 < len(passage.text)


def test_a_row_is_shown_below_the_header_of_its_table():
    index = index_of(TABLE)
    passage = next(p for p in index.passages if "Boat 31" in p.text)
    lines = excerpt(passage, "How fast is Boat 31?", index).split("\n")
    row = lines.index("Boat 31 | 31 knots | a note on boat 31")
    header = lines.index("Name | Speed | Note")
    assert header < row
    assert lines.count("Name | Speed | Note") == 1
