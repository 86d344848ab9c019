"""JUnit XML: the outcome of a gate as CI systems read test results."""

import re
from pathlib import Path
from xml.etree import ElementTree as Xml

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.gates.gate import GateOutcome

__all__ = ["junit_xml", "write_junit"]

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, not even escaped (XML 1.0, section 2.2)."""


def junit_xml(outcome: GateOutcome) -> str:
    """Return the outcome as a test suite with a case for each check."""
    failures = sum(not check.held for check in outcome.checks)
    counts = {"tests": str(len(outcome.checks)), "failures": str(failures), "errors": "0"}
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", {"name": "rag-eval gate", **counts, "skipped": "0"})
    for check in outcome.checks:
        name = {"classname": _clean(f"rag-eval.gate.{outcome.run}"), "name": _clean(check.rule)}
        case = Xml.SubElement(suite, "testcase", {**name, "time": "0"})
        if check.held:
            Xml.SubElement(case, "system-out").text = _clean(check.message)
        else:
            message = _clean(check.message)
            Xml.SubElement(case, "failure", {"message": message, "type": "gate"}).text = message
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def write_junit(outcome: GateOutcome, path: str | Path) -> Path:
    """Write the outcome as a JUnit file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [junit_xml(outcome)])


def _clean(text: str) -> str:
    return NO_XML.sub("", text)
