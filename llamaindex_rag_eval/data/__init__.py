"""Data sets: samples with ids of their own, from files and tables and back."""
