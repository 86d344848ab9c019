"""Diagnose: ask an engine again, with one part exchanged, where its answers were wrong.

    lost = diagnose(query_engine, GoldenSet.read("golden.jsonl"))
    print(lost.causes[0].cause, lost.causes[0].count)
    lost.reach  # the mean that perfect retrieval would reach

Only wrong answers, and some right ones as a control, are asked again. Trials are answers like all
others: they are written to files, judged by the same metric, and not asked twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, cast, get_args

from llama_index.core.base.base_query_engine import BaseQueryEngine

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.diagnosis.cause import DEPTH, Signs, TrialName, causes_of
from llamaindex_rag_eval.diagnosis.evidence import Evidence
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswer, LostAnswers, Trial
from llamaindex_rag_eval.diagnosis.parts import EngineParts, FromNodes, Retrieved
from llamaindex_rag_eval.diagnosis.trials import PlannedTrial, trials_of
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.runner import QUESTIONS_IN_FLIGHT, Progress, arun
from llamaindex_rag_eval.errors import InputError, PendingError
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.runs.evaluate import aevaluate

CONTROL = 20
"""Right answers that are tried, too: of 20 that stay right, at least 84 % do (Wilson)."""

METRIC = "answer_verdict"

SUPPORTED = "context_recall(graded=False)"
"""Says whether evidence supports a reference: of its claims, how many."""


async def adiagnose(
    engine: Engine,
    questions: HasSamples | Iterable[Sample],
    *,
    metric: str = METRIC,
    judge: JudgeLike | None = None,
    second: JudgeLike | None = None,
    control: int = CONTROL,
    depth: int = DEPTH,
    seed: int = 0,
    out: str | Path | None = None,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> LostAnswers:
    """Find where right answers are lost: exchange one part of an engine at a time, and ask again.

    Of each wrong answer it is looked up whether the evidence is in the index, at which rank the
    retriever has it, and whether it was passed on; and the engine answers from the evidence alone,
    from the evidence before what was passed on, and once more from what was passed on.

    Args:
        engine: A query engine that can `retrieve` and `synthesize`, as most of LlamaIndex can. Of
            any other engine it is said whether the evidence was among the contexts.
        questions: A golden set, or samples with a reference and gold spans, gold contexts or gold
            ids. Those that have an answer already are not asked again.
        metric: What says whether an answer is right: from its default threshold on.
        judge: The judge of the metric.
        second: Judges wrong answers again; if it calls one right, the first judge is the cause.
        control: So many right answers are tried, too, drawn at random.
        depth: Ranks down to which evidence counts as found.
        seed: Of the draw.
        out: A folder for answers, trials and their scores; a run that was killed continues there.
        concurrency: Questions asked at a time.
        timeout: Seconds that a question may take.
        progress: Called with the number of questions done, and of all, of each step.

    Raises:
        InputError: There are no questions, or `metric` says of no answer whether it is right.
        EngineError: `engine` is no engine, or cannot retrieve.
        OutputError: A file cannot be written.
        PendingError: Verdicts are asked for in batch files, and not there yet.
    """
    measured = metric_of(metric)
    if measured.default_threshold is None or measured.direction != "higher":
        raise InputError(f"{metric!r} does not say whether an answer is right; take {METRIC!r}")
    study = _Study(
        engine,
        metric,
        judge,
        Path(out) if out is not None else None,
        {"concurrency": concurrency, "timeout": timeout, "progress": progress},
    )
    answers = await study.answered(EvaluationDataset.of(questions))
    right = await study.verdicts(answers, "scores")
    judged = [sample for sample in answers if sample.id in right]
    if not judged:
        raise InputError(f"no answer has a verdict by {metric}; `rag-eval evaluate` says why")
    wrong = [sample for sample in judged if not right[sample.id]]
    correct = [sample for sample in judged if right[sample.id] and Evidence.of(sample)]
    controls = Random(seed).sample(correct, min(control, len(correct)))  # noqa: S311 - no secret
    retrieved = await study.retrieved([*wrong, *controls])
    trials = await study.trials(wrong, controls, retrieved)
    return LostAnswers(
        judged,
        await study.lost(wrong, retrieved, trials, second, depth),
        {sample.id: trials[sample.id] for sample in controls if sample.id in trials},
        len(answers) - len(judged),
    )


diagnose = synced(adiagnose)
"""Find where right answers are lost: `adiagnose`, with its arguments, where no `await` is."""


Trials = Mapping[TrialName, Trial]


@dataclass(frozen=True)
class _Study:
    """An engine that is asked, and how its answers are judged.

    Attributes:
        engine: The engine.
        metric: What says whether an answer is right.
        judge: Its judge.
        folder: Where answers and scores are kept; `None` for nowhere.
        asking: How questions are asked.
    """

    engine: Engine
    metric: str
    judge: JudgeLike | None
    folder: Path | None
    asking: Mapping[str, Any]

    def file(self, name: str) -> Path | None:
        """Return the file of this name in the folder."""
        return None if self.folder is None else self.folder / f"{name}.jsonl"

    async def answered(self, questions: EvaluationDataset) -> list[SingleTurnSample]:
        """Return questions with their answers; what has none yet is asked."""
        single = [sample for sample in questions if isinstance(sample, SingleTurnSample)]
        if not single:
            raise InputError("expected questions; conversations cannot be diagnosed")
        new = [sample for sample in single if not _is_answered(sample)]
        answers = {sample.id: sample for sample in single}
        if new:
            run = await arun(self.engine, new, out=self.file("answers"), **self.asking)
            answers |= {s.id: s for s in run if isinstance(s, SingleTurnSample)}
        return list(answers.values())

    async def verdicts(
        self, answers: Sequence[SingleTurnSample], name: str, judge: JudgeLike | None = None
    ) -> dict[str, bool]:
        """Return whether each answer is right; without those that have no verdict."""
        scores = await self.scores(answers, self.metric, name, judge)
        cut = metric_of(self.metric).default_threshold or 0.0
        verdicts = {key: score >= cut for key, score in scores.items()}
        return verdicts | {sample.id: False for sample in answers if sample.error}

    async def scores(
        self,
        samples: Sequence[SingleTurnSample],
        metric: str,
        name: str,
        judge: JudgeLike | None = None,
    ) -> dict[str, float]:
        """Return the score of each sample that has one; they are kept in the file of this name."""
        if not samples:
            return {}
        run = await aevaluate(
            samples, metrics=[metric], judge=judge or self.judge, out=self.file(name)
        )
        if len(run.results) < len(samples) and not run.provenance.stopped:
            raise PendingError("verdicts are asked for in batch files")
        return run.values(metric)

    async def retrieved(self, samples: Sequence[SingleTurnSample]) -> Mapping[str, Retrieved]:
        """Return what is retrieved for questions with known evidence, of an engine with parts."""
        parts = EngineParts(self.engine)
        known = [
            sample
            for sample in samples
            if parts.opened
            and not sample.error
            and sample.expected_behaviour == "answer"
            and Evidence.of(sample)
        ]
        nodes = await gather_all(*(parts.retrieve(sample.asked) for sample in known))
        return {sample.id: entry for sample, entry in zip(known, nodes, strict=True)}

    async def trials(
        self,
        wrong: Sequence[SingleTurnSample],
        controls: Sequence[SingleTurnSample],
        retrieved: Mapping[str, Retrieved],
    ) -> Mapping[str, Trials]:
        """Return what came of exchanging parts, for each question of which they can be."""
        planned: list[PlannedTrial] = []
        for samples, right_ in ((wrong, False), (controls, True)):
            for sample in (sample for sample in samples if sample.id in retrieved):
                planned += trials_of(sample, retrieved[sample.id], right=right_)
        if not planned:
            return {}
        engine = FromNodes(
            cast("BaseQueryEngine", self.engine),
            {trial.sample.id: trial.nodes for trial in planned},
        )
        trial_file, samples = self.file("trials"), [trial.sample for trial in planned]
        answers = await arun(cast("Engine", engine), samples, out=trial_file, **self.asking)
        replies = {a.id: a for a in answers if isinstance(a, SingleTurnSample)}
        bare = {trial.sample.id for trial in planned if trial.name == "without"}
        right = await self.verdicts(
            [reply for key, reply in replies.items() if key not in bare], "trial-scores"
        )
        refused = await self.scores([replies[key] for key in bare], "refusal", "refusal-scores")
        right |= {key: score >= 1 for key, score in refused.items()}
        trials: dict[str, dict[TrialName, Trial]] = {}
        for trial in planned:
            key = trial.sample.id
            judged = None if replies[key].error else right.get(key)
            outcome = Trial(replies[key].response, judged)
            trials.setdefault(trial.of, {})[trial.name] = outcome
        return trials

    async def lost(
        self,
        wrong: Sequence[SingleTurnSample],
        retrieved: Mapping[str, Retrieved],
        trials: Mapping[str, Trials],
        second: JudgeLike | None,
        depth: int,
    ) -> tuple[LostAnswer, ...]:
        """Return why each wrong answer is."""
        again = {} if second is None else await self.verdicts(wrong, "second-scores", second)
        doubtful = [
            sample.model_copy(update={"contexts": Evidence.of(sample).texts})
            for sample in wrong
            if sample.id in trials and trials[sample.id]["alone"].right is False
        ]
        supported = await self.scores(doubtful, SUPPORTED, "evidence-scores")
        entries = []
        for sample in wrong:
            tried = trials.get(sample.id, {})
            signs = replace(
                signs_of(sample, retrieved.get(sample.id)),
                second=again.get(sample.id, False),
                supported=supported[sample.id] > 0 if sample.id in supported else None,
                trials={k: trial.right for k, trial in tried.items() if trial.right is not None},
            )
            entries.append(LostAnswer(sample, causes_of(signs, depth), signs.rank, tried))
        return tuple(entries)


def most_answers(questions: Iterable[Sample], control: int = CONTROL) -> list[SingleTurnSample]:
    """Return stand-ins for all answers that a diagnosis asks for and judges, if all are wrong.

    Args:
        questions: The questions; those with an answer are judged, and not asked.
        control: Right answers that are tried.

    Returns:
        Samples whose response is the reference; what is judged of an answer that exists has that.
    """
    answers: list[SingleTurnSample] = []
    for number, sample in enumerate(questions):
        if isinstance(sample, SingleTurnSample):
            answers.append(sample if _is_answered(sample) else _stand_in(sample, "answer"))
            trials = get_args(TrialName) if number < control else get_args(TrialName)[:3]
            answers += [_stand_in(sample, name) for name in trials if Evidence.of(sample)]
    return answers


def _stand_in(sample: SingleTurnSample, name: str) -> SingleTurnSample:
    response = f"{sample.reference}\n{name}"  # not alike: no reply stands for another
    update = {"id": f"{sample.id} {name}", "response": response}
    return SingleTurnSample.model_validate(sample.model_dump(exclude_unset=True) | update)


def _is_answered(sample: SingleTurnSample) -> bool:
    return sample.has("response") or bool(sample.error)


def signs_of(sample: SingleTurnSample, retrieved: Retrieved | None) -> Signs:
    """Return what retrieval says of a wrong answer.

    Args:
        sample: The question with its answer.
        retrieved: What is retrieved for it; `None` if the engine has no parts.
    """
    evidence = Evidence.of(sample)
    passed = evidence.held_by(sample) if evidence and sample.has("contexts") else None
    signs = Signs(
        failed=bool(sample.error),
        known=bool(evidence),
        answerable=sample.expected_behaviour == "answer",
        passed=passed,
    )
    if retrieved is None:
        return signs
    signs = replace(signs, ranked=evidence.held_in(retrieved.ranked or ()))
    if retrieved.all is None:
        return signs
    ranks = evidence.ranks(retrieved.all)
    known = [rank for rank in ranks if rank is not None]
    if len(known) < len(ranks):
        return replace(signs, indexed=not retrieved.complete)
    return replace(signs, indexed=True, rank=max(known) + 1)
