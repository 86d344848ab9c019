"""The metrics: one file each, or one for a group that shares a formula.

Each metric that needs no settings is here under its name, ready to use:

    from llamaindex_rag_eval.metrics import context_recall, faithfulness

They are made when the first is used. Their names stand before the modules of the same name, which
are imported as any module is: `from llamaindex_rag_eval.metrics.faithfulness import Faithfulness`.
"""

import sys
from types import ModuleType


class _Metrics(ModuleType):
    """The package, which keeps no module as an attribute, so that each name is looked up here."""

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(value, ModuleType):  # the import system sets each module that it loads
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if not name.startswith("_"):
            from llamaindex_rag_eval.metrics.registry import ready_metrics

            if metric := ready_metrics().get(name) or sys.modules.get(f"{self.__name__}.{name}"):
                return metric
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        from llamaindex_rag_eval.metrics.registry import ready_metrics

        return sorted({*super().__dir__(), *ready_metrics()})


sys.modules[__name__].__class__ = _Metrics
