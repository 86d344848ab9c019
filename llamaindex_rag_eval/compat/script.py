"""Scripts and notebooks that import other evaluation tools run as they stand.

    rag-eval run-script their_script.py
    python -m llamaindex_rag_eval.compat their_notebook.ipynb

`ragas` and `deepeval` are imported from here, installed or not; names that newer versions of
`llama_index.core` dropped are added to it. A name that is not here says what to write instead.
"""

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from traceback import extract_tb
from types import FunctionType, ModuleType
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.names import HERE, TABLE
from llamaindex_rag_eval.errors import InputError, RagEvalError

TOOLS = {name: f"{__package__}.{name}" for name in ("ragas", "deepeval")}
"""Package -> what it is imported from, also where it is installed."""

DROPPED = {"llama_index.core.llama_dataset": f"{__package__}.llama_index"}
"""Package -> what it is imported from where it is not installed."""

MODULES = frozenset(TABLE["modules"]["names"].split())
"""Modules of these packages that are attributes of the one above without an import of their own."""

EVALUATION = "llama_index.core.evaluation"
"""A module that has fewer names in newer versions."""


class _Finder(MetaPathFinder, Loader):
    """Finds the modules of packages in ours: the one of the same name, or else the nearest."""

    def __init__(self, packages: Mapping[str, str]) -> None:
        self._packages = packages
        self._missing: dict[str, AttributeError] = {}

    def homes(self, name: str) -> list[str]:
        """Return our modules for a module, the nearest first; none for modules of others."""
        package = next((key for key in self._packages if f"{name}.".startswith(f"{key}.")), "")
        root = self._packages.get(package, "")
        homes = [root] if root else []
        for part in filter(None, name.removeprefix(package).split(".")):
            with suppress(ModuleNotFoundError):  # below a module that is no package
                if homes and find_spec(nearer := f"{root}.{part}"):
                    root, homes = nearer, [nearer, *homes]
        return homes

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a module of these packages; `None` leaves all others to Python.

        Raises:
            ImportError: It is a name that a module was asked for in vain: `from ragas.x import y`.
        """
        del path, target
        if error := self._missing.pop(name, None):
            raise ImportError(str(error)) from None
        return spec_from_loader(name, self, is_package=True) if self.homes(name) else None

    def exec_module(self, module: ModuleType) -> None:
        """Let the module take its names from ours."""
        homes = [import_module(name) for name in self.homes(module.__name__)]

        def attribute(name: str) -> Any:
            known = (home for home in homes[:-1] if name in vars(home))
            try:
                return getattr(next(known, homes[-1]), name)
            except AttributeError as error:
                full = f"{module.__name__}.{name}"
                if name in MODULES:
                    return import_module(full)
                if not name.startswith("_") and self.homes(full) == self.homes(module.__name__):
                    self._missing[full] = error
                raise

        module.__dict__["__getattr__"] = attribute


@contextmanager
def imports_from_here() -> Iterator[None]:
    """Import other tools from here until the block ends."""
    evaluation, ours = (import_module(n) for n in (EVALUATION, f"{__package__}.llama_index"))
    first, last = _Finder(TOOLS), _Finder(DROPPED)
    before = {name: module for name, module in sys.modules.items() if first.homes(name)}
    for name in before:
        del sys.modules[name]
    sys.meta_path[:] = [first, *sys.meta_path, last]
    names = [name for name in dir(ours) if name[0].isupper()] + [*HERE["llama_index"]]
    lacking = [name for name in names if not hasattr(evaluation, name)]
    for name in lacking:
        setattr(evaluation, name, getattr(ours, name))
    try:
        yield
    finally:
        for finder in (first, last):
            sys.meta_path.remove(finder)
            for name in [name for name in sys.modules if finder.homes(name)]:
                del sys.modules[name]
        for name in lacking:
            delattr(evaluation, name)
        sys.modules.update(before)


def run_script(script: Path, arguments: Sequence[str] = ()) -> None:
    """Run a script or a notebook, other tools imported from here; pytest runs a file of tests.

    Raises:
        InputError: There is no such file, it is no notebook, it imports a package that is not
            installed, or one of its lines uses this package wrongly.
        SystemExit: Tests failed.
    """
    argv, path = sys.argv[:], sys.path[:]
    if not script.is_file():
        raise InputError(f"{str(script)!r} is no file; expected a script or a notebook")
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        with imports_from_here(), TemporaryDirectory() as folder:
            if script.name.startswith("test_"):
                return _run_tests(script, arguments)
            if script.suffix == ".ipynb":
                return _run_notebook(script, Path(folder, f"{script.stem}.py"))
            run_path(str(script), run_name="__main__")
    except RagEvalError as error:
        frames = [f for f in extract_tb(error.__traceback__) if f.filename == str(script)]
        if not frames:
            raise
        raise InputError(f"{str(script)!r}, line {frames[-1].lineno}: {error}") from error
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if not package or find_spec(package) is not None:
            raise
        raise InputError(
            f"{str(script)!r} imports {error.name!r}, which is not installed; install its "
            f"package, as `pip install {package.replace('_', '-')}`"
        ) from None
    finally:
        sys.argv, sys.path[:] = argv, path


def _run_tests(script: Path, arguments: Sequence[str]) -> None:
    """Run a file of tests, which a script of its own would only define."""
    import pytest

    if code := pytest.main([str(script), *arguments]):
        raise SystemExit(int(code))


def _run_notebook(notebook: Path, script: Path) -> None:
    """Run the code of a notebook, which may await outside of functions; `script` takes its text."""
    code = _code_of(notebook)
    script.write_text(code, encoding="utf-8")  # for tracebacks
    compiled = compile(code, str(script), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if compiled.co_flags & inspect.CO_COROUTINE:
        run_sync(FunctionType(compiled, {"__name__": "__main__", "__file__": str(script)})())
    else:
        run_path(str(script), run_name="__main__")


def _code_of(notebook: Path) -> str:
    """Return the code of a notebook, without the magics of its shell."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{str(notebook)!r} is no notebook: {error!r}") from None
    lines = "\n".join(code).splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))
