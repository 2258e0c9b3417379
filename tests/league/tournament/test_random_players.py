"""Players that choose at random in a game without chance are rated by every match."""

import league
from arena import Decision, Player, players


class Habit(Player):
    """Plays one move in 70% of its turns, else any."""

    def __init__(self, move: int = 0) -> None:
        self.move = move

    def act(self, view):
        assert view.legal is not None
        habit = view.rng.random() < 0.7
        return Decision(view.legal[self.move] if habit else view.rng.choice(view.legal))


def test_paper_against_rock(tmp_path):
    players.register("habit")(Habit)
    result = league.run_tournament(
        {
            "name": "rps",
            "db": f"sqlite:///{tmp_path}/rps.db",
            "games": ["openspiel/matrix_rps"],
            "rounds": 60,
            "players": [{"name": name, "player": f"habit(move={n})"} for n, name in enumerate(("rock", "paper"))],
        },
        board="off",
    )
    first, second = result.snapshot.standings
    assert not result.snapshot.repetition
    assert (first.player, first.games, first.distinct) == ("paper", 120, 120)
    assert first.wins > 2 * first.losses
    assert first.above_next is not None
    assert first.above_next > 0.99
    assert second.rating < first.rating - 3
