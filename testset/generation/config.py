"""What a golden set is asked for: the keywords of `generate`, with their defaults and checks."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, get_args

from llama_index.core.base.embeddings.base import BaseEmbedding

from llamaindex_rag_eval.engines.retrieval import (
    NamedRetriever,
    RetrieverLike,
    named_retriever,
)
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from testset.generation.mixes import MODEL_TYPES, RULE_TYPES, STYLES
from testset.generation.query_log import QueryLog
from testset.generation.traffic import Traffic
from testset.golden.golden_set import GoldenSet
from testset.golden.item import QuestionType
from testset.requests.drafts import can_write

LANGUAGE = re.compile(r"[a-z]{2,3}")
"""A code of ISO 639."""
Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""
Types = Sequence[QuestionType] | Mapping[QuestionType, float]
Styles = Sequence[str] | Mapping[str, float]


class Options(TypedDict, total=False):
    """The keywords of `generate`, `agenerate` and `estimate`; see `GenerationConfig`."""

    size: int
    seed: int
    types: Types | None
    language: str | None
    personas: Sequence[str] | None
    styles: Styles | None
    examples: Sequence[str]
    judge: JudgeLike | None
    writer: JudgeLike | None
    fill: bool
    embed_model: BaseEmbedding | None
    retriever: RetrieverLike | None
    journal: Path | None
    progress: Progress | None
    steps: int | None
    max_by_heart: float | None
    extend: GoldenSet | None
    near: Sequence[str]
    traffic: Traffic | None
    log: QueryLog | None
    brief: str | None
    on: str | None
    workers: int | None


@dataclass(frozen=True)
class GenerationConfig:
    """The settings of one generation; the docstring of `generate` explains each field.

    Raises:
        InputError: `size` or `steps` is below 1, `max_by_heart` is no share, a type, style or
            language is unknown, the set to extend is as large as the size already, types, styles
            or personas are given beside traffic, a log or a brief, or two of these, traffic says
            what rules cannot follow, or a brief is given and no model.
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
    fill: bool = False
    embed_model: BaseEmbedding | None = None
    retriever: RetrieverLike | None = None
    journal: Path | None = None
    progress: Progress | None = None
    steps: int | None = None
    max_by_heart: float | None = None
    extend: GoldenSet | None = None
    near: Sequence[str] = ()
    traffic: Traffic | None = None
    log: QueryLog | None = None
    brief: str | None = None
    on: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        for name, number in (("size", self.size), ("number of steps", self.steps)):
            if number is not None and number < 1:
                raise InputError(f"expected a {name} of 1 or more, got {number!r}")
        if self.max_by_heart is not None and not 0 <= self.max_by_heart <= 1:
            raise InputError(
                f"expected a share known by heart from 0 to 1, got {self.max_by_heart!r}"
            )
        if self.wanted < 1:
            raise InputError(
                f"the size counts the items of the set to extend, without rejected and stale ones: "
                f"expected more than {self.size - self.wanted}, got {self.size!r}"
            )
        if self.language and not LANGUAGE.fullmatch(self.language):
            raise InputError(f"expected the code of a language, as 'en', got {self.language!r}")
        if self.types is not None:
            _shares("question type", self.types, get_args(QuestionType))
        _shares("style", self.styles or STYLES, tuple(STYLES))
        self._check_traffic()

    def _check_traffic(self) -> None:
        """Raise `InputError` unless at most one source says who asks what, and can be followed."""
        sources = (self.traffic, self.log, self.brief)
        if sum(source is not None for source in sources) > 1:
            raise InputError("a log, or a brief, gives the traffic: leave out all but one")
        if self.brief is not None and not self.by_model:
            raise InputError(
                "a brief in plain words needs a model that reads it (--llm); a traffic file "
                "(--traffic) says the same without"
            )
        if any(sources) and (self.types or self.styles or self.personas):
            raise InputError(
                "traffic, a log or a brief says who asks what, and how: leave out types, "
                "styles and personas"
            )
        if self.traffic is not None and self.traffic.needs_model and not self.by_model:
            raise InputError(
                "the traffic says who asks or in which style, which only a model can follow "
                "(--llm); rules follow type, kind, language, difficulty and length"
            )

    @property
    def wanted(self) -> int:
        """How many items are to be written: the size, less those in use of what is extended."""
        return self.size - (0 if self.extend is None else len(self.extend.in_use))

    @cached_property
    def verifier(self) -> Judge:
        """The judge that verifies the items."""
        return judge_of(self.judge)

    @cached_property
    def author(self) -> Judge:
        """The judge whose model writes the items; the verifier unless a writer was given."""
        return self.verifier if self.writer is None else judge_of(self.writer)

    @cached_property
    def by_model(self) -> bool:
        """Whether a model writes the questions; otherwise rules do."""
        return can_write(self.author)

    @cached_property
    def type_shares(self) -> Mapping[Any, float]:
        """Question type -> its share, by default the mix of whoever writes."""
        if self.types is None:
            return dict(MODEL_TYPES if self.by_model else RULE_TYPES)
        return _shares("question type", self.types, get_args(QuestionType))

    @cached_property
    def style_shares(self) -> Mapping[str, float]:
        """Style -> its share."""
        return _shares("style", self.styles or STYLES, tuple(STYLES))

    @cached_property
    def deployed(self) -> NamedRetriever | None:
        """The deployed retriever, if one was given."""
        return None if self.retriever is None else named_retriever(self.retriever)

    @property
    def on_progress(self) -> Progress:
        """The function to call as stages advance; one that does nothing if none was given."""
        return self.progress or (lambda *_: None)


def _shares(
    kind: str, names: Sequence[str] | Mapping[Any, float], known: Sequence[str]
) -> dict[str, float]:
    """Return the share of each type or style; of a sequence of them, equal shares.

    Raises:
        InputError: None is named, an unknown one is, or a share is not above 0.
    """
    if not names:
        raise InputError(f"expected at least one {kind}, got none")
    shares = names if isinstance(names, Mapping) else dict.fromkeys(names, 1.0)
    for name, share in shares.items():
        if name not in known:
            raise InputError(f"no {kind} is named {name!r}; expected one of {', '.join(known)}")
        if not share > 0:
            raise InputError(f"{kind} {name!r} has the share {share!r}; expected one above 0")
    return {str(name): float(share) for name, share in shares.items()}
