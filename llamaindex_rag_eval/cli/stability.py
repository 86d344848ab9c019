"""`rag-eval stability`: does the same judge give the same verdicts again?"""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import names_in
from llamaindex_rag_eval.cli.judging import Judging
from llamaindex_rag_eval.cli.options import Images, Metrics
from llamaindex_rag_eval.errors import InputError


def stability_command(
    answers: Path,
    /,
    *,
    judging: Judging = Judging(),
    repeats: Annotated[int, Parameter(alias="-r", validator=Number(gte=2))] = 5,
    metrics: Metrics = None,
    images: Images = None,
    batch: Batch = Batch(),
    printer: Printer = Printer(),
) -> None:
    """Judge the same answers several times: how often does a verdict flip?

    Args:
        answers: Answers: JSON Lines, CSV or JSON.
        repeats: How often each sample is judged.
    """
    rounds = batch.rounds(judging, printer)
    judge = judging.judge(batch=rounds.folder)
    if judging.llm is None or judge is None:
        raise InputError(
            "embedded rules always judge the same; name a model, as --llm openai:gpt-4o-mini"
        )
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.decisions.stability import stability
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
    from llamaindex_rag_eval.report.calibration_tables import stability_table

    read = EvaluationDataset.read(answers)
    samples = read if images is None else read.with_images(images)
    names = names_in(metrics) or DEFAULT_METRICS
    work = partial(stability, samples, metrics=names, judge=judge, repeats=repeats)
    found = rounds.finished(work)
    printer.show(stability_table(found))
    printer.data([one.as_json() for one in found])
