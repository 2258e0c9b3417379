"""A recorded match is shown position by position, in every viewer from the same replay."""

import re
from html.parser import HTMLParser

import msgspec
import pytest

import arena
from arena.match import match_html, move_line, positions, standalone_html
from games import ArenaError, make


@pytest.fixture(scope="module")
def tic_tac_toe():
    return arena.play("openspiel/tic_tac_toe", ["random", "random"], seed=5)


def test_every_position_from_the_first_to_the_last(tic_tac_toe):
    places = positions(tic_tac_toe)
    assert [place.played for place in places] == list(range(len(tic_tac_toe.turns) + 1))
    assert places[0].moves == ()
    assert places[-1].acting == ()
    assert tuple(turn for place in places for turn in place.moves) == tic_tac_toe.turns
    game = make("openspiel/tic_tac_toe")
    game.reset(5)
    for place, turn in zip(places, tic_tac_toe.turns, strict=False):
        assert place.text == game.spectate()
        game.apply({turn.seat: turn.action})
    assert places[-1].text == game.spectate()


def test_seats_that_act_at_once_move_together():
    episode = arena.play("openspiel/matrix_rps", ["random", "random"], seed=1)
    first, last = positions(episode)
    assert (first.acting, len(last.moves), last.played) == (("player_0", "player_1"), 2, 2)


def test_a_record_that_does_not_fit_the_game_is_an_error(tic_tac_toe):
    twice = msgspec.structs.replace(tic_tac_toe, turns=(tic_tac_toe.turns[0],) * 2)
    longer = msgspec.structs.replace(tic_tac_toe, turns=tic_tac_toe.turns * 2)
    for episode in (twice, longer):
        with pytest.raises(ArenaError, match="does not fit openspiel/tic_tac_toe"):
            positions(episode)


class Tags(HTMLParser):
    """Collects elements and checks that they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        if tag not in ("input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_has_a_place_for_each_position_and_loads_nothing(tic_tac_toe):
    page = standalone_html(tic_tac_toe)
    tags = Tags(page)
    assert tags.names.count("section") == tags.names.count("input") == len(tic_tac_toe.turns) + 1
    assert page.count(" checked>") == 1
    assert not re.search(r"<script|https?:|src=|url\(|@import", page)


def test_texts_of_players_are_escaped(tic_tac_toe):
    evil = "<img src=x onerror=alert(1)>\x1b[2J&"
    turn = msgspec.structs.replace(tic_tac_toe.turns[0], player=evil, action=evil)
    place = msgspec.structs.replace(positions(tic_tac_toe)[1], moves=(turn,), text=evil, acting=(evil,))
    episode = msgspec.structs.replace(tic_tac_toe, match=evil, game=evil, status=evil)
    page = match_html(episode, [place])
    assert set(Tags(page).names) == {"div", "p", "b", "input", "section", "small", "br", "pre"}
    assert "\x1b" not in page


def test_a_notebook_shows_positions_but_makes_no_game_that_an_id_with_parameters_names(tic_tac_toe):
    assert tic_tac_toe._repr_html_() == standalone_html(tic_tac_toe)
    evil = "<script>alert(1)</script>"
    turn = msgspec.structs.replace(tic_tac_toe.turns[0], action=evil, player=evil)
    for game in ("efg_game(filename=/etc/passwd)", "openspiel/tic_tac_toe", "textarena/x", evil):
        html = msgspec.structs.replace(tic_tac_toe, game=game, turns=(turn,))._repr_html_()
        assert html is not None
        assert "no positions: " in html
        assert "&lt;script&gt;" in html
        assert "<script" not in html


def test_a_move_names_what_failed_before(tic_tac_toe):
    turn = tic_tac_toe.turns[0]
    failed = msgspec.structs.replace(turn.attempts[0], category="illegal", action=None)
    assert move_line(turn) == f"player_0 (random): {turn.action}"
    twice = msgspec.structs.replace(turn, attempts=(failed, *turn.attempts))
    assert move_line(twice) == f"player_0 (random) (after illegal): {turn.action}"
