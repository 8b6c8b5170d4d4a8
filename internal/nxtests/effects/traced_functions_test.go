package effects_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/telemetry"
)

type compiledCall = func(ctx context.Context) (nx.Tensor, error)

// plainPlace is a place where a function of the program is called as by the program itself: what it panics with goes
// through to the caller, and it may end the caller's goroutine. A function to build is new each time, so that its first
// call traces it.
type plainPlace struct {
	build func(user func()) compiledCall
	apart string // what errors name the function, where it runs on a goroutine of the package's; else ""
}

// inJit is a place in a function that is compiled.
func inJit(f func(user func(), x nx.Tensor) nx.Tensor, opts ...nx.JitOption) plainPlace {
	return plainPlace{build: func(user func()) compiledCall {
		g := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return f(user, x), nil }, opts...)
		return func(ctx context.Context) (nx.Tensor, error) { return g(ctx, nx.New([]float64{1, 2})) }
	}}
}

// atOnce is a place in what runs at once.
func atOnce(f func(user func(), x nx.Tensor) nx.Tensor) plainPlace {
	return plainPlace{build: func(user func()) compiledCall {
		return func(context.Context) (nx.Tensor, error) { return f(user, nx.New([]float64{1, 2})), nil }
	}}
}

var plainPlaces = map[string]plainPlace{
	"Jit":      inJit(func(user func(), x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }),
	"Evaluate": inJit(func(user func(), x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }, nx.Evaluate),
	"Jit in Jit": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Jit(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) })(x)
	}),
	"Compile": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		exe, err := nx.Compile(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }, nx.Args(x))
		kit.Raise(err)
		return exe.Call(x)
	}),
	"Lower": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		_, err := nx.Lower(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }, nx.Args(x))
		kit.Raise(err)
		return x
	}),
	"Split": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) }, nx.Args(x))
		kit.Raise(err)
		_, err = l.Split(func(*stablehlo.Op) nx.Cut { user(); return 0 })
		kit.Raise(err)
		return x
	}),
	"Cached": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		debug.Cached(func(x nx.Tensor) nx.Tensor { user(); return x }, x)
		return x
	}),
	"Grad": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Grad(func(x nx.Tensor) nx.Tensor { user(); return nx.Sum(nx.Square(x)) })(x)
	}),
	"Grad at once": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Grad(func(x nx.Tensor) nx.Tensor { user(); return nx.Sum(nx.Square(x)) })(x)
	}),
	"JVP": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		_, d := nx.JVP(func(x nx.Tensor) nx.Tensor { user(); return nx.Square(x) }, x, x)
		return d
	}),
	"VJP": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		y, pull := nx.VJP(func(x nx.Tensor) nx.Tensor { user(); return nx.Square(x) }, x)
		return pull(y)
	}),
	"Hessian": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Hessian(func(x nx.Tensor) nx.Tensor { user(); return nx.Sum(nx.Square(x)) })(x)
	}),
	"Vmap": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Vmap(func(x nx.Tensor) nx.Tensor { user(); return nx.Square(x) })(x)
	}),
	"Vmap at once": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Vmap(func(x nx.Tensor) nx.Tensor { user(); return nx.Square(x) })(x)
	}),
	"Cond": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Exp(x) },
			func() nx.Tensor { user(); return nx.Square(x) })
	}),
	"Cond at once": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { user(); return nx.Exp(x) },
			func() nx.Tensor { return nx.Square(x) })
	}),
	"the condition of While": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { user(); return nx.Less(nx.Sum(x), 9) },
			func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
	}),
	"the step of While": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(x), 9) },
			func(x nx.Tensor) nx.Tensor { user(); return nx.Mul(x, 2) })
	}),
	"Scan": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		_, y := nx.Scan(nx.New(0.), x, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
			user()
			c = nx.Add(c, x)
			return c, c
		})
		return y
	}),
	"MapRows": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Map(x, func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) })
	}),
	"Reduce": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Reduce(x, 0., func(acc, x nx.Tensor) nx.Tensor { user(); return nx.Add(x, acc) })
	}),
	"AssociativeScan": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.AssociativeScan(x, func(a, b nx.Tensor) nx.Tensor { user(); return nx.Add(a, b) })
	}),
	"CustomJVP": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.CustomJVP(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) },
			func(x, y, dx nx.Tensor) nx.Tensor { return nx.Mul(y, dx) })(x)
	}),
	"the rule of CustomJVP": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.CustomJVP(nx.Exp, func(x, y, dx nx.Tensor) nx.Tensor { user(); return nx.Mul(y, dx) })(x)
	}),
	"the rule of CustomVJP": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		f := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Sum(nx.Square(x)), x },
			func(x, dy nx.Tensor) nx.Tensor { user(); return nx.Mul(nx.Mul(2, x), dy) })
		return nx.Grad(f)(x)
	}),
	"Checkpoint": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Checkpoint(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) })(x)
	}),
	"Composite": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return nx.Composite("test.ends", func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) })(x)
	}),
	"ShardMap": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return shard.Map(func(x nx.Tensor) nx.Tensor { user(); return shard.AllReduce(x, "d") },
			shard.Mesh{{Name: "d", Size: 4}},
			[]shard.Sharding{{"d"}}, []shard.Sharding{{"d"}})(nx.BroadcastTo(nx.Sum(x), 8))
	}),
	"ShardMap in Jit": inJit(func(user func(), x nx.Tensor) nx.Tensor {
		return shard.Map(func(x nx.Tensor) nx.Tensor { user(); return shard.AllReduce(x, "d") },
			shard.Mesh{{Name: "d", Size: 4}},
			[]shard.Sharding{{"d"}}, []shard.Sharding{{"d"}})(nx.BroadcastTo(nx.Sum(x), 8))
	}),
	"View": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		x = nx.Add(x, 1)
		nx.View(x, func([]float64) { user() })
		return x
	}),
	"Map": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return tree.Map(func(x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }, x)
	}),
	"MapLeaves": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		return tree.MapLeaves(func(_ string, x nx.Tensor) nx.Tensor { user(); return nx.Exp(x) }, []nx.Tensor{x})[0]
	}),
	"Leaves": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		for range tree.Leaves([]nx.Tensor{x, x}) {
			user()
		}
		return x
	}),
	"ProfileLines": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		debug.ProfileLines(func() { debug.ProfileLines(user) })
		return x
	}),
	"a listener": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		zeros := nx.Zeros(nx.Shape{2}, nx.F64)
		defer telemetry.Listen(func(context.Context, telemetry.Event) {
			nx.Add(zeros, nx.New([]float64{1, 2})) // of which no listener hears; zeros may be what is being made
			user()
		})()
		return nx.Add(zeros, nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) })(x))
	}),
	"a logger": atOnce(func(user func(), x nx.Tensor) nx.Tensor {
		defer nx.SetLogger(slog.New(slog.DiscardHandler))
		f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) })
		nx.SetLogger(slog.New(handler(func() {
			f(nx.Ones(nx.Shape{99}, nx.F64)) // one more signature
			user()
		})))
		for i := range 12 {
			f(nx.Ones(nx.Shape{i + 1}, nx.F64))
		}
		return x
	}),
	"the step of a stream": {apart: "the function ", build: func(user func()) compiledCall {
		return func(ctx context.Context) (nx.Tensor, error) {
			s := nx.Stream(ctx, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { user(); return nx.Add(c, x), x },
				nx.New(0.))
			if err := s.Send(nx.New(1.)); err != nil {
				return nx.Tensor{}, err
			}
			return s.Recv()
		}
	}},
}

// handler is a handler of messages that calls a function.
type handler func()

func (handler) Enabled(context.Context, slog.Level) bool { return true }

func (h handler) Handle(context.Context, slog.Record) error { h(); return nil }

func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h handler) WithGroup(string) slog.Handler { return h }

// TestEndingsOfPlainFunctions: what a function panics with that runs as a part of the caller goes through to the
// caller, and it may end the goroutine. Nothing is left open: what was called can be called again, and ops compute.
func TestEndingsOfPlainFunctions(t *testing.T) {
	defer nx.SetLogger(nil)
	nx.SetLogger(slog.New(slog.DiscardHandler))
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
	for name, p := range plainPlaces {
		t.Run(name, func(t *testing.T) {
			want := kit.EndingOf(func() (nx.Tensor, error) { return p.build(func() {})(context.Background()) })
			if want.Err != nil || want.Panicked != nil || want.Hangs || want.Goexit {
				t.Fatalf("it ends with %v", want)
			}
			for how, end := range map[string]struct {
				run   func()
				wrong func(e kit.Ending) string
			}{
				"a panic": {func() { panic("oh") }, func(e kit.Ending) string {
					if e.Panicked != "oh" {
						return "it is not what the function panicked with"
					}
					return ""
				}},
				"a misuse of an op": {func() { nx.Add(kit.Ones(2), kit.Ones(3)) }, func(e kit.Ending) string {
					if !errors.Is(e.Err, nx.ErrShape) && name != "Cached" { // which says that there is no code
						return "it is not the error of the op"
					}
					return ""
				}},
				"the end of the goroutine": {runtime.Goexit, func(e kit.Ending) string {
					switch {
					case p.apart == "" && !e.Goexit:
						return "it is the caller's goroutine"
					case p.apart != "" && !(errors.Is(e.Err, nx.ErrRun) && strings.Contains(e.Err.Error(), p.apart) &&
						strings.Contains(e.Err.Error(), "ended its goroutine")):
						return "the error does not name the function"
					}
					return ""
				}},
				"calls": {func() {
					nx.Add(double(nx.New(2.)), 1)
				}, func(e kit.Ending) string {
					if e.Err != nil || e.Panicked != nil || e.Goexit || e.Hangs || !kit.NearlyEqual(e.Y, want.Y) {
						return "the result is another one otherwise"
					}
					return ""
				}},
			} {
				now := end.run
				call := p.build(func() { now() })
				e := kit.EndingOf(func() (nx.Tensor, error) { return call(context.Background()) })
				if end.wrong(e) != "" {
					t.Errorf("%s: it ends with %v: %s", how, e, end.wrong(e))
				}
				now = func() {}
				for range 2 {
					e := kit.EndingOf(func() (nx.Tensor, error) { return call(context.Background()) })
					if e.Err != nil || e.Panicked != nil || e.Goexit || e.Hangs || !kit.NearlyEqual(e.Y, want.Y) {
						t.Errorf("after %s it ends with %v, not the result %v", how, e, want.Y)
					}
				}
				if n := core.StagedTraces(); n != 0 {
					t.Fatalf("after %s %d traces are open", how, n)
				}
			}
		})
	}
	kit.CheckGoroutines(t)
}
