"""Chat templates in the shapes of real ones, each in a few lines, and what a model reads of one chat.

The chat is SYSTEM, a question, an answer, a second question; `read` is the text up to the answer, None if the model is
refused with `line`.
"""

from typing import NamedTuple

CHAT = [
    {"role": "system", "content": "Rules."},
    {"role": "user", "content": "One?"},
    {"role": "assistant", "content": "1"},
    {"role": "user", "content": "Two?"},
]


class Shape(NamedTuple):
    """A template, the text of CHAT on 28 November 2026, and a part of the log or of the refusal."""

    template: str
    read: str | None
    line: str = ""


_RAISE = "{{ raise_exception('roles must alternate user/assistant') }}"
_ALTERNATES = (
    "{% for m in ms %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}" + _RAISE + "{% endif %}{% endfor %}"
)
_BODY = "{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}<|end|>\n{% endfor %}"
_ASK = "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
_CHATML = "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
_CHATML_ASK = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
_CHATML_READ = (
    "<|im_start|>system\nRules.<|im_end|>\n<|im_start|>user\nOne?<|im_end|>\n<|im_start|>assistant\n1<|im_end|>\n"
    "<|im_start|>user\nTwo?<|im_end|>\n<|im_start|>assistant\n"
)
_FOLDED = "<|user|>\nRules.\n\nOne?<|end|>\n<|assistant|>\n1<|end|>\n<|user|>\nTwo?<|end|>\n<|assistant|>\n"
_AT_THE_START = "system messages are written at the start of the first user message"

SHAPES: dict[str, Shape] = {
    "chatml": Shape(_CHATML + _CHATML_ASK, _CHATML_READ),
    "chatml-without-a-generation-prompt": Shape(_CHATML, _CHATML_READ, "ignores add_generation_prompt; the arena"),
    "chatml-that-always-asks": Shape(_CHATML + "{{ '<|im_start|>assistant\n' }}", _CHATML_READ),
    "default-system": Shape(  # SmolLM2, Qwen2.5
        "{% if messages[0]['role'] != 'system' %}<|im_start|>system\nYou are helpful.<|im_end|>\n{% endif %}"
        + _CHATML
        + _CHATML_ASK,
        _CHATML_READ,
    ),
    "phi-3": Shape(  # its first form wrote no system messages
        "{% for m in messages %}{% if m['role'] == 'user' %}<|user|>\n{{ m['content'] }}<|end|>\n<|assistant|>\n"
        "{% elif m['role'] == 'assistant' %}{{ m['content'] }}<|end|>\n{% endif %}{% endfor %}",
        _FOLDED,
        "leaves out system messages; " + _AT_THE_START,
    ),
    "gemma": Shape(
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
        "{% endif %}{% set ms = messages %}" + _ALTERNATES + "{% for m in messages %}<start_of_turn>"
        "{{ 'model' if m['role'] == 'assistant' else m['role'] }}\n{{ m['content'] | trim }}<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}",
        "<s><start_of_turn>user\nRules.\n\nOne?<end_of_turn>\n<start_of_turn>model\n1<end_of_turn>\n"
        "<start_of_turn>user\nTwo?<end_of_turn>\n<start_of_turn>model\n",
        "System role not supported; " + _AT_THE_START,
    ),
    "llama-2": Shape(
        "{% if messages[0]['role'] == 'system' %}{% set ms = messages[1:] %}{% set s = '<<SYS>>\n' + "
        "messages[0]['content'] + '\n<</SYS>>\n\n' %}{% else %}{% set ms = messages %}{% set s = '' %}{% endif %}"
        + _ALTERNATES
        + "{% for m in ms %}{% if m['role'] == 'user' %}{{ bos_token }}[INST] {{ s if loop.first else '' }}"
        "{{ m['content'] }} [/INST]{% else %} {{ m['content'] }} {{ eos_token }}{% endif %}{% endfor %}",
        "<s>[INST] <<SYS>>\nRules.\n<</SYS>>\n\nOne? [/INST] 1 </s><s>[INST] Two? [/INST]",
    ),
    "mistral": Shape(  # the system message stands before the last user message
        "{% if messages[0]['role'] == 'system' %}{% set ms = messages[1:] %}{% set s = messages[0]['content'] + "
        "'\n\n' %}{% else %}{% set ms = messages %}{% set s = '' %}{% endif %}" + _ALTERNATES + "{{ bos_token }}"
        "{% for m in ms %}{% if m['role'] == 'user' %}[INST] {{ s if loop.last else '' }}{{ m['content'] }}[/INST]"
        "{% else %} {{ m['content'] }}{{ eos_token }}{% endif %}{% endfor %}",
        "<s>[INST] One?[/INST] 1</s>[INST] Rules.\n\nTwo?[/INST]",
    ),
    "llama-3": Shape(
        "{{ bos_token }}{% if not date_string is defined %}{% if strftime_now is defined %}{% set date_string = "
        "strftime_now('%d %b %Y') %}{% else %}{% set date_string = '26 Jul 2024' %}{% endif %}{% endif %}"
        "{% if messages[0]['role'] == 'system' %}{% set s = messages[0]['content'] | trim %}{% set messages = "
        "messages[1:] %}{% else %}{% set s = '' %}{% endif %}"
        "<|h|>system<|/h|>\n\nCutting Knowledge Date: December 2023\nToday Date: {{ date_string }}\n\n{{ s }}<|eot|>"
        "{% for m in messages %}<|h|>{{ m['role'] }}<|/h|>\n\n{{ m['content'] | trim }}<|eot|>{% endfor %}"
        "{% if add_generation_prompt %}<|h|>assistant<|/h|>\n\n{% endif %}",
        "<s><|h|>system<|/h|>\n\nCutting Knowledge Date: December 2023\nToday Date: 28 Nov 2026\n\nRules.<|eot|>"
        "<|h|>user<|/h|>\n\nOne?<|eot|><|h|>assistant<|/h|>\n\n1<|eot|><|h|>user<|/h|>\n\nTwo?<|eot|>"
        "<|h|>assistant<|/h|>\n\n",
    ),
    "granite": Shape(
        "{% if messages[0]['role'] == 'system' %}{% set s = messages[0]['content'] %}{% set ms = messages[1:] %}"
        "{% else %}{% set s = \"Today's Date: \" + strftime_now('%B %-d, %Y') + '. You are Granite.' %}"
        "{% set ms = messages %}{% endif %}<|r|>system<|/r|>{{ s }}</s>\n"
        "{% for m in ms %}<|r|>{{ m['role'] }}<|/r|>{{ m['content'] }}</s>\n{% endfor %}"
        "{% if add_generation_prompt %}<|r|>assistant<|/r|>{% endif %}",
        "<|r|>system<|/r|>Rules.</s>\n<|r|>user<|/r|>One?</s>\n<|r|>assistant<|/r|>1</s>\n<|r|>user<|/r|>Two?</s>\n"
        "<|r|>assistant<|/r|>",
    ),
    "qwen-3": Shape(
        "{% for m in messages %}{% set c = m['content'] %}{% if m['role'] == 'assistant' and '</think>' in c %}"
        "{% set c = c.split('</think>')[-1].lstrip('\n') %}{% endif %}"
        "<|im_start|>{{ m['role'] }}\n{% if m['role'] == 'assistant' and loop.last %}<think>\n\n</think>\n\n{% endif %}"
        "{{ c }}<|im_end|>\n{% endfor %}" + _CHATML_ASK + "{% if add_generation_prompt and enable_thinking is defined "
        "and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}",
        _CHATML_READ,
    ),
    "deepseek-r1": Shape(
        "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'system' %}{{ m['content'] }}{% endif %}{% endfor %}"
        "{% for m in messages %}{% if m['role'] == 'user' %}<|User|>{{ m['content'] }}{% elif m['role'] == 'assistant' "
        "%}<|Assistant|>{{ m['content'].split('</think>')[-1] }}{{ eos_token }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|Assistant|><think>\n{% endif %}",
        "<s>Rules.<|User|>One?<|Assistant|>1</s><|User|>Two?<|Assistant|><think>\n",
    ),
    "harmony": Shape(
        "<|start|>system<|message|>You are ChatGPT.\nCurrent date: {{ strftime_now('%Y-%m-%d') }}<|end|>"
        "{% if messages[0]['role'] == 'system' %}<|start|>developer<|message|># Instructions\n\n"
        "{{ messages[0]['content'] }}<|end|>{% set ms = messages[1:] %}{% else %}{% set ms = messages %}{% endif %}"
        "{% for m in ms %}{% if m['role'] == 'user' %}<|start|>user<|message|>{{ m['content'] }}<|end|>"
        "{% elif m['role'] == 'assistant' %}<|start|>assistant<|channel|>final<|message|>{{ m['content'] }}"
        "{% if loop.last and not add_generation_prompt %}<|return|>{% else %}<|end|>{% endif %}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|start|>assistant{% endif %}",
        "<|start|>system<|message|>You are ChatGPT.\nCurrent date: 2026-11-28<|end|><|start|>developer<|message|>"
        "# Instructions\n\nRules.<|end|><|start|>user<|message|>One?<|end|><|start|>assistant<|channel|>final"
        "<|message|>1<|end|><|start|>user<|message|>Two?<|end|><|start|>assistant",
    ),
    "two-bos": Shape(
        "{{ bos_token }}<s>" + _CHATML + _CHATML_ASK,
        "<s>" + _CHATML_READ,
        "begins with '<s>' twice; one of them is left out",
    ),
    "ignores-all": Shape("hello", None, "leaves out user messages"),
    "first-message-only": Shape(
        "<|user|>\n{{ messages[0]['content'] }}<|end|>\n" + _ASK, None, "leaves out assistant messages"
    ),
    "last-message-only": Shape(
        "<|user|>\n{{ messages[-1]['content'] }}<|end|>\n" + _ASK, None, "leaves out user messages"
    ),
    "without-answers": Shape(
        _BODY.replace("<|{{", "{% if m['role'] != 'assistant' %}<|{{").replace("\n{% endfor", "\n{% endif %}{% endfor")
        + _ASK,
        None,
        "leaves out assistant messages",
    ),
    "backwards": Shape(_BODY.replace("in messages", "in messages | reverse") + _ASK, None, "in another order"),
    "uppercase": Shape(_BODY.replace("['content']", "['content'] | upper") + _ASK, None, "changes user messages"),
    "truncates": Shape(_BODY.replace("['content']", "['content'][:500]") + _ASK, None, "changes user messages"),
    "escapes": Shape(_BODY.replace("['content']", "['content'] | escape") + _ASK, None, "changes user messages"),
    "one-turn": Shape(
        "{% if messages | length > 2 %}{{ raise_exception('one turn only') }}{% endif %}" + _BODY + _ASK,
        None,
        "fails on the messages system user assistant user assistant user: TemplateError: one turn only",
    ),
    "no-opening": Shape(
        "{% for m in messages %}{{ m['content'] }}\n{% endfor %}{{ messages | length }}",
        None,
        "ignores add_generation_prompt, and no answer begins where a prompt ends",
    ),
    "syntax": Shape("{% for m in messages %}{{ m['content'] }}", None, "fails on the messages user: "),
    "undefined": Shape("{{ messages[0].x.y }}" + _BODY, None, "has no attribute 'x'"),
    "type": Shape("{{ 1 + 'a' }}" + _BODY, None, "unsupported operand"),
    "division": Shape("{{ 1 // 0 }}" + _BODY, None, "by zero"),
    "unsafe": Shape("{{ ''.__class__.__mro__ }}" + _BODY, None, "is unsafe"),
    "fails-without-an-answer": Shape(
        "{% if not add_generation_prompt %}{{ 1 // 0 }}{% endif %}" + _BODY + _ASK,
        None,
        "fails with add_generation_prompt=false: integer division",
    ),
    "fails-without-thinking": Shape(
        "{% if enable_thinking is defined %}{{ 1 // 0 }}{% endif %}" + _BODY + _ASK,
        None,
        "fails with add_generation_prompt=true, enable_thinking=false: integer division",
    ),
    "tool-tag": Shape("{% tools %}" + _BODY, None, "unknown tag"),
}
