package functions_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// expansionKernel returns a kernel of n points that computes an expansion: its parameters are
// the operands, the results, whether they are rare, and the tables.
func expansionKernel(in kernel.Instr, e *functions.Expansion, n int64) *kernel.Kernel {
	k := &kernel.Kernel{Name: "expansion", Dims: []int64{n}}
	args := in.Op.NumArgs()
	types := make([]dtype.Type, args)
	for i := range types {
		types[i] = in.Type
	}
	for _, t := range append(types, in.Type, dtype.Bool) {
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: n})
	}
	for _, t := range e.Tables {
		k.Params = append(k.Params, kernel.Param{Type: dtype.U64, Elems: int64(len(t))})
	}
	for _, in := range e.Body.Instrs {
		switch {
		case in.Op == kernel.Arg:
			in = kernel.Instr{Op: kernel.Load, Type: in.Type, At: &kernel.Access{Param: in.Arg, Strides: []int64{1}}}
		case in.At != nil:
			at := *in.At
			at.Param, at.Strides = at.Param+args+2, []int64{0}
			in.At = &at
		}
		k.Body.Add(in)
	}
	rare := e.Rare
	if rare == kernel.None {
		rare = k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.Bool})
	}
	at := func(p int) kernel.Access { return kernel.Access{Param: p, Strides: []int64{1}} }
	k.Stores = []kernel.Store{{Value: e.Result, Type: in.Type, At: at(args)},
		{Value: rare, Type: dtype.Bool, At: at(args + 1)}}
	return k
}

// samples returns n numbers of all sizes, and those where functions have their seams.
func samples(r *rand.Rand, t dtype.Type, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		switch r.IntN(4) {
		case 0: // any bits
			if out[i] = math.Float64frombits(r.Uint64()); t == dtype.F32 {
				out[i] = float64(math.Float32frombits(r.Uint32()))
			}
		case 1:
			out[i] = r.NormFloat64()
		case 2:
			out[i] = r.NormFloat64() * math.Exp2(float64(r.IntN(24)-12))
		default:
			seams := []float64{0, 1, -1, 3.95, 3.96, 20, 110, -110, 88.7228, -103.97, 700, 709.78, 1 << 20, 0x1p-20, 0x1p-126,
				0x1p-149, math.Pi / 4, math.Pi / 2, math.Pi, -3.9, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)}
			out[i] = seams[r.IntN(len(seams))]
			for range r.IntN(3) {
				if out[i] = math.Nextafter(out[i], 0); t == dtype.F32 {
					out[i] = float64(math.Nextafter32(float32(out[i]), 0))
				}
			}
		}
	}
	return out
}

// bounds are how far fused functions may be from the exact result, in units in the last place.
var bounds = map[kernel.Op]float64{kernel.Exp: 1, kernel.Log: 1, kernel.Tanh: 2, kernel.Logistic: 1,
	kernel.Expm1: 1, kernel.Log1p: 1}

// isNear reports whether x, a result of f32, is the exact one of f64 but for units in the last
// place of x.
func isNear(x, exact, units float64) bool {
	if want := float32(exact); exact != exact || math.IsInf(float64(want), 0) || want == 0 {
		return x == float64(want) && math.Signbit(x) == math.Signbit(exact) || x != x && exact != exact
	}
	_, exponent := math.Frexp(max(math.Abs(exact), 0x1p-126))
	return math.Abs(x-exact) <= units*math.Ldexp(1, exponent-24)
}

// TestExpansions compares each expansion with its function: bit by bit, but for fused ones.
func TestExpansions(t *testing.T) {
	var list []kernel.Instr
	for op := range kernel.Ops() {
		if !op.IsElementary() {
			continue
		}
		for _, typ := range []dtype.Type{dtype.F32, dtype.F64} {
			if op == kernel.Call || op == kernel.Call2 {
				for _, name := range functions.Names(op) {
					list = append(list, kernel.Instr{Op: op, Type: typ, Func: name})
				}
				continue
			}
			list = append(list, kernel.Instr{Op: op, Type: typ})
		}
	}
	expanded := 0
	for _, in := range list {
		e := functions.ExpansionOf(&in)
		if e == nil {
			continue
		}
		expanded++
		t.Run(fmt.Sprintf("%s%s/%s", in.Op, in.Func, in.Type), func(t *testing.T) {
			n := 6000
			if testing.Short() {
				n = 1500
			}
			r := rand.New(rand.NewPCG(uint64(in.Op), 1))
			k := expansionKernel(in, e, int64(n))
			size, args := in.Type.Size(), in.Op.NumArgs()
			var params [][]byte
			var operands [2][]float64
			for i := range args {
				operands[i] = samples(r, in.Type, n)
				mem := make([]byte, n*size)
				for j, x := range operands[i] {
					in.Type.StoreBits(mem, j, in.Type.FromFloat64(x))
				}
				params = append(params, mem)
			}
			params = append(params, make([]byte, n*size), make([]byte, n))
			for _, table := range e.Tables {
				var mem []byte
				for _, w := range table {
					mem = binary.LittleEndian.AppendUint64(mem, w)
				}
				params = append(params, mem)
			}
			if err := eval.Run(k, plan.Of(k), params, eval.Options{}); err != nil {
				t.Fatalf("%v\n%s", err, k)
			}
			rare := 0
			for j := range n {
				if params[args+1][j] != 0 {
					rare++
					continue
				}
				got, want := in.Type.LoadFloat(params[args], j), apply(&in, operands[0][j], operands[1], j)
				if functions.FusedOf(&in) != nil {
					exact := apply(&kernel.Instr{Op: in.Op, Type: dtype.F64}, float64(float32(operands[0][j])), nil, 0)
					if !isNear(got, exact, bounds[in.Op]) {
						t.Fatalf("of %v: %v, want %v\n%s", operands[0][j], got, exact, k)
					}
					continue
				}
				if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
					t.Fatalf("of %v, %v: %v, want %v\n%s", operands[0][j], operands[1], got, want, k)
				}
			}
			if rare > 3*n/4 {
				t.Errorf("%d of %d operands are rare", rare, n)
			}
		})
	}
	if expanded < 32 {
		t.Errorf("%d expansions", expanded)
	}
}

// apply computes the function itself.
func apply(in *kernel.Instr, x float64, ys []float64, i int) float64 {
	if in.Op.NumArgs() == 2 {
		if in.Type == dtype.F32 {
			return float64(functions.F32x2(in)(float32(x), float32(ys[i])))
		}
		return functions.F64x2(in)(x, ys[i])
	}
	if in.Type == dtype.F32 {
		d := make([]float32, 1)
		functions.F32(in)(d, []float32{float32(x)})
		return float64(d[0])
	}
	d := make([]float64, 1)
	functions.F64(in)(d, []float64{x})
	return d[0]
}
