"""Golden playthroughs: the observations of all seats in one seeded match of each game.

`python -m tests.games.openspiel.playthrough` writes the files again; read the difference before you commit it.
"""

from __future__ import annotations

from pathlib import Path

import games
from games.randomness import RandomStream

FOLDER = Path(__file__).parent / "golden"
SEED = 11
# Turns that are written; the match continues to its end for the returns.
TURNS = 10

GAMES = [
    "bargaining",
    "battleship(board_height=3,board_width=4,num_shots=4,ship_sizes=[2;3],ship_values=[1;2])",
    "blotto(coins=3)",
    "breakthrough(columns=4,rows=6)",
    "chess",
    "coin_game(columns=4,rows=4,num_coins_per_color=2)",
    "connect_four",
    "dots_and_boxes",
    "go_fish(ranks=5)",
    "goofspiel(num_cards=4)",
    "goofspiel(imp_info=true,num_cards=4,players=3,points_order=descending)",
    "hanabi(colors=2,hand_size=2,max_information_tokens=3,max_life_tokens=1,players=2,ranks=3)",
    "hex(board_size=3)",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice",
    "mancala",
    "matrix_pd",
    "negotiation",
    "nim",
    "oshi_zumo(coins=8)",
    "othello",
    "pig(players=3,winscore=15)",
    "sheriff",
    "social_deduction(players=4)",
    "tic_tac_toe",
    "tiny_hanabi",
    "trade_comm(num_items=3)",
    "ultimate_tic_tac_toe",
    "universal_poker",
]


def path(name: str) -> Path:
    """The file of a game."""
    made = games.make(f"openspiel/{name}")
    plain = made.spec.id.removeprefix("openspiel/")
    short = "".join(c if c.isalnum() or c == "_" else "-" for c in plain)
    return FOLDER / f"{short.strip('-')}.txt"


def playthrough(name: str) -> str:
    """The text of the playthrough."""
    game = games.make(f"openspiel/{name}")
    spec = game.spec
    lines = [f"id: {spec.id}", f"seats: {dict(spec.seats)}", f"payoff: {spec.payoff}, sum {spec.payoff_sum:g}"]
    lines += [f"returns range: {spec.returns_range}", f"max turns: {spec.max_turns}", f"seed: {SEED}", "", spec.rules]
    rng = RandomStream(SEED)
    game.reset(SEED)
    turn = 0
    while game.acting:
        if turn < TURNS:
            lines += ["", f"=== turn {turn}"]
            for seat in spec.seats:
                lines += [f"--- {seat} ({game.phase(seat)}) secrets {game.secrets(seat)}", game.observe(seat).text]
            lines += [f"legal {seat}: {' | '.join(game.legal(seat))}" for seat in game.acting]
        actions = {seat: rng.choice(game.legal(seat)) for seat in game.acting}
        if turn < TURNS:
            lines.append(f"actions: {actions}")
        game.apply(actions)
        turn += 1
    lines += ["", f"=== over after {turn} turns"]
    for seat in spec.seats:
        lines += [f"--- {seat}", game.observe(seat).text]
    lines.append(f"returns: {dict(game.returns())}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for game_name in GAMES:
        path(game_name).write_text(playthrough(game_name), encoding="utf-8")
