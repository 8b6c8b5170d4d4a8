// Package openai serves language models by the protocol of OpenAI's API, which many clients speak: /v1/models,
// /v1/completions and /v1/chat/completions, at once or as server-sent events, and /v1/embeddings.
//
//	m, err := openai.Open("SmolLM2-135M-Instruct", openai.Config{})
//	http.Handle("/v1/", openai.Handler(openai.Limits{}, m))
//
// Requests of many clients share the slots of one generator, join and leave at the boundary of a step, and leave when
// their client has left. A field of a request that would change the result and is not supported is an error that names
// it.
//
// What a request does not say about sampling is taken from generation_config.json.
//
// Source: https://platform.openai.com/docs/api-reference.
//
// Read next: docs/language-models.md.
package openai
