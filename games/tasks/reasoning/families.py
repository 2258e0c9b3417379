"""The families of reasoning-gym 0.1.25: how each is graded, which are left out and why, and small configurations.

A family without an entry is graded exactly (`answer_equality.same_answer`): its own scoring is not used,
because the library's default pays len(reference) / len(answer) for any text that contains the reference, and several
families accept wrong texts ("nan", "0", any word).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Several answers are right, so the library's own function scores them, in the worker process; only 1.0 passes.
SCORED = frozenset(
    {
        "group_anagrams",
        "jugs",
        "knight_swap",
        "palindrome_generation",
        "palindrome_partitioning",
        "power_function",
        "prime_factorization",
        "quantum_lock",
        "shortest_path",
        "survo",
        "tower_of_hanoi",
        "word_ladder",
    }
)

# These functions ignore characters that they do not expect: the answer has to match as a whole.
FORMS: Mapping[str, str] = {
    "quantum_lock": r"[A-C](\s*(→|->)\s*[A-C])*",
    "survo": r"[\d\s]+",
}

# Several answers are right, and the library's function executes the answer: `games.tasks.reasoning.checks` does it.
CHECKED = frozenset({"countdown", "n_queens", "puzzle24"})

_EXECUTES = "its verifier executes the answer, and a right answer has many forms that cannot be compared exactly"
_NO_REFERENCE = "its items have no reference answer"
EXCLUDED: Mapping[str, str] = {
    "boxnet": _NO_REFERENCE,
    "composite": "it only mixes other families",
    "graph_color": _NO_REFERENCE,
    "intermediate_integration": _EXECUTES,
    "polynomial_multiplication": _EXECUTES,
    "propositional_logic": _NO_REFERENCE,
    "rubiks_cube": _NO_REFERENCE,
    "rush_hour": _NO_REFERENCE,
    "simple_integration": _EXECUTES,
    "sokoban": "making an item can take minutes",
}

# One question has several wordings, so only its numbers decide to which split it belongs.
WORDINGS = frozenset(
    {
        "advanced_geometry",
        "countdown",
        "fraction_simplification",
        "kakurasu",
        "polynomial_equations",
        "simple_equations",
        "simple_geometry",
    }
)

# The question is one expression, so its split is that of the expression, whatever the family and the wording.
EXPRESSIONS = frozenset({"basic_arithmetic", "chain_sum", "decimal_arithmetic", "decimal_chain_sum", "products"})

# The answer does not depend on the order of the numbers or words of the question, so neither does the split.
ORDERLESS = frozenset(
    {"countdown", "dice", "gcd", "group_anagrams", "lcm", "leg_counting", "number_sorting", "puzzle24", "word_sorting"}
)

# family -> fields of its configuration: tasks for models of about 100 million parameters.
SMALL: Mapping[str, Mapping[str, Any]] = {
    "base_conversion": {"min_base": 2, "max_base": 4, "min_value": 1, "max_value": 15},
    "basic_arithmetic": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1, "allow_negation": False},
    "binary_alternation": {"min_n": 4, "max_n": 6},
    "caesar_cipher": {"min_words": 1, "max_words": 2, "min_rotation": 1, "max_rotation": 3},
    "calendar_arithmetic": {"tasks": ["weekday_offset"], "offset_upper_bound": 3},
    "chain_sum": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
    "coin_flip": {"min_trials": 1, "max_trials": 4},
    "count_bits": {"min_n": 1, "max_n": 31},
    "count_primes": {"min_n": 1, "max_n": 12},
    "course_schedule": {"min_num_courses": 3, "max_num_courses": 4, "min_cycle_length": 3, "max_cycle_length": 3},
    "decimal_chain_sum": {
        "min_terms": 2,
        "max_terms": 2,
        "min_digits": 1,
        "max_digits": 1,
        "min_decimal_places": 1,
        "max_decimal_places": 1,
    },
    "family_relationships": {"min_family_size": 3, "max_family_size": 4},
    "fraction_simplification": {"min_value": 1, "max_value": 9, "min_factor": 2, "max_factor": 5, "styles": ["plain"]},
    "gcd": {"min_numbers": 2, "max_numbers": 2, "min_value": 2, "max_value": 12},
    "isomorphic_strings": {"min_string_length": 2, "max_string_length": 4},
    "lcm": {"min_numbers": 2, "max_numbers": 2, "min_value": 2, "max_value": 12},
    "leg_counting": {"min_animals": 1, "max_animals": 2, "min_instances": 1, "max_instances": 3},
    "letter_counting": {"min_words": 2, "max_words": 3},
    "needle_haystack": {"min_num_statements": 5, "max_num_statements": 8},
    "number_filtering": {"min_numbers": 3, "max_numbers": 3, "max_decimals": 0},
    "number_format": {"min_num_candidates": 2, "max_num_candidates": 2, "min_n": 100, "max_n": 9999},
    "number_sequence": {"min_terms": 4, "max_terms": 4, "min_value": 1, "max_value": 9, "max_complexity": 1},
    "number_sorting": {"min_numbers": 3, "max_numbers": 3, "max_decimals": 0},
    "palindrome_generation": {"min_length": 3, "max_length": 3},
    "prime_factorization": {"min_value": 2, "max_value": 60},
    "products": {"min_terms": 2, "max_terms": 2, "min_digits": 1, "max_digits": 1},
    "ransom_note": {"max_note_length": 3, "min_magazine_length": 4, "max_magazine_length": 6},
    "simple_equations": {"min_terms": 2, "max_terms": 2, "min_value": 1, "max_value": 9},
    "simple_geometry": {"min_sides": 3, "max_sides": 3},
    "spell_backward": {"min_word_len": 3, "max_word_len": 3},
    "syllogism": {},
    "word_sequence_reversal": {"min_words": 3, "max_words": 3},
    "word_sorting": {"min_words": 3, "max_words": 3, "max_word_length": 5},
}
