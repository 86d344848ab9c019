"""`rag-eval more traces`: what a tracing tool recorded becomes answers to evaluate."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import refuse
from llamaindex_rag_eval.cli.options import Out, Seed, options
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError


@options()
class Masking:
    """What personal data is masked."""

    mask: Annotated[list[str] | None, Parameter(metavar="NAME=REGEX")] = None
    """More personal data to mask, as 'STAFF=S-[0-9]{6}'; EMAIL, PHONE, CARD or IBAN as the name
    replaces what is masked by default. Several times for several."""
    keep_personal_data: bool = False
    """Mask nothing; texts stay as they were traced."""

    def masker(self) -> "rag.Masker | None":
        """Return what masks texts; `None` if they stay.

        Raises:
            InputError: A pattern is no regular expression, or the options contradict each other.
        """
        if not self.keep_personal_data:
            return rag.Masker(_patterns(self.mask or ()))
        refuse({"--mask and --keep-personal-data exclude each other": self.mask})
        return None


def traces_command(
    files: list[Path],
    /,
    *,
    out: Out = Path("answers.jsonl"),
    sample: PositiveInt | None = None,
    seed: Seed = 0,
    keep_repeats: bool = False,
    masking: Masking = Masking(),
) -> None:
    """Read traces of other tools as answers to evaluate.

    An answer has its question, contexts, tool calls, tokens, cost and times. OpenInference and
    OpenTelemetry GenAI spans are read from OTLP JSON, Phoenix (JSON, JSON Lines, or its data
    frame as Parquet), MLflow and Langfuse; a file says itself which it is. E-mail addresses,
    phone numbers, card numbers and IBANs are masked.

    The answers are scored by `rag-eval evaluate answers.jsonl`; `rag-eval golden add golden.jsonl
    answers.jsonl` makes questions of a golden set of them.

    Args:
        files: Traces: .json, .jsonl or .parquet files.
        out: The answers to write, JSON Lines.
        sample: Take so many traces at random; by default all.
        keep_repeats: Keep traces with the question and the answer of another; by default they are
            one.
    """
    masker = masking.masker()
    if out.resolve() in [file.resolve() for file in files]:
        raise InputError(f"--out {str(out)!r} is one of the traces; expected another file")
    writable(out)
    traced = rag.read_traces(
        files,
        sample=sample,
        seed=seed,
        keep_repeats=keep_repeats,
        masker=masker,
    )
    if not traced.samples:
        raise InputError(f"none of {traced.traces} traces asks a question")
    traced.samples.write_jsonl(out)
    silent = len(traced.without_question)
    printer.show(f"{len(traced.samples)} answers of {traced.traces} traces in {out}.")
    if traced.repeats:
        printer.show(f"{traced.repeats} traces repeat another and are one with it.")
    if silent:
        printer.note(f"{silent} traces ask no question and are left out.")
    counts = {"traces": traced.traces, "repeats": traced.repeats, "without_question": silent}
    printer.data({"answers": str(out), "questions": len(traced.samples), **counts})


def _patterns(given: Sequence[str]) -> dict[str, str]:
    """Return the user's patterns by their names.

    Example:
        >>> _patterns([r"STAFF=S-[0-9]{6}"])
        {'STAFF': 'S-[0-9]{6}'}
    """
    named = [text.partition("=") for text in given]
    for name, sign, pattern in named:
        if not (name.isidentifier() and sign and pattern):
            raise InputError(f"--mask expects NAME=REGEX, as 'STAFF=S-[0-9]{{6}}', got {name!r}")
    return {name: pattern for name, _, pattern in named}
