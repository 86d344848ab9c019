"""The metrics: one file each, or one for a group that shares a formula.

Each metric that needs no settings is here under its name, ready to use:

    from llamaindex_rag_eval.metrics import context_recall, faithfulness

These names stand before the modules of the same name, which are imported as any module is:
`from llamaindex_rag_eval.metrics.faithfulness import Faithfulness`.
"""

from llamaindex_rag_eval.metrics.registry import ready_metrics

globals().update(ready_metrics())
