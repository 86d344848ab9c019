"""Japanese predicates: from the plain form to a question, from a joining form to a final one."""

import re

__all__ = ["as_question", "finite", "is_negative", "polite"]

_PAIRS = """
である:です する:します した:しました いる:います ていた:ていました
がいた:がいました もいた:もいました でいた:でいました ある:あります
あった:ありました なる:なります なった:なりました を行う:を行います
を行った:を行いました を行なった:を行ないました をおこなった:をおこないました
持つ:持ちます もつ:もちます 持った:持ちました できる:できます できた:できました
含む:含みます 含んだ:含みました 呼ぶ:呼びます 呼んだ:呼びました 始まる:始まります
始まった:始まりました 終わる:終わります 終わった:終わりました 残る:残ります
渡る:渡ります 渡った:渡りました 起こる:起こります 起こった:起こりました
起きる:起きます 起きた:起きました 用いる:用います 用いた:用いました
率いた:率いました いう:いいます 言う:言います 使う:使います 使った:使いました
従う:従います 扱う:扱います 戦った:戦いました 失った:失いました 担う:担います
移った:移りました 作る:作ります 作った:作りました 置く:置きます 置いた:置きました
続く:続きます 続いた:続きました 開く:開きます 開いた:開きました 築いた:築きました
描いた:描きました 書いた:書きました 招いた:招きました 除いた:除きました
得た:得ました 得る:得ます 出た:出ました 受けた:受けました 持っている:持っています
至る:至ります 至った:至りました なす:なします 成る:成ります 上る:上ります
のぼる:のぼります 達する:達します 及ぶ:及びます 及んだ:及びました
結んだ:結びました 選んだ:選びました 生んだ:生みました 学んだ:学びました
組んだ:組みました 進んだ:進みました 落ち込んだ:落ち込みました 富んだ:富みました
死んだ:死にました 移る:移ります 当たる:当たります かかる:かかります
かかった:かかりました 送った:送りました 破った:破りました 取った:取りました
勝った:勝ちました 打った:打ちました 立った:立ちました 閉じる:閉じます
わたる:わたります わたった:わたりました 加わった:加わりました 関わった:関わりました
異なる:異なります 占める:占めます 用意する:用意します 生じる:生じます
生じた:生じました
"""
"""Plain and polite endings that no rule below tells: the commonest verbs of each row."""
_IRREGULAR = {plain: form for plain, _, form in (pair.partition(":") for pair in _PAIRS.split())}
_VOWEL = "えけせてねへめれげぜでべ"
_LONGEST_FIRST = sorted(_IRREGULAR, key=len, reverse=True)
_IS_POLITE = re.compile(r"(?:ます|ました|です|でした)$")
_COPULA = re.compile(r"(?:である|(?<![んい])だ|です)$")
_COPULA_PAST = re.compile(r"(?:であった|(?<!ん)だった|でした)$")
_VERBAL_NOUN = re.compile(r"を[一-龯]{2,4}$")


def polite(body: str) -> str:
    """Return a clause with its last verb in the polite form; empty if that is not plain to see.

    Example:
        >>> polite("橋を建設した"), polite("橋を架ける"), polite("橋を渉る")
        ('橋を建設しました', '橋を架けます', '')
    """
    for plain in _LONGEST_FIRST:
        if body.endswith(plain):
            return body.removesuffix(plain) + _IRREGULAR[plain]
    if re.search(rf"[{_VOWEL}]る$", body):
        return body[:-1] + "ます"
    if re.search(rf"[{_VOWEL}]た$", body):
        return body[:-1] + "ました"
    return ""


def as_question(body: str) -> str:
    """Return a clause as a question; empty if its ending is not that of a statement.

    Example:
        >>> as_question("何年に完成した"), as_question("何人である"), as_question("何を渉る")
        ('何年に完成しましたか?', '何人ですか?', '何を渉るのですか?')
    """
    if is_negative(body):
        return ""
    if _COPULA_PAST.search(body):
        return _COPULA_PAST.sub("", body) + "でしたか?"
    if _COPULA.search(body):
        return _COPULA.sub("", body) + "ですか?"
    if _IS_POLITE.search(body):
        return f"{body}か?"
    if _VERBAL_NOUN.search(body) and re.search(r"\d{4}年", body):
        return f"{body}しましたか?"
    turned = polite(body)
    if turned:
        return f"{turned}か?"
    return f"{body}のですか?" if re.search(r"(?:[たるうくすつぶむぐ]|[んい]だ)$", body) else ""


def is_negative(body: str) -> bool:
    """Return whether a clause denies, wishes or doubts, so that nothing is stated to ask for."""
    return bool(
        re.search(
            r"(?:ない|なかった|ません|ませんでした|ず|ぬ|たい|よう|だろう|らしい|べき|という|"
            r"とされる|"
            r"とされている|れば|ほしい|いけません|はず|可能性がある|可能性があります|ことがある|"
            r"ことがあります|"
            r"場合がある|場合があります|場合もある|こともある|わけだ|わけです|のだ|のである|"
            r"のです|からだ|からである)$",
            body,
        )
    )


_STEMS = (
    (re.compile(r"(?P<stem>.*由来)し$"), "する", "する"),
    (re.compile(r"(?P<stem>.*[一-龯ァ-ヶー]{2})し$"), "する", "した"),
    (re.compile(r"(?P<stem>.*[一-龯]{2})して$"), "する", "した"),
    (re.compile(r"(?P<stem>.*)であり$"), "である", "であった"),
    (re.compile(r"(?P<stem>.*て)おり$"), "いる", "いた"),
    (re.compile(r"(?P<stem>.*[をが]行)い$"), "う", "った"),
    (re.compile(r"(?P<stem>.*[とにがく]な)り$"), "る", "った"),
    (re.compile(r"(?P<stem>.*[がに]あ)り$"), "る", "った"),
    (re.compile(r"(?P<stem>.*(?:始ま|終わ|渡|移|起こ))り$"), "る", "った"),
    (re.compile(r"(?P<stem>.*(?:[れけせげべ]|(?<!た)め)|.*[与加超迎設受]え)$"), "る", "た"),
    (re.compile(rf"(?P<stem>.*[をがにとへ][一-龯]{{1,2}}[{_VOWEL}])て$"), "る", "た"),
    (re.compile(r"(?P<stem>.*[たるいう])(?:が|ものの|け?れども)$"), "", ""),
)  # fmt: skip


_ROWS = {
    "り": ("る", "った"), "ち": ("つ", "った"), "い": ("う", "った"), "み": ("む", "んだ"),
    "び": ("ぶ", "んだ"), "き": ("く", "いた"), "ぎ": ("ぐ", "いだ"), "し": ("す", "した"),
}  # fmt: skip
"""Last sound of a joining form -> plain and perfect form, for verbs of five rows."""
_FIVE_ROWS = re.compile(
    r"(?P<stem>.*[をがにとへ][一-龯]{1,2})(?<![起用率生落過降借足閉信報])(?P<row>[りちいみびきぎし])$"
)
_SOUNDED = re.compile(r"(?P<stem>.*[をがにとへ][一-龯]{1,2}(?:っ|い|ん))(?P<end>[てで])$")


def _of_five_rows(clause: str, *, past: bool) -> str:
    """Return a clause that ends in a joining form of a verb of five rows in its final form."""
    if match := _FIVE_ROWS.match(clause):
        present, perfect = _ROWS[match["row"]]
        return match["stem"] + (perfect if past else present)
    match = _SOUNDED.match(clause)
    if match is None or not past:
        return ""
    return match["stem"] + ("た" if match["end"] == "て" else "だ")


def finite(clause: str, *, past: bool) -> str:
    """Return a clause that another follows as a sentence of its own; empty if it is none.

    Example:
        >>> finite("1951年に設立され", past=True), finite("水を供給し", past=False)
        ('1951年に設立された', '水を供給する')
    """
    for pattern, present, perfect in _STEMS:
        match = pattern.match(clause)
        if match:
            return match["stem"] + (perfect if past else present)
    return _of_five_rows(clause, past=past)
