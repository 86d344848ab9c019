"""Texts that are not UTF-8 are read in their encoding, or refused."""

import random

import pytest

from llamaindex_rag_eval.errors import DocumentError, InputError
from tests.cli.command_line import rag_eval
from testset import Corpus
from testset.corpus.encoding import declared_encoding, decode
from testset.corpus.prepared import PreparedCorpus

GERMAN = "Die Prüfung der Pumpe erfolgt jährlich. Größe und Gewicht stehen auf dem Schild."
FRENCH = "Le café près de la gare a été fermé à cause de la grève. Où êtes-vous ?"
JAPANESE = "この文書はポンプの取扱説明書です。水位が上がると、自動的に運転を始めます。"
CHINESE = "本文件介绍水泵的使用方法。水泵重四十公斤，分为十二个区域。水位上升时自动启动。"
POLISH = "Zażółć gęślą jaźń: pompa waży czterdzieści kilogramów i ma dwanaście stref."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, a čerpadlo váží čtyřicet kilogramů."


TEXTS = (GERMAN, FRENCH, JAPANESE, CHINESE, POLISH)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_as_it_is(text: str, encoding: str):
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (POLISH, "cp1250 iso-8859-2"),
        (FRENCH, "cp1252 latin-1 utf-16-le"),
        (JAPANESE, "shift-jis euc-jp utf-16-be"),
        (CHINESE, "gb18030 gbk"),
    ],
)
def test_another_encoding_is_read_if_it_is_named_and_else_refused(text: str, encodings: str):
    for encoding in encodings.split():
        data = text.encode(encoding)
        assert decode(data, encoding) == text
        assert decode(text.encode(), encoding) == text
        with pytest.raises(DocumentError, match="; save it as UTF-8, or name its encoding"):
            decode(data)


def test_a_page_of_html_is_read_in_the_encoding_that_it_declares(tmp_path):
    for name in ("iso-8859-2", "windows-1250", "utf-8"):
        page = f'<html><head><meta charset="{name}"></head><body><p>{CZECH}</p></body></html>'
        (tmp_path / f"{name}.html").write_bytes(page.encode(name))
    assert {entry.text.strip() for entry in Corpus.read(tmp_path).documents} == {CZECH}
    assert declared_encoding(b'<meta charset="nonsense">') is None


def test_a_folder_is_read_in_a_named_encoding_and_else_the_file_is_named(tmp_path):
    (tmp_path / "old.txt").write_bytes(FRENCH.encode("cp1252"))
    (tmp_path / "new.txt").write_text(POLISH, encoding="utf-8")
    unnamed = Corpus.of(tmp_path)
    assert list(unnamed.texts) == ["new.txt"]
    assert unnamed.skipped[0].path == "old.txt"
    assert "is not UTF-8 at byte 6; save it" in unnamed.skipped[0].reason
    PreparedCorpus.of(unnamed)  # what was refused is in the index
    named = Corpus.of(tmp_path, encoding="windows-1252")
    assert named.texts == {"new.txt": POLISH, "old.txt": FRENCH}
    done = rag_eval("generate", tmp_path, "--encoding", "cp1252", "-o", tmp_path / "g", "--size", 1)
    assert "old.txt" not in done.output


def test_an_encoding_that_does_not_fit_and_one_that_nobody_knows_are_refused(tmp_path):
    (tmp_path / "old.txt").write_bytes(CZECH.encode("cp1250"))
    with pytest.raises(DocumentError, match=r"old\.txt: is not 'shift_jis' at byte"):
        Corpus.of(tmp_path, encoding="shift-jis")
    for name in ("nonsense", "base64", "rot13"):
        with pytest.raises(InputError, match=f"no encoding of text is called '{name}'"):
            Corpus.of(tmp_path, encoding=name)


def test_utf8_with_a_fault_is_refused():
    damaged = JAPANESE.encode()[:60] + b"\xff" + JAPANESE.encode()[60:]
    with pytest.raises(DocumentError, match="is not UTF-8 at byte 60"):
        decode(damaged)


@pytest.mark.parametrize("zeros", [True, False])
def test_bytes_that_are_no_text_are_refused(zeros):
    rng = random.Random(3)
    drawn = bytes(rng.randrange(0 if zeros else 1, 256) for _ in range(4000))
    with pytest.raises(DocumentError, match="is not text" if zeros else "is not UTF-8"):
        decode(drawn)
