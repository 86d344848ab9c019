"""`rag-eval diagnose`: where right answers are lost, and what to do."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import REPLIES, Batch, Rounds
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import exit_if_unscored
from llamaindex_rag_eval.cli.inputs import answers_or_run, holds_run, questions_in
from llamaindex_rag_eval.cli.judging import DryRun, Judging, Limits
from llamaindex_rag_eval.cli.options import WORK, Out, options
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.run import AskedEngine
from llamaindex_rag_eval.errors import InputError


@options()
class Trials:
    """What is tried."""

    metric: str = "answer_verdict"
    """What says whether an answer is right: from its default threshold on."""
    control: NonNegativeInt = 20
    """How many right answers are tried, too."""
    depth: PositiveInt = 100
    """How many ranks are searched for the evidence."""
    concurrency: Annotated[PositiveInt, Parameter(group=WORK)] = 8
    """How many questions are processed at a time."""


def diagnose_command(
    questions: Path,
    labels: Path | None = None,
    /,
    *,
    out: Out = Path("diagnosis"),
    trials: Trials = Trials(),
    votes: PositiveInt = 1,
    who: AskedEngine = AskedEngine(),
    judging: Judging = Judging(),
    limits: Limits = Limits(),
    dry_run: DryRun = False,
    batch: Batch = Batch(),
) -> None:
    """Find where right answers are lost, and what to do.

    Of each wrong answer it is looked up whether the evidence is in the index, at which rank the
    retriever has it, and whether it was passed on. Then your engine answers again: from the
    evidence alone, from the evidence before all else, from the same nodes. Some right answers are
    tried, too: does the engine read, or remember? That is three calls for a wrong answer, four for
    a right one that is tried. Of a service or a function it is said whether the evidence was among
    the contexts.

    Labels sort the wrong answers of a run into failure modes, too; that alone needs no engine. With
    --llm the model sorts and names them, else words do. Rename and merge them in modes.jsonl: its
    lines stay, and give the names for later runs. `rag-eval report` shows both.

    Args:
        questions: A golden set; or answers or scores of this engine, which are not asked again.
        labels: What people say of the answers, with why, as `rag-eval label` writes it.
        out: The folder of diagnosis.html, diagnosis.json, modes.jsonl, answers and trials: run
            again after an interruption, nothing is paid for twice. Changed code takes another.
        votes: Let an LLM judge wrong answers again so many times; where the majority says right,
            the judge is the cause.
    """
    has_engine = _engine_given(who, questions, labels)
    if votes > 1 and judging.llm is None:
        raise InputError("--votes needs --llm: rules always answer the same")
    read = answers_or_run if holds_run(questions) else questions_in
    samples = read(questions).samples
    rounds = batch.rounds(judging, keyless=dry_run)
    judge = rounds.judge(limits=limits, keyless=dry_run, beside=out / REPLIES)
    model = judge if judging.llm is not None else None
    sorting = None if labels is None else partial(_sorted, questions, labels, out, model)
    if dry_run:
        return _print_most(samples if has_engine else (), trials, judge, sorting)
    lost = None
    if has_engine:
        several = judge is not None and votes > 1
        second = judge.over(rag.VotingOracle(judge.oracle, votes)) if judge and several else None
        settings = {**asdict(trials), "judge": judge, "second": second, "timeout": who.timeout}
        lost = _diagnosed(who, samples, settings, rounds, out)
    also = _print_modes(rounds.finished(sorting), out / library.MODES) if sorting else {}
    return _print_lost(lost, out / "diagnosis.json", also) if lost else printer.data(also)


def _diagnosed(
    who: AskedEngine,
    samples: "Sequence[rag.SingleTurnSample | rag.MultiTurnSample]",
    settings: dict[str, Any],
    rounds: Rounds,
    out: Path,
) -> "rag.LostAnswers":
    """Return where the answers of an engine are lost, and write it to a folder."""
    writable(out / "diagnosis.html")
    engine = who.from_options(Path.cwd())
    with printer.progress("diagnosing") as progress:
        work = partial(library.diagnose, engine, samples, **settings, out=out, progress=progress)
        lost = rounds.finished(work)
    files = library.write_lost(lost, out)
    printer.show(*library.lost_sentences(lost))
    if lost.lost:
        printer.show(library.lost_table(lost))
    printer.show(f"{' and '.join(path.name for path in files)} are in {out}/.")
    return lost


def _engine_given(who: AskedEngine, questions: Path, labels: Path | None) -> bool:
    """Return whether there is an engine to diagnose; without one, labels of a run are needed.

    Raises:
        InputError: There are two engines, or neither an engine nor labels; or labels without a run.
    """
    engines = (who.engine is not None) + (who.docs is not None)
    if engines > 1 or (engines == 0 and labels is None):
        more = "" if engines else ", or a file of labels, as `rag-eval label` writes it"
        raise InputError(f"expected either --engine MODULE:ATTRIBUTE or --docs FOLDER{more}")
    if labels is not None and not holds_run(questions):
        raise InputError(f"{str(questions)!r} has no scores; labels need those of `evaluate`")
    return engines == 1


def _sorted(
    run: Path,
    labels: Path,
    out: Path,
    judge: "rag.Judge | None",
    usage: "library.Usage | None" = None,
) -> "tuple[library.SortedFailure, ...]":
    """Return the wrong answers of a run with their modes, after those of the file of modes."""
    judged, file = rag.Run.read(run), out / library.MODES
    known = library.read_modes(file) if file.is_file() else ()
    people = library.read_labels(labels, metrics=[info.spec for info in judged.metrics])
    tried = library.diagnosis_beside(judged, out)
    work = partial(library.sort_failures, judged, people, known, diagnosis=tried)
    return work(judge=judge, usage=usage)


def _print_modes(modes: "Sequence[library.SortedFailure]", file: Path) -> dict[str, Any]:
    """Write failure modes to a file, print them, the most frequent first, and return them."""
    library.write_modes(modes, writable(file))
    counts = Counter(entry.mode for entry in modes)
    notes = {entry.mode: entry.note or entry.question for entry in reversed(modes)}
    rows = [(mode, count, notes[mode]) for mode, count in counts.most_common()]
    printer.show(library.text_table("Failure modes", ["mode"], ["answers"], "as", rows=rows))
    printer.show(f"Rename and merge them in {file}; `rag-eval report` shows them.")
    return {"modes": [entry.as_json() for entry in modes]}


SHORT = ("questions", "right", "unjudged", "reach", "reading", "causes")
"""What is printed of a diagnosis as JSON; the file has each answer, too."""


def _print_lost(lost: "rag.LostAnswers", file: Path, also: dict[str, Any]) -> None:
    """Print where answers are lost as JSON, and the file with all; exit if verdicts failed."""
    whole = lost.as_json()
    printer.data({**{key: whole[key] for key in SHORT}, "diagnosis": str(file), **also})
    exit_if_unscored([rag.Run.read(file.with_name("scores.jsonl"))])


def _print_most(
    samples: "Sequence[rag.SingleTurnSample | rag.MultiTurnSample]",
    trials: Trials,
    judge: "rag.Judge | None",
    sorting: Callable[..., object] | None,
) -> None:
    """Print what a diagnosis costs if all answers are wrong, and what sorting them does."""
    answers = library.most_answers(samples, trials.control)
    usage = library.Usage()
    if answers:
        usage = rag.estimate(answers, metrics=[trials.metric], judge=judge)
    if sorting is not None:
        sorting(usage=usage)
    calls = len(answers) - sum(sample.has("response") for sample in samples)
    printer.data({"engine_calls": calls, **usage.as_json()})
    printer.show(
        f"At most, if all answers are wrong: {library.counted(calls, 'call')} of the engine.",
        *usage_lines(usage),
    )
