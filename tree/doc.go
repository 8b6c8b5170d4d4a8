// Package tree works on containers of tensors: trees of structs, slices, arrays, maps, pointers and interfaces with
// tensors as leaves, which functions of package nx take and return. Parameters of a model, its gradient and the state
// of
// an optimiser are such trees.
//
// Fields with the tag `nx:"-"` are left out. All other values are static: they are copied as they are.
package tree
