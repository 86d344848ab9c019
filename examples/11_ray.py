"""Score on a Ray cluster: here one started on this machine, else the one at `RAY_ADDRESS`."""

import json
import tempfile
from pathlib import Path

from llamaindex_rag_eval import evaluate_on_ray

with tempfile.TemporaryDirectory() as folder:
    answers = Path(folder) / "answers.jsonl"
    rows = (
        {
            "id": str(number),
            "question": "How many books may I borrow?",
            "answer": f"Readers may borrow {'ten' if number % 4 else 'twelve'} books at a time.",
            "contexts": ["Readers may borrow ten books at a time, each for four weeks."],
        }
        for number in range(200)
    )
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    # Tasks score blocks of rows and write Parquet; the driver holds a block or two of samples.
    run = evaluate_on_ray(answers, metrics=["faithfulness"], out=Path(folder) / "scores")
    print(run)
    print(f"{len(run.to_run().samples)} samples in memory, for reports and comparisons")
