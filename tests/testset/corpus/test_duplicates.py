"""Texts that nearly repeat one another are found; texts of one form are not."""

import numpy as np

from testset.corpus.duplicates import repeats_among, signature


def test_near_duplicates_are_found_and_others_are_not():
    text = " ".join(f"sentence number {n} about vents and pumps." for n in range(40))
    other = " ".join(f"clause {n} is on taxes, wages and holidays." for n in range(40))
    changed = text.replace("number 7 ", "number seven ")
    assert repeats_among(np.array([*map(signature, (text, other, changed))])) == {2: 0}
