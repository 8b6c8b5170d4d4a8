package nx

import (
	"sync"
	"sync/atomic"
)

// The branches and bodies of control flow are staged: what they do belongs to
// them, even an op on tensors from outside alone, so that a branch not taken
// computes nothing and an infinite derivative in it meets no zero. Operands
// cannot tell where such an op belongs; the goroutine can.
var staging struct {
	count   atomic.Int64 // of bodies under construction, so that asking costs nothing without any
	current sync.Map     // goroutine → *trace of its innermost body; nil inside a function compiled on its own
}

// stage makes the ops of this goroutine belong to t until leave is called; nil
// lets them run at once.
func stage(t *trace) (leave func()) {
	staging.count.Add(1)
	me := goroutine()
	outer, nested := staging.current.Swap(me, t)
	return func() {
		if nested {
			staging.current.Store(me, outer)
		} else {
			staging.current.Delete(me)
		}
		staging.count.Add(-1)
	}
}

// staged returns the trace of the body that this goroutine is in, or nil.
func staged() *trace {
	if staging.count.Load() == 0 {
		return nil
	}
	t, _ := staging.current.Load(goroutine())
	s, _ := t.(*trace)
	return s
}

// unstaged lets ops of this goroutine run at once until leave is called: for
// functions that are compiled on their own.
func unstaged() (leave func()) {
	if staged() == nil {
		return func() {}
	}
	return stage(nil)
}

// traceFor returns the trace that an op on these operands belongs to, nil when
// it runs at once.
func traceFor(ins []Tensor) *trace {
	t := innermost(ins)
	if s := staged(); s != nil && (t == nil || s.id > t.id) {
		return s
	}
	return t
}
