"""What is read from files that version 0.1 wrote: `tests/golden/files`, never written again."""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from llamaindex_rag_eval import EvaluationDataset, Run, Store, prompts_in
from tests.golden.text import as_json, digest
from tests.golden.workspace import inside, rag_eval
from testset import Corpus, GoldenSet, import_golden

FILES = Path(__file__).parent / "files"

IMPORTED = {
    "autorag": "export-autorag",
    "beir": "export-beir",
    "csv": "export-csv",
    "deepeval": "export-deepeval",
    "jsonl": "export-jsonl",
    "labelled_rag": "export-labelled_rag",
    "langsmith": "export-langsmith",
    "raget": "export-raget",
    "ragas": "export-ragas",
}
"""Format -> the file or folder of it; TREC's is written only."""

NOBODY = "--llm openai-like:http://127.0.0.1:9/v1:gpt-4o-mini --call retries=0 --call patience=1s"
"""A model at an address where nobody answers: what is kept has to be enough."""

COMMANDS = {
    "run file": "show scores.jsonl --json",
    "run file, reported": "report scores.jsonl -o report.html --json",
    "run file, evaluated again": "evaluate answers.jsonl -m faithfulness,mrr,token_f1 -o scores.csv --json -q",
    "run store": "runs --store runs.db --json",
    "run store, a run": "show first --store runs.db --json",
    "labels": "calibrate labels.csv --run scores.jsonl --json",
    "reply store, asked": f"evaluate small.jsonl -m faithfulness {NOBODY} --cache replies.db -o again.csv --json -q",
    "batch files": f"evaluate small.jsonl -m faithfulness {NOBODY} --batch batch -o again-batch.csv --json -q",
    "journal": f"generate docs --size 2 {NOBODY} -o written.jsonl -q",
    "golden set": "card golden.jsonl -o card.md",
    "sweep": "sweep sweep.yaml -o swept --json -q",
}
"""What is read -> a command that reads it."""


def texts() -> Mapping[str, str]:
    """Return what each file holds, as the package of today reads it."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "files"
        shutil.copytree(FILES, folder)
        with inside(folder):
            _ask_nobody(folder)
            found = {
                "values.json": as_json(dict(_values())),
                "commands.json": as_json({key: _ended(key) for key in COMMANDS}),
                "imports.json": as_json({name: _imported(name) for name in IMPORTED}),
            }
            found["written.json"] = as_json(_rewritten())
    return found


def _ask_nobody(folder: Path) -> None:
    """Have the engines of the sweep fail if they are asked: their answers are kept."""
    (folder / "my_app.py").write_text(
        "def make(rate):\n    def answer(question):\n        raise SystemError('asked')\n"
        "    return answer\n",
        encoding="utf-8",
    )
    shutil.copy(folder / "journal.jsonl", folder / "written.jsonl.journal")


def _values() -> Iterator[tuple[str, Any]]:
    """Yield what the public readers return."""
    for name in ("small.jsonl", "answers.jsonl"):
        samples = EvaluationDataset.read(name)
        yield (
            name,
            [_short(sample.model_dump(mode="json", exclude_defaults=True)) for sample in samples],
        )
    yield (
        "golden.jsonl",
        [_short(item.model_dump(mode="json")) for item in GoldenSet.read("golden.jsonl")],
    )
    run = Run.read("scores.jsonl")
    yield (
        "scores.jsonl",
        {
            f"{key} {info.spec}": _result(run.result(key, info.spec))
            for key in run.ids
            for info in run.metrics
        },
    )
    yield (
        "scores.jsonl, provenance",
        {
            "name": run.name,
            "dataset": run.provenance.dataset,
            "answered by": dict(run.provenance.answered_by),
            "metrics": [info.spec for info in run.metrics],
            "notes": [*run.provenance.notes],
        },
    )
    yield "replies.db", Store("replies.db").count()
    prompts = prompts_in("prompts").values()
    yield "prompts", {prompt.name: prompt.fingerprint for prompt in prompts}


def _result(result: Any) -> Any:
    return None if result is None else [result.score, result.status, digest(str(result.feedback))]


def _short(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a sample or an item with its long texts and lists as digests."""
    return {
        key: value if isinstance(value, int | float | bool | None) or len(str(value)) < 120
        else digest(value if isinstance(value, str) else json.loads(json.dumps(value)))
        for key, value in values.items()
    }  # fmt: skip


def _ended(key: str) -> Mapping[str, Any]:
    """Return how a command ended, and what it printed as JSON; lists of results by digests."""
    words = COMMANDS[key]
    done = rag_eval(words)
    found: dict[str, Any] = {"command": words, "exit": done.code}
    if done.code:
        found["stderr"] = done.stderr.strip().splitlines()[:1]
    if "--json" in words and done.stdout:
        data = json.loads(done.stdout)
        found["json"] = data if len(as_json(data)) < 6_000 else digest(data)
    return found


def _imported(name: str) -> Any:
    """Return the questions that a format gives back, each with its reference and gold spans."""
    path = next(Path().glob(f"{IMPORTED[name]}*"))
    found = import_golden(path, source=name, corpus=Corpus.of("docs"))  # type: ignore[arg-type]  # one of the formats
    return [
        [
            item.question,
            item.reference,
            [f"{s.doc_id}:{s.start}-{s.end}" for group in item.gold for s in group],
        ]
        for item in found.golden
    ]


def _rewritten() -> Mapping[str, Any]:
    """Return whether a file that is read and written again has the bytes that version 0.1 wrote."""
    again = Path("again")
    again.mkdir()
    GoldenSet.read("golden.jsonl").write(again / "golden.jsonl")
    EvaluationDataset.read("answers.jsonl").write(again / "answers.jsonl")
    return {
        name: (again / name).read_bytes() == (FILES / name).read_bytes()
        for name in ("golden.jsonl", "answers.jsonl")
    }
