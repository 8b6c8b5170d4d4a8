// Package safetensors reads and writes .safetensors files, the common format of model weights: a JSON header
// with names, dtypes, shapes and offsets, and then the data of all tensors.
//
//	f, err := safetensors.Open("model.safetensors")  // reads the header only
//	w, err := f.Tensor("layers.0.weight")            // reads one tensor
//	err = safetensors.WriteFile("out.safetensors", []safetensors.Tensor{w}, nil)
//
// Files are checked as the reference implementation does: the header has at most 100 MB, tensors follow one
// another without gap or overlap from the end of the header to the end of the file, and each has the size of
// its shape and dtype. In addition, names must be unique.
//
// The output of Write is, byte for byte, that of the reference for the same tensors (the reference does not
// define the order of metadata; here it is sorted).
//
// Dtypes F4, F6_E2M3 and F6_E3M2 are packed in files: element i starts at bit
// 4i or 6i, counted from the lowest bit of the first byte. In memory they take
// a byte each, see package dtype.
//
// Source: https://github.com/huggingface/safetensors#format and its Rust
// implementation, version 0.8.0.
package safetensors
