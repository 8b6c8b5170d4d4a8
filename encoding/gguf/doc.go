// Package gguf reads GGUF files, in which llama.cpp keeps models: typed metadata, and tensors of floats or of blocks
// of few bits with a common scale.
//
//	f, err := gguf.Open("model.gguf") // reads the metadata and the list of tensors only
//	name, err := gguf.Value[string](f, "general.architecture")
//	w, err := f.Tensor("blk.0.attn_q.weight") // reads one tensor
//
// Versions 2 and 3 are read, in little-endian order. Files are checked when they are opened: counts and lengths
// against the size of the file before memory is taken for them, names, which are unique, the alignment, and that each
// tensor lies in the file and no two overlap. A file whose tensors have types that this package cannot decode is
// opened, and its tensors are listed.
//
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
package gguf
