"""The page of `rag-eval ui`: the runs that are stored, over time."""
