"""Japanese, what was done and by whom: "Xは綱領を採択した" -> "Xは何を採択しましたか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import LISTED, Clause
from testset.rules.japanese.closed_classes import LIST, NOUN
from testset.rules.japanese.conjugation import as_question, is_negative
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_proper, is_vague, word_for
from testset.rules.passage_candidate import Candidate

__all__ = ["agents", "objects"]

_OBJECT = re.compile(
    rf"^(?P<before>(?:[^。は]{{2,38}}(?:に|で|から|へ|まで|として|により|によって|(?:年|月|に|で|ため|まで|来|あいだ|間|わたり)、|を通じて))?)"
    rf"(?P<answer>{LIST})を(?P<tail>[^、。をがは]{{2,22}})$"
)
_CREATED = (
    r"設立|創設|創立|結成|建設|建造|設計|発見|発明|開発|考案|提唱|執筆|制作|製作|作曲|作詞|発表|"
    r"発行|創刊|出版|運営|主催|"
    r"編集|翻訳|命名|統一|征服|建立|創業|開設|指揮|監督|撮影|導入|公布|制定|採択|承認|買収"
)
_BY = re.compile(
    rf"^(?P<before>(?:\d{{3,4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?(?:に|"
    rf"、)?)?)(?P<answer>{NOUN}(?:の{NOUN})?)(?P<by>によって|により)、?"
    rf"(?P<tail>[^、。をがは]{{0,16}}(?:{_CREATED})され(?:た|ている|ました|ています))$"
)

_VERBAL = re.compile(r"(?:[たうくつぶむぐ]|(?<!であ)る|(?<!で)す|[んい]だ|ます|ました)$")
_RELATIVE = re.compile(r"[るたうい](?:[一-龯ァ-ヶー「]|すべて|こと|の|もの|ため|よう|ところ)")
_ADVERB = re.compile(
    r"^(?:唯一|急遽|突如|再度|直接|毎年|毎日|毎月|毎週|全員|一切|一旦|一時|当初|初めて)"
)

_BARE_VERB = re.compile(r"^(?:し(?:た|ている|ていた)|する|します)$")
_UNSURE = re.compile(r"[はが]|(?:して|ずに)、|次に|言えば|[るたい](?:には|ために)?、|もって$")


def objects(clause: Clause) -> Iterator[Candidate]:
    """Yield what someone or something that is named does."""
    match = _OBJECT.match(clause.rest)
    if match is None or not clause.about or _UNSURE.search(match["before"]):
        return
    answer = match["answer"]
    if is_vague(answer) or is_negative(clause.rest) or not _tells(answer):
        return
    if match["before"] and re.search(r"[^一-龯]と$|[るたい]で$", match["before"]):
        return
    if (
        not _VERBAL.search(match["tail"])
        or _BARE_VERB.match(match["tail"])
        or _RELATIVE.search(match["tail"])
        or _ADVERB.match(answer)
    ):
        return
    if clause.past and not clause.placed(match["before"]):
        return  # true, but it leaves open which of several is asked for
    if LISTED.search(match["before"]):
        return
    if re.search(r"[^にでからへまてり、]$", match["before"]) or re.search(r"\d", answer[:2]):
        return
    asked = as_question(f"{match['before']}何を{match['tail']}")
    quality = 0.86 if match["before"] or re.search(r"[「『、]", answer) else 0.78
    if asked:
        yield from made(clause, clause.asked(asked), answer, "factoid", "object", quality)


def _tells(answer: str) -> bool:
    """Return whether an object is more than a word: a name, a compound, or several things."""
    return len(answer) >= 3 and (
        is_proper(answer) or "の" in answer or "な" in answer or "、" in answer
    )


def agents(clause: Clause) -> Iterator[Candidate]:
    """Yield "Xは誰によって設立されましたか?" where it is known to be a person or a body."""
    match = _BY.match(clause.rest)
    if match is None or not clause.about or word_for(match["answer"]) == "何":
        return
    asked = as_question(f"{match['before']}{word_for(match['answer'])}によって{match['tail']}")
    yield from made(clause, clause.asked(asked), match["answer"], "factoid", "agent", 0.93)
