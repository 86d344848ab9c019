"""`rag-eval more sweep`: which setting of a pipeline is the best?"""

from pathlib import Path

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.batch import REPLIES, Rounds
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import exit_if_failed
from llamaindex_rag_eval.cli.inputs import questions_in
from llamaindex_rag_eval.cli.judging import Judging, Limits
from llamaindex_rag_eval.cli.options import Out
from llamaindex_rag_eval.cli.paths import writable


def sweep_command(
    sweep: Path,
    /,
    *,
    out: Out = Path("sweep-output"),
    judging: Judging = Judging(),
    limits: Limits = Limits(),
) -> None:
    """Find the best of many settings of a pipeline.

    Clear losers are dropped early.

    The file is YAML:

        golden: golden.jsonl              # a golden set, or any file of questions
        engines:
          - factory: my_app:make_engine   # called with the parameters of a setting
            grid:                         # all combinations
              chunk_size: [256, 512, 1024]
              top_k: [2, 5]
        metrics: [ndcg@10, faithfulness]  # the first decides; others are scored of those left
        margin: 0.02                      # the winner is less than this below the best

    All start on a small batch of questions. A setting that is shown to be worse than another is
    dropped; the rest goes on until the best is shown within the margin, or the questions end.
    Answers, scores and an LLM's replies stay in --out: run again after an interruption, or with
    more settings, nothing is paid for twice. Changed code needs another --out.

    Args:
        sweep: What to try, YAML. An engine may have a name to tell its settings by; a single value
            of a parameter is one for all. Further keys: first (questions that all are asked),
            alpha, max_failed, clusters, seed, timeout, concurrency.
        out: The folder of the result, of answers, scores and replies.
    """
    plan = library.read_sweep(sweep)
    settings, golden = plan.settings(), questions_in(plan.golden)
    writable(out / "sweep.json")
    judge = Rounds(judging).judge(limits=limits, beside=out / REPLIES)
    with printer.progress_by_name("answering") as progress:
        swept = library.sweep(
            settings, None, golden, judge=judge, out=out, progress=progress, **plan.options
        )
    file = library.write_sweep(swept, out)
    printer.data(swept.as_json())
    printer.show(library.sweep_table(swept), *swept.sentences, *swept.notes)
    printer.show(f"All of it is in {file}.")
    exit_if_failed(swept.failures, stopped=bool(swept.stopped))
