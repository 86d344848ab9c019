"""Reports: runs and comparisons as a page, as tables, as CSV."""

from llamaindex_rag_eval.report.html import html_report, write_html
from llamaindex_rag_eval.report.tables import (
    comparison_table,
    comparisons_table,
    run_table,
    write_csv,
)

__all__ = [
    "comparison_table",
    "comparisons_table",
    "html_report",
    "run_table",
    "write_csv",
    "write_html",
]
