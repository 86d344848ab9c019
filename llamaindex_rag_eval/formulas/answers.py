"""Answers compared by their words: normalisation, exact match, token F1, presence.

Source of exact match and token F1: Rajpurkar et al. (2016), "SQuAD", section 6.1,
https://arxiv.org/abs/1606.05250. As in SQuAD 2.0, two answers without any token agree (1), and
one without tokens never agrees with one that has some (0).

Scripts that do not put spaces between words (Han, kana, Thai, Lao, Khmer, Burmese) give one token
a character, as multilingual question answering does (Lewis et al. 2020, "MLQA",
https://arxiv.org/abs/1910.07475).
"""

import re
import string
import unicodedata
from collections import Counter


def exact_match(response: str, reference: str, *, normalised: bool = True) -> float:
    """Return 1 if the two answers are the same, else 0; higher is better.

    Args:
        response: The answer.
        reference: The right answer.
        normalised: Whether case, punctuation, articles and white space do not count.

    Example:
        >>> exact_match("The Seine.", "seine"), exact_match("Seine", "Rhine")
        (1.0, 0.0)
        >>> exact_match("The Seine.", "seine", normalised=False)
        0.0
    """
    if not normalised:
        return float(response == reference)
    return float(normalise_answer(response) == normalise_answer(reference))


def token_f1(response: str, reference: str) -> float:
    """Return the F1 of the tokens that both answers have, in [0, 1]; higher is better.

    A token that comes twice counts twice.

    Example:
        >>> token_f1("on the Seine", "Seine") == 2 / 3
        True
    """
    given, wanted = Counter(answer_tokens(response)), Counter(answer_tokens(reference))
    if not given or not wanted:
        return float(given == wanted)
    return 2 * (given & wanted).total() / (given.total() + wanted.total())


def string_presence(response: str, reference: str) -> float | None:
    """Return 1 if the reference stands in the response, else 0.

    Args:
        response: The text searched.
        reference: The text that should be in it.

    Returns:
        0 or 1, higher is better; None if the reference is empty, for that is in every text.

    Example:
        >>> string_presence("It is on the Seine.", "the Seine")
        1.0
    """
    return float(reference in response) if reference.strip() else None


_UNSPACED = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # iteration marks, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"  # Han, supplementary planes
    "]"
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def fold_case(text: str) -> str:
    """Return the text in Unicode NFKC without difference of case.

    Example:
        >>> fold_case("ＰＡＲＩＳ Straße")
        'paris strasse'
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def separate_characters(text: str) -> str:
    """Return the text with spaces around each character of a script that writes without them.

    Example:
        >>> separate_characters("東京へ go").split()
        ['東', '京', 'へ', 'go']
    """
    return _UNSPACED.sub(r" \g<0> ", text)


def normalise_answer(text: str) -> str:
    """Return the text as SQuAD compares answers.

    Case-folded, without punctuation, without the English articles, white space collapsed.
    Source: the evaluation script of Rajpurkar et al. (2016), "SQuAD",
    https://arxiv.org/abs/1606.05250, section 6.1; widened to Unicode punctuation, NFKC and
    scripts without spaces. As there, punctuation is removed and not replaced: `well-known` is
    `wellknown`, and the sign of a number is lost.

    Example:
        >>> normalise_answer("The  Eiffel-Tower!")
        'eiffeltower'
    """
    kept = "".join(character for character in fold_case(text) if not _is_punctuation(character))
    return " ".join(separate_characters(_ARTICLES.sub(" ", kept)).split())


def answer_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of the text as SQuAD counts them; none if it is all articles and marks.

    Example:
        >>> answer_tokens("The capital, 東京")
        ('capital', '東', '京')
    """
    return tuple(normalise_answer(text).split())


def words(text: str) -> tuple[str, ...]:
    """Return the runs of letters, marks and digits, case-folded, in order; articles stay.

    Example:
        >>> words("Well-known: the Ägäis (2 seas)")
        ('well', 'known', 'the', 'ägäis', '2', 'seas')
    """
    kept = (character if _is_word(character) else " " for character in fold_case(text))
    return tuple(separate_characters("".join(kept)).split())


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")


def _is_word(character: str) -> bool:
    # `str.isalnum` is false for vowel signs: it would break words of Indic scripts apart.
    return unicodedata.category(character)[0] in "LMN"
