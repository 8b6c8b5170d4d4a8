package rt

import (
	"sync"
	"testing"
)

// perWorkerTask counts the chunks of each worker, in a value and in scratch memory.
type perWorkerTask struct {
	own     PerWorker[int]
	scratch WorkerScratch
}

func (t *perWorkerTask) Do(w Worker, _ int) {
	*t.own.Of(w)++
	t.scratch.Of(w)[0]++
}

// interleavedTasks runs the chunks of several tasks as one region, as a parallel group does.
type interleavedTasks struct {
	tasks  []Task
	chunks int // of each
}

func (b *interleavedTasks) Do(w Worker, chunk int) { b.tasks[chunk/b.chunks].Do(w, chunk%b.chunks) }

// Per-worker data covers all workers, also for tasks with fewer chunks than workers.
func TestPerWorkerAmongOtherTasks(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		e := &Env{Pool: newPool(t, workers), Buffers: NewBuffers(0)}
		b := &interleavedTasks{chunks: 1}
		for range 40 {
			one := &perWorkerTask{}
			one.own.Resize(e)
			one.own.Clear()
			scratch, err := e.WorkerScratch(1)
			if err != nil {
				t.Fatal(err)
			}
			clear(scratch.bytes)
			one.scratch = scratch
			b.tasks = append(b.tasks, one)
		}
		const rounds = 50
		for range rounds {
			e.Run(len(b.tasks), b)
		}
		for i, task := range b.tasks {
			one, sum, bytes := task.(*perWorkerTask), 0, 0
			for w := range e.EachWorker() {
				sum, bytes = sum+*one.own.Of(w), bytes+int(one.scratch.Of(w)[0])
			}
			if sum != rounds || bytes != rounds {
				t.Errorf("%d workers: task %d ran %d and %d times, want %d", workers, i, sum, bytes, rounds)
			}
			e.FreeWorkerScratch(one.scratch)
		}
		if n := e.Buffers.InUse(); n != 0 {
			t.Errorf("%d workers: %d bytes are left", workers, n)
		}
	}
}

// Values for another environment than that of the region panic in every region, not only if a worker without a value
// takes a chunk.
func TestPerWorkerOfOtherEnvironment(t *testing.T) {
	e := &Env{Pool: newPool(t, 3)}
	single := e.SingleWorker()
	small, scratch := &PerWorker[int]{}, WorkerScratchIn(single, make([]byte, Align), 1)
	small.Resize(single)
	for name, of := range map[string]func(w Worker){
		"Own":  func(w Worker) { small.Of(w) },
		"Room": func(w Worker) { scratch.Of(w) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			e.Run(1, taskFunc(func(w Worker, _ int) { of(w) }))
		}()
		of(Caller)
	}
	if s := small.All(); len(s) != 1 {
		t.Errorf("%d values, want 1", len(s))
	}
}

type taskFunc func(w Worker, chunk int)

func (f taskFunc) Do(w Worker, chunk int) { f(w, chunk) }

// An environment limited to a number of chunks has at most that number of workers, and the caller runs larger regions.
func TestLimitWorkers(t *testing.T) {
	e := &Env{Pool: newPool(t, 4)}
	for chunks, want := range map[int]int{0: 1, 1: 1, 3: 3, 4: 4, 9: 4} {
		in := e.LimitWorkers(chunks)
		var own PerWorker[int]
		own.Resize(&in)
		if in.Workers() != want || len(own.All()) != want {
			t.Errorf("within %d chunks: %d workers, %d values, want %d", chunks, in.Workers(), len(own.All()), want)
		}
		var mu sync.Mutex
		ran := 0
		for range 100 {
			in.Run(20, taskFunc(func(w Worker, _ int) {
				own.Of(w)
				mu.Lock()
				ran++
				mu.Unlock()
			}))
		}
		if ran != 2000 {
			t.Errorf("within %d chunks: %d ran, want 2000", chunks, ran)
		}
	}
}
