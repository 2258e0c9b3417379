"""Units of measurement in terms of base units. Names are case-sensitive: mm and Mm, h and H differ."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple


class Unit(NamedTuple):
    """`factor` times a product of powers of base units. Degrees of angle are numbers, not units.

    Becquerel, sievert and radian are bases: 5 Bq is not 5 Hz, and 5 rad/s is not 5 Hz. A radian alone is a number.
    """

    factor: Fraction
    powers: Mapping[str, int]

    def to(self, power: int) -> Unit:
        """Returns this unit raised to a power."""
        return Unit(self.factor**power, {base: n * power for base, n in self.powers.items()})

    def times(self, other: Unit) -> Unit:
        """Returns the product of two units."""
        powers = {b: self.powers.get(b, 0) + other.powers.get(b, 0) for b in {*self.powers, *other.powers}}
        return Unit(self.factor * other.factor, {base: n for base, n in powers.items() if n})


ONE = Unit(Fraction(1), {})
_PREFIXES = {
    "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1, "d": -1, "c": -2, "m": -3,
    "µ": -6, "μ": -6, "u": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21, "y": -24,
}  # fmt: skip
# symbol: factor, base units with their powers. Only units of the first table take prefixes.
_PREFIXED = {
    "m": "1 m", "g": "1/1000 kg", "s": "1 s", "A": "1 A", "K": "1 K", "mol": "1 mol", "cd": "1 cd", "N": "1 kg m s-2",
    "J": "1 kg m2 s-2", "W": "1 kg m2 s-3", "Pa": "1 kg m-1 s-2", "Hz": "1 s-1", "C": "1 A s", "V": "1 kg m2 s-3 A-1",
    "F": "1 kg-1 m-2 s4 A2", "Ω": "1 kg m2 s-3 A-2", "S": "1 kg-1 m-2 s3 A2", "T": "1 kg s-2 A-1",
    "Wb": "1 kg m2 s-2 A-1", "H": "1 kg m2 s-2 A-2", "L": "1/1000 m3", "l": "1/1000 m3", "t": "1000 kg",
    "eV": "1602176634/10000000000000000000000000000 kg m2 s-2", "cal": "4184/1000 kg m2 s-2",
    "bar": "100000 kg m-1 s-2",
    "Wh": "3600 kg m2 s-2", "B": "8 bit", "Bq": "1 Bq", "Sv": "1 Sv", "Gy": "1 m2 s-2", "M": "1000 mol m-3",
    "Nm": "1 kg m2 s-2", "Ns": "1 kg m s-1", "Ah": "3600 A s", "Js": "1 kg m2 s-1",
}  # fmt: skip
_ALONE = {
    "min": "60 s", "h": "3600 s", "hr": "3600 s", "hrs": "3600 s", "d": "86400 s", "sec": "1 s", "bit": "1 bit",
    "ha": "10000 m2", "in": "254/10000 m", "ft": "3048/10000 m", "yd": "9144/10000 m", "mi": "1609344/1000 m",
    "lb": "45359237/100000000 kg", "lbs": "45359237/100000000 kg", "oz": "45359237/1600000000 kg",
    "mph": "1609344/3600000 m s-1", "kph": "1000/3600 m s-1", "atm": "101325 kg m-1 s-2", "rad": "1 rad",
    "ohm": "1 kg m2 s-3 A-2", "USD": "1 USD", "dollar": "1 USD", "cent": "1/100 USD", "meter": "1 m", "metre": "1 m",
    "second": "1 s", "minute": "60 s", "hour": "3600 s", "day": "86400 s", "week": "604800 s", "month": "1 month",
    "year": "12 month", "gram": "1/1000 kg", "liter": "1/1000 m3", "litre": "1/1000 m3", "radian": "1 rad",
    "newton": "1 kg m s-2", "joule": "1 kg m2 s-2", "watt": "1 kg m2 s-3", "pascal": "1 kg m-1 s-2", "hertz": "1 s-1",
    "volt": "1 kg m2 s-3 A-1", "ampere": "1 A", "kelvin": "1 K", "mole": "1 mol", "ton": "1 ton", "tonne": "1000 kg",
    "inch": "254/10000 m", "inches": "254/10000 m", "foot": "3048/10000 m", "feet": "3048/10000 m",
    "yard": "9144/10000 m", "mile": "1609344/1000 m", "pound": "45359237/100000000 kg", "unit": "1 unit",
    "ounce": "45359237/1600000000 kg", "byte": "8 bit", "kilogram": "1 kg", "percent": "1/100", "dB": "1 dB",
}  # fmt: skip
_LONG_PREFIXES = {"kilo": 3, "mega": 6, "giga": 9, "centi": -2, "milli": -3, "micro": -6, "nano": -9}
CELSIUS, FAHRENHEIT = (Unit(Fraction(1), {name: 1}) for name in ("degC", "degF"))


@lru_cache(1024)
def unit(name: str) -> Unit | None:
    """Returns the unit with this name, prefixes and plurals included; None for any other word."""
    for word in (name, name.removesuffix("s") if len(name) > 3 else name):
        if word in _ALONE:
            return _made(_ALONE[word], 0)
        if word in _PREFIXED:
            return _made(_PREFIXED[word], 0)
        for prefix, power in _LONG_PREFIXES.items():
            if word.startswith(prefix) and len(rest := word.removeprefix(prefix)) > 3 and rest in _ALONE:
                return _made(_ALONE[rest], power)
    for prefix, power in _PREFIXES.items():
        if name.startswith(prefix) and name.removeprefix(prefix) in _PREFIXED:
            return _made(_PREFIXED[name.removeprefix(prefix)], power)
    return None


def _made(text: str, power: int) -> Unit:
    factor, *bases = text.split()
    powers = {}
    for base in bases:
        symbol = base.rstrip("-0123456789")
        powers[symbol] = int(base.removeprefix(symbol) or 1)
    return Unit(Fraction(factor) * Fraction(10) ** power, powers)
