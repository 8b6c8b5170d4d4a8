// Package transformers opens language models and their relatives from folders as model hubs lay them: config.json
// beside weights in safetensors.
//
//	m, err := transformers.Open("gpt2")
//	out, err := m.Forward(transformers.Inputs{InputIDs: ids})
//
// The families are rows of a table: each reads its configuration and says which norms, positions, windows, biases and
// activations its blocks have, and how its weights are named in files. All share one block, made of the layers of
// package nn. Package generate writes text with those that predict tokens.
//
// An architecture, an option, an activation or a weight that is not known is an error that names it: a model is
// computed as its authors mean it, or not at all.
//
// Read next: docs/language-models.md.
package transformers
