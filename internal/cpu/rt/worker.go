package rt

import "iter"

// A Worker tells the workers of a region apart: one chunk runs at a time with each. Its number is known
// to [PerWorker] and [WorkerScratch] alone, so that whatever workers have of their own has room for all of them.
type Worker struct {
	index   int32
	workers int32 // the workers that the environment of the region has
}

// Caller is the only worker of work that its caller does outside of a region.
var Caller = Worker{0, 1}

// EachWorker yields the workers that regions of the environment may have.
func (e *Env) EachWorker() iter.Seq[Worker] {
	n := int32(e.Workers())
	return func(yield func(Worker) bool) {
		for i := range n {
			if !yield(Worker{i, n}) {
				return
			}
		}
	}
}

// PerWorker is a value for each worker. It outlives the stack, and a region in a loop uses it again.
type PerWorker[T any] struct{ values []T }

// Resize makes values for all workers of the environment that runs the region: the chunks of a task may
// be few, and yet any worker take one where they are among those of other tasks. The values are any.
func (o *PerWorker[T]) Resize(e *Env) {
	n := e.Workers()
	if n > cap(o.values) {
		o.values = make([]T, n)
	}
	o.values = o.values[:n]
}

// Of returns the value of a worker.
func (o *PerWorker[T]) Of(w Worker) *T {
	if int(w.workers) > len(o.values) {
		panic(errWrongEnv)
	}
	return &o.values[w.index]
}

// All returns the values of all workers.
func (o *PerWorker[T]) All() []T { return o.values }

// Clear makes all values zero.
func (o *PerWorker[T]) Clear() { clear(o.values[:cap(o.values)]) }

const errWrongEnv = "internal error: rt: what workers have of their own is not for the environment of their region"

// WorkerScratch is memory for each worker.
type WorkerScratch struct {
	bytes      []byte
	size, step int // of the memory of a worker, and from one to the next
	workers    int
}

// WorkerScratchSize returns how many bytes a [WorkerScratch] takes in which each worker of an environment has size bytes.
func WorkerScratchSize(e *Env, size int) int { return e.Workers() * alignUp(size) }

// WorkerScratchIn returns the room in memory that has [WorkerScratchSize] bytes for the environment that runs the region.
func WorkerScratchIn(e *Env, b []byte, size int) WorkerScratch {
	return WorkerScratch{b[:WorkerScratchSize(e, size)], size, alignUp(size), e.Workers()}
}

// WorkerScratch returns room for all workers of the environment that runs the region, aligned as
// [Env.Scratch] is, with arbitrary content. Give it back with [Env.FreeWorkerScratch].
func (e *Env) WorkerScratch(size int) (WorkerScratch, error) {
	b, err := e.Scratch(WorkerScratchSize(e, size))
	if err != nil {
		return WorkerScratch{}, err
	}
	return WorkerScratchIn(e, b, size), nil
}

// FreeWorkerScratch returns what [Env.WorkerScratch] gave.
func (e *Env) FreeWorkerScratch(r WorkerScratch) { e.Free(r.bytes) }

// Of returns the memory of a worker.
func (r *WorkerScratch) Of(w Worker) []byte {
	if int(w.workers) > r.workers {
		panic(errWrongEnv)
	}
	return r.bytes[int(w.index)*r.step:][:r.size:r.size]
}

func alignUp(n int) int { return (n + Align - 1) &^ (Align - 1) }
