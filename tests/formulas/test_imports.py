import subprocess
import sys


def test_importing_formulas_pulls_in_no_text_or_statistics_library():
    heavy = ["scipy", "pandas", "sacrebleu", "rouge_score", "nltk", "rapidfuzz", "sklearn", "torch"]
    code = (
        f"import sys, llamaindex_rag_eval.formulas;print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
