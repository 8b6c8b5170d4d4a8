package core

import (
	"runtime"
	"sync/atomic"

	"github.com/go-nx/nx/diag"
)

// ReleasedAt returns the Invalidation by the caller of an exported function, which is called at pc.
func ReleasedAt(pc uintptr) *Invalidation {
	if by := lastReleased.Load(); by != nil && by.pcs[0] == pc { // which takes less than walking one frame
		return by
	}
	return released()
}

// ReleaseAll releases the tensors of a container.
func ReleaseAll(p any, by *Invalidation) {
	eachLeaf("Release", p, func(_ string, t Tensor) { t.Release(by) })
}

// Release releases one tensor; it allocates nothing.
func (t Tensor) Release(by *Invalidation) {
	if t.p == nil || t.p.tr != nil || !t.p.validity().invalidate(by) {
		return
	}
	if t.p.buf != nil {
		t.p.buf.buf.Release()
	} else {
		t.p.rec.release()
	}
}

// Invalidation records the caller that released or donated a tensor.
type Invalidation struct {
	how    string // "released" or "donated"
	pcs    []uintptr
	nearby [6]uintptr // the array of pcs if it is short
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

// check fails if the tensor is not valid any more, naming the caller that ended its validity.
func (v *validity) check(op string) {
	if g := v.ended.Load(); g != nil {
		fail(ErrReleased, op, "keep a copy before giving the tensor away, or use the result that took its place",
			"the tensor was %s at %s", g.how, g.by())
	}
}

// invalidate ends the validity; it reports whether the tensor was valid.
func (v *validity) invalidate(by *Invalidation) bool { return v.ended.CompareAndSwap(nil, by) }
