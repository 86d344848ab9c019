"""Calibration: people's labels, the agreement of a judge with them, and its stability."""
