"""`arena rank`: a model among rated anchors of a pinned suite."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import games
from arena import players
from games import InputError, UnknownName
from games.errors import RunPaused
from league.board import Board, BoardState
from league.rank import Ranking, RankSuite, rank_model, suite
from league.rank.board import RankingBoard
from league.rank.cost import answers, cost_lines, expected_rounds, floor_matches, matches
from league.rank.lines import ranking_lines
from league.rank.play import config_of, play, playable, player_of, prepare
from league.records.leaderboard import Leaderboard, MatchCounts
from league.store import Store
from league.tournament.run import TournamentResult, run_tournament
from league.verify import verify_run
from tests.arena.cli.command import run
from tests.toys.players import Acting, writer


class Recording(Board):
    def __init__(self) -> None:
        self.states, self.lines, self.closed = list[BoardState](), list[str](), False

    def update(self, state: BoardState) -> None:
        self.states.append(state)

    def log(self, line: str) -> None:
        self.lines.append(line)

    def close(self) -> None:
        self.closed = True


def test_every_anchor_of_every_game_has_a_rating_that_was_measured() -> None:
    pinned = suite()
    named = {(pinned.name(game, anchor), game.id) for game in pinned.games for anchor in game.anchors}
    assert {(anchor.player, anchor.game) for anchor in pinned.ratings} == named
    assert all(0.2 < anchor.sd < 2 for anchor in pinned.ratings)
    assert set(pinned.turns) == {game.id for game in pinned.games}
    assert all(turns > 0.5 for turns in pinned.turns.values())
    for game in pinned.games:
        assert games.make(game.id).spec.id == game.id
        assert games.make(game.id).spec.rated
        ratings = [a.rating for a in pinned.ratings if a.game == game.id]
        assert sum(ratings) / len(ratings) == pytest.approx(25, abs=0.1)


@pytest.mark.parametrize(
    ("model", "player"),
    [
        ("mcts(simulations=3)", "mcts(simulations=3)"),
        ("smollm2-135m", "llm(model=smollm2-135m)"),
        ("Qwen/Qwen3-0.6B", "llm(model=Qwen/Qwen3-0.6B)"),
        ("runs/a b", "llm(model=runs/a b)"),
        ("quickstart@40", "quickstart@40"),
    ],
)
def test_a_model_is_a_player_or_the_name_of_a_language_model(model: str, player: str) -> None:
    assert player_of(model) == player


def small(*ids: str) -> RankSuite:
    return suite().model_copy(update={"games": tuple(game for game in suite().games if game.id in ids)})


@pytest.fixture
def ranked(tmp_path: Path) -> Ranking:
    of = small("openspiel/tic_tac_toe", "openspiel/kuhn_poker")
    return rank_model("solver", db=f"sqlite:///{tmp_path}/x.db", rounds=2, board="off", of=of)


def test_a_strong_bot_is_placed_above_weak_anchors_and_the_log_verifies(ranked: Ranking) -> None:
    by_game = {rank.game: rank for rank in ranked.games}
    rank = by_game["openspiel/tic_tac_toe"]
    assert [one.anchor for one in rank.anchors] == ["solver", "mcts-100", "mcts-10", "random"]
    assert rank.anchors[-1].above > 0.99
    assert rank.anchors[-1].points > 90
    assert rank.low < rank.rating < rank.high
    assert ranked.low < ranked.rating < ranked.high
    assert (ranked.matches, ranked.complete, ranked.floor) == (28, True, False)
    with Store.open(ranked.db, read_only=True) as store:
        verified = verify_run(store, store.run(ranked.run), head=ranked.head)
    assert not verified.problems
    text = "\n".join(ranking_lines(ranked))
    assert "solver: " in text
    assert "the mean over 2 games" in text


def test_the_command_that_the_ranking_names_verifies_it(ranked: Ranking, capsys: pytest.CaptureFixture[str]) -> None:
    """It named an option that `arena verify` lacks."""
    *_, last = ranking_lines(ranked)
    program, *words = shlex.split(last.split("`")[1])
    code, out, err = run(capsys, *words)
    assert (program, code) == ("arena", 0), err
    assert "28" in out


def test_rounds_are_added_until_the_interval_is_narrow(tmp_path: Path) -> None:
    of, looks = small("openspiel/kuhn_poker"), list[Ranking]()
    db = f"sqlite:///{tmp_path}/x.db"
    rank_model("random", db=db, width=6.0, rounds=40, board="off", of=of, show=looks.append)
    widths = [look.high - look.low for look in looks]
    assert len(looks) > 1
    assert all(width > 6.0 for width in widths[:-1])
    assert widths[-1] <= 6.0


def test_a_model_that_answers_nothing_is_at_the_floor_and_plays_no_more(tmp_path: Path) -> None:
    players.register("babbles")(lambda: writer("I like cards.", name="babbles"))
    of = small("openspiel/kuhn_poker")
    ranked = rank_model("babbles", db=f"sqlite:///{tmp_path}/x.db", width=0.1, rounds=40, board="off", of=of)
    assert (ranked.floor, ranked.matches, ranked.complete) == (True, 6, True)
    assert "babbles is at the floor: it forfeited all of its 6 matches" in ranking_lines(ranked)
    [rank] = ranked.games
    weakest = min(anchor.rating for anchor in suite().ratings if anchor.game == rank.game)
    assert rank.low < rank.rating < rank.high <= weakest  # it was 24, above random
    assert {(one.points, one.above) for one in rank.anchors} == {(0.0, 0.0)}


def test_a_game_in_which_the_model_forfeits_all_is_played_no_more_and_the_others_are(tmp_path: Path) -> None:
    """It was played to the last round, with three attempts of full length in each match."""
    by_game = {"openspiel/kuhn_poker": writer("I like cards."), "openspiel/tic_tac_toe": players.make("solver")}
    players.register("mixed")(lambda: Acting(lambda view: by_game[view.game.spec.id].act(view), "mixed"))
    of = small("openspiel/kuhn_poker", "openspiel/tic_tac_toe")
    ranked = rank_model("mixed", db=f"sqlite:///{tmp_path}/x.db", width=0.1, rounds=4, board="off", of=of)
    assert [(rank.matches, rank.answered) for rank in ranked.games] == [(6, False), (32, True)]
    assert (ranked.floor, ranked.complete) == (False, True)
    assert "1 of them at the floor, which counts as weaker than every anchor there" in ranking_lines(ranked)


def test_a_game_at_the_floor_does_not_keep_the_others_playing(tmp_path: Path) -> None:
    """Its interval stays wide whatever is played, so the others went on to the last round."""
    by_game = {"openspiel/kuhn_poker": writer("I like cards."), "openspiel/tic_tac_toe": players.make("solver")}
    players.register("half")(lambda: Acting(lambda view: by_game[view.game.spec.id].act(view), "half"))
    of = small("openspiel/kuhn_poker", "openspiel/tic_tac_toe")
    ranked = rank_model("half", db=f"sqlite:///{tmp_path}/x.db", width=5.0, rounds=20, board="off", of=of)
    assert ranked.high - ranked.low > 5.0
    assert ranked.matches < 6 + 20 * 8


def test_the_cost_that_is_told_is_the_cost_that_follows(tmp_path: Path) -> None:
    """It told 760 matches, the most that 20 rounds have, where the interval was narrow after 300."""
    width, db = 5.0, f"sqlite:///{tmp_path}/x.db"
    with prepare("mcts(simulations=20)", db=db, of=small("openspiel/kuhn_poker", "openspiel/tic_tac_toe")) as prepared:
        expected = matches(prepared.suite, expected_rounds(prepared.suite, width, 20))
        assert f"about {expected} matches" in next(cost_lines(prepared, width))
        ranked = play(prepared, width=width, board="off")
    assert 0.6 * expected <= ranked.matches <= 1.6 * expected


def test_a_model_that_forfeits_all_is_told_to_play_each_game_until_the_floor() -> None:
    assert floor_matches(small("openspiel/kuhn_poker", "openspiel/tic_tac_toe")) == 6 + 8
    assert floor_matches(small("ask-v1")) == 8
    assert answers(small("ask-v1"), 1) == 4 * suite().turns["ask-v1"]


def test_another_seed_plays_other_matches() -> None:
    assert [config_of("random", suite(), seed=seed).seed for seed in (None, 5)] == [suite().seed, 5]


def test_an_interrupted_ranking_without_matches_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said `generator raised StopIteration (a bug of the arena)`."""
    nothing = TournamentResult(Leaderboard("r", (), {}, {}, MatchCounts()), complete=False)
    monkeypatch.setattr("league.rank.play.run_tournament", lambda *_, **__: nothing)
    with pytest.raises(RunPaused, match="the same command resumes 'rank-random'"):
        rank_model("random", db=f"sqlite:///{tmp_path}/x.db", board="off", of=small("openspiel/kuhn_poker"))


def test_games_that_a_player_cannot_play_are_left_out() -> None:
    bot = players.make("mcts(simulations=5)")
    of = playable(suite(), bot)
    assert "ask-v1" not in {game.id for game in of.games}
    names = [player.name for player in config_of("mcts(simulations=5)", of).players]
    assert not [name for name in names if "ask" in name]
    with pytest.raises(InputError, match="can play no game of the suite"):
        playable(small("ask-v1"), bot)


def test_the_command_says_what_it_takes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rank", "random", "--plan", "--db", f"sqlite:///{tmp_path}/x.db")
    assert (code, out) == (0, "")
    assert "rated anchors. A model in the middle of the anchors plays about" in err
    assert not (tmp_path / "x.db").exists()
    code, _, err = run(capsys, "rank", "random", "--out", "page.pdf")
    assert (code, len(err.strip().splitlines())) == (2, 1)


@pytest.mark.slow
def test_a_page_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", "random", "--rounds", "1", "--db", f"sqlite:///{tmp_path}/x.db", "--json")
    code, out, _ = run(capsys, *words, "--out", str(tmp_path / "page.html"))
    assert code == 0
    assert json.loads(out)["suite"] == suite().version
    page = (tmp_path / "page.html").read_text()
    assert "<h2>Ranking</h2>" in page
    assert "the mean over" in page


def test_a_misspelt_player_is_no_model_of_the_hub() -> None:
    with pytest.raises(UnknownName, match="unknown player 'randm'; did you mean 'random'"):
        player_of("randm")


def test_the_looks_of_a_ranking_follow_each_other_on_one_board(tmp_path: Path) -> None:
    """Each look opened a board of its own and left its table, in which anchors of different games had no rank."""
    shown, of = Recording(), small("openspiel/kuhn_poker")
    board = RankingBoard(shown, "random", of, 4.0)
    for rounds in (1, 2):
        run_tournament(config_of("random", of, db=f"sqlite:///{tmp_path}/x.db", rounds=rounds), board=board)
    assert {state.status for state in shown.states} == {"running"}
    assert {row.player for state in shown.states for row in state.snapshot.standings} == {"model"}
    last = shown.states[-1]
    assert (last.title, last.snapshot.matches.finished, last.snapshot.matches.total) == ("rank random", 12, None)
    [panel] = last.panels
    assert "wide, and the ranking ends at 4" in panel.lines[1]
    assert panel.lines[-1].startswith("kuhn")
    assert not any("resuming" in line for line in shown.lines)
    assert not shown.closed
