"""`rag-eval label`, `calibrate` and `align`: labels by people, and what they say of the judge."""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import exit_if_unscored, refuse
from llamaindex_rag_eval.cli.inputs import holds_run
from llamaindex_rag_eval.cli.judging import DryRun, Judging, Limits
from llamaindex_rag_eval.cli.options import Out, Page, Seed
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored
from llamaindex_rag_eval.errors import InputError


def label_command(
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)] = "last",
    /,
    *,
    labels: Path = Path("labels.jsonl"),
    metric: str = "",
    size: PositiveInt = 50,
    from_csv: Path | None = None,
    to_csv: Path | None = None,
    seed: Seed = 0,
    stored: Stored = Stored(),
    page: Page = Page(),
) -> None:
    """Label the answers of a run in a browser.

    On this machine alone, by keyboard: right, partly, wrong or not attempted, why, and whether
    the contexts support each claim. What the judge says is hidden until a label is saved. Half
    of the answers are drawn at random, at least 20; the others are those whose score is most
    doubtful. Several people can label into one file. `rag-eval more calibrate labels.jsonl` then
    says how far the judge can be trusted. Ctrl-C ends it; start it again to go on.

    Args:
        labels: The file of labels, JSON Lines; lines are only ever added to it.
        metric: Whose scores are checked; by default answer_verdict, or the first that reads
            answers.
        size: How many answers are chosen at a time.
        from_csv: Add the labels of this table, as --to-csv writes it, and show no page; its column
            `label` holds right, partly, wrong, not attempted, or a number from 0 to 1.
        to_csv: Write the labels, and the answers to label next, to this table for a spreadsheet,
            and show no page; it is never overwritten.
    """
    writable(labels)
    labelling = library.Labelling(stored.run(run), labels, metric=metric, size=size, seed=seed)
    if from_csv is not None:
        specs = [info.spec for info in labelling.run.metrics]
        count = labelling.take(library.read_labels(from_csv, metrics=specs), from_csv.stem)
        printer.note(f"{count} labels of {str(from_csv)!r} are in {str(labels)!r}")
    if to_csv is not None:
        count = labelling.write_csv(to_csv)
        printer.note(f"{count} answers, labelled and to label, are in {str(to_csv)!r}")
    if from_csv is not None or to_csv is not None:
        return
    serve = page.server("label", extra="ui")
    ready = page.ready(f"Labels go to {str(labels)!r}. Open it in a browser; Ctrl-C ends.")
    serve(labelling, ready=ready)


def calibrate_command(
    labels: Path,
    /,
    *,
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)] = "last",
    threshold: float | None = None,
    scale: tuple[float, float] = (0.0, 1.0),
    stored: Stored = Stored(),
) -> None:
    """Compare the judge with labels by people.

    Shown are agreement, misses, corrected means, and how many more labels these take. The judge
    helps a mean by people from 20 labels drawn at random on. A judge whose model or prompt has
    changed since the labels were given is named. `rag-eval label` takes labels; `rag-eval align`
    fits a threshold, or asks the judge again.

    Args:
        labels: Labels by people: CSV or JSON Lines with an id and a label.
        threshold: The lowest score that the judge passes.
        scale: The lowest and the highest label, as 1 5.
    """
    if holds_run(labels):
        raise InputError(
            f"{str(labels)!r} is a run; expected labels by people, as `rag-eval label {labels}` "
            f"takes them, beside --run {labels}"
        )
    judged = stored.run(run)
    names = [info.spec for info in judged.metrics]
    known = library.read_labels(labels, metrics=names, scale=scale)
    if not known:
        return printer.note(f"nothing is labelled yet in {str(labels)!r}")
    calibration = library.calibrate(judged, known, threshold=threshold)
    printer.show(*library.calibration_tables(calibration))
    return printer.data(calibration.as_json())


def align_command(
    run: Annotated[str, Parameter(metavar="RUN", help=RUN_HELP)],
    labels: Path,
    /,
    *,
    out: Out = Path("judge.toml"),
    metric: str = "answer_verdict",
    take_rules: bool = False,
    ask_again: PositiveInt | None = None,
    judging: Judging = Judging(),
    limits: Limits = Limits(),
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
        ask_again: Fit nothing: have the judge score this many labelled answers again, as 20, and
            say whether model, prompts or agreement have changed; no cache is read.
    """
    refuse({"--ask-again excludes --dry-run: it asks": ask_again and dry_run})
    judged = stored.run(run)
    known = library.read_labels(labels, metrics=[info.spec for info in judged.metrics])
    rounds = batch.rounds(judging, keyless=dry_run)
    if ask_again is not None:
        judge = rounds.judge(limits=limits)
        ask = partial(library.ask_again, judged, known, judge=judge, count=ask_again)
        again = rounds.finished(ask)
        drift = library.judge_drift(judged, again, known)
        printer.data({"drift": [entry.as_json() for entry in drift]})
        printer.show(*(line for entry in drift for line in entry.sentences))
        return exit_if_unscored([again])
    replies = library.replies_file(out)
    judge = rounds.judge(limits=limits, keyless=dry_run, beside=replies)
    usage = library.Usage() if dry_run else None
    work = partial(library.align, judged, known, metric=metric, judge=judge, usage=usage)
    if usage is not None:
        work()
        printer.data(usage.as_json())
        return printer.show("At most, as if all were accepted:", *usage_lines(usage))
    aligned = rounds.finished(partial(work, take_rules=take_rules))
    printer.data(aligned.as_json())
    agreement = f"{aligned.before.text()} with {aligned.before.n} labels drawn at random"
    printer.show(f"Agreement {agreement}; cross-validated:")
    printer.show(*(proposal.sentence for proposal in aligned.proposals), aligned.diff)
    if not aligned.alignment.changes:
        return printer.show("Nothing was changed, and no file written.")
    aligned.alignment.write(writable(out))
    model = "" if judging.llm is None else f" --llm {judging.llm}"
    return printer.show(f"Next: rag-eval evaluate answers.jsonl --judge {out}{model}")
