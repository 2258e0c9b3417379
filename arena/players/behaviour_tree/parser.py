"""Reads a behaviour tree. The text is untrusted: it has a size limit, few kinds of nodes, and no patterns to match.

selector(
    sequence(sees("King"), play("Bet")),
    sequence(not(sees("opponent bets")), number("pot", "<", 5), play("Check")),
    random())
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from games.quoting import byte_length

LONGEST = 4000
"""bytes of a tree"""
MOST_NODES = 200
DEEPEST = 16

LANGUAGE = """A behaviour tree is a nested expression of these nodes:
selector(A, B, ...) tries A, then B, until one succeeds
sequence(A, B, ...) runs A, then B, and fails at the first that fails
not(A) succeeds if the condition A fails
sees("text") succeeds if the observation contains the text
can("text") succeeds if a legal action contains the text
phase("text") succeeds in that phase
advised("text") succeeds if a note or an advice contains the text
number("text", "<", 5) compares the first number after the text in the observation; use <, <=, >, >= or ==
play("text") plays the legal action that equals the text, else the first one that contains it
say("text") writes the text, where any text is legal
random() plays a random legal action
Letter case does not matter."""

ARGUMENTS: Mapping[str, str] = {
    "selector": "*",
    "sequence": "*",
    "not": "n",
    "sees": "t",
    "can": "t",
    "phase": "t",
    "advised": "t",
    "number": "tod",
    "play": "t",
    "say": "t",
    "random": "",
}
"""kind of node -> its arguments: n a node, t a text, o a comparison, d a number, * one node or more"""
COMPARISONS = ("<", "<=", ">", ">=", "==")

_TOKEN = re.compile(r"""\s*(?:([A-Za-z]+)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)|([(),]))""")


class BadTree(ValueError):
    """A text that is not a behaviour tree. The message says where and why."""


class TreeNode(NamedTuple):
    """A node and its arguments: nodes, texts and numbers."""

    kind: str
    arguments: tuple[TreeNode | str | float, ...] = ()


def is_random(tree: TreeNode) -> bool:
    """Returns whether a tree has a node `random()`."""
    return tree.kind == "random" or any(isinstance(part, TreeNode) and is_random(part) for part in tree.arguments)


def parse_tree(text: str) -> TreeNode:
    """Returns the tree in a text. Raises BadTree."""
    if (size := byte_length(text)) > LONGEST:
        raise BadTree(f"it has {size} bytes; at most {LONGEST} are allowed")
    reader = _Reader(text)
    root = reader.node(1)
    reader.end()
    return root


def tree_in(text: str) -> TreeNode:
    """Returns the tree in a model's answer: the last text from a selector or sequence on that parses.

    Raises BadTree with the fault of the last one.
    """
    text = text[-4 * LONGEST :]
    fault, end, tree = BadTree("it contains no tree; write selector(...)"), 0, None
    for start in (m.start() for m in re.finditer(r"(?i)\b(?:selector|sequence|play|random)\s*\(", text)):
        if start < end:
            continue  # inside the tree that was read last
        reader = _Reader(text[start : start + LONGEST])
        try:
            tree = reader.node(1)
        except BadTree as error:
            fault = error
        else:
            end = start + reader.at
    if tree is None:
        raise fault
    return tree


class _Reader:
    """Reads tokens one by one."""

    def __init__(self, text: str) -> None:
        self._text, self._nodes = text, 0
        self.at = 0
        """index of the next character"""

    def end(self) -> None:
        """Raises BadTree unless all is read."""
        if rest := self._text[self.at :].strip():
            raise BadTree(f"after the tree follows {rest[:40]!r}; put all nodes into one selector(...)")

    def node(self, depth: int) -> TreeNode:
        """Returns one node with its arguments."""
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise BadTree(f"it is too large; at most {MOST_NODES} nodes, {DEEPEST} deep")
        kind = self._take(1, f"a node ({', '.join(ARGUMENTS)})").lower()
        if kind not in ARGUMENTS:
            raise BadTree(f"there is no node {kind!r}; nodes: {', '.join(ARGUMENTS)}")
        self._mark("(")
        signature, arguments = ARGUMENTS[kind], []
        if signature == "*":
            arguments.append(self._argument("n", depth))
            while self._peek() == ",":
                self._mark(",")
                arguments.append(self._argument("n", depth))
        for i, one in enumerate(signature if signature != "*" else ""):
            if i:
                self._mark(",")
            arguments.append(self._argument(one, depth))
        self._mark(")")
        return TreeNode(kind, tuple(arguments))

    def _argument(self, kind: str, depth: int) -> TreeNode | str | float:
        if kind == "n":
            return self.node(depth + 1)
        if kind == "d":
            return float(self._take(3, "a number"))
        text = re.sub(r"\\(.)", r"\1", self._take(2, 'a text in quotes, such as "bet"')[1:-1])
        if kind == "o" and text not in COMPARISONS:
            raise BadTree(f"{text!r} is no comparison; use {', '.join(COMPARISONS)}")
        if kind == "t" and not text.strip():
            raise BadTree("a text is empty; write what to look for")
        return text

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self.at)
        return match.group().strip() if match else ""

    def _mark(self, mark: str) -> None:
        token = self._take(4, repr(mark))
        if token != mark:
            raise BadTree(f"expected {mark!r}, found {token!r}{self._place()}")

    def _take(self, group: int, expected: str) -> str:
        match = _TOKEN.match(self._text, self.at)
        if match is None or match.group(group) is None:
            rest = self._text[self.at :].strip()[:20]
            raise BadTree(
                f"expected {expected}, found {rest!r}{self._place()}" if rest else f"it ends before {expected}"
            )
        self.at = match.end()
        return match.group(group)

    def _place(self) -> str:
        return f" at character {self.at}"
