package onnx

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

// dense returns a sparse tensor of the file with all its elements.
func (p *Program) dense(s *onnx.SparseTensor) (Value, error) {
	if s.Values == nil || s.Indices == nil {
		return Value{}, errors.New("onnx: a sparse tensor has no values or no indices")
	}
	values, err := p.weight(s.Values)
	if err != nil {
		return Value{}, err
	}
	indices, err := p.weight(s.Indices)
	if err != nil {
		return Value{}, err
	}
	shape := make([]int, len(s.Dims))
	size := 1
	for i, d := range s.Dims {
		if d < 0 || d > 1<<31 || d > 0 && size > 1<<31/int(d) {
			return Value{}, fmt.Errorf("onnx: sparse tensor %q has the sizes %v", s.Values.Name, s.Dims)
		}
		shape[i] = int(d)
		size *= int(d)
	}
	d := values.t.DType()
	data := make([]byte, size*d.Size())
	given, at := core.Bytes(values.t), toInts(indices.t)
	n := values.t.Size()
	if indices.t.Rank() == 2 {
		flat := make([]int, n)
		if len(at) != n*len(shape) {
			return Value{}, fmt.Errorf("onnx: sparse tensor %q has %d indices for %d values", s.Values.Name, len(at), n)
		}
		for i := range flat {
			for k, size := range shape {
				j := at[i*len(shape)+k]
				if j < 0 || j >= size {
					return Value{}, fmt.Errorf("onnx: sparse tensor %q has the index %d in an axis of %d",
						s.Values.Name,
						j, size)
				}
				flat[i] = flat[i]*size + j
			}
		}
		at = flat
	}
	if len(at) != n {
		return Value{}, fmt.Errorf("onnx: sparse tensor %q has %d indices for %d values", s.Values.Name, len(at), n)
	}
	for i, j := range at {
		if j < 0 || j >= size {
			return Value{}, fmt.Errorf("onnx: sparse tensor %q has the index %d of %d", s.Values.Name, j, size)
		}
		copy(data[j*d.Size():(j+1)*d.Size()], given[i*d.Size():])
	}
	return Value{t: core.FromBytes(data, shape, d)}, nil
}
