"""Words that say little: the function words of four languages.

The lists were written by hand from general knowledge of the languages; they are taken from no
corpus and from no one's data set. `weights` has the common words of content.
"""

from functools import cache

_ENGLISH_FUNCTION = """
a an the this that these those and or but nor so yet if then else than as at by for from in into
of off on onto out over to up down with within without about above across after against along
among around before behind below beneath beside between beyond during except inside like near
since through throughout till until under upon via while whereas because although though unless
is am are was were be been being do does did done doing have has had having will would shall
should can could may might must ought not no i you he she it we they me him her us them my your
his its our their mine yours hers ours theirs myself yourself himself herself itself ourselves
themselves who whom whose which what when where why how there here also too very just only even
s t d ll m re ve don isn aren wasn weren doesn didn hasn haven hadn won wouldn couldn shouldn
such own same both each few more most other some any all every either neither one ones again
further once now ever never always often however therefore thus hence etc
"""
_GERMAN_FUNCTION = """
der die das den dem des ein eine einer einem einen eines kein keine keiner keinem keinen keines
und oder aber denn sondern doch jedoch wenn als ob dass weil da damit obwohl während bevor nachdem
in im an am auf aus bei beim bis durch für gegen hinter mit nach neben ohne seit über um unter von
vom vor wegen zu zum zur zwischen ist sind war waren sein bin bist seid wird werden wurde wurden
worden hat haben hatte hatten habe kann können konnte konnten muss müssen musste soll sollen sollte
darf dürfen will wollen wollte mag möchte ich du er sie es wir ihr mich dich ihn uns euch mir dir
ihm ihnen mein dein unser euer ihre ihrer ihrem ihren seine seiner seinem seinen dieser diese
dieses diesem diesen jener welche welcher welches was wer wen wem wessen wann wo warum wie nicht
auch nur noch schon sehr so dann dort hier man sich selbst mehr etwa alle alles jede jeder jedes
viele einige andere anderen
"""
_CHINESE_FUNCTION = (
    "的了是在和与及或也都而就着过吗呢吧啊么这那之其以于为被把从对向到个们因所但并且则又很更最"
)
_JAPANESE_FUNCTION = (
    "はがをにでともやのへよりからまでなどねよかばてたしいますですあるれらさこそどういって"
)


@cache
def function_words() -> frozenset[str]:
    """Return English and German function words, casefolded."""
    return frozenset(f"{_ENGLISH_FUNCTION} {_GERMAN_FUNCTION}".split())


@cache
def german_words() -> frozenset[str]:
    """Return German function words that are not English words too."""
    return frozenset(_GERMAN_FUNCTION.split()) - frozenset(_ENGLISH_FUNCTION.split())


@cache
def english_words() -> frozenset[str]:
    """Return English function words that are not German words too."""
    return frozenset(_ENGLISH_FUNCTION.split()) - frozenset(_GERMAN_FUNCTION.split())


@cache
def cjk_function_characters() -> frozenset[str]:
    """Return Chinese characters and Japanese kana that carry grammar rather than meaning."""
    return frozenset(_CHINESE_FUNCTION + _JAPANESE_FUNCTION)
