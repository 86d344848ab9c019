"""ragas 0.2: a generator of test sets, which is not here."""

from llama_index.core import Document
from ragas.llms import llm_factory
from ragas.testset import TestsetGenerator

generator = TestsetGenerator(llm=llm_factory("gpt-4o-mini"))
documents = [Document(text="The ferry goes to Bergen.")]
dataset = generator.generate_with_llamaindex_docs(documents, testset_size=1)
dataset.to_pandas()
