"""What one seat has seen and done in one match, told briefly: the present in full, the past as changes."""

from __future__ import annotations


class Journal:
    """Perfect recall for games whose engine shows a player only the present."""

    __slots__ = ("_entries", "_now")

    def __init__(self) -> None:
        self._entries: list[str] = []
        self._now = ""

    def saw(self, text: str) -> None:
        """The seat's present observation, as the engine prints it."""
        text = text.rstrip("\n")
        if not self._now:
            self._entries.append(text)
        elif text != self._now:
            before = self._now.split("\n")
            lines = text.split("\n")
            changed = [f"{i + 1}: {line}" for i, line in enumerate(lines) if i >= len(before) or before[i] != line]
            if len(lines) < len(before):
                changed.append(f"{len(lines) + 1}: (gone)")
            self._entries.append("; ".join(changed))
        self._now = text

    def did(self, action: str) -> None:
        """The seat's own action."""
        self._entries.append(f"you played {action}")

    def text(self) -> str:
        """The present, and before it everything this seat saw and did since the start of the match."""
        if len(self._entries) == 1:
            return self._now
        start, *since = self._entries
        lines = self._now.split("\n")
        shown = "" if all(line in lines for line in start.split("\n")) else f"At the start you saw:\n{start}\n"
        told = "\n".join(f"- {entry}" for entry in since)
        return f"{self._now}\n\n{shown}Since the start (line: what it became):\n{told}"
