"""Records what transformers makes of conversations by templates of each known family: record_chat.py > chat.json"""
import json
import sys

from transformers.utils.chat_template_utils import _compile_jinja_template

ADD = "{% if add_generation_prompt %}"
EACH = "{% for m in messages %}"
TEMPLATES = {
    "chatml": EACH + "{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}" + ADD +
              "{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "chatml with a system message": EACH + "{% if loop.first and m['role'] != 'system' %}{{ '<|im_start|>system\\nBe brief.<|im_end|>\\n' }}"
              "{% endif %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] | trim + '<|im_end|>\\n' }}{% endfor %}" + ADD +
              "{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "chatml with thoughts": EACH + "{% set c = m['content'] %}{% if m['role'] == 'assistant' and '</think>' in c %}"
              "{% set c = c.split('</think>')[-1].lstrip('\\n') %}{% endif %}"
              "{{ '<|im_start|>' + m['role'] + '\\n' + c + '<|im_end|>\\n' }}{% endfor %}" + ADD + "{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "llama3": EACH + "{% set c = '<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n' + m['content'] | trim + '<|eot_id|>' %}"
              "{% if loop.index0 == 0 %}{% set c = bos_token + c %}{% endif %}{{ c }}{% endfor %}" + ADD +
              "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}",
    "llama3 with a date": "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set s = messages[0]['content'] | trim %}"
              "{% set messages = messages[1:] %}{% else %}{% set s = '' %}{% endif %}"
              "{{ '<|start_header_id|>system<|end_header_id|>\\n\\nCutting Knowledge Date: December 2023\\nToday Date: 26 Jul 2024\\n\\n' "
              "+ s + '<|eot_id|>' }}" + EACH +
              "{{ '<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n' + m['content'] | trim + '<|eot_id|>' }}{% endfor %}" + ADD +
              "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}",
    "gemma": "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + EACH +
              "{{ '<start_of_turn>' + ('model' if m['role'] == 'assistant' else m['role']) + '\\n' + m['content'] | trim + '<end_of_turn>\\n' }}"
              "{% endfor %}" + ADD + "{{ '<start_of_turn>model\\n' }}{% endif %}",
    "gemma with a system message": "{{ bos_token }}{% set p = '' %}{% if messages[0]['role'] == 'system' %}{% set p = messages[0]['content'] + '\\n\\n' %}"
              "{% set messages = messages[1:] %}{% endif %}" + EACH +
              "{{ '<start_of_turn>' + ('model' if m['role'] == 'assistant' else m['role']) + '\\n' + (p if loop.first else '') }}"
              "{{ m['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}" + ADD + "{{ '<start_of_turn>model\\n' }}{% endif %}",
    "llama2": "{% set s = '' %}{% if messages[0]['role'] == 'system' %}{% set s = '<<SYS>>\\n' + messages[0]['content'] + '\\n<</SYS>>\\n\\n' %}"
              "{% set messages = messages[1:] %}{% endif %}" + EACH + "{% set c = (s if loop.first else '') + m['content'] %}"
              "{% if m['role'] == 'user' %}{{ bos_token + '[INST] ' + c.strip() + ' [/INST]' }}{% else %}{{ ' ' + c.strip() + ' ' + eos_token }}"
              "{% endif %}{% endfor %}",
    "mistral 0.1": "{{ bos_token }}" + EACH + "{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
              "{% elif m['role'] == 'assistant' %}{{ m['content'] + eos_token + ' ' }}{% else %}{{ raise_exception('no') }}{% endif %}{% endfor %}",
    "mistral 0.3": "{% if messages[0]['role'] == 'system' %}{% set system_message = messages[0]['content'] %}{% set messages = messages[1:] %}"
              "{% endif %}{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
              "{% if loop.last and system_message is defined %}{{ '[INST] ' + system_message + '\\n\\n' + message['content'] + '[/INST]' }}"
              "{% else %}{{ '[INST] ' + message['content'] + '[/INST]' }}{% endif %}"
              "{% else %}{{ ' ' + message['content'] | trim + eos_token }}{% endif %}{% endfor %}",
    "phi3": "{{ bos_token }}" + EACH + "{{ '<|' + m['role'] + '|>' + '\\n' + m['content'] + '<|end|>' + '\\n' }}{% endfor %}" + ADD +
              "{{ '<|assistant|>' + '\\n' }}{% endif %}",
    "zephyr": "{% for m in messages %}\n{% if m['role'] == 'user' %}\n{{ '<|user|>\\n' + m['content'] + eos_token }}\n"
              "{% elif m['role'] == 'system' %}\n{{ '<|system|>\\n' + m['content'] + eos_token }}\n{% else %}\n"
              "{{ '<|assistant|>\\n' + m['content'] + eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n"
              "{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}",
    "deepseek": "{{ bos_token }}" + EACH + "{% if m['role'] == 'system' %}{{ m['content'] }}{% elif m['role'] == 'user' %}"
              "{{ '<｜User｜>' + m['content'] + '<｜Assistant｜>' }}{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}",
}
S, U, A = ({"role": "system", "content": " Speak plainly.\n"}, {"role": "user", "content": " Hello? "},
           {"role": "assistant", "content": "<think>\nhm\n</think>\n\nYes, hello. "})
V = {"role": "user", "content": "Why\nnot"}
cases = []
for name, template in TEMPLATES.items():
    for messages in ([U], [S, U], [U, A, V], [S, U, A, V]):
        config = {"chat_template": template, "bos_token": "<s>", "eos_token": {"content": "</s>"}}
        try:
            want = _compile_jinja_template(template).render(messages=messages, bos_token="<s>", eos_token="</s>", add_generation_prompt=True)
        except Exception:
            want = None  # an error
        cases.append({"name": name, "config": config, "messages": messages, "want": want})
json.dump(cases, sys.stdout, ensure_ascii=False, indent=1)
