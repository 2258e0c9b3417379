"""The checks of `arena check PLAYER`: it answers every turn, and its answers depend only on the seed of the match."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import games
from arena import event_loop
from arena import players as registry
from arena.conformance.generators import global_generators
from arena.match import Decision, Episode, MatchPlan, play, play_async
from arena.players.human import Human
from arena.players.legal_probabilities import legal_probabilities
from arena.players.player import Player, View
from games import IllegalAction, InputError, PluginError, TextGame, plugins, registration
from games.conformance.report import Check, Finding, Report, Severity, excerpt
from games.conformance.run import Findings, run_checks
from games.native import NATIVE
from games.randomness import RandomStream

GAMES = ("openspiel/tic_tac_toe", "openspiel/kuhn_poker", "openspiel/matrix_rps", "bargain-v1")
"""sequential turns, hidden cards, simultaneous moves, free text"""
SEEDS = (1, 2, 3)


@dataclass
class PlayerSubject:
    """The player under test, and what the checks observed."""

    id: str
    player: Player
    games: dict[str, TextGame] = field(default_factory=dict)
    unsupported: dict[str, str] = field(default_factory=dict)
    """game -> reason"""
    generators: set[str] = field(default_factory=set)
    """global random generators that it used"""
    changed: set[str] = field(default_factory=set)
    """turns at which it changed the game"""

    def match(self, game: str, seed: int, player: Player | None = None) -> Episode:
        """Play one match of the player against itself."""
        board = self.games[game]
        watched = WatchedPlayer(player or self.player, self.generators, self.changed)
        plan = MatchPlan(f"check-{seed}", board.spec.id, seed, dict.fromkeys(board.spec.seats, watched.name))
        seats = dict.fromkeys(board.spec.seats, watched)
        if watched.waits or board.blocking:
            return event_loop.run(play_async(board, plan, seats))
        return play(board, plan, seats)


class WatchedPlayer(Player):
    """Wraps a player and records global generators and changes of the game."""

    def __init__(self, inner: Player, generators: set[str], changed: set[str]) -> None:
        self._inner, self._generators, self._changed = inner, generators, changed
        self.name, self.waits, self.remembers = inner.name, inner.waits, inner.remembers

    def act(self, view: View) -> Decision:
        """Returns the inner player's decision."""
        before = _public_state(view.game)
        with global_generators(self._generators):
            decision = self._answer(self._inner.act(view))
        if _public_state(view.game) != before:
            self._changed.add(f"{view.game.spec.id}, {view.seat}, turn {view.turn}")
        return decision

    async def act_async(self, view: View) -> Decision:
        """Returns the inner player's decision."""
        before = _public_state(view.game)
        decision = self._answer(await self._inner.act_async(view))
        if _public_state(view.game) != before:
            self._changed.add(f"{view.game.spec.id}, {view.seat}, turn {view.turn}")
        return decision

    def _answer(self, decision: object) -> Decision:
        """Returns the decision. Raises the match loop's TypeError under the inner player's name."""
        if isinstance(decision, Decision):
            return decision
        method = f"{type(self._inner).__name__}.{'act_async' if self.waits else 'act'}"
        raise TypeError(f"{method} returned {decision!r:.80}; a player returns arena.match.Decision(action)")


def check_player(id: str) -> Report:
    """Check a player by its id in the GAMES that it supports, or else in games of plugins.

    Raises InputError if it cannot be created.
    """
    player = registry.make(id)
    if isinstance(player, Human):
        raise InputError("a human cannot be checked; play a match instead: arena play GAME human random")
    logger = logging.getLogger("arena.match")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # failures are findings, without tracebacks
    try:
        return run_checks(id, PlayerSubject(id, player), CHECKS, type(player).__name__)
    finally:
        logger.setLevel(level)
        player.close()


def _public_state(game: TextGame) -> tuple[object, ...]:
    return game.acting, [game.observe(seat) for seat in game.spec.seats]


def _boards(subject: PlayerSubject) -> Iterator[tuple[str, TextGame]]:
    """Yields the games of the kit, then, for a player that supports none of them, those of plugins, then our own."""
    yield from ((id, games.make(id)) for id in GAMES)
    if not subject.games:
        yield from ((id, games.make(id)) for id in sorted(plugins.working(registration.GROUP)))
    for id in NATIVE:
        if not subject.games:
            yield id, games.make(id)


def _supports(subject: PlayerSubject) -> Findings:
    """`supports` answers for every game, and the player supports at least one."""
    tried = 0
    for id, board in _boards(subject):
        tried += 1
        why: object = subject.player.supports(board)
        if why is None:
            subject.games[id] = board
        elif isinstance(why, str) and why.strip():
            subject.unsupported[id] = why
        else:
            yield Finding("supports", f"supports({id}) returned {why!r}; it must return a reason (a text) or None")
    if not subject.games:
        reasons = "; ".join(f"{id}: {why}" for id, why in subject.unsupported.items())
        load = "if it plays a plugin's game, load that too: --plugin GAME.py"
        yield Finding("supports", f"it supports none of the kit's games, so nothing was verified; {load}; {reasons}")
    yield Check("supports", len(subject.games), f"of {tried} games: {', '.join(subject.games)}")


def _decides(subject: PlayerSubject) -> Findings:
    """Every answer is a decision: a legal action, or any text on a free-text turn."""
    turns = 0
    for game in subject.games:
        for seed in SEEDS:
            episode = subject.match(game, seed)
            turns += len(episode.turns)
            if episode.status == "void":
                yield Finding("decides", f"{game}, seed {seed}: the match is void: {episode.reason}")
            failed = [d for t in episode.turns for d in t.attempts if d.category != "ok"] + list(episode.failure)
            for decision in failed[:1]:
                severity: Severity = "note" if subject.player.waits and decision.category != "error" else "error"
                text = f"{game}, seed {seed}: {decision.category}: {excerpt(decision.reason, 200)}"
                yield Finding("decides", text, severity)
            yield from _texts(game, seed, episode)
    yield Check("decides", turns, "turns")


def _texts(game: str, seed: int, episode: Episode) -> Iterator[Finding]:
    for turn in episode.turns:
        if not turn.action.strip():
            yield Finding("decides", f"{game}, seed {seed}: an empty action as {turn.seat}")
            return


def _free_text(subject: PlayerSubject) -> Findings:
    """It plays free-text turns, if it supports such games."""
    free = "bargain-v1" in subject.games
    if free and not subject.match("bargain-v1", 5).turns:
        yield Finding("free text", "none of its messages was accepted in bargain-v1")
    why = subject.unsupported.get("bargain-v1", "not tried")
    yield Check("free text", int(free), "matches", lacks=f"it does not support bargain-v1: {why}")


def _seeded(subject: PlayerSubject) -> Findings:
    """The same seed gives the same actions, also from another object and after other matches."""
    cases = 0
    severity: Severity = "note" if subject.player.waits else "error"
    for game in subject.games:
        first = {seed: _actions(subject.match(game, seed)) for seed in SEEDS}
        again = {seed: _actions(subject.match(game, seed)) for seed in reversed(SEEDS)}
        cases += sum(bool(first[seed] or again[seed]) for seed in SEEDS)
        if changed := [seed for seed in SEEDS if first[seed] != again[seed]]:
            what = "its randomness does not come from view.rng, or it keeps state of a match"
            yield Finding(
                "seeded", f"{game}: seed {changed[0]}, played again, gives different actions: {what}", severity
            )
            continue
        other = registry.make(subject.id)
        try:
            fresh = _actions(subject.match(game, SEEDS[0], other))
        finally:
            other.close()
        if fresh != first[SEEDS[0]]:
            what = f"{game}: two objects of the player give different actions for seed {SEEDS[0]}"
            yield Finding("seeded", what, severity)
    yield Check("seeded", cases, "matches", lacks="it took no action")


def _actions(episode: Episode) -> list[str]:
    return [turn.action for turn in episode.turns]


def _first_view(game: TextGame, rejected: tuple[Decision, ...] = ()) -> View:
    """Returns the first turn of a match of a game."""
    game.load_task("")
    game.reset(SEEDS[0])
    seat = game.acting[0]
    return View(game, seat, game.spec.seats[seat], game.legal(seat), 7, 0, rejected)


def _listed_view(game: TextGame) -> View | None:
    """Returns the first turn of a match with listed actions; before it, seats play the first example or action."""
    _first_view(game)
    for turn in range(game.spec.max_turns):
        seat = next((seat for seat in game.acting if game.legal(seat)), None)
        if seat is not None:
            return View(game, seat, game.spec.seats[seat], game.legal(seat), 7, turn)
        moves = {seat: next(iter(game.examples(seat)), "") for seat in game.acting}
        if not moves or not all(moves.values()):
            return None
        try:
            game.apply(moves)
        except IllegalAction:
            return None
    return None


def _again(subject: PlayerSubject) -> Findings:
    """It still answers after a refused attempt."""
    cases = 0
    wrong = Decision("an unknown action", "illegal", reason="it is not legal")
    for id, game in subject.games.items():
        view = _first_view(game, (wrong,))
        decision: object = (
            event_loop.run(_await(subject.player, view)) if subject.player.waits else subject.player.act(view)
        )
        cases += 1
        if not isinstance(decision, Decision):
            yield Finding("again", f"{id}: after a refused attempt act returned {decision!r:.60}, not a Decision")
    yield Check("again", cases, "turns")


def _probabilities(subject: PlayerSubject) -> Findings:
    """If it knows its policy, it names a probability for each legal action, and they sum to 1."""
    cases = listed = 0
    for id, game in subject.games.items():
        view = _listed_view(game)
        if view is None:
            continue
        listed += 1
        try:
            policy = event_loop.run(legal_probabilities(subject.player, view))
        except PluginError as error:
            yield Finding("probabilities", f"{id}: {error}")
            continue
        except Exception as error:  # noqa: BLE001  a plugin may raise anything
            yield Finding("probabilities", f"{id}: {type(error).__name__}: {error}")
            continue
        cases += policy is not None
    unknown = "it does not know its policy" if listed and not cases else ""
    yield Check("probabilities", cases, "turns", skipped=unknown, lacks="no turn with listed actions was reached")


async def _await(player: Player, view: View) -> Decision:
    return await player.act_async(view)


def _state(subject: PlayerSubject) -> Findings:
    """It uses no global random generator and does not change the game."""
    for name in sorted(subject.generators):
        yield Finding("state", f"it draws from the global generator {name}; draw from view.rng")
    for where in sorted(subject.changed)[:1]:
        yield Finding("state", f"{where}: act changed the game; read view.game, but play in a copy")
    yield Check("state", len(subject.games), "games")


def _draws(subject: PlayerSubject) -> Findings:
    """It does not draw twice from streams with the same seed: the second draw would repeat the first. A deterministic
    player does not draw.
    """
    cases = 0
    for id, game in subject.games.items():
        view = _first_view(game)
        with _stream_seeds() as seeds:
            try:
                _ = event_loop.run(_await(subject.player, view)) if subject.player.waits else subject.player.act(view)
            except Exception:  # noqa: BLE001  other checks report it
                continue
        cases += 1
        if subject.player.deterministic and seeds:
            what = "it draws random numbers, but says that it is deterministic; remove `deterministic = True`"
            yield Finding("draws", f"{id}: {what}")
        if twice := [seed for seed, times in Counter(seeds).items() if times > 1]:
            what = "two random streams with the same seed in one turn give equal draws; keep one, such as view.rng"
            yield Finding("draws", f"{id}: {what} (seed {twice[0]})")
    yield Check("draws", cases, "turns")


@contextmanager
def _stream_seeds() -> Iterator[list[int]]:
    """The seeds of the streams that are made meanwhile."""
    seeds: list[int] = []
    make = RandomStream.__init__

    def noting(self: RandomStream, seed: int) -> None:
        seeds.append(seed)
        make(self, seed)

    RandomStream.__init__ = noting  # type: ignore[method-assign]
    try:
        yield seeds
    finally:
        RandomStream.__init__ = make  # type: ignore[method-assign]


CHECKS = {
    "supports": _supports,
    "decides": _decides,
    "free text": _free_text,
    "seeded": _seeded,
    "again": _again,
    "probabilities": _probabilities,
    "state": _state,
    "draws": _draws,
}
"""name -> check, in the order of the report"""

__all__ = ["CHECKS", "check_player"]
