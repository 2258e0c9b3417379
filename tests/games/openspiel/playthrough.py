"""Golden playthroughs: the observations of all seats in one seeded match of each game.

`python -m tests.games.openspiel.playthrough` writes the files again; read the difference before you commit it.
"""

from pathlib import Path

import games
from games.randomness import RandomStream
from tests import golden

FOLDER = Path(__file__).parent / "golden"
SEED = 11
# Turns that are written; the match continues to its end for the returns.
TURNS = 10

GAMES = golden.rows(__file__, "playthrough")


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
