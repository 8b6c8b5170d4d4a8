package bench_test

import (
	"testing"

	"github.com/go-nx/nx"
)

var sink nx.Tensor

func BenchmarkAddNumber(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Add(x, 1)
	}
}

func BenchmarkAddTensors(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Add(x, x)
	}
}

func BenchmarkJitAdd(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	b.ReportAllocs()
	for b.Loop() {
		sink = f(x)
	}
}

func BenchmarkSum(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Sum(x, nx.Axis(-1))
	}
}

func BenchmarkExp(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Exp(x)
	}
}

type benchModel struct {
	W, B  nx.Tensor
	Rate  float64
	Inner []struct{ W, B nx.Tensor }
}

func BenchmarkJitStruct(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	m := benchModel{W: x, B: x, Rate: 0.1, Inner: make([]struct{ W, B nx.Tensor }, 4)}
	for i := range m.Inner {
		m.Inner[i].W, m.Inner[i].B = x, x
	}
	f := nx.Jit(func(m benchModel, x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, m.W), m.B) })
	b.ReportAllocs()
	for b.Loop() {
		sink = f(m, x)
	}
}

func BenchmarkAddRelease(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		nx.Release(nx.Add(x, 1))
	}
}
