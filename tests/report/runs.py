"""Two small runs to report on, written by hand."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run


def sample(sample_id: str, **fields: object) -> SingleTurnSample:
    row: dict[str, object] = {
        "id": sample_id,
        "query": f"Where does {sample_id} stand?",
        "response": f"{sample_id} stands on the left shelf.",
        "contexts": (f"The label says: {sample_id} stands on the left shelf.", "Shelves are dry."),
        "reference": "On the left shelf.",
    }
    return SingleTurnSample.model_validate({**row, **fields})


def run_of_scores(
    name: str,
    scores: Mapping[str, Sequence[float | None]],
    *,
    samples: Sequence[SingleTurnSample] | None = None,
    info: Mapping[str, Mapping[str, object]] | None = None,
    failed: Sequence[tuple[str, str]] = (),
) -> Run:
    """Return a run with these scores, sample by sample; `None` is undefined.

    Args:
        name: Of the run.
        scores: Metric -> scores.
        samples: Which; by default `q0`, `q1`, … with answers that name the run.
        info: Metric -> what is not the default, as its direction.
        failed: The places (sample id, metric) whose `None` stands for a failure.
    """
    count = max(len(values) for values in scores.values())
    samples = samples or [_answered(f"q{number}", by=name) for number in range(count)]
    return Run(
        samples=tuple(samples),
        results=tuple(
            _result(one.id, label, values[number], (one.id, label) in failed)
            for number, one in enumerate(samples)
            for label, values in scores.items()
        ),
        provenance=Provenance(
            metrics=tuple(
                MetricInfo.model_validate({"label": label, **(info or {}).get(label, {})})
                for label in scores
            )
        ),
        name=name,
    )


def _answered(sample_id: str, *, by: str) -> SingleTurnSample:
    response = f"{sample_id} stands on the left shelf. So says {by or 'nobody'}."
    return sample(sample_id, response=response)


def _result(sample_id: str, metric: str, score: float | None, failed: bool) -> Result:
    if score is not None:
        evidence: list[JsonValue] = [
            {
                "claim": f"{sample_id} stands on the left shelf.",
                "verdict": "supported" if score > 0.5 else "not_mentioned",
                "sources": [0] if score > 0.5 else [],
                "quote": f"{sample_id} stands on the left shelf." if score > 0.5 else "",
            }
        ]
        return Result(
            metric=metric,
            sample_id=sample_id,
            score=score,
            feedback=f"{metric} is {score:.3g}.",
            evidence=evidence,
        )
    reason = "CallError: no reply" if failed else "The response makes no claim."
    return Result(
        metric=metric,
        sample_id=sample_id,
        status="failed" if failed else "undefined",
        error_type="CallError" if failed else None,
        invalid_result=True,
        invalid_reason=reason,
        feedback=reason,
    )
