"""Runs: metrics evaluated on samples, with provenance, and the database that stores runs."""
