"""Japanese sentences without a topic: it is that of the sentence before, and is put back.

"青木橋は京都の橋である。1951年に完成した。" says of the bridge, and of no other, when it was
completed; "長さは90メートルである。" says how long it is. The evidence then holds both sentences.
"""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.japanese.clause import Clause, headed, plain_text, readable, said_of, unquoted
from testset.rules.japanese.closed_classes import ATTRIBUTE, POINTING
from testset.rules.japanese.standing import is_proper, stands

__all__ = ["carried"]

LONGEST_TOPIC = 18
"""Characters; what is longer is seldom a name."""
_SUBJECT = re.compile(r"[一-龯々ァ-ヺーA-Za-z0-9」』](?:は|が|も(?!っと|の|し|う))|ためである$")
_PLACED = re.compile(r"^(?P<place>[^、はがを]{2,30}(?:で|に))は、?")
_STARTS = re.compile(r"^(?:[一-龯々ァ-ヺーA-Za-z0-9「『])")
_LEAD = re.compile(
    r"^(?P<lead>\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)、(?=[^、]{4})",
)


def carried(passage: Passage) -> Iterator[Clause]:
    """Yield the clauses of sentences whose topic is a name in the sentence just before."""
    topic, since = "", None
    before: Sentence | None = None
    for sentence in passage.sentences:
        text = plain_text(sentence)
        if before is not None and not _follows(passage, before, sentence):
            topic = ""
        if topic and since is not None and readable(sentence, text):
            yield from _continued(passage, since, sentence, text, topic)
        own, place = _topic(sentence, text)
        if own or not _goes_on(text) or (since is not None and before is not since):
            topic, since = own, place
        before = sentence


def _goes_on(text: str) -> bool:
    """Return whether a sentence has no topic of its own, or one that belongs to that before."""
    found = headed(text)
    return found is None or (found[2] == "は" and ATTRIBUTE.search(found[1]) is not None)


def _follows(passage: Passage, before: Sentence, sentence: Sentence) -> bool:
    """Return whether a sentence goes on in the paragraph of the one before."""
    between = passage.document.text[before.end : sentence.start]
    return not between.strip() and between.count("\n") <= 1


def _topic(sentence: Sentence, text: str) -> tuple[str, Sentence | None]:
    """Return the name a sentence is about, and the sentence; an empty name if there is none."""
    found = headed(text) if readable(sentence, text) else None
    if found is None or found[2] != "は":
        return "", None
    topic = found[1]
    if len(topic) > LONGEST_TOPIC or "の" in topic or not stands(topic) or not is_proper(topic):
        return "", None
    return topic, sentence


def _continued(
    passage: Passage, since: Sentence, sentence: Sentence, text: str, topic: str
) -> Iterator[Clause]:
    """Yield what a sentence goes on to say of a topic, or of something that belongs to it."""
    both = Sentence(passage.document.text[since.start : sentence.end], since.start, sentence.end)
    if not _STARTS.match(text) or POINTING.search(text) or topic in text:
        return
    found = headed(text)
    if found is not None and found[2] == "は" and ATTRIBUTE.search(found[1]) and not found[0]:
        if "の" not in found[1] or found[1].startswith("最大の"):
            for number, one in enumerate(said_of(found[3], past=False)):
                yield Clause(both, "", f"{topic}の{found[1]}", "は", one, number == 0)
                return
        return
    bare = _LEAD.sub(r"\g<lead>に", _PLACED.sub(r"\g<place>", text))
    if _SUBJECT.search(unquoted(bare)):
        return
    past = bare.endswith(("た", "ました"))
    for one in said_of(bare, past=past):
        yield Clause(both, "", topic, "は", one, first=False)
