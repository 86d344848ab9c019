"""Sweep file: what a sweep tries, in YAML.

    golden: golden.jsonl              # a golden set, or any file of questions
    engines:
      - factory: my_app:make_engine   # called with the parameters of a setting, as keywords
        grid:                         # all combinations; a single value is one for all
          chunk_size: [256, 512, 1024]
          top_k: [2, 5]
      - factory: my_app:make_hybrid
        name: hybrid                  # stands before the parameters in the setting's name
        grid: {alpha: [0.3, 0.7], top_k: 5}
    metrics: [ndcg@10, faithfulness]  # the first decides; others are scored of those left

Also, if wanted: `margin` (how much worse than the best the winner may be), `first` (questions
before the first look), `alpha`, `max_failed`, `clusters` (documents or none), `seed`, `timeout`
(seconds a question), `concurrency`.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from llamaindex_rag_eval.data.yaml_file import read_yaml
from llamaindex_rag_eval.decisions.sweep import MAX_FAILED
from llamaindex_rag_eval.decisions.sweep_questions import FIRST
from llamaindex_rag_eval.decisions.sweep_settings import Setting, settings_of
from llamaindex_rag_eval.engines.engine import factory_at
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.runs.clusters import Clustering


def _values(value: object) -> object:
    return list(value) if isinstance(value, list | tuple) else [value]


Values = Annotated[tuple[object, ...], BeforeValidator(_values)]
"""A list of values, or one value."""


class EngineEntry(BaseModel):
    """A function that makes engines, and the parameters to try.

    Attributes:
        factory: `module:function`, found from the current folder or installed.
        name: Stands before the parameters in the names of its settings.
        grid: Parameter -> its values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    factory: str
    name: str = ""
    grid: dict[str, Values] = Field(default_factory=dict)


class SweepFile(BaseModel):
    """A sweep as its file describes it; the attributes are as those of `sweep`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    golden: Path
    engines: tuple[EngineEntry, ...] = Field(min_length=1)
    metrics: Annotated[tuple[str, ...], BeforeValidator(_values)] = DEFAULT_METRICS
    margin: float | None = None
    first: int = FIRST
    alpha: float = 0.05
    max_failed: float = MAX_FAILED
    clusters: Clustering = "documents"
    seed: int = 0
    concurrency: int = Field(default=8, ge=1)
    timeout: float | None = Field(default=None, gt=0)

    @property
    def options(self) -> dict[str, Any]:
        """What `sweep` takes beside settings and questions."""
        return self.model_dump(exclude={"golden", "engines"})

    def settings(self) -> tuple[Setting, ...]:
        """Return the settings of all engines.

        Raises:
            EngineError: There is no such module or function.
            InputError: Two settings have one name, or a parameter has no value.
        """
        settings: list[Setting] = []
        for entry in self.engines:
            factory = factory_at(entry.factory)
            settings += settings_of(
                entry.grid, factory, label=entry.name, import_path=entry.factory
            )
        return settings_of(settings)


def read_sweep(path: str | Path) -> SweepFile:
    """Return the sweep that a file describes; paths in it start from its folder.

    Raises:
        DatasetError: It cannot be read, is not YAML, or has a key or a value that no sweep has; it
            says where.
    """
    sweep = read_yaml(path, SweepFile)
    return sweep.model_copy(update={"golden": Path(path).parent / sweep.golden})
