package core

import (
	"bytes"

	"github.com/go-nx/nx/encoding/nxterm"
)

// MarshalBinary implements nx.Tensor.MarshalBinary.
func (t Tensor) MarshalBinary() (out []byte, err error) {
	defer Catch(&err)
	if t.p == nil {
		return []byte{}, nil
	}
	var b bytes.Buffer
	if err := nxterm.Write(&b, []nxterm.Tensor{t.term("")}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// UnmarshalBinary implements nx.Tensor.UnmarshalBinary.
func (t *Tensor) UnmarshalBinary(data []byte) (err error) {
	defer Catch(&err)
	if len(data) == 0 {
		*t = Tensor{}
		return nil
	}
	list, err := nxterm.Read(data)
	if err != nil {
		return err
	}
	if len(list) != 1 || list[0].Name != "" {
		fail(ErrArgument, "UnmarshalBinary", "write it to a file .nx and read that by nx.LoadTensors",
			"this is a container of %s", plural(len(list), "tensor", "tensors"))
	}
	x := list[0]
	out := FromBytes(x.Data, x.Shape, x.DType, Names(x.Names...))
	if x.Vectors > 0 {
		out = Vectorize(out, x.Names[:x.Vectors]...)
	}
	*t = out
	return nil
}

// term returns the tensor as a file in the format of Nx.serialize has it.
func (t Tensor) term(name string) nxterm.Tensor {
	x := nxterm.Tensor{Name: name, Vectors: len(t.must("MarshalBinary").Vectors)}
	t = devectorized(t)
	x.DType, x.Shape, x.Data = t.p.spec.DType, t.p.spec.Shape, Bytes(t)
	if t.p.spec.Names != nil {
		x.Names = t.p.spec.names()
	}
	return x
}
