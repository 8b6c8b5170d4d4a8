package effects_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

type scalarFunc = func(x nx.Tensor) nx.Tensor

// effectWrappers wrap a function of a number that has an effect.
var effectWrappers = []struct {
	name     string
	elements int // on which it applies the function
	wrap     func(f scalarFunc) scalarFunc
}{
	{"plain", 1, func(f scalarFunc) scalarFunc { return f }},
	{"Checkpoint", 1, func(f scalarFunc) scalarFunc { return nx.Checkpoint(f) }},
	{"CustomJVP", 1, func(f scalarFunc) scalarFunc {
		return nx.CustomJVP(f, func(x, _, d nx.Tensor) nx.Tensor { return nx.Mul(d, nx.Sin(nx.Mul(2, x))) })
	}},
	{"CustomVJP", 1, func(f scalarFunc) scalarFunc {
		return nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return f(x), x },
			func(x, d nx.Tensor) nx.Tensor { return nx.Mul(d, nx.Sin(nx.Mul(2, x))) })
	}},
	{"Jit", 1, func(f scalarFunc) scalarFunc { return nx.Jit(f) }},
	{"Composite", 1, func(f scalarFunc) scalarFunc { return nx.Composite("test.effect", f) }},
	{"Checkpoint of Checkpoint", 1, func(f scalarFunc) scalarFunc {
		return nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return nx.Mul(2, nx.Checkpoint(f)(x)) })
	}},
	{"Vectorize of 2", 2, func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Devectorize(f(nx.Vectorize(nx.Stack([]nx.Tensor{x, nx.Mul(2, x)}), "v"))))
		}
	}},
}

// transformation makes a function of another: of a number, or of a batch of numbers.
type transformation = func(f scalarFunc) scalarFunc

// of composes transformations, the last of which is applied first.
func of(list ...transformation) transformation {
	return func(f scalarFunc) scalarFunc {
		for _, t := range slices.Backward(list) {
			f = t(f)
		}
		return f
	}
}

var (
	grad transformation = nx.Grad[nx.Tensor]
	jit  transformation = func(f scalarFunc) scalarFunc { return nx.Jit(f) }
	vmap transformation = func(f scalarFunc) scalarFunc { return nx.Vmap(f) }
	jvp  transformation = func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { _, d := nx.JVP(f, x, x); return d }
	}
	valueAndGrad transformation = func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { v, g := nx.ValueAndGrad(f)(x); return nx.Add(v, g) }
	}
)

// effectPrograms are transformations and the arguments that they are called with. The calls are
// counted by the rule: one where the forward pass gets there, for each element of a batch.
var effectPrograms = []struct {
	name  string
	calls int
	batch bool
	of    transformation
}{
	{"at once", 1, false, of()},
	{"Jit", 1, false, jit},
	{"Grad", 1, false, grad},
	{"ValueAndGrad", 1, false, valueAndGrad},
	{"JVP", 1, false, jvp},
	{"VJP, pulled back twice", 1, false, func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { y, pull := nx.VJP(f, x); return nx.Add(pull(y), pull(x)) }
	}},
	{"Linearize, pushed twice", 1, false, func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { _, push := nx.Linearize(f, x); return nx.Add(push(x), push(x)) }
	}},
	{"Jacobian", 1, false, func(f scalarFunc) scalarFunc { return nx.Jacobian(f) }},
	{"Jacobian, ForwardMode", 1, false, func(f scalarFunc) scalarFunc { return nx.Jacobian(f, nx.ForwardMode) }},
	{"Hessian", 1, false, nx.Hessian},
	{"HVP", 1, false, func(f scalarFunc) scalarFunc { return func(x nx.Tensor) nx.Tensor { return nx.HVP(f, x, x) } }},
	{"Grad(Grad)", 1, false, of(grad, grad)},
	{"Grad(Grad(Grad))", 1, false, of(grad, grad, grad)},
	{"JVP(Grad)", 1, false, of(jvp, grad)},
	{"Jit(Grad)", 1, false, of(jit, grad)},
	{"Vmap", 4, true, vmap},
	{"Vmap(Grad)", 4, true, of(vmap, grad)},
	{"Vmap(JVP)", 4, true, of(vmap, jvp)},
	{"Vmap(ValueAndGrad)", 4, true, of(vmap, valueAndGrad)},
	{"Vmap(Grad(Grad))", 4, true, of(vmap, grad, grad)},
	{"Vmap(Vmap), 4 by 2", 8, true, func(f scalarFunc) scalarFunc {
		return func(xs nx.Tensor) nx.Tensor { return vmap(vmap(f))(nx.Stack([]nx.Tensor{xs, xs}, nx.Axis(1))) }
	}},
	{"Grad(Vmap)", 4, true, of(grad, vmap)},
	{"Jit(Vmap(Grad))", 4, true, of(jit, vmap, grad)},
	{"Vmap of no elements", 0, true, func(f scalarFunc) scalarFunc {
		return func(xs nx.Tensor) nx.Tensor { return nx.Vmap(f)(xs.At(nx.Range(0, 0))) }
	}},

	{"Jit, result unused", 1, false, of(jit, unused)},
	{"Grad, result unused", 1, false, of(grad, unused)},
	{"Grad(Grad), result unused", 1, false, of(grad, grad, unused)},
	{"JVP, result unused", 1, false, of(jvp, unused)},
	{"Vmap, result unused", 4, true, of(vmap, unused)},
	{"Vmap(Grad), result unused", 4, true, of(vmap, grad, unused)},

	{"Scan of 3 steps", 3, false, steps},
	{"Jit(Scan)", 3, false, of(jit, steps)},
	{"Grad(Scan)", 3, false, of(grad, steps)},
	{"Grad(Grad(Scan))", 3, false, of(grad, grad, steps)},
	{"Vmap(Grad(Scan))", 12, true, of(vmap, grad, steps)},
	{"Grad(Scan(Scan))", 9, false, of(grad, steps, steps)},
	{"Grad(Scan of no steps)", 0, false, of(grad, func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Fori(0, x, func(_, x nx.Tensor) nx.Tensor { return f(x) })
		}
	})},
	{"Grad(While of 3 steps)", 3, false, of(grad, loop)},
	{"Grad(Grad(While))", 3, false, of(grad, grad, loop)},
	{"JVP(While)", 3, false, of(jvp, loop)},
	{"Vmap(While of 3, 1, 2 and 0 steps)", 6, true, of(vmap, stepsOwn)},
	{"Vmap(Grad(While))", 6, true, of(vmap, grad, stepsOwn)},
	{"condition of a While of 3 steps", 4, false, of(jit, condition(3))},
	{"Grad(condition of a While of no steps)", 1, false, of(grad, condition(0))},
	{"Grad(condition)", 4, false, of(grad, condition(3))},
	{"Vmap(condition)", 16, true, of(vmap, condition(3))},
	{"Vmap(condition of 3, 1, 2 and 0 steps)", 10, true, of(vmap, conditionOwn)},
	{"Jit(Cond), taken", 1, false, of(jit, branch(0))},
	{"Jit(Cond), not taken", 0, false, of(jit, branch(9))},
	{"Grad(Cond), taken", 1, false, of(grad, branch(0))},
	{"Grad(Cond), not taken", 0, false, of(grad, branch(9))},
	{"Grad(Grad(Cond)), taken", 1, false, of(grad, grad, branch(0))},
	{"Vmap(Cond), taken by 2 of 4", 2, true, of(vmap, branch(0.55))},
	{"Vmap(Grad(Cond)), taken by 2 of 4", 2, true, of(vmap, grad, branch(0.55))},
	{"Cond of vectorised tensors, taken by 2 of 4", 2, true, of(vectorised, branch(0.55))},
	{"Grad(While of vectorised tensors)", 6, true, of(grad, vectorised, stepsOwn)},
}

// vectorised applies a function to a vectorised batch.
func vectorised(f scalarFunc) scalarFunc {
	return func(xs nx.Tensor) nx.Tensor { return nx.Devectorize(f(nx.Vectorize(xs, "batch"))) }
}

func unused(f scalarFunc) scalarFunc { return func(x nx.Tensor) nx.Tensor { f(x); return nx.Sin(x) } }

func steps(f scalarFunc) scalarFunc {
	return func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor { return f(x) })
	}
}

// loop takes three steps, which are not known before.
func loop(f scalarFunc) scalarFunc {
	type state struct{ I, X nx.Tensor }
	return func(x nx.Tensor) nx.Tensor {
		n := nx.Add(nx.Cast(nx.Floor(nx.StopGradient(x)), nx.S64), 3)
		return nx.While(state{nx.New(0), x}, func(s state) nx.Tensor { return nx.Less(s.I, n) },
			func(s state) state { return state{nx.Add(s.I, 1), f(s.X)} }).X
	}
}

// stepsOwn takes 3, 1, 2 and 0 steps for the elements of the batch.
func stepsOwn(f scalarFunc) scalarFunc {
	type state struct{ N, X nx.Tensor }
	return func(x nx.Tensor) nx.Tensor {
		return nx.While(state{nx.StopGradient(nx.Mul(10, x)), x},
			func(s state) nx.Tensor { return nx.Greater(s.N, 4.5) },
			func(s state) state { return state{nx.Sub(s.N, 1), f(s.X)} }).X
	}
}

// condition has the function in the condition of a loop of n steps.
func condition(n int) transformation {
	type state struct{ I, X nx.Tensor }
	return func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.While(state{nx.New(0), x}, func(s state) nx.Tensor { f(s.X); return nx.Less(s.I, n) },
				func(s state) state { return state{nx.Add(s.I, 1), nx.Sin(s.X)} }).X
		}
	}
}

// conditionOwn has the function in the condition of a loop of 3, 1, 2 and 0 steps.
func conditionOwn(f scalarFunc) scalarFunc {
	type state struct{ N, X nx.Tensor }
	return func(x nx.Tensor) nx.Tensor {
		return nx.While(state{nx.StopGradient(nx.Mul(10, x)), x},
			func(s state) nx.Tensor { f(s.X); return nx.Greater(s.N, 4.5) },
			func(s state) state { return state{nx.Sub(s.N, 1), nx.Sin(s.X)} }).X
	}
}

// branch takes the function for numbers above a limit.
func branch(above float64) transformation {
	return func(f scalarFunc) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, above), func() nx.Tensor { return f(x) },
				func() nx.Tensor { return nx.Cos(x) })
		}
	}
}

// neededCall may run again in the reverse pass.
const neededCall = "RuntimeCall whose result the derivative needs"

// effects are what a function may do beside computing.
var effects = []struct {
	name string
	f    func(count func()) scalarFunc
	// run calls a function with x.
	run func(count func(), f scalarFunc, x nx.Tensor) error
}{
	{"Hook", func(count func()) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Square(debug.Hook("h", nx.Sin(x), func(x nx.Tensor) { requireNumber(x); count() }))
		}
	}, runPlain},
	{"WithHook", namedHook, func(count func(), f scalarFunc, x nx.Tensor) error {
		return runIn(debug.WithHook(context.Background(), "h", func(nx.Tensor) { count() }), f, x)
	}},
	{"WithAsyncHook", namedHook, func(count func(), f scalarFunc, x nx.Tensor) error {
		ctx, wait := debug.WithAsyncHook(context.Background(), "h", func(nx.Tensor) { count() })
		return errors.Join(runIn(ctx, f, x), wait())
	}},
	{"RuntimeCall whose result is not used", func(count func()) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { countedOne(count, x); return nx.Square(nx.Sin(x)) }
	}, runPlain},
	{neededCall, func(count func()) scalarFunc {
		return func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Square(nx.Sin(x)), countedOne(count, x)) }
	}, runPlain},
}

func namedHook(func()) scalarFunc {
	return func(x nx.Tensor) nx.Tensor { return nx.Square(debug.Hook("h", nx.Sin(x), nil)) }
}

// countedOne returns 1, by a function of Go.
func countedOne(count func(), x nx.Tensor) nx.Tensor {
	one := nx.Ones(nx.Shape{}, nx.F64)
	return nx.RuntimeCall(nx.StopGradient(x), one, func(x nx.Tensor) (nx.Tensor, error) {
		requireNumber(x)
		count()
		return one, nil
	})
}

// requireNumber panics for a batch of numbers.
func requireNumber(x nx.Tensor) {
	if s := x.Spec(); len(s.Shape) > 0 || len(s.Vectors) > 0 {
		panic("called with " + s.String())
	}
}

func runPlain(_ func(), f scalarFunc, x nx.Tensor) error { return kit.Caught(func() { f(x) }) }

func runIn(ctx context.Context, f scalarFunc, x nx.Tensor) error {
	_, err := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return f(x), nil })(ctx, x)
	return err
}

// effectArgument returns what a program is called with.
func effectArgument(program int) nx.Tensor {
	if effectPrograms[program].batch {
		return nx.New([]float64{0.7, 0.5, 0.6, 0.4})
	}
	return nx.New(0.7)
}

// countEffects returns how often an effect runs in a program, for each of the wrappers.
func countEffects(t *testing.T, effect, program int) []int {
	e, p := effects[effect], effectPrograms[program]
	var counts []int
	for _, w := range effectWrappers {
		n := 0
		count := func() { n++ }
		if err := e.run(count, p.of(w.wrap(e.f(count))), effectArgument(program)); err != nil {
			t.Errorf("%s of %s of a %s: %v", p.name, w.name, e.name, err)
		}
		counts = append(counts, n)
	}
	return counts
}

// TestEffects: functions of Go are called once where the forward pass gets there, for each element of a
// batch, whatever is derived of the function and whatever it is wrapped in. Only one whose result the
// derivative needs may be called again. docs/effects.md shows the numbers.
//
// JAX calls a jax.debug.callback under jax.checkpoint at least as often as without it:
// https://docs.jax.dev/en/latest/external-callbacks.html.
func TestEffects(t *testing.T) {
	nx.SetLogger(slog.New(slog.DiscardHandler)) // the same lines compile many functions
	defer nx.SetLogger(nil)
	tables := make([]strings.Builder, len(effects))
	for i, e := range effects {
		for p, program := range effectPrograms {
			fmt.Fprintf(&tables[i], "| %s |", program.name)
			for w, n := range countEffects(t, i, p) {
				want := program.calls * effectWrappers[w].elements
				if n != want && !(e.name == neededCall && n > want) {
					t.Errorf("%s of %s: %s: %d calls, want %d", program.name, effectWrappers[w].name, e.name, n, want)
				}
				fmt.Fprintf(&tables[i], " %d |", n)
			}
			tables[i].WriteByte('\n')
		}
	}
	head, line := "| |", "|---|"
	for _, w := range effectWrappers {
		head += " " + w.name + " |"
		line += "---|"
	}
	head += "\n" + line + "\n"
	page := fmt.Sprintf(strings.ReplaceAll(effectsPage, "'", "`"), head+tables[0].String(),
		head+tables[len(tables)-1].String())
	testkit.GoldenFile(t, testkit.Root(t, "docs", "effects.md"), []byte(page))
}

// TestPanicInHook: a panic in a hook ends the program with an error, wherever the hook is called.
func TestPanicInHook(t *testing.T) {
	assertion := errors.New("assertion")
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Square(debug.Hook("h", nx.Sin(x), func(nx.Tensor) { panic(assertion) }))
	}
	for i, p := range effectPrograms {
		for _, w := range effectWrappers {
			err := kit.Caught(func() { p.of(w.wrap(f))(effectArgument(i)) })
			if p.calls == 0 && err != nil || p.calls > 0 && !(errors.Is(err, nx.ErrRun) && errors.Is(err, assertion)) {
				t.Errorf("%s of %s: the error is %v", p.name, w.name, err)
			}
		}
	}
}

// effectsPage has quotes in place of those of code.
const effectsPage = `# Effects

Generated by TestEffects, which counts the calls; do not edit.

The Go functions that a program calls are its effects: those of 'debug.Hook', 'debug.PrintValue', 'debug.WithHook',
'debug.WithAsyncHook' and 'nx.RuntimeCall'. They follow these rules.

- **Once if the forward pass reaches it.** No transformation removes an effect, whether its result, or that of
  a function around it, is used or not. A function without effects is removed if none of its results is used.
- **Once for each element of a batch**, with the tensors of that element: under 'nx.Vmap' and on tensors with vectorised
  axes alike. The order of the elements is not defined. Ops that do not depend on the batch are computed once
  for all of it, and so are their effects. In branches and loops, only elements that reach them count.
- **Not again in the reverse pass.** When it runs steps of loops, branches or checkpoints a second time, hooks are not
  called. A 'nx.RuntimeCall' is called again only if its result is needed.
- **Rules run where derivatives are taken.** The function with a rule ('nx.CustomJVP', 'nx.CustomVJP') runs once as
  above; the effects of the rule run once for each evaluation of the rule. A hook of a direction is called in
  forward mode, one of a cotangent in reverse mode: the other mode does not compute the tensor.
- **A panic** in such a function ends the call with 'nx.ErrRun', wherever the function is called.

Outside of a trace, a function runs at once, whether its result is used or not.

## Calls

The number of calls of a hook in a program (the rows) of a function of a number, wrapped as in the columns, that calls
it once. Batches have 4 elements. The numbers are the same for hooks by 'debug.WithHook' and 'debug.WithAsyncHook', and for
a 'nx.RuntimeCall' whose result is not used.

%s
## Calls whose results derivatives need

The number of calls of a 'nx.RuntimeCall' whose result is a factor in the function. If the reverse pass keeps
the result, it is called once. A checkpoint, a loop or a branch computes it again.

%s`
