#!/usr/bin/env python
"""Speed of the match loop with full records, next to TextArena's bare loop and OpenSpiel's bare text loop.

Random legal players read every observation. CPU seconds, best of `--repeats`, the sides alternate. TextArena is
optional: pip install textarena (0.7.4 was measured).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import pyspiel
from _bench import machine_line, table
from _claims import Claim, record

import games
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


def ours(name: str, matches: int) -> int:
    """Turns of the arena: a Turn with its attempt per decision, an Episode per match."""
    id = f"openspiel/{name}"
    game, player = games.make(id), Reader()
    players = dict.fromkeys(game.spec.seats, player)
    seats = dict.fromkeys(game.spec.seats, "reader")
    return sum(len(play(game, MatchPlan("m", id, seed, seats), players).turns) for seed in range(matches))


def openspiel(name: str, matches: int) -> int:
    """Turns of a minimal pyspiel loop that produces the same texts: legal action strings and the observation."""
    game, rng, turns = pyspiel.load_game(name), random.Random(1), 0
    hidden = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    for _ in range(matches):
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


def textarena(name: str, matches: int) -> int:
    """Turns of TextArena's documented loop; the random player takes legal actions from the environment."""
    import textarena as ta

    rng, turns = random.Random(1), 0
    for seed in range(matches):
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


def speed(run: Callable[[str, int], int], name: str, matches: int) -> float:
    """Turns per second of CPU."""
    start = time.process_time()
    return run(name, matches) / (time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    options = parser.parse_args()
    sides: list[Callable[[str, int], int]] = [ours, openspiel]
    try:
        import textarena as _

        sides.append(textarena)
    except ImportError:
        print("TextArena is not installed (pip install textarena); its column is left out")
    rows, claims = [], []
    for name in GAMES:
        speeds: dict[str, list[float]] = {side.__name__: [] for side in sides}
        for side in sides:
            side(name, 20)  # imports and caches
        for _ in range(options.repeats):
            for side in sides:
                speeds[side.__name__].append(speed(side, name, options.matches))
        best = {side: max(each) for side, each in speeds.items()}
        for peer, words in PEERS.items():
            if peer in speeds:
                ratios = [a / b for a, b in zip(speeds["ours"], speeds[peer], strict=True)]
                claims.append(Claim.ratio(f"{name}: turns per CPU second of the match loop, {words}", ratios))
        rows.append([name, *best.values(), *(best["ours"] / best[peer] for peer in PEERS if peer in best)])
    head = ["game", *(f"{s.__name__}, turns/s" for s in sides), "over OpenSpiel", "over TextArena"]
    print(machine_line("open-spiel"))
    print(table(head[: len(rows[0])], rows))
    if options.record:
        record(claims, "open-spiel")


if __name__ == "__main__":
    main()
