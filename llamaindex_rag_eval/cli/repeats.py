"""Repeated judging: the same answers judged several times, to see what the judge alone moves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.stability import stability_data, stability_table
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.cli.screen import Screen
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.runs.run import Run

__all__ = ["Repeats", "judges_of", "judging_file", "noise_data", "show_noise"]

Repeats = Annotated[
    int,
    typer.Option(
        "--repeats",
        min=1,
        help="Judge so many times, independently, and say how far scores are the judge's mood; "
        "the first judging is the result.",
    ),
]


def judges_of(judge: "Judge | None", repeats: int, *, votes: int = 1) -> "list[Judge | None]":
    """Return who judges each time.

    Args:
        judge: Who judges; `None` stands for the embedded rules.
        repeats: How often.
        votes: How many votes a judgement takes.

    Raises:
        InputError: Rules are asked to judge again, or votes are.
    """
    if repeats == 1:
        return [judge]
    if judge is None:
        raise InputError("--repeats needs --llm: rules always answer the same")
    if votes > 1:
        raise InputError("--repeats and --votes exclude one another: votes are repeats already")
    from llamaindex_rag_eval.calibration.stability import repeat_judge
    from llamaindex_rag_eval.judge import judge_of

    repeat = repeat_judge(judge)
    return [judge_of(repeat(number)) for number in range(1, repeats + 1)]


def judging_file(kept: Path, number: int) -> Path:
    """Return where a judging is kept, from 1; the first is the run itself.

    Example:
        >>> judging_file(Path("scores.jsonl"), 2).name
        'scores.judging-2.jsonl'
    """
    return kept if number == 1 else kept.with_suffix(f".judging-{number}{kept.suffix}")


def show_noise(screen: "Screen", runs: "Sequence[Run]") -> None:
    """Show how far several judgings of the same answers agree; nothing for one."""
    if len(runs) < 2:
        return
    from llamaindex_rag_eval.calibration.stability import stability_of

    screen.show(f"Judged {len(runs)} times:", stability_table(stability_of(runs)))


def noise_data(runs: "Sequence[Run]") -> "dict[str, JsonValue]":
    """Return the same as plain data, under `stability`; nothing for one judging."""
    if len(runs) < 2:
        return {}
    from llamaindex_rag_eval.calibration.stability import stability_of

    return {"stability": [stability_data(one) for one in stability_of(runs)]}
