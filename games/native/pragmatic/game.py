"""pragmatic-v1: a speaker shows which strings a regular expression matches, a listener says which expression it is.

After "Program synthesis with pragmatic communication" (Pu et al. 2020, arXiv 2007.05060) and PraX (Vaduguru et al.
2023, arXiv 2311.05740): examples come one after the other, the listener names a pattern after each, and both are paid
if it is the right one, less for each further example. The speaker chooses a string from a list and the game adds
whether the target matches it, so that every example is true.

A private code (the third string means the third pattern) would win without any meaning. The two seats therefore read
the lists in different orders, the listener reads the symbols in a random permutation, and all strings are equally long.
In pragmatic-v0 a code can still use which symbols of a string are equal (`001` and `220` have one shape): patterns and
strings sorted by shape earn 0.57 where the meaning earns 0.95. In pragmatic-v1 the listener therefore reads, in place
of each string, another one that the same candidates match, if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

from games.dialogue.answers import letters
from games.dialogue.answers import read as read_answer
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import tags
from games.native.common.stages import Share, StagedGame, game_id, joined
from games.native.pragmatic import rules as texts
from games.native.pragmatic.problems import LENGTH, Candidates, drawn, renamed, restored
from games.native.pragmatic.regex import SYMBOLS, PatternError, automaton, equal
from games.native.pragmatic.rsa import Table
from games.randomness import RandomStream, derive

NAME = "pragmatic"
SEED = "pragmatic-v0"
"""part of every seed, in all versions: stored matches of pragmatic-v0 were drawn with it"""
SPEAKER, LISTENER = "speaker", "listener"
LETTERS = "ABCDEFGHIJKL"


class PragmaticGame(StagedGame):
    """A speaker shows a regular expression by strings, a listener names it (PraX, 2311.05740; 2007.05060).

    candidates: patterns to choose from. strings: examples to choose from. turns: examples at most; one that is none
    costs a turn. cost: what each further example costs both. closed: the seats choose from lists. problems: so many
    different sets of candidates, for models too small for more; 0: one for each seed. twins: the listener reads another
    string of the same meaning.
    """

    version = 1

    def __init__(
        self,
        candidates: Annotated[int, Interval(ge=2, le=12)] = 6,
        strings: Annotated[int, Interval(ge=3, le=20)] = 10,
        turns: Annotated[int, Interval(ge=1, le=5)] = 2,
        cost: Share = 0.25,
        closed: bool = False,
        problems: Annotated[int, Interval(ge=0, le=100_000)] = 0,
        twins: bool | None = None,
    ) -> None:
        super().__init__()
        params: dict[str, Value] = {"candidates": candidates, "strings": strings, "turns": turns, "cost": cost}
        usual = self.version > 0
        params |= {"closed": closed, "problems": problems, "twins": usual if twins is None else twins}
        id = game_id(f"{NAME}-v{self.version}", PragmaticGame, params, {"twins": usual})
        self.twins = bool(params["twins"])
        self.candidates, self.strings, self.turns, self.cost = candidates, strings, turns, float(cost)
        self.closed, self.problems = closed, problems
        self.spec = GameSpec(
            id=id,
            seats={SPEAKER: SPEAKER, LISTENER: LISTENER},
            payoff="cooperative",
            rules=texts.rules(turns, self.cost, closed, self.twins),
            max_turns=2 * turns,
            returns_range=(0.0, 1.0),
            teams=((SPEAKER, LISTENER),),
            rated=False,
            demonstrations=texts.DEMONSTRATIONS,
        )
        self._kind = letters(LETTERS[:candidates])
        self._problem = Candidates(("0",) * candidates, ("0",) * strings, ("0",) * strings)
        self._draw(0)

    def _draw(self, seed: int) -> None:
        number = derive(seed, SEED, "problem") % self.problems if self.problems else derive(seed, SEED, "problem")
        stream = RandomStream(derive(number, SEED, "drawn"))
        self._problem = drawn(stream, self.candidates, self.strings, LENGTH, self.twins)
        stream = RandomStream(derive(seed, SEED))
        self._target = stream.below(self.candidates)
        self._orders = {
            seat: (stream.shuffled(range(self.candidates)), stream.shuffled(range(self.strings)))
            for seat in (SPEAKER, LISTENER)
        }
        self._symbols = "".join(stream.shuffled(SYMBOLS))
        self._examples: list[int | None] = []
        self._guesses: list[int | None] = []

    def reset(self, seed: int) -> None:
        """Draw the candidates, the target, and the order in which each seat reads them."""
        self._start()
        self._draw(seed)
        self._due = (SPEAKER,)

    def _take(self, said: Mapping[Seat, str]) -> None:
        ((seat, text),) = said.items()
        if seat == SPEAKER:
            self._examples.append(self._example(text))
            self._due = (LISTENER,)
            return
        self._guesses.append(self._guess(text))
        self._due = () if self._solved or len(self._guesses) >= self.turns else (SPEAKER,)

    def _example(self, text: str) -> int | None:
        """The number of the string that a speaker gives; None if it is not in the list, or was given before."""
        string = text if self.closed else tags.answer(text)[0].content
        string = "" if string is None else string.strip(" \"'`.+-")
        if string in self._problem.strings and self._problem.strings.index(string) not in self._examples:
            return self._problem.strings.index(string)
        self._miss(SPEAKER, "not a new string of the list")
        return None

    def _guess(self, text: str) -> int | None:
        """The candidate that a listener names, by its letter or by a pattern of the same language; else None."""
        found = read_answer(text, self._kind)
        if found.value is not None:
            return self._orders[LISTENER][0][LETTERS.index(found.value)]
        written = tags.read(text, "answer").content
        try:
            pattern = restored(written or "", self._symbols)
            same = [i for i, p in enumerate(self._problem.patterns) if written and equal(p, pattern)]
        except PatternError:
            same = []
        if not same:
            self._miss(LISTENER, found.reason)
        return same[0] if same else None

    @property
    def _solved(self) -> bool:
        return bool(self._guesses) and self._guesses[-1] == self._target

    def returns(self) -> Mapping[Seat, float]:
        """1 less the cost of each further example, if the listener named the target; else 0."""
        paid = max(0.0, 1.0 - self.cost * (len(self._guesses) - 1)) if self._solved else 0.0
        return {SPEAKER: paid, LISTENER: paid}

    def table(self) -> Table:
        """Which string each pattern matches: rows are strings, columns patterns, in the order of the problem."""
        return tuple(tuple(automaton(p).matches(s) for p in self._problem.patterns) for s in self._problem.strings)

    def facts(self) -> Mapping[str, Any]:
        """The target, the candidates, the examples and the guesses."""
        patterns, strings, _ = self._problem
        return {
            "target": patterns[self._target],
            "patterns": list(patterns),
            "examples": [None if e is None else strings[e] for e in self._examples],
            "guesses": [None if g is None else patterns[g] for g in self._guesses],
            "solved": self._solved,
        } | self._heard()

    def phase(self, seat: Seat) -> str:
        """`show` for the speaker, `name` for the listener."""
        return "show" if seat == SPEAKER else "name"

    def _as_read(self, seat: Seat, text: str) -> str:
        """A text in the symbols that the seat reads."""
        return renamed(text, self._symbols) if seat == LISTENER else text

    def observe(self, seat: Seat) -> Observation:
        """The candidates and strings in the seat's own order, the examples and guesses, the target for the speaker."""
        patterns, _ = self._orders[seat]
        lines = [f"{LETTERS[n]}: {self._as_read(seat, self._problem.patterns[p])}" for n, p in enumerate(patterns)]
        lines = [f"Patterns: {', '.join(lines)}", f"Strings: {', '.join(self._listed(seat))}"]
        if seat == SPEAKER:
            lines.append(self._secret())
        for turn, example in enumerate(self._examples):
            lines.append(self._said(seat, turn, example))
            if turn < len(self._guesses):
                lines.append(self._guessed(seat, self._guesses[turn]))
        return Observation(joined([*lines, self._ending(seat)]), self.phase(seat))

    def _listed(self, seat: Seat) -> list[str]:
        return [self._as_read(seat, self._string(seat, s)) for s in self._orders[seat][1]]

    def _string(self, seat: Seat, number: int) -> str:
        """A string as the seat reads it, before symbols are exchanged."""
        return (self._problem.heard if seat == LISTENER else self._problem.strings)[number]

    def _said(self, seat: Seat, turn: int, example: int | None) -> str:
        if example is None:
            return f"Example {turn + 1}: none"
        string = self._problem.strings[example]
        sign = "matches" if automaton(self._problem.patterns[self._target]).matches(string) else "does not match"
        return f"Example {turn + 1}: the pattern {sign} {self._as_read(seat, self._string(seat, example))}"

    def _guessed(self, seat: Seat, guess: int | None) -> str:
        if guess is None:
            return "The listener names no pattern."
        right = "right" if guess == self._target else "wrong"
        return f"The listener names {LETTERS[self._orders[seat][0].index(guess)]}, which is {right}."

    def _ending(self, seat: Seat) -> str:
        if self._over and self._guesses:
            return f"The match is over. Your reward is {self.returns()[seat]:.2f}."
        if seat not in self._due:
            return "Waiting for the other seat."
        return texts.DUTY[self.phase(seat)]

    def _secret(self) -> str:
        letter = LETTERS[self._orders[SPEAKER][0].index(self._target)]
        return f"The pattern to show is {letter}: {self._problem.patterns[self._target]}"

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The line that tells the speaker the target."""
        return (self._secret(),) if seat == SPEAKER else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            if seat == LISTENER:
                return tuple(LETTERS[: self.candidates])
            return tuple(s for s in self._listed(seat) if self._problem.strings.index(s) not in self._examples)
        if seat == LISTENER:
            return ("<answer>A</answer>", "I think it is <answer>B</answer>", "<answer>(0|1)*</answer>", "A or B")
        return (*(f"<answer>{s}</answer>" for s in self._listed(seat)), "<answer>2</answer>", "any string")

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """The target named after the first example, after the second, and never."""
        if self.spec.id not in ("pragmatic-v0", "pragmatic-v1"):
            return ()
        self.reset(0)
        show = [{SPEAKER: text} for text in self.examples(SPEAKER)[:2]]
        target = self._as_read(LISTENER, self._problem.patterns[self._target])
        right = {LISTENER: f"<answer>{target}</answer>"}
        wrong = {LISTENER: "I do not know"}
        plays = (([show[0], right], 1.0), ([show[0], wrong, show[1], right], 0.75))
        never = ([show[0], wrong, show[1], wrong], 0.0)
        return tuple(KnownOutcome(0, moves, {SPEAKER: paid, LISTENER: paid}) for moves, paid in (*plays, never))


class PublishedPragmaticGame(PragmaticGame):
    """pragmatic-v0: both seats read the same strings, whose shapes can be a code."""

    version = 0
