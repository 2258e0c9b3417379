"""The tournament file: what is accepted, and the one line for everything else."""

import math
from pathlib import Path

import pytest

from arena.cli import main
from games import InputError
from league import TournamentConfig, TrainingConfig, load_tournament, run_tournament
from league.config.toml_file import OWN_KEYS
from league.config.tournament import parse_tournament
from tests import golden

GOOD = golden.text(__file__, "tournament_good.toml")


def write(folder, text):
    path = folder / "t.toml"
    path.write_text(text)
    return path


def test_defaults_are_filled_in(tmp_path):
    config = load_tournament(write(tmp_path, GOOD))
    assert (str(config.db), config.pairing, config.rounds) == ("sqlite:///runs/arena.db", "round-robin", 1)
    assert [p.name for p in config.players] == ["a", "b"]
    assert config.illegal.retries == 2


def test_overrides_win_over_the_file(tmp_path):
    assert str(load_tournament(write(tmp_path, GOOD), db="sqlite:///x.db", seed=None).db) == "sqlite:///x.db"


@pytest.mark.parametrize(("old", "new", "message"), golden.rows(__file__, "tournament_bad_files_get_one_line"))
def test_bad_files_get_one_line(tmp_path, old, new, message):
    text = GOOD.replace(old, new, 1) if old else GOOD + new
    with pytest.raises(InputError, match=message) as error:
        load_tournament(write(tmp_path, text))
    assert "\n" not in str(error.value)


def test_a_key_that_is_wrong_in_one_player_is_the_only_fault(tmp_path):
    with pytest.raises(InputError) as error:
        load_tournament(write(tmp_path, GOOD.replace("player =", "playr =", 1)))
    assert "at least 2" not in str(error.value)
    alone = GOOD.split('[[players]]\nname = "b"')[0]
    with pytest.raises(InputError, match=r"players: 1 of at least 2 entries; add more"):
        load_tournament(write(tmp_path, alone))


def test_a_number_that_python_refuses_to_write_is_one_line(tmp_path):
    with pytest.raises(InputError, match=r"seed: .*a number of thousands of digits"):
        load_tournament(write(tmp_path, f"seed = 0x{'f' * 4000}\n{GOOD}"))


def test_a_list_of_texts_in_place_of_tables_is_told_how_tables_are_written():
    with pytest.raises(InputError, match=r"players #1: write a table: a line \[\[players\]\] and its keys below it"):
        parse_tournament({"name": "t", "games": ["openspiel/kuhn_poker"], "players": ["random", "mcts"]})


def test_a_byte_that_is_not_utf_8_is_told_with_its_line(tmp_path):
    (tmp_path / "t.toml").write_bytes(b"# a comment\n# caf\xe9\n" + GOOD.encode())
    with pytest.raises(InputError, match=r"t\.toml is not UTF-8 \(line 2, byte 0xe9\); save it as UTF-8"):
        load_tournament(tmp_path / "t.toml")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_mark_of_the_encoding_is_read_or_told(tmp_path, encoding):
    (tmp_path / "t.toml").write_bytes(GOOD.encode(encoding))
    if encoding == "utf-8-sig":
        assert load_tournament(tmp_path / "t.toml").name == "t"
    else:
        with pytest.raises(InputError, match=r"t\.toml is written in UTF-16; save it as UTF-8"):
            load_tournament(tmp_path / "t.toml")


def test_a_file_given_to_the_wrong_verb_is_told_what_it_is(tmp_path, capsys):
    tournament = write(tmp_path, GOOD)
    training = Path(__file__).parents[3] / "scripts" / "examples" / "train_kuhn.toml"
    assert main(["tournament", str(training)]) == 2
    shown = capsys.readouterr().err
    assert f"{training} is a training file: it sets steps, " in shown
    assert shown.endswith(f"; type: arena train {training}\n")
    assert len(shown) < 300
    assert main(["train", str(tournament)]) == 2
    shown = capsys.readouterr().err
    assert shown == f"arena: {tournament} is a tournament file: it sets players; type: arena tournament {tournament}\n"


def test_what_tells_the_two_kinds_of_file_apart_are_their_own_keys():
    keys = {"tournament": {*TournamentConfig.model_fields}, "training": {*TrainingConfig.model_fields}}
    assert OWN_KEYS["tournament"] == keys["tournament"] - keys["training"]
    assert OWN_KEYS["training"] == keys["training"] - keys["tournament"]


@pytest.mark.parametrize(
    ("mu", "sigma", "beta", "tau"), [(1e6, 1e-6, 1e6, 0.0), (-1e6, 1e6, 0.1, 1e6), (0.0, 1e6, 1e6, 1e6)]
)
def test_ratings_at_the_bounds_are_numbers(tmp_path, mu, sigma, beta, tau):
    text = GOOD.replace("mcts(simulations=10)", "random")
    file = write(tmp_path, f"{text}[ratings]\nmu = {mu}\nsigma = {sigma}\nbeta = {beta}\ntau = {tau}\n")
    played = run_tournament(load_tournament(file, db=f"sqlite:///{tmp_path}/t.db"), file, board="off")
    for row in played.snapshot.standings:
        assert all(math.isfinite(value) for value in (row.rating, row.low, row.high))


def test_numbers_that_the_store_takes_are_taken(tmp_path):
    for seed in (2**63 - 1, -(2**63), 0):
        text = GOOD.replace('name = "t"', f'name = "t"\nseed = {seed}')
        file = write(tmp_path, text)
        config = load_tournament(file, db=f"sqlite:///{tmp_path}/{seed}.db")
        assert run_tournament(config, file, board="off")
        assert config.seed == seed


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        load_tournament(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="cannot read"):
        load_tournament(tmp_path)


def test_a_draw_probability_of_a_game_that_is_not_played_is_told(tmp_path):
    file = write(tmp_path, GOOD + "[ratings.draw_probability]\nkuhn = 0.3")
    with pytest.raises(InputError, match=r"'kuhn' is not a game of this file; its games: openspiel/kuhn_poker \(or"):
        run_tournament(load_tournament(file, db=f"sqlite:///{tmp_path}/t.db"), file, board="off")
    assert not (tmp_path / "t.db").exists()


@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "[[ {} ]]", "{{ {} = 1 }}"])
@pytest.mark.parametrize("part", ["a", '"a"', "'a b' "])
def test_a_key_of_many_parts_is_refused_before_it_takes_time(tmp_path, line, part):
    file = write(tmp_path, "# a comment\n" + line.format(".".join([part] * 70)))
    with pytest.raises(InputError, match=r"line 2 holds a key of more than 64 parts"):
        load_tournament(file)
