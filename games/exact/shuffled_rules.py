"""Puts the sentences of rules in another order."""

from __future__ import annotations

import re

from games.randomness import RandomStream

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_LEANS = re.compile(
    r"(It|They|Them|Then|Otherwise|Instead|This|That|These|Those|Such|Both|For each|If not|If it|If they|If the"
    r"|If that|Completing|The last card|Call |Fold |Next|The text after)\b"
)
_ACTIONS = re.compile(r"(Actions: )([a-zA-Z]+(?:, [a-zA-Z]+)+)(\.)")


def in_other_order(rules: str, stream: RandomStream) -> str:
    """Returns the sentences of rules as a list in random order; a sentence that leans on the one before it stays there.

    A line that starts with a dash belongs to the sentence before it. The list of actions has another order too.
    """
    blocks: list[str] = []
    for line in rules.strip().split("\n"):
        listed = line.startswith("- ")
        for sentence in [line] if listed else _SENTENCE.split(line):
            if listed or (blocks and _LEANS.match(sentence)):
                blocks[-1] += ("\n  " if listed else " ") + sentence
            else:
                blocks.append(_ACTIONS.sub(lambda actions: _reordered(actions, stream), sentence))
    return "\n".join(f"* {block}" for block in stream.shuffled(blocks))


def _reordered(actions: re.Match[str], stream: RandomStream) -> str:
    return actions[1] + ", ".join(stream.shuffled(actions[2].split(", "))) + actions[3]
