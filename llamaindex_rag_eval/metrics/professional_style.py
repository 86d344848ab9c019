"""Professional style: is the response written as one would write to a customer?

    professional_style = (level - 1) / 4, levels 1 to 5

Source: Bedrock's `Builtin.ProfessionalStyleAndTone`,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html; the words of
the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["ProfessionalStyle"]


class ProfessionalStyle(ScaleMetric):
    """Grade of style and tone, in [0, 1]; higher is better."""

    name = "professional_style"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.ProfessionalStyleAndTone", "professional_style_and_tone")
    kin = {"Bedrock": "Builtin.ProfessionalStyleAndTone"}
    definition = (
        "Whether the style, the formatting and the tone of the response are fit for a business "
        "setting, whatever it says."
    )
    levels = levels_of(
        "It is rude, sloppy or otherwise out of place.",
        "Much of it is too casual, careless or hard to read.",
        "It is acceptable, with lapses that stand out.",
        "It is polite and tidy, with a small lapse.",
        "It is polite, clear and tidy throughout.",
        start=1,
    )
