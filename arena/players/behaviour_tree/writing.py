"""Behaviour trees that a model writes for a role of a game, tried in simulated matches."""

from __future__ import annotations

import games
from arena.players.behaviour_tree.parser import LANGUAGE, BadTree, TreeNode, tree_in
from arena.players.behaviour_tree.run import TreeTurn
from arena.players.player import Player, View
from arena.players.question import Question, put
from arena.records import Decision
from games import TextGame
from games.errors import IllegalAction
from games.randomness import RandomStream, derive

ATTEMPTS = 3
"""answers that a model may give for one tree"""


async def write_tree(writer: Player, game: TextGame, role: str, seed: int) -> tuple[TreeNode | None, list[Decision]]:
    """Returns a tree for a role, or None if no answer contains one, and all answers. Resets the game."""
    question = Question("behaviour_tree", f"{LANGUAGE}\nAnswer with one tree.", _task(game, role, seed))
    answers: list[Decision] = []
    rejected: tuple[Decision, ...] = ()
    for _ in range(ATTEMPTS):
        answer = await put(writer, question, seed, rejected)
        answers.append(answer)
        try:
            return tree_in(answer.action or ""), answers
        except BadTree as error:
            rejected = (*rejected, Decision(None, "unparsable", text=answer.action or answer.text, reason=str(error)))
    return None, answers


def _task(game: TextGame, role: str, seed: int) -> str:
    """Returns the rules and an example turn of the role, from a random match on its own seed."""
    head = f"Write a tree that plays the role {role} of this game.\n{game.spec.rules.strip()}"
    stream = RandomStream(derive(seed, "example"))
    game.load_task("")
    game.reset(derive(seed, "match"))
    for _ in range(game.spec.max_turns):
        turns = [seat for seat in game.acting if game.spec.seats[seat] == role]
        if turns:
            legal = game.legal(turns[0])
            actions = "any text" if legal is None else ", ".join(legal[:40])
            return f"{head}\nExample of a turn:\n{game.observe(turns[0]).text.strip()}\nLegal actions: {actions}"
        if not game.acting or not _apply(game, {seat: _random(game, seat, stream) for seat in game.acting}):
            break
    return head


def trial(id: str, role: str, tree: TreeNode, seed: int, matches: int) -> float:
    """Returns the mean return of one seat of `role` with this tree, against random players, on seeds of their own."""
    game, total = games.make(id), 0.0
    seats = [seat for seat, played in game.spec.seats.items() if played == role]
    for number in range(matches):
        stream, tree_seat = RandomStream(derive(seed, "trial", number)), seats[number % len(seats)]
        game.load_task("")
        game.reset(stream.bits() >> 1)
        for turn in range(game.spec.max_turns):
            if not game.acting:
                break
            actions = {seat: _random(game, seat, stream) for seat in game.acting}
            if tree_seat in actions:
                view = View(game, tree_seat, role, game.legal(tree_seat), stream.bits(), turn)
                actions[tree_seat] = TreeTurn(view).action(tree) or actions[tree_seat]
            if not _apply(game, actions):
                return float("-inf")
        total += game.returns()[tree_seat]
    return total / matches


def _random(game: TextGame, seat: str, stream: RandomStream) -> str:
    return stream.choice(game.legal(seat) or game.examples(seat))


def _apply(game: TextGame, actions: dict[str, str]) -> bool:
    try:
        game.apply(actions)
    except IllegalAction:
        return False
    return True
