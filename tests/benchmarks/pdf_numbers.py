"""PDF: which numbers that pdfplumber extracts does our text lack?

    python -m tests.benchmarks.pdf_numbers FOLDER

For each PDF of a folder: its numbers (runs of digits, each as often as it stands there), how many
of them our Markdown lacks, and what our account says is left out. Raised digits count as digits;
letters that are drawn twice count once.
"""

import logging
import re
import sys
from collections import Counter
from pathlib import Path

import pdfplumber

from testset.corpus.markup.pdf import pdf_as_markdown

PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+", text.translate(PLAIN)))


def main(folder: str) -> None:
    logging.disable(logging.CRITICAL)
    total = lost = 0
    for path in sorted(Path(folder).glob("*.pdf")):
        try:
            read, left_out = pdf_as_markdown(path)
            with pdfplumber.open(path) as file:
                pages = [page.dedupe_chars().extract_text() for page in file.pages]
        except Exception as error:  # noqa: BLE001 - one that cannot be read is named
            print(f"{path.name}: {type(error).__name__}: {error}")
            continue
        there = numbers("\n".join(pages))
        missing = there - numbers(read)
        total, lost = total + there.total(), lost + missing.total()
        print(
            f"{path.name}: {len(pages)} pages, {there.total()} numbers, {missing.total()} lacking"
        )
        if missing:
            print(f"    {', '.join(list(missing)[:8])}; left out: {left_out[:160] or 'nothing'}")
    print(f"{lost} of {total} numbers are lacking")


if __name__ == "__main__":
    main(sys.argv[1])
