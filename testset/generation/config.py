"""Settings: what a golden set is asked for, said in keywords, held in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypedDict

from llama_index.core.base.embeddings.base import BaseEmbedding

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from testset.generation.wishes import WRITTEN_BY_MODEL, Wishes, shares_of, styles_of
from testset.golden.item import QuestionType
from testset.requests.writer import Writer

__all__ = ["Options", "Progress", "Settings"]

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""

Types = Sequence[QuestionType] | Mapping[QuestionType, float]
Styles = Sequence[str] | Mapping[str, float]

WRITTEN_BY_RULE: Mapping[QuestionType, float] = {"single_hop": 0.8, "table": 0.2}
"""What rules write well, and in what shares; they leave other types to a model."""


class Options(TypedDict, total=False):
    """The keywords of `generate`, `agenerate` and `estimate`; `Settings` has their defaults."""

    size: int
    seed: int
    types: Types | None
    language: str | None
    personas: Sequence[str] | None
    styles: Styles | None
    examples: Sequence[str]
    judge: JudgeLike | None
    writer: JudgeLike | None
    embed_model: BaseEmbedding | None
    journal: Path | None
    progress: Progress | None


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total


@dataclass(frozen=True)
class Settings:
    """What `generate` was asked for; its docstring says what each of the fields means.

    Raises:
        InputError: `size` is below 1, or a type or style is unknown.
    """

    size: int = 50
    seed: int = 7
    types: Types | None = None
    language: str | None = None
    personas: Sequence[str] | None = None
    styles: Styles | None = None
    examples: Sequence[str] = field(default=())
    judge: JudgeLike | None = None
    writer: JudgeLike | None = None
    embed_model: BaseEmbedding | None = None
    journal: Path | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"expected a size of 1 or more, got {self.size!r}")
        shares_of(self.types, WRITTEN_BY_RULE)
        styles_of(self.styles)

    @cached_property
    def verifier(self) -> Judge:
        """Who verifies."""
        return judge_of(self.judge)

    @cached_property
    def author(self) -> Judge:
        """Who writes; the verifier unless another was given."""
        return self.verifier if self.writer is None else judge_of(self.writer)

    @cached_property
    def by_model(self) -> bool:
        """Whether a model writes; else rules do."""
        return Writer(self.author.oracle).writes

    @cached_property
    def wishes(self) -> Wishes:
        """Which questions, in whose voice."""
        return Wishes(
            shares=shares_of(self.types, WRITTEN_BY_MODEL if self.by_model else WRITTEN_BY_RULE),
            language=self.language or "",
            personas=None if self.personas is None else tuple(self.personas),
            styles=styles_of(self.styles),
            examples=tuple(self.examples),
        )

    @property
    def tell(self) -> Progress:
        """Whom to tell how far it is."""
        return self.progress or _silent
