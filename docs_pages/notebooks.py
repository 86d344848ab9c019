"""Notebooks of `examples/`, executed, as pages: text, code and what it prints."""

from pathlib import Path
from subprocess import DEVNULL
from typing import Any


def notebook_pages(root: Path) -> dict[str, str]:
    """Return a page for each notebook of the examples: address -> Markdown."""
    paths = sorted((root / "examples").glob("[0-9]*.ipynb"))
    return {f"examples/{path.stem}.md": notebook_page(path) for path in paths}


def notebook_page(path: Path) -> str:
    """Execute a notebook in its folder and return it as Markdown; the file stays as it is.

    Raises:
        CellExecutionError: A cell fails; the message is its traceback.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where)
    client.execute(stdout=DEVNULL, stderr=DEVNULL)  # a kernel that hangs at its end keeps no pipe
    return "\n\n".join(part for cell in notebook.cells for part in _parts(cell)) + "\n"


def _parts(cell: Any) -> list[str]:
    """Return a cell as blocks of Markdown: what it says, or its code and what that prints."""
    if cell.cell_type != "code":
        return [cell.source]
    shown = [output for output in cell.outputs if output.get("name") != "stderr"]
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in shown]
    printed = "".join(texts).rstrip()
    code = f"```python\n{cell.source}\n```"
    return [code, f"```text\n{printed}\n```"] if printed else [code]
