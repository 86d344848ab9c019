"""Print what importing names of these packages adds to importing LlamaIndex, in seconds.

Run as `python tests/benchmarks/import_time.py`; it takes half a minute. The packages load a name
when it is first imported, so that importing the package alone says nothing: measured are the names
that a script imports. The least of several fresh interpreters is printed, since what else the
machine does can only add to it.
"""

import subprocess
import sys

ROUNDS = 5
STATEMENTS = (
    "import llamaindex_rag_eval, testset",
    "from llamaindex_rag_eval import Faithfulness, compare, evaluate",
    "from testset import generate",
)
CODE = """
import time
begun = time.perf_counter()
import llama_index.core
between = time.perf_counter()
{statement}
print(between - begun, time.perf_counter() - between)
"""


def seconds(statement: str) -> tuple[float, float]:
    """Return how long LlamaIndex takes in a fresh interpreter, and a statement after it."""
    command = [sys.executable, "-c", CODE.format(statement=statement)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, second = map(float, done.stdout.split())
    return first, second


def main() -> None:
    """Print the least of several rounds for each statement."""
    rounds = {statement: [seconds(statement) for _ in range(ROUNDS)] for statement in STATEMENTS}
    least = min(first for pairs in rounds.values() for first, _ in pairs)
    print(f"{least:6.3f} s  import llama_index.core")
    for statement, pairs in rounds.items():
        print(f"{min(second for _, second in pairs):6.3f} s  + {statement}")


if __name__ == "__main__":
    main()
