"""Exact exploitability of games of one simultaneous choice, such as a table of preferences.

Every joint choice is played once, which gives the payoffs; the player's probabilities are read as in a match.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

import msgspec

import games
from arena.evaluation.exact import Exact
from arena.players.legal_probabilities import legal_probabilities
from arena.players.player import Player, View
from games import InputError, Seat, TextGame

LARGEST = 4096
"""joint choices of the largest game that is played through"""
Mixture = Mapping[Seat, Mapping[str, float]]
"""seat -> choice -> probability"""


class OneShot(msgspec.Struct, frozen=True):
    """The payoffs of a game in which all seats choose once, at the same time."""

    game: str
    choices: dict[Seat, tuple[str, ...]]
    payoffs: dict[tuple[str, ...], dict[Seat, float]]
    """joint choice, in seat order -> returns"""


def one_shot(game: TextGame) -> OneShot | None:
    """Returns the payoffs of a game, or None if it has several stages, chance, free text or too many joint choices."""
    if game.spec.chance is not False or game.task_source is not None:
        return None
    game.reset(0)
    seats = tuple(game.spec.seats)
    choices = {seat: game.legal(seat) for seat in seats}
    if game.acting != seats or any(not c for c in choices.values()):
        return None
    listed = {seat: tuple(c or ()) for seat, c in choices.items()}
    if math.prod(map(len, listed.values())) > LARGEST:
        return None
    payoffs = {}
    for joint in product(*listed.values()):
        game.reset(0)
        game.apply(dict(zip(seats, joint, strict=True)))
        if game.acting:
            return None
        payoffs[joint] = dict(game.returns())
    return OneShot(game.spec.id, listed, payoffs)


async def read_mixture(player: Player, form: OneShot) -> Mixture | None:
    """Returns a player's probabilities in each seat, or None if the player does not know them."""
    game = games.make(form.game)
    game.reset(0)
    out = {}
    for seat, choices in form.choices.items():
        shares = await legal_probabilities(player, View(game, seat, game.spec.seats[seat], choices, 0, 0, (), []))
        if shares is None:
            return None
        out[seat] = shares
    return out


def evaluate_mixture(form: OneShot, mixture: Mixture) -> Exact:
    """Returns NashConv of a policy. Raises InputError if it has no probabilities for a seat."""
    paid = deviations(form, mixture)
    values = {seat: sum(mixture[seat][choice] * value for choice, value in of.items()) for seat, of in paid.items()}
    best = {seat: max(of.values()) for seat, of in paid.items()}
    nash_conv = sum(best[seat] - values[seat] for seat in paid)
    return Exact(nash_conv, nash_conv / len(paid), values, best, decisions=len(paid))


def deviations(form: OneShot, mixture: Mixture) -> dict[Seat, dict[str, float]]:
    """Returns seat -> choice -> return, with a policy in all other seats. Raises as `evaluate_mixture`."""
    if missing := form.choices.keys() - mixture.keys():
        raise InputError(f"{form.game}: no probabilities for {min(missing)}")
    seats = tuple(form.choices)
    out = {seat: dict.fromkeys(form.choices[seat], 0.0) for seat in seats}
    for joint, paid in form.payoffs.items():
        chances = [mixture[seat][choice] for seat, choice in zip(seats, joint, strict=True)]
        for i, seat in enumerate(seats):
            out[seat][joint[i]] += math.prod(chances[:i] + chances[i + 1 :]) * paid[seat]
    return out
