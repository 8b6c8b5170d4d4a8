package onnx

import (
	"maps"
	"slices"
)

// ExternalPaths returns the paths of all files with data of tensors, relative to the folder of the model, with slashes
// and in order.
//
// The error is that of [Tensor.External].
func (m *Model) ExternalPaths() ([]string, error) {
	found := map[string]bool{}
	err := m.tensors(func(t *Tensor) error {
		e, err := t.External()
		if err == nil && e != nil {
			found[e.Path] = true
		}
		return err
	})
	return slices.Sorted(maps.Keys(found)), err
}

// tensors calls f for all tensors of a model, until an error.
func (m *Model) tensors(f func(*Tensor) error) error {
	w := walk{f: f}
	w.graph(m.Graph)
	for _, fn := range m.Functions {
		w.nodes(fn.Nodes)
	}
	return w.err
}

type walk struct {
	f   func(*Tensor) error
	err error
}

func (w *walk) tensor(t *Tensor) {
	if t != nil && w.err == nil {
		w.err = w.f(t)
	}
}

func (w *walk) sparse(list ...*SparseTensor) {
	for _, s := range list {
		if s != nil {
			w.tensor(s.Values)
			w.tensor(s.Indices)
		}
	}
}

func (w *walk) graph(g *Graph) {
	if g == nil {
		return
	}
	for _, t := range g.Initializers {
		w.tensor(t)
	}
	w.sparse(g.Sparse...)
	w.nodes(g.Nodes)
}

func (w *walk) nodes(list []*Node) {
	for _, n := range list {
		for _, a := range n.Attributes {
			w.tensor(a.Tensor)
			for _, t := range a.Tensors {
				w.tensor(t)
			}
			w.sparse(a.Sparse)
			w.sparse(a.SparseTensors...)
			w.graph(a.Graph)
			for _, g := range a.Graphs {
				w.graph(g)
			}
		}
	}
}
