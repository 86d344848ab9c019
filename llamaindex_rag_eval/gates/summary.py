"""The summary: the outcome of a gate in Markdown, to stand in a pull request."""

import html
import unicodedata
from pathlib import Path

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.gates.gate import GateOutcome

__all__ = ["markdown_summary", "write_summary"]

MEANS_SOMETHING = "\\`*_{}[]()#+!|~@:$"
"""Characters by which Markdown, or the page around it, would make something else of a text."""


def markdown_summary(outcome: GateOutcome) -> str:
    """Return the outcome as a heading and a table with a row for each check, failures first.

    Whatever a name or message holds is shown as text: no link, mention, image or markup.
    """
    failed = [check for check in outcome.checks if not check.held]
    held = [check for check in outcome.checks if check.held]
    verdict = "the gate holds" if outcome.held else "the gate does not hold"
    named = f" for {_text(outcome.run)}" if outcome.run else ""
    lines = [
        f"### {'✅' if outcome.held else '❌'} rag-eval: {verdict}{named}",
        "",
        f"{len(held)} of {len(outcome.checks)} checks hold.",
        "",
        "| | check | found |",
        "|---|---|---|",
    ]
    lines += [
        f"| {'✅' if check.held else '❌'} | {_text(check.rule)} | {_text(check.message)} |"
        for check in (*failed, *held)
    ]
    lines += [line for note in outcome.notes for line in ("", _text(note))]
    return "\n".join(lines) + "\n"


def write_summary(outcome: GateOutcome, path: str | Path) -> Path:
    """Write the outcome as a Markdown file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [markdown_summary(outcome)])


def _text(text: str) -> str:
    """Return a text as one line that Markdown shows as it is.

    Example:
        >>> _text("a|b <i> ndcg@10")
        'a&#124;b &lt;i&gt; ndcg&#64;10'
    """
    line = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)
    escaped = html.escape(" ".join(line.split()), quote=False)
    return "".join(f"&#{ord(c)};" if c in MEANS_SOMETHING else c for c in escaped)
