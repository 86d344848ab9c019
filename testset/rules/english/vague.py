"""Vague words of English: nouns and adjectives that only the text around them gives a meaning.

Closed classes of the language, not words of any subject: what relates (case, step, result), what
judges (problem, advantage), and adjectives that compare with something said before.
"""

import re

__all__ = ["is_vague_head", "judges", "points_back"]

_HEADS_WORDS = """
advantage advice alternative amount answer approach aspect assumption benefit bit bunch burden
case category cause challenge chance change choice claim commitment concern condition
consequence consideration couple deal decision difference difficulty disadvantage downside
drawback effort equivalent example exception explanation fact factor feature goal good guess
hand hint idea implication importance improvement instance intention interest issue item key
kind lack list lot majority matter means mention minority mistake moment name need notion number
objective one option part path pattern people person piece pity plan point possibility practice
prerequisite problem purpose quality question rationale reason recommendation remark rest
restriction result risk rule scenario sense set shame side situation solution sort statement
step success suggestion task thing thought time tip topic trade-off trick trouble truth type
upside use value variant version waste way whole word work year day month week minimum maximum
majority thread post comment reply text page chapter book section field line column row entry
commendable achievement must
"""
_HEADS = frozenset(_HEADS_WORDS.split())
_JUDGING_WORDS = """
amazing bad best better big commendable complicated cool crucial difficult easier easy enough
essential excellent fair fantastic fine good great handy happy hard helpful huge ideal important
interesting little lovely major mere mild nice obvious ok okay optional perfect personal poor
pretty quite rather real really reasonable recommended right risky sad safe sensible sensitive
serious significant smart staunch strange strong stupid sufficient super sure terrible tough
tricky unfortunate unusual useful useless valid vast very wonderful worse worst worth worthwhile
wrong deeply bit lot true false
"""
_JUDGING = frozenset(_JUDGING_WORDS.split())
_BACK_WORDS = """
actual additional adjacent appropriate basic basis best certain clear combined common complete
concerned correct corresponding current customary default desired different direct entire equal
equivalent exact existing extra few final first full further general given good great ideal
immediate important individual initial interesting last latest long main major modified
necessary new next normal old only optional original overall own particular past possible
present proper proposed real recent related relevant remaining resulting right same second
selected separate short similar simple single small special specific specified standard suitable
third total true typical underlying usual various whole wrong
"""
_BACK = frozenset(_BACK_WORDS.split())


def is_vague_head(word: str) -> bool:
    """Return whether a noun, in singular or plural, says little without its text.

    Example:
        >>> is_vague_head("cases"), is_vague_head("bridge")
        (True, False)
    """
    plain = word.lower()
    singular = plain[:-3] + "y" if plain.endswith("ies") else plain.removesuffix("s")
    return plain in _HEADS or singular in _HEADS


def judges(words: str) -> bool:
    """Return whether words hold an opinion: "a very nice bridge".

    Example:
        >>> judges("a very nice bridge"), judges("a bridge of stone")
        (True, False)
    """
    return any(word in _JUDGING for word in re.findall(r"[a-z-]+", words))


def points_back(words: str) -> bool:
    """Return whether an adjective compares with something said before: "the new bridge".

    Example:
        >>> points_back("the new bridge"), points_back("the stone bridge")
        (True, False)
    """
    return any(word in _BACK for word in re.findall(r"[a-z-]+", words))
