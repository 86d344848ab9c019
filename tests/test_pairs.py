"""Minimal pairs: as many of each kind, the same each time, and no text on both sides."""

import json
import sys
from collections import Counter, defaultdict

import pytest

from tests import prepared
from tests.benchmarks import document_pairs, pairs, written_pairs
from tests.benchmarks.pairs import HELD_OUT, KINDS, LANGUAGES, SEEN, failures, main, table
from tests.benchmarks.written_pairs import Pair

FEWEST = 16
"""Written pairs of each kind and language."""
LISTED = (
    "import json; from tests.benchmarks.pairs import pairs;"
    "print(json.dumps([[each.kind, each.source, each.right, each.wrong] for each in pairs()]))"
)


@pytest.fixture(scope="module")
def every() -> list[Pair]:
    return pairs.pairs()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_as_many_written_pairs_in_each_language(language: str):
    counts = Counter(pair.kind for pair in written_pairs.written_pairs(language))
    assert counts == dict.fromkeys(KINDS, FEWEST)


def test_the_same_pairs_are_drawn_by_every_process(every):
    here = [[pair.kind, pair.source, pair.right, pair.wrong] for pair in every]
    other = prepared.run([sys.executable, "-c", LISTED], check=True)
    assert json.loads(other.stdout) == here


def test_no_text_is_both_right_and_wrong_about_one_source(every):
    right, wrong = defaultdict(set), defaultdict(set)
    for pair in every:
        right[pair.question, pair.source].add(pair.right)
        wrong[pair.question, pair.source].add(pair.wrong)
    assert [key for key in right if right[key] & wrong[key]] == []


def test_every_text_is_filled(every):
    texts = [
        text for pair in every if pair.origin == "written" for text in (pair.source, pair.right)
    ]
    assert [text for text in texts if "{" in text or not text.strip()] == []


def test_half_of_the_kinds_are_held_out_and_hidden():
    assert set(SEEN) | set(HELD_OUT) == set(KINDS)
    assert not set(SEEN) & set(HELD_OUT)
    results = [(Pair(kind, "en", "A.", "A.", "B."), False, True) for kind in KINDS]
    shown = failures(results, held_out=False)
    assert len(shown) == 2 * len(SEEN)
    assert len(failures(results, held_out=True)) == 2 * len(KINDS)


def test_the_table_counts_what_is_kept_and_what_is_false():
    results = [
        (Pair("number", "en", "A.", "A.", "B."), True, True),
        (Pair("number", "de", "A.", "A.", "B."), True, False),
    ]
    line = next(line for line in table(results).splitlines() if line.startswith("number"))
    # 1 of 2 false, 2 of 2 kept; en 1 of 1, de 0 of 1.
    assert line.split()[1:4] == ["2", "50", "100"]
    assert line.split("100", 1)[1].split()[:6] == ["100", "/", "100", "0", "/", "100"]


def test_only_kinds_that_are_seen_are_asked_about_if_told_so(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pairs", "--kinds", "path,date", "--seen-only"])
    main()
    shown = capsys.readouterr().out
    assert "path" in shown
    assert "date" not in shown


def test_without_the_folder_of_documents_the_examples_remain(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(document_pairs, "DATA", tmp_path)
    document_pairs._sentences.cache_clear()
    drawn = document_pairs.document_pairs("en")
    document_pairs._sentences.cache_clear()
    assert len(drawn) > 0
    assert "no pairs from it" in capsys.readouterr().err
