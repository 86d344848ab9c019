"""A PDF becomes headings, whole paragraphs, items and code."""

from pathlib import Path

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from testset import Corpus
from testset.corpus.markup.pdf import pdf_as_markdown

FONTS = {"plain": "Helvetica", "bold": "Helvetica-Bold", "code": "Courier"}
Line = tuple[str, int, int, str]
"""Font, size, distance to the line above, text."""


def written(path: Path, *pages: list[Line]) -> Path:
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
        for font, size, gap, text in lines:
            height -= gap
            left = 60 + 6 * (len(text) - len(text.lstrip())) if font == "code" else 60
            words = text.strip().replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            shown.append(f"BT /{font} {size} Tf {left} {height} Td ({words}) Tj ET")
        stream = DecodedStreamObject()
        stream.set_data("\n".join(shown).encode("latin-1"))
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
    assert pdf_as_markdown(path) == (
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
    assert pdf_as_markdown(path) == f"Say:\n\n{code}\n\n- Wait, and look.\n\n1. Go.\n"


def test_what_stands_on_every_page_is_left_out_and_a_paragraph_goes_on_over_pages(tmp_path):
    said = ("Open both vents of", "the house in the east, and", "wait.")
    pages = [
        [("plain", 8, 10, f"Vents {n} of 3"), *text(each), ("plain", 8, 40, str(n))]
        for n, each in enumerate(said, 1)
    ]
    pages[0][1:1] = text("1.1 Doors . . . . . . . . 4", "1.2 Windows .......... 9")
    path = written(tmp_path / "a.pdf", *pages)
    assert pdf_as_markdown(path) == "Open both vents of the house in the east, and wait.\n"


def test_an_encrypted_pdf_is_refused_by_name(tmp_path):
    writer = PdfWriter(clone_from=written(tmp_path / "a.pdf", text("Secret.")))
    writer.encrypt("password", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    corpus = Corpus.read(tmp_path)
    assert [document.doc_id for document in corpus.documents] == ["a.pdf"]
    assert corpus.skipped[0].path == "locked.pdf"
    assert "not been decrypted" in corpus.skipped[0].reason
