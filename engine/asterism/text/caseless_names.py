"""Names in scripts that have no capitals: who speaks, foreign names, names with a title."""

import re
from collections.abc import Iterator
from functools import cache

from asterism.text.scripts import SPACELESS

# Family names of nine Chinese in ten.
_FAMILY = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤"
)
_HAN = "[\u4e00-\u9fff]"
_AFTER = "说|问|在|是|住|来|去|和|跟|喜欢|买|给|的|把|有|叫|会|想|，|。|、|：|$"
_TITLES = "先生|女士|老师|教授|医生|经理|小姐|同学|师傅|阿姨|叔叔"
_CAPTION = 12  # letters of a title or speaker that is a name as a whole
_UNCASED = f"{SPACELESS}\u0590-\u07ff\u08a0-\u0dff"
_PATTERNS = (
    # a title, and who speaks
    rf"\A(?P<name>[{_UNCASED}][{_UNCASED} ]{{0,{_CAPTION - 1}}})\n",
    rf"(?m:^)(?:\[[^\]]*\] )?(?P<name>[{_UNCASED}][{_UNCASED} ]{{0,{_CAPTION - 1}}}): ",
    # ジュリア and other foreign names, of which each has two letters at least
    "(?P<name>[\u30a1-\u30fa\u30fc-\u30ff]{2,}(?:・[\u30a1-\u30fa\u30fc-\u30ff]+)*)",
    f"(?P<name>{_HAN}{{1,4}})(?:さん|様|くん|ちゃん|君)",
    f"(?P<name>[{_FAMILY}]{_HAN}{{0,2}}?)(?:{_TITLES})",
    f"(?<!{_HAN})(?P<name>[{_FAMILY}]{_HAN}{{1,2}}?)(?={_AFTER})",
    f"(?P<name>[小老阿](?![师板人家是]){_HAN})(?={_AFTER})",
    "[《「『](?P<name>[^》」』]{1,20})[》」』]",
)


def caseless_names(text: str) -> Iterator[tuple[int, str]]:
    """Yield where such a name begins, and the name."""
    if text.isascii():
        return
    for pattern in _compiled():
        for match in pattern.finditer(text):
            yield match.start("name"), match["name"]


@cache
def _compiled() -> list[re.Pattern[str]]:
    """Compile the patterns when a text needs them: they take as long as many a text."""
    return [re.compile(pattern) for pattern in _PATTERNS]
