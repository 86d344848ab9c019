import pkgutil
import subprocess
import sys

from llamaindex_rag_eval import formulas


def test_importing_formulas_pulls_in_no_text_or_statistics_library():
    heavy = ["scipy", "pandas", "sacrebleu", "rouge_score", "nltk", "rapidfuzz", "sklearn", "torch"]
    names = [
        f"{formulas.__name__}.{module.name}" for module in pkgutil.iter_modules(formulas.__path__)
    ]
    assert len(names) > 5
    code = f"import sys, {', '.join(names)};print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
