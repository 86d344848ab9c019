"""Compare with an own reading of the SQuAD script, and with rouge-score's own tokenisation."""

import re
import string
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.formulas.answers import exact_match, token_f1, words
from llamaindex_rag_eval.formulas.texts import RougeType, rouge

ASCII = st.text(st.sampled_from("abthe THE.,-_'019\n"), max_size=30)


def squad_tokens(text):
    kept = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", kept).split()


@given(ASCII, ASCII)
def test_token_f1_and_exact_match_equal_squad_on_ascii(left, right):
    a, b = squad_tokens(left), squad_tokens(right)
    common = sum((Counter(a) & Counter(b)).values())
    expected = float(a == b) if not a or not b else 2 * common / (len(a) + len(b))
    assert token_f1(left, right) == pytest.approx(expected)
    assert exact_match(left, right) == float(a == b)


@given(ASCII, ASCII.filter(lambda text: len(words(text)) >= 2))
def test_rouge_equals_its_own_tokenisation_on_ascii(response, reference):
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
    types: tuple[RougeType, ...] = ("rouge1", "rouge2", "rougeL")
    theirs = rouge_scorer.RougeScorer(types).score(reference, response)
    for rouge_type in types:
        for measure in ("precision", "recall", "fmeasure"):
            ours = rouge(response, reference, rouge_type=rouge_type, measure=measure)
            assert ours == pytest.approx(getattr(theirs[rouge_type], measure))
