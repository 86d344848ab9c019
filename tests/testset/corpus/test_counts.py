"""Terms are counted, in parts as at once, and their names are found without reading them all."""

from testset.corpus.counts import counted_part, united

TEXTS = ["Red vents, red pumps.", "", "Rote Lüfter über 1998", "東京の塔 🗼 vent"]


def test_parts_give_the_counts_of_the_whole():
    paths = [("Vents",), (), ("Lüfter", "Vents"), ()]
    whole = united([counted_part(TEXTS, paths)])
    parts = united(counted_part([text], [path]) for text, path in zip(TEXTS, paths, strict=True))
    assert list(parts.names) == list(whole.names)
    assert (parts.times != whole.times).nnz == 0
    column = whole.names.index("vent\tVents\tw")
    assert whole.times[:, [column]].toarray().ravel().tolist() == [1, 0, 1, 0]


def test_nothing_is_counted_of_nothing():
    nothing = united([counted_part([])])
    assert (len(nothing.names), nothing.times.shape) == (0, (0, 0))
    assert united([counted_part([""])]).times.shape == (1, 0)
