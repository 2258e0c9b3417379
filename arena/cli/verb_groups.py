"""The groups in which `arena --help` lists the verbs. A verb names its group as `rich_help_panel`, without rich too."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

PLAY, TOURNAMENTS, TRAINING, LOOK, PLUGINS = "Play", "Tournaments", "Training", "Look", "Games and plugins"
GROUPS = (PLAY, TOURNAMENTS, TRAINING, LOOK, PLUGINS)
OTHER = "Other commands"
"""the group of verbs without one, such as those of another package"""


class GroupedVerbs(TyperGroup):
    """A command that lists its verbs by group."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group, with one line for each verb."""
        width = max(map(len, self.commands), default=0)
        sections: dict[str, list[tuple[str, str]]] = {group: [] for group in (*GROUPS, OTHER)}
        for name, verb in self.commands.items():
            group = getattr(verb, "rich_help_panel", None)
            sections[group if group in GROUPS else OTHER].append(
                (name.ljust(width), verb.get_short_help_str(formatter.width - 6 - width))
            )
        for group, rows in sections.items():
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
