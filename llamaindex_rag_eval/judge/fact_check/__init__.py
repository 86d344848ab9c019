"""Fact checkers: small models that answer `SupportOf`, and nothing else."""

from llamaindex_rag_eval.judge.fact_check.by_name import fact_checker_at
from llamaindex_rag_eval.judge.fact_check.checker import Chance, FactChecker
from llamaindex_rag_eval.judge.fact_check.classifier import ClassifierChecker, CrossEncoderLike
from llamaindex_rag_eval.judge.fact_check.ollama import OllamaChecker
from llamaindex_rag_eval.judge.fact_check.oracle import FactCheckOracle

__all__ = [
    "Chance",
    "ClassifierChecker",
    "CrossEncoderLike",
    "FactCheckOracle",
    "FactChecker",
    "OllamaChecker",
    "fact_checker_at",
]
