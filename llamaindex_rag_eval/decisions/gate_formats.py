"""Formats of a gate's outcome: JUnit XML for CI systems, Markdown for pull requests."""

import html
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree as Xml

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.decisions.decision import Decision
from llamaindex_rag_eval.decisions.limits import Check

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML document may not hold, even escaped (XML 1.0, section 2.2)."""

MARKUP = "\\`*_{}[]()#+!|~@:$"
"""Characters that Markdown, or the page around it, would read as markup."""


def junit_xml(outcome: Decision) -> str:
    """Return the outcome as a test suite with a case for each check."""
    failures = sum(not check.held for check in outcome.checks)
    counts = {"tests": str(len(outcome.checks)), "failures": str(failures), "errors": "0"}
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", {"name": "rag-eval gate", **counts, "skipped": "0"})
    for check in outcome.checks:
        name = {
            "classname": _xml_text(f"rag-eval.gate.{outcome.name}"),
            "name": _xml_text(check.rule),
        }
        case = Xml.SubElement(suite, "testcase", {**name, "time": "0"})
        if check.held:
            Xml.SubElement(case, "system-out").text = _xml_text(check.message)
        else:
            message = _xml_text(check.message)
            kind = "gate" if check.outcome == "fails" else check.outcome
            Xml.SubElement(case, "failure", {"message": message, "type": kind}).text = message
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def write_junit(outcome: Decision, path: str | Path) -> Path:
    """Write the outcome as a JUnit file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [junit_xml(outcome)])


def _xml_text(text: str) -> str:
    """Return a text without control codes and the characters that XML cannot hold."""
    return NOT_XML.sub("", plain_text(text))


def markdown_summary(outcome: Decision) -> str:
    """Return the outcome as a heading and a table with a row for each check, failures first.

    Names and messages are escaped, so that none becomes a link, a mention, an image or markup.
    """
    failed = [check for check in outcome.checks if not check.held]
    held = [check for check in outcome.checks if check.held]
    named = f"{_escaped(outcome.name)}: " if outcome.name else ""
    lines = [
        f"### {'✅' if outcome.held else '❌'} rag-eval: {named}{_escaped(outcome.headline)}",
        "",
        f"{len(held)} of {len(outcome.checks)} checks hold. {_escaped(' '.join(outcome.reasons))}",
        "",
        "| | check | found |",
        "|---|---|---|",
    ]
    lines += [
        f"| {_mark(check)} | {_escaped(check.rule)} | {_escaped(check.message)} |"
        for check in (*failed, *held)
    ]
    lines += [line for note in outcome.notes for line in ("", _escaped(note))]
    return "\n".join(lines) + "\n"


def _mark(check: Check) -> str:
    return {"holds": "✅", "fails": "❌", "cannot tell": "⚠️"}[check.outcome]


def write_summary(outcome: Decision, path: str | Path) -> Path:
    """Write the outcome as a Markdown file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [markdown_summary(outcome)])


def _escaped(text: str) -> str:
    """Return a text as one line without control codes that Markdown shows as it is.

    Example:
        >>> _escaped("a|b <i> ndcg@10")
        'a&#124;b &lt;i&gt; ndcg&#64;10'
    """
    shown = plain_text(text)
    line = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in shown)
    escaped = html.escape(" ".join(line.split()), quote=False)
    return "".join(f"&#{ord(c)};" if c in MARKUP else c for c in escaped)
