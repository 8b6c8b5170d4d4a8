package xla_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
)

// TestEndings: however a function of Go ends that a program of a plugin calls, its caller learns of it by an error that
// names the function, or by the end of the goroutine. What was on the device is freed, and later calls run.
func TestEndings(t *testing.T) {
	c := open(t, "hooks")
	noData, enough := errors.New("no data"), errors.New("enough")
	var now func() error
	user := func(x nx.Tensor) (nx.Tensor, error) { return x, now() }
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		x = nx.Fori(2, nx.Exp(x), func(_, x nx.Tensor) nx.Tensor { return nx.RuntimeCall(nx.Mul(x, 2), x, user) })
		return nx.Add(debug.Hook("h", x, func(nx.Tensor) {}), 1), nil
	}, nx.On(c))
	x := put(t, nx.New([]float32{0, 0}), c.Devices()[0])
	call := func(ctx context.Context, end func() error) (err error, goexit bool) {
		now = end
		goexit = true
		done := make(chan struct{})
		go func() {
			defer close(done)
			var y nx.Tensor
			if y, err = f(ctx, x); err == nil {
				if got := nx.Data[float32](y); !slices.Equal(got, []float32{5, 5}) {
					t.Errorf("the result is %v", got)
				}
				nx.Release(y)
			}
			goexit = false
		}()
		<-done
		return err, goexit
	}
	good := func() error { return nil }
	if err, _ := call(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	before := testkit.Settled(c.InUse)
	for name, end := range map[string]struct {
		run    func(cancel func(error)) error
		cause  error
		text   string
		goexit bool
	}{
		"an error": {func(func(error)) error { return noData }, noData, "the function ", false},
		"a panic": {func(func(error)) error { panic(noData) }, noData,
			"panicked: no data (at ", false},
		"the end of the goroutine": {func(func(error)) error { runtime.Goexit(); return nil }, nil, "", true},
		"a cancelled call": {func(cancel func(error)) error { cancel(enough); return nil }, enough,
			"enough", false},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		err, goexit := call(ctx, func() error { return end.run(cancel) })
		cancel(nil)
		if goexit != end.goexit || !end.goexit &&
			(!errors.Is(err, end.cause) || !strings.Contains(err.Error(), end.text)) {
			t.Errorf("%s: the error is %v; the goroutine ended: %v", name, err, goexit)
		}
		if err, _ := call(t.Context(), good); err != nil {
			t.Errorf("after %s: %v", name, err)
		}
		if after := testkit.Settled(c.InUse); after != before {
			t.Errorf("after %s the device has %d bytes, %d before", name, after, before)
		}
	}
}
