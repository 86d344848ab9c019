import pytest

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, ToolCall
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy, ToolCallF1

A, B, C = (ToolCall(name=name) for name in "abc")


def call(name="book", **args):
    return ToolCall(name=name, args=args)


def talk(made, wanted):
    message = Message(role="assistant", tool_calls=tuple(made))
    return MultiTurnSample(messages=(message,), reference_tool_calls=tuple(wanted))


async def accuracy(made, wanted, **options):
    return (await ToolCallAccuracy(**options).result(talk(made, wanted))).score


@pytest.mark.parametrize(
    ("made", "wanted", "ordered", "unordered"),
    [
        ([A, B, C], [A, B, C], 1, 1),
        ([A, C, B], [A, B, C], 2 / 3, 1),  # a and b, or a and c, keep their order
        ([C, B, A], [A, B, C], 1 / 3, 1),
        ([A], [A, B], 1 / 2, 1 / 2),
        ([A, A], [A], 1 / 2, 1 / 2),  # one call too many
        ([C], [A], 0, 0),
        ([], [A], 0, 0),
        ([A], [], 0, 0),
    ],
)
async def test_accuracy_counts_the_calls_in_their_place(made, wanted, ordered, unordered):
    assert await accuracy(made, wanted) == ordered
    assert await accuracy(made, wanted, order="unordered") == unordered


@pytest.mark.parametrize(
    ("made", "wanted", "strict"),
    [
        ([A, B], [A, B], 1),
        ([B, A], [A, B], 0),
        ([A, B, C], [A, B], 0),
        ([call(day=1), call(day=2)], [call(day=1), call(day=3)], 1 / 2),
        ([call(day=2), call(day=1)], [call(day=1), call(day=2)], 0),  # the second is no first
    ],
)
async def test_a_strict_order_counts_nothing_unless_the_tools_are_those_wanted(
    made, wanted, strict
):
    assert await accuracy(made, wanted, order="strict") == strict


async def test_where_no_call_was_wanted_and_none_made_nothing_is_measured():
    result = await ToolCallAccuracy().result(talk([], []))
    assert (result.status, result.score) == ("undefined", None)
    assert (await ToolCallF1().result(talk([], []))).status == "undefined"


async def test_arguments_count_all_together_or_one_by_one_at_any_depth():
    wanted = call(day="Monday", at={"hour": 9, "minute": 0}, guests=["Ada", "Ben"])
    made = call(day="Monday", at={"hour": 9, "minute": 30}, guests=["Ada"], note="quiet")
    assert await accuracy([made], [wanted]) == 0
    # Six values in all: day, at.hour, at.minute, guests.0, guests.1, note; three are equal.
    assert await accuracy([made], [wanted], arguments="nested") == 3 / 6
    assert await accuracy([wanted], [wanted], arguments="nested") == 1
    assert await accuracy([made, call("other")], [wanted], arguments="ignore") == 1 / 2


async def test_the_order_of_keys_does_not_count_and_true_is_not_one():
    assert await accuracy([call(a=1, b=2)], [call(b=2, a=1)]) == 1
    assert await accuracy([call(a=True)], [call(a=1)]) == 0
    assert await accuracy([call(a=1.0)], [call(a=1)]) == 1


def half_if_case_differs(wanted, made):
    if wanted == made:
        return 1.0
    return 0.5 if str(wanted).casefold() == str(made).casefold() else 0.0


async def test_an_own_comparison_of_values_takes_the_place_of_equality():
    wanted, made = call(to="Graz", day="Monday"), call(to="graz", day="Monday")
    options = {"arguments": "nested", "compare": half_if_case_differs}
    assert await accuracy([made], [wanted], **options) == (1 / 2 + 1) / 2
    assert await accuracy([made], [wanted], compare=half_if_case_differs) == 0
    metric = ToolCallAccuracy(compare=half_if_case_differs)
    assert metric.spec == "tool_call_accuracy(compare=half_if_case_differs)"


async def test_of_several_calls_of_one_tool_those_are_paired_that_match_best():
    wanted = [call(a=1, b=1), call(a=2, b=2)]
    made = [call(a=2, b=2), call(a=1, b=9)]
    # (a=2, b=2) matches wholly, (a=1, b=9) by half; crossed, so only without order.
    options = {"arguments": "nested"}
    assert await accuracy(made, wanted, order="unordered", **options) == (1 + 1 / 2) / 2
    assert await accuracy(made, wanted, order="ordered", **options) == 1 / 2


async def test_f1_is_the_overlap_of_calls_made_and_wanted():
    async def f1(made, wanted):
        return (await ToolCallF1().result(talk(made, wanted))).score

    # Two of three calls made are wanted, two of four wanted are made: 2·2 / (3 + 4).
    assert await f1([C, A, call("d")], [A, B, C, call("e")]) == 4 / 7
    assert await f1([B, A], [A, B]) == 1
    assert await f1([A], [B]) == 0


async def test_the_evidence_says_which_call_was_paired_with_which():
    result = await ToolCallAccuracy().result(talk([B, A], [A]))
    assert result.evidence["pairs"] == [{"wanted": 0, "made": 1, "match": 1.0}]
    assert result.evidence["made"] == [{"name": "b"}, {"name": "a"}]


@pytest.mark.parametrize("options", [{"order": "any"}, {"arguments": "x"}, {"compare": "x"}])
def test_a_setting_that_does_not_exist_is_refused(options):
    with pytest.raises(InputError):
        ToolCallAccuracy(**options)


async def test_a_conversation_without_wanted_calls_is_told_apart_from_one_that_wants_none():
    with pytest.raises(MissingFieldError, match="'reference_tool_calls'"):
        await ToolCallF1().result(MultiTurnSample(messages=()))


async def test_equal_calls_count_each_or_once():
    at_nine, at_ten = call(hour=9), call(hour=10)
    made, wanted = [at_nine, at_nine, at_ten], [at_nine, at_ten]
    counted = await ToolCallF1().result(talk(made, wanted))
    assert counted.score == 4 / 5  # 2 · 2 pairs / (2 wanted + 3 made)
    ignored = await ToolCallF1(duplicates="ignore").result(talk(made, wanted))
    assert ignored.score == 1
    assert (await ToolCallF1(duplicates="ignore").result(talk([at_nine] * 3, [A]))).score == 0
    with pytest.raises(InputError, match="duplicates"):
        ToolCallF1(duplicates="once")  # type: ignore[arg-type]
