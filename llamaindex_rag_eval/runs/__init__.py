"""Runs: samples × metrics -> results with their provenance, and the store that keeps them."""
