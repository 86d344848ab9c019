"""Alignment: how a judge was fitted to people's labels, and its file, `judge.toml`."""

import json
from pathlib import Path

import tomllib
from pydantic import BaseModel, ConfigDict, Field

from llamaindex_rag_eval.data.files import read_text, write_whole
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.judge.aligned_prompt import AlignedPrompt, LabelledCase
from llamaindex_rag_eval.judge.answerers import VOTES, answerer_name
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.judge.prompts import english_prompts, prompts_by, with_prompts

HEAD = (
    "# Fitted to people's labels by `rag-eval align`; before, after: cross-validated agreement.\n"
)


class Alignment(BaseModel):
    """What fits a judge to people's labels.

    Attributes:
        metric: The spec of the metric that was labelled.
        judgement: The kind of request that decides it, as `AnswerVerdictOf`.
        judge: Who judged, as `llm/gpt-4o-mini`, or the fingerprint of rules.
        prompt: The fingerprint of the prompt before; empty where nothing is prompted.
        threshold: The score from which on an answer passes; `None` for that of the metric.
        rules: House rules, which go into the prompt.
        examples: Labelled cases, of which the nearest go with each case.
        labels: How many labels there were.
        digest: Stands for the labels.
        before: Agreement before, cross-validated, with its interval, in words.
        after: Agreement after, likewise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    judgement: str
    judge: str
    prompt: str = ""
    threshold: float | None = Field(default=None, allow_inf_nan=False)
    labels: int = Field(ge=1)
    digest: str
    before: str = ""
    after: str = ""
    rules: tuple[str, ...] = ()
    examples: tuple[LabelledCase, ...] = ()

    @property
    def changes(self) -> str:
        """What it changes, in words; empty if nothing."""
        threshold = "" if self.threshold is None else f"threshold {self.threshold:g}"
        rules = f"{len(self.rules)} house rules" if self.rules else ""
        examples = f"{len(self.examples)} labelled cases" if self.examples else ""
        return ", ".join(filter(None, (threshold, rules, examples)))

    @property
    def sentence(self) -> str:
        """What was fitted to how many labels, in words."""
        fitted = f"{self.metric} is aligned with {self.labels} labels ({self.digest})"
        return f"{fitted}: {self.changes}."

    @classmethod
    def read(cls, path: str | Path) -> "Alignment":
        """Return what a file holds.

        Raises:
            DatasetError: It cannot be read, or is no alignment.
        """
        text = read_text(path)
        try:
            return cls.model_validate(tomllib.loads(text))
        except ValueError as error:
            why = " ".join(str(error).split())
            raise DatasetError(f"expected an aligned judge: {why}", file=str(path)) from None

    def write(self, path: str | Path) -> Path:
        """Write it as TOML.

        Raises:
            OutputError: The file cannot be written.
        """
        content = self.model_dump(mode="json", exclude_none=True)
        examples = content.pop("examples")
        lines = [HEAD, *map(_line, content.items())]
        for example in examples:
            lines += ["\n[[examples]]\n", *map(_line, example.items())]
        return write_whole(path, lines)

    def of(self, judge: Judge, file: str = "the alignment") -> Judge:
        """Return a judge that is asked as this says.

        Raises:
            InputError: Another model judges, the prompt has changed, or it is aligned already.
        """
        kind = {each.__name__: each for each in english_prompts()}.get(self.judgement)
        if kind is None:
            raise InputError(f"{file!r} is for a judgement that is unknown: {self.judgement!r}")
        again = f"run `rag-eval align` again, or leave {file!r} out"
        who, fingerprint = answerer_in(judge.oracle.fingerprint(kind))
        if who != self.judge:
            names = f"{answerer_name(self.judge)}, and {answerer_name(who)} judges now"
            raise InputError(f"{file!r} is for {names}; {again}")
        if fingerprint != self.prompt:
            change = (
                f"the prompt of {self.judgement!r} has changed ({self.prompt} to {fingerprint})"
            )
            raise InputError(f"{change} since {file!r} was written; {again}")
        if not (self.rules or self.examples):
            return Judge(judge.oracle, alignment=self)
        prompt = prompts_by(judge, (kind,))[kind]
        own = AlignedPrompt.of(prompt, rules=self.rules, cases=self.examples, labels=self.labels)
        return Judge(with_prompts(judge.oracle, {kind: own}), alignment=self)


def answerer_in(fingerprint: str) -> tuple[str, str]:
    """Return who answers, by the fingerprint of an oracle, and the fingerprint of its prompt.

    Example:
        >>> answerer_in("llm/m/0123456789ab/claims:fedcba9876543210")
        ('llm/m', 'fedcba9876543210')
        >>> answerer_in("embedded-rules/6")
        ('embedded-rules/6', '')
    """
    who = VOTES.sub(r"\2", fingerprint)
    if not who.startswith("llm/"):
        return who, ""
    model, *behind = who.rsplit("/", 2)
    return model, "".join(behind[-1:]).rpartition(":")[2]


def _line(field: tuple[str, object]) -> str:
    """Return a field as TOML: JSON's strings, numbers and lists are TOML's, but for one letter."""
    name, value = field
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{name} = {text.encode('utf-8', 'replace').decode()}\n"
