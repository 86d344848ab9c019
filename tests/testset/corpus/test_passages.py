"""Passages keep lists, tables and code whole, know their setting, and lie at exact offsets."""

import pytest
from hypothesis import given, settings

from tests.testset.corpus.test_chunks import REPEATED
from tests.testset.corpus.test_plain import ENDINGS, MIXED
from testset import SourceDocument
from testset.corpus.passages import CJK, LONGEST_GROUP, PASSAGE_SIZE, passages_of


@settings(max_examples=60, deadline=None)
@given(REPEATED)
def test_sentences_of_passages_lie_at_their_offsets(text):
    for passage in passages_of(SourceDocument("d", text)):
        for sentence in passage.sentences:
            raw = text[sentence.start : sentence.end]
            assert raw.split() == sentence.text.split()


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=40, deadline=None)
@given(MIXED)
def test_passages_hold_each_block_once_and_lie_inside_the_text(ending, text):
    document = SourceDocument(f"d.{ending}", text)
    found = passages_of(document)
    wanted = [b for b in document.blocks if b.kind not in {"heading", "title", "front_matter"}]
    assert [block for passage in found for block in passage.blocks] == wanted
    assert all(0 <= p.start < p.end <= len(text) for p in found)


def test_a_table_is_shown_with_its_header_and_a_list_with_its_lead():
    table = "| Lamp | Range |\n|---|---|\n| Lume | 12 m |\n"
    text = f"# Lamps\n\nYou need:\n\n- a key\n- a cell\n\n{table}"
    (passage,) = passages_of(SourceDocument("a.md", text))
    assert passage.text == "You need:\n\n- a key\n- a cell\n\nLamp | Range\nLume | 12 m"
    assert passage.shown.startswith("[Lamps]\nYou need:")


def test_a_list_is_not_cut_in_the_middle():
    items = "".join(f"- item {n} {'word ' * 20}\n" for n in range(20))
    before = "A sentence stands here. " * 40
    first, second = passages_of(SourceDocument("a.md", f"{before}\n\nYou need:\n\n{items}"))
    assert "You need:" not in first.text
    assert second.text.startswith("You need:\n\n- item 0")
    assert PASSAGE_SIZE < len(second.text) < LONGEST_GROUP * PASSAGE_SIZE


def test_a_long_table_becomes_passages_with_the_header_each():
    rows = "".join(f"| L{n} | {'w' * 40} |\n" for n in range(200))
    text = f"# Lamps\n\nTable: All lamps.\n\n| Lamp | Range |\n|---|---|\n{rows}"
    passages = passages_of(SourceDocument("a.md", text))
    assert len(passages) > 5
    for passage in passages[1:]:
        assert passage.text.startswith("Lamp | Range\nL")
        assert len(passage.text) < LONGEST_GROUP * PASSAGE_SIZE
    assert sum(passage.text.count("\nL") for passage in passages) >= 200


def test_code_has_the_language_of_its_document_and_names_its_own():
    text = "Open the valve and then close it with the lever.\n\n# Code\n\n```python\nx = 1\n```\n"
    _, code = passages_of(SourceDocument("a.md", text))
    assert code.text == "```python\nx = 1\n```"
    assert code.language == "en"


def test_a_long_paragraph_is_cut_at_sentences():
    text = "A sentence stands here. " * 400
    passages = passages_of(SourceDocument("a.txt", text))
    assert len(passages) > 5
    assert all(p.text.endswith("here.") for p in passages)


ROWS = [(f"L{n}", f"{'w' * 40}{n}") for n in range(220)]
TABLES = {
    "md": "| Lamp | Range |\n|---|---|\n" + "".join(f"| {a} | {b} |\n" for a, b in ROWS),
    "html": "<table><tr><th>Lamp</th><th>Range</th></tr>"
    + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>\n" for a, b in ROWS)
    + "</table>",
    "rst": "===== " + "=" * 50 + "\nLamp  Range\n===== " + "=" * 50 + "\n"
    + "".join(f"{a:5} {b}\n" for a, b in ROWS) + "===== " + "=" * 50 + "\n",
    "adoc": "|===\n|Lamp |Range\n\n" + "".join(f"|{a} |{b}\n" for a, b in ROWS) + "|===\n",
    "csv": "Lamp,Range\n" + "".join(f"{a},{b}\n" for a, b in ROWS),
    "txt": "| Lamp | Range |\n|---|---|\n" + "".join(f"| {a} | {b} |\n" for a, b in ROWS),
}  # fmt: skip


@pytest.mark.parametrize("ending", TABLES)
def test_a_table_of_eleven_thousand_characters_is_never_cut_within_a_row(ending):
    document = SourceDocument(f"a.{ending}", TABLES[ending])
    passages = passages_of(document)
    assert len(document.view.text) > 11_000
    assert len(passages) > 5
    for passage in passages:
        header, *rows = passage.text.split("\n")
        assert header == "Lamp | Range"
        assert all(tuple(row.split(" | ")) in ROWS for row in rows)
        assert len(passage.text) < LONGEST_GROUP * PASSAGE_SIZE
    assert sum(len(passage.blocks) for passage in passages) >= len(ROWS)


def test_code_and_names_alone_have_the_language_of_their_document():
    prose = "Öffnen Sie das Ventil und schließen Sie es danach mit dem Hebel.\n\n" * 9
    code = "```sh\n" + "the server of a host is not in the list and it was\n" * 9 + "```\n"
    names = "".join(f"- ABC-{n} XYZ_{n} QRS/{n}\n" for n in range(40))
    passages = passages_of(SourceDocument("a.md", f"{prose}# Code\n\n{code}\n# Namen\n\n{names}"))
    assert [passage.language for passage in passages] == ["de"] * 3


def test_a_passage_of_japanese_says_about_as_much_as_any_other():
    text = "はしけの扉は出発の前に調べられます。" * 200
    passages = passages_of(SourceDocument("a.txt", text))
    assert all(p.text.endswith("ます。") for p in passages)
    lengths = [len(passage.text) for passage in passages]
    assert min(lengths[:-1]) > PASSAGE_SIZE // 4
    assert max(lengths) <= PASSAGE_SIZE // CJK
