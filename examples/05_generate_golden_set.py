"""Generate a golden set: questions, reference answers, and the exact characters that prove them."""

import tempfile
from pathlib import Path

from testset import Corpus, GoldenSet, data_card, generate

corpus = Corpus.read(Path(__file__).parent / "docs")
golden = generate(corpus, size=10, seed=7)

for item in golden.items[:3]:
    span = item.gold[0][0]
    print(item.question)
    print(f"  answer: {item.reference}")
    print(f"  from:   {span.doc_id}, characters {span.start} to {span.end}")

# Gold spans refer to the text of documents, not to chunks: any chunking can be scored.
print(f"{len(golden.verify(corpus.texts))} quotes out of place")

with tempfile.TemporaryDirectory() as folder:
    path = golden.write(Path(folder) / "golden.jsonl")
    again = GoldenSet.read(path)
    print(f"{len(again)} questions written and read back; equal: {again.items == golden.items}")

print(data_card(golden).splitlines()[2])
