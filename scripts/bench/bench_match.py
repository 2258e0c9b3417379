#!/usr/bin/env python
"""Speed of the match loop with full records, next to TextArena's bare loop and OpenSpiel's bare text loop.

Random legal players read every observation. The sides alternate, in CPU seconds; every repeat plays seeds that the
process has not played. Warm: after `--warm-up` matches of other seeds, as in a process of a tournament, which plays
many matches of a game (games/openspiel keeps openings and texts). Cold: the first matches after the game is loaded.
Figures before 2026-11-28 (1.17 and 1.44 over OpenSpiel) repeated the same seeds, so they measured kept positions.
TextArena is optional: pip install textarena (0.7.4 was measured).
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import time
from collections.abc import Callable

import pyspiel
from _bench import machine_line, table
from _claims import Claim, record

import games
import games.openspiel.shared_game
from arena.match import Decision, MatchPlan, play
from arena.players import View
from arena.players.bots.random import RandomPlayer

GAMES = {"tic_tac_toe": "TicTacToe-v0", "kuhn_poker": "KuhnPoker-v0", "connect_four": "ConnectFour-v0"}
PEERS = {"openspiel": "over a bare OpenSpiel loop with the same texts", "textarena": "over TextArena's loop"}


class Reader(RandomPlayer):
    """Reads its observation, as a model would, and plays at random."""

    def act(self, view: View) -> Decision:
        """A random legal action after reading the observation and the legal actions."""
        if not (view.observation.text and view.legal):
            raise AssertionError("nothing to read")
        return Decision(view.choice(view.legal))


def ours(name: str, seeds: range) -> int:
    """Turns of the arena: a Turn with its attempt per decision, an Episode per match."""
    id = f"openspiel/{name}"
    game, player = games.make(id), Reader()
    players = dict.fromkeys(game.spec.seats, player)
    seats = dict.fromkeys(game.spec.seats, "reader")
    return sum(len(play(game, MatchPlan("m", id, seed, seats), players).turns) for seed in seeds)


def openspiel(name: str, seeds: range) -> int:
    """Turns of a minimal pyspiel loop that produces the same texts: legal action strings and the observation."""
    game, rng, turns = pyspiel.load_game(name), random.Random(seeds.start), 0
    hidden = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    for _ in seeds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                continue
            player, legal = state.current_player(), state.legal_actions()
            texts = [state.action_to_string(player, action) for action in legal]
            seen = state.information_state_string(player) if hidden else state.observation_string(player)
            if not seen or not texts:
                raise AssertionError("nothing to read")
            state.apply_action(legal[int(rng.random() * len(legal))])
            turns += 1
        state.returns()
    return turns


def textarena(name: str, seeds: range) -> int:
    """Turns of TextArena's documented loop; the random player takes legal actions from the environment."""
    import textarena as ta

    rng, turns = random.Random(seeds.start), 0
    for seed in seeds:
        env = ta.make(GAMES[name])
        env.reset(num_players=2, seed=seed)
        done = False
        while not done:
            env.get_observation()
            done, _ = env.step(_legal(name, env.state.game_state, rng))
            turns += 1
        env.close()
    return turns


def _legal(name: str, state: dict, rng: random.Random) -> str:
    if name == "tic_tac_toe":
        board = state["board"]
        return f"[{rng.choice([3 * r + c for r in range(3) for c in range(3) if not board[r][c]])}]"
    if name == "connect_four":
        return f"[col {rng.choice([c for c, cell in enumerate(state['board'][0]) if cell == '.'])}]"
    return f"[{rng.choice(list(state['current_legal_action_tree']))}]"


Side = Callable[[str, range], int]


def speeds(sides: list[Side], name: str, seeds: list[range], *, cold: bool = False) -> dict[str, list[float]]:
    """Turns per second of CPU of each side, for each range of seeds. `cold`: without what earlier matches left."""
    measured: dict[str, list[float]] = {side.__name__: [] for side in sides}
    for each in seeds:
        for side in sides:
            if cold:
                games.openspiel.shared_game._loaded.clear()
                games.make(f"openspiel/{name}")
            start = time.process_time()
            turns = side(name, each)
            measured[side.__name__].append(turns / (time.process_time() - start))
    return measured


def compare(name: str, sides: list[Side], matches: int, repeats: int, warm_up: int) -> tuple[list, list[Claim]]:
    """Returns the row of the table and the claims of a game."""
    for side in sides:
        side(name, range(20))  # imports
    ranges = [range(start, start + matches) for start in range(10**6, 10**6 + 2 * repeats * matches, matches)]
    cold = speeds(sides[:2], name, ranges[:repeats], cold=True)
    ours(name, range(10**5, 10**5 + warm_up))
    warm = speeds(sides, name, ranges[repeats:])
    row, claims = [name, *map(statistics.median, warm.values())], []
    for measured, state in ((warm, "warm"), (cold, "cold")):
        for peer, words in PEERS.items():
            if peer in measured:
                ratios = [a / b for a, b in zip(measured["ours"], measured[peer], strict=True)]
                row.append(statistics.median(ratios))
                claims.append(Claim.ratio(f"{name}, {state}: turns per CPU second of the match loop, {words}", ratios))
    return row, claims


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--warm-up", type=int, default=10_000)
    parser.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    options = parser.parse_args()
    sides: list[Side] = [ours, openspiel]
    if importlib.util.find_spec("textarena"):
        sides.append(textarena)
    else:
        print("TextArena is not installed (pip install textarena); its column is left out")
    rows, claims = [], []
    for name in GAMES:
        row, more = compare(name, sides, options.matches, options.repeats, options.warm_up)
        rows.append(row)
        claims += more
    peers = [side.__name__ for side in sides[1:]]
    head = ["game", *(f"{s.__name__}, turns/s" for s in sides), *(f"over {peer}" for peer in peers), "cold"]
    print(machine_line("open-spiel"))
    print(table(head, rows))
    print("\n".join(f"{claim}: {figure} ({interval})" for claim, figure, interval in claims))
    if options.record:
        record(claims, "open-spiel")


if __name__ == "__main__":
    main()
