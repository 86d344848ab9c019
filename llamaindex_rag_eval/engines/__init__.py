"""The runner and the engines it asks: questions in, answers and source nodes out."""
