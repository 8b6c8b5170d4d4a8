package xla_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/xla"
)

// Go functions run between the stages of the plugin, in order, with the current values, and their results are
// used; also in derivatives, and within loops.
func TestFunctionsOfGo(t *testing.T) {
	c, p := open(t, "hooks"), plugins["hooks"]
	second := c.Devices()[1]
	var seen []string
	see := func(name string) func(nx.Tensor) {
		return func(x nx.Tensor) { seen = append(seen, fmt.Sprint(name, nx.Data[float32](x))) }
	}
	for name, tt := range map[string]struct {
		f      func(x nx.Tensor) nx.Tensor
		want   []float32
		seen   string
		device bool // part of it runs there
	}{
		"hooks": {func(x nx.Tensor) nx.Tensor {
			y := debug.Hook("a", nx.Mul(x, 2), see("a"))
			return debug.Hook("b", nx.Add(y, x), see("b"))
		}, []float32{3, 6}, "[a[2 4] b[3 6]]", true},
		"a call": {func(x nx.Tensor) nx.Tensor {
			return nx.Mul(2, nx.RuntimeCall(nx.Add(x, 1), x, func(x nx.Tensor) (nx.Tensor, error) {
				return nx.Mul(x, 10), nil
			}))
		}, []float32{40, 60}, "[]", true},
		"only a call": {func(x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) { return nx.Mul(x, 10), nil })
		}, []float32{10, 20}, "[]", false},
		"the argument": {func(x nx.Tensor) nx.Tensor { return debug.Hook("a", x, see("a")) },
			[]float32{1, 2}, "[a[1 2]]",
			false},
		"a gradient": {nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Square(debug.Hook("a", nx.Mul(x, 3), see("a"))))
		}), []float32{18, 36}, "[a[3 6]]", true},
		"a loop": {func(x nx.Tensor) nx.Tensor {
			y := nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 20) },
				func(x nx.Tensor) nx.Tensor { return debug.Hook("step", nx.Mul(x, 2), see("step")) })
			return nx.Add(y, 1)
		}, []float32{9, 17}, "[step[2 4] step[4 8] step[8 16]]", true},
		"a loop without steps": {func(x nx.Tensor) nx.Tensor {
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 1) },
				func(x nx.Tensor) nx.Tensor { return debug.Hook("step", nx.Mul(x, 2), see("step")) })
		}, []float32{1, 2}, "[]", true},
		"a hook in the condition": {func(x nx.Tensor) nx.Tensor {
			return nx.While(x, func(x nx.Tensor) nx.Tensor {
				return nx.Less(debug.Hook("sum", nx.Sum(x), see("sum")), 5)
			},
				func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
		}, []float32{2, 4}, "[sum[3] sum[6]]", true},
		"a branch": {func(x nx.Tensor) nx.Tensor {
			double := func() nx.Tensor { return nx.Mul(2, debug.Hook("more", x, see("more"))) }
			same := func() nx.Tensor { return debug.Hook("less", x, see("less")) }
			y := nx.Cond(nx.Greater(nx.Sum(x), 1), double, same)
			return nx.Add(nx.Cond(nx.Greater(nx.Sum(x), 9), double, same), y)
		}, []float32{3, 6}, "[more[1 2] less[1 2]]", true},
		"a loop in a loop": {func(x nx.Tensor) nx.Tensor {
			two := nx.Mul(x, 2)
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 20) },
				func(x nx.Tensor) nx.Tensor {
					return nx.While(nx.Add(x, two), func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 10) },
						func(x nx.Tensor) nx.Tensor { return debug.Hook("step", nx.Add(x, two), see("step")) })
				})
		}, []float32{7, 14}, "[step[5 10]]", true},
		"a scan": {func(x nx.Tensor) nx.Tensor {
			_, sums := nx.Scan(nx.New(float32(1)), x, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
				c = debug.Hook("sum", nx.Add(c, x), see("sum"))
				return c, nx.Mul(c, 2)
			})
			return sums
		}, []float32{4, 8}, "[sum[2] sum[4]]", true},
		"the gradient of a scan": {nx.Grad(func(x nx.Tensor) nx.Tensor {
			c, _ := nx.Scan(nx.New(float32(1)), x, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
				c = debug.Hook("product", nx.Mul(c, nx.Add(x, 1)), see("product"))
				return c, c
			})
			return c
		}), []float32{3, 2}, "[product[2] product[6]]", true},
	} {
		t.Run(name, func(t *testing.T) {
			seen = nil
			f := nx.Jit(func(x nx.Tensor) nx.Tensor { return tt.f(x) }, nx.On(c))
			x := put(t, nx.New([]float32{1, 2}), second)
			before := p.Calls(abi.LoadedExecutableExecute)
			y := f(x)
			if got := fmt.Sprint(seen); got != tt.seen {
				t.Errorf("seen %s, want %s", got, tt.seen)
			}
			if y.Device() != second || !slices.Equal(nx.Data[float32](y), tt.want) {
				t.Errorf("%v on %s, want %v", y, y.Device(), tt.want)
			}
			if ran := p.Calls(abi.LoadedExecutableExecute) > before; ran != tt.device {
				t.Errorf("the device ran: %v", ran)
			}
			nx.Release(y)
			if got := nx.Data[float32](x); !slices.Equal(got, []float32{1, 2}) {
				t.Errorf("the argument is %v afterwards", got)
			}
		})
	}
}

// Errors of Go functions, and the end of a context, end the call; no memory leaks.
func TestFunctionsOfGoThatFail(t *testing.T) {
	c := open(t, "hooks")
	d := c.Devices()[0]
	fresh := func() nx.Tensor { return put(t, nx.New([]float32{1, 2}), d) }
	wrong := errors.New("out of luck")
	calls := 0
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		y := nx.RuntimeCall(nx.Exp(x), x, func(x nx.Tensor) (nx.Tensor, error) {
			if calls++; calls == 1 {
				return x, wrong
			}
			if calls == 2 {
				panic("a panic of the function")
			}
			return nx.Mul(x, 0), nil
		})
		return nx.Add(y, x)
	}, nx.On(c), nx.Donate(0))
	before := testkit.Settled(c.InUse)
	if err := caught(func() { f(fresh()) }); !errors.Is(err, wrong) || !errors.Is(err, nx.ErrRun) {
		t.Errorf("an error: %v", err)
	}
	if err := caught(func() { f(fresh()) }); err == nil || !strings.Contains(err.Error(), "a panic of the function") {
		t.Errorf("a panic: %v", err)
	}
	y := f(fresh())
	if got := nx.Data[float32](y); !slices.Equal(got, []float32{1, 2}) {
		t.Errorf("afterwards: %v", got)
	}
	nx.Release(y)
	plugins["hooks"].Wait()
	if n := c.InUse(); n != before {
		t.Errorf("%d bytes are in use, %d were", n, before)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor {
		return nx.Exp(debug.Hook("stop", nx.Mul(x, 2), func(nx.Tensor) { cancel() }))
	}, nx.On(c))
	if err := caught(func() { stopped(ctx, fresh()) }); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends: %v", err)
	}
}

// Over a mesh, and ahead of time, Go functions are an error that names the reason.
func TestFunctionsOfGoOverAMesh(t *testing.T) {
	c := open(t, "four")
	f := shard.Jit(func(x nx.Tensor) nx.Tensor { return debug.Hook("seen", nx.Mul(x, 2), func(nx.Tensor) {}) }, square,
		[]shard.Sharding{{"data"}}, []shard.Sharding{{"data"}}, nx.On(c))
	x := nx.New([]float32{1, 2})
	if err := caught(func() { f(put(t, x, c.Devices()[0])) }); err == nil ||
		!strings.Contains(err.Error(), "the hook seen") {
		t.Errorf("over a mesh: %v", err)
	}
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return debug.Hook("seen", x, func(nx.Tensor) {}) }, nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := xla.CompileFor(context.Background(), "four", "2x2", l.Module()); err == nil ||
		!strings.Contains(err.Error(), "the hook seen") {
		t.Errorf("ahead of time: %v", err)
	}
}

// A loop with a hook keeps no more than two states on the device, frees them when a step fails, and stops with
// the context.
func TestLoopsWithFunctionsOfGo(t *testing.T) {
	c, d := open(t, "loops"), open(t, "loops").Devices()[0]
	const size = 1 << 12
	steps := 0
	var stop func()
	f := nx.Jit(func(_ context.Context, x, w nx.Tensor) nx.Tensor {
		return nx.Fori(40, x, func(i nx.Tensor, x nx.Tensor) nx.Tensor {
			debug.Hook("step", i, func(nx.Tensor) {
				if steps++; stop != nil && steps > 2 {
					stop()
				}
			})
			return nx.Add(nx.Mul(x, w), 1)
		})
	}, nx.On(c))
	data := make([]float32, size)
	w := put(t, nx.New(data), d)
	data[0] = 1
	x := put(t, nx.New(data), d)
	plugins["loops"].Wait()
	before := testkit.Settled(c.InUse)
	nx.Release(f(context.Background(), x, w)) // it is compiled
	c.ResetPeak()
	y := f(context.Background(), x, w)
	if most := c.Peak() - before; steps != 80 || most > 2*4*size+100 {
		t.Errorf("%d steps, %d bytes at most beside two arguments of %d", steps, most, 4*size)
	}
	if got := nx.Data[float32](y); got[0] != 1 || nx.Data[float32](x)[0] != 1 || nx.Data[float32](w)[0] != 0 {
		t.Errorf("the result is %v…, the arguments begin with %v, %v", got[0], nx.Data[float32](x)[0],
			nx.Data[float32](w)[0])
	}
	nx.Release(y)
	steps, stop = 0, func() { panic("a panic of the hook") }
	if err := caught(func() { f(context.Background(), x, w) }); err == nil ||
		!strings.Contains(err.Error(), "a panic of the hook") || steps != 3 {
		t.Errorf("a panic at the third of %d steps: %v", steps, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps, stop = 0, cancel
	if err := caught(func() { f(ctx, x, w) }); !errors.Is(err, context.Canceled) || steps > 3 {
		t.Errorf("a context that ends at the third of %d steps: %v", steps, err)
	}
	plugins["loops"].Wait()
	if n := c.InUse(); n != before {
		t.Errorf("%d bytes are in use, %d were", n, before)
	}
}
