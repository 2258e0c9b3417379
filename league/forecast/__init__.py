"""`arena plan`: the matches, tokens, money and time that a tournament takes until it ends, by simulated leagues."""

from __future__ import annotations

from league.forecast.forecast import Forecast, forecast

__all__ = ["Forecast", "forecast"]
