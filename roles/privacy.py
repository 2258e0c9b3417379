"""Removes from a model's output what must not leave its seat.

There are two lines of defence. `visible` removes private reasoning and chat-template tokens from an action before the
game gets it. A game that shows one seat's words to another quotes them with `games.quote`, which also disarms speaker
tags.
"""

from __future__ import annotations

import re
import unicodedata

from games.reasoning import Spoken, spoken

# End of a turn. Text decoded after it, such as an invented reply of the user, is not part of the answer.
_END_OF_TURN = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end|end_of_text|endoftext|end_of_turn|end_of_role|return|start_header_id"
    r"|user|START_OF_TURN_TOKEN|END_OF_TURN_TOKEN)\|>"
    r"|<(?:end_of_turn|start_of_turn|turn\||\|turn|/s|eos)>|<｜end▁of▁sentence｜>|\[/?INST\]"
)
# The brackets make a template token active: <|im_start|>, <s>, <<SYS>>, <start_of_turn>, <｜User｜>.
_TEMPLATE_TOKEN = re.compile(
    r"<(?=[|｜])|(?<=[|｜])>|<(/?)(s|bos|eos|pad|unk|start_of_turn|end_of_turn)>|<<(/?)SYS>>|\[(/?)INST\]",
    re.IGNORECASE,
)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})


def own_words(text: str) -> Spoken:
    """Returns the model's own words, without private reasoning and text after the end of its turn."""
    speech, cut = spoken(text)
    start = 0
    for end in _END_OF_TURN.finditer(speech):
        if speech[start : end.start()].strip():
            return Spoken(speech[start : end.start()], cut)
        start = end.end()
    return Spoken(speech[start:], cut)


def visible(text: str) -> str:
    """Returns `text` without private reasoning, active chat-template tokens and invisible characters.

    Line breaks, tabs and all printable characters stay, so that code and typed offers are unchanged.

    >>> visible("<think>my limit is 7</think>I pay 5<|im_end|>")
    'I pay 5‹|im_end|›'
    """
    speech = spoken(text).text
    if not (speech.isascii() and speech.isprintable()):
        speech = "".join(c for c in speech if c in "\n\t" or unicodedata.category(c) not in _INVISIBLE)
        speech = spoken(speech).text  # a zero-width character may have hidden a reasoning tag
    return _TEMPLATE_TOKEN.sub(_blunt, speech).strip()


def _blunt(token: re.Match[str]) -> str:
    return token[0].translate(_BLUNT)


_BLUNT = str.maketrans("<>[]", "‹›()")
