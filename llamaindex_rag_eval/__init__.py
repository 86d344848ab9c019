"""Evaluate LlamaIndex query engines: metrics, runs, comparisons.

    from llamaindex_rag_eval import Faithfulness, evaluate

    run = evaluate(query_engine, golden, metrics=[Faithfulness(), "ndcg@10"])
    run.to_pandas()

Golden sets are made by the package `testset`, which comes with this one. The names stand in
`__init__.pyi`; each is imported when it is first used, so that importing the package is quick.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
