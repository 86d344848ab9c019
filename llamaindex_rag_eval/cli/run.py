"""`rag-eval run`: a query engine, or a service, answers a golden set."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from cyclopts.types import NonNegativeInt, PositiveInt

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import ReportProgress, printer
from llamaindex_rag_eval.cli.cost import usage_lines
from llamaindex_rag_eval.cli.errors import Exit, refuse
from llamaindex_rag_eval.cli.inputs import engine_over, names_in, questions_in
from llamaindex_rag_eval.cli.judging import DryRun, Limits
from llamaindex_rag_eval.cli.options import (
    SERVICE,
    USER,
    VOICES,
    WORK,
    Cluster,
    Encoding,
    Out,
    options,
)
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.engines.defaults import RetrieverKind
from llamaindex_rag_eval.errors import InputError


@options()
class Endpoint:
    """An engine, and how a service is asked that is one."""

    engine: Annotated[str | None, Parameter(metavar="MODULE:ATTRIBUTE|URL")] = None
    """Your query engine, retriever, chat engine, workflow or agent, or a function that returns
    one; or the URL of a service that takes questions as JSON."""
    reply_map: Annotated[
        str | None, Parameter(name="--map", metavar="FIELD=PATH,…", group=SERVICE)
    ] = None
    """Where a service's reply has the fields, as JSON paths:
    `response=$.answer,contexts=$.sources[*].text,context_ids=$.sources[*].id`; also
    context_scores, prompt_tokens, completion_tokens, cost, first_token. Without it, the names
    response or answer, contexts, context_ids are looked for."""
    body: Annotated[str | None, Parameter(metavar="JSON|FILE", group=SERVICE)] = None
    """What is posted to a service, with {question} in its place, also {id}, and "{messages}" for
    the conversation; by default '{"question": "{question}"}'."""
    header: Annotated[list[str] | None, Parameter(metavar="NAME: VALUE", group=SERVICE)] = None
    """A header for a service, with keys from the environment only:
    'Authorization: Bearer ${MY_KEY}'. Several times for several."""
    timeout: float | None = None
    """Seconds for one question."""

    def named(self, path: str) -> "library.Engine":
        """Return the engine at `module:attribute`, or the service at a URL.

        Raises:
            InputError: An option is not understood, or is given for an engine that is no service.
            EngineError: There is no engine at the place.
        """
        if "://" not in path:
            if self.reply_map or self.body or self.header:
                raise InputError("--map, --body and --header are for --engine http://…")
            return library.engine_at(path)
        body = None if self.body is None else _body(self.body)
        settings = {"body": body, "timeout": self.timeout}
        return rag.HttpEngine(
            path,
            fields=dict(_pair(pair, "=", "--map") for pair in names_in(self.reply_map)),
            headers=dict(_pair(pair, ":", "--header") for pair in self.header or ()),
            **{name: value for name, value in settings.items() if value is not None},
        )


def _pair(text: str, sign: str, option: str) -> tuple[str, str]:
    name, separator, value = text.partition(sign)
    if not (name.strip() and separator):  # the text may hold a key: it is not repeated
        raise InputError(f"{option} expects NAME{sign}VALUE, got no {sign!r} after a name")
    return name.strip(), value.strip()


def _body(text: str) -> Any:
    source = text
    if not text.lstrip().startswith(("{", "[", '"')):
        try:
            source = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"--body {text!r} is no JSON and no file: {error.strerror}") from None
    try:
        return json.loads(source)
    except ValueError as error:
        raise InputError(f"--body is no JSON: {error}") from None


@options()
class AskedEngine(Endpoint):
    """Who is asked: an engine, a service, or a default engine over documents."""

    docs: Path | None = None
    """Instead of an engine: documents for a default one that needs no model."""
    encoding: Encoding = None
    retriever: RetrieverKind = "bm25"
    """How the default engine retrieves."""
    top_k: PositiveInt = 5
    """Contexts that the default engine retrieves."""

    @property
    def settings(self) -> dict[str, object]:
        """The name of the engine, or how the default one is made."""
        names = ("engine",) if self.engine else ("docs", "encoding", "retriever", "top_k")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def from_options(self, folder: Path) -> "library.Engine":
        """Return the engine that is named, or the default one over documents.

        Args:
            folder: What a path to documents begins at.
        """
        if self.engine is not None:
            return self.named(self.engine)
        documents = testset.Corpus.of(folder / (self.docs or ""), encoding=self.encoding)
        nodes = testset.exact_nodes(documents.llama_documents())
        engine = engine_over(nodes, self.retriever, top_k=self.top_k)
        return library.with_settings(engine, **self.settings)


@options(group=WORK)
class Asking:
    """How questions are asked."""

    concurrency: PositiveInt = 8
    """How many questions are processed at a time."""
    retries: NonNegativeInt = 2
    """Tries after a lost connection or rate limit."""
    repeats: PositiveInt = 1
    """Ask each question this many times, to see how answers vary. A gate then uses their means."""
    on: Cluster = None
    """Ask on a Ray cluster: each worker makes the engine for itself, on a node that can import it
    and sees its --docs."""
    workers: PositiveInt | None = None
    """With --on: how many workers; by default one for each core, --concurrency at most."""


def _require_llm(name: str, option: str, other: str) -> None:
    """Raise if a name is that of no LLM, which the option takes beside another word."""
    if ":" not in name:
        raise InputError(
            f"{option} {name!r}: expected {other!r}, or an LLM as 'openai:gpt-4o-mini'"
        )


@options(group=USER)
class User:
    """A simulated user, who goes on after an answer."""

    user: Annotated[str | None, Parameter(metavar="script|LLM")] = None
    """Let a simulated user go on after each answer, until the goal is reached: 'script' says the
    question's list 'script'; an LLM, as openai:gpt-4o-mini, speaks as its 'persona' who wants its
    'goal'. --max-calls and --max-cost limit the LLM."""
    turns: PositiveInt = 6
    """Messages of the simulated user in a conversation."""

    def simulated(self, limits: Limits) -> "rag.SimulatedUser | None":
        """Return who speaks for the user; `None` if nobody goes on after the first answer.

        Args:
            limits: What the model may cost.

        Raises:
            InputError: The name stands for no model.
        """
        if self.user is None:
            return None
        if self.user == "script":
            return rag.SimulatedUser(turns=self.turns)
        _require_llm(self.user, "--user", "script")
        model = library.judge_at(self.user, **limits.settings())
        return rag.SimulatedUser(model.oracle, turns=self.turns)


@options(group=VOICES)
class Wordings:
    """How else questions are worded."""

    variants: Annotated[str | None, Parameter(metavar="rules|LLM")] = None
    """Ask each question as people do, too. 'rules' know typos, lower case, key words and
    politeness; an LLM, as openai:gpt-4o-mini, also other words and another language, in two calls
    a question, which --max-calls and --max-cost limit. What asks for something else is left out.
    `rag-eval evaluate` then says which verdicts flip."""

    def worded(
        self,
        questions: "rag.EvaluationDataset",
        out: Path,
        limits: Limits,
        usage: "library.Usage | None",
    ) -> "rag.EvaluationDataset":
        """Return the questions, with their variants if these are wanted.

        Args:
            questions: The questions.
            out: The file of answers; the model's replies are kept beside it.
            limits: What the model may cost.
            usage: In a dry run, takes the counts of calls.

        Raises:
            InputError: The name stands for no model.
        """
        if self.variants is None:
            return questions
        oracle, replies = None, library.replies_file(out)
        if self.variants != "rules":
            _require_llm(self.variants, "--variants", "rules")
            calls = library.CallSettings(keyless=usage is not None)
            cache = None if usage is not None and not replies.exists() else str(replies)
            model = library.judge_at(self.variants, cache=cache, calls=calls, **limits.settings())
            oracle = model.oracle if usage is None else library.dry_run_of(model.oracle, usage)
        variants = testset.with_variants(questions, oracle=oracle)
        if lost := variants.turned_down:
            wordings = library.counted(len(lost), "wording")
            printer.note(f"{wordings} left out as another question, the first {lost[0]}")
        return variants.samples


def run_command(
    golden: Path,
    /,
    *,
    out: Out = Path("answers.jsonl"),
    who: AskedEngine = AskedEngine(),
    asking: Asking = Asking(),
    wordings: Wordings = Wordings(),
    user: User = User(),
    limits: Limits = Limits(),
    dry_run: DryRun = False,
) -> None:
    """Ask a query engine every question; store its answers and contexts.

    Answers are written as they come, with node ids, places and times. Run it again after an
    interruption: only what is missing or failed is asked. Another engine needs another file.

    Args:
        golden: A golden set, or any file of questions.
        out: The answers to write, JSON Lines.
    """
    if asking.workers is not None and asking.on is None:
        raise InputError("--workers needs --on: one process asks many questions at a time")
    if (who.engine is None) == (who.docs is None):
        raise InputError("expected either --engine MODULE:ATTRIBUTE or --docs FOLDER")
    usage = library.Usage() if dry_run else None
    models = {user.user, wordings.variants} - {None, "script", "rules"}
    refuse(
        {
            "--max-calls and --max-cost are for the model of --user or --variants": limits
            and not models,
            "--user excludes --variants and --dry-run": user.user
            and (dry_run or wordings.variants),
        }
    )
    questions = questions_in(golden)
    if out.resolve() == golden.resolve():
        raise InputError(f"--out {str(out)!r} is the golden set itself; expected another file")
    if usage is None:
        writable(out)
    questions = wordings.worded(questions, out, limits, usage)
    if usage is not None:
        print_calls(len(questions) * asking.repeats, usage)
        return
    make = partial(who.from_options, Path.cwd())
    by_workers = asking.on is not None and "://" not in (who.engine or "")
    with _answering() as (report, known):
        answers = library.run(
            library.with_settings(make, **who.settings) if by_workers else make(),
            questions,
            timeout=who.timeout,
            out=out,
            progress=report,
            user=user.simulated(limits),
            **asdict(asking),
        )
    _print_answers(answers, out, kept=known[0])


@contextmanager
def _answering() -> Iterator[tuple[ReportProgress, list[int]]]:
    """Show progress until the block ends; the list takes the number of answers known before."""
    known: list[int] = []
    with printer.progress("answering") as progress:

        def report(done: int, total: int) -> None:
            if not known:
                known.append(done)
            progress(done, total)

        yield report, known


def print_calls(count: int, usage: "library.Usage") -> None:
    """Print what answering takes."""
    printer.data({"engine_calls": count, **usage.as_json()})
    printer.show(f"At most {library.counted(count, 'call')} of the engine.")
    if usage.total.calls:
        printer.show("Of the model that words questions:", *usage_lines(usage))


def _print_answers(answers: "rag.EvaluationDataset", out: Path, *, kept: int) -> None:
    """Print what the answers took and where they are; exit if questions failed."""
    errors = [answer.error for answer in answers if answer.error]
    taken = library.resources_of(answers)
    printer.data(
        {
            "answers": str(out),
            "questions": len(answers),
            "kept": kept,
            "failed": len(errors),
            "resources": [resource.as_json() for resource in taken],
        }
    )
    printer.show(*(resource.sentence for resource in taken))
    counts = f": {len(answers) - kept} asked, {kept} kept of an earlier run" if kept else ""
    printer.show(f"{len(answers)} answers in {out}{counts}. Next: rag-eval evaluate {out}")
    if kept:
        printer.note(f"If the code of the engine has changed, delete {out}: kept answers are old.")
    if errors:
        printer.note(
            f"{len(errors)} of {len(answers)} questions failed, the first with: {errors[0]}"
        )
        raise SystemExit(Exit.PARTLY)
