"""Formats of a gate's outcome: JUnit XML for CI systems, Markdown for pull requests."""

import html
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree as Xml

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.decisions.gate import GateResult
from llamaindex_rag_eval.decisions.gate_checks import GateCheck

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML document may not hold, even escaped (XML 1.0, section 2.2)."""

MARKUP = "\\`*_{}[]()#+!|~@:$"
"""Characters that Markdown, or the page around it, would read as markup."""


def junit_xml(outcome: GateResult) -> str:
    """Return the outcome as a test suite with a case for each check."""
    failures = sum(not check.held for check in outcome.checks)
    counts = {"tests": str(len(outcome.checks)), "failures": str(failures), "errors": "0"}
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", {"name": "rag-eval gate", **counts, "skipped": "0"})
    for check in outcome.checks:
        name = {
            "classname": _xml_text(f"rag-eval.gate.{outcome.run}"),
            "name": _xml_text(check.rule),
        }
        case = Xml.SubElement(suite, "testcase", {**name, "time": "0"})
        if check.held:
            Xml.SubElement(case, "system-out").text = _xml_text(check.message)
        else:
            message = _xml_text(check.message)
            kind = "too few questions" if check.open else "gate"
            Xml.SubElement(case, "failure", {"message": message, "type": kind}).text = message
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def write_junit(outcome: GateResult, path: str | Path) -> Path:
    """Write the outcome as a JUnit file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [junit_xml(outcome)])


def _xml_text(text: str) -> str:
    """Return a text without control codes and the characters that XML cannot hold."""
    return NOT_XML.sub("", plain_text(text))


def markdown_summary(outcome: GateResult) -> str:
    """Return the outcome as a heading and a table with a row for each check, failures first.

    Names and messages are escaped, so that none becomes a link, a mention, an image or markup.
    """
    failed = [check for check in outcome.checks if not check.held]
    held = [check for check in outcome.checks if check.held]
    verdict = {
        "holds": "the gate holds",
        "fails": "the gate does not hold",
        "too few questions": "too few questions to tell",
    }[outcome.outcome]
    named = f" for {_escaped(outcome.run)}" if outcome.run else ""
    lines = [
        f"### {'✅' if outcome.held else '❌'} rag-eval: {verdict}{named}",
        "",
        f"{len(held)} of {len(outcome.checks)} checks hold.",
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


def _mark(check: GateCheck) -> str:
    return "⚠️" if check.open else "✅" if check.held else "❌"


def write_summary(outcome: GateResult, path: str | Path) -> Path:
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
