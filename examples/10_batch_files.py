"""Judge by batch files: at half the price, in rounds; what is not answered yet is pending."""

import json
import tempfile
from pathlib import Path

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import EvaluationDataset, Judge, Run, Store, evaluate
from llamaindex_rag_eval.models.batch_oracle import BatchOracle

samples = EvaluationDataset.from_rows(
    [
        {
            "question": "How long is the guarantee?",
            "answer": "The guarantee lasts two years.",
            "contexts": ["The guarantee lasts two years."],
        }
    ]
)
llm = OpenAI(model="gpt-4o-mini", api_key="none is used: nothing is sent")


def go_on(folder: Path) -> tuple[Run, list[Path]]:
    """Score what is answered, and write what is not as the next round of requests."""
    oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch")
    run = evaluate(samples, metrics=["faithfulness"], judge=Judge(oracle))
    return run, list(oracle.write_round())


# What the provider's batch would reply, in the order asked: the claims, then their support.
REPLIES = [
    {"claims": ["The guarantee lasts two years."]},
    {"verdicts": [{"claim": 1, "evidence": [1], "verdict": "supported"}]},
]


def answer(requests: Path, content: object) -> None:
    """Stand in for the batch: `rag-eval evaluate --batch-submit` sends, waits and fetches."""
    lines = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    print(f"{requests.name}: {len(lines)} request")
    message = {"role": "assistant", "content": json.dumps(content)}
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    reply = {"custom_id": lines[0]["custom_id"], "response": {"status_code": 200, "body": body}}
    requests.with_name("downloaded.jsonl").open("a").write(json.dumps(reply) + "\n")


with tempfile.TemporaryDirectory() as name:
    for content in REPLIES:
        run, waiting = go_on(Path(name))
        print(f"{run.summary()[0].missing} pending")
        answer(waiting[0], content)
    run, waiting = go_on(Path(name))
    print(f"{run.results[0].feedback} {len(waiting)} requests wait.")
