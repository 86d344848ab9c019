"""Comparison: two runs, question by question, and the verdict.

Questions are paired, so that what makes a question hard for all pipelines cancels out. Two runs
become a `Pairing`, each metric of it a `Contrast`; the p-values of all contrasts are corrected for
one another, and the verdict says in sentences what they show.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from llamaindex_rag_eval.decisions.answer_rate import AnswerRate, answer_rate
from llamaindex_rag_eval.decisions.comparability import Discrepancy, discrepancies
from llamaindex_rag_eval.decisions.contrast import Contrast, contrasts_of, corrected
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.decisions.repeats import JudgeNoise, noise_sentences
from llamaindex_rag_eval.decisions.resources import resource_contrasts, resource_sentences
from llamaindex_rag_eval.decisions.slices import Slice, slices_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters, clusters_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import html_table, shares_of


@dataclass(frozen=True)
class Comparison:
    """Two runs on the questions they share.

    Attributes:
        pairing: The runs, and which of their questions are compared.
        contrasts: One for each metric that is compared.
        noise: The judge's share of the variance of each difference; empty where the answers were
            judged once.
        clusters: Of the compared questions.
    """

    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    clusters: SampleClusters
    noise: tuple[JudgeNoise, ...] = ()

    @classmethod
    def of(
        cls,
        a: Run,
        b: Run,
        *,
        metrics: Sequence[BaseMetric | str] | None = None,
        ids: Collection[str] | None = None,
        clusters: Clustering = "documents",
        alpha: float = 0.05,
    ) -> "Comparison":
        """Compare two runs over the questions with these ids, or all they share; see `compare`.

        Raises:
            InputError: The runs share no question, no metric, or not all of `metrics`.
        """
        pairing = Pairing.of(a, b, metrics)
        if ids is not None:
            pairing = pairing.among(ids)
        groups = clusters_of(pairing.samples.values(), clusters)
        return cls(pairing, corrected(contrasts_of(pairing, groups), alpha), groups)

    @cached_property
    def slices(self) -> tuple[Slice, ...]:
        """The same for each kind of question; computed when it is first read."""
        return slices_of(self.pairing, self.clusters)

    @cached_property
    def resources(self) -> tuple[Contrast, ...]:
        """The time, tokens and money of answers, corrected for one another; less is better."""
        return resource_contrasts(self.pairing, self.clusters)

    @property
    def resource_sentences(self) -> tuple[str, ...]:
        """What is shown of time, tokens and money, in sentences."""
        return resource_sentences(self.names, self.resources)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both runs, "A" and "B" if the runs' own are the same."""
        return self.pairing.names

    @property
    def verdict(self) -> tuple[str, ...]:
        """What the contrasts show, in sentences; before it, why there is none on a metric."""
        differing = [one.sentence for one in self.discrepancies if one.metrics]
        rate = self.answer_rate
        answers = () if rate is None else (rate.sentence(self.names),)
        shown = _verdict(self.names, self.contrasts)
        return (*differing, *filter(None, answers), *shown, *noise_sentences(self.noise))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the questions that were compared."""
        return (*self.pairing.notes, *self.cluster_notes)

    @cached_property
    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """What differs between the runs beside the pipelines."""
        return discrepancies(self.pairing)

    @cached_property
    def answer_rate(self) -> AnswerRate | None:
        """How many questions each run answers; `None` if none was asked for an answer."""
        return answer_rate(self.pairing, self.clusters)

    @property
    def cluster_notes(self) -> tuple[str, ...]:
        """How many independent questions there are, if not all are."""
        effective = [contrast.estimate.effective_n for contrast in self.contrasts]
        return self.clusters.sentences(effective, self.pairing.ids)

    def contrast(self, metric: str) -> Contrast | None:
        """Return the contrast of one metric, or `None` if it was not compared."""
        return next((c for c in self.contrasts if c.metric.spec == metric), None)

    def shares(self, metric: str) -> dict[str, dict[str, float]]:
        """Return, by run, the share of each verdict of a metric; {} for one without verdicts.

        They are over the questions that both runs have a score for.
        """
        contrast = self.contrast(metric)
        if contrast is None or not (contrast.metric.verdicts and contrast.pairs):
            return {}
        rows = (self.pairing.rows_a[metric], self.pairing.rows_b[metric])
        return {
            name: shares_of(
                contrast.metric, Counter(found[pair.sample_id].verdict for pair in contrast.pairs)
            )
            for name, found in zip(self.names, rows, strict=True)
        }

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but questions and slices as plain data."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "questions": len(self.pairing.ids),
            "verdict": list(self.verdict),
            "notes": list(self.notes),
            "answers": None if self.answer_rate is None else self.answer_rate.as_json(),
            "metrics": [self._contrast_json(contrast) for contrast in self.contrasts],
            "resources": [contrast.as_json() for contrast in self.resources],
            "judge_noise": [noise.as_json() for noise in self.noise],
        }

    def _contrast_json(self, contrast: Contrast) -> dict[str, JsonValue]:
        found = self.shares(contrast.metric.spec)
        shares: dict[str, JsonValue] = {name: {**of_run} for name, of_run in found.items()}
        return {**contrast.as_json(), "shares": shares} if shares else contrast.as_json()

    def _repr_html_(self) -> str:
        """Return the differences as a small table, for a notebook."""
        a, b = self.names
        rows = [contrast_cells(contrast) for contrast in self.contrasts]
        return html_table(
            ("metric", a, b, "difference", "95% intervals", "p (Holm)"),
            rows,
            caption=self.verdict[0] if self.verdict else "",
        )


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names for `compare`, none twice: a second "main" becomes "main (2)".

    Example:
        >>> unique_names(["a", "a", ""])
        ('a', 'a (2)', 'run')
    """
    taken: list[str] = []
    for name in names:
        base = name or "run"
        number = 1 + sum(other == base or other.startswith(f"{base} (") for other in taken)
        taken.append(base if number == 1 else f"{base} ({number})")
    return tuple(taken)


def contrast_cells(contrast: Contrast) -> tuple[str, ...]:
    """Return spec, means, difference, interval and p as texts; "–" where there is none."""
    estimate = contrast.estimate
    means = ("–" if m is None else f"{m:.3f}" for m in (contrast.mean_a, contrast.mean_b))
    return (
        contrast.metric.spec,
        *means,
        "–" if contrast.difference is None else f"{contrast.difference:+.3f}",
        "–" if estimate.low is None else f"{estimate.low:+.3f} to {estimate.high:+.3f}",
        "–" if contrast.p_adjusted is None else f"{contrast.p_adjusted:.3f}",
    )


def _verdict(names: tuple[str, str], contrasts: Sequence[Contrast]) -> tuple[str, ...]:
    """Return what the contrasts show about the second run, in sentences, differences first.

    Args:
        names: The names of the first and the second run.
        contrasts: One for each metric, corrected for one another.
    """
    by: dict[str, list[Contrast]] = {}
    for contrast in contrasts:
        by.setdefault(contrast.finding, []).append(contrast)
    sentences = [_differences(names, by), *_undecided(contrasts)]
    specs = [c.metric.spec for c in by.get("not comparable", ()) if not c.withheld]
    if specs:
        sentences.append(f"Not comparable, for no question has both scores: {_list(specs)}.")
    sentences += [_missing(names, c) for c in contrasts if c.missing_a != c.missing_b]
    fragile = [contrast.metric.spec for contrast in contrasts if contrast.fragile]
    if fragile:
        sentences.append(f"Missing scores could turn this around on {_list(fragile)}.")
    return tuple(sentence for sentence in sentences if sentence)


def _missing(names: tuple[str, str], contrast: Contrast) -> str:
    """Return what the scores that one of the runs lacks leave open."""
    a, b = names
    counts = f"{contrast.missing_a} in {a}, {contrast.missing_b} in {b}"
    if contrast.bounds is None:
        return f"Missing scores on {contrast.metric.spec} ({counts}) leave any difference open."
    low, high = contrast.bounds
    return (
        f"Missing scores on {contrast.metric.spec} ({counts}), taken as the worst or the best, "
        f"leave a difference of {low:+.3f} to {high:+.3f} open."
    )


def _differences(names: tuple[str, str], by: Mapping[str, Sequence[Contrast]]) -> str:
    """Return in one sentence where the second run is better, worse, or different."""
    a, b = names
    phrases = {
        "better": f"is better than {a} on",
        "worse": f"is worse than {a} on" if "better" not in by else "worse on",
        "different": f"differs from {a} on",
    }
    parts = [
        f"{phrase} {_list([_with_numbers(c) for c in by[finding]])}"
        for finding, phrase in phrases.items()
        if finding in by
    ]
    if parts:
        return f"{b} {'; '.join(parts)}."
    return f"No evidence that {b} and {a} differ on any metric." if "no evidence" in by else ""


def _with_numbers(contrast: Contrast) -> str:
    spec, estimate, p = contrast.metric.spec, contrast.estimate, contrast.p_adjusted
    ci = "" if estimate.low is None else f", 95% CI {estimate.low:+.3f} to {estimate.high:+.3f}"
    p_text = "" if p is None else f", Holm p {'< 0.001' if p < 0.001 else f'{p:.3f}'}"
    return f"{spec} ({contrast.difference or 0.0:+.3f}{ci}{p_text})"


def _undecided(contrasts: Sequence[Contrast]) -> list[str]:
    """Return sentences on the metrics without a shown difference, by the reason."""
    few = [_with_least(c) for c in contrasts if c.finding == "too few questions"]
    rest = [c for c in contrasts if c.finding == "no evidence"]
    same = [c.metric.spec for c in rest if c.ties == c.n]
    open_ = [
        c.metric.spec
        + (f" ({c.n} questions can show {c.detectable:.2f} or more)" if c.detectable else "")
        for c in rest
        if c.ties < c.n
    ]
    sentences = [f"No evidence of a difference on {_list(open_)}."] if open_ else []
    sentences += [f"The same score on every question: {_list(same)}."] if same else []
    sentences += [f"Too few questions to tell: {_list(few)}."] if few else []
    return sentences


def _with_least(contrast: Contrast) -> str:
    """Return a metric with how many questions it takes to show anything at all."""
    from llamaindex_rag_eval.stats.power import least_changed

    least = least_changed(contrast.alpha / contrast.family)
    if contrast.n >= least:
        return f"{contrast.metric.spec} (questions in one cluster)"
    return f"{contrast.metric.spec} ({contrast.n} of the {least} that could show anything)"


def _list(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    Example:
        >>> _list(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
