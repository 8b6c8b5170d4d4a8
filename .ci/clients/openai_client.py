"""OpenAI's own client against nx serve with the models of internal/cmd/tinymodel: openai_client.py ADDRESS"""

import sys

import openai

client = openai.OpenAI(base_url=f"http://{sys.argv[1]}/v1", api_key="none", max_retries=0)
assert [m.id for m in client.models.list()] == ["decoder", "encoder"]
messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]
drawn = {"model": "decoder", "temperature": 1.3, "seed": 7, "max_tokens": 24}

answer = client.chat.completions.create(messages=messages, **drawn)
text, usage, reason = "", None, None
for part in client.chat.completions.create(
    messages=messages, stream=True, stream_options={"include_usage": True}, **drawn
):
    if part.choices:
        text += part.choices[0].delta.content or ""
        reason = part.choices[0].finish_reason
    else:
        usage = part.usage
assert text and text == answer.choices[0].message.content, (text, answer)
assert usage == answer.usage and usage.completion_tokens > 0, (usage, answer)
assert reason == answer.choices[0].finish_reason, (reason, answer)

whole = client.completions.create(prompt="Once", **drawn).choices[0].text
parts = [p.choices[0].text for p in client.completions.create(prompt="Once", stream=True, **drawn)]
assert whole and "".join(parts) == whole, (parts, whole)

for vector in client.embeddings.create(model="encoder", input=["Hello", "a longer text"]).data:  # base64
    assert len(vector.embedding) == 16 and abs(sum(x * x for x in vector.embedding) - 1) < 1e-5, vector

several = client.chat.completions.create(messages=messages, n=3, logprobs=True, top_logprobs=2, **drawn).choices
assert [c.index for c in several] == [0, 1, 2] and several[0].message.content == text, several
for c in several:
    for token in c.logprobs.content:
        assert len(token.top_logprobs) == 2 and token.logprob <= token.top_logprobs[0].logprob <= 0, token
first = client.completions.create(prompt=["Once", "Hello"], logprobs=2, **drawn).choices
assert len(first) == 2 and first[0].text == whole and len(first[0].logprobs.tokens) > 0, first
assert len(first[0].logprobs.top_logprobs[0]) in (1, 2, 3) and first[0].logprobs.text_offset[0] == 0, first
streamed = client.completions.create(prompt="Once", n=2, stream=True, presence_penalty=0.5, logprobs=0, **drawn)
assert {c.index for p in streamed for c in p.choices} == {0, 1}
biased = client.completions.create(
    model="decoder", prompt="x", temperature=0, max_tokens=4, logit_bias={"97": 100}, frequency_penalty=0.1
)
assert biased.choices[0].text == "aaaa", biased

tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
for field, value in {"n": 0, "presence_penalty": 2.5, "top_logprobs": 3, "tools": [tool]}.items():
    try:
        client.chat.completions.create(messages=messages, **drawn, **{field: value})
        raise AssertionError(f"{field} is taken")
    except openai.BadRequestError as e:
        assert e.param == field, e
try:
    client.completions.create(model="decoder", prompt="x" * 500)
    raise AssertionError("a prompt is taken that is longer than the context")
except openai.BadRequestError as e:
    assert e.code == "context_length_exceeded", e
try:
    client.models.retrieve("none")
    raise AssertionError("there is a model none")
except openai.NotFoundError as e:
    assert e.code == "model_not_found", e
print("openai: all well")
