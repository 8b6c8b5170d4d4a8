// Package generate writes text with the language models of package transformers, token by token.
//
//	g, err := generate.New(model, generate.Slots(8))
//	for token, err := range g.Stream(ctx, prompt, generate.Options{MaxNewTokens: 40}) { … }
//
// A generator has slots. Each request takes one at the boundary of a step and leaves it at another, and one compiled
// step computes the next token of all slots: keys and values stay in a cache whose memory the step takes and returns.
// Prompts are computed in pieces of few sizes, so that few programs are compiled.
//
// Options have the names and meanings of the generation_config.json of transformers: processors of the scores of
// tokens, sampling, beams, ends. A request with a seed gets the same tokens by itself as beside others.
//
// Tokens are numbers here. What needs text, such as strings that end a sequence, takes it from a [TextDecoder].
//
// Read next: docs/language-models.md.
package generate
