"""`rag-eval sweep`: which setting of a pipeline is the best?"""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.cli.inputs import judge_from, questions_in
from llamaindex_rag_eval.cli.paths import writable

SweepPlace = Annotated[
    Path,
    Argument(
        metavar="SWEEP",
        help="What to try, YAML. An engine may have a name to tell its settings by; a single value "
        "of a parameter is one for all. Further keys: first (questions that all are asked), alpha, "
        "max_failed, clusters, seed, timeout, concurrency, model (prices the tokens of answers).",
    ),
]
SweepOut = Annotated[
    Path,
    Option("--out", "-o", help="The folder of the result, of answers, scores and replies."),
]


def sweep_command(
    file: SweepPlace,
    out: SweepOut = Path("sweep-output"),
    llm: options.Llm = None,
    checker: options.Checker = None,
    embed: options.Embed = None,
    cache: options.Cache = None,
    prompts: options.Prompts = None,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    prices: options.Prices = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Try many settings of a pipeline, drop clear losers early, and recommend the best.

    The file is YAML:

        golden: golden.jsonl              # a golden set, or any file of questions
        engines:
          - factory: my_app:make_engine   # called with the parameters of a setting
            grid:                         # all combinations
              chunk_size: [256, 512, 1024]
              top_k: [2, 5]
        metrics: [ndcg@10, faithfulness]  # the first decides
        margin: 0.02                      # the winner is less than this below the best

    All start on a small batch of questions. A setting that is shown to be worse than another is
    dropped; the rest goes on until the best is shown within the margin, or the questions end.
    Answers, scores and an LLM's replies stay in --out: run again after an interruption, or with
    more settings, nothing is paid for twice. Changed code needs another --out.
    """
    printer = Printer(quiet=quiet, as_json=as_json)
    from llamaindex_rag_eval.report.sweep import sweep_table, write_sweep
    from llamaindex_rag_eval.sweeps.sweep import REPLIES, sweep
    from llamaindex_rag_eval.sweeps.sweep_file import read_sweep

    plan = read_sweep(file)
    settings, golden = plan.settings(), questions_in(plan.golden)
    writable(out / "sweep.csv")
    judge = judge_from(
        llm,
        cache or (None if llm is None else str(out / REPLIES)),
        checker=checker,
        embed=embed,
        prompts=prompts,
        limits=(max_calls, max_tokens, max_cost),
        prices=prices,
    )
    with printer.progress_by_name("answering") as progress:
        found = sweep(
            settings, None, golden, judge=judge, out=out, progress=progress, **plan.options
        )
    files = write_sweep(found, out)
    printer.data(found.as_json())
    printer.show(sweep_table(found), *found.sentences, *found.notes)
    printer.show(f"{', '.join(path.name for path in files)} are in {out}/.")
    exit_if_failed(printer, found.failures, stopped=bool(found.stopped))
