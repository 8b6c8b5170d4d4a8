package api_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// odd draws arguments: empty and huge sizes, absent tensors, ranks and element
// types that do not fit, options that mean nothing, beside ordinary ones.
type odd struct {
	*rand.Rand
	traced []nx.Tensor // to draw from, in a traced function
}

func pick[T any](o odd, of ...T) T { return of[o.IntN(len(of))] }

func (o odd) int() int {
	return pick(o, 0, 0, 1, 1, 2, 2, 3, 4, -1, -1, -2, -5, 31, 40, 1<<10, 1<<40, math.MaxInt, math.MinInt)
}

func (o odd) ints() []int {
	out := make([]int, pick(o, 0, 1, 1, 2, 2, 3, 4, 33))
	for i := range out {
		out[i] = o.int()
	}
	return out
}

func (o odd) pairs() [][2]int {
	return lists(o, func() [2]int { return [2]int{pick(o, 0, 1, -1, o.int()), pick(o, 0, 1, -1, o.int())} })
}

// few draws no axis or one.
func (o odd) few() []int { return pick(o, nil, []int{0}, []int{-1}, []int{o.int()}) }

func (o odd) dtype() nx.DType {
	return pick(o, nx.Bool, nx.U2, nx.S4, nx.S8, nx.U8, nx.S32, nx.U64, nx.S64, nx.F8E4M3FN, nx.F16, nx.BF16, nx.F32,
		nx.F32, nx.F64, nx.C64, nx.C128, 0, 200, 25)
}

var oddShapes = []nx.Shape{{}, {0}, {1}, {2}, {3}, {0, 3}, {3, 0}, {2, 3}, {3, 2}, {3, 3}, {1, 3}, {2, 0, 3},
	{2, 1, 3}, {1, 1, 1, 1}}

func (o odd) tensor() nx.Tensor {
	if len(o.traced) > 0 && o.IntN(3) > 0 {
		return pick(o, o.traced...)
	}
	if o.IntN(20) == 0 {
		return nx.Tensor{}
	}
	d := o.dtype()
	for !d.IsValid() || d > nx.C128 {
		d = o.dtype()
	}
	shape := pick(o, oddShapes...)
	if o.IntN(40) == 0 {
		shape = nx.Shape{1 << 40, 1 << 10} // too large for any memory, or a recipe
	}
	t := nx.Zeros(shape, d)
	if shape.Size() < 100 && shape.Size() > 0 && o.IntN(3) > 0 {
		v := nx.Sub(nx.Mul(nx.Iota(shape, nx.S32), 1<<20), 1)
		if o.IntN(2) == 0 {
			v = nx.Sub(nx.Iota(shape, nx.S32), 1)
		}
		t = nx.Cast(v, d)
	}
	if o.IntN(8) == 0 {
		t = nx.Rename(t, []string{"a", "b", "c", "d"}[:len(shape)]...)
	}
	if len(shape) > 0 && o.IntN(10) == 0 {
		t = nx.Vectorize(t, pick(o, "x", "y"))
	}
	return t
}

func (o odd) number() float64 {
	return pick(o, 0, 1, -1, 0.5, 3, 300, 1e300, -1e300, math.Inf(1), math.NaN(), math.MaxUint32)
}

func (o odd) axis() nx.AxisOption {
	switch o.IntN(4) {
	case 0:
		return nx.Axis(pick(o, "a", "b", "", "z"))
	case 1:
		return nx.Axis(o.ints()...)
	}
	return nx.Axis(pick(o, 0, 0, 1, -1, 2, 5))
}

func (o odd) index() any {
	return pick[any](o, 0, 1, -1, 7, math.MinInt, nx.Whole, nx.NewAxis, nx.Ellipsis, nx.Range(1, 2),
		nx.Range(-1, math.MaxInt), nx.From(-2), nx.To(1),
		nx.From(0).Step(2), nx.From(0).Step(0), nx.From(0).Step(math.MaxInt), nx.Index{}, nil, "a", int64(1),
		1.5, o.tensor(), o.tensor())
}

// lists draws from 0 to 3 options.
func lists[T any](o odd, draw func() T) []T {
	out := make([]T, o.IntN(4))
	for i := range out {
		out[i] = draw()
	}
	return out
}

// argument draws an argument of a type.
func (o odd) argument(t reflect.Type) any {
	double := func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }
	switch t {
	case reflect.TypeFor[nx.Tensor]():
		return o.tensor()
	case reflect.TypeFor[[]nx.Tensor]():
		return lists(o, o.tensor)
	case reflect.TypeFor[nx.Shape]():
		if o.IntN(2) == 0 {
			return pick(o, oddShapes...)
		}
		return nx.Shape(o.ints())
	case reflect.TypeFor[nx.Spec]():
		return o.tensor().Spec()
	case reflect.TypeFor[nx.DType]():
		return o.dtype()
	case reflect.TypeFor[nx.Index]():
		return nx.Range(o.int(), o.int())
	case reflect.TypeFor[int]():
		return o.int()
	case reflect.TypeFor[uint64]():
		return pick(o, 0, 1, 300, uint64(math.MaxUint64))
	case reflect.TypeFor[float64]():
		return o.number()
	case reflect.TypeFor[string]():
		return pick(o, "a", "", "ij,jk->ik", "ij->ji", "i,i", "ii", "->", "ij,jk", "{}", "null", "[1]",
			`{"dtype":"f32","shape":[1099511627776],"data":[1]}`, `{"dtype":"f32","shape":[2],"data":[1]}`,
			`{"dtype":"u8","shape":[],"data":300}`,
			`{"dtype":"c64","shape":[1],"data":[["NaN",1]]}`, `{"dtype":"f32","shape":[-1],"data":[]}`,
			`{"shape":[1099511627776,0],"dtype":"s8","data":[]}`, ",", "é", "ab->c")
	case reflect.TypeFor[[]int]():
		return o.ints()
	case reflect.TypeFor[[]string]():
		return lists(o, func() string { return pick(o, "a", "b", "", "c") })
	case reflect.TypeFor[[]float32]():
		return make([]float32, pick(o, 0, 1, 2, 6))
	case reflect.TypeFor[[]byte]():
		return make([]byte, pick(o, 0, 1, 4, 6, 24))
	case reflect.TypeFor[[]nx.SortOption]():
		return lists(o, func() nx.SortOption {
			return pick[nx.SortOption](o, nil, o.axis(), nx.Descending, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.WindowOption]():
		return lists(o, func() nx.WindowOption {
			return pick[nx.WindowOption](o, nil, nx.Same(), nx.Padding(o.pairs()...), nx.Strides(o.ints()...),
				nx.Dilation(o.ints()...))
		})
	case reflect.TypeFor[[]nx.ConvOption]():
		return lists(o, func() nx.ConvOption {
			return pick[nx.ConvOption](o, nil, nx.Same(), nx.Padding(o.pairs()...), nx.Strides(o.ints()...),
				nx.Dilation(o.ints()...),
				nx.InputDilation(o.ints()...), nx.FeatureGroups(o.int()), nx.BatchGroups(o.int()), nx.ChannelsLast(),
				nx.Layout(o.ints(), nil, o.ints()))
		})
	case reflect.TypeFor[[]nx.CumulativeOption]():
		return lists(o, func() nx.CumulativeOption {
			return pick[nx.CumulativeOption](o, nil, o.axis(), nx.Reversed, nx.SkipNaN, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]fft.Option]():
		return lists(o, func() fft.Option {
			return pick[fft.Option](o, nil, o.axis(), fft.Length(pick(o, 0, 1, 3, 8, -1)), fft.Length(1, 2),
				fft.Length())
		})
	case reflect.TypeFor[[]nx.CovOption]():
		return lists(o, func() nx.CovOption {
			return pick[nx.CovOption](o, nil, nx.DDOF(o.int()), nx.Around(o.tensor()))
		})
	case reflect.TypeFor[[]nx.CloseOption]():
		return lists(o, func() nx.CloseOption {
			return pick[nx.CloseOption](o, nil, nx.EqualNaN, nx.Tolerance(o.number(), o.number()))
		})
	case reflect.TypeFor[[]nx.BatchOption]():
		return lists(o, func() nx.BatchOption {
			return pick[nx.BatchOption](o, nil, nx.DropLast, nx.RepeatFirst, nx.DropLast+9)
		})
	case reflect.TypeFor[nx.PadMode]():
		return pick(o, nx.PadEdge, nx.PadReflect, nx.PadSymmetric, nx.PadWrap, 0, 77)
	case reflect.TypeFor[nx.DotDims]():
		return nx.DotDims{ContractA: o.few(), ContractB: o.few(), BatchA: o.few(), BatchB: o.few()}
	case reflect.TypeFor[[]nx.VectorAxis]():
		return lists(o, func() nx.VectorAxis {
			return nx.VectorAxis{Name: pick(o, "x", "y", "", "a"), Size: pick(o, 1, 2, 3, -1, o.int())}
		})
	case reflect.TypeFor[[][2]int]():
		return o.pairs()
	case reflect.TypeFor[any]():
		return pick[any](o, nil, 1, "a", o.tensor(), lists(o, o.tensor), []float32{1}, [][]int{{1}, {2}},
			[][]int{{1}, {}},
			[0][3]int{}, map[string]nx.Tensor{"a": o.tensor()}, nx.Spec{}, o.tensor().Spec(),
			nx.Spec{DType: nx.F32, Shape: nx.Shape{-1}}, &struct{ T nx.Tensor }{})
	case reflect.TypeFor[[]any]():
		return lists(o, o.index)
	case reflect.TypeFor[[]nx.ReduceOption]():
		return lists(o, func() nx.ReduceOption {
			return pick[nx.ReduceOption](o, nil, o.axis(), o.axis(), nx.KeepAxes, nx.SkipNaN, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.VarOption]():
		return lists(o, func() nx.VarOption {
			return pick[nx.VarOption](o, nil, o.axis(), nx.KeepAxes, nx.SkipNaN, nx.As(o.dtype()),
				nx.DDOF(o.int()))
		})
	case reflect.TypeFor[[]nx.AxisOption]():
		return lists(o, func() nx.AxisOption { return pick[nx.AxisOption](o, nil, o.axis(), o.axis()) })
	case reflect.TypeFor[[]nx.TakeOption]():
		return lists(o, func() nx.TakeOption {
			return pick[nx.TakeOption](o, nil, o.axis(), nx.Clamp, nx.Fill, nx.Checked, nx.Clamp+9)
		})
	case reflect.TypeFor[[]nx.ScanOption]():
		return lists(o, func() nx.ScanOption {
			return pick[nx.ScanOption](o, nil, nx.Unroll(o.int()), nx.Length(o.int()), nx.Reversed)
		})
	case reflect.TypeFor[[]nx.NewOption]():
		return lists(o, func() nx.NewOption {
			return pick[nx.NewOption](o, nil, nx.Names("a"), nx.Names("a", "a"), nx.Names("a", "b"),
				nx.As(o.dtype()), nx.HalfOpen)
		})
	case reflect.TypeFor[[]nx.JitOption]():
		return lists(o, func() nx.JitOption {
			return pick[nx.JitOption](o, nil, nx.Donate(o.int()), nx.On(cpu.Default()), nx.Signatures(o.int()),
				nx.CheckNaN)
		})
	case reflect.TypeFor[[]nx.VmapOption]():
		return lists(o, func() nx.VmapOption {
			axis := pick[any](o, nil, o.int(), "a", 1.5, map[string]any{"the value": o.int()}, map[string]any{"x": 1.5})
			return pick[nx.VmapOption](o, nil, nx.InAxes(axis), nx.InAxes(axis, axis), nx.OutAxes(axis), nx.OutAxes())
		})
	case reflect.TypeFor[context.Context]():
		return pick[context.Context](o, context.Background(), nil)
	case reflect.TypeFor[nx.Device]():
		return pick[nx.Device](o, nil, cpu.Default().Devices()[0])
	case reflect.TypeFor[backend.Client]():
		return pick[backend.Client](o, nil, cpu.Default())
	case reflect.TypeFor[func(nx.Tensor) nx.Tensor]():
		return pick(o, nil, double, nx.Exp, func(nx.Tensor) nx.Tensor { return nx.Tensor{} },
			func(nx.Tensor) nx.Tensor { return o.tensor() })
	case reflect.TypeFor[func(nx.Tensor) (nx.Tensor, nx.Tensor)]():
		return pick(o, nil, func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return double(x), o.tensor() })
	case reflect.TypeFor[func([]nx.Tensor) nx.Tensor]():
		return func(x []nx.Tensor) nx.Tensor { return nx.Concatenate(x) }
	case reflect.TypeFor[func(a, b nx.Tensor) nx.Tensor]():
		return pick(o, nil, nx.Add[nx.Tensor, nx.Tensor])
	case reflect.TypeFor[func(string, nx.Tensor) nx.Tensor]():
		return pick(o, nil, func(_ string, x nx.Tensor) nx.Tensor { return double(x) })
	case reflect.TypeFor[func([]float32)]():
		return pick(o, nil, func([]float32) {})
	case reflect.TypeFor[func([]int)]():
		return pick(o, nil, func([]int) {})
	}
	return reflect.Zero(t).Interface()
}

// call calls a function with drawn arguments and computes what it returns. It
// reports the arguments and the panic that was not an *nx.Error.
func (o odd) call(f any) (said string, stack []byte) {
	var args []string
	defer func() {
		r := recover()
		if err, ok := r.(error); r != nil && !(ok && errors.As(err, new(*nx.Error))) {
			said, stack = fmt.Sprintf("%s: panic: %v", strings.Join(args, ", "), r), debug.Stack()
		}
	}()
	v := reflect.ValueOf(f)
	in := make([]reflect.Value, v.Type().NumIn())
	for i := range in {
		t := v.Type().In(i)
		in[i] = reflect.New(t).Elem()
		if a := o.argument(t); a != nil {
			in[i].Set(reflect.ValueOf(a))
		}
		args = append(args, describeArgument(in[i]))
	}
	var out []reflect.Value
	if v.Type().IsVariadic() {
		out = v.CallSlice(in)
	} else {
		out = v.Call(in)
	}
	for _, r := range out {
		switch r := r.Interface().(type) {
		case nx.Tensor:
			o.compute(r)
		case []nx.Tensor:
			for _, t := range r {
				o.compute(t)
			}
		}
	}
	return "", nil
}

// compute makes the elements of a small tensor, and of one that is too large for
// any memory.
func (o odd) compute(t nx.Tensor) {
	if !t.IsZero() && (t.Size() < 1<<16 || t.Size() > 1<<45) {
		nx.Bytes(t)
	}
}

func describeArgument(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case nx.Tensor:
		return fmt.Sprintf("%s", x)
	case []nx.Tensor:
		return fmt.Sprintf("%s", x)
	}
	return fmt.Sprintf("%s(%+v)", v.Type(), v)
}

// TestOnlyErrorsReach calls every exported function with odd arguments: nothing
// but an *nx.Error comes out, at once and while a function is traced.
func TestOnlyErrorsReach(t *testing.T) {
	discard, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func(was *os.File) { os.Stdout = was; discard.Close() }(os.Stdout)
	os.Stdout = discard // PrintValue prints
	times := 240
	if testing.Short() {
		times = 80
	}
	for name, forms := range reachable {
		t.Run(name, func(t *testing.T) {
			for i := range times {
				seed := rand.New(rand.NewPCG(7, uint64(i)))
				f := forms[i%len(forms)]
				o := odd{Rand: seed}
				said, stack := "", []byte(nil)
				if i%8 == 7 {
					x := []nx.Tensor{nx.Zeros(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{0, 3}, nx.F32),
						nx.Zeros(nx.Shape{}, nx.S32),
						nx.Zeros(nx.Shape{3}, nx.S64)}
					err := kit.Caught(func() {
						nx.Jit(func(x []nx.Tensor) []nx.Tensor { o.traced = x; said, stack = o.call(f); return x })(x)
					})
					if err != nil && errors.As(err, new(*nx.Error)) {
						err = nil
					}
					if err != nil {
						t.Error(err)
					}
				} else {
					said, stack = o.call(f)
				}
				if said != "" {
					t.Fatalf("draw %d: %s\n%s", i, said, stack)
				}
			}
		})
	}
}
