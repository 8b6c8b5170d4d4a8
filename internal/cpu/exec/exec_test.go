package exec

import (
	"context"
	"math"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// appender adds ops to a block.
type appender struct{ block *stablehlo.Block }

func (a appender) op(c stablehlo.OpCode, t stablehlo.Type, in []*stablehlo.Value,
	attrs ...stablehlo.NamedAttr) *stablehlo.Value {
	return a.block.Append(stablehlo.NewOp(c, in, []stablehlo.Type{t}, attrs...)).Result()
}

// softmax returns exp(x)/sum(exp(x)) of n elements.
func softmax(n int64) stablehlo.Func {
	m := stablehlo.NewModule("")
	tt, st := stablehlo.Tensor(dtype.F32, n), stablehlo.Tensor(dtype.F32)
	f := m.AddFunc("main", &stablehlo.FuncType{Ins: []stablehlo.Type{tt}, Outs: []stablehlo.Type{tt}})
	bb := appender{f.Body()}
	x := f.Args()[0]
	e := bb.op(stablehlo.OpExponential, tt, []*stablehlo.Value{x})
	zero := bb.op(stablehlo.OpConstant, st, nil,
		stablehlo.Named("value", &stablehlo.ElementsAttr{Type: st, Data: make([]byte, 4)}))
	r := stablehlo.NewOp(stablehlo.OpReduce, []*stablehlo.Value{e, zero}, []stablehlo.Type{st},
		stablehlo.Named("dimensions", stablehlo.I64s(0)))
	rb := r.AddRegion(st, st)
	s := rb.Append(stablehlo.NewOp(stablehlo.OpAdd, []*stablehlo.Value{rb.Args[0], rb.Args[1]},
		[]stablehlo.Type{st})).Result()
	rb.Append(stablehlo.NewOp(stablehlo.OpReturn, []*stablehlo.Value{s}, nil))
	bb.block.Append(r)
	bc := bb.op(stablehlo.OpBroadcastInDim, tt, []*stablehlo.Value{r.Result()},
		stablehlo.Named("broadcast_dimensions", stablehlo.I64s()))
	d := bb.op(stablehlo.OpDivide, tt, []*stablehlo.Value{e, bc})
	bb.block.Append(stablehlo.NewOp(stablehlo.OpFuncReturn, []*stablehlo.Value{d}, nil))
	return f
}

func f32s(bs []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&bs[0])), len(bs)/4)
}

func TestSoftmax(t *testing.T) {
	for _, n := range []int64{1, 7, 1000, 100_003} {
		p, err := fuse.Build(softmax(n))
		if err != nil {
			t.Fatal(err)
		}
		x, err := Compile(p, &rt.Env{Pool: rt.NewPool(2)}, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		in := make([]byte, n*4)
		for i := range f32s(in) {
			f32s(in)[i] = float32(math.Sin(float64(i)))
		}
		sum := 0.0
		for _, v := range f32s(in) {
			sum += math.Exp(float64(v))
		}
		out, err := x.Run(context.Background(), [][]byte{in})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range f32s(out[0]) {
			want := math.Exp(float64(f32s(in)[i])) / sum
			if math.Abs(float64(v)-want) > 1e-6*want {
				t.Fatalf("n=%d: out[%d] = %g, want %g", n, i, v, want)
			}
		}
		if nodes := len(p.Main.Nodes); nodes != 2 {
			t.Errorf("n=%d: %d kernels, want the exponentials with their sum and the quotient", n, nodes)
		}
	}
}

func BenchmarkSoftmax(b *testing.B) {
	p, _ := fuse.Build(softmax(1_000_000))
	x, _ := Compile(p, &rt.Env{Pool: rt.NewPool(2)}, portable.Generator{})
	in := make([]byte, 4_000_000)
	for b.Loop() {
		x.Run(context.Background(), [][]byte{in})
	}
}
