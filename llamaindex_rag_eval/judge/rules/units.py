"""Units of measure: their names in four languages, what they measure, and their size.

Sizes are the definitions of the International System of Units, of the international yard and pound
and of the US gallon. Units that are not alike in fact (months and days, currencies) measure
different things here.
"""

import re
from functools import cache

__all__ = ["unit_pattern", "units_called"]

_TABLE = """
gram 1000: kg kilogram kilograms kilogramme kilogrammes kilogramm kilo kilos 公斤 千克 キログラム キロ
gram 1: g gram grams gramme grammes gramm 克 グラム
gram 0.001: mg milligram milligrams milligramm 毫克 ミリグラム ミリ
gram 0.000001: µg μg mcg microgram micrograms mikrogramm 微克 マイクログラム
gram 1000000: t ton tons tonne tonnes tonnen 吨 噸 トン
gram 453.59237: lb lbs pound pounds pfund 磅 ポンド
gram 28.349523125: oz ounce ounces unze unzen 盎司 オンス
gram 500: 斤
metre 1000: km kilometre kilometres kilometer kilometers kilometern 公里 千米 キロメートル キロ
metre 1: m metre metres meter meters metern 米 メートル
metre 0.01: cm centimetre centimetres centimeter centimeters zentimeter 厘米 公分 センチメートル センチ
metre 0.001: mm millimetre millimetres millimeter millimeters 毫米 ミリメートル ミリ
metre 0.000001: µm μm micrometre micrometres micrometer micrometers mikrometer 微米 マイクロメートル
metre 0.000000001: nm nanometre nanometres nanometer nanometers 纳米 ナノメートル
metre 1609.344: mi mile miles meile meilen 英里 マイル
metre 0.3048: ft foot feet fuß 英尺 フィート
metre 0.9144: yd yard yards 码 ヤード
metre 0.0254: inch inches zoll 英寸 インチ
metre 500: 里
area 1: m2 m² sqm square_metre square_metres square_meter square_meters quadratmeter quadratmetern 平方米 平方メートル 平米
area 1000000: km2 km² square_kilometre square_kilometres square_kilometer square_kilometers quadratkilometer 平方公里 平方千米 平方キロメートル 平方キロ
area 2589988.110336: square_mile square_miles sq_mi 平方英里 平方マイル
area 10000: ha hectare hectares hektar 公顷 ヘクタール
area 4046.8564224: acre acres 英亩 エーカー
litre 1: l litre litres liter liters litern 升 リットル
litre 0.001: ml millilitre millilitres milliliter milliliters 毫升 ミリリットル cc ミリ
litre 0.01: cl centilitre centilitres zentiliter
litre 3.785411784: gal gallon gallons gallone gallonen 加仑 ガロン
litre 1000: m3 m³ cubic_metre cubic_metres cubic_meter cubic_meters kubikmeter 立方米 立方メートル
second 1: s sec second seconds sekunde sekunden 秒 秒钟 秒間
second 60: min minute minutes minuten 分 分钟 分鐘 分間
second 3600: h hr hrs hour hours stunde stunden 小时 小時 時間 个小时
second 86400: day days tag tage tagen 天 日間 日
second 604800: week weeks woche wochen 周 週 星期 个星期 礼拜 週間
second 1209600: fortnight
second 0.001: ms millisecond milliseconds millisekunde millisekunden 毫秒 ミリ秒
month 1: month months monat monate monaten 个月 個月 か月 ヶ月 カ月 ヵ月
month 12: year years yr yrs jahr jahre jahren 年 年間
month 120: decade decades jahrzehnt jahrzehnte jahrzehnten
celsius 1: °c ℃ degree_celsius degrees_celsius grad_celsius grad 摄氏度 度 degrees degree
fahrenheit 1: °f degree_fahrenheit degrees_fahrenheit grad fahrenheit 华氏度 grad degrees degree 度
angle 1: ° degrees degree grad 度
ratio 0.01: % percent per_cent prozent パーセント 个百分点
ratio 0.001: ‰ permille promille パーミル
ratio 0.1: 割 成
dollar 1: $ us$ usd dollar dollars 美元 ドル
dollar 0.01: cent cents セント
euro 1: € eur euro euros 欧元 ユーロ
pound 1: £ gbp pound pounds pfund 英镑 ポンド
yen 1: yen jpy ¥ 日元 円
yuan 1: yuan cny rmb ¥ 元 人民币 块 块钱
franc 1: franc francs chf franken
won 1: 韩元 ウォン
byte 1: byte bytes b 字节 バイト
byte 1000: kb kilobyte kilobytes キロバイト
byte 1000000: mb megabyte megabytes メガバイト
byte 1000000000: gb gigabyte gigabytes ギガバイト
byte 1000000000000: tb terabyte terabytes テラバイト
watt 1: w watt watts 瓦 ワット
watt 1000: kw kilowatt kilowatts 千瓦 キロワット
watt 1000000: mw megawatt megawatts 兆瓦 メガワット
watthour 1: kwh kilowattstunde kilowattstunden 千瓦时 キロワット時
volt 1: v volt volts 伏 ボルト
ampere 1: ampere amp amps 安培 アンペア
hertz 1: hz hertz 赫兹 ヘルツ
hertz 1000000: mhz
hertz 1000000000: ghz
calorie 1: kcal calories kilocalories kilokalorien kalorien 千卡 卡路里 カロリー キロカロリー
speed 3.6: m/s
speed 1: km/h kph kmh stundenkilometer 公里每小时
speed 1.609344: mph
bar 1: bar
psi 1: psi
times 1: times mal 次 回 遍
"""


@cache
def _units() -> dict[str, tuple[tuple[str, float], ...]]:
    found: dict[str, list[tuple[str, float]]] = {}
    for line in _TABLE.strip().splitlines():
        head, _, names = line.partition(":")
        dimension, size = head.split()
        for name in names.split():
            found.setdefault(name.replace("_", " "), []).append((dimension, float(size)))
    return {name: tuple(readings) for name, readings in found.items()}


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return what finds a unit behind its number, the longest name first."""
    names = sorted(_units(), key=lambda name: (-len(name), name))
    latin = "|".join(re.escape(name) for name in names if name[0] < "\u0250")
    other = "|".join(re.escape(name) for name in names if name[0] >= "\u0250" and name not in "µμ")
    return re.compile(rf"[ \u00a0-]?(?P<unit>(?:{latin})(?![a-z\u00c0-\u024f])|{other})")


def units_called(name: str) -> tuple[tuple[str, float], ...]:
    """Return what a name may measure, each with its size.

    Example:
        >>> units_called("kg"), units_called("pounds")
        ((('gram', 1000.0),), (('gram', 453.59237), ('pound', 1.0)))
    """
    return _units().get(name, ())
