"""`rag-eval stability`: does the same judge say the same again?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Metrics, Quiet, named_metrics
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.table import Table

    from llamaindex_rag_eval.calibration.stability import Stability

__all__ = ["stability_command", "stability_data", "stability_table"]


def stability_command(
    answers: Annotated[Path, typer.Argument(help="Samples with their answers.")],
    llm: Llm = None,
    repeats: Annotated[
        int, typer.Option("--repeats", "-r", min=2, help="How often each is judged.")
    ] = 5,
    metrics: Metrics = None,
    cache: Cache = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Judge the same answers several times: how often does a verdict flip?"""
    judge = judge_from(llm, cache)
    if judge is None:
        raise InputError(
            "embedded rules always judge the same; name a model, as --llm openai:gpt-4o-mini"
        )
    from llamaindex_rag_eval.calibration.stability import stability
    from llamaindex_rag_eval.data.dataset import EvaluationDataset

    screen = Screen(quiet=quiet, as_json=as_json)
    samples = EvaluationDataset.read(answers)
    wanted = {"metrics": names} if (names := named_metrics(metrics)) else {}
    found = stability(samples, judge=judge, repeats=repeats, **wanted)
    screen.show(stability_table(found))
    screen.data([stability_data(one) for one in found])


def stability_table(found: "Sequence[Stability]") -> "Table":
    """Return how far a judge agrees with itself, a row a metric."""
    from rich.table import Table
    from rich.text import Text

    from llamaindex_rag_eval.report.numbers import interval, number

    table = Table(caption="judge share: how much of the variance of scores is the judge's mood")
    table.add_column("metric")
    columns = ("samples", "flip rate", "95% interval", "spread of means", "judge share", "partly")
    for column in columns:
        table.add_column(column, justify="right")
    for one in found:
        ends = one.flip_rate.interval
        table.add_row(
            Text(one.metric.spec),
            str(one.n),
            number(one.flip_rate.value),
            interval(ends.low, ends.high) if ends else interval(None, None),
            number(one.spread),
            number(one.judge_share),
            str(one.incomplete),
        )
    return table


def stability_data(one: "Stability") -> "JsonValue":
    """Return how far a judge agrees with itself on one metric, as plain data."""
    return {
        "metric": one.metric.spec,
        "repeats": one.repeats,
        "samples": one.n,
        "incomplete": one.incomplete,
        "threshold": one.threshold,
        "flip_rate": one.flip_rate.value,
        "means": list(one.means),
        "judge_deviation": one.judge_deviation,
        "judge_share": one.judge_share,
    }
