"""The golden harness: what the packages do, recorded, so that a rebuilt room does the same.

`python -m tests.golden.record [PART …]` records; `test_golden.py` compares and prints a diff.
"""
