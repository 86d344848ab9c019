"""The table of figures: it can be read, its benchmarks exist, and what leaves its tolerance is said."""

import re

import pytest

from tests.benchmarks.figures import ROOT, Benchmark, Figure, main, read


@pytest.mark.parametrize("benchmark", read(), ids=lambda each: each.name)
def test_a_figure_has_a_benchmark_a_pattern_and_a_tolerance(benchmark: Benchmark) -> None:
    module = benchmark.command.split()[0]
    assert (ROOT / "tests" / "benchmarks" / f"{module}.py").is_file()
    assert benchmark.minutes > 0
    names = [figure.name for figure in benchmark.figures]
    assert len(set(names)) == len(names)
    for figure in benchmark.figures:
        assert re.compile(figure.pattern).groups == 1
        assert figure.within is not None or figure.share
        assert not figure.claimed or (ROOT / figure.claimed).is_file()


def test_a_figure_is_found_by_its_pattern_and_held_to_its_tolerance() -> None:
    figure = Figure("tokens", 1000, r"^eight: ([\d,]+) tokens", share=0.02)
    assert figure.found_in("four: 900 tokens\neight: 1,015 tokens\n") == 1015
    assert figure.found_in("four: 900 tokens\n") is None
    assert figure.verdict(1020) == "ok"
    assert figure.verdict(1021) == "LEFT its tolerance of 20"
    assert figure.verdict(None) == "not found in the output"
    assert Figure("r", 0.5, r"r (−?[\d.]+)", within=0, at=1).found_in("r 0.5, r −0.25") == -0.25


TABLE = """\
[calls]
command = "bench_of_mine"
minutes = 1
measured = "never"
figures = [
    { name = "calls (all)", value = 8, within = 0, pattern = '(\\d+) calls' },
]

[other]
command = "other"
minutes = 9
measured = "never"
figures = [
    { name = "calls (all)", value = 8, within = 0, pattern = '(\\d+) calls' },
]
"""


def test_what_left_its_tolerance_is_printed_and_recorded_if_that_is_asked(
    tmp_path, capsys, monkeypatch
) -> None:
    path = tmp_path / "figures.toml"
    path.write_text(TABLE)
    monkeypatch.setattr(Benchmark, "run", lambda _: "9 calls\n")
    assert main(["--minutes", "1"], path) == 1
    assert "LEFT its tolerance of 0" in capsys.readouterr().out
    assert main(["--only", "calls", "--record"], path) == 1
    assert [each.figures[0].value for each in read(path)] == [9, 8]
    assert read(path)[0].measured != "never"
    assert main(["--only", "calls"], path) == 0
    assert main(["--only", "nothing"], path) == 2
    capsys.readouterr()
    assert main(["--list"], path) == 0
    assert "other (9 min; measured never)" in capsys.readouterr().out
