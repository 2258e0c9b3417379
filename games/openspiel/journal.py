"""A record of what one seat has seen and done in a match: the present in full, the past as changes."""

from __future__ import annotations


class Journal:
    """Perfect recall for games in which OpenSpiel shows a player only the present."""

    __slots__ = ("_changes", "_now")

    def __init__(self) -> None:
        self._changes: list[str] = []
        self._now = ""

    def add_observation(self, text: str) -> None:
        """Record the present observation, as OpenSpiel prints it."""
        text = text.rstrip("\n")
        if not self._now:
            self._changes.append(text)
        elif text != self._now:
            before = self._now.split("\n")
            lines = text.split("\n")
            changed = [f"{i + 1}: {line}" for i, line in enumerate(lines) if i >= len(before) or before[i] != line]
            if len(lines) < len(before):
                changed.append(f"{len(lines) + 1}: (gone)")
            self._changes.append("; ".join(changed))
        self._now = text

    def add_action(self, action: str) -> None:
        """Record the seat's own action."""
        self._changes.append(f"you played {action}")

    def text(self) -> str:
        """Returns the present, followed by everything this seat saw and did since the start of the match."""
        if len(self._changes) == 1:
            return self._now
        start, *since = self._changes
        lines = self._now.split("\n")
        beginning = "" if all(line in lines for line in start.split("\n")) else f"At the start you saw:\n{start}\n"
        past = "\n".join(f"- {change}" for change in since)
        return f"{self._now}\n\n{beginning}Since the start of the match (line number: new text):\n{past}"
