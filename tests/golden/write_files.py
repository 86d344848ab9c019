"""Write small files of every format as the package of today writes them, for `files.py` to read.

    python -m tests.golden.write_files FOLDER

`tests/golden/files` holds those of version 0.1. They are never written again: that later versions
read them is what is tested. A later format gets a folder of its own.
"""

import csv
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from tests.golden.lines import FILES
from tests.golden.workspace import inside, rag_eval
from tests.server import LoopbackServer
from tests.testset.corpora import documents

FORMATS = ("autorag", "beir", "csv", "deepeval", "jsonl", "labelled_rag", "langsmith", "raget", "ragas", "trec")  # fmt: skip

INPUTS = ("my_app.py", "small.jsonl", "sweep.yaml", "numbers.jsonl")


def write_files(folder: Path) -> None:
    """Write one file of each format, and the documents they are about."""
    (folder / "docs").mkdir(parents=True)
    with inside(folder):
        for document in documents(4):
            Path("docs", document.doc_id).write_text(document.text, encoding="utf-8")
        for name in INPUTS:
            Path(name).write_text(FILES[name], encoding="utf-8")
        _by_rules()
        with LoopbackServer(responders="tests.models.responders:RESPONDERS") as server:
            _by_judge(f"--llm openai-like:{server.url}:gpt-4o-mini")
        with LoopbackServer(responders="tests.server.writer_responders:FAULTLESS") as server:
            _by_writer(f"--llm openai-like:{server.url}:gpt-4o-mini")
        _tidied()


def _tidied() -> None:
    """Leave out what is no format of ours, and what can be made again; close the databases."""
    shutil.rmtree("docs/.rag-eval", ignore_errors=True)
    for pattern in (
        "my_app.py",
        "batch.*",
        "judged.*",
        "written.*",
        "export-trec*",
        "swept/*.html",
    ):
        for path in Path().glob(pattern):
            path.unlink()
    for path in Path().rglob("*.db"):
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = DELETE")


def _by_rules() -> None:
    _run("generate docs -o golden.jsonl --size 3 -q")
    _run("run golden.jsonl --docs docs --top-k 1 -o answers.jsonl -q")
    _run(
        "evaluate answers.jsonl -m faithfulness,mrr,token_f1 -o scores.csv --keep --name first --tag ci --store runs.db -q"
    )
    _run("label scores.jsonl --size 3 --metric faithfulness --to-csv labels.csv -q")
    _label("labels.csv")
    for name in FORMATS:
        _run(f"export golden.jsonl --to {name} -o export-{name} --docs docs -q")
    _run("sweep sweep.yaml -o swept -q")
    _run("prompts prompts -q")
    for path in sorted(Path("prompts").glob("*.json"))[2:]:
        path.unlink()


def _label(path: str) -> None:
    """Fill in the sheet, as a person would: the first answer is wrong, the others are right."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "label": int(n > 0)} for n, row in enumerate(rows))


def _by_judge(llm: str) -> None:
    words = f"evaluate small.jsonl -m faithfulness {llm}"
    _run(f"{words} --cache replies.db -o judged.csv -q")
    _run(f"{words} --batch batch -o batch.csv -q", code=4)
    _run(f"{words} --batch batch --batch-submit -o batch.csv -q")


def _by_writer(llm: str) -> None:
    """Leave the journal of a golden set that is not finished."""
    words = f"generate docs --size 2 {llm} -o written.jsonl -q"
    _run(f"{words} --max-calls 6", code=6)
    Path("written.jsonl.journal").rename("journal.jsonl")


def _run(words: str, code: int = 0) -> None:
    done = rag_eval(words)
    if done.code != code:
        raise ChildProcessError(f"{words!r} ended with {done.code}: {done.stderr}")


if __name__ == "__main__":
    write_files(Path(sys.argv[1]))
