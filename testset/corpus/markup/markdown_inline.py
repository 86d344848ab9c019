"""Marks within Markdown: which characters of a paragraph a reader sees.

markdown-it-py gives no places within a paragraph. They are noted as its rules run: a rule sees
where it begins and where it ends.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from testset.corpus.source import BREAK, Part, Source

_UNSEEN = re.compile(
    r"[ \t]*\{:?[ \t]*[#.][^{}\n]*\}|\{\*.*?\*\}|\{\{[<%].*?[%>]\}\}|\{%.*?%\}"
    r"|\[\^[^\]\s]+\]:?|\[![A-Z]+\]"
)
"""Attributes, includes, shortcodes, footnote marks, and marks of alerts."""
_MARK = re.compile(r"[\\`*_\[<&~{\n]")
"""What any rule may take for a mark; a text without one is seen as it is."""
_LINE_BREAK = re.compile(r"<br\b", re.IGNORECASE)


def seen_in_markdown(source: Source, env: dict[str, Any]) -> Iterator[Part]:
    """Yield the parts of a source that a reader sees."""
    if _MARK.search(source.text) is None:
        yield from source.parts()
        return
    tokens: list[Token] = []
    md = markdown_parser()
    md.inline.parse(source.text, md, env, tokens)
    for token in tokens:
        low, high = token.meta.get("span", (0, 0))
        if token.type in {"softbreak", "hardbreak"}:
            text = "\n" if token.type == "softbreak" else BREAK
            yield from source.parts(low, high, text)
        elif token.type == "html_inline" and _LINE_BREAK.match(token.content):
            yield from source.parts(low, high, BREAK)
        elif token.type in {"text", "text_special", "code_inline"} and token.content:
            at = source.text.find(token.content, low, high) if token.info != "entity" else -1
            if at >= 0:
                yield from source.parts(at, at + len(token.content))
            else:
                yield from source.parts(low, high, token.content)


Rule = Callable[[StateInline, bool], bool]


@cache
def markdown_parser() -> MarkdownIt:
    """Return a parser that notes in the `meta` of each inline token which span it was made of."""
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    md.core.ruler.enableOnly(["normalize", "block"])
    md.inline.ruler2.disable("fragments_join")
    names = md.inline.ruler.get_active_rules()
    for name, rule in zip(names, md.inline.ruler.getRules(""), strict=True):
        md.inline.ruler.at(name, _placed(rule))
    md.inline.ruler.before(names[0], "unseen", _unseen)
    md.inline.ruler.push("character", _placed(_character))
    return md


def _placed(rule: Rule) -> Rule:
    """Return a rule that notes the span of the source that its tokens were made of."""

    def noting(state: StateInline, silent: bool) -> bool:
        low, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if silent:
            return True
        if state.pending:
            state.pushPending()
        at = low
        for token in state.tokens[count:]:
            if "span" not in token.meta:
                token.meta["span"] = (at, state.pos)
                at += len(token.content) if token.type == "text" else 0
        return True

    return noting


def _unseen(state: StateInline, silent: bool) -> bool:
    """Pass over what no reader sees."""
    del silent
    match = _UNSEEN.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    state.pos = match.end()
    return True


def _character(state: StateInline, silent: bool) -> bool:
    """Take one character that no rule knows."""
    if not silent:
        state.push("text", "", 0).content = state.src[state.pos]
    state.pos += 1
    return True
