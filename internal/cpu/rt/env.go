package rt

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// A Task is work cut into chunks. Do runs one of them; several chunks run at the
// same time, each with a different worker, which tells apart the memory of chunks in
// flight: [PerWorker] and [WorkerScratch]. Chunks of a task may run among those of others, so that
// more workers take one than the task has chunks.
//
// A task that cannot write to memory other chunks use needs no locks: the end of
// [Env.Run] orders everything the chunks wrote before what the caller does next.
type Task interface {
	Do(w Worker, chunk int)
}

// An Env is what one execution runs with. The zero Env and a nil *Env are valid:
// one worker, memory without a limit, no cancelling.
type Env struct {
	Pool       *Pool        // nil: the caller does all the work
	Buffers    *Buffers     // nil: memory from the Go heap, uncounted
	Cancel     *atomic.Bool // nil: never cancelled; checked between chunks
	Session    Session
	maxWorkers int // workers, where it is not 0: see Within

	Gemm     GemmSteps    // of the tier; the zero Products are plain Go
	Scans    ScanSteps    // of the tier; nil: plain Go
	Fourier  FourierSteps // of the tier; nil: plain Go
	Combines CombineSteps // of the tier; nil: plain Go
	Sorts    SortSteps    // of the tier; nil: plain Go
}

// A Session is what the ops of one execution leave for each other, and where
// they write. The steps of an execution run one after another.
type Session struct {
	Context context.Context     // of the execution, for functions of the program that it calls
	Draws   uint64              // how many times random numbers have been drawn
	Probes  map[string][][]byte // what each interpreter.probe has seen, in order
	Output  *Output             // where interpreter.print writes; nil drops it
}

// Output is a writer that processes share: who prints holds the lock.
type Output struct {
	sync.Mutex
	io.Writer
}

// Workers returns how many chunks can run at the same time, at least 1.
func (e *Env) Workers() int {
	if e == nil || e.Pool == nil {
		return 1
	}
	if n := e.Pool.Workers(); e.maxWorkers == 0 || n < e.maxWorkers {
		return n
	}
	return e.maxWorkers
}

// LimitWorkers returns the environment with no more workers than regions of so many chunks have, where each takes
// much memory. Regions of more chunks are the work of the caller.
func (e *Env) LimitWorkers(chunks int) Env {
	in := *e
	in.maxWorkers = max(chunks, 1)
	return in
}

// Cancelled reports whether the execution has been told to stop. What kernels
// wrote after that is not to be used.
func (e *Env) Cancelled() bool {
	return e != nil && e.Cancel != nil && e.Cancel.Load()
}

// Stopped is what [Env.CheckCancel] panics with.
type Stopped struct{}

// CheckCancel ends the execution by a panic with [Stopped] when it has been told to stop;
// whoever started the execution recovers it. Work that may take longer than some
// milliseconds between two chunks calls it on the way: it takes a nanosecond.
func (e *Env) CheckCancel() {
	if e.Cancelled() {
		panic(Stopped{})
	}
}

// CheckCancelAt is [Env.CheckCancel] at every 4,096th of counted steps.
func (e *Env) CheckCancelAt(step int) {
	if step&4095 == 4095 {
		e.CheckCancel()
	}
}

// Run runs chunks 0 to chunks-1 of the task and returns when all have ended, or
// been skipped because the execution was cancelled. A panic in a chunk skips the
// chunks not begun and is raised again in the caller.
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

// WakeWorkers tells the workers that an execution begins whose regions have up to so many chunks.
func (e *Env) WakeWorkers(chunks int) {
	if e != nil && e.Pool != nil && chunks > 1 {
		e.Pool.WakeWorkers(chunks)
	}
}

// SingleWorker returns an environment with the same memory and cancel flag in which the caller
// does all the work.
func (e *Env) SingleWorker() *Env {
	if e == nil || e.Pool == nil {
		return e
	}
	return &Env{Buffers: e.Buffers, Cancel: e.Cancel, Gemm: e.Gemm, Scans: e.Scans,
		Fourier: e.Fourier, Combines: e.Combines, Sorts: e.Sorts}
}

// Scratch returns size bytes, aligned to 64, with arbitrary content. Give them
// back with [Env.Free].
func (e *Env) Scratch(size int) ([]byte, error) {
	if e == nil {
		return (*Buffers)(nil).Get(size)
	}
	return e.Buffers.Get(size)
}

// Free returns what [Env.Scratch] gave.
//
//go:noinline
func (e *Env) Free(b []byte) {
	if e != nil {
		e.Buffers.Put(b)
	}
}

// runInline runs all chunks as the first of so many workers.
func runInline(chunks int, t Task, cancel *atomic.Bool, workers int) {
	for c := range chunks {
		if cancel != nil && cancel.Load() {
			return
		}
		t.Do(Worker{0, int32(workers)}, c)
	}
}
