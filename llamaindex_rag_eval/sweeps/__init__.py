"""Sweeps: many settings of a pipeline race on the same questions, and the best is recommended."""
