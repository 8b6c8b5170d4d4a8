package nan_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func row(x ...float32) nx.Tensor { return nx.New(x) }

func toInterp(t *testing.T, x nx.Tensor) nx.Tensor {
	t.Helper()
	y, err := nx.Transfer(x, interp.NewClient().Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// caught returns what a call panics with.
func caught(f func()) (err error) {
	defer nx.Catch(&err)
	f()
	return nil
}

// found returns the NaN error of a call, and fails where there is none.
func found(t *testing.T, f func()) *nx.NaNError {
	t.Helper()
	err := caught(f)
	var e *nx.NaNError
	if !errors.Is(err, nx.ErrNaN) || !errors.As(err, &e) {
		t.Fatalf("the error is %v, want one of the kind nan", err)
	}
	return e
}

// textAt returns the text of a line of this file.
func textAt(t *testing.T, line string) string {
	t.Helper()
	file, number, _ := strings.Cut(line, ":")
	text, err := os.ReadFile(file)
	n, err2 := strconv.Atoi(number)
	if err != nil || err2 != nil {
		t.Fatalf("the line is %q", line)
	}
	return strings.Split(string(text), "\n")[n-1]
}

// origin is what a case expects; the line of the op has its name in a comment.
type origin struct {
	op      string
	reverse bool
	tangent bool
	loops   []int
	members []int // of batches, -1 where it is not known
	device  int
	index   []int
	from    string // the op that made the infinity
}

var none = origin{device: -1}

func scanned(x nx.Tensor) nx.Tensor {
	c, _ := nx.Scan(x, nx.Ones(nx.Shape{4}, nx.F32), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return nx.Sqrt(nx.Sub(c, x)), c // scan, vmap of scan
	})
	return c
}

var cases = []struct {
	name string
	f    func(x nx.Tensor) nx.Tensor
	x    nx.Tensor
	want origin
}{
	{"log", func(x nx.Tensor) nx.Tensor {
		y := nx.Log(nx.Sub(x, 1)) // log
		return nx.Mul(y, 2)
	}, row(1, 2, 0.5), origin{op: "log", device: -1, index: []int{2}}},
	{"infinity", func(x nx.Tensor) nx.Tensor {
		y := nx.Div(1, x)
		return nx.Sub(y, nx.Mul(y, 2)) // infinity
	}, row(1, 0), origin{op: "subtract", device: -1, index: []int{1}, from: "divide"}},
	{"constant", func(x nx.Tensor) nx.Tensor {
		return nx.Add(x, math.NaN()) // constant
	}, row(1), origin{op: "constant", device: -1, index: []int{}}},
	{"reverse", nx.Grad(func(x nx.Tensor) nx.Tensor {
		y := nx.Sqrt(x) // reverse
		return nx.Sum(nx.Mul(y, 0))
	}), row(4, 0), origin{op: "divide", reverse: true, device: -1, index: []int{1}}},
	{"forward of a gradient", nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Log(x)) // forward of a gradient
	}), row(4, -1), none}, // 1/x is finite
	{"value and gradient", func(x nx.Tensor) nx.Tensor {
		v, _ := nx.ValueAndGrad(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Log(x)) // value and gradient
		})(x)
		return v
	}, row(4, -1), origin{op: "log", device: -1, index: []int{1}}},
	{"checkpoint", nx.Grad(nx.Checkpoint(func(x nx.Tensor) nx.Tensor {
		y := nx.Log(x) // checkpoint
		return nx.Sum(nx.Mul(y, y))
	})), row(4, -1), origin{op: "log", device: -1, index: []int{1}}},
	{"custom rule", nx.Grad(func(x nx.Tensor) nx.Tensor {
		f := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Exp(x), x },
			func(saved, d nx.Tensor) nx.Tensor {
				return nx.Mul(d, nx.Log(saved)) // custom rule
			})
		return nx.Sum(f(x))
	}), row(4, -1), origin{op: "log", reverse: true, device: -1, index: []int{1}}},
	{"cond", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Less(nx.Sum(x), 0), func() nx.Tensor {
			return nx.Log(x) // cond
		}, func() nx.Tensor { return x })
	}, row(-4, 1), origin{op: "log", device: -1, index: []int{0}}},
	{"branch not taken", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Log(x) }, func() nx.Tensor { return x })
	}, row(-4, 1), none},
	{"dropped by where", func(x nx.Tensor) nx.Tensor {
		return nx.Where(nx.Greater(x, 0), nx.Log(x), 0)
	}, row(-4, 1), none},
	{"after one that is dropped", func(x nx.Tensor) nx.Tensor {
		y := nx.Where(nx.Greater(x, 0), nx.Log(x), 0)
		return nx.Log(nx.Sub(y, 1)) // after one that is dropped
	}, row(-4, 1), origin{op: "log", device: -1, index: []int{0}}},
	{"infinities", func(x nx.Tensor) nx.Tensor {
		return nx.Max(nx.Where(nx.Greater(x, 0), nx.Div(x, 0), math.Inf(-1)))
	}, row(-4, 1), none},
	{"scan", scanned, nx.New(float32(3)), origin{op: "sqrt", device: -1, loops: []int{2}, index: []int{}}},
	{"fori in while", func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(x, 100) }, func(x nx.Tensor) nx.Tensor {
			return nx.Fori(3, x, func(i, x nx.Tensor) nx.Tensor {
				return nx.Add(nx.Add(x, 1), nx.Mul(0, nx.Log(nx.Sub(4.5, x)))) // fori in while
			})
		})
	}, nx.New(float32(0)), origin{op: "log", device: -1, loops: []int{1, 2}, index: []int{}}},
	{"reverse of scan", nx.Grad(func(x nx.Tensor) nx.Tensor {
		c, _ := nx.Scan(x, nx.Sub(nx.Iota(nx.Shape{4}, nx.F32), 1), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
			return nx.Add(nx.Mul(nx.Sqrt(nx.Mul(c, nx.Abs(x))), 0), 1), c // reverse of scan
		})
		return c
	}), nx.New(float32(2)), origin{op: "divide", reverse: true, device: -1, loops: []int{2}, index: []int{}}},
	{"unrolled", func(x nx.Tensor) nx.Tensor { // two steps are one iteration
		c, _ := nx.Scan(x, nx.Ones(nx.Shape{6}, nx.F32), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
			return nx.Sqrt(nx.Sub(c, x)), c // unrolled
		}, nx.Unroll(2))
		return c
	}, nx.New(float32(3)), origin{op: "sqrt", device: -1, loops: []int{1}, index: []int{}}},
	{"reverse of while", nx.Grad(func(x nx.Tensor) nx.Tensor {
		type state struct{ X, N nx.Tensor }
		return nx.While(state{x, nx.New(float32(0))},
			func(s state) nx.Tensor { return nx.Less(s.N, nx.Add(3, nx.Mul(0, nx.StopGradient(s.X)))) },
			func(s state) state {
				y := nx.Sqrt(nx.Mul(s.X, nx.Sub(s.N, 1))) // reverse of while
				return state{nx.Add(nx.Mul(0, nx.Where(nx.Less(s.N, 1), s.X, y)), 1), nx.Add(s.N, 1)}
			}).X
	}), nx.New(float32(2)), origin{op: "divide", reverse: true, device: -1, loops: []int{1}, index: []int{}}},
	{"forward mode", func(x nx.Tensor) nx.Tensor {
		_, d := nx.JVP(func(x nx.Tensor) nx.Tensor {
			return nx.Sqrt(x) // forward mode
		}, x, nx.Sub(x, x))
		return d
	}, row(4, 0), origin{op: "divide", tangent: true, device: -1, index: []int{1}}},
	{"member by member", nx.Vmap(func(x nx.Tensor) nx.Tensor {
		return nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) { return nx.Log(x), nil }) // member by member
	}), row(4, 2, -1), origin{op: "RuntimeCall", device: -1, members: []int{2}, index: []int{}}},
	{"vmap", nx.Vmap(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Log(x)) // vmap
	}), nx.New([][]float32{{1, 2}, {1, 3}, {4, -1}}),
		origin{op: "log", device: -1, members: []int{2}, index: []int{2, 1}}},
	{"vmap of vmap", nx.Vmap(nx.Vmap(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Log(x)) // vmap of vmap
	})), nx.New([][][]float32{{{1}, {2}}, {{1}, {3}}, {{-4}, {1}}}),
		origin{op: "log", device: -1, members: []int{2, 0}, index: []int{2, 0, 0}}},
	{"vmap of a gradient", nx.Vmap(nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Mul(nx.Sqrt(x), 0)) // vmap of a gradient
	})), nx.New([][]float32{{1, 2}, {0, 3}, {4, 1}}),
		origin{op: "divide", reverse: true, device: -1, members: []int{1}, index: []int{1, 0}}},
	{"gradient of vmap", nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Vmap(func(x nx.Tensor) nx.Tensor {
			return nx.Mul(nx.Sqrt(nx.Sum(x)), 0) // gradient of vmap
		})(x))
	}), nx.New([][]float32{{1, 2}, {0, 0}, {4, 1}}),
		origin{op: "divide", reverse: true, device: -1, members: []int{-1}, index: []int{1}}},
	{"vmap of scan", nx.Vmap(scanned), row(9, 3, 20),
		origin{op: "sqrt", device: -1, loops: []int{2}, members: []int{1}, index: []int{1}}},
	{"vectorised", func(x nx.Tensor) nx.Tensor {
		y := nx.Log(nx.Vectorize(x, "each")) // vectorised
		return nx.Devectorize(y)
	}, nx.New([][]float32{{1}, {-1}}),
		origin{op: "log", device: -1, members: []int{1}, index: []int{1, 0}}},
	{"compiled function inside", func(x nx.Tensor) nx.Tensor {
		f := nx.Jit(func(x nx.Tensor) nx.Tensor {
			return nx.Log(x) // compiled function inside
		})
		return nx.Add(f(nx.Add(x, 2)), f(x))
	}, row(-1, 1), origin{op: "log", device: -1, index: []int{0}}},
	{"shard.Map", shard.Map(func(x nx.Tensor) nx.Tensor {
		y := nx.Log(x) // shard.Map
		return shard.AllReduce(y, "x")
	}, shard.Mesh{{Name: "x", Size: 4}}, []shard.Sharding{{"x"}}, []shard.Sharding{{}}),
		row(1, 2, -3, 4), origin{op: "log", device: 2, index: []int{0}}},
	{"large", func(x nx.Tensor) nx.Tensor { // computed by compiled code when it runs again
		y := nx.Dot(nx.Ones(nx.Shape{300, 200}, nx.F32), nx.Mul(x, nx.Ones(nx.Shape{200, 100}, nx.F32)))
		return nx.Sum(nx.Log(nx.Sub(20000, nx.Sum(y, nx.Axis(0))))) // large
	}, row(0.5), origin{op: "log", device: -1, index: []int{0}}},
}

// TestOrigins: the op that made the first NaN is named, with its line, pass, iteration and member; on the interpreter,
// too.
func TestOrigins(t *testing.T) {
	for _, c := range cases {
		for name, opts := range map[string][]nx.JitOption{"cpu": {nx.CheckNaN},
			"interp": {nx.CheckNaN, nx.On(interp.NewClient())}} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				x := c.x
				if name == "interp" {
					x = toInterp(t, x)
				}
				run := func() { nx.Jit(c.f, opts...)(x) }
				if c.want.op == "" {
					if err := caught(run); err != nil {
						t.Fatalf("there is no NaN, but %v", err)
					}
					return
				}
				check(t, found(t, run), c.name, c.want)
			})
		}
	}
}

func check(t *testing.T, e *nx.NaNError, name string, want origin) {
	t.Helper()
	got := origin{op: e.Op, reverse: e.Reverse, tangent: e.Tangent, device: e.Device, index: e.Index}
	for _, l := range e.Loops {
		got.loops = append(got.loops, l.Iteration)
	}
	for _, m := range e.Members {
		got.members = append(got.members, m.Index)
	}
	if e.Infinity != nil {
		got.from = e.Infinity.Op
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the origin is %+v, want %+v\n%v", got, want, e)
	}
	if text := textAt(t, e.Line); !strings.Contains(text, name) {
		t.Errorf("the line is %s: %s", e.Line, text)
	}
}

// TestOperands: the ranges of the operands are those of the data, and the message has all of it.
func TestOperands(t *testing.T) {
	e := found(t, func() {
		nx.Jit(func(x, y nx.Tensor) nx.Tensor {
			return nx.Mul(x, nx.Div(y, x))
		}, nx.CheckNaN)(nx.New([][]float32{{-2, 0}, {3, 0}}), row(7, 5))
	})
	want := "the result has a NaN, which comes from multiply at nan_test.go:N\n" +
		"    operand 0: f32[2][2], from -2 to 3\n" +
		"    operand 1: f32[2][2], from -3.5 to 2.33333, 2 infinite of 4\n" +
		"    result: f32[2][2], from 7 to 7, 2 NaN of 4, the first NaN at [0 1]\n" +
		"    the infinity comes from divide at nan_test.go:N\n" +
		"        operand 0: f32[2][2], from 5 to 7\n" +
		"        operand 1: f32[2][2], from -2 to 3\n" +
		"        result: f32[2][2], from -3.5 to 2.33333, 2 infinite of 4"
	want = strings.Replace(want, "from 7 to 7", "7", 1)
	_, line, _ := strings.Cut(e.Line, ":")
	if got := strings.ReplaceAll(e.Error(), ":"+line, ":N"); got != want {
		t.Errorf("the error is\n%s\nwant\n%s", got, want)
	}
	if r := e.Operands[1]; r.Min != -3.5 || r.Size != 4 || r.Inf != 2 || r.NaN != 0 || r.Type != "f32[2][2]" {
		t.Errorf("the range is %+v", r)
	}
}

// TestElementTypes finds a NaN of each type of floats and of complex numbers, in either part.
func TestElementTypes(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.F32, nx.F16, nx.BF16, nx.F8E5M2, nx.F8E4M3FN} {
		e := found(t, func() {
			nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Log(x) }, nx.CheckNaN)(nx.New([]float64{1, -1}, nx.As(d)))
		})
		if e.Result.NaN != 1 || e.Result.Max != 0 || e.Index[0] != 1 {
			t.Errorf("%s: %v", d, e)
		}
	}
	for _, v := range []complex128{complex(1, math.NaN()), complex(math.NaN(), 1)} {
		for _, d := range []nx.DType{nx.C64, nx.C128} {
			e := found(t, func() {
				x := nx.New([]complex128{2, v}, nx.As(d))
				nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Neg(x) }, nx.CheckNaN)(x)
			})
			if e.Path != "the argument" || e.Result.NaN != 1 || e.Result.Max != 2 {
				t.Errorf("%s, %v: %v", d, v, e)
			}
		}
	}
}

type layer struct{ W, B nx.Tensor }
type model struct {
	Layers []layer
	Absent nx.Tensor
}

// TestArguments: a NaN that comes in is that of the argument or the captured tensor, by its path, and results are
// named by theirs.
func TestArguments(t *testing.T) {
	nan := row(1, float32(math.NaN()))
	outside := row(2, float32(math.NaN()))
	f := nx.Jit(func(m model, x nx.Tensor) (model, nx.Tensor) {
		m.Layers = slices.Clone(m.Layers)
		m.Layers[1].W = nx.Add(m.Layers[1].W, x)
		return m, nx.Add(m.Layers[0].B, x)
	}, nx.CheckNaN)
	one := row(1, 1)
	e := found(t, func() { f(model{Layers: []layer{{one, one}, {nan, one}}}, one) })
	if e.Op != "argument" || e.Path != "argument 0, Layers[1].W" || e.Operands != nil || e.Result.NaN != 1 ||
		e.Index[0] != 1 || fmt.Sprint(e.Results) != "[result 0, Layers[1].W]" {
		t.Errorf("%+v", e)
	}
	e = found(t, func() { f(model{Layers: []layer{{one, one}, {one, one}}}, nan) })
	if e.Path != "argument 1" || fmt.Sprint(e.Results) != "[result 0, Layers[1].W result 1]" {
		t.Errorf("%+v", e)
	}
	e = found(t, func() { nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, outside) }, nx.CheckNaN)(one) })
	if e.Op != "captured tensor" {
		t.Errorf("%+v", e)
	}
}

// TestDonation: donated memory is not reused, so that the program can run again; after an error the tensors are valid,
// and else they are gone.
func TestDonation(t *testing.T) {
	for _, client := range []string{"cpu", "interp"} {
		opts := []nx.JitOption{nx.CheckNaN, nx.Donate(0)}
		w := nx.Add(nx.Ones(nx.Shape{1 << 16}, nx.F32), 0)
		if client == "interp" {
			opts = append(opts, nx.On(interp.NewClient()))
			w = toInterp(t, w)
		}
		f := nx.Jit(func(w nx.Tensor, by float64) nx.Tensor {
			w = nx.Add(w, 1)
			return nx.Mul(nx.Log(nx.Sub(w, by)), 3)
		}, opts...)
		e := found(t, func() { f(w, 3) })
		if r := e.Operands[0]; e.Op != "log" || r.Min != -1 || r.Max != -1 {
			t.Errorf("%s: %v", client, e)
		}
		if got := nx.Item[float32](nx.Sum(w)); got != 1<<16 {
			t.Errorf("%s: after the error the sum is %v", client, got)
		}
		f(w, 1)
		if err := caught(func() { nx.Data[float32](w) }); !errors.Is(err, nx.ErrReleased) {
			t.Errorf("%s: after the call the tensor is valid: %v", client, err)
		}
	}
}

// TestGoFunctions: when a program runs again, the functions of RuntimeCall do, too, and hooks do not. A function with
// an error result returns the error.
func TestGoFunctions(t *testing.T) {
	hooks, calls := 0, 0
	f := nx.Jit(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		x = debug.Hook("x", x, func(nx.Tensor) { hooks++ })
		y := nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) { calls++; return nx.Sub(x, 5), nil })
		return nx.Log(y), nil
	}, nx.CheckNaN)
	_, err := f(context.Background(), row(3))
	var e *nx.NaNError
	if !errors.As(err, &e) || e.Op != "log" || hooks != 1 || calls != 2 {
		t.Errorf("%v; %d calls of the hook, %d of the function", err, hooks, calls)
	}
	if _, err := f(context.Background(), row(7)); err != nil || hooks != 2 || calls != 3 {
		t.Errorf("%v; %d calls of the hook, %d of the function", err, hooks, calls)
	}
}

// TestCompileChecks: functions that are compiled ahead are checked, and Evaluate is refused.
func TestCompileChecks(t *testing.T) {
	exe, err := nx.Compile(func(x nx.Tensor) nx.Tensor { return nx.Log(x) }, nx.Args(row(1)), nx.CheckNaN)
	if err != nil {
		t.Fatal(err)
	}
	if e := found(t, func() { exe.Call(row(-1)) }); e.Op != "log" {
		t.Error(e)
	}
	err = caught(func() { nx.Jit(func(x nx.Tensor) nx.Tensor { return x }, nx.CheckNaN, nx.Evaluate) })
	if !errors.Is(err, nx.ErrArgument) {
		t.Errorf("with Evaluate: %v", err)
	}
}

// liar is a client whose programs return NaNs that their ops do not make.
type liar struct {
	backend.Client
	inParts bool
}

type liarCode struct {
	backend.Executable
	inParts bool
}

func (l liar) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	exe, err := l.Client.Compile(ctx, m)
	return liarCode{exe, l.inParts}, err
}

// parts is a buffer of which other processes have parts.
type parts struct {
	backend.Buffer
	here backend.Buffer
}

func (p parts) Shards() []backend.Buffer         { return []backend.Buffer{p.here} }
func (parts) Read(context.Context, []byte) error { return errors.New("other processes have parts") }

func (l liarCode) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	out, err := l.Executable.Execute(ctx, args)
	if err != nil {
		return nil, err
	}
	d := out[0].Device()
	nan, err := d.Client().Put(ctx, out[0].Type(), []byte{0, 0, 0xc0, 0x7f}, d)
	if out[0] = nan; l.inParts {
		out[0] = parts{nan, nan}
	}
	return out, err
}

// TestUnknownOrigin: where the ops make no NaN when they run one by one, and where they cannot run, the error says so.
func TestUnknownOrigin(t *testing.T) {
	for _, inParts := range []bool{false, true} {
		on := nx.On(liar{cpu.Default(), inParts})
		e := found(t, func() { nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sum(x) }, nx.CheckNaN, on)(row(1, 2)) })
		if e.Op != "" || e.Err != nil || e.Device != -1 || !strings.Contains(e.Error(), "no op has one when they run") {
			t.Errorf("%+v: %v", e, e)
		}
	}
	calls, full := 0, errors.New("the disk is full")
	on := nx.On(liar{Client: cpu.Default()})
	e := found(t, func() {
		nx.Jit(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) {
				if calls++; calls > 1 {
					return x, full
				}
				return x, nil
			}))
		}, nx.CheckNaN, on)(row(1, 2))
	})
	if e.Op != "" || !errors.Is(e, full) || !strings.Contains(e.Error(), "its origin cannot be found: ") {
		t.Errorf("%+v: %v", e, e)
	}
}

// TestCancelledSearch: a context that ends while the program runs again ends the call with its cause.
func TestCancelledSearch(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	calls, stop := 0, errors.New("stop")
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		x = nx.RuntimeCall(x, x, func(x nx.Tensor) (nx.Tensor, error) {
			if calls++; calls > 1 {
				cancel(stop)
			}
			return x, nil
		})
		return nx.Log(x), nil
	}, nx.CheckNaN)
	if _, err := f(ctx, row(-1)); !errors.Is(err, stop) || !errors.Is(err, nx.ErrRun) {
		t.Errorf("the error is %v", err)
	}
}
