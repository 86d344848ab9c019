"""The sets: which of the product's metrics is held against what people said of each."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from tests.benchmarks.measuring.baselines import baselines
from tests.benchmarks.measuring.bench import Bench
from tests.benchmarks.measuring.coefficients import auc, pearson, scored_auc
from tests.benchmarks.measuring.preferences import preferences
from tests.benchmarks.measuring.records import labels, read, sample
from tests.benchmarks.measuring.row import Row, row_of

CORPORA = ("xquad_en", "xquad_de", "xquad_zh", "jsquad_ja")
EMBEDDED = ("ragchecker_pref", "evouna_nq", "evouna_tq", "halluqa_zh", "jsts_ja", "squality_human")
"""Sets with references: only where a response is held against one, an embedding model counts."""
QUESTIONS = 200
"""Per corpus, each held against two passages."""


def supported(name: str, target: float, bench: Bench) -> list[Row]:
    """Return how well faithfulness tells supported responses from others."""
    rows = bench.records(name)
    found = bench.measured("faithfulness", [sample(row, "contexts") for row in rows])
    right, beside = labels(rows, "faithful"), baselines(rows, "response", "contexts")
    return [
        row_of(bench, name, "faithfulness", auc, rows, right, found,
               fitted=True, target=target, beside=beside)
    ]  # fmt: skip


def mtrag(bench: Bench) -> list[Row]:
    """Return how well faithfulness goes with ratings of RAG answers from 1 to 4."""
    name = "mtrag_human"
    rows = bench.records(name)
    found = bench.measured("faithfulness", [sample(row, "contexts") for row in rows])
    rated, beside = labels(rows, "faithfulness"), baselines(rows, "response", "contexts")
    high = (rated >= 3).astype(np.float64)
    return [
        row_of(bench, name, "faithfulness, rated ≥ 3", scored_auc, rows, high, found,
               fitted=True, target=0.94, beside=beside),
        row_of(bench, name, "faithfulness", pearson, rows, rated, found,
               target=0.75, beside=beside),
    ]  # fmt: skip


def answers(name: str, target: float, bench: Bench) -> list[Row]:
    """Return how well the recall of a short gold answer tells right responses from others."""
    rows = bench.records(name)
    samples = [sample(row, "reference") for row in rows]
    right, beside = labels(rows, "correct"), baselines(rows, "reference", "response")
    recall = bench.measured("response_recall", samples)
    whole = bench.measured("answer_correctness", samples)
    return [
        row_of(bench, name, "response_recall", auc, rows, right, recall,
               fitted=True, target=target, beside=beside),
        row_of(bench, name, "answer_correctness", auc, rows, right, whole,
               beside=beside, aside=True),
    ]  # fmt: skip


def halluqa(bench: Bench) -> list[Row]:
    """Return how well answer metrics tell right Chinese answers from others."""
    name = "halluqa_zh"
    rows = bench.records(name)
    samples, right = [sample(row, "reference") for row in rows], labels(rows, "correct")
    beside = baselines(rows, "response", "reference")
    targets = {"answer_similarity": 0.72, "answer_correctness": None}
    return [
        row_of(bench, name, metric, scored_auc, rows, right, bench.measured(metric, samples),
               target=target, beside=beside, aside=metric != "answer_similarity")
        for metric, target in targets.items()
    ]  # fmt: skip


def jsts(bench: Bench) -> list[Row]:
    """Return how well the similarity of sentences goes with people's."""
    name = "jsts_ja"
    rows = bench.records(name)
    found = bench.measured("answer_similarity", [sample(row, "reference") for row in rows])
    similar, beside = labels(rows, "similarity"), baselines(rows, "response", "reference")
    return [
        row_of(bench, name, "answer_similarity", pearson, rows, similar, found,
               target=0.65, beside=beside)
    ]  # fmt: skip


def squality(bench: Bench) -> list[Row]:
    """Return how well answer metrics go with ratings of long answers."""
    name = "squality_human"
    rows = bench.records(name)
    samples = [sample(row, "reference") for row in rows]
    pairs = {
        "response_precision": "correctness",
        "response_recall": "completeness",
        "answer_similarity": "overall",
    }
    beside = baselines(rows, "reference", "response")
    return [
        row_of(bench, name, f"{metric} ~ {label}", pearson, rows, labels(rows, label),
               bench.measured(metric, samples), beside=beside)
        for metric, label in pairs.items()
    ]  # fmt: skip


def relevance(name: str, bench: Bench) -> list[Row]:
    """Return how well context relevance tells a question's passage from the next of the corpus."""
    texts = {row["doc_id"]: row["text"] for row in read(f"corpora/{name}/docs")}
    names = list(texts)
    rows, samples, right = [], [], []
    count = min(QUESTIONS, bench.most or QUESTIONS)
    for question in read(f"corpora/{name}/questions_dev")[:count]:
        gold = question["relevant"][0]  # type: ignore[index] # a list of names
        for passage in (gold, names[(names.index(gold) + 1) % len(names)]):
            rows.append({"group": question["id"]})
            right.append(float(passage == gold))
            samples.append({"query": question["question"], "contexts": [texts[passage]]})
    found = bench.measured("context_relevance", samples)
    return [row_of(bench, name, "context_relevance", auc, rows, np.array(right), found, aside=True)]


SETS: Mapping[str, Callable[[Bench], list[Row]]] = {
    "ragchecker_pref": preferences,
    "mtrag_human": mtrag,
    "wice_claim": partial(supported, "wice_claim", 0.80),
    "begin_wow": partial(supported, "begin_wow", 0.95),
    "begin_cmu": partial(supported, "begin_cmu", 0.97),
    "begin_tc": partial(supported, "begin_tc", 0.93),
    "q2_wow": partial(supported, "q2_wow", 0.76),
    "dialfact_small": partial(supported, "dialfact_small", 0.78),
    "jnli_ja": partial(supported, "jnli_ja", 0.68),
    "evouna_nq": partial(answers, "evouna_nq", 0.94),
    "evouna_tq": partial(answers, "evouna_tq", 0.945),
    "halluqa_zh": halluqa,
    "jsts_ja": jsts,
    "squality_human": squality,
    **{name: partial(relevance, name) for name in CORPORA},
}
"""Every set and what measures it, in the order of the table."""
