"""Prompts of real games: one prefix for all turns and matches of a seat, and no secrets of other seats."""

import pytest

import games
import roles
from games.randomness import RandomStream
from roles import Exchange, Memory

GAMES = ["openspiel/kuhn_poker", "openspiel/leduc_poker", "openspiel/tic_tac_toe", "openspiel/liars_dice", "bargain-v1"]
FORMS = ("boxed", "json", "line", "bare")


def _prompts(game, seed, form):
    """Every prompt of a match of random legal actions: (seat, chat, secrets of the other seats)."""
    game.reset(seed)
    rng, past = RandomStream(seed), {seat: [] for seat in game.spec.seats}
    while game.acting:
        actions = {}
        for seat in game.acting:
            role, seen = roles.make(game.spec.seats[seat]), game.observe(seat)
            chat = role.messages(seen, game.legal(seat), Memory(game.spec, seat, form, tuple(past[seat])))
            own = game.secrets(seat)  # two seats may have the same secret: both rolled a 2
            others = [s for other in game.spec.seats if other != seat for s in game.secrets(other) if s not in own]
            yield seat, chat, others
            actions[seat] = rng.choice(game.examples(seat))
            past[seat].append(Exchange(seen, actions[seat]))
        game.apply(actions)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("id", GAMES)
def test_all_turns_and_matches_of_a_seat_share_the_system_message(id, form):
    game = games.make(id)
    first: dict[str, set[str]] = {}
    users = set()
    for seed in range(4):
        for seat, chat, _ in _prompts(game, seed, form):
            assert chat[0]["role"] == "system"
            first.setdefault(seat, set()).add(chat[0]["content"])
            users.add(chat[-1]["content"])
    assert {seat: len(texts) for seat, texts in first.items()} == dict.fromkeys(game.spec.seats, 1)
    assert len(users) > len(first)


@pytest.mark.parametrize("id", ["openspiel/kuhn_poker", "openspiel/leduc_poker", "openspiel/liars_dice", "bargain-v1"])
def test_no_prompt_holds_a_secret_of_another_seat(id):
    game = games.make(id)
    looked = 0
    for seed in range(12):
        for _, chat, others in _prompts(game, seed, "boxed"):
            changing = "\n".join(message["content"] for message in chat[1:])
            for secret in others:
                assert secret not in changing
                looked += 1
    assert looked


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("id", GAMES)
def test_every_action_a_game_offers_reads_back_from_every_form(id, form):
    game = games.make(id)
    game.reset(5)
    rng = RandomStream(5)
    while game.acting:
        for seat in game.acting:
            role, legal = roles.make(game.spec.seats[seat]), game.legal(seat)
            for action in game.examples(seat):
                assert role.parse(f"Perhaps so.\n{roles.prompts.written(action, form)}", legal) == action
        game.apply({seat: rng.choice(game.examples(seat)) for seat in game.acting})
