"""Reasons: a decision in sentences, why it is so, what would tell, and how it was computed."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from llamaindex_rag_eval.decisions.calibration import MANY_MORE
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import Check
from llamaindex_rag_eval.decisions.metric_checks import (
    NEGLIGIBLE,
    NOT_WORSE,
    SLIGHT,
    TOO_FEW,
    WITHIN,
    may_tell,
)
from llamaindex_rag_eval.decisions.verdict import answers_take
from llamaindex_rag_eval.stats.clusters import PRIOR_ICC
from llamaindex_rag_eval.stats.interval import signed
from llamaindex_rag_eval.stats.paired import LEADING
from llamaindex_rag_eval.stats.planning import two_figures
from llamaindex_rag_eval.stats.ppi import LabelledTest


def reasons_of(
    pair: Comparison, refused: Sequence[Check], limits: Sequence[Check], compared: Sequence[Check]
) -> list[str]:
    """Return what stands in the way first, then what the comparison shows."""
    reasons = [unmet(check) for check in (*refused, *limits) if not check.held]
    if any(not check.held for check in refused):  # what differs beside the pipelines may be why
        return reasons
    remarks = [_remark(pair.names, check) for check in compared]
    return [*reasons, *pair.verdict, *remarks, answers_take(pair.names, pair.resources)]


def _remark(names: tuple[str, str], check: Check) -> str:
    """Return what the policy makes of what is shown on a metric; empty for nothing."""
    (a, b), metric, margin = names, check.metric, check.bound or 0.0
    if check.finding == WITHIN:
        return f"On {metric}, {b} is worse than {a} by less than {margin:.3g}, which is accepted."
    if check.finding == SLIGHT:
        return f"On {metric}, a loss of up to {NEGLIGIBLE * margin:.3g} is accepted."
    if check.finding == "worse" and check.contrast and check.contrast.gain > -margin:
        return f"The loss on {metric} may be larger than the margin."
    if check.finding == NOT_WORSE:
        by = check.contrast.corrected_by if check.contrast else ""
        return f"On {metric}, a loss of {margin:.3g} or more is ruled out{by}."
    return ""


def unmet(check: Check) -> str:
    """Return what is not met, and what was measured, in sentences."""
    message = check.message.rstrip(".")
    return f"Not met: {check.rule}. {message[:1].upper()}{message[1:]}."


class Undecided(NamedTuple):
    """What a decision lacks.

    Attributes:
        more: About how many more questions would tell; `None` where nobody knows, or no number.
        detail: What a headline says.
        why: In sentences.
    """

    more: int | None = None
    detail: str = ""
    why: str = ""


def what_would_tell(pair: Comparison, compared: Sequence[Check], minimum: int) -> Undecided:
    """Return what would tell where nobody can tell, and what that rests on.

    Some questions have no score in both runs; as large a share is taken to have none of the others.

    Args:
        pair: The comparison.
        compared: The checks of its metrics, the primary one first.
        minimum: With fewer questions, only a loss can be shown.
    """
    if not compared:
        return Undecided(detail="no metric says which way is better")
    check, questions = compared[0], len(pair.pairing.ids)
    contrast, margin = check.contrast, check.bound or 0.0
    if contrast is None or check.outcome != "cannot tell":
        return Undecided()
    few = contrast.n < minimum
    why = _few(pair.names, contrast, questions, minimum) if few else _open(pair.names[1], check)
    detail = "" if check.finding == TOO_FEW else check.finding
    if not few and contrast.lost >= margin:
        detail = f"score the {contrast.missing} questions that lack a score in one run"
    loss = f"{pair.names[1]} lost {-contrast.gain:.3g} on {check.metric}, which may be chance"
    reached = loss if contrast.gain <= -margin else ""
    if reached and not few:
        alike = contrast.estimate.effective_n or contrast.n
        on = " on other documents" if 2 * alike < contrast.n else ""
        what = "labels" if contrast.labels else f"questions{on}"
        detail = reached
        may = "may" if check.needed is None else "would"
        why += f" More {what} {may} decide one way or the other."
    if contrast.labels and may_tell(contrast, margin, check.outcome):
        labels = more_labels(check)
        asks = f"label about {labels:,} more answers of each run" if labels else detail
        return Undecided(None, asks, f"{why} {_labels_tell(check, questions)}")
    more = math.ceil((check.needed or 0) * questions / contrast.n) - questions
    if check.needed is None or (reached and more <= 0):
        return Undecided(None, detail, why)
    if more <= 0:
        close = "the difference is close to the margin"
        return Undecided(None, close, f"{why} More questions may not decide it: {close}.")
    more = two_figures(more)
    detail, gain = _for_a_gain(check, more, questions)
    detail = f"{reached}; {detail}" if reached and not few else detail
    if few and check.needed == minimum:
        return Undecided(more, detail, why)
    a, b = pair.names
    passes = f"{b} passes in 8 of 10 cases if it is as good as {a}"
    fails = f"a loss is shown in 8 of 10 cases if {b} is worse by {margin:.3g}"
    why += f"{gain} With {more:,} more, {fails if reached else passes}."
    if not contrast.alike and contrast.test and not contrast.test.averaged:
        why += (
            " If the answers vary from one time to the next, `run --repeats` needs fewer questions."
        )
    return Undecided(more, detail, why)


def _for_a_gain(check: Check, more: int, questions: int) -> tuple[str, str]:
    """Return what to add, and what fewer questions show if the gain is as large as measured."""
    contrast, detail = check.contrast, f"add about {more:,} question{'s' if more > 1 else ''}"
    if contrast is None or check.likely is None:
        return detail, ""
    fewer = two_figures(max(1, math.ceil(check.likely * questions / contrast.n) - questions))
    if fewer >= more:
        return detail, ""
    shown = f"a gain as large as here ({signed(contrast.gain)}) is shown in 8 of 10 cases"
    detail = f"add about {fewer:,} questions, or {more:,} if there is no gain"
    return detail, f" With {fewer:,} more, {shown}."


def more_labels(check: Check, *, times: int = 1) -> int | None:
    """Return about how many more labels of each run would tell; 0 if there should be enough.

    `None` where nobody knows, as where labels of all questions would not do.

    Args:
        check: Of the metric that decides.
        times: Of so many times the questions.
    """
    contrast, margin = check.contrast, check.bound or 0.0
    if contrast is None or not may_tell(contrast, margin, check.outcome):
        return None
    test = contrast.test
    items = times * contrast.n
    more = test.more_labels(margin, items=items) if isinstance(test, LabelledTest) else None
    return more and two_figures(more)


def _labels_tell(check: Check, questions: int) -> str:
    """Return how many more labels would tell, and of how many questions."""
    more = more_labels(check)
    if more == 0:
        return "More labels may not decide it: the difference is close to the margin."
    shown = "if both are equally good, that shows it in 8 of 10 cases."
    if more:
        return f"Label about {more:,} more answers of each run, drawn at random: {shown}"
    text = f"These {questions:,} questions are too few, even if all answers are labelled."
    many = more_labels(check, times=MANY_MORE)
    if many is None or check.contrast is None:
        return text
    labels = two_figures(min(check.contrast.labels) + many)
    return f"{text} Of {MANY_MORE * questions:,}, label about {labels:,} of each run: {shown}"


def _few(names: tuple[str, str], contrast: Contrast, questions: int, minimum: int) -> str:
    """Return that there are too few questions for anything but a loss."""
    count = f"{contrast.n} question{'s' if contrast.n > 1 else ''}"
    if contrast.n < questions:
        count = f"Only {contrast.n} of {questions} questions have a score in both runs"
    text = f"{count}; at least {minimum} are needed to pass."
    if contrast.gain < 0 and contrast.finding != "worse":
        fall = f"{names[1]} is {-contrast.gain:.3g} worse than {names[0]} on {contrast.spec}"
        text += f" On average {fall}, which may be chance with so few questions."
    return text


def _open(b: str, check: Check) -> str:
    """Return by how much the candidate may be worse, and what leaves that open."""
    contrast, margin = check.contrast, check.bound or 0.0
    if contrast is None:
        return ""
    by = "" if contrast.gains is None else f" by up to {max(0.0, -contrast.gains[0]):.3f}"
    few = f"All scores are the same, but {contrast.n} questions are too few to know: "
    accepted = f"only less than {margin:.3g} is accepted"
    text = f"{few if contrast.alike else ''}{b} may be worse{by} on {check.metric}; {accepted}."
    if contrast.missing:
        text += f" {contrast.missing} questions have no score in one of the runs."
    if contrast.lost >= margin:
        text += f" If these went wrong, that alone is a loss of {contrast.lost:.3f}: score them."
    if contrast.not_applicable:
        text += f" {contrast.not_applicable} questions without a score in either run are left out."
    return text


def how_computed(compared: Sequence[Check]) -> tuple[str, ...]:
    """Return how it was computed, in the words of statistics."""
    contrast = compared[0].contrast if compared else None
    if contrast is None or contrast.test is None:
        return ()
    spec, test = contrast.spec, contrast.test
    p = "" if contrast.p_value is None else f" p = {contrast.p_value:.3g} before the correction;"
    how = "paired differences, whole documents changing their sign, with Tango's score test of"
    if isinstance(test, LabelledTest):
        how = (
            "means of labels, of which a judge of all answers explains a part (prediction-powered "
            "inference), with a score test of"
        )
    level = f"{100 * contrast.alpha:.2g}%"
    sentences = [
        f"{spec}:{p} {how} a fall by the margin at a level of {level}.",
        f"All metrics are corrected for one another: {LEADING:.0%} of the error is left to {spec}, "
        "the rest is shared by the greatest statistic of the others.",
        f"Each end of the interval of {spec} errs in {level}, as that test does; where a "
        "difference is shown, the end nearer to 0 is the one of the test that shows it.",
    ]
    if contrast.icc is not None and not contrast.labels:
        weight = float(test.resemblance.weight)
        sentences.append(
            f"Questions on one document correlate by {contrast.icc:.2f}: estimated with a weight "
            f"of {weight:.0%}, else taken to be {PRIOR_ICC:g}; {contrast.n} questions are as "
            f"certain as {float(test.resemblance.size):.0f} independent ones."
        )
    return tuple(sentences)
