import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.fact_check.classifier import columns_of, two_way_labels


@pytest.mark.parametrize(
    ("labels", "expected"),
    [  # as the configurations of models have them
        (("contradiction", "entailment", "neutral"), (1, 0)),
        (("entailment", "neutral", "contradiction"), (0, 2)),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (2, 0)),
        (("entailment", "not_entailment"), (0, None)),
        (("Not Supported", "Supported"), (1, None)),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0, 1)),
    ],
)
def test_outputs_are_told_apart_by_their_names(
    labels: tuple[str, ...], expected: tuple[int, int | None]
):
    assert columns_of(labels, "m") == expected


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),  # nobody named them
        ("positive", "negative"),  # a model of moods
        ("neutral", "contradiction"),  # nothing means support
        ("entailment", "supported"),  # two do
        ("LABEL_0",),  # a ranking model: relevance is not support
    ],
)
def test_what_names_no_support_is_refused_with_the_remedy(labels: tuple[str, ...]):
    with pytest.raises(InputError, match=r"labels of 'm' are .*; expected one of entailment") as e:
        columns_of(labels, "m")
    assert "labels=(" in str(e.value)


def test_the_second_of_minicheck_s_unnamed_labels_is_support():
    for names in (("LABEL_0", "LABEL_1"), ("0", "1")):
        assert two_way_labels(names, "m") == ("not_supported", "supported")
    assert two_way_labels(("supported", "unsupported"), "m") == ("supported", "unsupported")
    with pytest.raises(InputError, match="say 'nli:MODEL'"):
        two_way_labels(("contradiction", "entailment", "neutral"), "m")
