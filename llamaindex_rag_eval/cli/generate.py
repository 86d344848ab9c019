"""`rag-eval generate`: documents in, a golden set out."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import Batch
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit, refuse
from llamaindex_rag_eval.cli.inputs import names_in
from llamaindex_rag_eval.cli.judging import Checking, DryRun, Limits
from llamaindex_rag_eval.cli.options import (
    MODEL,
    VOICES,
    WORK,
    Cluster,
    Encoding,
    OptionalOut,
    Retriever,
    Seed,
    Size,
    options,
)
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError


@options()
class Wanted:
    """What the set is to contain."""

    size: Size = 50
    types: str | None = None
    """Question types, as 'single_hop,table'."""
    language: str | None = None
    """Ask in this language only, as 'en'."""
    seed: Seed = 7
    extend: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """A golden set that grows to --size, without its rejected and stale items: its lines stay byte
    for byte, documents without questions come first, nothing is asked twice."""
    mode: Annotated[str | None, Parameter(metavar="NAME")] = None
    """With --extend: ask about topics like those of the wrong answers of this failure mode, which
    modes.jsonl beside the set, or in a folder there, says (`rag-eval diagnose`)."""
    retriever: Retriever = None
    """Your retriever or query engine over these documents, a function that returns one, or the URL
    of a service that replies with contexts: difficulty is measured by it, and other answers and
    hard negatives are looked for in what it finds."""
    embed: Annotated[str | None, Parameter(metavar="NAME", group=MODEL)] = None
    """An embedding model that searches beside BM25 for other answers, and by which difficulty is
    measured; named as in `rag-eval evaluate --embed`."""

    def config(self) -> "testset.Options":
        """Return what is wanted, files as what they contain."""
        options: testset.Options = {
            "size": self.size,
            "seed": self.seed,
            "types": names_in(self.types) or None,  # type: ignore[typeddict-item]  # checked there
            "language": self.language,
            "extend": None if self.extend is None else _with_reserve(self.extend),
            "near": self._near(),
        }
        if self.retriever is not None:
            options["retriever"] = library.retriever_at(self.retriever)
        if self.embed is not None:
            options["embed_model"] = rag.embed_model_at(self.embed)
        return options

    def _near(self) -> list[str]:
        """Return the questions of the failure mode."""
        if self.mode is None:
            return []
        if self.extend is None:
            raise InputError("--mode needs the set that grows, --extend FILE")
        files = library.files_beside(self.extend.parent, library.MODES)[:1]
        failures = [failure for file in files for failure in library.read_modes(file)]
        near = [failure.question for failure in failures if failure.mode == self.mode]
        if not any(near):
            known = ", ".join(sorted({failure.mode for failure in failures})) or "none"
            raise InputError(
                f"no failure mode {self.mode!r} beside {self.extend}; there are: {known}"
            )
        return near


def _with_reserve(path: Path) -> "testset.GoldenSet":
    """Return a golden set with what passed beside it and was not wanted yet."""
    return library.with_report(testset.GoldenSet.read(path), path)


@options(group=VOICES)
class Voices:
    """Who asks, and how; most of it only a model can be asked for."""

    personas: Annotated[str | None, Parameter(metavar="A,B")] = None
    """Who asks: names by commas (with --llm)."""
    max_by_heart: Annotated[float | None, Parameter(validator=Number(gte=0, lte=1))] = None
    """Share of the set that the model may answer without documents (with --llm); by default the
    model is not asked."""
    fill: bool = False
    """Let rules write what the model leaves because of its budget (with --llm)."""
    traffic: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """Who asks what, as YAML, in place of --types and --personas: under 'categories' a list, each
    with its 'share' in percent and any of 'user', 'type', 'kind', 'style', 'language', 'difficulty'
    (easy, medium, hard), 'length' (short, medium, long): a value, a list, or values with shares, as
    {easy: 70, hard: 30}."""
    log: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """Questions that people asked, .csv or .jsonl with 'query', in place of --traffic: the LLM says
    who asks what, and how. None is copied into the set; `rag-eval golden add` does that."""

    brief: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    """Who asks what, in plain words: the LLM makes --traffic of it, which --dry-run shows."""

    def config(self, llm: str | None) -> "testset.Options":
        """Return who asks and how, files as what they contain."""
        if llm is None and (self.personas or self.fill):
            raise InputError("--personas and --fill need --llm")
        return {
            "fill": self.fill,
            "personas": names_in(self.personas) or None,
            "max_by_heart": self.max_by_heart,
            "traffic": None if self.traffic is None else testset.Traffic.read(self.traffic),
            "brief": None if self.brief is None else library.brief_at(self.brief),
            "log": None if self.log is None else testset.QueryLog.read(self.log),
        }


STEPS = 2
"""How often what is missing is written and examined over batch files: in five rounds at most."""

STAGES = {"plan": "preparing documents", "write": "writing questions"}
"""What is said of the stages that take long."""

MOST_SHORT = 5
"""Topics with too few questions that are named; the data card has all."""
MOST_NAMED = 3
"""Files that are named with the reason why they were left out; the data card has all."""
ACCOUNT = ("model calls", "tokens", "cost")
"""What the calls of models have cost, by the names that the data card has."""


def generate_command(
    docs: Path,
    /,
    *,
    out: OptionalOut = None,
    writer: Checking = Checking(),
    wanted: Wanted = Wanted(),
    encoding: Encoding = None,
    limits: Limits = Limits(),
    dry_run: DryRun = False,
    voices: Voices = Voices(),
    batch: Batch = Batch(),
    on: Cluster = None,
    workers: Annotated[PositiveInt | None, Parameter(group=WORK)] = None,
) -> None:
    """Write a golden set from documents.

    That is questions with reference answers and the passages that answer them. With --llm, that
    model writes and verifies them; without it, rules ask only for values that recur in labels and
    tables, on most documents for nothing. A journal beside the golden set lets an interrupted run
    go on; .rag-eval/index makes it quick.

    Args:
        docs: A folder of documents, or one document.
        out: By default golden.jsonl, or the set that is extended.
        on: Read, cut and count documents on a Ray cluster that sees them at the same path.
        workers: Processes that read documents and ask by rules; by default one on each core, where
            there is enough to do. The set is the same for any number.
    """
    out = out or wanted.extend or Path("golden.jsonl")
    keyless = dry_run and voices.brief is None
    rounds = batch.rounds(writer, keyless=keyless)
    config: testset.Options = {
        **voices.config(writer.llm),
        "judge": rounds.judge(limits=limits, keyless=keyless),
        "steps": None if rounds.folder is None else STEPS,
        **wanted.config(),
    }
    alone = "--workers is for this machine: leave it out beside --on"
    refuse({alone: on is not None and workers is not None})
    with library.working_on(on, workers):
        options = library.GenerationConfig(**config)  # says what is invalid before reading
        corpus = testset.Corpus.of(docs, encoding=encoding)
        if dry_run:
            earlier = (file for file in (_journal_of(out), out) if file.is_file())
            estimated = partial(_estimated, corpus, out, config, next(earlier, None))
            return _print_estimate(corpus, estimated() if keyless else rounds.finished(estimated))
        writable(out)
        if writer.llm is None:
            size, language, types = options.wanted, options.language, options.type_shares
            forecast = library.forecast(corpus, size=size, language=language, types=types)
            printer.note(f"rules can write {forecast}")
        work = partial(write_golden, corpus, out, config, extended=wanted.extend)
        golden = rounds.finished(work)
    return _print_golden(golden, docs, out)


def _journal_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.journal")


def _estimated(
    corpus: "testset.Corpus", out: Path, config: "testset.Options", earlier: Path | None
) -> "testset.Estimate":
    with _progress() as progress:
        shown: testset.Options = {**config, "progress": progress}
        if config.get("brief"):
            shown["journal"] = _journal_of(out)  # where the generation finds what was read of it
        return testset.estimate(corpus, earlier=earlier, **shown)


def _print_estimate(corpus: "testset.Corpus", estimate: "testset.Estimate") -> None:
    _print_remark(corpus)
    data: dict[str, library.JsonValue] = {
        row.name: {"calls": row.calls, "tokens": row.tokens, "cost": row.cost}
        for row in (*estimate.stages, estimate.total, estimate.low, estimate.high)
    }
    traffic = {} if estimate.traffic is None else {"traffic": asdict(estimate.traffic)}
    printer.data({**data, "source": estimate.source, **traffic})
    for category in () if estimate.traffic is None else estimate.traffic.categories:
        printer.show(str(category))
    printer.show(_estimate_table(estimate))


def _estimate_table(estimate: "testset.Estimate") -> "library.Table":
    """Return what generating a golden set would cost, a row a stage."""
    columns = ("calls", "tokens", "dollars", "in batch files (--batch)")
    rows = []
    for row in (*estimate.stages, estimate.total, estimate.low, estimate.high):
        shares = () if row.cost is None else (1, library.BATCH_SHARE)
        costs = [f"{(row.cost or 0) * share:.3f}" for share in shares] or ["unknown"] * 2
        rows.append((row.name, f"{row.calls:,}", f"{row.tokens:,}", *costs))
    notes = [f"low and high as {estimate.source}"] if estimate.source else []
    title = "what it would cost, about"
    return library.text_table(title, ["stage"], columns, rows=rows, notes=notes)


@contextmanager
def _progress() -> "Iterator[testset.Progress]":
    """Show what is being done, of the stages that take long."""
    with printer.progress_by_name("") as report:

        def progress(stage: str, done: int, total: int) -> None:
            if stage == "write" or (stage == "plan" and done < total):
                report(STAGES[stage], done, total)

        yield progress


def write_golden(
    corpus: "testset.Corpus",
    out: Path,
    config: "testset.Options",
    *,
    extended: Path | None = None,
) -> "testset.GoldenSet":
    """Write a golden set, and print what was left out and what could not be filled."""
    replies = _journal_of(out)
    with _progress() as progress:
        everything: testset.Options = {**config, "journal": replies, "progress": progress}
        golden = testset.generate(corpus, **everything)
    _print_remark(corpus)
    if extended is not None:
        library.write_extended(golden, extended, out)
    elif golden.items:
        golden.write(out)
    if golden.items:
        library.write_report(golden, out)
    _print_losses(golden, replies)
    if not golden.facts.get("stopped"):
        library.remove_journal(replies)
    return golden


def _print_remark(corpus: "testset.Corpus") -> None:
    if corpus.index is not None and corpus.index.remark:
        printer.note(corpus.index.remark)


def _print_losses(golden: "testset.GoldenSet", replies: Path) -> None:
    stopped, lost = golden.facts.get("stopped", ""), golden.facts.get("nodes in no document", "0")
    if lost != "0":
        printer.note(
            f"{lost} of the {golden.facts['retrieved nodes']} nodes that "
            f"{golden.facts['retriever']} found stand in no document"
        )
    skipped: dict[str, list[str]] = defaultdict(list)
    for path, reason in golden.skipped:
        skipped[reason].append(path)
    for reason, paths in skipped.items():
        more = f" and {len(paths) - MOST_NAMED} more" if paths[MOST_NAMED:] else ""
        printer.note(f"left out {', '.join(paths[:MOST_NAMED])}{more}: {reason}")
    if stopped:
        printer.note(f"stopped: {stopped}; run it again to go on from {replies}")
    if len(golden.in_use) < golden.size:
        reasons = {cell.reason for cell in golden.shortfall}
        same = f" {reasons.pop()}" if len(reasons) == 1 else ""
        size = library.counted(golden.size, "question")
        printer.note(f"{len(golden.in_use)} of {size} could be written:{same}")
        cells = golden.shortfall if len(golden) else ()
        for cell in cells[:MOST_SHORT]:
            why = "" if same else f": {cell.reason}"
            printer.note(f"  {cell.topic}, {cell.type}: {cell.got} of {cell.wanted}{why}")
        if len(cells) > MOST_SHORT:
            printer.note(f"  and {len(cells) - MOST_SHORT} more, in the data card")


def _print_golden(golden: "testset.GoldenSet", docs: Path, out: Path) -> None:
    account = {name: golden.facts[name] for name in ACCOUNT if name in golden.facts}
    printer.data(
        {
            "golden": str(out),
            "items": len(golden),
            "new": int(golden.facts.get("new items", len(golden))),
            "size": golden.size,
            "skipped": [list(entry) for entry in golden.skipped],
            "account": {**account},
        }
    )
    if account:
        printer.note("; ".join(f"{name}: {value}" for name, value in account.items()))
    if golden.reserve:
        spares = library.counted(len(golden.reserve), "spare question")
        printer.note(f"{spares} kept beside it; --extend takes those of a missing type")
    new = golden.facts.get("new items")
    of_them = f", {new} of them new" if new else ""
    count = f"{library.counted(len(golden), 'question')} in {out}{of_them}."
    hint = f"Next: rag-eval run {out} --docs {docs}"
    printer.show(
        f"{count} {hint}" if len(golden) else f"There is no question: no {out} is written."
    )
    if len(golden.in_use) < golden.size:
        raise SystemExit(Exit.STOPPED if golden.facts.get("stopped") else Exit.PARTLY)
