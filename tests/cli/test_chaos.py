"""A command under a kill, an interruption, an outage and a full disk, one after the other."""

from tests.benchmarks.chaos import evaluated

SAMPLES = 5
PEACE = (0.2, 0.7)


def test_whatever_happens_the_scores_are_those_of_a_quiet_run():
    quiet, calls, _ = evaluated(SAMPLES)
    scores, answered, chaos = evaluated(SAMPLES, seed=1, peace=PEACE, most=4)
    assert chaos is not None
    assert scores == quiet
    assert set(chaos.events) == {"kill -9", "Ctrl-C", "outage", "full disk"}
    assert answered < 2 * calls
