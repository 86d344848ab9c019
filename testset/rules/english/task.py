"""English tasks: "To prime the pump, open the valve" -> "How do I prime the pump?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.english.opening import plain
from testset.rules.english.phrase import first_part, is_whole, stands_alone
from testset.rules.english.vague import points_back
from testset.rules.passage_candidate import Candidate

__all__ = ["tasks"]

_DO = (
    r"(?:add|append|apply|assign|attach|build|call|change|check|choose|click|clone|configure|"
    r"connect|copy|create|declare|define|delete|deploy|disable|divide|download|edit|enable|enter|"
    r"execute|export|fill|go to|include|insert|install|invoke|issue|launch|log in|mount|move|"
    r"multiply|navigate|open|pass|paste|place|press|provide|put|read|remove|rename|replace|restart|"
    r"run|save|select|send|set|specify|start|stop|submit|switch|turn|type|upload|use|visit|wait|"
    r"write)"
)
_TO = re.compile(
    rf"^(?:In order to|To|If you (?:want|need|wish) to) (?P<task>[a-z]+ [^,;:?]{{6,90}}), "
    rf"(?P<how>(?:(?:you )?(?:simply |just |first )?(?:can |must |should |need to |have to )?)?"
    rf"(?P<step>{_DO} [^?]{{8,240}}))\.$"
)
_CAN = re.compile(
    r"^(?:You|Users|Administrators|Developers) (?:can|may) (?:also |easily )?(?P<task>[a-z]+ "
    r"[^,;:?]{8,90}?) (?P<step>(?:by [a-z]+ing|using) [^?]{8,160})\.$"
)
_YOURS = {"your": "my", "yours": "mine", "yourself": "myself", "you": "I"}
_NO_TASK = re.compile(
    r"(?:be|do|see|help|ensure|make sure|avoid|have|get|illustrate|summarize|understand|know|learn|"
    r"this|that|put|sometimes|often|usually|normally|generally|get|always|never|then|now|for|only|work|begin|achieve|give|keep|simplify)\b|.*\b(?:further|more|easier|even|only|not)\b"
)
_POINTS = re.compile(r"\b(?:following|above|below|this|these|example|steps|previous|also)\b")
_ARTICLE = re.compile(r"\b(?:the|an?) (?P<thing>(?:[\w-]+ ?){1,3})")
LEAST_WORDS, MOST_WORDS = 3, 14
QUALITY = 0.92


def tasks(passage: Passage) -> Iterator[Candidate]:
    """Yield "How do I ...?" and "How can I ...?" for sentences that tell how a thing is done."""
    for sentence in passage.sentences:
        text = plain(sentence.text)
        for pattern, asks in ((_TO, "How do I"), (_CAN, "How can I")):
            match = pattern.match(text)
            if match is None or _POINTS.search(match["step"]):
                continue
            if _is_task(match["task"]):
                yield _made(sentence, f"{asks} {_to_me(match['task'])}?", match["step"])


def _is_task(task: str) -> bool:
    """Return whether the words name a task that is understood alone."""
    if not LEAST_WORDS <= len(task.split()) <= MOST_WORDS or _NO_TASK.match(task):
        return False
    if not is_whole(task):
        return False
    without_you = re.sub(r"\b(?:your|you|yourself)\b", "", task)
    if not stands_alone(without_you) or first_part(task) != task:
        return False
    if re.search(r"\b(?:its|their|his|her)\b", task):
        return False
    if any(points_back(match["thing"]) for match in _ARTICLE.finditer(task)):
        return False
    return re.search(r"\bthe ", task) is None or re.search(r"[A-Z]| of (?!the)", task) is not None


def _to_me(task: str) -> str:
    """Return a task in the words of the one who asks: "your pump" is "my pump"."""
    return re.sub(r"\b(?:your|yours|yourself|you)\b", lambda match: _YOURS[match.group()], task)


def _made(sentence: Sentence, question: str, step: str) -> Candidate:
    answer = re.split(r"; |, (?:but|so|which means|although|because) | and then ", step)[0]
    place = sentence.start, sentence.end
    return Candidate(question, answer, *place, "procedure", "english.task", QUALITY)
