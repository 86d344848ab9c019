"""Meaning: one scale for the cosines of all models, and none for languages they do not know."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import _pairs as pairs, nearness
from llamaindex_rag_eval.judge.rules.support import support_of
from llamaindex_rag_eval.judge.rules.tokens import language_of


class Model:
    """Knows some languages: what is said in other words has a cosine of 0.9, the rest 0.8.

    Of other languages every two texts have a cosine of 0.8.
    """

    def __init__(self, *known: str, more: Sequence[tuple[str, str]] = ()) -> None:
        self.asked: list[int] = []
        both = [pair for language in known for pair in pairs()[language]] + list(more)
        self._places = {text: number for number, pair in enumerate(both) for text in pair}
        self._others = len(self._places)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(len(texts))
        rows = np.zeros((len(texts), 400), dtype=np.float32)
        rows[:, 0] = np.sqrt(0.8)  # what all texts share
        for row, text in enumerate(texts):
            place = self._places.get(text)
            if place is not None:
                rows[row, 1 + place] = np.sqrt(0.1)  # what the other wording shares
            self._others += 1
            rows[row, 150 + self._others % 250] = np.sqrt(0.2 if place is None else 0.1)
        return rows


SHOP = ("The shop is shut on Sundays.", "You cannot buy anything there at the end of the week.")


def test_nearness_is_0_for_unrelated_sentences_whatever_their_cosine() -> None:
    model = Model("en", more=[SHOP])
    near = nearness([SHOP[0]], [SHOP[1], "Bananas are yellow."], model)
    # (0.9 - 0.8) / (1 - 0.8) and (0.8 - 0.8) / (1 - 0.8)
    np.testing.assert_allclose(near, [[1 / 2, 0]], atol=1e-3)


def test_a_language_that_the_model_does_not_know_has_none() -> None:
    model = Model("en", more=[SHOP])
    near = nearness(["Der Laden ist sonntags zu.", "店は日曜日に閉まっている。"], [SHOP[1]], model)
    assert np.isnan(near).all()


def test_a_model_is_probed_once() -> None:
    model = Model("en")
    nearness(["The mill burnt down."], ["The mill is gone."], model)
    nearness(["The mill burnt down."], ["The mill is gone."], model)
    assert model.asked == [2, sum(2 * len(each) for each in pairs().values()), 2]


def test_meaning_speaks_for_a_claim_held_against_an_answer_and_not_against_a_document() -> None:
    model = Model("en", more=[SHOP])
    alone, document, answer = (
        support_of([SHOP[0]], [SHOP[1]], answers=answers, embed=embed)[0].probability
        for answers, embed in ((True, None), (False, model), (True, model))
    )
    assert alone == document < answer


def test_the_probes_are_sentences_of_their_language_in_other_words() -> None:
    for language, probes in pairs().items():
        texts = [text for pair in probes for text in pair]
        assert len(set(texts)) == 16
        assert [text for text in texts if language_of(text) not in (language, "other")] == []
