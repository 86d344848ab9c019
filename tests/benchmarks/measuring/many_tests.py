"""The paired tests of many simulated comparisons over the same documents, made at once."""

from functools import cached_property

import numpy as np

from llamaindex_rag_eval.stats import paired
from llamaindex_rag_eval.stats.paired import PairedTest, paired_test, parts_of
from llamaindex_rag_eval.stats.sample_values import Floats


class ManyFlips(PairedTest):
    """The test by whole documents that change their sign, of many samples along the first axis."""

    @cached_property
    def _p_of_none(self) -> Floats:
        few = 2.0 ** ((self.sums != 0).sum(axis=-1) - 1) <= paired.FLIPS
        p_values = 2 * self._tail_of_documents(np.array(0.0))
        for k in np.flatnonzero(few):
            parts = self.parts[:, k]
            test = paired.FlipTest(self.sums[k], self.counts[k], 1.0, parts, averaged=self.averaged)
            p_values[k] = test.p_value()
        return np.asarray(np.minimum(1.0, p_values))

    def _tail_of_documents(self, null: Floats) -> Floats:
        signs = paired._signs(self.sums.shape[-1])
        nulls = np.broadcast_to(null, self._mean.shape)
        linked = abs(float(self.counts[0].sum()) - float(self.n[0])) > 1e-6
        shrink = np.sqrt(1 - 2 / self.sums.shape[-1]) if linked else 1.0
        total = np.abs(self._total - nulls * self.n) * shrink
        flipped = np.abs((self.sums - nulls[:, None] * self.counts) @ signs.T)
        hits = (flipped >= total[:, None] - 1e-9).sum(axis=1)
        every = float(np.log2(len(signs))).is_integer()
        shares = hits / len(signs) if every else (1 + hits) / (1 + len(signs))
        return np.asarray(shares / 2)


def many_tests(gaps: Floats, members: Floats, *, averaged: bool = False) -> PairedTest:
    """Return the tests of many samples at once.

    Args:
        gaps: Shape (samples, questions), in [-1, 1].
        members: A row a question, a column a document.
        averaged: Whether scores are means over several answers.
    """
    documents = int((members.sum(axis=0) > 0).sum())
    flipped = paired.FEWEST_FLIPPED <= documents <= paired.MOST_FLIPPED
    kind = ManyFlips if flipped else PairedTest
    parts = parts_of(gaps) @ members**2
    return kind(gaps @ members, members.sum(axis=0), 1.0, parts, averaged=averaged)


def single_tests(gaps: Floats, members: Floats, *, averaged: bool = False) -> list[PairedTest]:
    """Return the test of each sample; see `many_tests`."""
    first = paired_test(gaps[0], members=members, width=1.0, averaged=averaged)
    sums, counts, parts = gaps @ members, members.sum(axis=0), parts_of(gaps) @ members**2
    return [
        type(first)(own, counts, 1.0, parts[:, k], averaged=averaged) for k, own in enumerate(sums)
    ]


def check(gaps: Floats, members: Floats, null: float) -> None:
    """Raise if tests that are made at once say something else than those of a comparison."""
    alone = [paired_test(row, members=members, width=1.0) for row in gaps]
    many, single = many_tests(gaps, members), single_tests(gaps, members)
    above, of_none = (
        [float(p) for p in ps]
        for ps in zip(*((test.p_above(null), test.p_value()) for test in alone), strict=True)
    )
    same = np.allclose(above, many.p_above(null)) and np.allclose(of_none, many.p_value())
    if not same or not np.allclose(of_none, [float(test.p_value()) for test in single]):
        raise SystemExit("tests that are made at once say something else than one")
