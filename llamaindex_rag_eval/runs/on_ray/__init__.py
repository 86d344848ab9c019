"""Evaluation past one machine, on Ray: what runs in the driver, and what in its workers."""
