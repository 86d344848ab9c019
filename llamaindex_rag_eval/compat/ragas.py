"""The interface of ragas 0.2 to 0.4 over our metrics: change the import lines, keep the rest.

    from llamaindex_rag_eval.compat.ragas import EvaluationDataset, Faithfulness, evaluate

    dataset = EvaluationDataset.from_list([{"user_input": …, "response": …, …}])
    result = evaluate(dataset=dataset, metrics=[Faithfulness()], llm=llm)
    result["faithfulness"], result.to_pandas()

Every metric class of ragas's documentation that has kin here can be imported from this module, with
its settings; the functions of 0.1 (`faithfulness`, `answer_relevancy`, …) are metrics as they are.
Names of results are ragas's. Numbers differ where our formulas do: each metric's page says how.

Source: https://docs.ragas.io/en/stable/, "Evaluate a simple RAG" and the reference of its API.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.compat.models import (
    EmbeddingsLike,
    LlamaIndexEmbeddingsWrapper as LlamaIndexEmbeddingsWrapper,
    LlamaIndexLLMWrapper as LlamaIndexLLMWrapper,
    LlmLike,
    judge_from,
)
from llamaindex_rag_eval.compat.ragas_metric import (
    MetricResult as MetricResult,
    RagasMetric as RagasMetric,
    number_of,
)
from llamaindex_rag_eval.data.dataset import EvaluationDataset as _Dataset
from llamaindex_rag_eval.data.rows import row_of
from llamaindex_rag_eval.data.sample import (
    MultiTurnSample as MultiTurnSample,
    Sample,
    SingleTurnSample as SingleTurnSample,
)
from llamaindex_rag_eval.errors import InputError, UnknownMetricError
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class
from llamaindex_rag_eval.runs.evaluate import evaluate as _evaluate
from llamaindex_rag_eval.runs.run import Run

if TYPE_CHECKING:
    import pandas as pd

DEFAULT = ("answer_relevancy", "context_precision", "faithfulness", "context_recall")
"""The metrics that ragas's `evaluate` takes if none are given."""

COLUMNS = {"query": "user_input", "messages": "user_input", "contexts": "retrieved_contexts"}
"""Our fields -> ragas's columns, where they differ."""

OPTIONS = frozenset(
    {
        "allow_nest_asyncio",
        "batch_size",
        "callbacks",
        "column_map",
        "experiment_name",
        "raise_exceptions",
        "return_executor",
        "run_config",
        "show_progress",
        "token_usage_parser",
    }
)
"""Options of ragas's `evaluate` that change no score here."""


class EvaluationDataset(_Dataset):
    """A data set with the constructors of ragas; rows have ragas's column names or ours."""

    __slots__ = ()

    @classmethod
    def from_list(cls, data: Sequence[Mapping[str, object]]) -> "EvaluationDataset":
        """Return the samples of a list of rows."""
        return cls(_Dataset.from_rows(data))

    @classmethod
    def from_hf_dataset(cls, dataset: Iterable[Mapping[str, object]]) -> "EvaluationDataset":
        """Return the samples of a data set of Hugging Face, or of any iterable of rows."""
        return cls(_Dataset.from_rows(dict(row) for row in dataset))

    from_hf = from_hf_dataset

    @classmethod
    def from_csv(cls, path: str) -> "EvaluationDataset":
        """Return the samples of a CSV file, of ragas's `to_csv` too."""
        return cls(_Dataset.read_csv(path))

    @classmethod
    def from_jsonl(cls, path: str) -> "EvaluationDataset":
        """Return the samples of a JSON Lines file."""
        return cls(_Dataset.read_jsonl(path))

    def to_list(self) -> list[dict[str, object]]:
        """Return the samples as rows."""
        return [dict(row_of(sample)) for sample in self.samples]


class EvaluationResult:
    """What `evaluate` returns, as ragas's: by metric, by sample, as a frame.

    Attributes:
        run: All results as ours, with reasons, evidence, intervals and failures.
        scores: One mapping from metric to score a sample; NaN where undefined or failed.
    """

    def __init__(self, run: Run, names: Mapping[str, str]) -> None:
        self.run = run
        self._names = names
        self.scores: list[dict[str, float]] = [
            {name: number_of(run.result(sample.id, spec)) for name, spec in names.items()}
            for sample in run.samples
        ]

    def __getitem__(self, name: str) -> list[float]:
        """Return the scores of one metric, in the order of the samples."""
        found = name if name in self._names else _without_settings(name, self._names)
        return [row[found] for row in self.scores]

    def __repr__(self) -> str:
        means = {summary.metric.spec: summary.mean for summary in self.run.summary()}
        shown = ((name, means.get(spec)) for name, spec in self._names.items())
        texts = (f"'{n}': {'nan' if mean is None else f'{mean:.4f}'}" for n, mean in shown)
        return "{" + ", ".join(texts) + "}"

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a sample: its fields under ragas's names, and a column a metric."""
        import pandas as pd

        fields = _Dataset(self.run.samples).to_pandas().rename(columns=COLUMNS)
        return pd.concat([fields, pd.DataFrame(self.scores)], axis=1)


def evaluate(
    dataset: Iterable[Sample],
    metrics: Sequence[RagasMetric | BaseMetric] | None = None,
    llm: LlmLike | None = None,
    embeddings: EmbeddingsLike | None = None,
    **ignored: object,
) -> EvaluationResult:
    """Score a data set.

    Args:
        dataset: The samples.
        metrics: By default ragas's own default.
        llm: Judges where a metric has no LLM of its own; without it, `Settings.llm`, else the rules
            that need no model.
        embeddings: For similarities.
        ignored: Options of ragas's `evaluate` that change no score here (`OPTIONS`).

    Raises:
        InputError: An option is unknown, or two metrics have one name.
        NeedsModelError: A metric needs an LLM and there is none.
        MissingFieldError: No sample has a field that a metric needs.
    """
    if unknown := ignored.keys() - OPTIONS:
        raise InputError(f"'evaluate' has no option {min(unknown)!r}")
    chosen = [_named(metric) for metric in metrics or map(__getattr__, DEFAULT)]
    names = [name for name, _ in chosen]
    if len(set(names)) < len(names):
        raise InputError(f"two metrics have one name among {', '.join(names)}; give one a 'name'")
    ready = [
        metric.ready(llm, embeddings)
        if isinstance(metric, RagasMetric)
        else _with(metric, judge_from(llm, embeddings))
        for _, metric in chosen
    ]
    run = _evaluate(_Dataset.of(dataset), metrics=ready)
    return EvaluationResult(run, {n: one.spec for n, one in zip(names, ready, strict=True)})


def _named(metric: RagasMetric | BaseMetric) -> tuple[str, RagasMetric | BaseMetric]:
    return (metric.name if isinstance(metric, RagasMetric) else metric.spec), metric


def _with(metric: BaseMetric, judge: Judge | None) -> BaseMetric:
    return metric if judge is None else metric.with_judge(judge)


def _without_settings(name: str, names: Iterable[str]) -> str:
    """Return the only name that is this one without its settings.

    Raises:
        KeyError: There is none, or there are several.
    """
    found = [one for one in names if one.partition("(")[0] == name]
    if len(found) != 1:
        raise KeyError(f"{name!r} is none of {', '.join(names)}")
    return found[0]


def __getattr__(name: str) -> Any:
    """Return ragas's class of this name, or the metric of 0.1 if it is in small letters.

    Raises:
        AttributeError: No metric of ours is its kin.
    """
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        metric_class(name)
    except UnknownMetricError as error:
        raise AttributeError(f"no metric of ragas is called {name!r} here: {error}") from None
    kind = type(name, (RagasMetric,), {"class_name": name, "__doc__": f"ragas's {name!r}."})
    return kind() if name.islower() else kind


def __dir__() -> list[str]:
    """Return the names that can be imported."""
    return sorted({*globals(), *(kind.kin["ragas"] for kind in METRICS if "ragas" in kind.kin)})
