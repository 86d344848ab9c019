"""The interface of ragas 0.0 to 0.4 over our metrics: change the import lines, keep the rest.

    from llamaindex_rag_eval.compat.ragas import EvaluationDataset, Faithfulness, evaluate

    dataset = EvaluationDataset.from_list([{"user_input": …, "response": …, …}])
    result = evaluate(dataset=dataset, metrics=[Faithfulness()], llm=llm)
    result["faithfulness"], result.to_pandas()

Every metric class of ragas's documentation that has kin here can be imported from this module, with
its settings; names in small letters (`faithfulness`, `answer_relevancy`, …) are ready metrics.
`llama_index` asks engines, `integrations.langchain` scores the outputs of chains. Names of results
are ragas's. Numbers differ where our formulas do: each metric's page says how.

Source: https://docs.ragas.io/en/stable/, "Evaluate a simple RAG" and the reference of its API.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from llamaindex_rag_eval.compat.models import (
    EmbeddingsLike,
    LlamaIndexEmbeddingsWrapper as LlamaIndexEmbeddingsWrapper,
    LlamaIndexLLMWrapper as LlamaIndexLLMWrapper,
    LlmLike,
    refuse,
)
from llamaindex_rag_eval.compat.names import TABLE, absent
from llamaindex_rag_eval.compat.ragas.metric import (
    MetricLike,
    MetricResult as MetricResult,
    RagasMetric as RagasMetric,
    require_model,
)
from llamaindex_rag_eval.compat.ragas.names import metric_named, metric_names
from llamaindex_rag_eval.data.dataset import EvaluationDataset as _Dataset, Samples
from llamaindex_rag_eval.data.rows import row_of
from llamaindex_rag_eval.data.sample import (
    MultiTurnSample as MultiTurnSample,
    Sample,
    SingleTurnSample as SingleTurnSample,
)
from llamaindex_rag_eval.data.tables import FIELD_OF_ALIAS
from llamaindex_rag_eval.engines.engine import is_engine
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.evaluate import evaluate as _evaluate, fitting
from llamaindex_rag_eval.runs.means import Means
from llamaindex_rag_eval.runs.run import Run

if TYPE_CHECKING:
    import pandas as pd

DEFAULT = ("answer_relevancy", "context_precision", "faithfulness", "context_recall")
"""The metrics that ragas's `evaluate` takes if none are given."""


COLUMNS, EARLY_COLUMNS = TABLE["ragas"]["columns"], TABLE["ragas"]["early_columns"]
"""Our fields -> ragas's columns since 0.2, and to 0.1, where they differ."""


class EvaluationDataset(_Dataset):
    """A data set with the constructors of ragas; rows have ragas's column names or ours."""

    __slots__ = ()

    @classmethod
    def from_list(cls, data: Iterable[Mapping[str, object]]) -> "EvaluationDataset":
        """Return the samples of rows: a list, or a data set of Hugging Face."""
        return cls(_Dataset.from_rows(map(dict, data)))

    from_hf_dataset = from_hf = from_dict = from_list

    @classmethod
    def from_csv(cls, path: str) -> "EvaluationDataset":
        """Return the samples of a CSV file, of ragas's `to_csv` too."""
        return cls(_Dataset.read_csv(path))

    @classmethod
    def from_jsonl(cls, path: str) -> "EvaluationDataset":
        """Return the samples of a JSON Lines file."""
        return cls(_Dataset.read_jsonl(path))

    def to_list(self) -> list[dict[str, object]]:
        """Return the samples as rows, with ragas's names."""
        rows: list[dict[str, object]] = []
        for row in map(row_of, self.samples):
            del row["id"]  # ours
            rows.append({COLUMNS.get(name, name): value for name, value in row.items()})
        return rows

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a sample, with ragas's names."""
        return super().to_pandas().rename(columns=COLUMNS).drop(columns="id")

    to_csv, to_jsonl = _Dataset.write_csv, _Dataset.write_jsonl

    def to_hf_dataset(self) -> Any:
        """Return a data set of Hugging Face.

        Raises:
            ImportError: The package `datasets` is not installed.
        """
        return import_module("datasets").Dataset.from_list(self.to_list())

    def features(self) -> list[str]:
        """Return the names of the columns that some sample fills."""
        return [*self.to_pandas().columns]

    def get_sample_type(self) -> type[Sample]:
        """Return the type of the samples: `SingleTurnSample` or `MultiTurnSample`."""
        return type(self.samples[0])


class TokenUsage(NamedTuple):
    """Tokens of a model."""

    input_tokens: int
    output_tokens: int


class EvaluationResult(Means):
    """What `evaluate` returns, as ragas's: means and scores by metric, by sample, as a frame.

    `result["faithfulness"]` is the mean, as to ragas 0.1, and the sequence of the scores, as since
    0.2; printed, it is the means.

    Attributes:
        run: All results as ours, with reasons, evidence, intervals and failures.
        scores: One mapping from metric to score a sample; NaN where undefined or failed.
    """

    def __init__(
        self, run: Run, names: Mapping[str, str], columns: Mapping[str, str] = COLUMNS
    ) -> None:
        super().__init__(run, names)
        self.run, self._columns = run, columns
        by_sample = zip(*self.values(), strict=True)
        self.scores: list[dict[str, float]] = [
            dict(zip(self, row, strict=True)) for row in by_sample
        ]

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a sample: its fields under the names of the data, a column a metric."""
        import pandas as pd

        fields = _Dataset(self.run.samples).to_pandas().rename(columns=self._columns)
        if "id" not in self._columns:  # ours
            fields = fields.drop(columns="id")
        return pd.concat([fields, pd.DataFrame(self.scores)], axis=1)

    def total_tokens(self) -> TokenUsage:
        """Return the tokens that the model was sent and sent back."""
        usage: Mapping[str, Any] = self.run.provenance.usage
        return TokenUsage(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))

    def total_cost(
        self, cost_per_input_token: float, cost_per_output_token: float | None = None
    ) -> float:
        """Return what these tokens cost, at the prices of a token."""
        tokens, out = self.total_tokens(), cost_per_output_token
        price = cost_per_input_token if out is None else out
        return tokens.input_tokens * cost_per_input_token + tokens.output_tokens * price

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs ragas's own pages; the message says what to write."""
        raise AttributeError(absent("ragas", f"EvaluationResult.{name}"))


def evaluate(
    dataset: Samples,
    metrics: Sequence[MetricLike] | None = None,
    llm: LlmLike | None = None,
    embeddings: EmbeddingsLike | None = None,
    *,
    column_map: Mapping[str, str] | None = None,
    **ignored: object,
) -> EvaluationResult:
    """Score a data set.

    Args:
        dataset: The samples: a data set of ours or of Hugging Face, a frame, rows, or columns; or
            an engine, which `evaluate` of `llama_index` asks, with its arguments.
        metrics: By default those of ragas's own default for which some sample has the fields.
        llm: Judges where a metric has no LLM of its own; without it, `Settings.llm`, else the rules
            that need no model.
        embeddings: For similarities.
        column_map: ragas's name of a column -> the data set's.
        ignored: Options of ragas's `evaluate` that change no score here.

    Raises:
        InputError: An option is unknown, or two metrics have one name.
        NeedsModelError: Every metric needs an LLM and there is none.
        MissingFieldError: No sample has a field that a metric needs.
    """
    if is_engine(dataset):
        from llamaindex_rag_eval.compat.ragas import llama_index  # it scores by this module

        ask: Any = llama_index.evaluate
        answered: EvaluationResult = ask(
            dataset, metrics, llm, embeddings, column_map=column_map, **ignored
        )
        return answered
    named = renamed(dataset, column_map or {})
    return scored(_Dataset.of(named), metrics, llm, embeddings, columns_of(named), ignored)


async def aevaluate(dataset: Samples, *args: Any, **options: Any) -> EvaluationResult:
    """Score a data set; see `evaluate`."""
    return await asyncio.to_thread(evaluate, dataset, *args, **options)


def scored(
    samples: _Dataset,
    metrics: Sequence[MetricLike] | None,
    llm: LlmLike | None,
    embeddings: EmbeddingsLike | None,
    columns: Mapping[str, str],
    options: Mapping[str, object],
) -> EvaluationResult:
    """Score samples; see `evaluate`.

    Args:
        samples: With their answers.
        metrics: As in `evaluate`.
        llm: Likewise.
        embeddings: Likewise.
        columns: Our fields -> what a frame calls them.
        options: Those that change no score.
    """
    refuse("evaluate", options, "ragas")
    chosen = [RagasMetric.from_any(metric) for metric in metrics or map(metric_named, DEFAULT)]
    names = [metric.name for metric in chosen]
    if len(set(names)) < len(names):
        raise InputError(f"two metrics have one name among {', '.join(names)}; give one a 'name'")
    ready = [metric.ready(llm, embeddings) for metric in chosen]
    wanted = ready if metrics else fitting(ready, samples)
    require_model(list(zip(names, ready, strict=True)))
    run = _evaluate(samples, metrics=wanted)
    specs = {n: metric.spec for n, metric in zip(names, ready, strict=True) if metric in wanted}
    return EvaluationResult(run, specs, columns)


def columns_of(dataset: object) -> dict[str, str]:
    """Return our fields -> the names that a data set has for them, or else ragas's."""
    names: Any = getattr(dataset, "column_names", getattr(dataset, "columns", ()))
    if isinstance(dataset, Mapping):
        names = dataset
    elif isinstance(dataset, Sequence) and dataset and isinstance(dataset[0], Mapping):
        names = dataset[0]
    given = {FIELD_OF_ALIAS.get(name, name): name for name in names}
    return {**(EARLY_COLUMNS if given.get("query") == "question" else COLUMNS), **given}


def renamed(dataset: Any, column_map: Mapping[str, str]) -> Any:
    """Return a data set with its columns under ragas's names."""
    if not column_map:
        return dataset
    names = {theirs: name for name, theirs in column_map.items()}
    if isinstance(dataset, Mapping):
        return {names.get(name, name): column for name, column in dataset.items()}
    rows = dataset.to_dict("records") if hasattr(dataset, "columns") else dataset
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


def __getattr__(name: str) -> Any:
    """Return what ragas has under this name; see `metric_named`."""
    return metric_named(name)


def __dir__() -> list[str]:
    """Return the names that can be imported."""
    return sorted({*globals(), *metric_names()})
