"""Forfeit payoffs, and the description that each game has."""

import re

import pytest

import games
from games import GameSpec
from games.descriptions import FAMILIES, about, listing, search
from games.forfeit import forfeit_returns
from games.native import NATIVE
from games.registry import COLLECTIONS

SEATS = {"a1": "x", "b1": "x", "a2": "x", "b2": "x"}
TEAMS = (("a1", "a2"), ("b1", "b2"))


def spec(payoff="zero_sum", total=0.0, span=(-1, 1), teams=TEAMS):
    return GameSpec("g-v0", SEATS, payoff, "", 9, total, returns_range=span, teams=teams)


def test_a_team_loses_by_the_forfeit_of_one_of_its_seats():
    assert forfeit_returns(spec(), "a2") == {"a1": -1, "a2": -1, "b1": 1, "b2": 1}


@pytest.mark.parametrize("teams", [(), TEAMS, (("a1",), ("a2", "b1", "b2"))])
@pytest.mark.parametrize(("payoff", "total"), [("zero_sum", 0.0), ("constant_sum", 2.0)])
def test_the_sum_is_kept(teams, payoff, total):
    for seat in SEATS:
        assert sum(forfeit_returns(spec(payoff, total, (-1, 2), teams), seat).values()) == pytest.approx(total)


def test_in_a_general_sum_game_the_others_get_nothing():
    assert forfeit_returns(spec("general_sum"), "b1") == {"a1": 0, "a2": 0, "b1": -1, "b2": -1}
    assert forfeit_returns(spec("general_sum", teams=()), "b1") == {"a1": 0, "a2": 0, "b1": -1, "b2": 0}


def test_every_family_and_every_listed_game_has_one_sentence():
    assert FAMILIES.keys() == COLLECTIONS.keys()
    sentences = {id: about(id) for id in games.ids()}
    assert [id for id, text in sentences.items() if not re.fullmatch(r"[^\n]{10,150}[.]", text)] == []


def test_native_games_have_different_sentences_unless_they_are_versions_of_one():
    by_sentence: dict[str, set[str]] = {}
    for id in NATIVE:
        by_sentence.setdefault(about(id), set()).add(re.sub(r"-v\d+$", "", id))
    assert [names for names in by_sentence.values() if len(names) > 1] == []


def test_players_and_payoff_come_from_the_catalogs_or_the_spec():
    rows = [listing(id) for id in ("spy-v2", "openspiel/kuhn_poker", "textarena/2048-v0")]
    assert [(row.players, row.payoff) for row in rows] == [("4", "zero-sum"), ("2-10", "zero-sum"), ("1", "")]


def test_a_search_reads_ids_sentences_and_papers_in_any_case():
    assert [row.id for row in search("Buyer Bargain")] == [id for id in NATIVE if id.startswith("bargain")]
    assert [row.id for row in search("2510.23595")] == ["psj-v1"]
    assert "openspiel/leduc_poker" in {row.id for row in search("leduc")}
