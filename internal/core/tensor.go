package core

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// Tensor is nx.Tensor: one pointer to an immutable header. Both types are the same struct.
type Tensor struct {
	_ [0]func() // not comparable
	p *tensor
}

// tensor is the header: a type and one of three payloads.
type tensor struct {
	spec *Spec
	buf  *payload
	rec  *recipe          // beside buf: computed only from constants
	val  *stablehlo.Value // with tr
	tr   *trace
}

// payload is a buffer shared by all copies of a tensor.
type payload struct {
	buf   backend.Buffer
	home  *home
	valid validity
}

// Spec implements nx.Tensor.Spec.
func (t Tensor) Spec() Spec {
	if t.p == nil {
		return Spec{}
	}
	s := *t.p.spec.strong()
	s.Shape, s.Names, s.Vectors = slices.Clone(s.Shape), slices.Clone(s.Names), slices.Clone(s.Vectors)
	s.plain = nil
	return s
}

// DType implements nx.Tensor.DType.
func (t Tensor) DType() DType { return t.must("DType").DType }

// Shape implements nx.Tensor.Shape.
func (t Tensor) Shape() Shape { return slices.Clone(t.must("Shape").Shape) }

// Rank implements nx.Tensor.Rank.
func (t Tensor) Rank() int { return len(t.must("Rank").Shape) }

// Size implements nx.Tensor.Size.
func (t Tensor) Size() int { return t.must("Size").Shape.Size() }

// Names implements nx.Tensor.Names.
func (t Tensor) Names() []string {
	s := t.must("Names")
	names := make([]string, len(s.Shape))
	copy(names, s.Names)
	return names
}

// IsZero implements nx.Tensor.IsZero.
func (t Tensor) IsZero() bool { return t.p == nil }

// must returns the spec of a tensor that is not absent.
func (t Tensor) must(op string) *Spec {
	if t.p == nil {
		fail(ErrAbsent, op, "a field that was never set, or the gradient of one?",
			"the tensor is absent (the zero Tensor)")
	}
	return t.p.spec
}

func wrap(p *tensor) Tensor { return Tensor{p: p} }

// bufferTensor is a tensor with its payload: all of it pointers, as in [backend.Front].
type bufferTensor struct {
	tensor
	payload
}

// newBuffer returns a tensor of a buffer in memory of its own.
func newBuffer(h *home, spec *Spec, b backend.Buffer) Tensor {
	t := newBorrowed(h, spec, b)
	if l := tracking.Load(); l != nil {
		l.allocated(t)
	}
	return t
}

// newShared returns a tensor of a buffer in the memory of another tensor.
func newShared(with Tensor, spec *Spec, b backend.Buffer) Tensor {
	t := newBorrowed(with.p.buf.home, spec, b)
	if l := tracking.Load(); l != nil {
		l.shared(t, with)
	}
	return t
}

// newBorrowed returns a tensor of a buffer in memory that is not counted as that of tensors. The tensor is beside the
// buffer where there is room, else in one allocation.
func newBorrowed(h *home, spec *Spec, b backend.Buffer) Tensor {
	var front *backend.Front
	if f, ok := b.(backend.Fronted); ok {
		front = f.TakeFront()
	}
	return newBufferIn(front, h, spec, b)
}

// newBufferIn returns a tensor of a buffer in its front, nil for none.
func newBufferIn(front *backend.Front, h *home, spec *Spec, b backend.Buffer) Tensor {
	t := (*bufferTensor)(unsafe.Pointer(front))
	if t == nil {
		t = &bufferTensor{}
	}
	t.tensor.spec, t.payload.buf, t.payload.home = spec, b, h
	t.tensor.buf = &t.payload
	return wrap(&t.tensor)
}

// A front has exactly the room of a tensor.
var (
	_ [unsafe.Sizeof(backend.Front{}) - unsafe.Sizeof(bufferTensor{})]struct{}
	_ [unsafe.Sizeof(bufferTensor{}) - unsafe.Sizeof(backend.Front{})]struct{}
)

// take returns the buffer of a payload, or fails, naming the caller that ended its validity.
func (p *payload) take(op string) backend.Buffer {
	p.valid.check(op)
	return p.buf
}

// spec is the type of a tensor that is present.
func (t Tensor) spec() *Spec { return t.p.spec }

// isWeakNumber reports whether a tensor is computed only from Go numbers and
// known: it is checked like a number.
func (p *tensor) isWeakNumber() bool { return p.spec.weak && p.rec != nil && p.rec.isNumber }

// presentTensors returns the tensors that are not absent.
func presentTensors(ts []Tensor) []Tensor {
	out := make([]Tensor, 0, len(ts))
	for _, t := range ts {
		if t.p != nil {
			out = append(out, t)
		}
	}
	return out
}
