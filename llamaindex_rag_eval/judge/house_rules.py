"""House rules: by which short rules would a judge say what people say?"""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.request import Reply, Request, written

MOST_RULES = 7
"""More are not read before they are taken."""

LONGEST_RULE = 240
"""Characters of a rule."""


class HouseRules(Reply):
    """The rules, each in one line; none if the reasons show none."""

    rules: tuple[str, ...]


class ReasonedLabel(Wire):
    """A case, what the judge and people say of it, and why people do."""

    case: str
    judge: str
    people: str
    why: str


class HouseRulesOf(Request[HouseRules]):
    """Which rules do the reasons of people follow that the instruction of the judge lacks?

    Attributes:
        instruction: Of the judge.
        labels: People's labels with reasons.
    """

    prompt = written("house_rules")

    instruction: str
    labels: tuple[ReasonedLabel, ...]

    def check(self, reply: HouseRules) -> None:
        """Check that rules are few, and short enough to be read."""
        if len(reply.rules) > MOST_RULES or max(map(len, reply.rules), default=0) > LONGEST_RULE:
            limits = f"{MOST_RULES} of {LONGEST_RULE} characters each"
            raise ReplyError(f"the rules are too many or too long; expected at most {limits}")

    def stand_in(self) -> HouseRules:
        """Return a reply of the right form, for a dry run without a model."""
        return HouseRules(rules=("Judge as people do.",) * 3)

    def from_prompt(self, output: HouseRules) -> HouseRules:
        """Return the rules, each in one line of printable characters, without blank ones."""
        lines = ("".join(filter(str.isprintable, " ".join(x.split()))) for x in output.rules)
        return HouseRules(rules=tuple(filter(None, dict.fromkeys(lines))))
