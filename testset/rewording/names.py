"""Names, shorter: "Nora Quill" is "Quill" to people, where the document calls her so itself."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from testset.rewording.words import words

__all__ = ["CalledBy"]

_GIVEN = """
Adam Adolf Albert Alan Alexander Alfred Alice Andreas Andrew Anna Anne Anthony Antoine Arthur
August Barbara Benjamin Bernard Bernhard Brian Carl Caroline Catherine Charles Charlotte Christian
Christopher Clara Claude Daniel David Dieter Donald Dorothy Edmund Eduard Edward Edwin Elisabeth
Elizabeth Emil Emily Emma Erich Ernest Ernst Eugen Eva Florence Francis Frank Franz Franklin Fred
Frederick Friedrich Fritz Georg George Gerald Gerhard Gilbert Gottfried Grace Graham Gustav Hans
Harold Harry Heinrich Helen Helmut Henri Henry Herbert Hermann Howard Hugh Hugo Ian Immanuel Isaac
Jack Jacob Jacques Jakob James Jan Jane Jean Jeffrey Jennifer Jessica Joan Joe Johann Johannes John
Jonathan Jose Josef Joseph Julia Julius Karl Karen Katharina Keith Kenneth Klaus Konrad Kurt Laura
Lawrence Leonard Leonardo Leonhard Lewis Linda Lisa Louis Louise Ludwig Luis Margaret Maria Marie
Mark Martha Martin Mary Matthew Max Maximilian Michael Nancy Neil Nicholas Nikola Nora Norman
Oliver Oscar Oskar Otto Pablo Patricia Patrick Paul Peter Philip Philipp Pierre Rachel Ralph Raymond
René Ricardo Richard Robert Roger Roland Ronald Rosa Roy Rudolf Russell Ruth Samuel Sandra Sarah
Scott Sebastian Sigmund Simon Sophia Sophie Stanley Stefan Stephen Steven Stuart Susan Theodor
Theodore Thomas Timothy Tom Toni Victor Victoria Viktor Vincent Virginia Walter Werner Wilhelm
William Winston Wolfgang
"""
"""Common given names of Europe and America; without one, no two words are taken for a person."""
_LAST = r"[A-ZÄÖÜ][a-zäöüßéè'’-]\w+"
_FULL = re.compile(
    rf"(?<= )(?:{'|'.join(_GIVEN.split())})(?: [A-Z]\.)* (?P<last>{_LAST})"
    rf"(?= (?![A-Z0-9]|and |of |von |und )|[,?]|['’]s )"
)
_WORD = re.compile(r"[^\W_](?:[\w'’-]|\.(?=\w))*")
_NAME = re.compile(_LAST)
_OFFICE = re.compile(
    rf"\b(did|does|was|is|by|has|had|of) (?:the )?(?:[A-Z][a-z]+ )?(?:[a-z]+ )?"
    rf"[a-z]+(?:er|or|ist|ian|eer) (?=(?:{'|'.join(_GIVEN.split())}) {_LAST})"
)
"""What someone is, said before the name, as in "the English engineer Nora Quill"."""
_TITLES = words("Dr Mr Mrs Ms Sir Professor President King Queen Herr Frau Präsident")
_ARTICLES = words(
    "the a an this that its his her their der die das den dem des ein eine einer einem einen "
    "zum zur im am vom"
)


@dataclass(frozen=True, slots=True)
class CalledBy:
    """By what words before it each name is called, in some texts.

    Attributes:
        before: Name -> the capitalised words that stand before it; articles are among them.
        alone: Name and id of a text in which it stands with no such word before it.
    """

    before: Mapping[str, frozenset[str]]
    alone: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[tuple[str, str]]) -> "CalledBy":
        """Return how names are called in texts, each given with its id."""
        before: dict[str, set[str]] = defaultdict(set)
        alone: set[tuple[str, str]] = set()
        for name, text in texts:
            former, end = "", 0
            for match in _WORD.finditer(text):
                between, word = text[end : match.start()], re.sub(r"['’]s?$", "", match.group())
                ahead = former if between == " " or _initial(former, between) else ""
                former, end = word, match.end()
                if not _NAME.fullmatch(word):
                    continue
                if ahead[:1].isupper() or ahead in _ARTICLES:
                    before[word].add(ahead)
                else:
                    alone.add((word, name))
        return cls({last: frozenset(words) for last, words in before.items()}, frozenset(alone))

    def shortened(self, question: str, name: str) -> str:
        """Return a question with the last name for a full one, where the text does so too.

        Only where nobody else in any of the texts has that last name, and no article shows that
        it is a common noun. What someone is by trade goes, where the full name follows.

        Args:
            question: A question about the text.
            name: The id of that text.

        Example:
            >>> told = [("a", "Nora Quill came to Ely. In 1951 Quill wrote a guide.")]
            >>> CalledBy.of(told).shortened("When did Nora Quill write a guide?", "a")
            'When did Quill write a guide?'
        """

        def last_of(match: re.Match[str]) -> str:
            last = match["last"]
            own = {word.rstrip(".") for word in match.group().split()}
            sole = self.before.get(last, frozenset()) <= own | _TITLES
            return last if (last, name) in self.alone and sole else match.group()

        plain = question if question.startswith("Who ") else _OFFICE.sub(r"\1 ", question)
        return _FULL.sub(last_of, plain)


def _initial(word: str, after: str) -> bool:
    """Return whether a word with a full stop after it is shortened, and ends no sentence."""
    return after == ". " and (len(word) == 1 or word in _TITLES)
