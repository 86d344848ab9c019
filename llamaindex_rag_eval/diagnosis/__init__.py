"""Diagnosis: where right answers are lost, found by exchanging one part of an engine at a time."""
