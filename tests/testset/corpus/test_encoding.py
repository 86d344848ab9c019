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
HUNGARIAN = "Az árvíztűrő tükörfúrógép súlya negyven kilogramm, és tizenkét zónája van."
TURKISH = "Pompanın ağırlığı kırk kilogramdır; şişmiş üç vananın yeri değişti."
GREEK = "Η αντλία ζυγίζει σαράντα κιλά και έχει δώδεκα ζώνες."
RUSSIAN = "Насос весит сорок килограммов и имеет двенадцать зон."


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (GERMAN, "utf-8 utf-8-sig utf-16 utf-32 utf-16-le utf-16-be latin-1 cp1252"),
        (FRENCH, "utf-8 utf-16-le"),
        (POLISH, "utf-8 utf-8-sig cp1250"),
        (f"{GERMAN} – „sofort“", "cp1252"),
        (JAPANESE, "utf-8 utf-16 utf-16-le utf-16-be shift-jis cp932 euc-jp"),
        (
            "# ポンプ\n\nポンプ、タンク、バルブ、ケーブルの一覧です。\n\n- ポンプ\n- タンク\n",
            "euc-jp",
        ),
        (CHINESE, "utf-8 utf-16-le utf-16-be gb18030 gbk"),
        (f"{RUSSIAN} {RUSSIAN.upper()}", "utf-8 utf-16-le koi8-r"),
        ("Déjà vu", "utf-8"),
    ],
)
def test_a_text_is_the_same_in_every_encoding(text, encodings):
    for encoding in encodings.split():
        assert decode(text.encode(encoding)) == text, encoding


def test_an_encoding_that_cannot_be_told_is_refused_with_those_it_may_be():
    with pytest.raises(DocumentError, match=r"may be in .*'cp1250'.*; save it as UTF-8, or name"):
        decode(FRENCH.encode("cp1252"))


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (POLISH, "cp1250 iso-8859-2"),
        (CZECH, "cp1250 iso-8859-2"),
        (HUNGARIAN, "cp1250 iso-8859-2"),
        (TURKISH, "cp1254 iso-8859-9"),
        (FRENCH, "cp1252 latin-1"),
        (RUSSIAN, "cp1251 koi8-r iso-8859-5 cp866"),
        (GREEK, "cp1253 iso-8859-7"),
        (GERMAN, "cp1252 cp1250 cp1254 cp1257"),
    ],
)
@pytest.mark.parametrize("words", [2, 6, 60])
def test_no_text_in_a_code_page_is_taken_for_another(text: str, encodings: str, words: int):
    for encoding in encodings.split():
        part = " ".join((f"{text} " * 9).split()[:words])
        try:
            found = decode(part.encode(encoding))
        except DocumentError as refused:
            assert "--encoding" in str(refused)  # noqa: PT017 - one of the two
        else:
            assert found == part, encoding
        assert decode(part.encode(encoding), encoding) == part
        assert decode(part.encode(), encoding) == part


def test_a_page_of_html_is_read_in_the_encoding_that_it_declares(tmp_path):
    for name in ("iso-8859-2", "windows-1250", "utf-8"):
        page = f'<html><head><meta charset="{name}"></head><body><p>{CZECH}</p></body></html>'
        (tmp_path / f"{name}.html").write_bytes(page.encode(name))
    assert {entry.text.strip() for entry in Corpus.read(tmp_path).documents} == {CZECH}
    assert declared_encoding(b'<meta charset="nonsense">') is None


def test_a_folder_is_read_in_a_named_encoding_and_else_the_file_is_named(tmp_path):
    (tmp_path / "old.txt").write_bytes(FRENCH.encode("cp1252"))
    (tmp_path / "new.txt").write_text(POLISH, encoding="utf-8")
    guessed = Corpus.of(tmp_path)
    assert list(guessed.texts) == ["new.txt"]
    assert guessed.skipped[0].path == "old.txt"
    assert "may be in 'cp1250', 'cp1252' or 'cp1257'; save it" in guessed.skipped[0].reason
    PreparedCorpus.of(guessed)  # what was refused is in the index
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


def test_utf8_with_a_fault_is_refused_and_not_taken_for_another_encoding():
    damaged = JAPANESE.encode()[:60] + b"\xff" + JAPANESE.encode()[60:]
    with pytest.raises(DocumentError, match="is UTF-8 with a fault at byte 60"):
        decode(damaged)


@pytest.mark.parametrize("zeros", [True, False])
def test_bytes_that_are_no_text_are_refused(zeros):
    rng = random.Random(3)
    drawn = bytes(rng.randrange(0 if zeros else 1, 256) for _ in range(4000))
    with pytest.raises(DocumentError, match=r"is not text|unknown encoding|may be in"):
        decode(drawn)
