"""The file formats of other tools, one a file: how a golden set is written in each and read."""
