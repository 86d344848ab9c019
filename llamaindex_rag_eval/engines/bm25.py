"""BM25 over nodes, by `llama-index-retrievers-bm25`, with the same order on every processor."""

import bm25s  # type: ignore[import-untyped]  # has none
import numpy as np
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.vector_stores.utils import metadata_dict_to_node
from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none


class StableBM25Retriever(BM25Retriever):  # type: ignore[misc]  # of no type
    """BM25 whose nodes of equal scores stand in the order in which they were given.

    The base class leaves them in the order of NumPy's partition, which differs between processors.
    """

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        (tokens,) = bm25s.tokenize(
            query_bundle.query_str,
            stemmer=None if self.skip_stemming else self.stemmer,
            token_pattern=self.token_pattern,
            return_ids=False,
            show_progress=False,
        )
        scores = self.bm25.get_scores(tokens) if tokens else np.zeros(len(self.corpus), np.float32)
        best = np.argsort(-scores, kind="stable")[: self.similarity_top_k]
        return [
            NodeWithScore(node=metadata_dict_to_node(self.corpus[n]), score=float(scores[n]))
            for n in best.tolist()
        ]
