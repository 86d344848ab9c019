"""Language rules that answer the judge's requests: deterministic, without a model."""
