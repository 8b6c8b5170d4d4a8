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
	count   atomic.Int64 // of functions being traced, so that asking costs nothing without any
	current sync.Map     // goroutine → stageOf the innermost
}

// stageOf says which ops of a goroutine belong to a trace.
type stageOf struct {
	t *trace
	// all is set for a branch or a body. A compiled function gets the ops that have a
	// traced operand; those on data run at once while it is traced.
	all bool
}

// stage makes ops of this goroutine belong to t until leave is called.
func stage(t *trace, all bool) (leave func()) {
	staging.count.Add(1)
	me := goroutine()
	outer, nested := staging.current.Swap(me, stageOf{t, all})
	return func() {
		if nested {
			staging.current.Store(me, outer)
		} else {
			staging.current.Delete(me)
		}
		staging.count.Add(-1)
	}
}

// staged returns the trace that an op of this goroutine on data belongs to, or nil.
func staged() *trace {
	if s := currentStage(); s.all {
		return s.t
	}
	return nil
}

func currentStage() stageOf {
	if staging.count.Load() == 0 {
		return stageOf{}
	}
	s, _ := staging.current.Load(goroutine())
	stage, _ := s.(stageOf)
	return stage
}

// traceFor returns the trace that an op on these operands belongs to, nil when
// it runs at once.
func traceFor(ins []Tensor) *trace {
	t := innermost(ins)
	if s := currentStage(); s.t != nil && (t == nil && s.all || t != nil && s.t.id > t.id) {
		return s.t
	}
	return t
}
