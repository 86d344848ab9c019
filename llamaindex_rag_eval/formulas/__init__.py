"""Formulas: pure functions from judgements, ranks, sets, vectors and texts to numbers."""
