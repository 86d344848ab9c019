"""Templates: how headings, lead-ins, labels and tables become questions, in a language's table."""

from pydantic import BaseModel, ConfigDict

from testset.rules.candidate import Kind
from testset.rules.structure.values import ValueKind


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Ask(_Table):
    """How a heading or a lead-in becomes a question.

    Attributes:
        match: The whole of it; `{verb}` stands for the verbs of the language, `{gerund}` for the
            forms of them with `gerund` as their ending. Case does not matter but for `(?-i:…)`.
        ask: The question; named groups of the match stand in braces, and `title` and `short`,
            the page. Empty if nothing is to be asked.
        kind: What is asked for.
        alone: Whether it needs nothing of its page to be understood.
    """

    match: str
    ask: str = ""
    kind: Kind = "factoid"
    alone: bool = False


class Templates(_Table):
    """Questions on labels, tables and terms; those left empty are not asked.

    In braces: `label`, what is asked for, as it stands there, so that it needs quotes; `name`,
    whose it is; `what`, as "what amount"; `other`, another name or value.

    Attributes:
        of: What is asked of a cell, or of a value of something with a name.
        across: The same in a table whose columns are cases, as adults and children.
        listed, steps: What is asked of a section that is one list, or one with numbers; `label` is
            its heading.
        article: What is asked of an article of rules, by its heading.
        labelled: The same of a value without a name; `name` is its page with its heading.
        on: The same of a day, whose value are its hours.
        only: The same where `what` says all that the label says.
        row: A name in a table; `label` is what its rows are.
        quoted: Any other name that is not one of code.
        does, says, means, short: What a thing of code does, a message says, a term means, a
            short form stands for.
        more, two, follow_up, wrong, right: Questions on several values, and the
            answer to one that is wrong.
        under: A question with its page.
        what: What is asked for, of any value.
        kinds: The same of values of a kind.
        typed: Templates by name and kind of the value, as `of_money`, that are used instead.
        noun: Templates by name, or name and kind, that are used instead if the label is a noun;
            `article` is the article of its gender.
    """

    of: str = ""
    across: str = ""
    listed: str = ""
    steps: str = ""
    article: str = ""
    labelled: str = ""
    on: str = ""
    only: str = ""
    row: str = "{label} {name}"
    quoted: str = "{name}"
    does: str = ""
    says: str = ""
    means: str = ""
    short: str = ""
    more: str = ""
    two: str = ""
    follow_up: str = ""
    wrong: str = ""
    right: str = ""
    under: str = ""
    what: str = ""
    kinds: dict[ValueKind, str] = {}
    typed: dict[str, str] = {}
    noun: dict[str, str] = {}
