"""Correct games with one planted fault each, as an author could make it."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from games import IllegalAction, Observation, TextGame, make, to_aec
from games.native.bargain import bargain
from games.quoting import quote
from games.randomness import RandomStream
from tests.games.toys import RANKS, Cards, Haggle, Shells

OTHER = {"player_0": "player_1", "player_1": "player_0", "seller": "buyer", "buyer": "seller"}


class SeesTheOtherCard(Cards):
    """Another seat's secret in an observation: a debug line was left in."""

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(seen, text=f"{seen.text}\n(Opponent: {self.hands[OTHER[seat]]})")


class SeesTheOtherCardAfterABet(Cards):
    """The same leak in one branch of the game only, and only for one seat."""

    def observe(self, seat):
        seen = super().observe(seat)
        if seat == "player_1" and self.log == ["bet"]:
            return replace(seen, text=f"{seen.text} with the {self.hands['player_0']}")
        return seen


class SeesTheOtherValue(Haggle):
    """A secret with many possible values: each match has its own."""

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(seen, text=f"{seen.text}\nHistory: {self.private}" if seat == "buyer" else seen.text)


class MaskShowsTheOtherCard(Cards):
    """A secret in infos: the legal actions of one seat depend on the other's card, and infos carry them."""

    def known_outcomes(self):
        return ()

    def legal(self, seat):
        legal = super().legal(seat)
        return tuple(f"{a} against the {self.hands[OTHER[seat]]}" for a in legal)

    def apply(self, actions):
        seats = {seat: legal for seat in actions if (legal := self.legal(seat))}
        if any(a not in seats.get(s, (a,)) for s, a in actions.items()):
            raise IllegalAction("not listed")
        super().apply({seat: text.split()[0] for seat, text in actions.items()})


def aec_with_secret_infos(game):
    """A secret in infos: the environment shows all hands to every agent."""
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


class SignFlipped(Cards):
    """Returns with the sign flipped."""

    def returns(self):
        return {seat: -value for seat, value in super().returns().items()}


class TellsTheWinnerAndPaysTheLoser(SignFlipped):
    """The same fault in a game without known outcomes that tells its seats who won."""

    def known_outcomes(self):
        return ()

    def observe(self, seat):
        seen = super().observe(seat)
        if not self.over:
            return seen
        return replace(seen, text=f"{seen.text}\nYou {'won' if self.returns()[seat] < 0 else 'lost'}.")


class HouseTakesACut(Cards):
    """Payoffs that do not sum to the declared sum."""

    def returns(self):
        return {seat: value * 0.9 if value > 0 else value for seat, value in super().returns().items()}


class ForfeitsPay(Haggle):
    """No range: a forfeit pays -1, less than honest play loses."""

    spec = replace(Haggle.spec, returns_range=None)


class SeededOnce(Cards):
    """An unseeded second episode: only the first reset creates the generator."""

    stream = None

    def reset(self, seed):
        super().reset(seed)
        self.stream = self.stream or RandomStream(seed)
        self.hands = dict(zip(self.spec.seats, self.stream.shuffled(RANKS), strict=False))


class GloballySeeded(Cards):
    """An unseeded second episode: later deals come from the global generator."""

    dealt = False

    def reset(self, seed):
        super().reset(seed)
        if self.dealt:
            self.hands = dict(zip(self.spec.seats, random.sample(RANKS, 2), strict=False))
        self.dealt = True


class GloballySeededAlways(Cards):
    """The global generator from the start."""

    def reset(self, seed):
        super().reset(seed)
        self.hands = dict(zip(self.spec.seats, random.sample(RANKS, 2), strict=False))


class WrongSeatActs(Cards):
    """The wrong seat acting, consistently: acting, legal and apply all agree on it."""

    @property
    def acting(self):
        return tuple(OTHER[seat] for seat in super().acting)


class WrongSeatNamed(Cards):
    """The wrong seat acting: announced, but its actions are not accepted."""

    def reset(self, seed):
        self.inner = Cards()
        self.inner.reset(seed)
        super().reset(seed)

    @property
    def acting(self):
        return tuple(OTHER[seat] for seat in self.inner.acting)

    def apply(self, actions):
        self.inner.apply(actions)


class AnybodyMayAct(Cards):
    """The wrong seat acting: an action of a seat out of turn is accepted."""

    def apply(self, actions):
        super().apply({seat: text for seat in self.acting for text in actions.values()})


class MissingSeatPasses(Shells):
    """A simultaneous move without the choice of one seat is accepted."""

    def apply(self, actions):
        super().apply({seat: actions.get(seat, "rock") for seat in self.acting})


class TakesAnything(Cards):
    """An illegal text silently accepted: it plays the first legal action."""

    def apply(self, actions):
        super().apply({s: a if a in ("pass", "bet") else "pass" for s, a in actions.items()})


class TakesExtraWords(Cards):
    """An illegal text silently accepted: any text that contains a legal action."""

    def apply(self, actions):
        super().apply({s: next((w for w in ("bet", "pass") if w in a), a) for s, a in actions.items()})


class CrashesOnNonsense(Cards):
    """A wrong exception for an illegal text."""

    def apply(self, actions):
        super().apply({s: ("pass", "bet")[("pass", "bet").index(a)] for s, a in actions.items()})


class RefusalChangesTheGame(Haggle):
    """IllegalAction, but the state changes."""

    def apply(self, actions):
        try:
            super().apply(actions)
        except IllegalAction:
            self.private["seller"] += 1
            raise


class NeverEnds(Cards):
    """A game that never ends: passing restarts it."""

    @property
    def over(self):
        if self.log[-2:] == ["pass", "pass"]:
            self.log.clear()
        return False


class ObserveFailsForOthers(Cards):
    """`observe` failing for a seat that is not acting."""

    def observe(self, seat):
        self.acting.index(seat)
        return super().observe(seat)


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
    """History that survives a reset."""

    old = ()

    def apply(self, actions):
        super().apply(actions)
        self.old = tuple(self.said)

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(seen, text="\n".join([*(f"{w}: {quote(t)}" for w, t in self.old[:1]), seen.text]))

    def known_outcomes(self):
        return ()


class SpeaksUnquoted(Haggle):
    """A forged speaker tag reaches another seat: observations contain messages unchanged."""

    def observe(self, seat):
        lines = [
            f"Your private worth is {self.private[seat]}.",
            *(f"{w} says: {t}" for w, t in self.said),
            self.verdict,
        ]
        return Observation("\n".join(lines))


class SaysLessThanItShows(Haggle):
    """Its spec has room for the examples, not for messages as long as others read them."""

    spec = replace(Haggle.spec, prompt_bytes=1000)


class FiltersTagsOnce(Haggle):
    """Tags are removed once, so [GAME[GAME]] becomes [GAME]."""

    def observe(self, seat):
        said = (f"{w} says: {' '.join(t.split()).replace('[GAME]', '')[:500]}" for w, t in self.said)
        return Observation("\n".join([f"Your private worth is {self.private[seat]}.", *said, self.verdict]))


class LetsTemplateTokensThrough(Haggle):
    """One line for each message, but tokens of a chat template survive."""

    def observe(self, seat):
        said = (f"{w} says: {' '.join(t.split())[:500]!r}".replace("[", "(") for w, t in self.said)
        return Observation("\n".join([f"Your private worth is {self.private[seat]}.", *said, self.verdict]))


class NoLimitOnWords(Haggle):
    """A message can fill the whole context of the other seat."""

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(
            seen, text=seen.text + "".join("\n| " + t.replace("\n", " ") for _, t in self.said if len(t) > 9999)
        )


class RemindsLater(Haggle):
    """Messages are quoted at first, but unquoted in a history that is shown several turns later."""

    def history(self):
        return "\n".join(f"{who}: {text}" for who, text in self.said)

    def observe(self, seat):
        seen = super().observe(seat)
        return seen if len(self.said) < 4 else replace(seen, text=f"{seen.text}\nSo far:\n{self.history()}")


class RemindsInCapitals(RemindsLater):
    """The same history in capitals."""

    def history(self):
        return super().history().upper()


class RemindsLineByLine(RemindsLater):
    """The same history without line feeds, split into sentences."""

    def history(self):
        return "\n".join(" ".join(text.split()).replace(". ", ".\n") for _, text in self.said)


class RemindsOneSeat(RemindsLater):
    """The same history, only in one seat's view after the match."""

    def observe(self, seat):
        seen = Haggle.observe(self, seat)
        return replace(seen, text=f"{seen.text}\n{self.history()}") if self.verdict and seat == "seller" else seen


class RemindsTheSpeaker(RemindsLater):
    """A seat is shown its own earlier messages unquoted."""

    def observe(self, seat):
        seen = Haggle.observe(self, seat)
        own = "\n".join(text for who, text in self.said[:-1] if who == seat)
        return replace(seen, text=f"{seen.text}\n{own}")


class RemindsOfOneSeat(RemindsLater):
    """Only the second speaker's messages are unquoted."""

    def history(self):
        return "\n".join(text if who == "buyer" else quote(text) for who, text in self.said)


class RemovesLineFeedsOnly(Haggle):
    """Only line feeds are removed; other characters break lines too."""

    def observe(self, seat):
        said = (f"{w} says: {t[:300]!s}".replace("\n", " ").replace("[", "(").replace("<", "(") for w, t in self.said)
        return Observation("\n".join([f"Your private worth is {self.private[seat]}.", *said, self.verdict]))


class OffersWordsAsChoices(Haggle):
    """A message of one seat becomes a legal action of another, unquoted."""

    def legal(self, seat):
        legal = super().legal(seat)
        return (*legal, self.said[0][1]) if legal else legal

    def apply(self, actions):
        if len(self.said) == 4 and self.said[0][1] in actions.values():
            actions = dict.fromkeys(actions, "no")
        super().apply(actions)


class Murmur(Shells):
    """All seats speak at once and see quotations; later the second seat's message is unquoted."""

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


class MurmurShowsTheSecondSeat(Murmur):
    """The unquoted message of a seat that is not the first to act."""

    def observe(self, seat):
        seen = super().observe(seat)
        old = [said["player_1"] for said in self.rounds[:-1]]
        return replace(seen, text="\n".join([seen.text, *old]))


def aec_with_last_words_in_infos(game):
    """The environment puts the first message, unquoted, into infos several turns later."""
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


class RepeatsAnAction(Cards):
    """The same legal action twice."""

    def legal(self, seat):
        return super().legal(seat) * 2


class RefusesItsOwnAction(Cards):
    """A legal action that is refused."""

    def apply(self, actions):
        if "bet" in actions.values() and self.log:
            raise IllegalAction("no betting now")
        super().apply(actions)


class NoRules(Cards):
    """Empty rules."""

    spec = replace(Cards.spec, rules=" ")


class AloneAmongStrangers(Cards):
    """Seats of strangers without teams."""

    spec = replace(Cards.spec, strangers=True)


class NamesAnotherSeat(Cards):
    """Returns of seats that do not exist."""

    def returns(self):
        return {seat.upper(): value for seat, value in super().returns().items()}


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


class KuhnShowsTheHistory(OpenSpielKuhn):
    """OpenSpiel's text of the whole state as an observation: the most common leak."""

    def observe(self, seat):
        return Observation(f"{self.inner.observe(seat).text}\n{self.inner.openspiel_state()}")


class KuhnHintsAtTheCard(OpenSpielKuhn):
    """A leak without the name of a card: whether the other card is higher."""

    def observe(self, seat):
        cards = self.openspiel_state().history()[:2]
        hint = "good" if cards[0] < cards[1] else "bad"
        return Observation(
            f"{self.inner.observe(seat).text}\nYou have a {hint} feeling." if seat == "player_1" else "-"
        )


class KuhnPaysTheLoser(OpenSpielKuhn):
    """Returns with the sign flipped."""

    def returns(self):
        return {seat: -value for seat, value in self.inner.returns().items()}


class KuhnPlaysOnInTheState(OpenSpielKuhn):
    """`place` keeps the state itself, which exact evaluation then finds moved on."""

    def place(self, state):
        self.state = state
        self.inner.place(state)

    def apply(self, actions):
        if state := getattr(self, "state", None):
            state.apply_action(state.legal_actions()[0])
        self.inner.apply(actions)


class KuhnIsPlacedElsewhere(OpenSpielKuhn):
    """`place` forgets the cards."""

    def place(self, state):
        self.inner.reset(0)


class KuhnNamesNoMove(OpenSpielKuhn):
    """`from_openspiel` gives texts that are not legal."""

    def from_openspiel(self, text):
        return text.lower()


class KuhnSwapsSeats(OpenSpielKuhn):
    """The wrong seat acting, consistently everywhere."""

    @property
    def acting(self):
        return tuple(OTHER[seat] for seat in self.inner.acting)

    def legal(self, seat):
        return self.inner.legal(OTHER[seat])

    def apply(self, actions):
        self.inner.apply({OTHER[seat]: text for seat, text in actions.items()})


class BargainTellsTheCost(bargain):
    """Only the number leaks, while the declared secrets are sentences."""

    def observe(self, seat):
        seen = super().observe(seat)
        number = self.data("seller")["position"].private
        return replace(seen, text=f"{seen.text}\nlimit={number}" if seat == "buyer" else seen.text)


class Reminded(bargain):
    """A bargaining game with a coach, prepared for faults in its notes."""

    raw = ()

    def __init__(self):
        super().__init__(rounds=1, coach="seller", games=2)

    def load_task(self, task):
        super().load_task(task)
        self.raw = json.loads(task) if task else []


class TellsTheBuyerTheNotes(Reminded):
    """Notes shown to the wrong seat."""

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(seen, text="\n".join([seen.text, *map(quote, self.raw)])) if seat == "buyer" else seen


class ShowsNotesUnquoted(Reminded):
    """The notes of a coach are shown unquoted."""

    def observe(self, seat):
        seen = super().observe(seat)
        return replace(seen, text="\n".join([seen.text, *self.raw])) if seat == "coach" else seen


class KeepsNotesForEver(Reminded):
    """A match without notes shows those of the previous match."""

    def load_task(self, task):
        if task:
            super().load_task(task)
