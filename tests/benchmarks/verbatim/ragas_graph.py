"""ragas: a test set from a knowledge graph that was stored."""

from pathlib import Path
from tempfile import TemporaryDirectory

from ragas.testset import TestsetGenerator
from ragas.testset.graph import KnowledgeGraph, Node, NodeType
from ragas.testset.synthesizers import default_query_distribution
from ragas.testset.transforms import apply_transforms, default_transforms

text = "# ETA\n\nThe estimated time of arrival (ETA) stands on each bill. Clerks add it by hand."
graph = KnowledgeGraph()
graph.nodes.append(
    Node(
        type=NodeType.DOCUMENT,
        properties={"page_content": text, "document_metadata": {"file_name": "fares.md"}},
    )
)
apply_transforms(graph, default_transforms(documents=[], llm=None, embedding_model=None))
with TemporaryDirectory() as folder:
    graph.save(str(Path(folder, "graph.json")))
    stored = KnowledgeGraph.load(str(Path(folder, "graph.json")))
assert len(stored.nodes) == 1
generator = TestsetGenerator(llm=None, embedding_model=None, knowledge_graph=stored)
testset = generator.generate(testset_size=2, query_distribution=default_query_distribution())
assert len(testset.to_pandas()["user_input"]) == len(testset) <= 2
