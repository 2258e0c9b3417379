"""The base class of roles: what an LLM reads, how its answer is parsed, what it is credited with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games import Observation
from roles.parsing import message, parse
from roles.prompts import messages
from roles.reward_kind import RewardKind, outcome
from roles.types import ChatMessage, Memory, Scored


class Role:
    """A generic player of any game. Subclass it to change the prompt, the parsing or the credit.

    A role keeps no state of a match: one object serves every seat of every match.
    """

    name: str = "player"
    reward_kind: RewardKind = outcome()
    """what its rewards are: `outcome(midpoint)`, `verdict(threshold)` or `preference()`. Losses and estimators that
    need right or wrong, or shares of wins, are told by it"""
    _made_from: str = ""
    """the id that the registry made it from"""

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            self.name = name

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """Returns the chat for one turn: first what never changes in a match (rules, role), last what changes."""
        return messages(self.name, observation, legal, memory)

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """Returns the action in the model's own text; of several answers the last one counts. Raises ParseError.

        If any text is legal (`legal` is None), the action is the whole visible text, or the explicit answer (such as
        a box) that the text ends with. Parsing never sees the prompt.
        """
        return message(text) if legal is None else parse(text, legal)

    def credit(self, episode: Scored, seat: str) -> float:
        """Returns the number that the learner maximises for this seat; by default the game's return.

        Called once per finished episode and seat, unless `credit_batch` returned a reward for them. It may use the
        whole episode (an `arena.Episode`: turns, actions, facts, returns), for example to credit a proposer with the
        difficulty of its task. Ratings never use it: they use the returns.
        """
        return episode.returns[seat]

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Returns a reward for each phase of the seat's turns instead of `credit`; None (the default): one for all.

        Turns of a missing phase are not trained on.
        """
        return None

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns what this seat was asked in a phase ("": the whole match), beyond the seed of the match.

        Estimators that compare answers compare only those to the same task. The default is the task that the match was
        planned with. A role that answers a task which another seat sets returns that task.
        """
        return str(getattr(episode, "task", ""))

    def answer(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns what the seat answered in a phase ("": the whole match); by default its last action.

        The estimator `seed` asks how many answers to a task agree.
        """
        turns = [t for t in getattr(episode, "turns", ()) if t.seat == seat and phase in ("", t.phase)]
        return turns[-1].action if turns else ""

    def turn_rewards(self, episode: Scored, seat: str) -> Sequence[float] | None:
        """Returns a reward for each turn of the seat but the last, which earns `credit`; None (the default): none.

        The estimator `turn-level` gives each turn the sum of what it and the later ones earn.
        """
        return None

    def split_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, Sequence[float]]] | None:
        """Returns for each episode: seat -> a factor for the advantage of each of its turns, in order.

        The factor is 1 for the seats that a mapping lacks, and for all seats if this returns None (the default). Turns
        beyond the end of a seat's sequence are not trained on. The mappings hold only this role's own seats.
        """
        return None

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Rewards that depend on the whole batch, such as a proposer's on the rate at which its task was solved.

        Returns one mapping seat -> reward per episode, in order. `credit` decides for the seats that a mapping lacks,
        and for all seats if this returns None (the default). The mappings hold only this role's own seats.
        """
        return None
