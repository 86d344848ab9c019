"""The package `testset` by another name: `llamaindex_rag_eval.testset.X` is `testset.X` itself.

One import name for all that is installed; both names lead to the same modules and classes.
"""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import testset


class _Alias(MetaPathFinder, Loader):
    """Finds the modules below the alias: those of the package, which are loaded once."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for what is below the alias."""
        del path, target
        return ModuleSpec(name, self) if name.startswith(f"{__name__}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of the package."""
        module = importlib.import_module(testset.__name__ + spec.name.removeprefix(__name__))
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module back the spec that it was loaded by."""
        spec = module.__spec__
        if spec is not None:
            module.__spec__ = self._specs.pop(spec.name)


sys.meta_path.insert(0, _Alias())
sys.modules[__name__] = testset
