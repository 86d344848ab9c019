"""Sequential gate: an engine is asked in batches, until it is decided whether it may ship.

    decision, run = gate_engine(engine, golden, main, Policy(margin=0.05), out="gate-output")

After each batch the answers so far are compared with those of the baseline, at a level of which all
looks together spend what a gate over all questions would: a build that is worse by the margin
passes as rarely, and one that is as good is mostly decided earlier (`stats/race.py`).

What is cheapest is tried first: a batch is scored by the metric that decides, and by the others,
which can only stop a build, once that metric would let it pass.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.repeats import question_of, repeated
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.decision import VERDICTS, Decision, decide_pair
from llamaindex_rag_eval.decisions.metric_checks import LEVEL
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, Policy
from llamaindex_rag_eval.decisions.sweep_questions import FIRST, Schedule
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.runner import QUESTIONS_IN_FLIGHT, Progress, arun
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.runs.evaluate import aevaluate, metrics_with_judge
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.race import pair_levels

ANSWERS, SCORES, REPLIES = "answers.jsonl", "scores.jsonl", "replies.db"
"""The files of a folder: answers, their scores, and the judge's replies."""


async def agate_engine(
    engine: Engine,
    golden: HasSamples | Iterable[Sample],
    baseline: Run,
    policy: Policy = DEFAULT_POLICY,
    *,
    judge: JudgeLike | None = None,
    repeats: int = 1,
    first: int = FIRST,
    seed: int = 0,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    name: str = "new",
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> tuple[Decision, Run]:
    """Ask an engine batch after batch, until it is decided whether it may replace a baseline.

    Args:
        engine: As for `run`.
        golden: The questions, those of the baseline.
        baseline: The run it is compared with, on all metrics of that run.
        policy: What it must reach. Limits, as `floor`, count once the comparison lets it pass.
        judge: The judge of metrics that have none of their own.
        repeats: How often each question is asked.
        first: Questions of the first batch; those on one document stay together.
        seed: Another seed asks the questions in another order.
        concurrency: Questions asked at a time.
        timeout: Seconds that a question may take.
        name: The name of the engine's run.
        out: A folder for answers, scores, and the replies of a judge: what it holds is not paid for
            again. Use another folder when the code of the engine changes.
        progress: Called as answers come.

    Returns:
        The decision, and the scores of the answers that it took.

    Raises:
        InputError: The golden set has other questions than the baseline and the policy accepts no
            others, a number is out of range, or the baseline lacks the primary metric.
        NeedsModelError: A metric needs an LLM, and the judge is rules.
        OutputError: `out` cannot be written.
    """
    questions = EvaluationDataset(repeated(_shared(golden, baseline, policy), repeats))
    clusters = policy.clusters
    schedule = Schedule.of(questions, first=first * repeats, clusters=clusters, seed=seed)
    folder = None if out is None else Path(out)
    chosen = metrics_with_judge([info.spec for info in baseline.metrics], judge)
    directed = [info.spec for info in baseline.metrics if info.direction != "neither"]
    primary = policy.primary_of(directed, baseline.name)
    answers: dict[str, Sample] = {}

    async with keeping_replies(chosen, folder and folder / REPLIES) as metrics:
        decisive = [metric for metric in metrics if metric.spec == primary]
        for look, alpha in zip(schedule.looks, levels_of(schedule.shares), strict=True):
            ids, last = schedule.ids[:look], look == schedule.looks[-1]
            batch = await arun(
                engine,
                questions,
                concurrency=concurrency,
                timeout=timeout,
                out=folder and folder / ANSWERS,
                only=set(ids) - set(answers),
                progress=progress,
            )
            answers |= {answer.id: answer for answer in batch}
            for used, what in ((decisive, _alone(policy, primary)), (metrics, policy)):
                run = await aevaluate([answers[key] for key in ids], metrics=used, name=name)
                decision = _look(_part(baseline, run), run, what, alpha, last=last)
                settled = decision.outcome in ("worse", "not comparable")
                if settled or not (last or VERDICTS[decision.outcome] == "ship"):
                    break
            if settled or VERDICTS[decision.outcome] == "ship":
                break
    if folder is not None:
        run.to_jsonl(folder / SCORES)
    count = f"{look // repeats} of {len(questions) // repeats} questions were asked"
    note = f"{count}; looking at them early makes no error likelier."
    return replace(decision, notes=(note, *decision.notes)), run


gate_engine = synced(agate_engine)
"""Ask an engine until it is decided: `agate_engine`, with its arguments, where no `await` is."""


def levels_of(shares: Sequence[float]) -> tuple[float, ...]:
    """Return the level of a decision at each look, so that all together have that of one.

    The same level holds for a loss, on two sides, and for a margin that is ruled out, on one.

    Args:
        shares: The share of all questions that is asked at each look, growing.

    Example:
        >>> [round(level, 2) for level in levels_of((1.0,))]
        [0.05]
    """
    on_one_side = pair_levels(2, tuple(shares), LEVEL)
    on_two_sides = pair_levels(2, tuple(shares), LEVEL / 2)
    return tuple(min(p, 2 * q) for p, q in zip(on_one_side, on_two_sides, strict=True))


def _shared(golden: HasSamples | Iterable[Sample], baseline: Run, policy: Policy) -> list[Sample]:
    questions, known = EvaluationDataset.of(golden), {question_of(s) for s in baseline.samples}
    shared = [sample for sample in questions if sample.id in known]
    same = len(shared) == len(questions) == len(known)
    if not shared or not (same or policy.allow.other_data):
        raise InputError(
            f"{len(shared)} questions are in both the golden set, of {len(questions)}, and "
            f"{baseline.name or 'the baseline'}, of {len(known)}; expected the same questions"
        )
    return shared


def _part(baseline: Run, run: Run) -> Run:
    """Return the baseline on the questions and metrics of a run."""
    questions = {question_of(sample) for sample in run.samples}
    samples = tuple(s for s in baseline.samples if question_of(s) in questions)
    ids, specs = {sample.id for sample in samples}, {info.spec for info in run.metrics}
    results = tuple(r for r in baseline.results if r.sample_id in ids and r.metric in specs)
    metrics = [info for info in baseline.provenance.metrics if info.spec in specs]
    provenance = baseline.provenance.model_copy(update={"metrics": metrics})
    return replace(baseline, samples=samples, results=results, provenance=provenance)


def _alone(policy: Policy, primary: str) -> Policy:
    """Return what a policy says of a comparison on its primary metric alone."""
    margin = policy.margins.get(policy.primary, policy.margins.get(primary, policy.margin))
    return replace(
        policy,
        primary=primary,
        margin=margin,
        margins={},
        floor=None,
        max_latency=None,
        max_cost=None,
        thresholds=(),
    )


def _look(baseline: Run, run: Run, policy: Policy, alpha: float, *, last: bool) -> Decision:
    """Return what may be decided after some of the questions."""
    primary = policy.primary
    pair = Comparison.of(baseline, run, clusters=policy.clusters, alpha=alpha, primary=primary)
    if not last:  # of other questions answers may change, and more of them may tell
        known = tuple(replace(c, unchanged=False) for c in pair.contrasts)
        pair = replace(pair, contrasts=known)
        policy = replace(policy, allow=replace(policy.allow, inconclusive=False))
    return decide_pair(pair, policy)
