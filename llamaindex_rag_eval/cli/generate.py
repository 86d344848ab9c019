"""`rag-eval generate`: documents in, a golden set out."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from llamaindex_rag_eval.cli import generate_options, options
from llamaindex_rag_eval.cli.batch import batch_folder, finished
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.cost import estimate_table
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import judge_from, lines_in, names_in, people_in
from llamaindex_rag_eval.cli.on_ray import prepared_on
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.cli.llm_options import LlmOptions
    from llamaindex_rag_eval.models.batch import BatchFolder
    from testset import Corpus, GoldenSet, Options
    from testset.generation.config import Progress

STEPS = 4
"""How often all that is missing is written at once, over batch files. Where three questions of five
are accepted, three of a hundred are missing after four steps: 0.4 ** 4 = 0.026."""

STAGES = {"plan": "preparing documents", "write": "writing questions"}
"""What is said of the stages that take long."""


def generate_command(
    docs: generate_options.Docs,
    out: generate_options.GeneratedOut = None,
    size: options.Size = 50,
    seed: options.Seed = 7,
    types: generate_options.Types = None,
    language: generate_options.Language = None,
    extend: generate_options.Extend = None,
    traffic: generate_options.Traffic = None,
    log: generate_options.QuestionLog = None,
    personas: generate_options.Personas = None,
    style: generate_options.Style = None,
    seed_examples: generate_options.SeedExamples = None,
    max_by_heart: generate_options.MaxByHeart = None,
    fill: generate_options.Fill = False,
    retriever: generate_options.DeployedRetriever = None,
    embed: generate_options.SearchEmbed = None,
    dry_run: options.DryRun = False,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    card: generate_options.CardOut = None,
    journal: generate_options.Journal = None,
    llm: options.Llm = None,
    checker: options.Checker = None,
    cache: options.Cache = None,
    batch: options.Batch = None,
    batch_submit: options.BatchSubmit = False,
    batch_format: options.BatchFormat = None,
    on: generate_options.PrepareOn = None,
    workers: generate_options.PrepareWorkers = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Write questions, reference answers and gold spans from documents.

    With --llm, that model writes and verifies; without it, rules write plain questions.
    A generation that was interrupted goes on where it stopped, by a journal beside the golden set.
    An index in the folder of the documents, .rag-eval/index, makes the next run quick.
    """
    printer = Printer(quiet=quiet, as_json=as_json)
    out = out or extend or Path("golden.jsonl")
    folder = batch_folder(batch, batch_submit, batch_format, llm)
    config: Options = {
        "size": size,
        "seed": seed,
        "types": names_in(types) or None,  # type: ignore[typeddict-item]  # checked there
        "language": language,
        **_voices(llm, personas, style, seed_examples, fill),
        **_asking(llm, cache, checker, (max_calls, max_tokens, max_cost), folder, max_by_heart),
        **(_files(extend, traffic, log) | _searches(retriever, embed)),
    }
    with prepared_on(on, workers):
        corpus = _corpus(docs, config)
        if dry_run:
            return _print_estimate(corpus, config, _earlier(journal, out), printer)
        _print_forecast(corpus, llm, (out, card), printer)
        work = partial(write_golden, corpus, out, config, printer, journal=journal, extended=extend)
        _write_card(golden := finished(work, folder, llm, batch_submit, printer), card)
    return _print_golden(golden, docs, out, printer)


def _voices(
    llm: object, personas: str | None, style: str | None, examples: Path | None, fill: bool
) -> "Options":
    """Return who asks and how, and whether rules fill up: what only a model can be asked for."""
    if llm is None and (personas or style or examples or fill):
        raise InputError("--personas, --style, --seed-examples and --fill need --llm")
    return {
        "fill": fill,
        "personas": None if personas is None else people_in(personas),
        "styles": names_in(style) or None,
        "examples": () if examples is None else lines_in(examples),
    }


def _files(extend: Path | None, traffic: Path | None, log: Path | None) -> "Options":
    """Return the set that is extended, the traffic and the log, as their files have them."""
    from testset import GoldenSet, QueryLog, Traffic

    return {
        "extend": None if extend is None else GoldenSet.read(extend),
        "traffic": None if traffic is None else Traffic.read(traffic),
        "log": None if log is None else QueryLog.read(log),
    }


def _asking(
    llm: "LlmOptions | None",
    cache: str | None,
    checker: str | None,
    limits: tuple[int | None, int | None, float | None],
    folder: "BatchFolder | None",
    max_by_heart: float | None,
) -> "Options":
    """Return who judges, how much may be known by heart, and the steps over batch files."""
    return {
        "judge": judge_from(llm, cache, checker=checker, limits=limits, batch=folder),
        "max_by_heart": max_by_heart,
        "steps": None if folder is None else STEPS,
    }


def _searches(retriever: str | None, embed: str | None) -> "Options":
    """Return what else searches the documents."""
    found: Options = {}
    if retriever is not None:
        from llamaindex_rag_eval.engines.retrieval import retriever_at

        found["retriever"] = retriever_at(retriever)
    if embed is not None:
        from llamaindex_rag_eval.models.by_name import embed_model_at

        found["embed_model"] = embed_model_at(embed)
    return found


def _corpus(docs: Path, config: "Options") -> "Corpus":
    """Return the documents; invalid options are an error before they are read."""
    from testset import Corpus
    from testset.generation.config import GenerationConfig

    GenerationConfig(**config)
    return Corpus.of(docs)


def _print_forecast(
    corpus: "Corpus", llm: object, places: tuple[Path | None, ...], printer: Printer
) -> None:
    """Say what rules can write, if no LLM does and what they write has a place."""
    from testset.generation.forecast import forecast

    for path in filter(None, places):
        writable(path)
    if llm is None:
        printer.note(f"rules can write {forecast(corpus)}")


def _earlier(journal: Path | None, out: Path) -> Path | None:
    """Return what an earlier generation left here: its journal, or else its golden set."""
    places = (_journal_of(journal, out), out)
    return next((place for place in places if place.is_file()), None)


def _journal_of(journal: Path | None, out: Path) -> Path:
    return journal or out.with_name(f"{out.name}.journal")


def _print_estimate(
    corpus: "Corpus", config: "Options", earlier: Path | None, printer: Printer
) -> None:
    from testset import estimate

    with _progress(printer) as progress:
        shown: Options = {**config, "progress": progress}
        found = estimate(corpus, earlier=earlier, **shown)
    _print_remarks(corpus, printer)
    rows = (*found.stages, found.total, found.low, found.high)
    data: dict[str, JsonValue] = {
        row.name: {"calls": row.calls, "tokens": row.tokens, "cost": row.cost} for row in rows
    }
    printer.data({**data, "source": found.source})
    printer.show(estimate_table(found))


@contextmanager
def _progress(printer: Printer) -> "Iterator[Progress]":
    """Show what is being done, of the stages that take long."""
    with printer.progress_by_name("") as report:

        def progress(stage: str, done: int, total: int) -> None:
            if stage == "write" or (stage == "plan" and done < total):
                report(STAGES[stage], done, total)

        yield progress


def write_golden(
    corpus: "Corpus",
    out: Path,
    config: "Options",
    printer: Printer,
    *,
    journal: Path | None = None,
    extended: Path | None = None,
) -> "GoldenSet":
    """Write a golden set, and print what was left out and what could not be filled."""
    from testset import generate
    from testset.generation.extension import write_extended
    from testset.golden.golden_set import write_report

    checkpoint = _journal_of(journal, out)
    with _progress(printer) as progress:
        everything: Options = {**config, "journal": checkpoint, "progress": progress}
        golden = generate(corpus, **everything)
    _print_remarks(corpus, printer)
    if extended is None:
        golden.write(out)
    else:
        write_extended(golden, extended, out)
    write_report(golden, out)
    _print_losses(golden, checkpoint, printer)
    if journal is None and not golden.facts.get("stopped"):
        checkpoint.unlink(missing_ok=True)
    return golden


def _print_remarks(corpus: "Corpus", printer: Printer) -> None:
    for remark in () if corpus.index is None else corpus.index.remarks:
        printer.note(remark)


def _print_losses(golden: "GoldenSet", checkpoint: Path, printer: Printer) -> None:
    from llamaindex_rag_eval.report.numbers import counted

    stopped, lost = golden.facts.get("stopped", ""), golden.facts.get("nodes in no document", "0")
    if lost != "0":
        printer.note(
            f"{lost} of the {golden.facts['retrieved nodes']} nodes that "
            f"{golden.facts['retriever']} found stand in no document"
        )
    for path, reason in golden.skipped:
        printer.note(f"left out {path}: {reason}")
    if stopped:
        printer.note(f"stopped: {stopped}; run it again to go on from {checkpoint}")
    if len(golden) < golden.size:
        reasons = {cell.reason for cell in golden.shortfall}
        same = f" {reasons.pop()}" if len(reasons) == 1 else ""
        size = counted(golden.size, "question")
        printer.note(f"{len(golden)} of {size} could be written:{same}")
        for cell in golden.shortfall if len(golden) else ():
            why = "" if same else f": {cell.reason}"
            printer.note(f"  {cell.topic}, {cell.type}: {cell.got} of {cell.wanted}{why}")


def _write_card(golden: "GoldenSet", card: Path | None) -> None:
    """Write the data card, if one was asked for."""
    from testset import data_card

    if card is not None:
        card.write_text(data_card(golden), encoding="utf-8")


def _print_golden(golden: "GoldenSet", docs: Path, out: Path, printer: Printer) -> None:
    from llamaindex_rag_eval.report.numbers import counted

    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "new": int(golden.facts.get("new items", len(golden))),
            "size": golden.size,
            "skipped": [list(entry) for entry in golden.skipped],
        }
    )
    hint = f" Next: rag-eval run {out} --docs {docs}" if len(golden) else ""
    new = golden.facts.get("new items")
    of_them = f", {new} of them new" if new else ""
    printer.show(f"{counted(len(golden), 'question')} in {out}{of_them}.{hint}")
    if len(golden) < golden.size:
        raise typer.Exit(Exit.STOPPED if golden.facts.get("stopped") else Exit.PARTLY)
