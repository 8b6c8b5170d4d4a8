package rt

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// A Task is work cut into chunks. Do runs one of them. Several chunks run in parallel, each with a different worker,
// which identifies their memory: [PerWorker] and [WorkerScratch]. Chunks of a task may run among those of others, so
// that a task may see more workers than it has chunks.
//
// Chunks that do not write to memory of other chunks need no locks: the end of [Env.Run] orders all their writes before
// the caller's next step.
type Task interface {
	Do(w Worker, chunk int)
}

// An Env is the environment of one execution. The zero Env and a nil *Env are valid: one worker, unlimited memory, no
// cancellation.
type Env struct {
	Pool       *Pool        // nil: the caller does all the work
	Buffers    *Buffers     // nil: memory from the Go heap, uncounted
	Cancel     *atomic.Bool // nil: never cancelled; checked between chunks
	Session    Session
	maxWorkers int // limit of workers, 0 for none: see LimitWorkers

	Gemm     GemmSteps    // of the tier; zero: plain Go
	Scans    ScanSteps    // of the tier; nil: plain Go
	Fourier  FourierSteps // of the tier; nil: plain Go
	Combines CombineSteps // of the tier; nil: plain Go
	Sorts    SortSteps    // of the tier; nil: plain Go
}

// A Session is the state that the ops of one execution share, and its output. The steps of an execution run one after
// another.
type Session struct {
	Context context.Context     // of the execution, for host functions
	Draws   uint64              // number of random draws so far
	Probes  map[string][][]byte // values of each interpreter.probe, in order
	Output  *Output             // output of interpreter.print; nil drops it
}

// Output is a writer that processes share, with a lock for printing.
type Output struct {
	sync.Mutex
	io.Writer
}

// Workers returns the number of chunks that can run in parallel, at least 1.
func (e *Env) Workers() int {
	if e == nil || e.Pool == nil {
		return 1
	}
	if n := e.Pool.Workers(); e.maxWorkers == 0 || n < e.maxWorkers {
		return n
	}
	return e.maxWorkers
}

// LimitWorkers returns the environment with at most one worker per chunk of a region, for regions with much memory per
// worker. The caller runs larger regions itself.
func (e *Env) LimitWorkers(chunks int) Env {
	in := *e
	in.maxWorkers = max(chunks, 1)
	return in
}

// Cancelled reports whether the execution is cancelled. Results written after that are invalid.
func (e *Env) Cancelled() bool {
	return e != nil && e.Cancel != nil && e.Cancel.Load()
}

// Stopped is the panic value of [Env.CheckCancel].
type Stopped struct{}

// CheckCancel panics with [Stopped] if the execution is cancelled; whoever started the execution recovers it. Work that
// may take some milliseconds without the end of a chunk calls it regularly: it takes a nanosecond.
func (e *Env) CheckCancel() {
	if e.Cancelled() {
		panic(Stopped{})
	}
}

// CheckCancelAt is [Env.CheckCancel] at every 4,096th step.
func (e *Env) CheckCancelAt(step int) {
	if step&4095 == 4095 {
		e.CheckCancel()
	}
}

// BelowParallelThreshold reports whether the given number of arithmetic operations takes less time than waking workers.
func BelowParallelThreshold(ops int) bool { return ops < minParallelOps }

// Run runs chunks 0 to chunks-1 of the task and returns when all have ended, or were skipped because of a cancellation.
// A panic in a chunk skips the chunks not begun and is raised again in the caller.
func (e *Env) Run(chunks int, t Task) {
	switch {
	case e == nil:
		runInline(chunks, t, nil, 1)
	case e.Pool == nil:
		runInline(chunks, t, e.Cancel, 1)
	case e.maxWorkers > 0 && chunks > e.maxWorkers:
		runInline(chunks, t, e.Cancel, e.Workers())
	default:
		e.Pool.run(chunks, t, e.Cancel, e.Workers())
	}
}

// WakeWorkers wakes workers for an execution whose regions have at most this number of chunks.
func (e *Env) WakeWorkers(chunks int) {
	if e != nil && e.Pool != nil && chunks > 1 {
		e.Pool.WakeWorkers(chunks)
	}
}

// SingleWorker returns an environment with the same memory and cancel flag and with one worker, the caller.
func (e *Env) SingleWorker() *Env {
	if e == nil || e.Pool == nil {
		return e
	}
	return &Env{Buffers: e.Buffers, Cancel: e.Cancel, Gemm: e.Gemm, Scans: e.Scans,
		Fourier: e.Fourier, Combines: e.Combines, Sorts: e.Sorts}
}

// Scratch returns size bytes, aligned to 64, with arbitrary content, to be freed with [Env.Free].
func (e *Env) Scratch(size int) ([]byte, error) {
	if e == nil {
		return (*Buffers)(nil).Get(size)
	}
	return e.Buffers.Get(size)
}

// Free frees memory of [Env.Scratch].
//
//go:noinline
func (e *Env) Free(b []byte) {
	if e != nil {
		e.Buffers.Put(b)
	}
}

// runInline runs all chunks as the first of several workers.
func runInline(chunks int, t Task, cancel *atomic.Bool, workers int) {
	for c := range chunks {
		if cancel != nil && cancel.Load() {
			return
		}
		t.Do(Worker{0, int32(workers)}, c)
	}
}
