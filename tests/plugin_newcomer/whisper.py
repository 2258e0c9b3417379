"""whisper-v0: a writer describes an animal, a courier passes the message on in few words, a reader guesses."""

import random

from games import GameSpec, IllegalAction, Observation, TextGame, quote, register
from roles import Role
from roles import register as register_role

ANIMALS = ("cat", "cow", "duck", "frog", "horse", "snake")
SEATS = {"writer": "writer", "courier": "courier", "reader": "reader"}
WORDS = 5


@register("whisper-v0")
class Whisper(TextGame):
    rules = (
        f"The writer receives one of these animals: {', '.join(ANIMALS)}. It writes a message without naming it. The "
        f"courier passes the message on in its own words, at most {WORDS}. The reader guesses the animal. All players "
        "get 1 if the guess is right, else 0."
    )
    spec = GameSpec("whisper-v0", SEATS, "cooperative", rules, max_turns=3, returns_range=(0, 1))

    def reset(self, seed):
        self.animal = random.Random(seed).choice(ANIMALS)
        self.said = []
        self.guess = ""

    @property
    def acting(self):
        return () if self.guess else (list(SEATS)[len(self.said)],)

    def observe(self, seat):
        if seat == "writer":
            return Observation(f"The animal is: {self.animal}.", "write")
        heard = self.said[0 if seat == "courier" else 1 :]
        return Observation(f"You hear: {heard[0]}" if heard else "You hear nothing yet.", "listen")

    def legal(self, seat):
        if seat not in self.acting:
            return ()
        return ANIMALS if seat == "reader" else None

    def examples(self, seat):
        if seat == "reader" or seat not in self.acting:
            return self.legal(seat)
        return ("It says moo.", "It lives in a pond.", "It has no legs.")

    def apply(self, actions):
        ((seat, text),) = actions.items()
        if seat not in self.acting or (seat == "reader" and text not in ANIMALS):
            raise IllegalAction(f"it is the turn of {self.acting}; the reader names one of {ANIMALS}")
        if seat == "courier" and len(text.split()) > WORDS:
            raise IllegalAction(f"at most {WORDS} words")
        if seat == "writer" and self.animal in text.lower().split():
            raise IllegalAction("do not name the animal")
        if seat == "reader":
            self.guess = text
        else:
            self.said.append(quote(text))

    def returns(self):
        return dict.fromkeys(SEATS, float(self.guess == self.animal))

    def facts(self):
        return {"animal": self.animal, "words": len(self.said[1].split())}

    def secrets(self, seat):
        return (f"The animal is: {self.animal}.",) if seat == "writer" else ()


@register_role("courier")
class Courier(Role):
    """The credit is the return minus 0.1 for each word it used."""

    name = "courier"

    def credit(self, episode, seat):
        return episode.returns[seat] - 0.1 * episode.facts.get("words", 0)
