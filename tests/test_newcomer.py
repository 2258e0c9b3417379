"""Two plugins written from the documentation alone: a role for taboo, and a game with three roles."""

from pathlib import Path

import pytest

import games
import roles
from arena import MatchPlan, players
from arena.cli import main
from arena.learner import credits_of
from arena.match import play
from games import plugins
from league import TournamentConfig, run_tournament
from roles import Memory

HERE = Path(__file__).parent / "plugin_newcomer"


def played(id, seed):
    game = games.make(id)
    seats = dict.fromkeys(game.spec.seats, "random")
    return play(game, MatchPlan("m", game.spec.id, seed, seats), dict.fromkeys(seats, players.make("random")))


@pytest.mark.parametrize(
    ("id", "file"), [("whisper", "whisper.py"), ("courier", "whisper.py"), ("attacker", "poet.py")]
)
def test_they_pass_their_checks(id, file, capsys):
    assert main(["check", id, "--plugin", str(HERE / file)]) == 0, capsys.readouterr()


def test_the_poet_speaks_for_the_attacker_of_taboo():
    plugins.load_file(HERE / "poet.py")
    poet = roles.make("attacker(form='a haiku')")
    game = games.make("taboo")
    game.reset(0)
    memory = Memory(game.spec, "attacker")
    assert "every message is a haiku" in poet.messages(game.observe("attacker"), None, memory)[0]["content"]
    episodes = [played("taboo(closed=True,words=4)", seed) for seed in range(60)]
    earned = {(c.reward, sum(t.seat == "attacker" for t in e.turns)) for e in episodes for c in _of(e, "attacker")}
    assert {(1.0, 1), (0.9, 2)} <= earned
    assert all(reward in (0.0, 1.0 - 0.1 * (turns - 1)) for reward, turns in earned)


def _of(episode, seat):
    return [c for c in credits_of([episode], {"random"}) if c.seat == seat]


def test_the_courier_is_credited_by_the_facts_of_its_game():
    plugins.load_file(HERE / "whisper.py")
    episode = played("whisper-v0", 1)
    assert set(episode.roles.values()) == {"writer", "courier", "reader"}
    credits = {c.role: c.reward for c in credits_of([episode], {"random"})}
    assert credits["courier"] == pytest.approx(episode.returns["courier"] - 0.1 * episode.facts["words"])
    assert credits["writer"] == episode.returns["writer"]


def test_the_game_is_played_in_a_tournament(tmp_path):
    plugins.load_file(HERE / "whisper.py")
    config = TournamentConfig(
        name="newcomer",
        db=f"sqlite:///{tmp_path}/a.db",
        games=("whisper-v0",),
        rounds=2,
        players=[{"name": n, "player": "random"} for n in ("a", "b", "c")],  # type: ignore[arg-type]
    )
    assert run_tournament(config, board="off").snapshot.matches.finished > 0
