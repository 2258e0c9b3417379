"""Correct games with one planted fault each, as an author could make it, and the check that finds it."""

import json
import random
from dataclasses import replace

from games import IllegalAction, Observation, RandomStream, TextGame, make, quote, to_aec
from games.native.bargain import bargain
from tests.toys.correct_games import RANKS, Cards, Haggle, Shells
from tests.toys.faults import having, passing, returning

OTHER = {"player_0": "player_1", "player_1": "player_0", "seller": "buyer", "buyer": "seller"}


def showing(base, lines):
    """Returns a game that shows `lines(game, seat)` too, unless it is empty or None."""
    return returning(base, observe=lambda seen, game, seat: _longer(seen, lines(game, seat)))


def _longer(seen, more):
    return Observation(f"{seen.text}\n{more}", seen.phase) if more else seen


def telling(line):
    """Returns a Haggle that shows messages by `line(speaker, text)`."""

    def observe(game, seat):
        said = (line(who, text) for who, text in game.said)
        return Observation("\n".join([f"Your private worth is {game.private[seat]}.", *said, game.verdict]))

    return having(Haggle, observe=observe)


def reminding(history, late=lambda game, seat: len(game.said) >= 4):
    """Returns a Haggle that quotes messages at first and shows `history(game, seat)` unquoted later."""
    return showing(Haggle, lambda game, seat: history(game, seat) if late(game, seat) else "")


def texts(game, who=""):
    return [text for speaker, text in game.said if who in ("", speaker)]


def deal(game, stream):
    game.hands = dict(zip(game.spec.seats, stream(RANKS), strict=False))


class MaskShowsTheOtherCard(Cards):
    """A secret in infos: the legal actions of one seat depend on the other's card, and infos carry them."""

    def known_outcomes(self):
        return ()

    def legal(self, seat):
        return tuple(f"{a} against the {self.hands[OTHER[seat]]}" for a in super().legal(seat))

    def apply(self, actions):
        seats = {seat: legal for seat in actions if (legal := self.legal(seat))}
        if any(a not in seats.get(s, (a,)) for s, a in actions.items()):
            raise IllegalAction("not listed")
        super().apply({seat: text.split()[0] for seat, text in actions.items()})


class SeededOnce(Cards):
    """Only the first reset creates the generator."""

    stream = None

    def reset(self, seed):
        super().reset(seed)
        self.stream = self.stream or RandomStream(seed)
        deal(self, self.stream.shuffled)


class GloballySeeded(Cards):
    """Later deals come from the global generator."""

    dealt = False

    def reset(self, seed):
        super().reset(seed)
        if self.dealt:
            deal(self, lambda ranks: random.sample(ranks, 2))
        self.dealt = True


class WrongSeatNamed(Cards):
    """The wrong seat is announced, but its actions are not accepted."""

    def reset(self, seed):
        self.inner = Cards()
        self.inner.reset(seed)
        super().reset(seed)

    @property
    def acting(self):
        return tuple(OTHER[seat] for seat in self.inner.acting)

    def apply(self, actions):
        self.inner.apply(actions)


class RefusalChangesTheGame(Haggle):
    """IllegalAction, but the state changes."""

    def apply(self, actions):
        try:
            super().apply(actions)
        except IllegalAction:
            self.private["seller"] += 1
            raise


class NeverEnds(Cards):
    """Passing restarts the game."""

    @property
    def over(self):
        if self.log[-2:] == ["pass", "pass"]:
            self.log.clear()
        return False


class ObserveDrains(Shells):
    """A text is shown only at the first observation."""

    def reset(self, seed):
        super().reset(seed)
        self.news = {seat: ["Welcome."] for seat in self.spec.seats}

    def observe(self, seat):
        news, self.news[seat] = self.news[seat], []
        seen = super().observe(seat)
        return Observation("\n".join([*news, seen.text]), seen.phase)


class HistoryCarriedOver(Haggle):
    """History survives a reset."""

    old = ()

    def apply(self, actions):
        super().apply(actions)
        self.old = tuple(self.said)

    def observe(self, seat):
        return _longer(super().observe(seat), "\n".join(f"{who}: {quote(text)}" for who, text in self.old[:1]))

    def known_outcomes(self):
        return ()


class OffersWordsAsChoices(Haggle):
    """A message of one seat becomes a legal action of another, unquoted."""

    def legal(self, seat):
        legal = super().legal(seat)
        return (*legal, self.said[0][1]) if legal else legal

    def apply(self, actions):
        if len(self.said) == 4 and self.said[0][1] in actions.values():
            actions = dict.fromkeys(actions, "no")
        super().apply(actions)


class RefusesItsOwnAction(Cards):
    """A legal action is refused."""

    def apply(self, actions):
        if "bet" in actions.values() and self.log:
            raise IllegalAction("no betting now")
        super().apply(actions)


class Murmur(Shells):
    """All seats speak at once and see quotations."""

    spec = replace(Shells.spec, id="murmur-v0", payoff="cooperative", max_turns=6)

    def legal(self, seat):
        return None if self.acting else ()

    def examples(self, seat):
        return ("Hello there.", "Good day.") if self.acting else ()

    def apply(self, actions):
        if set(actions) != set(self.acting):
            raise IllegalAction("both speak")
        self.rounds.append(dict(actions))

    def observe(self, seat):
        lines = [f"{who} says {quote(text)}" for said in self.rounds for who, text in said.items()]
        return Observation("\n".join([*lines, "Speak."]), "talk")

    def returns(self):
        return dict.fromkeys(self.spec.seats, 0.0)

    def known_outcomes(self):
        return ()


class OpenSpielKuhn(TextGame):
    """OpenSpiel's Kuhn poker without declarations: only OpenSpiel's state can reveal a fault."""

    def __init__(self):
        self.inner = make("openspiel/kuhn_poker")
        self.spec = self.inner.spec

    def reset(self, seed):
        self.inner.reset(seed)

    @property
    def acting(self):
        return self.inner.acting

    def observe(self, seat):
        return self.inner.observe(seat)

    def legal(self, seat):
        return self.inner.legal(seat)

    def apply(self, actions):
        self.inner.apply(actions)

    def returns(self):
        return self.inner.returns()

    def openspiel_state(self):
        return self.inner.openspiel_state()


class KuhnPlaysOnInTheState(OpenSpielKuhn):
    """`place` keeps the state itself, which exact evaluation then finds moved on."""

    def place(self, state):
        self.state = state
        self.inner.place(state)

    def apply(self, actions):
        if state := getattr(self, "state", None):
            state.apply_action(state.legal_actions()[0])
        self.inner.apply(actions)


class Reminded(bargain):
    """A bargaining game with a coach, prepared for faults in its notes."""

    raw = ()

    def __init__(self):
        super().__init__(rounds=1, coach="seller", games=2)

    def load_task(self, task):
        super().load_task(task)
        self.raw = json.loads(task) if task else []


class KeepsNotesForEver(Reminded):
    """A match without notes shows those of the previous match."""

    def load_task(self, task):
        if task:
            super().load_task(task)


def hint(game):
    cards = game.inner.openspiel_state().history()[:2]
    return f"You have a {'good' if cards[0] < cards[1] else 'bad'} feeling."


def swapped(actions):
    return {OTHER[seat]: text for seat, text in actions.items()}


SeveralPhases = returning(
    Haggle, observe=lambda seen, game, seat: Observation(seen.text, "answer" if game.said else "offer")
)
FLIPPED = returning(Cards, returns=lambda paid, game: {seat: -value for seat, value in paid.items()})
FAULTS = {
    # The eleven faults of DESIGN 4.6.
    "sees the other card": (
        showing(Cards, lambda game, seat: f"(Opponent: {game.hands[OTHER[seat]]})"),
        "secrets: which only player_1 may know",
    ),
    "sees the other card in one branch and one seat": (
        showing(
            Cards,
            lambda game, seat: (
                f"with the {game.hands['player_0']}" if (seat, game.log) == ("player_1", ["bet"]) else ""
            ),
        ),
        "secrets: which only player_0 may know",
    ),
    "sees the other value, which each match has anew": (
        showing(Haggle, lambda game, seat: f"History: {game.private}" if seat == "buyer" else ""),
        "secrets: which only seller may know",
    ),
    "only the number leaks, while the declared secrets are sentences": (
        showing(bargain, lambda game, seat: f"limit={game.data('seller')['position'].private}" * (seat == "buyer")),
        "secrets: which only seller may know",
    ),
    "mask shows the other card": (MaskShowsTheOtherCard, "infos: which only player_1 may know"),
    "sign flipped": (FLIPPED, "outcomes: the sign is flipped"),
    "tells the winner and pays the loser": (
        having(
            showing(FLIPPED, lambda game, seat: game.over and f"You {'won' if game.returns()[seat] < 0 else 'lost'}."),
            known_outcomes=lambda game: (),
        ),
        "outcomes: is told that it",
    ),
    "the house takes a cut": (
        returning(Cards, returns=lambda paid, game: {s: v * 0.9 if v > 0 else v for s, v in paid.items()}),
        "returns: declared is zero_sum with 0",
    ),
    "forfeits pay": (
        having(Haggle, spec=replace(Haggle.spec, returns_range=None)),
        "returns: and a forfeit -1, so forfeiting beats playing; write returns_range=",
    ),
    "one phase is declared and two are played": (
        having(SeveralPhases, one_phase=True),
        "observe: one_phase says 'play', and the observation of",
    ),
    "phase() is not that of the observation": (
        having(SeveralPhases, phase=lambda game, seat: "bid"),
        "observe: phase() gives 'bid', and the observation of",
    ),
    "seeded once": (SeededOnce, "seeds: does not follow its seed"),
    "globally seeded": (GloballySeeded, "seeds: does not follow its seed"),
    "globally seeded from the start": (
        returning(Cards, reset=lambda _, game, seed: deal(game, lambda ranks: random.sample(ranks, 2))),
        "seeds: two fresh games play differently",
    ),
    "the wrong seat acts": (
        returning(Cards, acting=lambda seats, game: tuple(OTHER[seat] for seat in seats)),
        "turns: player_0",
    ),
    "the wrong seat is named": (WrongSeatNamed, "turns: accepted only from player_0"),
    "anybody may act": (
        passing(Cards, apply=lambda game, actions: {s: text for s in game.acting for text in actions.values()}),
        "turns: is accepted",
    ),
    "a missing seat passes": (
        passing(Shells, apply=lambda game, actions: {seat: actions.get(seat, "rock") for seat in game.acting}),
        "turns: is accepted",
    ),
    "takes anything": (
        passing(Cards, apply=lambda _, actions: {s: a if a in ("pass", "bet") else "pass" for s, a in actions.items()}),
        "illegal: is accepted",
    ),
    "takes extra words": (
        passing(
            Cards,
            apply=lambda _, actions: {s: next((w for w in ("bet", "pass") if w in a), a) for s, a in actions.items()},
        ),
        "illegal: is accepted",
    ),
    "never ends": (NeverEnds, "ends: no end after spec.max_turns = 3"),
    "observe fails for others": (
        returning(Cards, observe=lambda seen, game, seat: seen if game.acting.index(seat) == 0 else None),
        "observe: player_1 (not acting, seed",
    ),
    "history is carried over": (HistoryCarriedOver, "reset: survives the reset"),
    "speaks unquoted": (telling(lambda who, text: f"{who} says: {text}"), "speech: the forged line"),
    "filters tags once": (
        telling(lambda who, text: f"{who} says: {' '.join(text.split()).replace('[GAME]', '')[:500]}"),
        "speech: [GAME]",
    ),
    "lets template tokens through": (
        telling(lambda who, text: f"{who} says: {' '.join(text.split())[:500]!r}".replace("[", "(")),
        "speech: the token '<|im_start|>'",
    ),
    # Forged messages that are shown later or elsewhere.
    "has no room for what it shows": (
        having(Haggle, spec=replace(Haggle.spec, prompt_bytes=1000)),
        "prompts: bytes; spec.prompt_bytes allows 1,000",
    ),
    "reminds later": (
        reminding(lambda game, seat: "So far:\n" + "\n".join(f"{who}: {text}" for who, text in game.said)),
        "speech: that seller wrote at turn",
    ),
    "reminds in capitals": (
        reminding(lambda game, seat: "\n".join(f"{who}: {text}" for who, text in game.said).upper()),
        "speech: is shown",
    ),
    "reminds line by line": (
        reminding(lambda game, seat: "\n".join(" ".join(t.split()).replace(". ", ".\n") for t in texts(game))),
        "speech: that seller wrote at turn",
    ),
    "reminds one seat after the match": (
        reminding(
            lambda game, seat: "\n".join(f"{who}: {text}" for who, text in game.said),
            lambda game, seat: game.verdict and seat == "seller",
        ),
        "speech: seller is shown",
    ),
    "reminds the speaker": (
        reminding(
            lambda game, seat: "\n".join(text for who, text in game.said[:-1] if who == seat), lambda game, seat: True
        ),
        "speech: is shown",
    ),
    "reminds of one seat": (
        reminding(lambda game, seat: "\n".join(text if who == "buyer" else quote(text) for who, text in game.said)),
        "speech: that buyer wrote at turn",
    ),
    "removes line feeds only": (
        telling(lambda who, text: f"{who} says: {text[:300]!s}".replace("\n", " ").replace("[", "(").replace("<", "(")),
        "speech: the forged line",
    ),
    "offers words as choices": (OffersWordsAsChoices, "speech: buyer is shown"),
    "shows the second of two seats that speak at once": (
        showing(Murmur, lambda game, seat: "\n".join(said["player_1"] for said in game.rounds[:-1])),
        "speech: that player_1 wrote at turn 0",
    ),
    # Faults in a game without declarations, found by comparison with OpenSpiel's state.
    "shows OpenSpiel's history": (
        having(
            OpenSpielKuhn,
            observe=lambda game, seat: _longer(game.inner.observe(seat), str(game.inner.openspiel_state())),
        ),
        "secrets: have one information state",
    ),
    "hints at the card": (
        having(
            OpenSpielKuhn,
            observe=lambda game, seat: _longer(game.inner.observe(seat), hint(game) if seat == "player_1" else "-"),
        ),
        "secrets: player_1 is shown more than it may know",
    ),
    "pays the loser": (
        having(OpenSpielKuhn, returns=lambda game: {seat: -value for seat, value in game.inner.returns().items()}),
        "outcomes: OpenSpiel's are",
    ),
    "plays on in the state": (KuhnPlaysOnInTheState, "exact: continue from a copy"),
    "is placed elsewhere": (having(OpenSpielKuhn, place=lambda game, state: game.inner.reset(0)), "exact: place()"),
    "names no move": (
        having(OpenSpielKuhn, from_openspiel=lambda game, text: text.lower()),
        "exact: they differ in 'Bet'",
    ),
    "swaps seats": (
        having(
            OpenSpielKuhn,
            acting=property(lambda game: tuple(OTHER[seat] for seat in game.inner.acting)),
            legal=lambda game, seat: game.inner.legal(OTHER[seat]),
            apply=lambda game, actions: game.inner.apply(swapped(actions)),
        ),
        "turns: by OpenSpiel ('player_0',) must act",
    ),
    # Other faults that api_test and seed_test do not find.
    "no limit on words": (
        showing(Haggle, lambda game, _: "\n".join("| " + t.replace("\n", " ") for t in texts(game) if len(t) > 9999)),
        "speech: flood",
    ),
    "crashes on nonsense": (
        passing(
            Cards, apply=lambda _, actions: {s: ("pass", "bet")[("pass", "bet").index(a)] for s, a in actions.items()}
        ),
        "illegal: raises ValueError, not IllegalAction",
    ),
    "a refusal changes the game": (RefusalChangesTheGame, "illegal: changes the game"),
    "observe drains": (ObserveDrains, "observe: observed again"),
    "repeats an action": (returning(Cards, legal=lambda legal, game, seat: legal * 2), "legal: repeats an action"),
    "refuses its own action": (RefusesItsOwnAction, "legal: refuses its own legal action"),
    "no rules": (having(Cards, spec=replace(Cards.spec, rules=" ")), "spec: rules are empty"),
    "alone among strangers": (
        having(Cards, spec=replace(Cards.spec, strangers=True)),
        "spec: strangers needs teams of seats with one role each",
    ),
    "names another seat": (
        returning(Cards, returns=lambda paid, game: {seat.upper(): value for seat, value in paid.items()}),
        "returns: expected a number for each of the seats",
    ),
    "tells the buyer the notes": (
        showing(Reminded, lambda game, seat: "\n".join(map(quote, game.raw)) if seat == "buyer" else ""),
        "notes: buyer is shown notes of another seat",
    ),
    "shows notes unquoted": (
        showing(Reminded, lambda game, seat: "\n".join(game.raw) if seat == "coach" else ""),
        "notes: coach is shown a forged line; show each note through games.quote",
    ),
    "keeps notes for ever": (KeepsNotesForEver, "notes: still shown"),
}
"""name -> the game, the check that must find the fault and words of its message"""


def aec_with_secret_infos(game):
    """An environment that shows all hands to every agent."""
    env = to_aec(game)
    plain = env.step, env.reset

    def tell():
        for agent in env.agents:
            env.infos[agent]["debug"] = [game.secrets(seat) for seat in game.spec.seats]

    def step(action):
        plain[0](action)
        tell()

    def reset(seed=None, options=None):
        plain[1](seed=seed, options=options)
        tell()

    env.step, env.reset = step, reset
    return env


def aec_with_last_words_in_infos(game):
    """An environment that puts the first messages, unquoted, into infos several turns later."""
    env = to_aec(game)
    plain = env.step
    said = []

    def step(action):
        said.append(action)
        plain(action)
        if len(said) > 3:
            for agent in env.agents:
                env.infos[agent]["log"] = {"said": list(said[:2])}

    env.step = step
    return env
