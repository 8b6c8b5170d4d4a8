package core

import (
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// Tensor is an n-dimensional array: one pointer to an immutable header. It is
// safe to share between goroutines. The zero Tensor is absent: legal as a leaf
// of a container, an error as an operand. Compare contents with [Equal].
type Tensor struct {
	_ [0]func() // not comparable
	p *tensor
}

// tensor is the header: a type and one of three payloads.
type tensor struct {
	spec *Spec
	buf  *payload
	rec  *recipe          // beside buf: computed, of constants alone
	val  *stablehlo.Value // with tr
	tr   *trace
}

// payload is a buffer shared by all copies of a tensor.
type payload struct {
	buf   backend.Buffer
	home  *home
	valid validity
}

// Invalidation says who released or donated a tensor.
type Invalidation struct {
	how    string // "released" or "donated"
	pcs    []uintptr
	nearby [6]uintptr // what pcs most often is a part of
}

// released returns the Invalidation by the caller of the exported function that calls it, which
// is near: walking further would cost more than a small op.
func released() *Invalidation {
	v := &Invalidation{how: "released"}
	v.pcs = v.nearby[:runtime.Callers(4, v.nearby[:])]
	if file, _ := diag.CallerOf(v.pcs[:min(1, len(v.pcs))]); file != "" {
		lastReleased.Store(v)
	}
	return v
}

// lastReleased is what released returned last for a caller that is the user, which one
// frame tells: a loop releases in one place.
var lastReleased atomic.Pointer[Invalidation]

// by returns the caller's line, for messages.
func (v *Invalidation) by() string { return place(diag.CallerOf(v.pcs)) }

// Spec returns the type of the tensor; the zero Spec when it is absent.
func (t Tensor) Spec() Spec {
	if t.p == nil {
		return Spec{}
	}
	s := *t.p.spec.strong()
	s.Shape, s.Names, s.Vectors = slices.Clone(s.Shape), slices.Clone(s.Names), slices.Clone(s.Vectors)
	s.plain = nil
	return s
}

// DType returns the element type.
func (t Tensor) DType() DType { return t.must("DType").DType }

// Shape returns the sizes of the axes.
func (t Tensor) Shape() Shape { return slices.Clone(t.must("Shape").Shape) }

// Rank returns the number of axes.
func (t Tensor) Rank() int { return len(t.must("Rank").Shape) }

// Size returns the number of elements.
func (t Tensor) Size() int { return t.must("Size").Shape.Size() }

// Names returns the names of the axes, "" where one has none.
func (t Tensor) Names() []string {
	s := t.must("Names")
	names := make([]string, len(s.Shape))
	copy(names, s.Names)
	return names
}

// IsZero reports whether the tensor is absent.
func (t Tensor) IsZero() bool { return t.p == nil }

// must returns the spec of a tensor that is not absent.
//
//go:noinline
func (t Tensor) must(op string) *Spec {
	if t.p == nil {
		fail(ErrAbsent, op, "a field that was never set, or the gradient of one?", "the tensor is absent (the zero Tensor)")
	}
	return t.p.spec
}

// AxisSize implements nx.AxisSize.
func AxisSize[A AxisRef](t Tensor, axis A) int {
	s := t.must("AxisSize")
	return s.Shape[axisIndex("AxisSize", t, axisOf(axis))]
}

func wrap(p *tensor) Tensor { return Tensor{p: p} }

// bufferTensor is a tensor with its payload: all of it pointers, as in [backend.Front].
type bufferTensor struct {
	tensor
	payload
}

// newBuffer returns a tensor of a buffer, beside it where there is room, else in one
// allocation.
func newBuffer(h *home, spec *Spec, b backend.Buffer) Tensor {
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

// materialise returns the buffer of a tensor that is not traced; a recipe's is
// made at h.
func materialise(op string, h *home, x Tensor) backend.Buffer {
	p := x.p
	switch {
	case p.buf != nil:
		return p.buf.take(op)
	case p.rec != nil:
		return p.rec.buffer(op, h, p.spec)
	}
	p.tr.alive(op)
	fail(ErrTrace, op,
		"data exists when the compiled function runs: return the tensor, or use an op instead of reading it",
		"the data of a traced tensor is not known yet (%s at %s)", p.tr.what, place(p.tr.file, p.tr.line))
	return nil
}

// computed marks data that was computed of constants alone. It follows the operands that it
// meets to where they are, as constants do.
var computed = &recipe{}

// mark marks a tensor of data as computed of constants alone where it was.
func (t Tensor) mark(constants bool) Tensor {
	if constants {
		t.p.rec = computed
	}
	return t
}

// isConstant reports whether tensors are constants or were computed of constants alone.
func isConstant(ts []Tensor) bool {
	for _, t := range ts {
		if t.p != nil && t.p.rec == nil {
			return false
		}
	}
	return true
}

// take returns the buffer of a payload, or fails naming who took it.
func (p *payload) take(op string) backend.Buffer {
	p.valid.check(op)
	return p.buf
}

// itself returns the result of an op that changes nothing about t: a tensor of its own.
func (t Tensor) itself(op string) Tensor { return t.same(op).apart(op, t) }

// apart returns t, the result of an op on x, as a tensor of its own where the two are one or
// share their payload: released or given away, one leaves the other as it is.
func (t Tensor) apart(op string, x Tensor) Tensor {
	switch {
	case t.p == nil || t.p.tr != nil || t.p.buf != x.p.buf || t.p.buf == nil && t.p.rec != x.p.rec:
		return t
	case t.p.buf == nil:
		return wrap(&tensor{spec: t.p.spec, rec: t.p.rec.apart()})
	}
	if b, ok := t.p.buf.buf.(backend.Reshaper); ok {
		return share(op, t, t.p.spec, b)
	}
	return copyOf(op, t)
}

// same returns t as the operand of what follows, after the checks that any other use gets.
func (t Tensor) same(op string) Tensor {
	if g := t.p.validity(); g != nil {
		g.check(op)
	} else {
		t.p.tr.alive(op)
	}
	return t
}

// validity returns that of the payload, nil for a traced tensor.
func (p *tensor) validity() *validity {
	switch {
	case p.buf != nil:
		return &p.buf.valid
	case p.rec != nil:
		return &p.rec.valid
	}
	return nil
}

// validity of a tensor ends when it is released or donated.
type validity struct {
	ended atomic.Pointer[Invalidation]
}

// check fails when the tensor is not valid any more, naming who ended that.
func (v *validity) check(op string) {
	if g := v.ended.Load(); g != nil {
		fail(ErrReleased, op, "keep a copy before giving the tensor away, or use the result that took its place",
			"the tensor was %s at %s", g.how, g.by())
	}
}

// invalidate ends the validity; it reports whether the tensor was valid.
func (v *validity) invalidate(by *Invalidation) bool { return v.ended.CompareAndSwap(nil, by) }
