"""Comparability: what differs between two runs beside the pipelines.

A difference between two pipelines is theirs only if both answered the same questions, were held to
the same references, and were judged by the same judge with the same settings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.judge.answerers import answerer_name
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

OTHERS = 0.05
"""The share of judgements by somebody else from which on a metric has another judge."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """What differs between two runs.

    Attributes:
        sentence: What differs, in words.
        metrics: Specs of the metrics that it leaves without a verdict; none if it only marks them.
    """

    sentence: str
    metrics: tuple[str, ...] = ()


def discrepancies(pairing: Pairing) -> tuple[Discrepancy, ...]:
    """Return what differs between two runs, what withholds a verdict first."""
    found = [*_settings(pairing), *_judges(pairing)]
    found += [Discrepancy(sentence) for sentence in pairing.notes]
    lost = uncompared(pairing.a, pairing.b)
    if lost:
        name = pairing.names[1]
        found.append(Discrepancy(f"Not compared: {', '.join(lost)}, not in {name!r}."))
    return tuple(found)


def uncompared(a: Run, b: Run) -> tuple[str, ...]:
    """Return the metrics of the first run that the second does not have."""
    known = {info.spec for info in b.metrics}
    return tuple(info.spec for info in a.metrics if info.spec not in known)


def _settings(pairing: Pairing) -> list[Discrepancy]:
    others = {info.spec: info for info in pairing.b.metrics}
    found = []
    for info in pairing.metrics:
        other = others[info.spec]
        for what, one, two in (
            ("direction", info.direction, other.direction),
            ("bounds", _bounds(info), _bounds(other)),
        ):
            if one != two:
                sentence = f"No verdict on {info.spec}: {what} {one} before, {two} now."
                found.append(Discrepancy(sentence, (info.spec,)))
    return found


def _bounds(info: MetricInfo) -> str:
    return f"{info.bounds[0]:g} to {info.bounds[1]:g}"


def _judges(pairing: Pairing) -> list[Discrepancy]:
    """Return metrics that were judged by somebody else, put together by whom."""
    by: dict[tuple[str, str], list[str]] = {}
    for info in pairing.metrics:
        pair = _other_judge(_judged(pairing.a, info.spec), _judged(pairing.b, info.spec))
        if pair is not None:
            by.setdefault(pair, []).append(info.spec)
    names = pairing.names
    return [
        Discrepancy(
            f"No verdict on {', '.join(specs)}: {names[0]!r} was judged by {one}, "
            f"{names[1]!r} by {two}.",
            tuple(specs),
        )
        for (one, two), specs in by.items()
    ]


def _judged(run: Run, spec: str) -> Mapping[str, Mapping[str, int]]:
    return run.provenance.judged.get(spec, {})


def _other_judge(
    a: Mapping[str, Mapping[str, int]], b: Mapping[str, Mapping[str, int]]
) -> tuple[str, str] | None:
    """Return who judged each run, in words, if that differs for a kind of judgement of both."""
    for kind in a:
        one, two = a[kind], b.get(kind, {})
        shared = one.keys() & two.keys()
        if two and max(_share_of_others(one, shared), _share_of_others(two, shared)) > OTHERS:
            who = (_who(one), _who(two))
            return who if who[0] != who[1] else (f"{who[0]} ({_exact(one)})", _exact(two))
    return None


def _share_of_others(counts: Mapping[str, int], shared: "set[str]") -> float:
    total = sum(counts.values())
    return sum(count for who, count in counts.items() if who not in shared) / total if total else 0


def _who(counts: Mapping[str, int]) -> str:
    return " and ".join(dict.fromkeys(map(answerer_name, _by_count(counts))))


def _exact(counts: Mapping[str, int]) -> str:
    """Return fingerprints: the same model with other settings, another prompt or other rules."""
    return " and ".join(_by_count(counts))


def _by_count(counts: Mapping[str, int]) -> Sequence[str]:
    return sorted(counts, key=lambda who: -counts[who])
