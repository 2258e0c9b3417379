"""The players of a training: the live policy under its names, and its saved snapshots."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena import players
from arena.inference.thinking import default_tokens
from arena.match import Decision
from arena.players import Player
from arena.players.advised import Advised
from arena.players.by_role import WHOLE, ByRole
from arena.players.player import View
from games.errors import RunPaused
from games.naming import parse_name
from games.randomness import derive
from league.config.policy import PolicyConfig
from league.records.player_ref import PlayerRef
from roles.registry import ROLES

if TYPE_CHECKING:
    from arena.inference import Engine
    from arena.inference.registry import EngineKind
    from arena.players.llm import LLM, Prompt


def policy_player(
    policy: PolicyConfig, engine: Engine | EngineKind, model: str = "", roles: Mapping[str, str] | None = None
) -> LLM | AdvisingPolicy:
    """Returns the language model player of a policy, on an engine. `model` replaces the model in the settings.

    `roles`: role of a game -> the role id that plays it.
    """
    from arena.players.llm import LLM

    p = policy
    made = LLM(
        model or p.model,
        p.decode,
        p.answer,
        p.temperature,
        max_tokens=p.max_tokens,
        memory=p.memory,
        dtype=p.dtype,
        device=p.device,
        think=p.think,
        engine=engine,
        think_budget=p.think_budget,
        demonstrations=p.demonstrations,
        roles=written_roles(prompting(roles or {})),
        show_legal=p.show_legal,
        show_rules=p.show_rules,
    )
    return AdvisingPolicy(players.make(p.advises), made, p.advice) if p.advises else made


class AdvisingPolicy(Advised):
    """A policy that learns to advise a fixed player."""

    def __init__(self, player: Player, policy: LLM, advice: Sequence[str]) -> None:
        super().__init__(player, policy, advice)
        self.policy, self.max_tokens = policy, policy.max_tokens

    def prompt(self, view: View) -> Prompt:
        """Returns the policy's turn as tokens."""
        return self.policy.prompt(self.advising(view))


def prompting(ids: Mapping[str, str]) -> dict[str, str]:
    """Returns the role ids that may write other prompts, not a built-in role with other parameters of its credit."""
    return {role: id for role, id in ids.items() if parse_name(id).base != role or ROLES.is_plugin(id)}


def written_roles(ids: Mapping[str, str]) -> str:
    """Role ids as the parameter `roles` of the player `llm`."""
    return "; ".join(f"{role}={id}" for role, id in ids.items())


class LivePlayer(ByRole):
    """The live policy, or one policy per role. `copy` > 0 uses other random numbers than copy 0 on the same seed."""

    def __init__(self, name: str, policies: Mapping[str, Player], *, trainable: bool = False, copy: int = 0) -> None:
        super().__init__(policies)
        self.name, self.trainable, self._copy = name, trainable, copy

    async def act_async(self, view: View) -> Decision:
        """Returns the decision of the role's policy."""
        if self._copy:
            view = replace(view, seat_seed=derive(view.seat_seed, "copy", self._copy))
        return await super().act_async(view)


def live_players(policies: Mapping[str, Player], refs: Mapping[str, PlayerRef]) -> dict[str, Player]:
    """Returns the live policy under all its names."""
    return {name: LivePlayer(name, policies, trainable=not ref.frozen, copy=ref.copy) for name, ref in refs.items()}


@dataclass(frozen=True, slots=True)
class SavedSnapshot:
    """A snapshot on disk and how it plays."""

    name: str
    folder: Path
    """absolute; holds a model or an adapter, or one subfolder of these per role"""
    policies: tuple[str, ...]
    """roles, or WHOLE alone"""
    settings: PolicyConfig
    """with the data type and the engine that are used, never `auto`"""
    roles: Mapping[str, str] = field(default_factory=dict)
    """role of a game -> the role id that plays it"""

    def part(self, policy: str) -> Path:
        """Returns the folder of one policy."""
        return self.folder / policy if policy else self.folder

    def stored_ids(self) -> dict[str, str]:
        """Returns `player_ids` as the store keeps them: FOLDER is relative to the run's, so a training can be moved."""
        return replaced(self, folder=Path("snapshots", self.name)).player_ids()

    def player_ids(self) -> dict[str, str]:
        """Policy -> id of the player that plays as it does, `llm(model=FOLDER, ...)`."""
        p = self.settings
        tokens = p.max_tokens or default_tokens(p.model, p.decode, p.think)
        rest = f"decode={p.decode}, temperature={p.temperature}, max_tokens={tokens}, dtype={p.dtype}"
        rest += f", answer={p.answer}" if p.answer else ""
        for name in ("think", "think_budget", "demonstrations"):
            if (value := getattr(p, name)) is not None:
                rest += f", {name}={str(value).lower()}"
        rest += ", memory=true" if p.memory else ""
        rest += "".join(f", {name}=false" for name in ("show_legal", "show_rules") if not getattr(p, name))
        other = written_roles(prompting(self.roles))
        rest += f', roles="{other}"' if other else ""
        rest += f", engine={p.engine}, device={p.device}"
        ids = {policy: f'llm(model="{self.part(policy)}", {rest})' for policy in self.policies}
        if not p.advises:
            return ids
        advice = f', advice="{" | ".join(p.advice)}"' if p.advice else ""
        return {policy: f"advised(player={p.advises}, adviser={id}{advice})" for policy, id in ids.items()}

    def load(self) -> Player:
        """Returns the snapshot as one player."""
        with ExitStack() as loaded:
            parts: dict[str, Player] = {}
            for policy in self.policies:
                parts[policy] = policy_player(self.settings, self.settings.engine, str(self.part(policy)), self.roles)
                loaded.callback(parts[policy].close)
            loaded.pop_all()
        return parts[WHOLE] if WHOLE in parts else ByRole(parts)


class LoadedSnapshots:
    """Keeps at most `limit` snapshots in memory and loads them when they are needed."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._loaded: OrderedDict[str, Player] = OrderedDict()
        self._users: dict[str, int] = {}

    def player(self, snapshot: SavedSnapshot) -> Player:
        """Returns a player that loads the snapshot at its first decision."""
        return _SnapshotPlayer(snapshot, self)

    @contextmanager
    def use(self, snapshot: SavedSnapshot) -> Iterator[Player]:
        """The loaded snapshot; it stays in memory inside the block.

        Raises RunPaused if it cannot be loaded: its opponents must not win by that, and without it the training would
        meet other opponents than it sampled.
        """
        name = snapshot.name
        if name not in self._loaded:
            try:
                self._loaded[name] = snapshot.load()
            except Exception as error:
                text = " ".join(str(error).split()) or type(error).__name__
                raise RunPaused(
                    f"snapshot {name} cannot be loaded: {text}; fix the cause and run the same command again"
                ) from error
        self._loaded.move_to_end(name)
        self._users[name] = self._users.get(name, 0) + 1
        self._trim()
        try:
            yield self._loaded[name]
        finally:
            self._users[name] -= 1

    def close(self) -> None:
        """Free all snapshots."""
        while self._loaded:
            self._loaded.popitem()[1].close()

    def _trim(self) -> None:
        """Free unused snapshots, least recently used first, until `limit` are left."""
        for name in list(self._loaded):
            if len(self._loaded) <= self._limit:
                return
            if not self._users.get(name):
                self._loaded.pop(name).close()


class _SnapshotPlayer(Player):
    waits = True

    def __init__(self, snapshot: SavedSnapshot, loaded: LoadedSnapshots) -> None:
        self.name, self._snapshot, self._loaded = snapshot.name, snapshot, loaded
        self.remembers = snapshot.settings.memory

    async def act_async(self, view: View) -> Decision:
        with self._loaded.use(self._snapshot) as player:
            return await player.act_async(view)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        with self._loaded.use(self._snapshot) as player:
            return await player.probabilities(view)
