"""Data: samples, and data sets of them in files, tables and LlamaIndex's objects."""
