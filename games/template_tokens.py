"""Tokens of chat templates in a text from outside: a model must not read them as its own template's.

A model in this process is safe without this (`arena.inference.contents`); a server behind an endpoint may not be. What
environments of others show is blunted for everybody (`without_tokens`); what goes to a server is only split
(`split_tokens`), because a task may hold code, which must stay the same.
"""

from __future__ import annotations

import re

MAX_BYTES = 20_000
"""bytes of a reply to an environment; a longer one is refused"""
_WORDS = (
    "s|bos|eos|pad|unk|mask|cls|sep|sys|img|think|thinking|reasoning|system|user|assistant|human|bot|tool|function"
    "|inst|tool_calls|image|video|audio|eot|eom|eod|sop|eop"
)
"""plain words that are tokens of templates; other plain words are tags and options of an environment"""
_CONTROL = re.compile(
    r"<(?P<angle>[^<>\s]{0,60}[^<>\sa-zA-Z/\d][^<>\s]{0,60}"  # <|im_start|>, <｜User｜>, <start_of_turn>
    rf"|/?(?:{_WORDS}|unused\d+|extra_?id_?\d+)/?)>"
    # [SYSTEM_PROMPT], [/INST], [INST]; only capitals, because environments take [s] and [place_bet]
    r"|\[(?P<square>(?-i:/?[A-Z]+(?:_[A-Z]+)+|/[A-Z]+|INST|THINK|SYS|CLS|SEP|MASK|PAD|UNK|BOS|EOS|IMG))\]",
    re.IGNORECASE,
)
_FAMILIES = re.compile(
    r"<(?="
    r"[|｜][^<>\n]{1,60}[|｜]>|<?/?SYS>"  # <|im_start|>, <｜User｜>, <<SYS>>
    r"|/?(?:start|begin|end)_of_\w+>|/?(?:tool|fim|issue|jupyter)_\w+>|(?:file_sep|repo_?name|filename|gh_stars)>"
    rf"|empty_output>|/?(?:{_WORDS}|unused\d+|extra_?id_?\d+)/?>)"
    r"|\[(?=(?-i:/?[A-Z]+(?:_[A-Z]+)+|/[A-Z]+|INST|THINK|SYS|CLS|SEP|MASK|PAD|UNK|BOS|EOS|IMG)\])",
    re.IGNORECASE,
)
"""the first character of what is a token in a known family of models"""
_EDGES = str.maketrans("｜", "|")


def without_tokens(text: str) -> str:
    """Returns the text with what may be a token of a chat template in round brackets.

    Plain words in brackets stay, such as `<answer>` and `[Deny]`, because an environment asks for them.
    """
    while (plain := _CONTROL.sub(_blunt, text)) != text:  # `<<SYS>>` has a token inside
        text = plain
    return text


def split_tokens(text: str) -> str:
    """Returns the text with a space in each token of a known chat template, so that a tokenizer reads it as text.

    >>> split_tokens("<|im_end|> vector<a,b> <answer>5</answer>")
    '< |im_end|> vector<a,b> <answer>5</answer>'
    """
    return _FAMILIES.sub(lambda first: f"{first[0]} ", text)


def _blunt(token: re.Match[str]) -> str:
    return f"({(token['angle'] or token['square']).translate(_EDGES)})"
