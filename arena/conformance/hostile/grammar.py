"""What a reader of answers may meet: a grammar of programs, literals, formulas, tags, tokens and characters.

A symbol stands between two @. The first alternatives of a symbol contain no other symbol, so an expansion ends.
"""

from __future__ import annotations

from collections.abc import Mapping

_NUMBERS = "0 1 -1 7 10 -0 007 1.5 .5 5. 1e5 1e400 -1e-400 1_000 1,000 0x1f 0b1 1j nan inf -Infinity 1/2 1/0 50% $5 +-1"
_UNICODE_DIGITS = "½ ² ٣ ９ 𝟗 Ⅻ 一 ൧ ⑦ 7²"
_HUGE = ("9**9**9", "10**4300", "9" * 4301, "1" + "0" * 5000, "0." + "3" * 5000, "1e999999999", "2^2^2^2^2^2")
_OPERATORS = "+ - * / ** // % ^ = == != < > <= >= ~ ! & | @ := , . : ;"
_PROGRAMS = (
    "def f(x):\n    return x",
    "def @name@(@name@):\n    return @expression@",
    "def @name@(@name@=@literal@, *, @name@):\n    @name@ = @expression@\n    return @name@",
    "def f(x):\n    @statement@\n    return @expression@",
    "@statement@\ndef f(x):\n    return @expression@",
    "@program@\n@statement@",
    "class @name@:\n    @statement@",
)
_STATEMENTS = (
    "pass", "import @name@", "import math as @name@", "from @name@ import @name@", "from math import pi as @name@",
    "@name@ = @expression@", "@name@: @expression@ = @expression@", "global @name@", "nonlocal @name@", "del @name@",
    "x.@name@ = @literal@", "assert @expression@, @string@", "raise @expression@", "return @expression@",
    "while @expression@: @statement@", "for @name@ in @expression@: @statement@", "if @expression@: @statement@",
    "with @expression@ as @name@: @statement@", "try: @statement@\n    except @name@ as @name@: @statement@",
    "match @expression@:\n        case @name@(@name@=@literal@): @statement@", "@name@(@expression@)",
    "def @name@(@name@): return @expression@", "async def @name@(): await @name@", "@expression@",
)  # fmt: skip
_EXPRESSIONS = (
    "x", "1", "@name@", "@literal@", "@string@", "@expression@@operator@@expression@", "x.@name@",
    "f(@name@=@literal@)",
    "f(*@expression@, **@expression@)", "lambda @name@: @expression@", "[@expression@ for @name@ in @expression@]",
    "{@expression@: @expression@}", "f'{@name@!r:>{x}}'", "x[@expression@:@expression@]", "(@name@ := @expression@)",
    "@expression@ if @expression@ else @expression@", "not @expression@", "-@expression@", "(yield @expression@)",
    "@expression@.@name@(@expression@)", "...", "@arithmetic@",
)  # fmt: skip
_LITERALS = (
    "1", "''", "[]", "()", "{}", "None", "True", "@number@", "@string@", "[@literal@, @literal@]", "(@literal@,)",
    "{@literal@}", "{@string@: @literal@}", "{{}}", "{[]: 1}", "{@literal@, *@literal@}", "@literal@, @literal@",
    "set()", "b'@word@'", "-@literal@", "@literal@ + @literal@", "...", "@literal@ @literal@", "'@word@' '@word@'",
)  # fmt: skip
_FORMULAS = (
    "p", "true", "p -> p", "@formula@ & @formula@", "~(@formula@)", "∀x. @formula@", "exists x (@formula@)",
    "(@formula@) <-> @formula@", "@name@(@name@, @number@)", "x = @arithmetic@", "⊢ @formula@", "(assert @formula@)",
    "(@formula@", "@formula@ ⇒ @formula@", "(and @formula@ @formula@)", "@name@ ∈ @name@",
)  # fmt: skip
_LATEX = (
    "\\pi", "\\frac12", "\\frac{@arithmetic@}{@number@}", "\\sqrt[@number@]{@arithmetic@}", "$$@latex@$$",
    "\\(@latex@\\)",
    "\\text{@word@}", "\\left(@latex@\\right.", "@latex@^{@latex@}_{@latex@}",
    "\\begin{cases}@latex@&@latex@\\\\\\end{cases}",
    "\\boxed{@latex@}", "\\overline{@number@}", "{@latex@", "@latex@}", "\\def\\a{\\a\\a}\\a",
    "\\log_@number@ @number@",
    "@number@\\cdot 10^{@number@}", "\\sum_{@name@=0}^{\\infty} @latex@", "\\mathbb{@name@}", "@number@^\\circ",
)  # fmt: skip
_MARKED = (
    "\\boxed{@inner@}", "\\boxed{\\boxed{@inner@}", "<@tag@>@inner@</@tag@>", "<@tag@><@tag@>@inner@</@tag@>",
    "</@tag@>@inner@<@tag@>", "<@tag@ a='@inner@'>@inner@", '{"@tag@": "@inner@"}', '{"@tag@": @literal@}', '{"@tag@":',
    '{"@tag@": {"@tag@": @json@}}', "Answer: @inner@", "**@tag@:** @inner@", "@tag@ = @inner@",
    "```@tag@\n@inner@\n```",
    "```@tag@\n@inner@", "`@inner@`", "[@tag@] @inner@", "@tag@: @inner@\n@tag@: @inner@", "@inner@ ```", "# @inner@ #",
)  # fmt: skip
_JSON = (
    "1", "null", '"\\ud800"', '"\\u0000"', "[@json@, @json@]", '{"@tag@": @json@, "@tag@": @json@}', '"@word@"',
    "1e999",
    "-0", "NaN", "[@json@,]", "{'@tag@': @json@}", '"@inner@', "[[[[@json@", "@number@",
)  # fmt: skip
_TOKENS = (
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|start_header_id|>", "<s>", "</s>", "<bos>", "<pad>",
    "<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]", "<<SYS>>", "<｜User｜>", "<｜end▁of▁sentence｜>",
    "<think>",
    "</think>", "[THINK]", "<tool_call>", "<|channel|>analysis<|message|>", "<|return|>", "[TOOL_CALLS]", "<mask>",
)  # fmt: skip
_CONTROLS = (
    "\0", "\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\b\b", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u202e", "\u2066",
    "\u200b", "\ufeff", "\ud800", "\udfff", "\ufdd0", "\U000e0041", "a\u0301" * 9, "\u3164", "ﷺ", "İ", "ß", "ﬁ",
    "👩‍👩‍👧", "\t",
    "\xa0", "\u1680", "\U0010ffff", "K", "ſ", "𝓪",
)  # fmt: skip
GRAMMAR: Mapping[str, tuple[str, ...]] = {
    "text": (
        "@word@", "@number@", "@literal@", "@program@", "@expression@", "@arithmetic@", "@formula@", "@latex@",
        "@marked@",
        "@json@", "@token@@word@", "@control@", "@inner@ @inner@", "@inner@\n@inner@", "```python\n@program@\n```",
    ),
    "inner": (
        "1", "@word@", "@number@", "@literal@", "@expression@", "@breakout@", "@literal@@breakout@", "@latex@",
        "@marked@",
        "@control@", "@token@", "@formula@", "",
    ),
    "number": (*_NUMBERS.split(), *_UNICODE_DIGITS.split(), *_HUGE),
    "tag": ("answer", "action", "final", "input", "output", "think", "ANSWER", "é", "", "@word@", "@word@"),
    "string": ("''", "'a'", '"\\x1b\\ud800"', "'@word@'", '"""@inner@"""', "f'{@name@}'", "r'\\@word@'", "'@inner@"),
    "operator": tuple(_OPERATORS.split()),
    "arithmetic": (
        "1", "2 + 2", "@number@", "(@arithmetic@)", "@arithmetic@@operator@@arithmetic@", "@number@!", "-@arithmetic@",
        "@number@ @number@", "sqrt(@arithmetic@)", "|@arithmetic@|", "(@arithmetic@", "@number@ × @number@ = @number@",
    ),
    "program": _PROGRAMS, "statement": _STATEMENTS, "expression": _EXPRESSIONS, "literal": _LITERALS,
    "formula": _FORMULAS, "latex": _LATEX, "marked": _MARKED, "json": _JSON, "token": _TOKENS, "control": _CONTROLS,
    "breakout": ("@close@", "@close@@comment@", "@close@@comment@", "@comment@"),
    "close": (")", ")", ")", "]", "}", "'", '"', "`", ">", "*/", ",)", "))"),
    "comment": ("#", "#", "#", "//", "--", ";", "\\", "%", "<!--", "\n", ","),
}  # fmt: skip
"""symbol -> its alternatives; `word` and `name` are drawn from the vocabulary of the reader"""
