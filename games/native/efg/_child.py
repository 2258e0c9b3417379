"""The sandboxed worker of `games.native.efg.check`: compares a given game with its reference."""

from __future__ import annotations

import io
import itertools
from typing import Any

from games.native.efg import _information as information
from games.verifiers.workers import Message, serve

STRATEGIES = 8
NODES = 200


def _main() -> None:
    import pygambit

    def load(text: str) -> Any:
        return pygambit.read_efg(io.StringIO(text))

    def answer(message: Message) -> Message:
        try:
            given = load(message["given"])
        except Exception as error:  # noqa: BLE001  the parser can raise anything
            return {"unread": str(error).removeprefix("Parse error in game file: ")}
        nodes, written = len(list(given.nodes)), message["lines"]
        if nodes != written:  # the parser ignores text after a complete tree
            return {"unread": f"the tree has {nodes} nodes, but the text has {written}"}
        sizes = [len(player.strategies) for player in given.players]
        if nodes > NODES or max(sizes) > STRATEGIES:
            return {"unread": f"more than {NODES} nodes, or more than {STRATEGIES} strategies of a player"}
        if not given.is_perfect_recall:
            return {"unread": "a player forgets what it did or knew (no perfect recall)"}
        why = _difference(given, load(message["reference"]))
        return {"why": why} if why else {"equilibria": _solved(pygambit, given)}

    serve(answer)


def _difference(given: Any, reference: Any) -> str:
    """The difference between two games; "" if they differ only in names and order."""
    ours, theirs = ([len(p.strategies) for p in game.players] for game in (given, reference))
    if len(ours) != len(theirs):
        return f"it has {len(ours)} players, the described game has {len(theirs)}"
    for i, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        if mine != wanted:
            return f"player {i + 1} has {mine} strategies, in the described game {wanted}"
    if len(ours) == 2 and not _permuted(_table(given), _table(reference)):
        return "the payoffs are not those of the described game"
    if not information.alike(information.ends(given), information.ends(reference)):
        return "strategies and payoffs are right, but what the players know when they choose is not"
    return ""


def _table(game: Any) -> list[list[tuple[str, str]]]:
    """The reduced normal form of two players: rows of pairs of payoffs."""
    first, second = game.to_arrays()
    return [[(str(a), str(b)) for a, b in zip(x, y, strict=True)] for x, y in zip(first, second, strict=True)]


def _permuted(a: list[list[tuple[str, str]]], b: list[list[tuple[str, str]]]) -> bool:
    """Whether the tables are equal up to the order of rows and columns."""
    wanted = sorted(zip(*b, strict=True))
    if sorted(map(sorted, a)) != sorted(map(sorted, b)):
        return False
    return any(sorted(zip(*rows, strict=True)) == wanted for rows in itertools.permutations(a))


def _solved(pygambit: Any, game: Any) -> list[list[str]]:
    """The exact payoffs of all extreme equilibria; [] unless the game has two players."""
    if len(game.players) != 2:
        return []
    found = pygambit.nash.enummixed_solve(game).equilibria
    return [list(p) for p in sorted({tuple(str(e.payoff(p)) for p in game.players) for e in found})]


if __name__ == "__main__":
    _main()
