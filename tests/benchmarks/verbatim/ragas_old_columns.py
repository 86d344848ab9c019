"""ragas 0.1: ready metrics over columns with the old names."""

import pandas as pd
from ragas import evaluate
from ragas.metrics import answer_relevancy, context_precision, context_recall, faithfulness

columns = {
    "question": ["Where does the ferry go?"],
    "answer": ["It goes to Bergen."],
    "contexts": [["The ferry goes to Bergen."]],
    "ground_truth": ["To Bergen."],
}
metrics = [faithfulness, answer_relevancy, context_precision, context_recall]
for data in (columns, pd.DataFrame(columns), [{key: value[0] for key, value in columns.items()}]):
    result = evaluate(data, metrics=metrics)
    assert 0 <= result["context_recall"] <= 1
    assert len(result.to_pandas()) == 1
