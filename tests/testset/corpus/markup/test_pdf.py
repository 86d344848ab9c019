"""A PDF becomes headings, whole paragraphs, items and code."""

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from testset import Corpus, generate
from testset.corpus.markup.pdf import pdf_as_markdown

FONTS = {"plain": "Helvetica", "bold": "Helvetica-Bold", "code": "Courier"}
Line = tuple[str, int, int, str]
"""Font, size, distance to the line above, text."""


def written(path: Path, *pages: list[Line] | str) -> Path:
    """Write pages of lines, or of operators of PDF as they are."""
    writer = PdfWriter()
    fonts = {
        NameObject(f"/{name}"): DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject(f"/{font}"),
            }
        )
        for name, font in FONTS.items()
    }
    for lines in pages:
        page = writer.add_blank_page(width=600, height=800)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject(fonts)}
        )
        height, shown = 780, list[str]()
        for font, size, gap, text in () if isinstance(lines, str) else lines:
            height -= gap
            left = 60 + 6 * (len(text) - len(text.lstrip())) if font == "code" else 60
            words = text.strip().replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            shown.append(f"BT /{font} {size} Tf {left} {height} Td ({words}) Tj ET")
        stream = DecodedStreamObject()
        operators = lines if isinstance(lines, str) else "\n".join(shown)
        stream.set_data(operators.encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    return path


def text(*lines: str) -> list[Line]:
    """Return lines of a paragraph."""
    return [("plain", 10, 30 if number == 0 else 12, line) for number, line in enumerate(lines)]


def test_headings_are_told_by_the_size_of_their_letters_and_paragraphs_are_whole(tmp_path):
    path = written(
        tmp_path / "a.pdf",
        [
            ("bold", 24, 20, "Vents"),
            ("bold", 16, 40, "1.1 What to do when a vent of the"),
            ("bold", 16, 19, "east house sticks"),
            *text("Open the main-", "tenance door and wait", "for a well-known sound."),
            *text("Then close it. It is a well-", "known sound: (clack) * 2."),
            ("bold", 10, 30, "Parts"),
            *text("There are two."),
        ],
    )
    assert pdf_as_markdown(path)[0] == (
        "# Vents\n\n## 1.1 What to do when a vent of the east house sticks\n\n"
        "Open the maintenance door and wait for a well-known sound.\n\n"
        "Then close it. It is a well-known sound: (clack) \\* 2.\n\n"
        "### Parts\n\nThere are two.\n"
    )


def test_items_and_code_keep_their_lines(tmp_path):
    path = written(
        tmp_path / "a.pdf",
        [
            *text("Say:"),
            ("code", 10, 20, "# vent --open"),
            ("code", 10, 12, "  vent --lock"),
            *text("- Wait, and", "look."),
            *text("1. Go."),
        ],
    )
    code = "```\n# vent --open\n  vent --lock\n```"
    assert pdf_as_markdown(path)[0] == f"Say:\n\n{code}\n\n- Wait, and look.\n\n1. Go.\n"


def test_what_stands_on_every_page_is_left_out_and_a_paragraph_goes_on_over_pages(tmp_path):
    said = ("Open both vents of", "the house in the east, and", "wait.")
    pages = [
        [("plain", 8, 10, f"Vents {n} of 3"), *text(each), ("plain", 8, 40, str(n))]
        for n, each in enumerate(said, 1)
    ]
    read, left_out = pdf_as_markdown(written(tmp_path / "a.pdf", *pages))
    assert read == "Open both vents of the house in the east, and wait.\n"
    assert left_out.startswith("6 lines that recur at the edge of pages")
    assert "'Vents 1 of 3', '1', 'Vents 2 of 3', ..." in left_out


@pytest.mark.parametrize(
    "numbers", [("1", "2", "3"), ("- 9 -", "- 10 -", "- 11 -"), ("iii", "iv", "v")]
)
def test_numbers_that_count_the_pages_are_left_out(tmp_path, numbers):
    pages = [
        [*text(f"Vent {n * n} is open."), ("plain", 8, 40, n_)] for n, n_ in enumerate(numbers)
    ]
    read, left_out = pdf_as_markdown(written(tmp_path / "a.pdf", *pages))
    assert read == "\n\n".join(f"Vent {n * n} is open." for n in range(len(numbers))) + "\n"
    assert left_out.startswith(f"{len(numbers)} lines")


def test_no_number_of_an_invoice_is_left_out(tmp_path):
    totals = ("1,240.00", "98.50", "1,240.00", "7.00")
    pages = [
        [*text("20 March 2024"), *text("4 pumps"), *text("Total amount due:"), *text(total)]
        for total in totals
    ]
    for number, count in enumerate((1, 2, 4)):
        path = written(tmp_path / f"{number}.pdf", *pages[:count])
        read, _ = pdf_as_markdown(path)
        assert all(total in read for total in totals[:count]), count
    alone, left_out = pdf_as_markdown(tmp_path / "0.pdf")
    assert (alone, left_out) == ("20 March 2024 4 pumps Total amount due: 1,240.00\n", "")


def test_headings_that_count_stay(tmp_path):
    pages = [
        [("bold", 16, 20, f"Step {n}"), *text("Open both vents, and wait.")] for n in (1, 2, 3)
    ]
    read, _ = pdf_as_markdown(written(tmp_path / "a.pdf", *pages))
    assert [f"# Step {n}" in read for n in (1, 2, 3)] == [True] * 3


def test_a_line_with_dots_is_of_the_contents_only_if_a_later_page_has_its_title(tmp_path):
    first = [*text("1.1 Doors . . . . . . . . 2"), *text("Coffee .......... 9")]
    pages = [first, [("bold", 16, 20, "1.1 Doors"), *text("Shut them.")]]
    read, left_out = pdf_as_markdown(written(tmp_path / "a.pdf", *pages))
    assert "Coffee .......... 9" in read
    assert "Doors ." not in read
    assert "'1.1 Doors . . . . . . . . 2'" in left_out


def test_what_is_left_out_of_a_pdf_is_in_the_account(tmp_path):
    said = ("Vent 4 is open.", "Vent 7 weighs 40 kg.", "Vent 9 is shut.")
    pages = [[*text(each), ("plain", 8, 40, f"page {n}")] for n, each in enumerate(said, 1)]
    written(tmp_path / "a.pdf", *pages)
    for corpus in (Corpus.read(tmp_path), Corpus.read(tmp_path)):  # read, and from the index
        (entry,) = corpus.skipped
        assert entry.path == "a.pdf"
        assert entry.reason.startswith("3 lines that recur at the edge of pages")
        golden = generate(corpus, size=1)
        assert golden.skipped == ((entry.path, entry.reason),)


def test_an_encrypted_pdf_is_refused_by_name(tmp_path):
    writer = PdfWriter(clone_from=written(tmp_path / "a.pdf", text("Secret.")))
    writer.encrypt("password", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    corpus = Corpus.read(tmp_path)
    assert [document.doc_id for document in corpus.documents] == ["a.pdf"]
    assert corpus.skipped[0].path == "locked.pdf"
    assert corpus.skipped[0].reason == "is encrypted; save it without a password"


ROWS = [
    ("Model", "Weight", "Flow"),
    ("VT-240", "8.5 kg", "1 240 m3"),
    ("VT-480", "12 kg", "98 452 m3"),
    ("VT-960", "31 kg", "7 m3"),
]
MARKDOWN = "\n".join(f"| {' | '.join(row)} |" for row in ROWS).replace("\n", "\n|---|---|---|\n", 1)


def shown(text: str, x: float, y: float, size: float = 10) -> str:
    return f"BT /plain {size} Tf {x} {y} Td ({text}) Tj ET\n"


def table(rows=ROWS, *, by_column: bool = False, ruled: bool = False) -> str:
    """Return the operators that draw rows."""
    cells = [(x, y, text) for y, row in enumerate(rows) for x, text in enumerate(row)]
    parts = [
        shown(text, 62 + 120 * x, 700 - 20 * y)
        for x, y, text in (sorted(cells) if by_column else cells)
    ]
    if ruled:
        parts += [f"{60 + 120 * x} 635 m {60 + 120 * x} 715 l S" for x in range(4)]
        parts += [f"60 {715 - 20 * y} m 420 {715 - 20 * y} l S" for y in range(5)]
    return "\n".join(parts)


@pytest.mark.parametrize("how", [{}, {"ruled": True}, {"ruled": True, "by_column": True}])
def test_a_table_keeps_its_cells_with_rules_or_without(tmp_path, how):
    above, below = shown("These can be ordered.", 62, 760), shown("All have two doors.", 62, 560)
    path = written(tmp_path / "a.pdf", "\n".join([above, table(**how), below]))
    read, left_out = pdf_as_markdown(path)
    assert read == f"These can be ordered.\n\n{MARKDOWN}\n\nAll have two doors.\n"
    assert left_out == ""


def test_a_text_with_less_letters_than_its_table_in_small_print_is_no_heading(tmp_path):
    small = table(ruled=True).replace("/plain 10 Tf", "/plain 8 Tf")
    above = shown("These can be had.", 62, 760)
    read, _ = pdf_as_markdown(written(tmp_path / "a.pdf", f"{above}\n{small}"))
    assert read == f"These can be had.\n\n{MARKDOWN}\n"


def test_a_table_that_goes_on_names_its_columns_once(tmp_path):
    read, _ = pdf_as_markdown(written(tmp_path / "a.pdf", *[table(ruled=True)] * 3))
    assert read.count("Model") == 1
    assert read.count("| VT-480 | 12 kg | 98 452 m3 |") == 3


def test_a_raised_number_is_no_digit_of_the_one_before(tmp_path):
    drawn = "BT /plain 10 Tf 62 700 Td (It weighs 98.5) Tj /plain 6 Tf 4 Ts (3) Tj ET"
    path = written(tmp_path / "a.pdf", drawn)
    assert pdf_as_markdown(path)[0] == "It weighs 98.5³\n"


def test_what_is_drawn_twice_is_read_once_and_a_gap_of_thousands_is_in_its_number(tmp_path):
    twice = shown("Total", 62, 700) + shown("Total", 62.3, 700)
    # A digit of Helvetica is 5.56 wide at size 10: 98 ends at 111.12, and 452 begins 3 further on.
    number = shown("98", 100, 700) + shown("452", 114.1, 700)
    path = written(tmp_path / "a.pdf", twice + number)
    assert pdf_as_markdown(path)[0] == "Total 98452\n"


def test_what_can_be_read_of_a_pdf_that_is_cut_off_is_read_and_named(tmp_path):
    path = written(tmp_path / "a.pdf", text("Vent 4 is open."), text("Vent 7 is shut."))
    path.write_bytes(path.read_bytes().partition(b"\nxref")[0])
    (document,) = Corpus.read(tmp_path).documents
    assert document.text == "Vent 4 is open.\n\nVent 7 is shut.\n"
    (entry,) = Corpus.read(tmp_path).skipped
    assert entry.reason == "the end of the file, which is missing"
