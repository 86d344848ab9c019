"""Relations of words: synonyms, opposites and negations.

A synonym keeps a paraphrase from being taken for something new; a negation or an opposite speaks
against a claim. The tables were written by hand from general knowledge of the languages; words
are compared by stem.
"""

import re
from collections.abc import Collection
from functools import cache

from llamaindex_rag_eval.judge.rules.tokens import normalise, stem, terms

__all__ = [
    "antonyms",
    "around_negations",
    "count_negations",
    "denies_otherwise",
    "exclusive",
    "opposite_form",
    "quantities",
    "synonyms_of",
    "without_negations",
]

_NEGATION = re.compile(
    r"\b(?:not|no(?!\. ?\d)|never|none|nobody|nothing|neither|nor|without|cannot|hardly|false|fail(?:s|ed)? to|"
    r"lack(?:s|ed|ing)?|unable|incorrect|untrue|myth)\b|n't\b|\b(?:is|are|was|"
    r"were|do|does|did|has|have|had|wo|would|could|should|ca)n t\b"
    r"|\b(?:nicht|kein(?:e|en|er|em|es)?|nie|niemals|ohne|weder|niemand|nichts)\b"
    r"|(?:(?<!ればなら)(?<!なくてはなら)ない|なかっ|ませ[んぬ]|なく(?!て?はな)|ずに|[させられがか]ず(?=[、にと]|$)|無い|無し|なし)"
    r"|(?:不(?!仅|但|同|过|断|少|管|论|如|得不|久|幸|错|足|满|良|安)|没|未(?!来)|无法|无需|無(?!料)|"
    r"(?<!并)非(?!常|洲|法|公)|并非|莫(?!斯)|勿|假的|谣言|错误)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:no(?:t|ne)?|never|nicht|kein\w*)\b[^.,;]{0,30}?\b(?:(?:more|\w+er) than|exceed\w*|over|above|under|below|"
    r"(?:mehr|\w+er) als|über\w*|unter\w*)(?: \w+)? ?[$€£¥]?(?=\d)"
    r"|\bno later than\b|不(?:得|能|可|应|会)?(?:超过|多于|少于|高于|低于|晚于|早于|大于|小于)(?=.{0,2}\d)"
    r"|(?<=\d).{0,4}を?(?:超え|上回|下回)\w{0,8}(?:ない|ません)",
    re.IGNORECASE,
)
"""A negation that makes a number the most or the least, and denies nothing."""
_DENIES_OTHERWISE = re.compile(
    r"\b(?:prevent|avoid|prohibit|refus|unless|until|verhinder|vermeid|verhüt|verweiger|solange|erst)\w*"
    r"|\b(?:keep|kept|stop)\w* .{1,40}? from\b|\bonly (?:if|when|after)\b"
    r"|防止|避免|阻止|除非|只有.{1,14}才|防[ぐいげ]|避け|阻[むん止]|限り|うちは|ないと(?![さ言い思考の])|なければ(?!な)",
    re.IGNORECASE,
)
"""Words that deny something, or say when it is so, without a negation."""
_NEAR = re.compile(r"\W*\w+\W*?")
_NEAR_EAST = re.compile(r"\w{1,2}")
_AROUND = 3
"""Words, or pairs of characters, around a negation that it may deny."""
_SYNONYMS = """
begin start commence launch initiate | end finish conclude complete | create found establish form
develop invent make originate build construct introduce | release publish issue debut premiere |
film movie picture | author writer write novelist | famous popular known renowned celebrated | big
large huge great vast | small little tiny | many numerous multiple several various | old ancient |
fast quick rapid swift | country nation | city town | company firm business corporation
organization organisation enterprise | house home residence | car automobile vehicle | child kid |
show series program programme | song track single | band group | singer vocalist | buy purchase
acquire | get obtain receive gain | use utilize employ usage | help assist aid | need require
necessary requirement | show display demonstrate | say state tell mention | near close | locate
situate lie | live reside inhabit | die death dead | bear birth born | marry wife husband spouse
marriage | win victory winner | award prize | kill murder | job occupation profession career |
teacher instructor | doctor physician | picture image photo photograph | allow permit enable let |
stop halt cease prevent | choose select pick | change alter modify | increase rise grow growth |
decrease reduce decline drop | rich wealthy | poor impoverished | smart intelligent | hard
difficult | easy simple | main primary principal chief | important significant crucial essential |
different distinct | same identical similar | often frequently | usually typically generally
normally commonly | about approximately around roughly nearly almost | also additionally too |
because since due | however but although | contain include comprise consist | own possess | work
function operate | try attempt | happen occur | cause lead result | think believe consider | like
enjoy love | talk speak | look see watch view | big major | part portion piece component | type
kind sort form variety | area region zone | amount quantity | beginning origin start | film cinema
| game match | team club | player athlete | sea ocean | forest wood | road street | boat ship
vessel | plane aircraft airplane aeroplane | soldier troop | war conflict | law legislation | rule
regulation | money cash | cost price expense | cheap inexpensive | expensive costly | food meal
dish | drink beverage | animal creature | dog canine puppy | cat feline | color colour | favorite
favourite | center centre | theater theatre | woman female lady | man male guy | mother mom mum |
father dad | parent mother father | grow raise cultivate | teach instruct | learn study | student
pupil | school academy | university college | book novel | story tale | movie film | music song |
actor actress | king queen monarch | president leader head | government administration | usa
america american us | uk britain british england english | germany german | france french | spain
spanish | italy italian | china chinese | japan japanese | russia russian soviet | ireland irish |
scotland scottish | wales welsh | netherlands dutch holland | denmark danish | sweden swedish |
norway norwegian | poland polish | greece greek | turkey turkish | switzerland swiss | canada
canadian | mexico mexican | brazil brazilian | india indian | australia australian | africa
african | europe european | asia asian | egypt egyptian | portugal portuguese | finland finnish |
israel israeli | korea korean | vietnam vietnamese | january jan | february feb | march mar |
april apr | august aug | september sep sept | october oct | november nov | december dec |
kilometer kilometre km | meter metre m | kilogram kg | percent % | television tv | worldwide
global globally international | adaptation version | outside outdoors | inside indoors | sick ill
| scared afraid | happy glad | sad unhappy | quiet silent | loud noisy | strong powerful | weak
feeble | beautiful pretty | ugly unattractive | clever smart | strange odd weird | true correct
right accurate | false incorrect wrong | whole entire complete | empty vacant | full filled | open
opened | shut closed close | goal aim objective purpose | idea concept notion | problem issue |
answer reply response | error mistake fault | danger risk hazard | damage harm | repair fix |
carry transport | send ship | collect gather | join unite | divide split separate | remove delete
erase | keep retain maintain | protect guard defend | attack assault | discover find | explain
describe | show reveal | hide conceal | grow expand | shrink contract | earn make | pay
compensation salary | anfangen beginnen starten | enden aufhören | gründen errichten | bauen
errichten | kaufen erwerben | auto wagen pkw | haus gebäude | film kinofilm | groß riesig | klein
winzig | schnell rasch | sterben tod | frau weiblich | mann männlich | kind kinder | stadt ort |
land staat | firma unternehmen betrieb | beruf arbeit | ende schluss
"""
"""Groups of words that say the same, parted by bars."""
_OPPOSITES = """
first earliest | last latest final;
begin began begun start started launch open opened opens opening introduce | end ended finish
  finished close closed closes closing shut stop stopped abolish;
early earlier before prior advance sooner | late later after following;
advance advanced | delay delayed postpone postponed;
north northern | south southern;
east eastern | west western;
high higher highest tall taller tallest long longer longest | low lower lowest short shorter
  shortest;
top upper upward up above over | bottom downward down below under;
maximum most more majority many | minimum least less fewer fewest minority few;
increase increased rise rose risen raise raised grow grew grown growth climb climbed gain gained
  expand expanded improve improved surge surged strengthen strengthened | decrease decreased fall
  fell fallen reduce reduced decline declined drop dropped shrink shrank shrunk lose lost worsen
  worsened plunge plunged sink sank weaken weakened;
large larger largest big bigger biggest great greater greatest major | small smaller smallest
  little tiny minor;
old older oldest ancient | new newer newest modern young younger youngest recent;
fast faster fastest quick quickly rapid | slow slower slowest slowly;
thick wide broad deep heavy strong rich hard | thin narrow shallow light weak poor soft easy;
male men man boy he his him | female women woman girl she her;
husband | wife;
father | mother;
son | daughter;
brother | sister;
king | queen;
win won winner victory beat pass passed succeed succeeded success successful | lose lost loser
  loss fail failed failure;
best better good benefit advantage positive | worst worse bad harm drawback negative;
safe healthy | dangerous unsafe harmful;
allow allowed permit permitted legal can may | forbid forbidden prohibit prohibited ban banned illegal;
encourage accept accepted approve approved agree agreed support supported | discourage reject
  rejected refuse refused disagree oppose opposed deny denied;
include included | exclude excluded;
hot warm | cold cool;
summer | winter;
day | night;
white light bright | black dark;
true correct right | false wrong incorrect;
same similar equal alike | different unequal;
can able possible | cannot unable impossible;
inside indoor indoors inner internal | outside outdoor outdoors outer external;
domestic | foreign;
private | public;
enter entered import arrive arrived join joined | leave left exit export depart departed;
alive live survive survived born birth | dead die died death;
buy bought purchase purchased | sell sold sale;
borrow borrowed receive received | lend lent give gave send sent;
love loves like | hate hates dislike;
always every all | never none;
mandatory required compulsory must | optional voluntary;
common often frequently usually | rare rarely seldom;
present active busy full | absent inactive idle empty;
cheap free | expensive costly;
urban | rural;
natural | artificial;
single | married;
front | back;
add added attach build built create created construct | remove removed detach destroy destroyed
  demolish demolished;
with | without;
spring | autumn fall;
left | right;
near nearby close | far distant;
steigen steigt stieg stiegen gestiegen zunehmen zunahme erhöhen erhöht wachsen wuchs wuchsen wachstum anstieg
  verbessern verbessert | fallen fällt fiel fielen gefallen sinken sinkt sank sanken gesunken abnehmen abnahme
  senken gesenkt schrumpfen schrumpfte rückgang verschlechtern verschlechtert;
hoch hohe hohen höher höchste lang lange länger längste | niedrig niedrige niedrigen niedriger
  niedrigste kurz kurze kürzer kürzeste tief tiefer;
mehr meiste mehrheit | weniger wenigste minderheit;
groß große großen größer größte | klein kleine kleinen kleiner kleinste;
oben über | unten unter;
rekordhoch | rekordtief;
gewinn gewinnen gewann gewonnen gewinnt siegen siegte sieg bestanden | verlust verlieren verlor
  verloren verliert niederlage unterlag durchgefallen;
vor vorher zuvor | nach nachher danach;
früh früher frühen frühe | spät später späten späte;
erste ersten anfang beginn beginnt begann beginnen | letzte letzten ende schluss endet endete
  enden;
öffnet geöffnet öffnen offen | schließt geschlossen schließen zu;
alt alte alten älter älteste | neu neue neuen neuer neueste jung junge jünger jüngste;
nord norden nördlich nördlichen | süd süden südlich südlichen;
ost osten östlich östlichen | west westen westlich westlichen;
kalt kühl | warm heiß;
sommer | winter;
tag tagsüber | nacht nachts;
hell weiß | dunkel schwarz;
gut besser beste vorteil | schlecht schlechter schlechteste nachteil;
richtig wahr | falsch unwahr;
erlaubt erlauben zulässig gestattet darf dürfen | verboten verbieten unzulässig untersagt;
angenommen zugestimmt akzeptiert genehmigt | abgelehnt widersprochen verweigert;
sicher | gefährlich;
schnell schneller | langsam langsamer;
leicht leichter einfach | schwer schwerer schwierig;
breit dick stark voll reich | schmal dünn schwach leer arm;
billig günstig kostenlos | teuer kostenpflichtig;
nah nahe | weit fern;
innen drinnen inland einfuhr import | außen draußen ausland ausfuhr export;
kaufen kauft kaufte gekauft | verkaufen verkauft verkaufte;
mit | ohne;
rechts rechte | links linke;
oft häufig meist meistens immer | selten nie niemals kaum;
frau frauen | mann männer;
mutter | vater;
geboren lebt | gestorben tot starb;
hinzugefügt gebaut | entfernt abgerissen;
pflicht muss | freiwillig optional;
frühling frühjahr | herbst;
private privat | öffentlich
"""
_CJK_OPPOSITES = """
增 增加 升 上升 涨 上涨 提高 扩大 改善 上昇 拡大 盈利 増 | 减 减少 降 下降 跌 下跌 降低 缩小 恶化 減 減少 低下 縮小 下落 亏损;
最高 最大 最多 | 最低 最小 最少;
高 多 大 长 長 強 强 厚 重 深 | 低 少 小 短 弱 薄 轻 軽 浅;
前 早 先 | 后 後 晚 遅;
最初 开始 開始 始 | 最后 最後 结束 終了 終;
午前 上午 早上 | 午後 下午 晚上;
开 開 开放 营业 営業 开门 | 关 闭 閉 关闭 停业 休業 定休 休み 休馆 闭馆 关门 閉館 閉店;
新 年轻 若 | 旧 老 古;
快 速 | 慢 遅 缓;
热 暑 熱 暖 | 冷 寒 凉;
夏 | 冬;
春 | 秋;
亮 明 白 昼 | 暗 黑 黒 夜;
东 東 | 西;
南 | 北;
左 | 右;
上 | 下;
里 室内 屋内 国内 内 | 外 室外 屋外 国外 海外;
男 男性 | 女 女性;
父 父亲 | 母 母亲;
买 買 购 購入 | 卖 売 销 販売;
胜 赢 勝 成功 合格 当選 通过 战胜 | 败 输 敗 負 失败 失敗 落選;
进 入 进口 输入 輸入 到达 到着 | 出 出口 输出 輸出 离开 出発;
借 | 貸 还;
生 出生 | 死 死亡 去世;
允许 可以 许可 許可 准许 でき てよ てもい | 禁止 不准 不得;
同意 赞成 賛成 接受 支持 承認 | 反对 反対 拒绝 拒否 否决 却下;
好 优点 利点 有利 | 坏 差 缺点 欠点 不利;
真 对 正确 正 | 假 错 错误 誤;
安全 | 危险 危険;
有 存在 | 无 無 没;
经常 通常 大多 多数 | 很少 罕见 少数 极少;
便宜 安 免费 無料 | 贵 昂贵 有料 收费;
必须 必須 | 自愿 任意;
远 遠 | 近 附近;
公开 公開 | 秘密 非公 未公;
手动 手動 | 自动 自動
"""
_PREFIXES = (
    "un",
    "in",
    "im",
    "il",
    "ir",
    "dis",
    "non",
    "non-",
    "nicht",
    "不",
    "非",
    "無",
    "无",
    "未",
)
_QUANTITIES = (
    r"\b(?:few|rarely|seldom|hardly any|a minority|minderheit|wenige[nr]?|selten|kaum)\b"
    r"|少数|很少|极少|めったに|まれに|わずか",
    r"\b(?:some|sometimes|several|occasionally|partly|partially|einige[nrs]?|manche?[nrs]?|manchmal|mehrere[nr]?|"
    r"teilweise|teils|gelegentlich)\b|一些|有些|部分(?!の)|有时|有的|偶尔|若干|一部|いくつか|時々|ときどき|たまに",
    r"\b(?:most|mostly|mainly|majority|largely|usually|typically|generally|normally|often|many|"
    r"frequently|almost all|nearly all|meiste[nr]?|meist|meistens|mehrheit|überwiegend|hauptsächlich|vorwiegend|"
    r"gewöhnlich|normalerweise|in der regel|oft|häufig|viele[nr]?|fast alle)\b"
    r"|大多|大部分|多数|大半|通常|主要|一般|经常|常常|往往|许多|很多|几乎|ほとんど|多くの|の多く|大部分|主に|"
    r"たいてい|普通は|よく|しばしば",
    r"\b(?:(?<!not )all|every|each|always|everyone|everybody|everything|entirely|completely|invariably|any|"
    r"without exception|alle[nrsm]?|jede[nrsm]?|immer|sämtliche[nr]?|stets|ausnahmslos|vollständig|gesamte[nr]?)\b"
    r"|所有|全部|全都|全体|一律|总是|一直|始终|任何|每个|每一|すべて|全て|全員|必ず|いつも|常に|あらゆる|どの.{1,8}も|皆",
)
"""How many, from few to all."""
_EXCLUSIVE = re.compile(
    r"\b(?:only|solely|exclusively|alone|nothing but|nur|ausschließlich|lediglich|allein|bloß)\b(?! (?:one|two|\d|ein|zwei))"
    r"|只(?!要|[一-九两\d])|仅(?![一-九两\d])|唯一|のみ|だけ(?!で?なく)|しか(?=.{0,12}ない|.{0,12}ませ)|に限",
    re.IGNORECASE,
)


def synonyms_of(key: str) -> frozenset[str]:
    """Return the stems that may stand for a stem; none for a word that is not in the table.

    Example:
        >>> sorted(synonyms_of("movi"))
        ['film', 'pictur']
    """
    return _synonyms().get(key, frozenset())


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for words in " ".join(_SYNONYMS.split()).split("|"):
        group = {stem(word) for word in words.split()}
        for word in group:
            table.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in table.items()}


def count_negations(text: str) -> int:
    """Return how many negations a text has.

    Example:
        >>> [count_negations(text) for text in ("It is not red.", "赤くない", "Er kam nie.", "Yes")]
        [1, 1, 1, 0]
        >>> count_negations("Take not more than four."), count_negations("不得超过六片")
        (0, 0)
    """
    return len(_NEGATION.findall(_without_bounds(text)))


def _without_bounds(text: str) -> str:
    """Return a text in which "not more than 4" denies nothing."""
    plain = text.replace("’", "'")
    if not _NEGATION.search(plain):
        return plain
    return _BOUND.sub(lambda found: " " * len(found.group()), normalise(plain))


def denies_otherwise(text: str) -> bool:
    """Return whether a text denies, or limits to a time or case, without a negation.

    Example:
        >>> denies_otherwise("It keeps rain from entering."), denies_otherwise("Rain enters.")
        (True, False)
    """
    return _DENIES_OTHERWISE.search(text) is not None


def around_negations(text: str) -> list[str]:
    """Return the words around each negation of a text.

    Example:
        >>> around_negations("It is not sold in the old town.")
        ['It is not sold in the']
    """
    near = _NEAR_EAST if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) else _NEAR
    found = []
    text = _without_bounds(text)
    for match in _NEGATION.finditer(text):
        before = [each.start() for each in near.finditer(text, 0, match.start())][-_AROUND:]
        after = [each.end() for each in near.finditer(text, match.end())][:_AROUND]
        found.append(text[(before or [match.start()])[0] : (after or [match.end()])[-1]].strip())
    return found


def without_negations(text: str) -> str:
    """Return a text without what denies it.

    Example:
        >>> without_negations("Is it not red?")
        'Is it  red?'
    """
    return _NEGATION.sub("", text)


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem that has some; of CJK characters and pairs too."""
    found: dict[str, set[str]] = {}
    for line in f"{_OPPOSITES};{_CJK_OPPOSITES}".split(";"):
        sides = [
            {term.key for word in side.split() for term in terms(word)[-1:]}
            for side in line.split("|")
        ]
        if len(sides) == 2:
            for word in sides[0] | sides[1]:
                against = (sides[1] if word in sides[0] else set()) | (
                    sides[0] if word in sides[1] else set()
                )
                found.setdefault(word, set()).update(against - {word})
    return {word: frozenset(opposites) for word, opposites in found.items()}


def opposite_form(word: str, there: Collection[str]) -> str:
    """Return the word among others that denies this one by a prefix, or is denied by it, or "".

    Example:
        >>> opposite_form("possibl", {"imposs", "impossibl"}), opposite_form("不合", {"合"})
        ('impossibl', '合')
    """
    forms = [f"{prefix}{word}" for prefix in _PREFIXES if len(word) > 3 or not prefix.isascii()]
    forms += [
        word.removeprefix(prefix)
        for prefix in _PREFIXES
        if word.startswith(prefix) and (len(word) - len(prefix) > 3 or not prefix.isascii())
    ]
    return next((form for form in forms if form in there), "")


def quantities(text: str) -> dict[int, str]:
    """Return how many a text speaks of, from 1 (few) to 4 (all), each with its word.

    Example:
        >>> quantities("Most locks are red, all are old."), quantities("一部の塔")
        ({3: 'most', 4: 'all'}, {2: '一部'})
    """
    plain = text.lower()
    found = ((level, re.search(form, plain)) for level, form in enumerate(_QUANTITIES, start=1))
    return {level: match.group() for level, match in found if match}


def exclusive(text: str) -> str:
    """Return the word by which a text says that there is nothing else, as "only", or "".

    Example:
        >>> exclusive("It is sold only here."), exclusive("It takes only one day.")
        ('only', '')
    """
    found = _EXCLUSIVE.search(text)
    return found.group() if found else ""
