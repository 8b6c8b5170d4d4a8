package random

import (
	"math/rand/v2"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Programs that have derivatives almost everywhere, for checks of those by differences:
// a few ops on arguments of 64 bits, of every kind with attributes of every kind.

// differentiable are the ops of such programs, whose results stay in the range of small numbers. It is filled
// in init, like the lists of random.go.
var differentiable []func(m *maker)

func init() {
	differentiable = choices(
		row{3, (*maker).smoothUnary}, row{3, (*maker).smoothBinary}, row{1, (*maker).compare}, row{1, (*maker).choose},
		row{1, (*maker).smoothClamp}, row{1, (*maker).complexParts}, row{1, (*maker).mapped},
		row{1, (*maker).broadcast}, row{1, (*maker).transpose}, row{1, (*maker).reshape}, row{1, (*maker).slice},
		row{1, (*maker).reverse},
		row{1, (*maker).concatenate}, row{1, (*maker).pad}, row{1, (*maker).barrier},
		row{2, (*maker).reduce}, row{1, (*maker).reduceSeveral}, row{1, (*maker).broadcasting},
		row{1, (*maker).dynamicSlice}, row{1, (*maker).dynamicUpdate}, row{1, (*maker).gatherWindows},
		row{2, (*maker).scatter},
		row{2, (*maker).reduceWindow}, row{1, (*maker).selectAndScatter}, row{2, (*maker).dot},
		row{2, (*maker).convolution},
		row{1, (*maker).fft},
		row{1, (*maker).triangularSolve}, row{1, (*maker).sort}, row{1, (*maker).sortPair}, row{1, (*maker).topK},
		row{1, (*maker).batchNorm}, row{1, (*maker).indexSelect},
		row{1, (*maker).branch}, row{1, (*maker).cases}, row{1, (*maker).loop}, row{1, (*maker).fill})
}

// Smooth returns the program of a seed that has derivatives almost everywhere. Its arguments are tensors of
// f64 and of complex<f64>. Each op in turn comes first in a program, with its operands.
func Smooth(seed uint64) (*Program, error) {
	return build(seed, func(m *maker) {
		m.certain, m.smooth = nil, true
		m.makers = differentiable
		for range 1 + m.r.IntN(3) {
			m.argument(stablehlo.Tensor(m.smoothType(), smoothDims(m.r)...))
		}
		differentiable[seed%uint64(len(differentiable))](m)
		m.ops(1 + m.r.IntN(4))
		m.results = append(m.results, m.pool[len(m.pool)-1], m.recent())
	})
}

func (m *maker) smoothType() dtype.Type {
	return pick(m.r, []dtype.Type{dtype.F64, dtype.F64, dtype.C128})
}

// smoothDims returns a shape of few elements, sometimes of no elements.
func smoothDims(r *rand.Rand) []int64 {
	dims := make([]int64, r.IntN(4))
	for i := range dims {
		dims[i] = pick(r, []int64{1, 2, 3, 4})
	}
	if len(dims) > 0 && r.IntN(25) == 0 {
		dims[r.IntN(len(dims))] = 0
	}
	return dims
}

func (m *maker) smoothUnary() {
	x := m.recent()
	switch d := x.dtype(); {
	case d.IsComplex():
		m.emit(pick(m.r, []stablehlo.OpCode{stablehlo.OpNegate, stablehlo.OpChloConj, stablehlo.OpAbs, stablehlo.OpSine,
			stablehlo.OpExponential, stablehlo.OpChloSquare, stablehlo.OpImag, stablehlo.OpReal}), []value{x})
	case d == dtype.F64:
		m.emit(
			pick(m.r,
				[]stablehlo.OpCode{stablehlo.OpNegate, stablehlo.OpAbs, stablehlo.OpSine, stablehlo.OpCosine,
					stablehlo.OpTanh,
					stablehlo.OpLogistic, stablehlo.OpChloErf, stablehlo.OpChloAtan, stablehlo.OpChloAsinh,
					stablehlo.OpFloor,
					stablehlo.OpSign}), []value{x})
	}
}

func (m *maker) smoothBinary() {
	x, ok := m.find(func(v value) bool { return isInexact(v.dtype()) })
	if !ok {
		return
	}
	ops := []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply}
	if !x.dtype().IsComplex() {
		ops = append(ops, stablehlo.OpMaximum, stablehlo.OpMinimum)
	}
	m.emit(pick(m.r, ops), []value{x, m.like(x)})
}

// smoothClamp clamps by tensors of the program, in any order.
func (m *maker) smoothClamp() {
	x, ok := m.find(func(v value) bool { return v.dtype() == dtype.F64 })
	if !ok {
		return
	}
	t := x.Tensor()
	if m.r.IntN(2) == 0 {
		t = t.WithDims()
	}
	m.emit(stablehlo.OpClamp, []value{m.of(t, false), x, m.of(t, false)})
}

// elements returns random elements of a constant: of differentiable programs plain ones.
func (m *maker) elements(t *stablehlo.TensorType) []byte {
	if !m.smooth || t.DType() == dtype.Bool {
		return elements(m.r, t)
	}
	n, _ := t.NumElems()
	d := t.DType()
	b := make([]byte, n*int64(d.Size()))
	for i := range int(n) {
		number := func() float64 { return m.r.Float64()*3 - 1.5 }
		switch {
		case d.IsComplex():
			d.StoreComplex(b, i, complex(number(), number()))
		case d.IsFloat():
			d.StoreFloat(b, i, number())
		default:
			d.StoreInt(b, i, m.r.Int64N(6))
		}
	}
	return b
}
