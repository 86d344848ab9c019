"""Fact checkers by name, without their models: forms, settings, and what is not installed."""

import importlib

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check import by_name, fact_checker_at


@pytest.mark.parametrize("name", ["", "nli:", "minicheck:", "hhem:x", "ollama-minicheck"])
def test_what_names_no_fact_checker_is_refused(name: str):
    with pytest.raises(InputError, match="names no fact checker; expected 'nli:MODEL'"):
        fact_checker_at(name)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("nli", "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"),
        ("minicheck(threshold=0.7)", "lytang/MiniCheck-Flan-T5-Large"),
        ("nli:mine/nli", "mine/nli"),
    ],
)
def test_a_kind_alone_is_its_default_model(monkeypatch: pytest.MonkeyPatch, name: str, model: str):
    opened: list[str] = []

    def pair_classifier(path: str, **_: object) -> object:
        opened.append(path)
        raise InputError("not opened here")

    monkeypatch.setattr(by_name, "PairClassifier", pair_classifier)
    with pytest.raises(InputError, match="not opened here"):
        fact_checker_at(name)
    assert opened == [model]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nli(url=x)", "sets 'url'; expected one of threshold, window, revision, trust_"),
        ("minicheck(threshold=high)", "sets threshold to 'high', which cannot be read"),
        ("nli:m(trust_remote_code=perhaps)", "sets trust_remote_code to 'perhaps'"),
    ],
)
def test_settings_that_cannot_be_read_are_named(name: str, message: str):
    with pytest.raises(InputError, match=message):
        fact_checker_at(name)


def test_what_is_not_installed_is_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch):
    real = importlib.import_module

    def without(name: str, package: str | None = None) -> object:
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(InputError, match=r'pip install "llamaindex-rag-eval\[huggingface\]"'):
        fact_checker_at("nli:cross-encoder/nli-deberta-v3-base")
