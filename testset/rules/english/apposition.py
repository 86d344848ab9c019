"""English appositions: "Nora Quill, founder of Ely Hall, ..." -> "Who founded Ely Hall?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.names import is_person
from testset.rules.english.opening import plain
from testset.rules.english.phrase import stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["appositions"]

_NAME = r"[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|of|de|von|van|the(?= [A-Z])))*"
_DEED = {
    "architect": "designed",
    "author": "wrote",
    "composer": "composed",
    "creator": "created",
    "designer": "designed",
    "discoverer": "discovered",
    "founder": "founded",
    "inventor": "invented",
}
_DID = re.compile(
    rf"(?:^|[ (])(?P<name>{_NAME}), (?:the )?(?P<role>{'|'.join(_DEED)}) of "
    rf"(?P<what>(?:the )?{_NAME})(?=[,.;)])"
)
_IS = re.compile(
    rf"(?:^|[ (])(?P<name>{_NAME}), (?P<what>the (?:capital|(?:second|third)?-?[ ]?[a-z]{{3,}}est "
    rf"[a-z]+|(?:official|national) [a-z]+) (?:of|in|on) (?:the )?{_NAME})(?=[,.;)])"
)


def appositions(passage: Passage) -> Iterator[Candidate]:
    """Yield "Who founded X?" and "What is the capital of X?" for what stands between commas."""
    for sentence in passage.sentences:
        text = plain(sentence.text)
        place = sentence.start, sentence.end
        for match in _DID.finditer(text):
            if is_person(match["name"]) and stands_alone(match["what"]):
                question = f"Who {_DEED[match['role']]} {match['what']}?"
                yield Candidate(
                    question, match["name"], *place, "factoid", "english.apposition", 0.93
                )
        for match in _IS.finditer(text):
            if stands_alone(match["what"]) and match["name"] not in match["what"]:
                question = f"What is {match['what']}?"
                yield Candidate(
                    question, match["name"], *place, "naming", "english.apposition", 0.93
                )
