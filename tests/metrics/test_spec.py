from hypothesis import HealthCheck, given, settings, strategies as st

from llamaindex_rag_eval.metrics.spec import format_spec, parse_spec

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.tuples(inner, inner) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=3,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(["mode", "beta", "levels"]), VALUES), st.integers(1, 99))
def test_a_spec_is_parsed_as_it_was_formatted(given_settings, k):
    assert parse_spec(format_spec("name", given_settings)) == ("name", given_settings)
    with_k = {"k": k, **given_settings}
    assert parse_spec(format_spec("name", with_k)) == ("name", with_k)
