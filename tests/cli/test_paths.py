"""Paths: outputs that cannot be written are found before the work."""

from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import OutputError


def test_the_folder_of_an_output_is_made(tmp_path: Path) -> None:
    path = writable(tmp_path / "new" / "folder" / "out.csv")
    assert path.parent.is_dir()
    assert not path.exists()


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder"):
        writable(tmp_path)
