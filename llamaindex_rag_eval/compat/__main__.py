"""`python -m llamaindex_rag_eval.compat SCRIPT [ARGUMENTS]`: `rag-eval more run-script`."""

import sys

from llamaindex_rag_eval.__main__ import main

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m llamaindex_rag_eval.compat SCRIPT [ARGUMENTS]")
    sys.argv[1:] = ["more", "run-script", sys.argv[1], "--", *sys.argv[2:]]
    main()
