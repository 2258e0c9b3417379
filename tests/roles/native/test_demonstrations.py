"""The demonstrations of the native games use the words of their game, and the game can read them."""

import pytest

import games
import roles
from games.dialogue.answers import CORRECTNESS, letters, numbers, players, read
from games.native.bargain.messages import understood
from games.native.common.words import mentions, word_list
from games.native.conjecture.texts import TARGETS
from games.native.critic import game as critic
from games.native.redteam import texts as redteam_texts
from games.native.taboo import game as taboo
from games.proofs.formula import parse
from games.proofs.judge import judge
from roles import Exchange, Memory

IDS = ("bargain", "conjecture", "critic", "debate", "forum", "redteam", "spy", "taboo")
TABLE = {f"{id} {phase}": shown for id in IDS for phase, shown in games.make(id).spec.demonstrations.items()}

READ = {
    "bargain open": lambda text: understood("seller", text, False),
    "bargain respond": lambda text: understood("seller", text, True),
    "critic judge": lambda text: read(text, CORRECTNESS).value,
    "critic spoil": lambda text: critic.recomputed(text, 0) == "wrong",
    "debate judge": lambda text: read(text, letters("AB")).value,
    "forum score": lambda text: read(text, numbers(1, 3)).value,
    "redteam verdict": redteam_texts.VERDICTS.get,
    "spy vote": lambda text: read(text, players(3)).value,
}


@pytest.mark.parametrize("key", READ)
def test_a_shown_answer_is_read_by_the_game(key):
    assert all(READ[key](wrote) for _, wrote in TABLE[key])


def test_a_shown_claim_is_one_and_names_no_word_of_the_list():
    assert taboo._CLAIM.search(TABLE["taboo reply"][1][1])
    shown = " ".join(part for key in TABLE for shot in TABLE[key] for part in shot if key.startswith(("taboo", "spy")))
    assert [word.text for word in word_list() if mentions(shown, word)] == []


def test_shown_conjectures_and_proofs_are_right_and_no_targets():
    shown = {key: TABLE[f"conjecture {key}"] for key in ("conjecture", "prove", "target")}
    for key in ("prove", "target"):
        for seen, wrote in shown[key]:
            statement = seen.split("Prove: ")[1].split("\n")[0]
            assert judge(parse(statement), wrote).verdict.ok
            assert statement not in TARGETS
    for _, wrote in shown["conjecture"]:
        assert f"The conjecture: {wrote}" in shown["prove"][0][0] + shown["prove"][1][0]


@pytest.mark.parametrize("key", TABLE)
def test_every_phase_is_one_of_its_game_and_is_shown_to_its_role(key):
    id, _, phase = key.partition(" ")
    id = {"bargain": "bargain(coach=seller,rounds=1)", "redteam": "redteam(referee=seat)"}.get(id, id)
    game = games.make(id)
    game.reset(0)
    seen = {}
    while game.acting:
        seen |= {game.phase(seat): (seat, game.observe(seat)) for seat in game.acting}
        game.apply({seat: game.examples(seat)[0] for seat in game.acting})
    if id == "critic":
        seed = next(seed for seed in range(99) if _first(game, seed) == phase)
        game.reset(seed)
        seen = {phase: (game.acting[0], game.observe(game.acting[0]))}
    seat, observation = seen[phase]
    chat = roles.make(game.spec.seats[seat]).messages(observation, None, Memory(game.spec, seat))
    assert [m["content"] for m in chat if m["role"] == "assistant"] == [wrote for _, wrote in TABLE[key]]
    assert len(chat) == 2 + 2 * len(TABLE[key])


def _first(game, seed):
    """The first phase of a match."""
    game.reset(seed)
    return game.phase(game.acting[0])


@pytest.mark.parametrize("most", [0, 1, 2, None])
def test_the_number_of_demonstrations_can_be_set(most):
    game = games.make("critic")
    game.reset(0)
    (seat,) = game.acting
    memory = Memory(game.spec, seat, demonstrations=most)
    chat = roles.make(game.spec.seats[seat]).messages(game.observe(seat), None, memory)
    assert len(chat) == 2 + 2 * (2 if most is None else most)


def test_earlier_messages_are_shown_as_they_were_written():
    game = games.make("debate")
    game.reset(0)
    seen = game.observe("judge")
    memory = Memory(game.spec, "judge", "boxed", (Exchange(seen, "Go on. continue"),))
    chat = roles.make("debate-judge").messages(seen, None, memory)
    assert [m["content"] for m in chat if m["role"] == "assistant"] == ["Go on. continue"]
