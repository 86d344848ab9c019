import sys

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.texts import bleu, chrf, rouge
from llamaindex_rag_eval.metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall
from llamaindex_rag_eval.metrics.string_match import StringSimilarity
from llamaindex_rag_eval.metrics.text_overlap import Bleu, Chrf, Rouge, TokenF1


@pytest.mark.parametrize(
    ("metric", "response", "reference", "expected"),
    [
        (TokenF1(), "on the Seine", "Seine", 2 / 3),  # 2 · 1 / (2 + 1), the article is left out
        (Bleu(), "It rains. It pours.", "It rains. It pours.", 1),
        (Bleu(), "", "It rains.", 0),
        (Bleu(), "It rains.", "", None),
        (Chrf(), "東京です", "東京です", 1),
        (Rouge(), "the cat sat", "the cat ran", 2 / 3),  # "the cat": 2 of 3 words on both sides
        (Rouge(type="rouge2"), "the cat sat", "the cat ran", 1 / 2),  # 1 of 2 pairs
        (Rouge(type="rouge1", mode="recall"), "cat", "the cat", 1 / 2),
    ],
)
async def test_texts_are_compared_without_a_judge(metric, response, reference, expected):
    sample = SingleTurnSample(response=response, reference=reference)
    value = (await metric.result(sample)).score
    assert value == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(Rouge, {"type": "rouge9"}), (Rouge, {"mode": "mean"})],
)
def test_settings_that_do_not_exist_are_refused(kind, settings):
    with pytest.raises(InputError):
        kind(**settings)


def test_without_sacrebleu_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)

    for compute in (bleu, chrf):
        with pytest.raises(InputError, match=r"pip install 'llamaindex-rag-eval\[bleu\]'"):
            compute("a", "b")


@pytest.mark.parametrize(
    "kind", [NonLlmContextPrecision, NonLlmContextRecall, Rouge, StringSimilarity]
)
def test_without_rapidfuzz_it_is_said_what_to_install(
    kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rapidfuzz", "rapidfuzz.distance"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r"pip install 'llamaindex-rag-eval\[strings\]'"):
        kind()
    assert rouge("a", "a", rouge_type="rouge1") == 1
