package train_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// TestCompilesOnce: after the first of 200 steps no step is compiled, and from the 50th on no more memory is taken.
func TestCompilesOnce(t *testing.T) {
	tr := newTrainer(train.EMA(.9))
	s := tr.Init(newNet(random.Key(1)), random.Key(2))
	var heap, live int64
	used := func() (heap, live int64) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc), debug.LiveBytes()
	}
	next, stop := iter.Pull2(tr.Run(t.Context(), &s, loader(25)))
	defer stop()
	for range 2 { // the second one compiles the addition of the sums of the epoch
		if _, err, _ := next(); err != nil {
			t.Fatal(err)
		}
	}
	compiled := kit.Compilations(func() {
		for e, err, ok := next(); ok; e, err, ok = next() {
			switch {
			case err != nil:
				t.Fatal(err)
			case e.Step == 50:
				heap, live = used()
			case e.Step == 200:
				h, l := used()
				t.Logf("heap %d → %d, tensors %d → %d bytes", heap, h, live, l)
				if h > heap+256<<10 || l > live+16<<10 {
					t.Errorf("after 50 steps %d bytes of heap and %d of tensors, after 200 %d and %d", heap, live, h, l)
				}
			}
		}
	})
	if nx.Item[int64](s.Step) != 200 || compiled != 0 {
		t.Errorf("%v steps, %d compilations after the first", s.Step, compiled)
	}
}

// Results do not depend on how many goroutines make batches, nor how many are made ahead.
func TestWorkers(t *testing.T) {
	var want string
	for _, workers := range []int{1, 2, 4, 16} {
		tr := newTrainer()
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		dir := t.TempDir()
		batches := data.Batches(blobs(200), data.Stack, data.Size(24), data.Shuffle(1), data.DropLast,
			data.Workers(workers))
		for _, err := range tr.Run(t.Context(), &s, batches, train.Save(tr.Checkpoints(dir, train.Every(3)))) {
			if err != nil {
				t.Fatal(err)
			}
		}
		last := filepath.Join(dir, fmt.Sprintf("step_%09d.safetensors", nx.Item[int64](s.Step)))
		if want == "" {
			want = last
		}
		if !same(t, want, last) {
			t.Errorf("%d workers: another file", workers)
		}
	}
}

// TestNoGoroutineIsLeft: after break, an error, the end of the context, a panic of the body.
func TestNoGoroutineIsLeft(t *testing.T) {
	tr := newTrainer()
	once := tr.Init(newNet(random.Key(1)), random.Key(2))
	for range tr.Run(t.Context(), &once, loader(1)) { // starts what lives as long as the process
	}
	before := runtime.NumGoroutine()
	for range 3 {
		for _, end := range []string{"break", "error", "context", "panic", "data"} {
			s := tr.Init(newNet(random.Key(1)), random.Key(2))
			files := tr.Checkpoints(t.TempDir(), train.Every(1))
			ctx, cancel := context.WithCancel(t.Context())
			batches := loader(3)
			if end == "data" {
				batches = data.Batches(data.Map(blobs(99), failAfter(50)), data.Stack, data.Size(10), data.Workers(8))
			}
			func() {
				defer func() {
					if p := recover(); p != nil && p != "the body" {
						panic(p)
					}
				}()
				for e, err := range tr.Run(ctx, &s, batches, train.Save(files)) {
					if e.Step < 3 {
						continue
					}
					switch {
					case end == "break" || err != nil:
						return
					case end == "context":
						cancel()
					case end == "panic":
						panic("the body")
					}
				}
			}()
			cancel()
			if err := files.Wait(); err != nil {
				t.Errorf("%s: %v", end, err)
			}
			// The state is whole, and the file that of its step.
			r := tr.Init(newNet(random.Key(1)), random.Key(2))
			if _, err := files.Resume(&r); err != nil || !nx.ArrayEqual(r.Model.In.Weight, s.Model.In.Weight) ||
				nx.Item[int64](r.Step) != nx.Item[int64](s.Step) {
				t.Errorf("%s: the file is of step %v, the state of step %v, %v", end, r.Step, s.Step, err)
			}
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 200 {
			var b [1 << 16]byte
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, b[:runtime.Stack(b[:], true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// failAfter returns a function of records that fails for all but the first n.
func failAfter(n int64) func(b batch, _ *rand.Rand) (batch, error) {
	var count atomic.Int64
	return func(b batch, _ *rand.Rand) (batch, error) {
		if count.Add(1) > n {
			return b, errors.New("no such record")
		}
		return b, nil
	}
}
