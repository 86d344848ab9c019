"""ragas 0.2: an engine of LlamaIndex over a data set."""

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import MockLLM
from ragas import EvaluationDataset, evaluate as evaluate_any
from ragas.integrations.llama_index import evaluate
from ragas.metrics import ContextRecall, Faithfulness
from ragas.run_config import RunConfig

index = SummaryIndex.from_documents([Document(text="The ferry goes to Bergen.")])
engine = index.as_query_engine(llm=MockLLM(max_tokens=9))
rows = [{"user_input": "Where does the ferry go?", "reference": "To Bergen."}]
dataset = EvaluationDataset.from_list(rows)
metrics = [Faithfulness(), ContextRecall()]
result = evaluate(
    query_engine=engine, metrics=metrics, dataset=dataset, run_config=RunConfig(max_workers=2)
)
assert len(result.to_pandas()) == 1
assert len(evaluate_any(engine, dataset, metrics).to_pandas()) == 1
