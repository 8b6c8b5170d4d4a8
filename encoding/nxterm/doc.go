// Package nxterm reads and writes the files of Nx.serialize, in which Elixir programs store tensors:
//
//	tensors, err := nxterm.ReadFile("model.nx")
//	err = nxterm.WriteFile("out.nx", tensors)
//
// A file is "nx", the version 1, the byte order, the length of a header, the header and the elements of all
// tensors. The header is a term in Erlang's external format: a tensor {:t, shape, type, names,
// vectorized_axes, offset, size} or a container {module, pairs, metadata}. The format before version 1, a term
// that includes the elements, is also supported.
//
// Tensors in containers are named by their path: "a[0].key" is the entry key of the map that is the first
// element of the tuple in the field a. [Write] writes a map with the names as keys, strings, or a single
// tensor with the name "".
//
// Elements narrower than a byte are packed in files, the first in the highest bits of the first byte; in
// memory they take a byte each, see package dtype. Nx has no bool and fewer floats of 8 bits: the other types
// are written by their names here, which Nx rejects.
//
// Compression (Nx.serialize(t, compressed: 9)) applies to the header, not to the elements. A header may have
// 64 MiB unpacked. Every length is checked before memory is allocated.
//
// Source: the functions serialize and deserialize of Nx 0.13 and the Erlang External Term
// Format, https://www.erlang.org/doc/apps/erts/erl_ext_dist.
package nxterm
