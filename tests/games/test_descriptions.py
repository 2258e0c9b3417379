"""Each listed game has a sentence, and a search finds games by it."""

import re

import games
from games.descriptions import FAMILIES, about, listing, search
from games.native import NATIVE
from games.registry import COLLECTIONS


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
