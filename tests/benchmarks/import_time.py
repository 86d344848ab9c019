"""Print what importing this package adds to importing LlamaIndex: it should be below 0.3 s.

Run as `python tests/benchmarks/import_time.py`; it takes some ten seconds. The least of several
fresh interpreters is printed, since what else the machine does can only add to it.
"""

import subprocess
import sys

ROUNDS = 5
CODE = """
import time
begun = time.perf_counter()
import llama_index.core
between = time.perf_counter()
import llamaindex_rag_eval
print(between - begun, time.perf_counter() - between)
"""


def seconds() -> tuple[float, float]:
    """Return how long LlamaIndex takes in a fresh interpreter, and how long we take after it."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    first, second = map(float, done.stdout.split())
    return first, second


def main() -> None:
    """Print the least of several rounds."""
    rounds = [seconds() for _ in range(ROUNDS)]
    print(f"llama_index.core       {min(first for first, _ in rounds):6.3f} s")
    print(f"+ llamaindex_rag_eval  {min(second for _, second in rounds):6.3f} s")


if __name__ == "__main__":
    main()
