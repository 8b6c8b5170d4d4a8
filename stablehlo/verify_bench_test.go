package stablehlo

import (
	"testing"

	"github.com/go-nx/nx/dtype"
)

// chain returns a module of a function of n adds, one after another.
func chain(n int) *Module {
	m, b, x := unary(Tensor(dtype.F32, 4))
	for range n {
		x = b.Append(NewOp(OpAdd, []*Value{x, x}, []Type{Tensor(dtype.F32, 4)})).Result()
	}
	b.Append(NewOp(OpFuncReturn, nil, nil))
	return m
}

func BenchmarkVerify(b *testing.B) {
	const ops = 100_000
	m := chain(ops)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Verify(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ops, "ns/op/op")
}
