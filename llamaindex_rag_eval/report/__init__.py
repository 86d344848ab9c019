"""Reports: runs and comparisons as a page, as tables, as CSV."""

from llamaindex_rag_eval.report.html import html_report as html_report, write_html as write_html
from llamaindex_rag_eval.report.tables import (
    comparison_table as comparison_table,
    comparisons_table as comparisons_table,
    run_table as run_table,
    write_csv as write_csv,
)
