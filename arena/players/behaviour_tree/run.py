"""Runs a behaviour tree on a turn."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from arena.players.behaviour_tree.parser import TreeNode
from arena.players.player import View

_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class TreeTurn:
    """A seat's turn, as a tree sees it: the observation, the phase and the legal actions."""

    def __init__(self, view: View) -> None:
        observation = view.observation
        self._view, self._text, self._phase = view, observation.text.casefold(), observation.phase.casefold()
        self._options = view.legal

    def action(self, root: TreeNode) -> str | None:
        """Returns the action that the tree plays, or None if it plays none."""
        return self._run(root)[1]

    def _run(self, node: TreeNode) -> tuple[bool, str | None]:
        """Returns whether a node succeeds, and its action."""
        kind, arguments = node
        if kind in ("selector", "sequence"):
            return self._children(kind == "selector", [a for a in arguments if isinstance(a, TreeNode)])
        if kind == "not":
            (inner,) = arguments
            assert isinstance(inner, TreeNode)
            success, action = self._run(inner)
            return not success and action is None, None
        if kind in ("play", "say", "random"):
            action = self._chosen(kind, str(arguments[0]) if arguments else "")
            return action is not None, action
        return self._holds(node), None

    def _children(self, any_of: bool, nodes: list[TreeNode]) -> tuple[bool, str | None]:
        for node in nodes:
            success, action = self._run(node)
            if action is not None:
                return True, action
            if success == any_of:
                return success, None
        return not any_of, None

    def _holds(self, node: TreeNode) -> bool:
        text = str(node.arguments[0]).casefold()
        if node.kind == "sees":
            return text in self._text
        if node.kind == "can":
            return any(text in option.casefold() for option in self._options or ())
        if node.kind == "phase":
            return text == self._phase
        if node.kind == "advised":
            return any(text in note.casefold() for note in self._view.notes)
        _, sign, bound = node.arguments
        where = self._text.find(text)
        number = _NUMBER.search(self._text, where + len(text)) if where >= 0 else None
        return number is not None and _COMPARE[str(sign)](float(number.group()), float(str(bound)))

    def _chosen(self, kind: str, text: str) -> str | None:
        view, options = self._view, self._options
        if kind == "random":
            choices = options or view.game.examples(view.seat)
            return view.rng.choice(choices) if choices else None
        if kind == "say" or options is None:
            return text if kind == "say" and options is None else None
        folded = text.casefold()
        exact = [o for o in options if o.casefold() == folded]
        return next(iter(exact or [o for o in options if folded in o.casefold()]), None)
