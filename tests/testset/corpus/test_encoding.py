"""Texts that are not UTF-8 are read in their encoding, or refused."""

import random

import pytest

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.encoding import decode

GERMAN = "Die Prüfung der Pumpe erfolgt jährlich. Größe und Gewicht stehen auf dem Schild."
FRENCH = "Le café près de la gare a été fermé à cause de la grève. Où êtes-vous ?"
JAPANESE = "この文書はポンプの取扱説明書です。水位が上がると、自動的に運転を始めます。"
CHINESE = "本文件介绍水泵的使用方法。水泵重四十公斤，分为十二个区域。水位上升时自动启动。"
RUSSIAN = "Насос весит сорок килограммов и имеет двенадцать зон."


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        (GERMAN, "utf-8 utf-8-sig utf-16 utf-32 utf-16-le utf-16-be latin-1 cp1252"),
        (FRENCH, "utf-8 utf-16-le latin-1 cp1252"),
        (f"{GERMAN} – „sofort“", "cp1252"),
        (JAPANESE, "utf-8 utf-16 utf-16-le utf-16-be shift-jis cp932 euc-jp"),
        (CHINESE, "utf-8 utf-16-le utf-16-be gb18030 gbk"),
        (RUSSIAN, "utf-8 utf-16-le cp1251 koi8-r"),
        ("Déjà vu", "utf-8 latin-1"),
    ],
)
def test_a_text_is_the_same_in_every_encoding(text, encodings):
    for encoding in encodings.split():
        assert decode(text.encode(encoding)) == text, encoding


def test_an_encoding_that_cannot_be_told_is_refused_with_those_it_may_be():
    with pytest.raises(DocumentError, match=r"may be in .*GB18030.*; save it as UTF-8"):
        decode("北京是中国的首都。".encode("gb18030"))


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
