"""`rag-eval align`: fit a judge to labels by people."""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.judging import DryRun, Judging, PricedLimits
from llamaindex_rag_eval.cli.options import Out
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
    judging: Judging = Judging(),
    limits: PricedLimits = PricedLimits(),
    dry_run: DryRun = False,
    stored: Stored = Stored(),
    batch: Batch = Batch(),
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
    """
    judged = stored.run(run)
    known = library.read_labels(labels, metrics=[info.spec for info in judged.metrics])
    rounds = batch.rounds(judging, keyless=dry_run)
    paid = judging.llm is not None and rounds.folder is None and not dry_run
    cache = judging.cache or (str(library.replies_file(out)) if paid else None)
    judge = rounds.judge(limits=limits, keyless=dry_run, prices=limits.prices, cache=cache)
    usage = library.Usage() if dry_run else None
    work = partial(library.align, judged, known, metric=metric, judge=judge, usage=usage)
    if usage is not None:
        work()
        printer.data(usage.as_json())
        return printer.show("At most, as if all were accepted:", *usage_lines(usage))
    aligned = rounds.finished(partial(work, take_rules=take_rules))
    printer.data(aligned.as_json())
    agreement = f"{library.figure(aligned.before)} with {aligned.before.n} labels drawn at random"
    printer.show(f"Agreement {agreement}; cross-validated:")
    printer.show(*(proposal.sentence for proposal in aligned.proposals), aligned.diff)
    if not aligned.alignment.changes:
        return printer.show("Nothing was changed, and no file written.")
    aligned.alignment.write(writable(out))
    model = "" if judging.llm is None else f" --llm {judging.llm}"
    return printer.show(f"Next: rag-eval evaluate answers.jsonl --judge {out}{model}")
