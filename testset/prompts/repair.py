"""How a model is asked to repair an item that a check turned down."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from testset.prompts.parts import FactWire, TurnWire, WriteOutput

__all__ = ["REPAIR", "RepairInput"]


class RepairInput(Wire):
    """The item, what is wrong with it, and the facts it may stand on."""

    facts: tuple[FactWire, ...]
    type: str
    language: str
    history: tuple[TurnWire, ...] = ()
    question: str
    answer: str = ""
    fault: str


REPAIR = Prompt[RepairInput, WriteOutput](
    name="repair",
    instruction="""\
`question` and `answer` were written from `facts` for a test of the kind `type`, and turned down for `fault`. Repair them: change as little as removes the fault, and keep the kind, the language, the manner and, for a conversation, the history.
- If something is not named, name it. If the answer says more than the facts, cut it; if it leaves out what is asked, complete it. If the question is too general, ask for what only these facts tell.
- The question stands alone (only a conversation leans on its history), never speaks of "the text", does not hold its answer, and is one line.
- `used` lists the ids of exactly the facts needed; `answer_facts` are the answer's statements one by one.""",
    input=RepairInput,
    output=WriteOutput,
    examples=(
        Example(
            input=RepairInput(
                facts=(FactWire(id=1, fact="The Orla ferry carries 120 passengers."),),
                type="single_hop",
                language="en",
                question="How many passengers does it carry?",
                answer="120 passengers.",
                fault="self_contained: 'it' points at something outside the question",
            ),
            output=WriteOutput(
                used=(1,),
                history=(),
                question="How many passengers does the Orla ferry carry?",
                answer="120 passengers.",
                answer_facts=("The Orla ferry carries 120 passengers.",),
            ),
        ),
    ),
)
