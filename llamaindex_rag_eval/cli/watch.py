"""`rag-eval more watch`: score live traffic as it is traced, and raise an alarm when it falls."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter
from cyclopts.types import PositiveInt

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit, exit_if_unscored, refuse
from llamaindex_rag_eval.cli.inputs import questions_in
from llamaindex_rag_eval.cli.judging import Judging, Limits
from llamaindex_rag_eval.cli.options import Metrics, OptionalOut, ToolOptions, options
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import Stored
from llamaindex_rag_eval.cli.traces import Masking
from llamaindex_rag_eval.errors import InputError


@options()
class Source:
    """Where traces come from, and which are scored."""

    source: Annotated[str, Parameter(name="--from", metavar="TOOL")] = ""
    """Read the traces of this tool in place of files: phoenix or langfuse."""
    share: float = 1.0
    """The share of traces that is scored, as 0.1."""
    sample: PositiveInt | None = None
    """Score at most this many answers in a pass; the others wait for the next."""
    within: Annotated[str, Parameter(metavar="DURATION")] = "1d"
    """How far back the traces of a tool are read."""
    tool: ToolOptions = ToolOptions()
    masking: Masking = Masking()

    def reader(self, files: Sequence[Path]) -> Callable[[], Sequence[Any]]:
        """Return what reads the traces of a pass.

        Raises:
            InputError: There are neither files nor a tool, or both; or a duration is none.
        """
        if bool(files) == bool(self.source):
            raise InputError("expected files of traces, or --from with phoenix or langfuse")
        within = timedelta(seconds=library.read_duration(self.within, "--within"))
        if not self.source:
            return lambda: files
        tool = self.tool.tool(self.source)
        return lambda: tool.read_spans(datetime.now(timezone.utc) - within)


@options(group=Group("Alarm", sort_key=1))
class Alarms:
    """When an alarm is raised."""

    min: Annotated[list[str] | None, Parameter(metavar="METRIC=X")] = None
    """The lowest accepted mean of a metric; repeatable."""
    max: Annotated[list[str] | None, Parameter(metavar="METRIC=X")] = None
    """The highest accepted mean of a metric; repeatable."""
    false_alarm_every: PositiveInt = 10_000
    """While all means keep their limits, an alarm comes once in this many scored answers or more,
    on average. Fewer find a fall sooner."""

    def settings(self) -> dict[str, Any]:
        """Return them as `watch` takes them.

        Raises:
            InputError: A limit cannot be read.
        """
        kinds: Mapping[Literal["min", "max"], Sequence[str]]
        kinds = {"min": self.min or (), "max": self.max or ()}
        parse = library.Threshold.parse
        limits = [parse(kind, text) for kind, texts in kinds.items() for text in texts]
        return {"limits": limits, "false_alarm_every": self.false_alarm_every}


def watch_command(
    files: list[Path] | None = None,
    /,
    *,
    live: Source = Source(),
    scoring: Metrics = Metrics(),
    alarms: Alarms = Alarms(),
    every: Annotated[str, Parameter(metavar="DURATION")] = "",
    golden: Path | None = None,
    out: OptionalOut = None,
    name: Annotated[str, Parameter(alias="-n")] = "live",
    judging: Judging = Judging(),
    limits: Limits = Limits(),
    stored: Stored = Stored(),
) -> None:
    """Score live traffic from traces, and raise an alarm when its quality falls.

    A pass scores the traces that no pass before has scored, and stores them as a run, which
    `rag-eval runs` and `rag-eval ui` show. --min and --max set limits for means. They are tested
    over all passes of this name by a test that may be looked at after each answer. An alarm in
    this pass gives exit code 3. Call it from a timer, or let it go on with --every.

    Args:
        files: Traces, as `rag-eval more traces` reads them; files may still grow.
        every: Make a pass each DURATION, as 10m, until you interrupt it.
        golden: A golden set: new questions that are unlike its questions are written to --out.
        out: Where unusual questions are written, JSON Lines, for `rag-eval golden add`.
        name: The name of the runs; passes of one name belong together.
    """
    read = live.reader(files or [])
    refuse({"--golden and --out need one another": (golden is None) != (out is None)})
    pause = library.read_duration(every, "--every") if every else 0.0
    settings = {"share": live.share, "most": live.sample, "name": name, **alarms.settings()}
    settings |= {"judge": judging.judge(limits=limits), "masker": live.masking.masker()}
    if scoring.names:
        settings["metrics"] = scoring.names
    if golden is not None and out is not None:
        writable(out)
        settings["golden"] = [entry.asked for entry in questions_in(golden)]
    while True:
        with printer.progress("scoring") as progress:
            watched = rag.watch(read(), store=stored.runs, progress=progress, **settings)
        _print(watched, out)
        if not pause:
            break
        time.sleep(pause)
    if watched.has_alarm:
        raise SystemExit(Exit.GATE)
    if watched.run is not None:
        exit_if_unscored([_answered(watched.run)])


def _answered(run: "rag.Run") -> "rag.Run":
    """Return a run without questions that the application failed on: this pass did not fail."""
    failed = {sample.id for sample in run.samples if sample.error}
    return replace(
        run,
        samples=[sample for sample in run.samples if sample.id not in failed],
        results=[result for result in run.results if result.sample_id not in failed],
    )


def _print(watched: "library.Watched", out: Path | None) -> None:
    """Print what a pass brought, and write its unusual questions."""
    run, waiting = watched.run, watched.new - (0 if watched.run is None else len(watched.run))
    counts = {
        "traces": watched.traces,
        "scored": 0 if run is None else len(run),
        "waiting": waiting,
        "lacking": watched.lacking,
        "unfinished": watched.unfinished,
    }
    printer.show(f"{counts['scored']} new answers scored, of {watched.traces} traces.")
    if run is not None:
        printer.show(library.run_table(run), *run.provenance.notes)
    if run is not None and (failed := len(run) - len(_answered(run))):
        printer.show(f"{failed} failed in your application: they have no answer to score.")
    if watched.lacking:
        printer.show(f"{watched.lacking} lack what the metrics read, as contexts: left out.")
    if waiting:
        printer.show(f"{waiting} wait for the next pass.")
    printer.show(*(limit.sentence for limit in watched.limits))
    if out is not None and len(watched.unusual):
        watched.unusual.write_jsonl(out)
        printer.show(
            f"{len(watched.unusual)} questions unlike those of the golden set in {out}: look at "
            f"them, then rag-eval golden add GOLDEN {out}"
        )
    means = [] if run is None else [summary.as_json() for summary in run.summary()]
    limits = [limit.as_json() for limit in watched.limits]
    about = {"has_alarm": watched.has_alarm, "unusual": len(watched.unusual)}
    printer.data({**counts, **about, "metrics": [*means], "limits": [*limits]})
