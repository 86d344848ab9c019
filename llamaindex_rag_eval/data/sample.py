"""Samples: one question with its answer and contexts, or one conversation.

The field names of other tools are accepted, and can be read; `ALIASES` lists them. A field that was
not given is empty, never `None`; `sample.has(field)` tells the two apart.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.sample_parts import (
    Context as Context,
    Fact as Fact,
    Image as Image,
    Message as Message,
    Span as Span,
    ToolCall as ToolCall,
    text_of as text_of,
    transcript as transcript,
)
from llamaindex_rag_eval.errors import InputError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "query": ("question", "user_input", "input"),
    "response": ("answer", "prediction", "actual_output"),
    "contexts": ("retrieved_contexts", "context", "retrieval_context"),
    "reference": ("ground_truth", "ground_truths", "expected_output", "gt_answer"),
    "reference_contexts": ("gold_contexts",),
    "context_ids": ("retrieved_context_ids",),
    "reference_context_ids": ("expected_ids",),
    "rubrics": ("rubric",),
}
"""Field -> its names in other tools; where a row has both, the field's own name wins."""


_LISTS = {
    "contexts",
    "reference_aliases",
    "reference_contexts",
    *ALIASES["contexts"],
    *ALIASES["reference_contexts"],
}
"""Fields that may be given as one text."""

FIELD_OF_ALIAS = {alias: field for field, aliases in ALIASES.items() for alias in aliases}


class _Sample(BaseModel):
    """The common part of samples: id, metadata, and the reading of rows."""

    model_config = ConfigDict(
        frozen=True,
        populate_by_name=True,
        extra="forbid",
        coerce_numbers_to_str=True,  # ids and short answers that tables hold as numbers
        allow_inf_nan=False,
    )

    _aliases: ClassVar[Mapping[str, str]] = FIELD_OF_ALIAS

    id: str = ""
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    latency: float | None = None
    error: str = ""

    @model_validator(mode="before")
    @classmethod
    def _canonical_names(cls, row: object) -> object:
        """Rename aliases, drop fields that are `None`, keep unknown fields as metadata."""
        if not isinstance(row, Mapping):
            return row
        known = cls.model_fields
        fields: dict[str, object] = {}
        metadata: dict[str, object] = {}
        for key, value in row.items():
            name = key if key in known else cls._aliases.get(key, key)
            if value is None or (name != key and row.get(name) is not None):
                continue
            if name in known:
                given = _first(value) if key == "ground_truths" else value
                if given is not None:
                    fields.setdefault(name, given)
            else:
                metadata[key] = value
        if metadata:
            own = fields.get("metadata", {})
            if isinstance(own, Mapping):
                fields["metadata"] = {**metadata, **own}
        return fields

    @field_validator("error")
    @classmethod
    def _no_keys(cls, error: str) -> str:
        return without_keys(error)

    def __getattr__(self, name: str) -> Any:
        """Return a field by its name in another tool."""
        if name not in self._aliases:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return getattr(self, self._aliases[name])

    def has(self, field: str) -> bool:
        """Return whether the field was given, even if empty."""
        return field in self.model_fields_set

    def fingerprint_text(self) -> str:
        """Return the content as canonical JSON, the same for equal samples."""
        content = self.model_dump(mode="json", exclude_unset=True)
        return json.dumps(content, sort_keys=True, ensure_ascii=False)


def _first(value: object) -> object:
    """Return the first of several ground truths, since a metric compares with one reference."""
    if isinstance(value, list | tuple):
        return value[0] if value else None
    return value


class SingleTurnSample(_Sample):
    """One question, the pipeline's answer and contexts, and the reference.

    Attributes:
        query: The question.
        response: The pipeline's answer.
        contexts: The retrieved texts or images, best first.
        context_ids: The ids of the retrieved nodes, in the same order.
        context_spans: The place of each retrieved node in its document; `None` if unknown.
        context_scores: The retriever's scores, in the same order; `None` if unknown.
        reference: The right answer.
        reference_aliases: Other answers that are just as right.
        reference_contexts: Texts that hold the right answer.
        reference_context_ids: The ids of the nodes that hold it; a row may also give a mapping
            of ids to gains, as relevance judgements have them.
        reference_gains: How relevant each of `reference_context_ids` is, in the same order, from 0
            (not at all) up; empty if all are alike.
        reference_facts: The statements of the right answer, each vital or merely okay.
        gold: Gold spans in the documents, in groups: an answer needs every group, and any one
            span of a group suffices.
        earlier_messages: The conversation before the question, if it is a follow-up.
        expected_behaviour: What a good pipeline does with this question.
        rubrics: Score level -> its description, for this question only.
        latency: Seconds that the pipeline took.
        error: Why the pipeline gave no answer; empty if it gave one.
    """

    query: str = ""
    response: str = ""
    contexts: tuple[Context, ...] = ()
    context_ids: tuple[str, ...] = ()
    context_spans: tuple[Span | None, ...] = ()
    context_scores: tuple[float | None, ...] = ()
    reference: str = ""
    reference_aliases: tuple[str, ...] = ()
    reference_contexts: tuple[str, ...] = ()
    reference_context_ids: tuple[str, ...] = ()
    reference_gains: tuple[float, ...] = ()
    reference_facts: tuple[Fact, ...] = ()
    gold: tuple[tuple[Span, ...], ...] = ()
    earlier_messages: tuple[Message, ...] = ()
    expected_behaviour: Literal["answer", "refuse", "clarify", "correct_premise"] = "answer"
    rubrics: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _wrap_single_context(cls, row: object) -> object:
        """Let one context or alias be given as a string, as some tools write it."""
        if not isinstance(row, Mapping):
            return row
        fields = {k: [v] if isinstance(v, str) and k in _LISTS else v for k, v in row.items()}
        for name in ("reference_context_ids", *ALIASES["reference_context_ids"]):
            if isinstance(graded := fields.get(name), Mapping):
                fields |= {name: tuple(graded), "reference_gains": tuple(graded.values())}
        return fields

    @model_validator(mode="after")
    def _a_gain_for_each_id(self) -> "SingleTurnSample":
        gains, ids = len(self.reference_gains), len(self.reference_context_ids)
        if gains and gains != ids:
            raise InputError(f"{gains} 'reference_gains' for {ids} 'reference_context_ids'")
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the contexts; of an image its caption."""
        return tuple(text_of(context) for context in self.contexts)

    @property
    def history(self) -> str:
        """The conversation before the question, one message per line; "" if there is none."""
        return transcript(self.earlier_messages)

    @property
    def asked(self) -> str:
        """The question with the messages before it, so that it can be understood by itself.

        Example:
            >>> before = (Message(role="user", content="Who built the ferry?"),)
            >>> print(SingleTurnSample(query="And when?", earlier_messages=before).asked)
            user: Who built the ferry?
            user: And when?
        """
        if not (self.query and self.earlier_messages):
            return self.query
        return f"{self.history}\nuser: {self.query}"


class MultiTurnSample(_Sample):
    """A conversation with user, assistant and tool messages, and its references.

    Attributes:
        messages: The conversation in order (alias `user_input`, as ragas has it).
        reference: The wanted outcome.
        reference_tool_calls: The wanted calls.
        reference_topics: The topics the assistant should keep to.
        latency: Seconds that the pipeline took for all its messages.
        error: Why the pipeline did not finish the conversation; empty if it did.
    """

    _aliases: ClassVar[Mapping[str, str]] = {**FIELD_OF_ALIAS, "user_input": "messages"}

    messages: tuple[Message, ...] = ()
    reference: str = ""
    reference_tool_calls: tuple[ToolCall, ...] = ()
    reference_topics: tuple[str, ...] = ()

    @property
    def asked(self) -> str:
        """The user's messages, one per line; of a simulated user those that are the question's.

        What a simulated user says further on depends on the answers.
        """
        said = [message.content for message in self.messages if message.role == "user"]
        simulation = self.metadata.get("simulation")
        opened = simulation.get("opened") if isinstance(simulation, Mapping) else None
        return "\n".join(said[:opened] if isinstance(opened, int) else said)

    def turns(self) -> tuple[SingleTurnSample, ...]:
        """Return each answer of the assistant as a sample, with the question before it."""
        query, turns = "", []
        for number, message in enumerate(self.messages):
            if message.role == "user":
                query = message.content
            elif message.role == "assistant" and message.content:
                row: dict[str, object] = {"id": f"{self.id}#{number}", "query": query}
                row["response"] = message.content
                if "contexts" in message.model_fields_set:
                    row["contexts"] = message.contexts
                turns.append(SingleTurnSample.model_validate(row))
        return tuple(turns)


Sample = SingleTurnSample | MultiTurnSample


def sample_of(row: Mapping[str, object]) -> Sample:
    """Return the sample that a row describes: a conversation if it has messages, else one turn."""
    messages = row.get("messages")
    if messages is None:
        messages = row.get("user_input")
        if isinstance(messages, str) or not isinstance(messages, Iterable):
            return SingleTurnSample.model_validate(row)
    return MultiTurnSample.model_validate(row)
