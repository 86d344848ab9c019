"""Japanese, why: "X橋が閉鎖されたのは老朽化のためである" -> "なぜX橋が閉鎖されたのですか?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.japanese.clause import Clause, plain_text
from testset.rules.japanese.closed_classes import POINTING
from testset.rules.japanese.conjugation import as_question, is_negative
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import stands
from testset.rules.passage_candidate import Candidate

__all__ = ["reasons"]

_CLEFT = re.compile(
    r"^(?P<what>[^。]{8,42}?)のは、?(?P<answer>[^。]{4,56}(?:ため|から))(?:である|だ|です|"
    r"であった|でした)$"
)
_BEFORE = re.compile(
    r"^(?P<answer>[^。]{6,44}?(?:ため|ことから|ので|のため|により))、(?P<what>[^。、]{3,24}(?:は|"
    r"が)、?[^。、]{4,34}(?:た|る|ている))$"
)
_INSIDE = re.compile(
    r"^(?P<head>[^、。はが]{2,24})(?:は|が)、?(?P<answer>[^。は、]{4,46}?(?:のため|ため|"
    r"ことから|ので|により))(?:に|、)(?P<tail>[^。、は]{4,40}(?:た|る))$"
)
_AIM = re.compile(r"(?<!てい)(?<!あ)(?<!き)(?<!れ)(?<!異な)[うるすくむぶつぐ]ため$")


def reasons(passage: Passage) -> Iterator[Candidate]:
    """Yield "なぜ...のですか?" where a sentence gives the cause of what it says."""
    for sentence in passage.sentences:
        text = plain_text(sentence)
        if POINTING.search(text) or len(text) > 110:
            continue
        yield from _read(sentence, text)


def _read(sentence: Sentence, text: str) -> Iterator[Candidate]:
    if match := _CLEFT.match(text):
        what, answer, quality = match["what"], match["answer"], 0.94
    elif match := _INSIDE.match(text):
        what, answer, quality = f"{match['head']}は{match['tail']}", match["answer"], 0.9
    elif match := _BEFORE.match(text):
        what, answer, quality = match["what"], match["answer"], 0.88
    else:
        return
    subject = re.match(r"(?P<name>[^はが、]{2,24})(?:は|が|では|には)", what)
    if subject is None or not stands(subject["name"]) or is_negative(what):
        return
    if re.search(r"時代$|[時後前中]$", subject["name"]) or re.search(r"[一-龯]も", what):
        return
    if answer.endswith("により") and re.search(r"によ(?:って|り)", what):
        return
    asks = (
        "何のために"
        if _AIM.search(answer) and not text.endswith(("だ", "です", "である"))
        else "なぜ"
    )
    body = re.sub(r"は、?", "は", what, count=1)
    clause = Clause(sentence, "", subject["name"], "は", body)
    if asks != "なぜ":
        head, _, tail = body.partition("は")
        asked = as_question(tail)
        if asked and head == subject["name"]:
            yield from made(clause, f"{head}は{asks}{asked}", answer, "reason", "what_for", 0.9)
        return
    ending = "か?" if body.endswith(("ます", "ました")) else "のですか?"
    yield from made(clause, f"{asks}{body}{ending}", answer, "reason", "why", quality)
