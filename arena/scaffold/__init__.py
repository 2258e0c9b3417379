"""Writes new plugin files, for `arena new`."""

from arena.scaffold.plugin_files import GAME_TEMPLATES, KINDS, GameTemplate, NewPlugin, write_plugin

__all__ = ["GAME_TEMPLATES", "KINDS", "GameTemplate", "NewPlugin", "write_plugin"]
