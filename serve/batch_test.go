package serve_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/serve"
)

var quiet = serve.Logger(slog.New(slog.NewTextHandler(io.Discard, nil)))

func double(x nx.Tensor) nx.Tensor { return nx.Mul(2, x) }

// rowsOf returns rows of three numbers from v on.
func rowsOf(v, rows int) nx.Tensor {
	return nx.Add(nx.Iota(nx.Shape{rows, 3}, nx.F32, nx.Axis(0)), v)
}

// leaks fails if goroutines are left, other than workers of the compiler, which begin with its first programs.
func leaks(t *testing.T) {
	count := func() (n int, stacks string) {
		b := make([]byte, 4<<20)
		stacks = string(b[:runtime.Stack(b, true)])
		for stack := range strings.SplitSeq(stacks, "\n\n") {
			if !strings.Contains(stack, "internal/cpu/rt.") {
				n++
			}
		}
		return n, stacks
	}
	before, _ := count()
	t.Cleanup(func() {
		for range 400 {
			if n, _ := count(); n <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		n, stacks := count()
		t.Errorf("%d goroutines are left of %d:\n%s", n, before, stacks)
	})
}

// TestDo: every caller gets its rows, with random cancels, sizes and shapes, by 1 to 16 workers and one to three lanes.
func TestDo(t *testing.T) {
	for _, workers := range []int{1, 2, 4, 16} {
		for _, lanes := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d workers, %d lanes", workers, lanes), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
				leaks(t)
				b := serve.Batch(nx.Jit(double), serve.Size(8), serve.Lanes(lanes), serve.Queue(64, 1<<20), quiet)
				var answered, refused, gone atomic.Int64
				var wait sync.WaitGroup
				for c := range 32 {
					wait.Go(func() {
						rng := rand.New(rand.NewPCG(uint64(c), 1))
						for i := range 60 {
							ctx, cancel := context.WithCancel(context.Background())
							if rng.IntN(5) == 0 {
								time.AfterFunc(time.Duration(rng.IntN(300))*time.Microsecond, cancel)
							}
							n, v := 1+rng.IntN(20), 1000*c+i
							y, err := b.Do(ctx, rowsOf(v, n))
							switch {
							case errors.Is(err, serve.ErrOverloaded):
								refused.Add(1)
							case errors.Is(err, context.Canceled):
								gone.Add(1)
							case err != nil:
								t.Error(err)
							default:
								answered.Add(1)
								data := nx.Data[float32](y)
								for k, got := range data {
									if want := float32(2 * (v + k/3)); got != want || len(data) != 3*n {
										t.Errorf("row %d of %d is %v, want %v", k/3, n, got, want)
										break
									}
								}
							}
							cancel()
						}
					})
				}
				wait.Wait()
				if err := b.Close(t.Context()); err != nil {
					t.Error(err)
				}
				s := b.Stats()
				if answered.Load() == 0 || s.Waiting != 0 || s.Running != 0 || s.Failed != 0 {
					t.Errorf("answered %d, refused %d, gone %d: %+v", answered.Load(), refused.Load(), gone.Load(), s)
				}
				if _, err := b.Do(t.Context(), rowsOf(1, 1)); !errors.Is(err, serve.ErrClosed) {
					t.Errorf("after closing: %v", err)
				}
			})
		}
	}
}

// gate is a function that waits until it is let.
type gate struct {
	entered, leave chan struct{}
	rows           []int
	mutex          sync.Mutex
}

func newGate() *gate {
	return &gate{entered: make(chan struct{}, 100), leave: make(chan struct{}, 100)}
}

func (g *gate) run(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
	g.mutex.Lock()
	g.rows = append(g.rows, x.Shape()[0])
	g.mutex.Unlock()
	g.entered <- struct{}{}
	select {
	case <-g.leave:
	case <-ctx.Done():
		return nx.Tensor{}, context.Cause(ctx)
	}
	if nx.Item[float64](nx.Max(x)) >= 666 {
		return nx.Tensor{}, errors.New("a number that must not be")
	}
	return double(x), nil
}

// waiting waits until rows are in the queue.
func waiting[X, Y any](t *testing.T, b *serve.Batcher[X, Y], rows int) {
	t.Helper()
	for range 2000 {
		if b.Stats().Waiting == rows {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%d rows wait, want %d", b.Stats().Waiting, rows)
}

// TestBatches: what comes while a lane is busy is one batch, padded to a compiled size.
func TestBatches(t *testing.T) {
	leaks(t)
	g := newGate()
	b := serve.BatchContext(g.run, serve.Size(8), serve.Pad(1, 4, 8), quiet)
	var wait sync.WaitGroup
	do := func(v, n int) {
		wait.Go(func() {
			y, err := b.Do(t.Context(), rowsOf(v, n))
			if err != nil || nx.Data[float32](y)[0] != float32(2*v) {
				t.Errorf("%v %v", y, err)
			}
		})
	}
	do(1, 1)
	<-g.entered
	for v := range 3 {
		do(v+2, 1)
	}
	waiting(t, b, 3)
	for range 2 {
		g.leave <- struct{}{}
	}
	wait.Wait()
	if fmt.Sprint(g.rows) != "[1 4]" {
		t.Errorf("batches of %v rows", g.rows)
	}
	s := b.Stats()
	if s.Requests != 4 || s.Batches != 2 || s.Padded != 1 || s.Rows != 4 {
		t.Errorf("%+v", s)
	}
}

// TestOneBadRequest: a request that fails does not fail its neighbours.
func TestOneBadRequest(t *testing.T) {
	leaks(t)
	g := newGate()
	for range 100 {
		g.leave <- struct{}{}
	}
	started := make(chan struct{})
	release := make(chan struct{})
	first := true
	b := serve.BatchContext(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		if first {
			first = false
			close(started)
			<-release
		}
		return g.run(ctx, x)
	}, serve.Size(8), quiet)
	var wait sync.WaitGroup
	errs := make([]error, 5)
	wait.Go(func() { _, errs[4] = b.Do(t.Context(), rowsOf(0, 1)) })
	<-started
	for i, v := range []int{1, 2, 700, 3} {
		wait.Go(func() { _, errs[i] = b.Do(t.Context(), rowsOf(v, 1)) })
	}
	waiting(t, b, 4)
	close(release)
	wait.Wait()
	for i, err := range errs {
		if (err != nil) != (i == 2) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if s := b.Stats(); s.Retried != 1 {
		t.Errorf("%+v", s)
	}
}

// TestRefused: a full queue and a deadline that cannot be met are errors at once.
func TestRefused(t *testing.T) {
	leaks(t)
	g := newGate()
	b := serve.BatchContext(g.run, serve.Size(2), serve.Queue(2, 1<<20), quiet)
	g.leave <- struct{}{}
	time.AfterFunc(30*time.Millisecond, func() {})
	if _, err := b.Do(t.Context(), rowsOf(1, 1)); err != nil { // a batch that is measured
		t.Fatal(err)
	}
	<-g.entered
	var wait sync.WaitGroup
	wait.Go(func() {
		if _, err := b.Do(t.Context(), rowsOf(1, 1)); err != nil {
			t.Error(err)
		}
	})
	<-g.entered
	ctx, cancel := context.WithCancel(t.Context())
	wait.Go(func() {
		if _, err := b.Do(ctx, rowsOf(2, 2)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	waiting(t, b, 2)
	if _, err := b.Do(t.Context(), rowsOf(1, 1)); !errors.Is(err, serve.ErrOverloaded) {
		t.Errorf("a full queue: %v", err)
	}
	cancel()
	waiting(t, b, 0)
	soon, cancel2 := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel2()
	if _, err := b.Do(soon, rowsOf(1, 1)); err == nil {
		t.Error("a deadline in the past")
	}
	g.leave <- struct{}{}
	wait.Wait()
	for name, x := range map[string]nx.Tensor{"no rows": nx.Zeros(nx.Shape{0, 3}, nx.F32), "a scalar": nx.New(1.0)} {
		if _, err := b.Do(t.Context(), x); err == nil {
			t.Errorf("%s are taken", name)
		}
	}
	if s := b.Stats(); s.Refused != 1 || s.Dropped != 1 {
		t.Errorf("%+v", s)
	}
}

// pair is a container of requests: mode is equal for those of a batch.
type pair struct {
	X    nx.Tensor
	Mask nx.Tensor
	Mode string
}

// TestContainers: requests of other shapes, or with other static values, are in batches of their own.
func TestContainers(t *testing.T) {
	leaks(t)
	b := serve.Batch(func(p pair) map[string]nx.Tensor {
		y := nx.Mul(p.X, p.Mask)
		if p.Mode == "negative" {
			y = nx.Neg(y)
		}
		return map[string]nx.Tensor{"y": y, "rows": nx.Sum(y, nx.Axis(1))}
	}, serve.Size(4), serve.Queue(1000, 1<<20), quiet)
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			n, width, mode := 1+i%3, 2+i%4, []string{"", "negative"}[i/4%2]
			x := nx.Full(nx.Shape{n, width}, i, nx.F32)
			y, err := b.Do(t.Context(), pair{x, nx.Ones(nx.Shape{n, width}, nx.F32), mode})
			if err != nil {
				t.Error(err)
				return
			}
			want := float32(i * width)
			if mode == "negative" {
				want = -want
			}
			if rows := nx.Data[float32](y["rows"]); len(rows) != n || rows[n-1] != want || y["y"].Shape()[1] != width {
				t.Errorf("%d: %v, want %v", i, rows, want)
			}
		})
	}
	wait.Wait()
}

// TestStream: results come one after another, also to a reader that is slow or leaves.
func TestStream(t *testing.T) {
	leaks(t)
	var ended atomic.Int64
	b := serve.Stream(func(ctx context.Context, x nx.Tensor) iter.Seq2[nx.Tensor, error] {
		return func(yield func(nx.Tensor, error) bool) {
			defer ended.Add(1)
			for i := range 100 {
				if !yield(nx.Add(x, i), nil) {
					return
				}
			}
			yield(nx.Tensor{}, errors.New("the end of the text"))
		}
	}, serve.Size(8), quiet)
	var wait sync.WaitGroup
	for c := range 6 {
		wait.Go(func() {
			i := 0
			for y, err := range b.Stream(t.Context(), rowsOf(10*c, 1)) {
				if c%2 == 0 && i == 7 {
					break
				}
				if i == 100 {
					if err == nil || !strings.Contains(err.Error(), "end of the text") {
						t.Errorf("at the end: %v", err)
					}
					break
				}
				if err != nil || nx.Data[float32](y)[0] != float32(10*c+i) {
					t.Errorf("caller %d, result %d: %v %v", c, i, y, err)
				}
				i++
				if c == 1 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	wait.Wait()
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if ended.Load() == 0 {
		t.Error("nothing was computed")
	}
}

// TestWarm: all sizes are called before requests come, and a cold one is counted.
func TestWarm(t *testing.T) {
	var sizes []int
	b := serve.Batch(func(x nx.Tensor) nx.Tensor { sizes = append(sizes, x.Shape()[0]); return x }, serve.Size(6),
		quiet)
	if err := b.Warm(t.Context(), rowsOf(1, 1)); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(sizes) != "[1 2 4 6]" {
		t.Errorf("sizes %v", sizes)
	}
	for _, x := range []nx.Tensor{rowsOf(1, 3), rowsOf(1, 5), nx.Zeros(nx.Shape{1, 9}, nx.F32)} {
		if _, err := b.Do(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	if s := b.Stats(); s.Cold != 1 || s.Warm != 4 {
		t.Errorf("%+v", s)
	}
	bad := serve.Batch(func(x nx.Tensor) nx.Tensor { panic("no") }, quiet)
	if err := bad.Warm(t.Context(), rowsOf(1, 1)); err == nil {
		t.Error("a function that panics is warm")
	}
}

// TestBadFunctions: panics and results without the rows are errors of Do.
func TestBadFunctions(t *testing.T) {
	leaks(t)
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"panics":        func(nx.Tensor) nx.Tensor { panic("oh") },
		"misuses an op": func(x nx.Tensor) nx.Tensor { return nx.Add(x, nx.Zeros(nx.Shape{7}, nx.F32)) },
		"returns a sum": func(x nx.Tensor) nx.Tensor { return nx.Sum(x) },
		"drops a row":   func(x nx.Tensor) nx.Tensor { return x.At(nx.From(1)) },
	} {
		b := serve.Batch(f, quiet)
		for _, n := range []int{2, 3} {
			if _, err := b.Do(t.Context(), rowsOf(1, n)); err == nil {
				t.Errorf("a function that %s: no error", name)
			}
		}
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string][]serve.Option{
		"no rows": {serve.Size(0)}, "no lane": {serve.Lanes(0)}, "a short queue": {serve.Queue(3, 1)},
		"small pads": {serve.Pad(1, 2)}, "a pad of 0": {serve.Pad(0, 32)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			serve.Batch(double, o...)
		}()
	}
}

// TestDelay: requests that come within the delay are one batch though the lane is free.
func TestDelay(t *testing.T) {
	leaks(t)
	var batches atomic.Int64
	b := serve.Batch(func(x nx.Tensor) nx.Tensor { batches.Add(1); return x }, serve.Size(4),
		serve.Delay(10*time.Second),
		quiet)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			if _, err := b.Do(t.Context(), rowsOf(i, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if batches.Load() != 1 {
		t.Errorf("%d batches", batches.Load())
	}
}

// TestWhole: arguments without rows are computed one by one.
func TestWhole(t *testing.T) {
	leaks(t)
	b := serve.Batch(func(x pair) nx.Tensor { return nx.Sum(nx.Mul(x.X, x.Mask)) }, serve.Whole(), serve.Lanes(2),
		serve.Queue(100, 1<<20), quiet)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			y, err := b.Do(t.Context(), pair{X: nx.Full(nx.Shape{i % 5}, i, nx.F32), Mask: nx.New(float32(2))})
			if err != nil || nx.Item[int](y) != i%5*i*2 {
				t.Errorf("%d: %v %v", i, y, err)
			}
		})
	}
	wait.Wait()
	if s := b.Stats(); s.Batches != 50 {
		t.Errorf("%+v", s)
	}
}

// TestKey: requests with other keys are in batches of their own, which take turns.
func TestKey(t *testing.T) {
	leaks(t)
	g := newGate()
	var sums []float64
	b := serve.BatchContext(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		y, err := g.run(ctx, x)
		sums = append(sums, nx.Item[float64](nx.Sum(x)))
		return y, err
	}, serve.Size(8), serve.Pad(1, 2, 8), quiet,
		serve.Key(func(x nx.Tensor) any { return nx.Data[float32](x)[0] > 10 }))
	var wait sync.WaitGroup
	for i, v := range []int{0, 1, 21, 2, 22, 23} {
		wait.Go(func() {
			if _, err := b.Do(t.Context(), nx.Full(nx.Shape{1, 1}, v, nx.F32)); err != nil {
				t.Error(err)
			}
		})
		if i == 0 {
			<-g.entered
		} else {
			waiting(t, b, i)
		}
	}
	for range 3 {
		g.leave <- struct{}{}
	}
	wait.Wait()
	if fmt.Sprint(sums) != "[0 3 66]" {
		t.Errorf("sums of batches: %v", sums)
	}
	defer func() {
		if recover() == nil {
			t.Error("a key of another type: no panic")
		}
	}()
	serve.Batch(double, serve.Key(func(x pair) any { return x.Mode }))
}

func BenchmarkDo(b *testing.B) {
	f := nx.Jit(double)
	x := rowsOf(1, 1)
	batcher := serve.Batch(f)
	ctx := context.Background()
	b.Run("function", func(b *testing.B) {
		for range b.N {
			f(x)
		}
	})
	b.Run("batcher", func(b *testing.B) {
		for range b.N {
			if _, err := batcher.Do(ctx, x); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("batcher of 64 clients", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				if _, err := batcher.Do(ctx, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

// BenchmarkThroughput compares 64 callers of a row with a loop over batches of the best size, in turns: rows a second
// of both, and their ratio, the medians of seven rounds.
//
//	go test ./serve -run '^$' -bench Throughput -benchtime 1x
func BenchmarkThroughput(b *testing.B) {
	for _, c := range []struct {
		name  string
		sizes []int
	}{
		{"4-3", []int{4, 3}},
		{"784-512-512-10", []int{784, 512, 512, 10}},
		{"1024-2048-2048-1024", []int{1024, 2048, 2048, 1024}},
	} {
		b.Run(c.name, func(b *testing.B) {
			layers := make([]nx.Tensor, len(c.sizes)-1)
			for i := range layers {
				layers[i] = nx.Div(nx.Iota(nx.Shape{c.sizes[i], c.sizes[i+1]}, nx.F32), 1e6)
			}
			f := nx.Jit(func(x nx.Tensor) nx.Tensor {
				for _, w := range layers {
					x = nx.Tanh(nx.Dot(x, w))
				}
				return x
			})
			batcher := serve.Batch(f, serve.Size(64), quiet)
			row := nx.Ones(nx.Shape{1, c.sizes[0]}, nx.F32)
			if err := batcher.Warm(b.Context(), row); err != nil {
				b.Fatal(err)
			}
			const span = 300 * time.Millisecond
			fixed := func(n int) float64 {
				x := nx.Ones(nx.Shape{n, c.sizes[0]}, nx.F32)
				start, calls := time.Now(), 0
				for ; time.Since(start) < span; calls++ {
					f(x)
				}
				return float64(n*calls) / time.Since(start).Seconds()
			}
			callers := func() float64 {
				var wait sync.WaitGroup
				var done atomic.Int64
				start := time.Now()
				for range 64 {
					wait.Go(func() {
						for time.Since(start) < span {
							if _, err := batcher.Do(context.Background(), row); err != nil {
								b.Error(err)
								return
							}
							done.Add(1)
						}
					})
				}
				wait.Wait()
				return float64(done.Load()) / time.Since(start).Seconds()
			}
			for range b.N {
				best := 1
				for n := 1; n <= 64; n *= 2 {
					if fixed(n) > 1.02*fixed(best) {
						best = n
					}
				}
				var loop, together, ratio []float64
				for range 7 {
					l, t := fixed(best), callers()
					loop, together, ratio = append(loop, l), append(together, t), append(ratio, t/l)
				}
				for _, list := range [][]float64{loop, together, ratio} {
					slices.Sort(list)
				}
				b.ReportMetric(loop[3], "best/s")
				b.ReportMetric(float64(best), "rows")
				b.ReportMetric(together[3], "callers/s")
				b.ReportMetric(ratio[3], "ratio")
				b.ReportMetric(0, "ns/op")
			}
			s := batcher.Stats()
			b.Logf("%.1f rows in a batch, %v", float64(s.Rows)/float64(s.Batches), s.BatchRows.Counts)
		})
	}
}

// TestCloseWhileWaiting: a batcher that is closed does not wait for more requests, nor does one whose requests have
// left.
func TestCloseWhileWaiting(t *testing.T) {
	leaks(t)
	b := serve.Batch(nx.Jit(double), serve.Size(8), serve.Delay(time.Hour), quiet)
	row := nx.Ones(nx.Shape{1, 2}, nx.F32)
	waiting := func(n int) {
		t.Helper()
		for i := 0; b.Stats().Waiting != n || b.Stats().Running != n; i++ {
			if i == 5000 {
				t.Fatalf("%+v", b.Stats())
			}
			time.Sleep(time.Millisecond)
		}
	}
	do := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := b.Do(ctx, row)
			done <- err
		}()
		waiting(1)
		return done
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := do(ctx)
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("left: %v", err)
	}
	waiting(0)
	stays := do(t.Context())
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-stays; err != nil {
		t.Errorf("closed while it waits: %v", err)
	}
}
