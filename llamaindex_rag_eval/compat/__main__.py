"""`python -m llamaindex_rag_eval.compat SCRIPT [ARGUMENTS]`: see `script`."""

import sys
from pathlib import Path

from llamaindex_rag_eval.compat.script import run_script
from llamaindex_rag_eval.errors import RagEvalError

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m llamaindex_rag_eval.compat SCRIPT [ARGUMENTS]")
    try:
        run_script(Path(sys.argv[1]), sys.argv[2:])
    except RagEvalError as error:
        sys.exit(f"error: {error}")
