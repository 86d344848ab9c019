"""What commands call of the packages beside their public names: the names of `library.pyi`.

Each is imported when it is first used, so that help is there at once, whatever the work needs.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_MODULES = {
    alias.name: node.module
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
}


def __getattr__(name: str) -> Any:
    """Return what a module of the packages has under this name."""
    if name not in _MODULES:
        raise AttributeError(f"{__name__!r} has no {name!r}")
    return getattr(import_module(_MODULES[name]), name)
