"""Fact checkers: small models that answer `SupportOf`, and nothing else."""

from llamaindex_rag_eval.judge.fact_check.by_name import fact_checker_at as fact_checker_at
from llamaindex_rag_eval.judge.fact_check.checker import (
    Chance as Chance,
    FactChecker as FactChecker,
)
from llamaindex_rag_eval.judge.fact_check.classifier import (
    ClassifierChecker as ClassifierChecker,
    CrossEncoderLike as CrossEncoderLike,
)
from llamaindex_rag_eval.judge.fact_check.oracle import FactCheckOracle as FactCheckOracle
