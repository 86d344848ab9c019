"""How a model is asked for a level on a described scale."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["GRADE", "GradeInput", "GradeLevel", "GradeOutput"]


class GradeLevel(Wire):
    """One level of the scale."""

    level: int
    means: str


class GradeInput(Wire):
    """What is graded, then the criterion and its scale."""

    contexts: tuple[Numbered, ...] = ()
    question: str = ""
    reference: str = ""
    response: str = ""
    criterion: str
    definition: str
    steps: tuple[str, ...] = ()
    scale: tuple[GradeLevel, ...]


class GradeOutput(Wire):
    """The reason, then the level."""

    reason: str
    level: int


GRADE = Prompt[GradeInput, GradeOutput](
    name="grade",
    instruction="""\
Grade what you are given on `criterion`, as `definition` describes it.
- Follow `steps` in order, if there are any.
- `level` is one of the levels of `scale`: the one whose description fits best. Levels between them do not exist. Judge by the descriptions, not by how long or polite the text is.
- `reason` first, in one or two sentences.""",
    input=GradeInput,
    output=GradeOutput,
    examples=(
        Example(
            input=GradeInput(
                question="Which ports does the hub need?",
                response="It needs port 8443.",
                reference="Ports 8443 and 5683.",
                criterion="completeness",
                definition="How much of what the question asks for does the response give?",
                scale=(
                    GradeLevel(level=0, means="Nothing of it."),
                    GradeLevel(level=1, means="A part of it."),
                    GradeLevel(level=2, means="All of it."),
                ),
            ),
            output=GradeOutput(reason="One of the two ports is missing.", level=1),
        ),
    ),
)
