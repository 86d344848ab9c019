"""Units of measure: their names in four languages, what they measure, and their size.

Sizes are the definitions of the International System of Units, of the international yard and pound
and of the US gallon. A month is a twelfth of a year of 365.25 days. Currencies measure different
things.
"""

import re
from functools import cache

__all__ = ["Reading", "unit_at", "units_called"]

Reading = tuple[str, float, float]
"""What a unit measures, its size, and its zero."""

_TABLE = """
gram 1000: kg kilogram kilogramme kilogramm kilo 公斤 千克 キログラム キロ
gram 1: g gram gramme gramm 克 グラム
gram 0.001: mg milligram milligramm 毫克 ミリグラム ミリ
gram 0.000001: µg mcg microgram mikrogramm 微克 マイクログラム
gram 1000000: t ton tonne 吨 噸 トン
gram 453.59237: lb lbs pound pfund 磅 ポンド
gram 28.349523125: oz ounce unze 盎司 オンス
gram 500: pfund 斤
metre 1000: km kilometre kilometer 公里 千米 キロメートル キロ
metre 1: m metre meter 米 メートル
metre 0.01: cm centimetre centimeter zentimeter 厘米 公分 センチメートル センチ
metre 0.001: mm millimetre millimeter 毫米 ミリメートル ミリ
metre 0.000001: µm micrometre micrometer mikrometer 微米 マイクロメートル
metre 0.000000001: nm nanometre nanometer 纳米 ナノメートル
metre 1609.344: mi mile meile 英里 マイル
metre 0.3048: ft foot feet fuß 英尺 フィート
metre 0.9144: yd yard 码 ヤード
metre 0.0254: inch inche zoll 英寸 インチ
metre 500: 里
area 1: m2 m² sqm square_metre square_meter quadratmeter 平方米 平方メートル 平米
area 1000000: km2 km² square_kilometre square_kilometer quadratkilometer 平方公里 平方千米 平方キロメートル 平方キロ
area 2589988.110336: square_mile sq_mi 平方英里 平方マイル
area 10000: ha hectare hektar 公顷 ヘクタール
area 4046.8564224: acre 英亩 エーカー
litre 1: l litre liter 升 リットル
litre 0.001: ml millilitre milliliter 毫升 ミリリットル cc ミリ
litre 0.01: cl centilitre zentiliter
litre 3.785411784: gal gallon gallone 加仑 ガロン
litre 1000: m3 m³ cubic_metre cubic_meter kubikmeter 立方米 立方メートル
second 1: s sec second sekunde 秒 秒钟 秒間
second 60: min minute 分 分钟 分鐘 分間
second 900: viertelstunde 刻钟 刻鐘
second 3600: h hr hour stunde 小时 小時 時間
second 86400: day tag 天 日間 日
second 604800: week woche 周 週 星期 礼拜 週間
second 1209600: fortnight
second 0.001: ms millisecond millisekunde 毫秒 ミリ秒
second 2629800: month monat 月 か月 ヶ月 カ月 ヵ月
second 31557600: year yr jahr lebensjahr 年 年間 岁 歳
second 315576000: decade jahrzehnt
degree 1: °c ℃ degree_celsius degrees_celsius grad_celsius grad 摄氏度 度 degree
degree 0.5555555555555556 -17.77777777777778: °f degree_fahrenheit degrees_fahrenheit grad_fahrenheit 华氏度 grad degree 度
angle 1: ° degree grad 度
ratio 0.01: % percent per_cent prozent パーセント 个百分点
ratio 0.001: ‰ permille promille パーミル
ratio 0.1: 割 成
dollar 1: $ us$ usd dollar 美元 ドル
dollar 0.01: cent セント
euro 1: € eur euro 欧元 ユーロ
pound 1: £ gbp pound pfund 英镑 ポンド
yen 1: yen jpy ¥ 日元 円
yuan 1: yuan cny rmb ¥ 元 人民币 块 块钱
franc 1: franc chf franken
won 1: 韩元 ウォン
byte 1: byte b 字节 バイト
byte 1000: kb kilobyte キロバイト 千字节
byte 1000000: mb megabyte メガバイト 兆字节 兆
byte 1000000000: gb gigabyte ギガバイト 吉字节
byte 1000000000000: tb terabyte テラバイト
watt 1: w watt 瓦 ワット
watt 1000: kw kilowatt 千瓦 キロワット
watt 1000000: mw megawatt 兆瓦 メガワット
watthour 1: kwh kilowattstunde 千瓦时 キロワット時
volt 1: v volt 伏 ボルト
ampere 1: ampere amp 安培 アンペア
hertz 1: hz hertz 赫兹 ヘルツ
hertz 1000000: mhz
hertz 1000000000: ghz
calorie 1: kcal calorie kilocalorie kilokalorie kalorie 千卡 卡路里 カロリー キロカロリー
speed 3.6: m/s
speed 1: km/h kph kmh stundenkilometer 公里每小时
speed 1.609344: mph
bar 1: bar
psi 1: psi
times 1: time times mal 次 回 遍
"""
_LATIN = re.compile(r"[ \u00a0-]?(?P<one>[a-zß-ÿµ°%‰$€£¥][a-zß-ÿµ/²³23]*)(?P<two> [a-z]+)?")
_EAST = re.compile(r" ?[个個]?(?P<east>[\u3040-\u30ff\u4e00-\u9fff℃]{1,9})")
_ENDINGS = ("", "s", "n", "en", "e")
"""Of plurals and cases."""
_SHORTEST = 3
"""Letters of a name that may have one."""


@cache
def _units() -> dict[str, tuple[Reading, ...]]:
    found: dict[str, list[Reading]] = {}
    for line in _TABLE.strip().splitlines():
        head, _, names = line.partition(":")
        dimension, size, zero = [*head.split(), "0"][:3]
        for name in names.split():
            found.setdefault(name.replace("_", " "), []).append(
                (dimension, float(size), float(zero))
            )
    return {name: tuple(readings) for name, readings in found.items()}


def unit_at(text: str, start: int) -> tuple[tuple[Reading, ...], int]:
    """Return what the unit at a place of a text in small letters may measure, and its end.

    Returns:
        Nothing, and the place itself, if no unit is there; else the longest name.

    Example:
        >>> unit_at("12 kg", 2), unit_at("20 square metres", 2), unit_at("12 seats", 2)
        (((('gram', 1000.0, 0.0),), 5), ((('area', 1.0, 0.0),), 16), ((), 2))
    """
    found = _LATIN.match(text, start)
    if found:
        for name in (f"{found['one']}{found['two']}" if found["two"] else "", found["one"]):
            if readings := units_called(name):
                return readings, found.start("one") + len(name)
    elif found := _EAST.match(text, start):
        name = found["east"]
        for size in range(len(name), 0, -1):
            if readings := units_called(name[:size]):
                return readings, found.start("east") + size
    return (), start


def units_called(name: str) -> tuple[Reading, ...]:
    """Return what a name may measure, each with its size and its zero.

    Example:
        >>> units_called("hours"), units_called("pounds")
        ((('second', 3600.0, 0.0),), (('gram', 453.59237, 0.0), ('pound', 1.0, 0.0)))
    """
    stems = (name.removesuffix(each) for each in _ENDINGS if name.endswith(each))
    return next((found for stem in stems if (found := _known(stem, name))), ())


def _known(stem: str, name: str) -> tuple[Reading, ...]:
    return _units().get(stem, ()) if stem == name or len(stem) >= _SHORTEST else ()
