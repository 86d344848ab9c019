"""Reasons: a decision in sentences, why it is so, what would tell, and how it was computed."""

import math
from collections.abc import Sequence

from llamaindex_rag_eval.decisions.calibration import MANY_MORE
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import Check
from llamaindex_rag_eval.decisions.metric_checks import (
    NEGLIGIBLE,
    NO_LOSS,
    SLIGHT,
    UNCHANGED,
    WITHIN,
    may_tell,
    risk_of,
)
from llamaindex_rag_eval.decisions.verdict import MOST_NAMED, listed
from llamaindex_rag_eval.stats.clusters import PRIOR_ICC
from llamaindex_rag_eval.stats.paired import LEADING
from llamaindex_rag_eval.stats.ppi import LabelledTest


def reasons_of(
    names: tuple[str, str],
    refused: Sequence[Check],
    limits: Sequence[Check],
    compared: Sequence[Check],
) -> list[str]:
    """Return what stands in the way first, then what is known of the metrics."""
    reasons = [unmet(check) for check in (*refused, *limits) if not check.held]
    if any(not check.held for check in refused):  # what differs beside the pipelines may be why
        return reasons
    if compared and all(check.finding == UNCHANGED for check in compared):
        return [f"{names[1]} and {names[0]} gave the same answers.", *reasons]
    return [*_losses(names, compared), *reasons, *_no_losses(names, compared)]


def _losses(names: tuple[str, str], compared: Sequence[Check]) -> list[str]:
    a, b = names
    fell = [c.contrast for c in compared if c.finding == "worse" and c.contrast is not None]
    if not fell:
        return []
    reasons = [f"{b} is worse than {a} on {_gaps(fell)}."]
    bounds = {check.metric: check.bound or 0.0 for check in compared}
    if small := [c.spec for c in fell if c.gain > -bounds[c.spec]]:
        reasons.append(f"The loss on {listed(small)} may be larger than the margin.")
    return reasons


def _no_losses(names: tuple[str, str], compared: Sequence[Check]) -> list[str]:
    (a, b), reasons = names, list[str]()
    rose = [c.contrast for c in compared if c.contrast and c.contrast.finding == "better"]
    if rose:
        reasons.append(f"{b} is better than {a} on {_gaps(rose)}.")
    for check in compared:
        if check.finding == WITHIN:
            fell = f"{b} is worse than {a} by less than {check.bound:.3g}, which is accepted"
            reasons.append(f"On {check.metric}, {fell}.")
        elif check.finding == SLIGHT and check.contrast:
            fell = f"{b} scored {-check.contrast.gain:.3g} worse than {a}"
            slight = f"a loss of more than {NEGLIGIBLE * (check.bound or 0.0):.3g} is not shown"
            reasons.append(f"On {check.metric}, {fell}, but {slight}.")
        elif check is compared[0] and check.finding == "not worse":
            aside = check.contrast.corrected_by if check.contrast else ""
            loss = f"any loss of {b} is smaller than {check.bound:.3g}"
            reasons.append(f"On {check.metric}{aside}, {loss}.")
    held = [check.metric for check in compared[1:] if check.finding in (NO_LOSS, UNCHANGED)]
    if held:
        metrics = listed(held) if len(held) <= MOST_NAMED else f"{len(held)} other metrics"
        reasons.append(f"No loss is shown on {metrics}.")
    return reasons


def unmet(check: Check) -> str:
    """Return what is not met, and what was measured, in sentences."""
    message = check.message.rstrip(".")
    return f"Not met: {check.rule}. {message[:1].upper()}{message[1:]}."


def _gaps(contrasts: Sequence[Contrast]) -> str:
    return listed([f"{c.spec} ({c.difference or 0.0:+.3f}{c.corrected_by})" for c in contrasts])


def more_questions(
    pair: Comparison, compared: Sequence[Check], minimum: int
) -> tuple[int | None, str]:
    """Return how many more questions would tell, and what that rests on.

    Some questions have no score in both runs; as large a share is taken to have none of the others.

    Args:
        pair: The comparison.
        compared: The checks of its metrics, the primary one first.
        minimum: With fewer questions, only a loss can be shown.
    """
    if not compared:
        return None, "No metric says which way is better."
    check, questions = compared[0], len(pair.pairing.ids)
    contrast = check.contrast
    if contrast is None or check.outcome != "cannot tell":
        return None, ""
    few = contrast.n < minimum
    if few:
        open_ = _few(pair.names, contrast, questions, minimum)
    else:
        open_ = _open(pair.names[1], contrast, check)
    more = math.ceil((check.needed or 0) * questions / contrast.n) - questions
    if not few and contrast.gain <= -(check.bound or 0.0):
        alike = contrast.estimate.effective_n or contrast.n
        on = " on other documents" if 2 * alike < contrast.n else ""
        what = "labels" if contrast.labels else f"questions{on}"
        return None, f"{open_} The measured fall reaches the margin: more {what} may confirm it."
    if contrast.labels and may_tell(contrast, check.bound or 0.0, check.outcome):
        return None, f"{open_} {_labels_tell(check, questions)}"
    if check.needed is None:
        return None, f"{open_} So few do not show how many would tell." if few else open_
    if more <= 0:
        return None, (
            f"{open_} If both were equally good, this many questions would have been enough: the "
            "difference is close to the margin, and more questions may not decide it."
        )
    unit = 10 ** max(0, len(str(more)) - 2)
    rounded = math.ceil(more / unit) * unit
    if few and check.needed == minimum:
        return rounded, open_
    advice = " If both are equally good, this many more questions show it in 8 of 10 cases."
    if not contrast.alike and contrast.test and not contrast.test.averaged:
        advice += (
            " If the answers vary from one time to the next, `run --repeats` needs fewer questions."
        )
    return rounded, open_ + advice


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
    return test.more_labels(margin, items=items) if isinstance(test, LabelledTest) else None


def _labels_tell(check: Check, questions: int) -> str:
    """Return how many more labels would tell, and of how many questions."""
    more = more_labels(check)
    if more == 0:
        return (
            "If both were equally good, so many labels would have been enough: the difference is "
            "close to the margin, and more may not decide it."
        )
    shown = "if both are equally good, that shows it in 8 of 10 cases."
    if more:
        return f"Label about {more:,} more answers of each run, drawn at random: {shown}"
    text = f"These {questions:,} questions are too few, even if all answers are labelled."
    many = more_labels(check, times=MANY_MORE)
    if many is None or check.contrast is None:
        return text
    labels = min(check.contrast.labels) + many
    return f"{text} Of {MANY_MORE * questions:,}, label about {labels:,} of each run: {shown}"


def _few(names: tuple[str, str], contrast: Contrast, questions: int, minimum: int) -> str:
    """Return that there are too few questions for anything but a loss."""
    count = f"{contrast.n} question{'s' if contrast.n > 1 else ''}"
    if contrast.n < questions:
        count = f"Only {contrast.n} of {questions} questions have a score in both runs"
    text = f"{count}; it takes at least {minimum} to pass."
    if contrast.gain < 0:
        chance = (
            "" if contrast.finding == "worse" else ", which so few questions may show by chance"
        )
        fall = f"{names[1]} scored {-contrast.gain:.3g} worse than {names[0]} on {contrast.spec}"
        text += f" {fall}{chance}."
    return text


def _open(b: str, contrast: Contrast, check: Check) -> str:
    """Return by how much the candidate may be worse, and what leaves that open."""
    risk = risk_of(contrast)
    same = "No score differs, but on other questions " if contrast.alike else ""
    by = "" if risk is None else f" by up to {risk:.3g}"
    accepted = f"{check.bound:.3g} is accepted"
    text = f"{same}{b} may be worse{by} on {check.metric}; only a fall below {accepted}."
    if contrast.missing:
        text += f" {contrast.missing} questions lack the score of one run, taken as the worst."
    if contrast.lost >= (check.bound or 0.0):
        text += " These questions alone could hide a larger fall: score them first."
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
            f"inference with a weight of {test.by_people.weight:.2f}), with a score test of"
        )
    sentences = [
        f"{spec}:{p} {how} a fall by the margin at a level of {100 * contrast.alpha:.2g}%.",
        f"All metrics are corrected for one another: {LEADING:.0%} of the error is left to {spec}, "
        "the rest is shared by the greatest statistic of the others.",
    ]
    if contrast.icc is not None and not contrast.labels:
        weight = float(test.resemblance.weight)
        sentences.append(
            f"Questions on one document correlate by {contrast.icc:.2f}: estimated with a weight "
            f"of {weight:.0%}, else taken to be {PRIOR_ICC:g}; {contrast.n} questions are as "
            f"certain as {float(test.resemblance.size):.0f} independent ones."
        )
    return tuple(sentences)
