"""Options that several commands share."""

from typing import Annotated

import typer

__all__ = ["AsJson", "Cache", "Concurrency", "Llm", "Metrics", "Quiet", "named_metrics"]

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]

Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="NAME",
        help="Who judges: openai:MODEL, openai-like:URL:MODEL or MODULE:ATTRIBUTE. "
        "Without it, embedded language rules judge: no key, no network.",
        show_default=False,
    ),
]

Cache = Annotated[
    str | None,
    typer.Option(
        "--cache",
        metavar="FILE|URL",
        help="A file (SQLite) or a database URL that keeps the judge's replies, so that nothing "
        "is asked twice.",
        show_default=False,
    ),
]

Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        "-m",
        metavar="A,B,C",
        help="Which metrics, with settings in brackets, as 'faithfulness(graded=True),ndcg@10'; "
        "`rag-eval metrics` lists them.",
        show_default=False,
    ),
]

Concurrency = Annotated[
    int, typer.Option("--concurrency", min=1, help="How many questions are worked on at a time.")
]


def named_metrics(metrics: str | None) -> tuple[str, ...]:
    """Return the names of a list that commas separate, brackets kept whole.

    Example:
        >>> named_metrics("faithfulness, rouge(type=rougeL,measure=recall)")
        ('faithfulness', 'rouge(type=rougeL,measure=recall)')
        >>> named_metrics(None)
        ()
    """
    names, depth = [""], 0
    for character in metrics or "":
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            names.append("")
        else:
            names[-1] += character
    return tuple(name.strip() for name in names if name.strip())
