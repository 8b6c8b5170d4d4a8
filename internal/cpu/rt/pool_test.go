package rt

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// marks counts the runs of each chunk.
type marks struct {
	counts  []atomic.Int32
	workers []atomic.Int32 // running chunks per worker number
	clash   atomic.Bool
	each    func(worker, chunk int)
}

func newMarks(chunks, workers int) *marks {
	return &marks{counts: make([]atomic.Int32, chunks), workers: make([]atomic.Int32, min(workers, chunks))}
}

func (m *marks) Do(w Worker, chunk int) {
	worker := w.index
	if m.workers[worker].Add(1) != 1 {
		m.clash.Store(true)
	}
	m.counts[chunk].Add(1)
	if m.each != nil {
		m.each(int(worker), chunk)
	}
	m.workers[worker].Add(-1)
}

func (m *marks) check(t *testing.T, want int32) {
	t.Helper()
	for i := range m.counts {
		if n := m.counts[i].Load(); n != want {
			t.Errorf("chunk %d ran %d times, want %d", i, n, want)
			return
		}
	}
	if m.clash.Load() {
		t.Error("two chunks ran at the same time with one worker number")
	}
}

func newPool(t testing.TB, workers int) *Pool {
	p := NewPool(workers)
	t.Cleanup(p.Close)
	return p
}

func TestRunEveryChunkOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		p := newPool(t, workers)
		for _, chunks := range []int{0, 1, 2, 7, 1000} {
			m := newMarks(chunks, workers)
			(&Env{Pool: p}).Run(chunks, m)
			m.check(t, 1)
		}
	}
}

func TestRunWithoutPool(t *testing.T) {
	for name, e := range map[string]*Env{"nil": nil, "zero": {}} {
		m := newMarks(5, 1)
		e.Run(5, m)
		m.check(t, 1)
		if e.Workers() != 1 || e.Cancelled() {
			t.Errorf("%s: workers %d, cancelled %v", name, e.Workers(), e.Cancelled())
		}
	}
}

func TestRunAfterSleepAndClose(t *testing.T) {
	p := NewPool(3)
	for end := time.Now().Add(5 * time.Second); p.asleep.Load() < 2; {
		if time.Now().After(end) {
			t.Fatal("idle workers never sleep")
		}
		runtime.Gosched()
	}
	p.wakeUpTo(p.workers - 1)
	m := newMarks(64, 3)
	m.each = func(int, int) { time.Sleep(100 * time.Microsecond) }
	(&Env{Pool: p}).Run(64, m)
	m.check(t, 1)
	p.Close()
	p.Close()
	m = newMarks(64, 3)
	(&Env{Pool: p}).Run(64, m)
	m.check(t, 1)
}

func TestConcurrentCallers(t *testing.T) {
	p := newPool(t, 4)
	var wg sync.WaitGroup
	for range 3 * maxRegions {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				m := newMarks(i%17, 4)
				(&Env{Pool: p}).Run(i%17, m)
				m.check(t, 1)
			}
		}()
	}
	wg.Wait()
}

func TestNestedRun(t *testing.T) {
	p := newPool(t, 3)
	inner := make([]*marks, 40)
	outer := newMarks(len(inner), 3)
	outer.each = func(_, c int) {
		inner[c] = newMarks(9, 3)
		(&Env{Pool: p}).Run(9, inner[c])
	}
	(&Env{Pool: p}).Run(len(inner), outer)
	outer.check(t, 1)
	for _, m := range inner {
		m.check(t, 1)
	}
}

func TestPanicReachesCaller(t *testing.T) {
	p := newPool(t, 2)
	want := errors.New("chunk failed")
	for round := range 50 {
		m := newMarks(100, 2)
		m.each = func(_, c int) {
			if c == round {
				panic(want)
			}
		}
		func() {
			defer func() {
				if got := recover(); got != any(want) {
					t.Errorf("recovered %v, want %v", got, want)
				}
			}()
			(&Env{Pool: p}).Run(100, m)
		}()
	}
	m := newMarks(10, 2)
	(&Env{Pool: p}).Run(10, m)
	m.check(t, 1)
}

func TestGoexitInWorker(t *testing.T) {
	p := newPool(t, 2)
	m := newMarks(2, 2)
	both := make(chan struct{})
	m.each = func(worker, _ int) {
		if worker > 0 {
			close(both)
			runtime.Goexit()
		}
		for { // until the worker is inside too
			select {
			case <-both:
				return
			default:
				p.wakeUpTo(p.workers - 1)
				runtime.Gosched()
			}
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Goexit in a worker must be reported")
			}
		}()
		(&Env{Pool: p}).Run(2, m)
	}()
	m = newMarks(10, 2)
	(&Env{Pool: p}).Run(10, m)
	m.check(t, 1)
}

func TestCancelSkipsChunks(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := newPool(t, workers)
		var cancel atomic.Bool
		e := &Env{Pool: p, Cancel: &cancel}
		m := newMarks(1000, workers)
		m.each = func(int, int) { cancel.Store(true) }
		e.Run(1000, m)
		ran := 0
		for i := range m.counts {
			ran += int(m.counts[i].Load())
		}
		if ran == 0 || ran > workers {
			t.Errorf("%d workers: %d chunks ran after the first cancelled", workers, ran)
		}
		if !e.Cancelled() {
			t.Error("not cancelled")
		}
	}
}

// sum adds numbers by fixed chunks: the result must not depend on the workers.
type sum struct {
	in   []float64
	part []float64
}

func (s *sum) Do(_ Worker, c int) {
	var a float64
	for _, v := range s.in[c*10 : c*10+10] {
		a += v
	}
	s.part[c] = a
}

func TestStress(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	p := newPool(t, 4)
	in := make([]float64, 300)
	for i := range in {
		in[i] = 1 / float64(i+1)
	}
	want := &sum{in, make([]float64, 30)}
	runInline(30, want, nil, 1)
	var wg sync.WaitGroup
	for caller := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			got := &sum{in, make([]float64, 30)}
			for i := range rounds {
				clear(got.part)
				(&Env{Pool: p}).Run(30, got)
				if fmt.Sprint(got.part) != fmt.Sprint(want.part) {
					t.Errorf("round %d differs", i)
					return
				}
				if caller == 0 && i%100 == 0 {
					runtime.GC()
				}
				if i%70 == 0 {
					time.Sleep(2 * spinTime)
				}
			}
		}()
	}
	wg.Wait()
}

func TestRunDoesNotAllocate(t *testing.T) {
	p := newPool(t, 2)
	s := &sum{make([]float64, 300), make([]float64, 30)}
	if n := testing.AllocsPerRun(100, func() { (&Env{Pool: p}).Run(30, s) }); n > 0 {
		t.Errorf("Run allocates %v times", n)
	}
}

// spinTask keeps a CPU busy for a while.
type spinTask struct{ loops int }

func (s *spinTask) Do(Worker, int) {
	x := uint64(1)
	for range s.loops {
		x = x*6364136223846793005 + 1
	}
	if x == 0 {
		panic("x is odd")
	}
}

func BenchmarkRun(b *testing.B) {
	for _, loops := range []int{0, 10_000, 100_000} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("loops=%d/workers=%d", loops, workers), func(b *testing.B) {
				p := newPool(b, workers)
				s := &spinTask{loops}
				for b.Loop() {
					(&Env{Pool: p}).Run(2, s)
				}
			})
		}
	}
}

// Workers wake for announced work before it begins, and sleep again if there is none.
func TestWakeWorkers(t *testing.T) {
	p := newPool(t, 3)
	asleep := func(want int32) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); p.asleep.Load() != want; runtime.Gosched() {
			if time.Now().After(end) {
				t.Fatalf("%d workers are asleep, want %d", p.asleep.Load(), want)
			}
		}
	}
	asleep(2)
	p.WakeWorkers(1) // for the caller only
	if len(p.wake) > 0 {
		t.Error("workers were woken for a single chunk")
	}
	p.WakeWorkers(2)
	for end := time.Now().Add(10 * time.Second); p.woken.Load() == 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("no worker woke")
		}
	}
	if n := p.woken.Load(); n > 1 {
		t.Errorf("%d workers were woken for two chunks", n)
	}
	asleep(2)
	(&Env{}).WakeWorkers(5)
	(*Env)(nil).WakeWorkers(5)
	m := newMarks(50, 3)
	p.WakeWorkers(50)
	(&Env{Pool: p}).Run(50, m)
	m.check(t, 1)
}
