"""Can the judge be trusted? Label some answers, compare it with people, correct its means."""

import csv
import tempfile
from pathlib import Path

from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.decisions.calibration import calibrate
from llamaindex_rag_eval.decisions.labels import read_labels
from llamaindex_rag_eval.stats import Interval
from llamaindex_rag_eval.ui.labelling import Labelling
from testset import Corpus, exact_nodes, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=40)
nodes = exact_nodes(corpus.llama_documents(), chunk_size=800)
retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=2)
run = evaluate(retriever, golden, metrics=["context_recall", "hit_rate@5"])

with tempfile.TemporaryDirectory() as folder:
    # A sheet for people: half of it drawn at random, half where metrics contradict one another.
    sheet = Path(folder) / "to-label.csv"
    labelling = Labelling(run, Path(folder) / "labels.jsonl", metric="context_recall", size=30)
    labelling.write_csv(sheet)

    # In place of a person, this example labels by the gold spans: was one of them retrieved?
    found = run.values("hit_rate@5")
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = [{**row, "label": f"{found[row['id']]:g}"} for row in csv.DictReader(file)]
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)

    judged = calibrate(run, read_labels(sheet)).metrics[0]


def shown(interval: Interval | None) -> str:
    return "" if interval is None else f", 95% CI {interval.low:.2f} to {interval.high:.2f}"


agreement = judged.agreement
print(f"{agreement.n} labels drawn at random")
print(f"accuracy {agreement.accuracy.value:.2f}{shown(agreement.accuracy.interval)}")
for miss in judged.misses[:3]:
    print(f"{miss.sample_id}: judge {miss.score:.2f}, people {miss.label:.2f}")
print(f"mean by the judge {judged.judged.value:.2f}")
if judged.corrected is not None:
    print(f"mean by people {judged.corrected.value:.2f}{shown(judged.corrected.interval)}")
