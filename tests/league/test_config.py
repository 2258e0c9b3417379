"""The tournament file: what is accepted, and the one line for everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import InputError
from league.config import load_tournament
from league.tournament import run_tournament

GOOD = """
name = "t"
games = ["openspiel/kuhn_poker"]
[[players]]
name = "a"
player = "random"
[[players]]
name = "b"
player = "mcts(simulations=10)"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "t.toml"
    path.write_text(text)
    return path


def test_defaults_are_filled_in(tmp_path: Path) -> None:
    config = load_tournament(write(tmp_path, GOOD))
    assert (config.db, config.pairing, config.rounds) == ("sqlite:///runs/arena.db", "round-robin", 1)
    assert [p.name for p in config.players] == ["a", "b"]
    assert config.illegal.retries == 2


def test_overrides_win_over_the_file(tmp_path: Path) -> None:
    assert load_tournament(write(tmp_path, GOOD), db="sqlite:///x.db", seed=None).db == "sqlite:///x.db"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "t"', 'name = "t"\nround = 3', "unknown key 'round'; did you mean 'rounds'?"),
        ('name = "t"', 'name = "t"\nrounds = 0', "rounds: Input should be greater than or equal to 1 .seen: 0."),
        ('name = "t"', 'name = "t"\nrounds = "many"', "rounds: write a number, .*seen: 'many'"),
        ('name = "t"\n', "", "key 'name' is missing"),
        (
            'name = "a"\nplayer',
            'name = "a"\nplayr = "x"\nplayer',
            "unknown key 'players.0.playr'; did you mean 'player'",
        ),
        ('name = "b"', 'name = "a"', "player name 'a' is given twice"),
        ("", '[illegal]\nthen = "shrug"', "illegal.then: .*'forfeit' or 'random'"),
        ("", "[ratings.draw_probability]\nx = 1.5", "draw_probability of x is 1.5"),
        ("", "[ratings]\nmu = nan", "ratings.mu: .*finite number"),
        ("", "[stop]\nwidth = inf", "stop.width: .*finite number"),
        ('name = "t"', 'name = "t', "not valid TOML: .*line 2"),
        ('name = "t"', 'name = "t\\u0000"', "name: text must not hold the character NUL"),
        ('name = "a"', 'name = "a\u202eb"', "name: text must not hold the character U.202E"),
        ('name = "a"', 'name = "a\u200bb"', "name: text must not hold the character U.200B"),
        ('name = "a"', 'name = "a\\nb"', "name: text must not hold the character U.000A"),
        ('name = "a"', 'name = "a\\u001b[31mb"', "name: text must not hold the character U.001B"),
        (
            'name = "t"',
            f'name = "t"\nseed = {2**63}',
            "seed: whole numbers must lie between .*seen: 9223372036854775808",
        ),
        ('name = "t"', f'name = "t"\nrounds = {10**30}', "rounds: whole numbers must lie between"),
        ('name = "t"', 'name = "t"\nrounds = true', "rounds: write a number, such as 3, without quotes .seen: True."),
        ('name = "t"', 'name = "t"\nrounds = "1"', "rounds: write a number, such as 3, without quotes .seen: '1'."),
        ("", '[stop]\nwidth = "0.5"', "stop.width: write a number, such as 3"),
    ],
)
def test_bad_files_get_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = GOOD.replace(old, new, 1) if old else GOOD + new
    with pytest.raises(InputError, match=message) as error:
        load_tournament(write(tmp_path, text))
    assert "\n" not in str(error.value)


def test_a_key_that_is_wrong_in_one_player_is_the_only_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        load_tournament(write(tmp_path, GOOD.replace("player =", "playr =", 1)))
    assert "at least 2" not in str(error.value)
    alone = GOOD.split('[[players]]\nname = "b"')[0]
    with pytest.raises(InputError, match=r"players: .* at least 2 items"):
        load_tournament(write(tmp_path, alone))


def test_numbers_that_the_store_takes_are_taken(tmp_path: Path) -> None:
    for seed in (2**63 - 1, -(2**63), 0):
        text = GOOD.replace('name = "t"', f'name = "t"\nseed = {seed}')
        file = write(tmp_path, text)
        config = load_tournament(file, db=f"sqlite:///{tmp_path}/{seed}.db")
        assert run_tournament(config, file, board="off")
        assert config.seed == seed


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load_tournament(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="cannot read"):
        load_tournament(tmp_path)


def test_a_draw_probability_of_a_game_that_is_not_played_is_told(tmp_path: Path) -> None:
    file = write(tmp_path, GOOD + "[ratings.draw_probability]\nkuhn = 0.3")
    with pytest.raises(InputError, match=r"'kuhn' is no game of this file; its games: openspiel/kuhn_poker \(or"):
        run_tournament(load_tournament(file, db=f"sqlite:///{tmp_path}/t.db"), file, board="off")
    assert not (tmp_path / "t.db").exists()
