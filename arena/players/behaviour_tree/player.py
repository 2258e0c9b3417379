"""The player `behaviour-tree`: plays by a tree that is given, or that a model writes."""

from __future__ import annotations

import asyncio
from typing import Annotated

from annotated_types import Interval

import games
from arena.players.behaviour_tree.parser import BadTree, TreeNode, is_random, parse_tree
from arena.players.behaviour_tree.run import TreeTurn
from arena.players.behaviour_tree.writing import trial, write_tree
from arena.players.composite import Composite, made, tokens_of
from arena.players.player import View
from arena.records import Decision
from games import InputError, TextGame
from games.randomness import derive


class BehaviourTree(Composite):
    """Plays by a behaviour tree, a text of conditions and actions.

    Where the tree plays nothing, a given tree without `random()` plays the first legal action, so that the player is
    deterministic; any other plays randomly.

    A model writes the tree, as in PORTAL (arXiv 2503.13356): once for each game and role, before its first turn. Of
    several candidates the one with the highest mean return in simulated matches against random players is kept. The
    tree is part of every decision's text. docs/players.md describes the language.

    tree: the tree, in quotes.
    writer: a player that writes the trees, such as llm(decode=free); instead of `tree`.
    candidates: trees that the writer writes for each role.
    matches: simulated matches of each candidate.
    """

    def __init__(
        self,
        tree: str = "",
        writer: str = "",
        candidates: Annotated[int, Interval(ge=1, le=64)] = 4,
        matches: Annotated[int, Interval(ge=1, le=1000)] = 20,
    ) -> None:
        if bool(tree) == bool(writer):
            raise InputError("behaviour-tree takes a tree or a writer; write tree='selector(...)' or writer=llm")
        try:
            self.tree = parse_tree(tree) if tree else None
        except BadTree as error:
            raise InputError(f"behaviour-tree: the tree cannot be read: {error}") from None
        super().__init__(made(writer=writer) if writer else {})
        self.deterministic = self.tree is not None and not is_random(self.tree)
        self.candidates, self.matches = candidates, matches
        self._written: dict[tuple[str, str], tuple[TreeNode | None, int]] = {}
        """game and role -> tree and the tokens that its candidates cost, charged to each process' first decision"""
        self._lock = asyncio.Lock()

    async def decide(self, view: View) -> Decision:
        """Returns the tree's action."""
        spent, tree = 0, self.tree
        if tree is None:
            tree, spent = await self._tree_for(view.game.spec.id, view.role)
        action = TreeTurn(view).action(tree) if tree is not None else None
        text = None if self.tree is not None else f"by the tree {tree_text(tree)}" if tree else "no tree was written"
        choices = view.legal or view.game.examples(view.seat)
        if action is None:
            action = choices[0] if self.deterministic else view.rng.choice(choices)
        return Decision(action, text=text, spent=spent)

    async def _tree_for(self, id: str, role: str) -> tuple[TreeNode | None, int]:
        async with self._lock:
            if (id, role) not in self._written:
                self._written[id, role] = await self._best(id, role)
            tree, spent = self._written[id, role]
            self._written[id, role] = tree, 0
        return tree, spent

    async def _best(self, id: str, role: str) -> tuple[TreeNode | None, int]:
        trials: list[tuple[float, TreeNode]] = []
        spent = 0
        for number in range(self.candidates):
            seed = derive(0, id, role, number)
            tree, answers = await write_tree(self._parts["writer"], games.make(id), role, seed)
            spent += tokens_of(answers)
            if tree is not None:
                trials.append((trial(id, role, tree, derive(0, id, role), self.matches), tree))
        return (max(trials, key=lambda pair: pair[0])[1] if trials else None), spent

    def supports(self, game: TextGame) -> str | None:
        """Supports every game with legal actions or examples to fall back on."""
        game.reset(0)
        return None if game.examples(game.acting[0]) else "it takes free text and offers no examples"


def tree_text(node: TreeNode) -> str:
    """Returns the tree as text, which `parse_tree` reads."""
    inner = [tree_text(a) if isinstance(a, TreeNode) else _literal(a) for a in node.arguments]
    return f"{node.kind}({', '.join(inner)})"


def _literal(value: str | float) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
