"""Decisions on runs: comparison, gate, plan, sweep, and the calibration of the judge."""
