package rt

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Pool is a fixed number of workers that help the goroutines which call [Env.Run]. It is safe for concurrent use. A
// Run inside a chunk is legal: it gets the idle workers, if any, and runs inline otherwise.
type Pool struct {
	workers int // including the caller
	yield   int // rounds of spinning between yields

	busy    atomic.Int32  // workers inside a region
	work    atomic.Uint32 // counts opened regions; spinning workers watch it
	asleep  atomic.Int32
	woken   atomic.Int32 // number of wake-ups, for tests
	missed  missedWork
	wake    chan struct{}
	quit    chan struct{}
	closing atomic.Bool
	running sync.WaitGroup

	regions [maxRegions]region
}

// NewPool returns a pool in which a caller and workers-1 goroutines share work. workers below 1 stands for
// [runtime.GOMAXPROCS]. One worker starts no goroutine.
func NewPool(workers int) *Pool {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pool{workers: workers, wake: make(chan struct{}, workers), quit: make(chan struct{}),
		yield: max(1, min(workers, runtime.GOMAXPROCS(0))-1)}
	for i := range p.regions {
		p.regions[i].done = make(chan struct{}, 1)
	}
	for range workers - 1 {
		p.running.Add(1)
		go p.worker()
	}
	return p
}

// Workers returns the number of chunks of a region that can run in parallel.
func (p *Pool) Workers() int { return p.workers }

// Close stops the workers and waits for them. Regions already begun complete. A Run after Close works: the caller does
// all of it.
func (p *Pool) Close() {
	if !p.closing.Swap(true) {
		close(p.quit)
	}
	p.running.Wait()
}

// run is [Env.Run] with the cancel flag, or nil, and the given number of workers. It does not allocate.
func (p *Pool) run(chunks int, t Task, cancel *atomic.Bool, workers int) {
	if chunks <= 1 || p.workers == 1 || int(p.busy.Load()) >= p.workers-1 {
		runInline(chunks, t, cancel, workers)
		return
	}
	r := p.claim()
	if r == nil {
		runInline(chunks, t, cancel, workers)
		return
	}
	r.open(chunks, t, cancel, workers)
	p.work.Add(1)
	defer r.finish(p.yield)
	p.runLeader(r)
}

// claim returns a region no other caller uses, or nil.
func (p *Pool) claim() *region {
	for i := range p.regions {
		r := &p.regions[i]
		if !r.used.Load() && r.used.CompareAndSwap(false, true) {
			return r
		}
	}
	return nil
}

// runLeader is the caller's part of its region. The time of its chunks decides whether to wake workers for the
// remaining ones, or for this region together with the ones before.
func (p *Pool) runLeader(r *region) {
	number := -1
	if p.asleep.Load() == 0 {
		r.work(&number)
		return
	}
	start := time.Now()
	for done := 1; r.step(&number); done++ {
		left := r.left()
		if left == 0 || p.asleep.Load() == 0 {
			break
		}
		if time.Since(start)/time.Duration(done)*time.Duration(left) >= wakeTime {
			p.wakeUpTo(left)
			break
		}
	}
	r.work(&number)
	if p.asleep.Load() > 0 && p.missed.add(start, time.Now()) {
		p.wakeUpTo(int(r.chunks.Load()) - 1)
	}
}

// WakeWorkers wakes workers for work that follows at once, with at most this number of parallel chunks. Workers that
// find no work soon sleep again.
func (p *Pool) WakeWorkers(chunks int) {
	if p.asleep.Load() > 0 && int(p.busy.Load()) < p.workers-1 {
		p.wakeUpTo(min(chunks, p.workers) - 1)
	}
}

// wakeUpTo wakes up to n sleeping workers.
func (p *Pool) wakeUpTo(n int) {
	for n = min(n, int(p.asleep.Load())); n > 0; n-- {
		select {
		case p.wake <- struct{}{}:
		default:
			return
		}
	}
}

// worker helps with open regions, spins while there is none, then sleeps. If a chunk ends its goroutine by
// runtime.Goexit, another one takes its place.
func (p *Pool) worker() {
	defer func() {
		if p.closing.Load() {
			p.running.Done()
		} else {
			go p.worker()
		}
	}()
	debug.SetPanicOnFault(true) // a fault is the caller's to handle, as any panic
	for {
		seen := p.work.Load()
		if p.help() {
			continue
		}
		if p.spin(seen) {
			continue
		}
		p.asleep.Add(1)
		if p.work.Load() == seen {
			select {
			case <-p.wake:
				p.woken.Add(1)
			case <-p.quit:
			}
		}
		p.asleep.Add(-1)
		if p.closing.Load() {
			return
		}
	}
}

// help joins one open region, if there is one, and works until no chunk is left.
func (p *Pool) help() bool {
	for i := range p.regions {
		r := &p.regions[i]
		if !r.join() {
			continue
		}
		r.assist(&p.busy)
		return true
	}
	return false
}

// spin watches for a region younger than seen and reports whether there is one.
func (p *Pool) spin(seen uint32) bool {
	var start time.Time
	for round := 1; ; round++ {
		for range spinRound {
			if p.work.Load() != seen {
				return true
			}
		}
		if p.closing.Load() {
			return false
		}
		if start.IsZero() {
			start = time.Now()
		} else if time.Since(start) > spinTime {
			return false
		}
		if round%p.yield == 0 {
			runtime.Gosched()
		}
	}
}

// A region is one call of Run. Its memory is reused by later calls, so a worker may access its fields only between join
// and leave, which the state guards.
type region struct {
	used  atomic.Bool  // a caller has it
	state atomic.Int64 // isOpen, isWaiting, and in the low bits the number of workers inside

	next    atomic.Int64 // the first chunk not begun
	numbers atomic.Int32 // worker numbers assigned
	chunks  atomic.Int64
	workers int // of the environment
	task    Task
	cancel  *atomic.Bool
	caught  atomic.Pointer[caught]
	done    chan struct{} // the last worker to leave wakes a waiting caller

	_ [64]byte // avoids false sharing
}

const (
	isOpen    = 1 << 40 // workers may join
	isWaiting = 1 << 41 // the caller sleeps until the last worker has left
)

type caught struct{ value any }

func (r *region) open(chunks int, t Task, cancel *atomic.Bool, workers int) {
	r.task, r.cancel, r.workers = t, cancel, workers
	r.chunks.Store(int64(chunks))
	r.numbers.Store(0)
	r.caught.Store(nil)
	r.next.Store(0)
	r.state.Add(isOpen)
}

// join adds a worker to an open region with chunks left. On many processors, many workers join together: each adds
// itself and then checks, since only one compare-and-swap would succeed at a time. So the state may briefly count a
// worker that is not inside, even of a region that is closed or reused.
func (r *region) join() bool {
	if r.state.Load()&isOpen == 0 || r.left() == 0 {
		return false
	}
	if r.state.Add(1)&isOpen != 0 && r.left() > 0 {
		return true
	}
	r.leave()
	return false
}

// leave wakes a caller that waits for the last worker. Two workers may be the last, if one was not inside, and the
// caller may be awake already: it checks the state again.
func (r *region) leave() {
	if r.state.Add(-1) == isWaiting {
		select {
		case r.done <- struct{}{}:
		default:
		}
	}
}

func (r *region) left() int { return int(max(0, r.chunks.Load()-r.next.Load())) }

// step runs one chunk, if any is left. The worker gets its number, stored in *worker and initially -1, with its first
// chunk.
func (r *region) step(worker *int) bool {
	if r.cancel != nil && r.cancel.Load() {
		return false
	}
	c := r.next.Add(1) - 1
	if c >= r.chunks.Load() {
		return false
	}
	if *worker < 0 {
		*worker = int(r.numbers.Add(1)) - 1
	}
	r.task.Do(Worker{int32(*worker), int32(r.workers)}, int(c))
	return true
}

func (r *region) work(worker *int) {
	for r.step(worker) {
	}
}

// assist is a worker's part of a region. A panic is kept for the caller, and so is runtime.Goexit, which a test helper
// may call in a chunk.
func (r *region) assist(busy *atomic.Int32) {
	busy.Add(1)
	ended := false
	defer func() {
		if !ended {
			v := recover()
			if v == nil {
				v = errors.New("rt: a chunk called runtime.Goexit")
			}
			r.caught.CompareAndSwap(nil, &caught{v})
			r.next.Store(r.chunks.Load())
		}
		busy.Add(-1)
		r.leave()
	}()
	number := -1
	r.work(&number)
	ended = true
}

// finish closes the region, waits for its workers and makes it free. It is deferred, so that a panic in the caller's
// own chunk does not free the task's memory while workers use it.
func (r *region) finish(yield int) {
	r.next.Store(r.chunks.Load()) // after a panic chunks are left
	r.wait(yield)
	c := r.caught.Load()
	r.task, r.cancel = nil, nil
	r.used.Store(false)
	if c != nil {
		panic(c.value)
	}
}

func (r *region) wait(yield int) {
	r.state.Add(-isOpen)
	start := time.Time{}
	for round := 1; ; round++ {
		for range spinRound {
			if r.state.Load() == 0 {
				return
			}
		}
		if start.IsZero() {
			start = time.Now()
		} else if time.Since(start) > spinTime {
			break
		}
		if round%yield == 0 {
			runtime.Gosched()
		}
	}
	for s := r.state.Add(isWaiting); s != isWaiting; s = r.state.Load() {
		<-r.done
	}
	r.state.Add(-isWaiting)
}
