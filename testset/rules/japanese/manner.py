"""Japanese, how: "XはYを冷却することで動作する" -> "Xはどのようにして動作しますか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.conjugation import as_question, is_negative
from testset.rules.japanese.making import made
from testset.rules.passage_candidate import Candidate

__all__ = ["manners"]

_BY_DOING = re.compile(
    r"^(?P<answer>[^。はが]{5,48}こと)(?:で|により|"
    r"によって)、?(?P<tail>[^、。はが]{3,30}(?:[るうくむつぶぐた]|(?<!で)す|ます|ました))$"
)


def manners(clause: Clause) -> Iterator[Candidate]:
    """Yield how something comes about, where a clause names what is done for it."""
    match = _BY_DOING.match(clause.rest)
    if match is None or clause.lead or is_negative(clause.rest) or not clause.about:
        return
    if match["tail"].startswith("も") or "ど" in match["answer"][-4:]:
        return
    how = "どのようなことで" if "知られ" in match["tail"] else "どのようにして"
    asked = clause.asked(as_question(f"{how}{match['tail']}"))
    yield from made(clause, asked, match["answer"], "factoid", "manner", 0.9)
