"""Evaluation past one machine, on Ray: what runs in the driver, in workers, and in one actor."""
