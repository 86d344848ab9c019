"""Print the rounds of batch files that an evaluation takes, and whether it scores as online.

    python -m tests.benchmarks.batch_rounds [--samples 200]

Eight metrics judge samples with five contexts, once online and once through the loopback server's
files and batches, where every fifth reply is lost and the first batch expires at half.
"""

import argparse
import json
import tempfile
from pathlib import Path

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import (
    BatchOracle,
    CachedOracle,
    Judge,
    Limit,
    LLMOracle,
    Run,
    Store,
    evaluate,
)
from llamaindex_rag_eval.models.batch_submit import work_in_rounds
from tests.benchmarks.suite_cost import EIGHT, made_samples
from tests.server import LoopbackServer

RESPONDERS = "tests.models.responders:RESPONDERS"


def main() -> None:
    """Evaluate both ways and print what was sent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    samples = made_samples(parser.parse_args().samples)
    batches = {"endings": ["expired"], "lost": 0.2}
    with LoopbackServer(responders=RESPONDERS, batches=batches) as server:
        llm = OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-test-0123456789")
        online = evaluate(samples, metrics=EIGHT, judge=Judge(CachedOracle(LLMOracle(llm))))
        calls = server.stats().calls
        server.reset()
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            limit = Limit()
            oracle = BatchOracle(llm, Store(folder / "replies.db"), folder / "batch", limit=limit)

            def work() -> Run:
                return evaluate(samples, metrics=EIGHT, judge=Judge(oracle))

            run = work_in_rounds(work, oracle.folder, llm, poll=0.05)
            print_rounds(folder / "batch")
        print(f"answered by the server: {server.stats().calls} in batches, {calls} online")
    same = [(r.sample_id, r.metric, r.status, r.score) for r in run.rows] == [
        (r.sample_id, r.metric, r.status, r.score) for r in online.rows
    ]
    print(f"{len(run.rows)} results, the same as online: {same}")
    cost, listed = limit.usage.total.cost, online.provenance.usage["cost"]
    print(f"cost by the price list: ${cost:.4f} in batches, ${listed:.4f} online")


def print_rounds(folder: Path) -> None:
    """Print each file of requests with the lines that came back for it."""
    for path in sorted(folder.glob("*.requests.jsonl")):
        stem = path.name.removesuffix(".requests.jsonl")
        counts = [
            len((folder / f"{stem}.{kind}.jsonl").read_text("utf-8").splitlines())
            if (folder / f"{stem}.{kind}.jsonl").exists()
            else 0
            for kind in ("requests", "replies", "errors")
        ]
        print(f"{path.name}: {counts[0]} requests, {counts[1]} replies, {counts[2]} errors")
    first = (folder / "round-1.requests.jsonl").read_text("utf-8").splitlines()[0]
    reply = (folder / "round-1.replies.jsonl").read_text("utf-8").splitlines()[0]
    print(f"  a request: {json.dumps(json.loads(first))[:160]}…")
    print(f"  a reply:   {json.dumps(json.loads(reply))[:160]}…")


if __name__ == "__main__":
    main()
