"""`rag-eval stability`: does the same judge give the same verdicts again?"""

from functools import partial
from typing import Annotated

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.batch import batch_folder, finished
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import judge_from, names_in
from llamaindex_rag_eval.errors import InputError

JudgeRepeats = Annotated[
    int, Option("--repeats", "-r", min=2, help="How often each sample is judged.")
]


def stability_command(
    answers: options.Answers,
    llm: options.Llm = None,
    checker: options.Checker = None,
    repeats: JudgeRepeats = 5,
    metrics: options.Metrics = None,
    embed: options.Embed = None,
    cache: options.Cache = None,
    batch: options.Batch = None,
    batch_submit: options.BatchSubmit = False,
    batch_format: options.BatchFormat = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Judge the same answers several times: how often does a verdict flip?"""
    folder = batch_folder(batch, batch_submit, batch_format, llm)
    judge = judge_from(llm, cache, checker=checker, embed=embed, batch=folder)
    if llm is None or judge is None:
        raise InputError(
            "embedded rules always judge the same; name a model, as --llm openai:gpt-4o-mini"
        )
    from llamaindex_rag_eval.calibration.stability import stability
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
    from llamaindex_rag_eval.report.calibration_tables import stability_table

    printer = Printer(quiet=quiet, as_json=as_json)
    samples = EvaluationDataset.read(answers)
    names = names_in(metrics) or DEFAULT_METRICS
    work = partial(stability, samples, metrics=names, judge=judge, repeats=repeats)
    found = finished(work, folder, llm, batch_submit, printer)
    printer.show(stability_table(found))
    printer.data([one.as_json() for one in found])
