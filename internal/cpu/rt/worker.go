package rt

import "iter"

// A Worker identifies one of the workers of a region: one chunk runs at a time with each. Only [PerWorker] and
// [WorkerScratch] see its index, so that per-worker data always covers all workers.
type Worker struct {
	index   int32
	workers int32 // workers of the region's environment
}

// Caller is the only worker of work outside of a region.
var Caller = Worker{0, 1}

// EachWorker yields the workers of regions of the environment.
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

// PerWorker has a value for each worker. It outlives the stack, and regions in a loop reuse it.
type PerWorker[T any] struct{ values []T }

// Resize makes values for all workers of the environment that runs the region: any worker may take a chunk, even of a
// task with few chunks, if it runs among other tasks. The values are arbitrary.
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

const errWrongEnv = "internal error: rt: per-worker data must be made for the environment of its region"

// WorkerScratch is scratch memory for each worker.
type WorkerScratch struct {
	bytes      []byte
	size, step int // memory of a worker, and its stride
	workers    int
}

// WorkerScratchSize returns the bytes of a [WorkerScratch] with size bytes for each worker of an environment.
func WorkerScratchSize(e *Env, size int) int { return e.Workers() * alignUp(size) }

// WorkerScratchIn returns the workers' scratch memory in b, which has [WorkerScratchSize] bytes, for the environment
// that runs the region.
func WorkerScratchIn(e *Env, b []byte, size int) WorkerScratch {
	return WorkerScratch{b[:WorkerScratchSize(e, size)], size, alignUp(size), e.Workers()}
}

// WorkerScratch returns scratch memory for all workers of the environment that runs the region, aligned as in
// [Env.Scratch], with arbitrary content, to be freed with [Env.FreeWorkerScratch].
func (e *Env) WorkerScratch(size int) (WorkerScratch, error) {
	b, err := e.Scratch(WorkerScratchSize(e, size))
	if err != nil {
		return WorkerScratch{}, err
	}
	return WorkerScratchIn(e, b, size), nil
}

// FreeWorkerScratch frees memory of [Env.WorkerScratch].
func (e *Env) FreeWorkerScratch(r WorkerScratch) { e.Free(r.bytes) }

// Of returns the memory of a worker.
func (r *WorkerScratch) Of(w Worker) []byte {
	if int(w.workers) > r.workers {
		panic(errWrongEnv)
	}
	return r.bytes[int(w.index)*r.step:][:r.size:r.size]
}

func alignUp(n int) int { return (n + Align - 1) &^ (Align - 1) }
