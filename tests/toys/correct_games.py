"""Three small correct games; `faulty_games` plants faults into them."""

from collections.abc import Mapping, Sequence

from games import GameSpec, IllegalAction, KnownOutcome, Observation, RandomStream, TextGame, quote

RANKS = ("jack", "queen", "king")


def only(actions: Mapping[str, str], acting: tuple[str, ...]) -> None:
    """Raise IllegalAction unless exactly the acting seats act."""
    if set(actions) != set(acting):
        raise IllegalAction(f"{', '.join(acting)} must act, not {', '.join(actions) or 'nobody'}")


class Cards(TextGame):
    """Kuhn poker: hidden cards, turns, zero sum."""

    spec = GameSpec(
        id="cards-v0",
        seats={"player_0": "first", "player_1": "second"},
        payoff="zero_sum",
        rules="Each player holds one card of jack, queen, king. Pass or bet; after a bet, pass folds. High card wins.",
        max_turns=3,
        returns_range=(-2.0, 2.0),
    )

    def reset(self, seed: int) -> None:
        self.hands = dict(zip(self.spec.seats, RandomStream(seed).shuffled(RANKS), strict=False))
        self.log: list[str] = []

    @property
    def over(self) -> bool:
        return "".join(w[0] for w in self.log) in ("pp", "pbp", "pbb", "bp", "bb")

    @property
    def acting(self) -> tuple[str, ...]:
        return () if self.over else (f"player_{len(self.log) % 2}",)

    def observe(self, seat: str) -> Observation:
        lines = [f"The deck is {', '.join(RANKS)}. You hold the {self.hands[seat]}."]
        lines += [f"player_{i % 2}: {word}" for i, word in enumerate(self.log)]
        if self.over:
            lines.append(f"The cards were {self.hands}." if self.log[-1] == "bet" else "The match is over.")
        return Observation("\n".join(lines))

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return ("pass", "bet") if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        only(actions, self.acting)
        (action,) = actions.values()
        if action not in ("pass", "bet"):
            raise IllegalAction(f"{action!r} is not pass or bet")
        self.log.append(action)

    def returns(self) -> Mapping[str, float]:
        if not self.over:
            return dict.fromkeys(self.spec.seats, 0.0)
        word = "".join(w[0] for w in self.log)
        best = max(self.hands, key=lambda s: RANKS.index(self.hands[s]))
        winner = {"bp": "player_0", "pbp": "player_1"}.get(word, best)
        stake = 2.0 if word.endswith("bb") else 1.0
        return {seat: stake if seat == winner else -stake for seat in self.spec.seats}

    def secrets(self, seat: str) -> tuple[str, ...]:
        return () if self.over else (self.hands[seat],)

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        # A player who folds loses 1 with any cards.
        first, second = {"player_0": "bet"}, {"player_1": "pass"}
        return (
            KnownOutcome(5, (first, second), {"player_0": 1.0, "player_1": -1.0}),
            KnownOutcome(
                6,
                ({"player_0": "pass"}, {"player_1": "bet"}, {"player_0": "pass"}),
                {"player_0": -1.0, "player_1": 1.0},
            ),
        )


class Shells(TextGame):
    """Three rounds of rock, paper, scissors with simultaneous choices; each round has a random public stake."""

    WINS = (("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"))
    spec = GameSpec(
        id="shells-v0",
        seats={"player_0": "player", "player_1": "player"},
        payoff="zero_sum",
        rules="Rock beats scissors, scissors beats paper, paper beats rock. Three rounds.",
        max_turns=6,
        returns_range=(-9.0, 9.0),
    )

    def reset(self, seed: int) -> None:
        stream = RandomStream(seed)
        self.stakes = [1 + stream.below(3) for _ in range(3)]
        self.rounds: list[dict[str, str]] = []

    @property
    def acting(self) -> tuple[str, ...]:
        return tuple(self.spec.seats) if len(self.rounds) < 3 else ()

    def observe(self, seat: str) -> Observation:
        lines = [f"Round {i + 1}: {r['player_0']} against {r['player_1']}" for i, r in enumerate(self.rounds)]
        if self.acting:
            lines.append(f"Round {len(lines) + 1} is worth {self.stakes[len(lines)]}.")
        return Observation("\n".join(lines), "throw")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return ("rock", "paper", "scissors") if self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        only(actions, self.acting)
        for seat, action in actions.items():
            if action not in ("rock", "paper", "scissors"):
                raise IllegalAction(f"{action!r} is not rock, paper or scissors", seat)
        self.rounds.append(dict(actions))

    def returns(self) -> Mapping[str, float]:
        total = 0.0
        for stake, played in zip(self.stakes, self.rounds, strict=False):
            pair = played["player_0"], played["player_1"]
            total += stake * ((pair in self.WINS) - (pair[::-1] in self.WINS))
        return {"player_0": total, "player_1": -total}

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        draw = {"player_0": "rock", "player_1": "rock"}
        return (KnownOutcome(1, (draw, draw, draw), {"player_0": 0.0, "player_1": 0.0}),)


class Haggle(TextGame):
    """Two free messages each, then the buyer accepts a price of 50 or not: free text, private values, general sum."""

    spec = GameSpec(
        id="haggle-v0",
        seats={"seller": "seller", "buyer": "buyer"},
        payoff="general_sum",
        rules="The seller's cost and the buyer's value are private. Talk, then the buyer takes the price of 50 or not.",
        max_turns=5,
        returns_range=(-50.0, 50.0),
    )

    def reset(self, seed: int) -> None:
        stream = RandomStream(seed)
        self.private = {"seller": 1 + stream.below(99), "buyer": 1 + stream.below(99)}
        self.said: list[tuple[str, str]] = []
        self.verdict = ""

    @property
    def acting(self) -> tuple[str, ...]:
        if self.verdict:
            return ()
        return ("buyer",) if len(self.said) == 4 else (("seller", "buyer")[len(self.said) % 2],)

    def observe(self, seat: str) -> Observation:
        name = "cost" if seat == "seller" else "value"
        lines = [f"Your private {name} is {self.private[seat]}."]
        lines += [f"{who} says: {quote(text)}" for who, text in self.said]
        if self.verdict:
            lines.append(f"The buyer's verdict: {self.verdict}.")
        return Observation("\n".join(lines), "talk" if len(self.said) < 4 else "decide")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        if seat not in self.acting:
            return ()
        return None if len(self.said) < 4 else ("yes", "no")

    def apply(self, actions: Mapping[str, str]) -> None:
        only(actions, self.acting)
        ((seat, text),) = actions.items()
        if len(self.said) < 4:
            if not text.strip():
                raise IllegalAction("say something")
            self.said.append((seat, text))
        elif text in ("yes", "no"):
            self.verdict = text
        else:
            raise IllegalAction(f"{text[:40]!r} is not yes or no")

    def returns(self) -> Mapping[str, float]:
        if self.verdict != "yes":
            return {"seller": 0.0, "buyer": 0.0}
        return {"seller": 50.0 - self.private["seller"], "buyer": self.private["buyer"] - 50.0}

    def secrets(self, seat: str) -> tuple[str, ...]:
        return (str(self.private[seat]),)

    def known_outcomes(self) -> Sequence[KnownOutcome]:
        talk = [{seat: "Well."} for seat in ("seller", "buyer", "seller", "buyer")]
        # Seed 3 deals a cost of 12 and a value of 70.
        return (
            KnownOutcome(3, (*talk, {"buyer": "yes"}), {"seller": 38.0, "buyer": 20.0}),
            KnownOutcome(3, (*talk, {"buyer": "no"}), {"seller": 0.0, "buyer": 0.0}),
        )

    def examples(self, seat: str) -> tuple[str, ...]:
        return self.legal(seat) or (("Shall we trade?", "That is fair.") if seat in self.acting else ())
