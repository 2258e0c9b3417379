"""Decisions of real games as requests, and their exact policies from forward passes without a cache."""

import math
import random
from collections.abc import Sequence
from typing import Any

import torch

import games
import roles
from arena.inference import Completion, Request
from arena.players.chat import memory_of
from arena.players.player import View
from roles.prompts import written

SEVERAL_BRANCHES = (
    "openspiel/tic_tac_toe",
    "openspiel/breakthrough(rows=6,columns=4)",
    "openspiel/liars_dice",
    "openspiel/mnk(m=4,n=4,k=3)",
)
"""games whose actions differ at several tokens"""


def requests(engine: Any, game_id: str, count: int) -> list[Request]:
    """The prompts and choices of `count` positions of random play."""
    rng = random.Random(game_id)
    game, out, match = games.make(game_id), [], 0
    while len(out) < count:
        match += 1
        game.reset(match)
        while game.acting:
            seat = game.acting[0]
            legal = game.legal(seat)
            assert legal is not None
            if len(legal) > 1 and rng.random() < 0.5:
                out.append(_request(engine, game, seat, legal, len(out)))
            game.apply({seat: rng.choice(legal)})
    return out[:count]


def _request(engine: Any, game: games.TextGame, seat: str, legal: tuple[str, ...], seed: int) -> Request:
    view = View(game, seat, game.spec.seats[seat], legal, seed, 0, (), ())
    chat = roles.make(view.role).messages(view.observation, legal, memory_of(view, "bare", True, ()))
    ids = engine.encode_chat(chat)
    choices = engine.encode_choices([written(action, "bare") for action in legal])
    return Request(ids, seed, choices=choices, prefix_len=engine.prefix_len(chat, ids))


@torch.inference_mode()
def exact(model: Any, request: Request) -> list[dict[int, float]]:
    """For each choice, position -> log probability of its token, from one pass over each whole sequence."""
    choices = request.choices or ()
    width, start = max(map(len, choices)), len(request.prompt_ids) - 1
    rows = torch.tensor([[*request.prompt_ids, *c, *[0] * (width - len(c))] for c in choices])
    logits = model(rows, use_cache=False).logits[:, start:-1].double()
    out = []
    for row, choice in zip(logits, choices, strict=True):
        logps = {}
        for t, token in enumerate(choice):
            allowed = sorted({c[t] for c in choices if c[:t] == choice[:t]})
            logps[t] = float(torch.log_softmax(row[t, allowed], -1)[allowed.index(token)])
        out.append(logps)
    return out


def policy_error(expected: Sequence[dict[int, float]], found: Sequence[float]) -> float:
    """The largest error of a probability."""
    return max(abs(math.exp(sum(e.values())) - p) for e, p in zip(expected, found, strict=True))


def sample_error(expected: Sequence[dict[int, float]], completion: Completion) -> float:
    """The largest error of a stored log probability."""
    assert completion.choice is not None
    own = expected[completion.choice]
    return max(abs(own[t] - logp) for t, logp in enumerate(completion.logprobs))
