package effects_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// total adds an input to the state and returns the square of the input.
func total(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, nx.Sum(x)), nx.Square(x) }

func TestStream(t *testing.T) {
	init := nx.New([]float64{100}).At(0)
	s := nx.Stream(t.Context(), total, init)
	const n = 25
	go func() {
		for i := range n {
			if err := s.Send(nx.New([]float64{float64(i), 1})); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Done(); err != nil {
			t.Error(err)
		}
	}()
	for i := range n {
		y, err := s.Recv()
		if err != nil {
			t.Fatal(err)
		}
		kit.CloseTo(t, "a result", y, float64(i*i), 1)
	}
	if _, err := s.Recv(); err != io.EOF {
		t.Errorf("after the last result: %v", err)
	}
	for range 2 {
		c, err := s.Done()
		if err != nil {
			t.Fatal(err)
		}
		kit.CloseTo(t, "the state", c, 100+n*(n-1)/2+n)
	}
	if err := s.Send(nx.New([]float64{1})); err != io.ErrClosedPipe {
		t.Errorf("an input after Done: %v", err)
	}
	kit.CloseTo(t, "what the stream began with", init, 100)
}

// TestStreamWaits wants Send to wait for results to be received, and those that are left
// at Done to be received after it.
func TestStreamWaits(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s := nx.Stream(ctx, total, nx.New([]float64{0}).At(0))
	sent := 0
	for ; s.Send(nx.New([]float64{float64(sent)})) == nil; sent++ {
		if sent > 100 {
			t.Fatal("nothing holds the sender back")
		}
	}
	if err := s.Send(nx.New([]float64{1})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the sender waited for ever: %v", err)
	}
	for i := range sent {
		if y, err := s.Recv(); err == nil {
			kit.CloseTo(t, "a result from before the end", y, float64(i*i))
		} else if !errors.Is(err, context.DeadlineExceeded) { // the step may have been stopped
			t.Error(err)
		}
	}
	r := nx.Stream(t.Context(), total, nx.New([]float64{0}).At(0))
	for i := range sent {
		if err := r.Send(nx.New([]float64{float64(i)})); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Done(); err != nil {
		t.Fatal(err)
	}
	for i := range sent {
		y, err := r.Recv()
		if err != nil {
			t.Fatal(err)
		}
		kit.CloseTo(t, "a result after Done", y, float64(i*i))
	}
}

func TestStreamOfContainers(t *testing.T) {
	type state struct {
		W    nx.Tensor
		Both []nx.Tensor
		None nx.Tensor
		Rate float64
	}
	// The state appears twice, and as a result; a number takes the type of a tensor.
	s := nx.Stream(t.Context(), func(c state, x []nx.Tensor) (state, map[string]nx.Tensor) {
		w := nx.Add(c.W, nx.Mul(c.Rate, x[0]))
		return state{W: w, Both: []nx.Tensor{w, nx.Add(c.Both[1], x[0])}, Rate: c.Rate},
			map[string]nx.Tensor{"w": w, "old": c.W}
	},
		state{W: nx.New([]float32{1, 2}), Both: []nx.Tensor{nx.New([]float32{0, 0}), nx.Zeros(nx.Shape{2}, nx.F32)},
			Rate: 0.5})
	var results []map[string]nx.Tensor
	for i := range 4 {
		if err := s.Send([]nx.Tensor{nx.New([]float32{float32(i), 1})}); err != nil {
			t.Fatal(err)
		}
		y, err := s.Recv()
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, y)
	}
	c, err := s.Done()
	if err != nil {
		t.Fatal(err)
	}
	kit.CloseTo(t, "the state", c.W, 4, 4)
	kit.CloseTo(t, "the other state", c.Both[1], 6, 4)
	kit.CloseTo(t, "a result that was a state", results[3]["old"], 2.5, 3.5)
	kit.CloseTo(t, "a result that is the state", results[3]["w"], 4, 4)
}

func TestStreamFails(t *testing.T) {
	x := nx.New([]float64{1, 2})
	recv := func(f func(c, x nx.Tensor) (nx.Tensor, nx.Tensor)) error {
		s := nx.Stream(t.Context(), f, nx.Sum(x))
		if err := s.Send(x); err != nil {
			t.Error(err)
		}
		_, err := s.Recv()
		if err == nil {
			t.Error("the step does not fail")
		}
		if _, again := s.Recv(); again != err {
			t.Errorf("the second time: %v", again)
		}
		if _, done := s.Done(); done != err {
			t.Errorf("Done: %v", done)
		}
		if send := s.Send(x); send != err {
			t.Errorf("Send: %v", send)
		}
		return err
	}
	err := recv(func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Cast(c, nx.F32), x })
	if !errors.Is(err, nx.ErrState) || !strings.Contains(err.Error(), "f64 before the step and f32") {
		t.Errorf("a state that changes: %v", err)
	}
	noData := errors.New("no data")
	err = recv(func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return c,
			nx.RuntimeCall(x, nx.Zeros(nx.Shape{2}, nx.F64),
				func(nx.Tensor) (nx.Tensor, error) { return nx.Tensor{}, noData })
	})
	if !errors.Is(err, noData) {
		t.Errorf("a step that fails: %v", err)
	}
	s := nx.Stream(t.Context(), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { panic("a mistake") }, x)
	s.Send(x)
	func() {
		defer func() {
			if r := recover(); r != "a mistake" {
				t.Errorf("Recv panics with %v", r)
			}
		}()
		s.Recv()
	}()
	if err := kit.Caught(func() {
		nx.Jit(func(x nx.Tensor) nx.Tensor {
			nx.Stream(t.Context(), total, x)
			return x
		})(x)
	}); !errors.Is(err, nx.ErrTrace) {
		t.Errorf("in a traced function: %v", err)
	}
}

// TestStreamStops cancels a step that would never end.
func TestStreamStops(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := nx.Stream(ctx, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		y := nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 1) },
			func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 1) })
		return c, y
	}, nx.New([]float64{0}))
	one, none := nx.New([]float64{1}), nx.New([]float64{0})
	for _, x := range []nx.Tensor{one, none} {
		if err := s.Send(x); err != nil {
			t.Fatal(err)
		}
	}
	if y, err := s.Recv(); err != nil {
		t.Fatal(y, err)
	}
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	if _, err := s.Recv(); err != cause {
		t.Errorf("the stream ended with %v", err)
	}
	if _, err := s.Done(); err != cause {
		t.Errorf("Done: %v", err)
	}
}

// TestStreamDoneBeforeItsContext: a stream that was done stays so when its context ends.
func TestStreamDoneBeforeItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := nx.Stream(ctx, total, nx.New([]float64{0}).At(0))
	if err := s.Send(nx.New([]float64{2})); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Done(); err != nil {
		t.Fatal(err)
	}
	cancel()
	y, err := s.Recv()
	if err != nil {
		t.Fatal(err)
	}
	kit.CloseTo(t, "the result", y, 4)
	for range 64 { // where two channels are ready, Go takes either
		c, err := s.Done()
		if err != nil {
			t.Fatalf("Done again: %v", err)
		}
		kit.CloseTo(t, "the state", c, 2)
		if _, err := s.Recv(); err != io.EOF {
			t.Fatalf("after the last result: %v", err)
		}
	}
}

// TestStreamHoldsConstantMemory runs an endless loop for a while.
func TestStreamHoldsConstantMemory(t *testing.T) {
	const elems = 1 << 16 // of 4 bytes
	s := nx.Stream(t.Context(), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		c = nx.Add(nx.Mul(0.5, c), x)
		return c, nx.Sum(c)
	}, nx.Zeros(nx.Shape{elems}, nx.F32))
	ones := nx.New(make([]float32, elems))
	step := func() {
		x := nx.Add(ones, 1)
		if err := s.Send(x); err != nil {
			t.Fatal(err)
		}
		y, err := s.Recv()
		if err != nil {
			t.Fatal(err)
		}
		nx.Release(x, y)
	}
	for range 10 {
		step()
	}
	before, most := debug.LiveBytes(), int64(0)
	for range 1000 {
		step()
		most = max(most, debug.LiveBytes())
	}
	if most > before+4*4*elems {
		t.Errorf("%d bytes after 10 steps, up to %d in 1,000 more", before, most)
	}
}

func TestStreamConcurrently(t *testing.T) {
	s := nx.Stream(t.Context(), total, nx.New([]float64{0}).At(0))
	const senders, each = 4, 50
	var sending, receiving sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			for range each {
				if err := s.Send(nx.New([]float64{float64(i + 1)})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var mu sync.Mutex
	sum := 0.
	for range 3 {
		receiving.Go(func() {
			for {
				y, err := s.Recv()
				if err == io.EOF {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				sum += nx.Data[float64](y)[0]
				mu.Unlock()
			}
		})
	}
	sending.Wait()
	c, err := s.Done()
	receiving.Wait()
	if err != nil || nx.Item[float64](c) != each*(1+2+3+4) || sum != each*(1+4+9+16) {
		t.Errorf("the state is %v, the sum of the results %v, the error %v", c, sum, err)
	}
}
