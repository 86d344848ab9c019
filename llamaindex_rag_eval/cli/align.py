"""`rag-eval align`: fit a judge to labels by people."""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.judging import DryRun, Judging, PricedLimits
from llamaindex_rag_eval.cli.options import Out, Seed
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored


def align_command(
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)],
    labels: Path,
    /,
    *,
    out: Out = Path("judge.toml"),
    metric: str = "answer_verdict",
    take_rules: bool = False,
    level: Annotated[float, Parameter(validator=Number(gt=0.5, lt=1))] = 0.9,
    scale: tuple[float, float] = (0.0, 1.0),
    judging: Judging = Judging(),
    limits: PricedLimits = PricedLimits(),
    dry_run: DryRun = False,
    stored: Stored = Stored(),
    batch: Batch = Batch(),
    seed: Seed = 0,
    printer: Printer = Printer(),
) -> None:
    """Fit the judge to labels by people.

    Proposed are another threshold; labelled misses as examples, of which the nearest go with each
    case; and house rules, which the LLM distils from the reasons. Each is cross-validated over
    documents, and accepted only where agreement rises. Without --llm only the threshold is fitted,
    to the scores of the run. Use the file as --judge judge.toml.

    Args:
        labels: Labels by people with reasons (`why`): CSV or JSON Lines; 20 to 50 will do.
        out: The file of the aligned judge to write.
        metric: Which metric decides, and was labelled.
        take_rules: Take the house rules that a run before has shown and accepted.
        level: Of the intervals; that of a rise must lie above 0.
        scale: The lowest and the highest label, as 1 5.
    """
    judged = stored.run(run)
    names = [info.spec for info in judged.metrics]
    known = library.read_labels(labels, metrics=names, scale=scale)
    rounds = batch.rounds(judging, printer, keyless=dry_run)
    beside = library.replies_file(out)
    keeps = judging.llm and rounds.folder is None and (beside.exists() or not dry_run)
    judge = rounds.judge(
        limits=limits,
        keyless=dry_run,
        prices=limits.prices,
        cache=judging.cache or (str(beside) if keeps else None),
    )
    usage = library.Usage() if dry_run else None
    work = partial(
        library.align,
        judged,
        known,
        metric=metric,
        judge=judge,
        take_rules=take_rules,
        level=level,
        seed=seed,
        usage=usage,
    )
    if usage is not None:
        work()
        printer.data(usage.as_json())
        printer.show("At most, as if every change were accepted:", *usage_lines(usage))
        return
    writable(out)
    aligned = rounds.finished(work)
    printer.data(aligned.as_json())
    printer.show(*library.alignment_tables(aligned))
    if aligned.alignment is None:
        printer.show("No change was taken: no file was written.")
        return
    aligned.alignment.write(out)
    model = "" if judging.llm is None else f" --llm {judging.llm}"
    printer.show(f"Judge in {out}. Next: rag-eval evaluate answers.jsonl --judge {out}{model}")
