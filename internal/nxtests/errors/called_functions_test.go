package errors_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo/interp"
)

// compiledCall calls a compiled function in which a function of the program is called.
type compiledCall = func(ctx context.Context) (nx.Tensor, error)

// calledPlace is a place where a function of the program is called when an op, or compiled code, gets there.
type calledPlace struct {
	named string  // what errors call the function
	want  float64 // the sum of the results
	eager bool    // no worker and no context matters
	fails bool    // the function may return an error
	apart bool    // it runs on a goroutine of the package's
	late  bool    // it may run after the compiled function has returned
	build func(on nx.OnOption, to nx.Device, user func(device int64) error) compiledCall
}

var fourDevices = shard.Mesh{{Name: "d", Size: 4}}

// jitted compiles a function of two numbers, which it calls with them.
func jitted(on nx.OnOption, to nx.Device, f func(x nx.Tensor) nx.Tensor, opts ...nx.JitOption) compiledCall {
	g := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return f(x), nil }, append(opts, on)...)
	return func(ctx context.Context) (nx.Tensor, error) {
		x, err := nx.Transfer(nx.Add(nx.New([]float64{1, 2}), 0), to)
		if err != nil {
			return nx.Tensor{}, err
		}
		return g(ctx, x)
	}
}

// overMesh compiles a function of each device of a mesh.
func overMesh(on nx.OnOption, to nx.Device, f func(x nx.Tensor) nx.Tensor) compiledCall {
	g := shard.Map(f, fourDevices, []shard.Sharding{{"d"}}, []shard.Sharding{{"d"}})
	return jitted(on, to, func(x nx.Tensor) nx.Tensor { return g(nx.BroadcastTo(nx.Sum(x), 8)) })
}

// calls returns x by a call of user.
func calls(user func(device int64) error, x nx.Tensor) nx.Tensor {
	return nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) { return x, user(0) })
}

// ofDevice returns x by a call of user in a ShardMap.
func ofDevice(user func(device int64) error, x nx.Tensor) nx.Tensor {
	type both struct{ X, I nx.Tensor }
	return nx.RuntimeCall(both{x, nx.Cast(shard.Index("d"), nx.S64)}, x,
		func(p both) (nx.Tensor, error) { return p.X, user(nx.Item[int64](p.I)) })
}

func hooked(user func(device int64) error, x nx.Tensor) nx.Tensor {
	return debug.Hook("h", x, func(nx.Tensor) { user(0) })
}

var calledPlaces = map[string]calledPlace{
	"a hook": {named: "the hook h", want: 6,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor { return nx.Mul(hooked(user, nx.Add(x, 0)), 2) })
		}},
	"a hook of a context": {named: "the hook h", want: 3,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			f := jitted(on, to, func(x nx.Tensor) nx.Tensor { return debug.Hook("h", x, nil) })
			return func(ctx context.Context) (nx.Tensor, error) {
				return f(debug.WithHook(ctx, "h", func(nx.Tensor) { user(0) }))
			}
		}},
	"a hook in a loop": {named: "the hook h", want: 3 * 8,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor {
				return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor { return hooked(user, nx.Mul(x, 2)) })
			})
		}},
	"a hook in a condition": {named: "the hook h", want: 24,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor {
				return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(hooked(user, nx.Sum(x)), 20) },
					func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
			})
		}},
	"a hook in a branch": {named: "the hook h", want: 5,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor {
				return nx.Cond(nx.Greater(nx.Sum(x), 1), func() nx.Tensor { return hooked(user, nx.Add(x, 1)) },
					func() nx.Tensor { return x })
			})
		}},
	"a call beside products": {named: "the function ", want: 32 * 32 * 6, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor { // independent of one another
				a := nx.Ones(nx.Shape{32, 32}, nx.F64)
				p, q := nx.Dot(nx.Mul(a, x.At(0)), a), nx.Dot(nx.Mul(a, x.At(1)), a)
				return nx.Mul(nx.Add(nx.Div(calls(user, p), 32), nx.Div(calls(user, q), 32)), 2)
			})
		}},
	"a call in Vmap": {named: "the function ", want: 6, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, nx.Vmap(func(x nx.Tensor) nx.Tensor { return nx.Mul(calls(user, x), 2) }))
		}},
	"a call in a gradient": {named: "the function ", want: 6, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			f := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Sum(calls(user, nx.Square(x))), x },
				func(x, dy nx.Tensor) nx.Tensor { return nx.Mul(nx.Mul(2, calls(user, x)), dy) })
			return jitted(on, to, nx.Grad(f))
		}},
	"a hook of a donated argument": {named: "the hook h", want: 6,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return jitted(on, to, func(x nx.Tensor) nx.Tensor { return nx.Mul(hooked(user, nx.Add(x, x)), 1) },
				nx.Donate(0))
		}},
	"an asynchronous hook": {named: "the hook h", want: 3 * 8, apart: true, late: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			f := jitted(on, to, func(x nx.Tensor) nx.Tensor {
				return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor { return debug.Hook("h", nx.Mul(x, 2), nil) })
			})
			return func(ctx context.Context) (nx.Tensor, error) {
				ctx, wait := debug.WithAsyncHook(ctx, "h", func(nx.Tensor) { user(0) })
				y, err := f(ctx)
				return y, errors.Join(err, wait())
			}
		}},
	"a hook of a stream": {named: "the hook h", want: 6, apart: true, build: streamed(hooked)},
	"a call of a stream": {named: "the function ", want: 6, apart: true, fails: true, build: streamed(calls)},
	"a hook at once": {named: "the hook h", want: 3, eager: true,
		build: func(_ nx.OnOption, _ nx.Device, user func(int64) error) compiledCall {
			return func(context.Context) (nx.Tensor, error) { return hooked(user, nx.New([]float64{1, 2})), nil }
		}},
	"a call at once": {named: "the function ", want: 3, eager: true, fails: true,
		build: func(_ nx.OnOption, _ nx.Device, user func(int64) error) compiledCall {
			return func(context.Context) (nx.Tensor, error) { return calls(user, nx.New([]float64{1, 2})), nil }
		}},
	"a call in a function that is evaluated": {named: "the function ", want: 3, eager: true, fails: true,
		build: func(_ nx.OnOption, _ nx.Device, user func(int64) error) compiledCall {
			f := nx.Jit(func(x nx.Tensor) (nx.Tensor, error) { return calls(user, x), nil }, nx.Evaluate)
			return func(context.Context) (nx.Tensor, error) { return f(nx.New([]float64{1, 2})) }
		}},
	"hooks of devices": {named: "the hook h", want: 48, apart: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return overMesh(on, to, func(x nx.Tensor) nx.Tensor { return nx.Mul(hooked(user, x), 2) })
		}},
	"calls of devices before a sum": {named: "the function ", want: 8 * 4 * 3, apart: true, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return overMesh(on, to, func(x nx.Tensor) nx.Tensor { return shard.AllReduce(ofDevice(user, x), "d") })
		}},
	"a call of one device": {named: "the function ", want: 24, apart: true, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return overMesh(on, to, func(x nx.Tensor) nx.Tensor { return ofDevice(ofOne(user), x) })
		}},
	"a call of one device before a sum": {named: "the function ", want: 8 * 4 * 3, apart: true, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return overMesh(on, to, func(x nx.Tensor) nx.Tensor {
				return shard.AllReduce(ofDevice(ofOne(user), x), "d")
			})
		}},
	"a call of one device after a sum, in a loop": {named: "the function ", want: 8 * 3 * 64, apart: true, fails: true,
		build: func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
			return overMesh(on, to, func(x nx.Tensor) nx.Tensor {
				return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor {
					return ofDevice(ofOne(user), shard.AllReduce(x, "d"))
				})
			})
		}},
}

// ofOne calls user on one device.
func ofOne(user func(device int64) error) func(device int64) error {
	return func(device int64) error {
		if device != 2 {
			return nil
		}
		return user(device)
	}
}

// streamed sends one input to a stream with a place in its step.
func streamed(place func(user func(device int64) error, x nx.Tensor) nx.Tensor) func(nx.OnOption, nx.Device,
	func(int64) error) compiledCall {
	return func(on nx.OnOption, to nx.Device, user func(int64) error) compiledCall {
		step := func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
			return nx.Add(c, 1), nx.Mul(place(user, nx.Add(x, 0)), 2)
		}
		return func(ctx context.Context) (nx.Tensor, error) {
			both, err := nx.Transfer([]nx.Tensor{nx.Add(nx.New([]float64{1, 2}), 0), nx.Add(nx.New([]float64{0}), 0)},
				to)
			if err != nil {
				return nx.Tensor{}, err
			}
			s := nx.Stream(ctx, step, both[1], on)
			if err := s.Send(both[0]); err != nil {
				return nx.Tensor{}, err
			}
			y, err := s.Recv()
			if err == nil {
				_, err = s.Done()
			}
			return y, err
		}
	}
}

var (
	errEnding = errors.New("no data")
	errCause  = errors.New("enough")
)

// TestEndingsOfCalledFunctions: however a function ends that is called when compiled code gets there, its caller
// learns of it: by an error that names the function, or by the end of the goroutine where it is the caller's.
// Later calls compute as before.
func TestEndingsOfCalledFunctions(t *testing.T) {
	clients := map[string]nx.OnOption{"interp": nx.On(interp.NewClient())}
	devices := map[string]nx.Device{"interp": interp.NewClient().Devices()[0]}
	for _, n := range []int{1, 2, 4, 16} {
		c := cpu.New(n)
		name := fmt.Sprint(n, " workers")
		clients[name], devices[name] = nx.On(c), c.Devices()[0]
	}
	for name, p := range calledPlaces {
		for client, on := range clients {
			if p.eager && client != "1 workers" {
				continue
			}
			t.Run(name+"/"+client, func(t *testing.T) { p.check(t, on, devices[client]) })
		}
	}
	kit.CheckGoroutines(t)
}

func (p *calledPlace) check(t *testing.T, on nx.OnOption, to nx.Device) {
	var now atomic.Pointer[func(device int64) error]
	good := func(int64) error { return nil }
	now.Store(&good)
	call := p.build(on, to, func(device int64) error { return (*now.Load())(device) })
	works := func(when string) {
		t.Helper()
		for range 2 {
			e := kit.EndingOf(func() (nx.Tensor, error) { return call(context.Background()) })
			if e.Err != nil || e.Panicked != nil || e.Goexit || e.Hangs || nx.Item[float64](nx.Sum(e.Y)) != p.want {
				t.Fatalf("%s it ends with %v, not the sum %v", when, e, p.want)
			}
		}
	}
	works("at first")
	for name, how := range calledEndings {
		if how.fails && !p.fails || how.context && p.eager {
			continue
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		u := &usersFunction{ctx: ctx, cancel: cancel}
		u.again = func() error {
			y, err := call(context.Background())
			if err == nil && nx.Item[float64](nx.Sum(y)) != p.want {
				err = fmt.Errorf("the call inside returns %v", y)
			}
			return err
		}
		bad := func(int64) error { return how.run(u) }
		now.Store(&bad)
		if how.context {
			time.AfterFunc(5*time.Millisecond, func() { cancel(errCause) })
		}
		e := kit.EndingOf(func() (nx.Tensor, error) { return call(ctx) })
		now.Store(&good)
		cancel(nil)
		if why := how.wrong(p, e); why != "" {
			t.Errorf("%s: it ends with %v: %s", name, e, why)
		}
		works("after " + name)
	}
}

// usersFunction is what a function of the program knows.
type usersFunction struct {
	ctx    context.Context // of the call
	cancel context.CancelCauseFunc
	again  func() error // calls the compiled function
	inside atomic.Bool
}

// calledEnding is a way in which a function of the program may end.
type calledEnding struct {
	fails, context bool // it needs a result for errors, a context
	run            func(u *usersFunction) error
	wrong          func(p *calledPlace, e kit.Ending) string // what is wrong with how the call ended, "" for nothing
}

// mustFail wants an error that names the function and has the cause or the text.
func mustFail(cause error, text string) func(p *calledPlace, e kit.Ending) string {
	return func(p *calledPlace, e kit.Ending) string {
		switch {
		case e.Err == nil:
			return "there is no error"
		case !errors.Is(e.Err, nx.ErrRun):
			return "the code is another one"
		case !strings.Contains(e.Err.Error(), p.named) || !strings.Contains(e.Err.Error(), "called_functions_test.go:"):
			return "it does not name " + p.named + " and a line"
		case cause != nil && !errors.Is(e.Err, cause), !strings.Contains(e.Err.Error(), text):
			return "the cause is not in it"
		}
		return ""
	}
}

// mustStop wants the cause of the context.
func mustStop(p *calledPlace, e kit.Ending) string {
	if e.Err == nil && p.late && !e.Goexit && !e.Hangs {
		return ""
	}
	if !errors.Is(e.Err, errCause) {
		return "the error is not the cause of the context's end"
	}
	return ""
}

var noMap map[string]int

var calledEndings = map[string]calledEnding{
	"an error": {fails: true, run: func(*usersFunction) error { return errEnding },
		wrong: mustFail(errEnding, "no data")},
	"a panic": {run: func(*usersFunction) error { panic("oh") }, wrong: mustFail(nil, "panicked: oh")},
	"a panic with an error": {run: func(*usersFunction) error { panic(errEnding) },
		wrong: mustFail(errEnding, "panicked: no data")},
	"a misuse of an op": {run: func(*usersFunction) error { nx.Add(kit.Ones(2), kit.Ones(3)); return nil },
		wrong: mustFail(nx.ErrShape, "cannot be broadcast")},
	"a fault of Go": {run: func(*usersFunction) error { noMap["a"] = 1; return nil },
		wrong: mustFail(nil, "nil map")},
	"the end of the goroutine": {run: func(*usersFunction) error { runtime.Goexit(); return nil },
		wrong: func(p *calledPlace, e kit.Ending) string {
			switch {
			case p.apart:
				return mustFail(nil, "ended its goroutine")(p, e)
			case !e.Goexit:
				return "it is the caller's goroutine"
			}
			return ""
		}},
	"a wait for the end of the context": {context: true,
		run: func(u *usersFunction) error { <-u.ctx.Done(); return nil }, wrong: mustStop},
	"a cancelled call": {context: true,
		run: func(u *usersFunction) error { u.cancel(errCause); return nil }, wrong: mustStop},
	"a call of the same function": {
		run: func(u *usersFunction) error {
			if !u.inside.CompareAndSwap(false, true) {
				return nil
			}
			if err := u.again(); err != nil {
				panic(err)
			}
			return nil
		},
		wrong: func(p *calledPlace, e kit.Ending) string {
			if e.Err != nil || e.Panicked != nil || e.Goexit || e.Hangs || nx.Item[float64](nx.Sum(e.Y)) != p.want {
				return "the result is right otherwise"
			}
			return ""
		}},
}

// TestFailedFunctionIsCalledOnce: a function of one tensor to another, which is called without reflection, calls a
// hook that fails once, as any other.
func TestFailedFunctionIsCalledOnce(t *testing.T) {
	n, bad := 0, false
	user := func(int64) error {
		if n++; bad {
			panic("oh")
		}
		return nil
	}
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"a hook": func(x nx.Tensor) nx.Tensor { return hooked(user, nx.Add(x, 1)) },
		"a call": func(x nx.Tensor) nx.Tensor { return calls(user, nx.Add(x, 1)) },
		"a call in a loop": func(x nx.Tensor) nx.Tensor {
			return nx.Fori(2, x, func(_, x nx.Tensor) nx.Tensor { return calls(user, nx.Add(x, 1)) })
		},
	} {
		f, x := nx.Jit(f), nx.Add(nx.New([]float64{1, 2}), 1)
		bad = false
		f(x)
		f(x)
		n, bad = 0, true
		if err := kit.Caught(func() { f(x) }); !errors.Is(err, nx.ErrRun) || n != 1 {
			t.Errorf("%s is called %d times: %v", name, n, err)
		}
	}
}
