package core

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// The branches and bodies of control flow are staged: their ops belong to them,
// even an op only on tensors from outside, so that a branch not taken computes
// nothing and an infinite derivative in it is not multiplied by zero. The operands
// do not determine where such an op belongs; the goroutine does.
var staging struct {
	newest  atomic.Int64 // the largest id of a trace in it, 0 where nothing is traced
	current sync.Map     // goroutine → stageEntry, the innermost

	mu     sync.Mutex
	traces map[int64]bool // by id
}

// stageEntry says which ops of a goroutine belong to a trace.
type stageEntry struct {
	t *trace
	// all is set for a branch or a body. A compiled function gets the ops that have a
	// traced operand; those on data run at once while it is traced.
	all bool
	// inBody is set in a branch or a body, and in what is traced there: the calls of Go functions belong to
	// the trace.
	inBody bool
	// mask says for which elements of vectorised axes Go functions run; absent for all.
	mask  Tensor
	outer *stageEntry // the one that this is in
}

// batches describes the batches that ops of the goroutine are computed in, inner ones first; "" for none.
func (s *stageEntry) batches() string {
	var list []string
	for ; s != nil && s.t != nil; s = s.outer {
		if s.t.batch > 0 {
			list = append(list, fmt.Sprintf("%s of %d", s.t.what, s.t.batch))
		}
	}
	return strings.Join(list, ", in ")
}

// home returns where ops run that have only constants as operands.
func (s stageEntry) home() *home {
	if s.t != nil && s.t.home != nil {
		return s.t.home
	}
	return local()
}

// stage makes ops of this goroutine belong to t until leave is called.
func stage(t *trace, all bool) (leave func()) {
	me := t.runs
	if me == "" {
		me = goroutine()
	}
	outer := currentStage()
	pop := push(t.id, me, stageEntry{t, all, all || outer.inBody, outer.mask, &outer})
	return func() {
		pop()
		if outer.t != nil && t.calls.Load() {
			outer.t.calls.Store(true)
		}
	}
}

// push makes a stage that of a goroutine until pop is called.
func push(id int64, me string, s stageEntry) (pop func()) {
	noteStaged(id, true)
	outer, nested := staging.current.Swap(me, s)
	return func() {
		if nested {
			staging.current.Store(me, outer)
		} else {
			staging.current.Delete(me)
		}
		noteStaged(id, false)
	}
}

// noteStaged notes that a trace is staged, or is no longer. A body is staged
// more than once, but never inside itself.
func noteStaged(id int64, on bool) {
	staging.mu.Lock()
	defer staging.mu.Unlock()
	if on {
		if staging.traces == nil {
			staging.traces = map[int64]bool{}
		}
		staging.traces[id] = true
	} else {
		delete(staging.traces, id)
	}
	newest := int64(0)
	for id := range staging.traces {
		newest = max(newest, id)
	}
	staging.newest.Store(newest)
}

// stagedTrace returns the trace that an op of this goroutine on data belongs to, or nil.
func stagedTrace() *trace {
	if s := currentStage(); s.all {
		return s.t
	}
	return nil
}

func currentStage() stageEntry {
	if staging.newest.Load() == 0 {
		return stageEntry{}
	}
	s, _ := staging.current.Load(goroutine())
	stage, _ := s.(stageEntry)
	return stage
}

// traceFor returns the trace that an op on these operands belongs to, nil when
// it runs at once.
func traceFor(ins []Tensor) *trace {
	t := innermost(ins)
	if t != nil && t.id >= staging.newest.Load() {
		return t
	}
	if s := currentStage(); s.t != nil && (t == nil && s.all || t != nil && s.t.id > t.id) {
		return s.t
	}
	return t
}

// Scope is a place in what is traced on a goroutine; the zero Scope is outside of all.
type Scope struct{ t *trace }

// CurrentScope returns that of the goroutine.
func CurrentScope() Scope { return Scope{currentStage().t} }

// RepeatedSince returns which function was begun to be traced since s, and not ended, that runs more often than it is
// traced, with its line; "" for none.
func (s Scope) RepeatedSince() string {
	for t := currentStage().t; t != nil && t != s.t; t = t.outer {
		if t.runsAgain {
			return t.what + " at " + place(t.file, t.line)
		}
	}
	return ""
}

// StagedTraces returns how many traces are open to ops of goroutines, for tests.
func StagedTraces() int {
	staging.mu.Lock()
	defer staging.mu.Unlock()
	return len(staging.traces)
}

// homeFor returns where an op runs: where its operands live; an op only on constants, or on tensors computed from them,
// runs where the function that is traced will run.
func homeFor(op string, ins []Tensor) *home {
	var h *home
	for _, x := range ins {
		switch b := x.p.buf; {
		case b == nil || b.home == h || x.p.rec != nil:
		case h == nil:
			h = b.home
		default:
			failOn(ErrDevice, op, ins, "move one of them (nx.Transfer)",
				"the operands live on different devices, %s and %s",
				h.device, b.home.device)
		}
	}
	if h != nil {
		return h
	}
	return currentStage().home()
}

var traceCount atomic.Int64

// newTrace starts the trace of a function; it continues the trace of its operands.
func newTrace(what string, ins ...Tensor) *trace {
	m := stablehlo.NewModule("")
	fn := &tracedFunc{module: m, f: m.AddFunc("main", &stablehlo.FuncType{}), args: map[any]*stablehlo.Value{}}
	t := &trace{ctx: context.Background(), id: traceCount.Add(1), fn: fn, block: fn.f.Body(), what: what}
	outer := innermost(ins)
	if outer == nil {
		outer = currentStage().t
	}
	t.constants = &recipes{}
	if outer != nil {
		t.outer, t.ctx, t.home, t.constants = outer, outer.ctx, outer.home, outer.constants
		t.place = outer.place
	}
	t.file, t.line = diag.Caller()
	return t
}

// innermost returns the trace an op on these operands belongs to, nil when it
// runs at once.
func innermost(ins []Tensor) *trace {
	var in *trace
	for _, x := range ins {
		if x.p != nil && x.p.tr != nil && (in == nil || x.p.tr.id > in.id) {
			in = x.p.tr
		}
	}
	return in
}
