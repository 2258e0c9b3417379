"""Games with a hidden move, each with leaks and without."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games import GameSpec, IllegalAction, Observation, TextGame, quote, to_aec

WORDS = ("apple", "grape", "melon", "peach", "lemon")
Leak = Callable[[Any, str, str], str]
"""(game, reader, hidden text) -> what the reader is shown besides"""


class HiddenMove(TextGame):
    """The first seat makes a hidden move; the others then act in turn, each twice. `leak` shows what it should not."""

    seats: Mapping[str, str] = {"a": "boss", "b": "worker", "c": "worker"}
    spec = GameSpec("boss-v0", seats, "cooperative", "The boss picks a word. The workers guess it.", max_turns=5)
    order = ("a", "b", "c", "b", "c")
    options: tuple[str, ...] | None = WORDS
    leak: Leak = staticmethod(lambda game, reader, hidden: "")

    def reset(self, seed: int) -> None:
        self.log: list[tuple[str, str]] = []

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.order[len(self.log)],) if len(self.log) < len(self.order) else ()

    def observe(self, seat: str) -> Observation:
        lines = ["Your turn." if seat in self.acting else "Wait."]
        lines += [f"{who}: {quote(text)}" for who, text in self.log[1:]]
        if self.log and (seat == "a" or not self.acting):
            lines.append(f"The word is {quote(self.hidden)}.")
        elif self.log:
            lines.append(type(self).leak(self, seat, self.hidden))
        return Observation("\n".join(lines))

    @property
    def hidden(self) -> str:
        return self.log[0][1]

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return self.options if seat in self.acting else ()

    def examples(self, seat: str) -> tuple[str, ...]:
        return self.options or WORDS[:2] if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        if tuple(actions) != self.acting:
            raise IllegalAction(f"{self.acting} must act")
        ((seat, text),) = actions.items()
        if self.options and text not in self.options:
            raise IllegalAction("choose a listed word", seat)
        self.log.append((seat, text))

    def returns(self) -> Mapping[str, float]:
        right = bool(self.log) and any(text == self.hidden for _, text in self.log[1:])
        return dict.fromkeys(self.spec.seats, float(right))

    def secrets(self, seat: str) -> tuple[str, ...]:
        return (self.hidden,) if seat == "a" and self.log and self.acting else ()


def hiding(name: str, options: Sequence[str] | None, form: Callable[[str], str] = str) -> type[HiddenMove]:
    """Returns the game with other hidden moves, whose declared secrets have this form."""

    def secrets(self: HiddenMove, seat: str) -> tuple[str, ...]:
        return tuple(map(form, HiddenMove.secrets(self, seat)))

    return type(name, (HiddenMove,), {"options": options and tuple(options), "secrets": secrets})


FreeWord = hiding("FreeWord", None)
SealedBid = hiding("SealedBid", "12345")
"""single digits, from which a search for words can tell little"""
OneLetter = hiding("OneLetter", "abcde", "Your letter is {}.".format)
SpelledBid = hiding("SpelledBid", ("I bid five", "I bid six", "I bid seven"), lambda text: text.split()[-1])
Placement = hiding("Placement", ("A1", "A2", "B1", "B2"), lambda text: f"ship at {text[0].lower()}-{text[1]}")
"""a place on a board; the declared secret is written differently"""
Vote = hiding("Vote", ("guilty", "innocent"))


class QuestionWithAnswer(HiddenMove):
    """A message with a public and a hidden part."""

    options = None

    def examples(self, seat: str) -> tuple[str, ...]:
        return ("Which is more, 9 or 12? <answer>12</answer>", "What is 2 + 3? <answer>5</answer>")

    def observe(self, seat: str) -> Observation:
        seen = super().observe(seat)
        question = self.log[0][1].partition("<")[0] if self.log else ""
        return Observation(f"{quote(question)}\n{seen.text}")

    @property
    def hidden(self) -> str:
        return self.log[0][1].rpartition("<answer>")[2].removesuffix("</answer>")


class Battleship(Placement):
    """The game answers every shot: hit or miss."""

    def observe(self, seat: str) -> Observation:
        shots = [text == self.hidden for who, text in self.log[1:]]
        return Observation("\n".join([super().observe(seat).text, *("hit" if hit else "miss" for hit in shots)]))


class Hangman(HiddenMove):
    """All may know the length of the word."""

    options = ("fig", "plum", "pear", "kiwi", "date")

    def observe(self, seat: str) -> Observation:
        length = f"{len(self.hidden)} letters" if self.log else ""
        return Observation(f"{super().observe(seat).text}\n{length}")

    def disclosure(self, seat: str) -> str:
        return str(len(self.hidden)) if seat == "a" and self.log else ""


class Partners(HiddenMove):
    """The boss tells its word to one worker."""

    def secrets(self, seat: str) -> tuple[str, ...]:
        return super().secrets("a") if seat in ("a", "c") else ()

    def observe(self, seat: str) -> Observation:
        seen = super().observe(seat)
        return Observation(f"{seen.text}\nThe boss whispers {self.hidden}.") if seat == "c" and self.log else seen


class Rounds(HiddenMove):
    """All seats bid at once, three times; the winner of each round is named, the bids stay secret until the end."""

    options = ("1", "2", "3")

    @property
    def acting(self) -> tuple[str, ...]:
        return tuple(self.spec.seats) if len(self.log) < 9 else ()

    def bids(self, seat: str) -> list[str]:
        return [text for who, text in self.log if who == seat]

    def observe(self, seat: str) -> Observation:
        rounds = [self.log[i : i + 3] for i in range(0, len(self.log), 3)]
        won = [f"{max(bids, key=lambda bid: bid[::-1])[0]} won" for bids in rounds]
        shown = [f"your bid {text}" for text in self.bids(seat)]
        return Observation("\n".join(["Bid.", *won, *shown, type(self).leak(self, seat, "")]))

    def apply(self, actions: Mapping[str, str]) -> None:
        if set(actions) != set(self.acting) or not set(actions.values()) <= set(self.options or ()):
            raise IllegalAction("all bid 1, 2 or 3", next(iter(actions), None))
        self.log += [(seat, actions[seat]) for seat in self.acting]

    def returns(self) -> Mapping[str, float]:
        return dict.fromkeys(self.spec.seats, 0.0)

    def secrets(self, seat: str) -> tuple[str, ...]:
        return tuple(f"your bid {text}" for text in self.bids(seat)) if self.acting else ()

    spec = GameSpec("rounds-v0", HiddenMove.seats, "cooperative", "Bid three times.", max_turns=9)


class OpenMoves(HiddenMove):
    """All moves are public."""

    leak = staticmethod(lambda game, reader, hidden: f"a: {hidden}")

    def secrets(self, seat: str) -> tuple[str, ...]:
        return ()


CLEAN = (FreeWord, HiddenMove, SealedBid, OneLetter, SpelledBid, Placement, Vote, QuestionWithAnswer, Battleship,
         Hangman, Partners, Rounds)  # fmt: skip

LEAKS: dict[str, Leak] = {
    "verbatim": lambda game, reader, hidden: f"(debug: {hidden})",
    "only the hidden word": lambda game, reader, hidden: hidden.split()[-1],
    "in capitals": lambda game, reader, hidden: hidden.upper(),
    "with spaces": lambda game, reader, hidden: " ".join(hidden),
    "reversed": lambda game, reader, hidden: hidden[::-1],
    "one bit of it": lambda game, reader, hidden: "high" if hidden > "m" or hidden in "345" else "low",
    "its place in the list": lambda game, reader, hidden: str(sum(map(ord, hidden))),
    "to one seat": lambda game, reader, hidden: hidden if reader == "c" else "",
}
LATE_LEAKS: dict[str, Leak] = {
    "at turn 3": lambda game, reader, hidden: hidden if len(game.log) == 3 else "",
    "at turn 3 to one seat": lambda game, reader, hidden: hidden if len(game.log) == 3 and reader == "b" else "",
    "at turn 3 in capitals": lambda game, reader, hidden: hidden.upper() if len(game.log) == 3 else "",
}


def leaking(game: type[HiddenMove], leak: Leak) -> TextGame:
    """The game with a leak."""
    return type(f"Leaking{game.__name__}", (game,), {"leak": staticmethod(leak)})()


def aec_with_hidden_move(game: TextGame) -> Any:
    """An environment that shows the last action in every info."""
    env = to_aec(game)
    step = env.step

    def showing(action: str | None) -> None:
        step(action)
        for agent in env.agents:
            env.infos[agent]["last"] = action

    env.step = showing
    return env
