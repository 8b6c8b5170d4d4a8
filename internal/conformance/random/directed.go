package random

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// boundarySizes are sizes around the boundaries of compilers: of vectors, of the minimum row of a row loop, of
// tiles, and of blocks of tiles.
var (
	shortSizes    = []int64{1, 2, 3, 7, 8, 31, 63, 64, 65, 127}
	rowSizes      = []int64{128, 129, 200, 255, 257, 1023, 1024, 1025, 1100, 2047, 2048, 2049, 3071, 3073}
	boundarySizes = slices.Concat(shortSizes, rowSizes)
)

// chunkSizes are sizes around the boundaries of a worker's chunk, which depends on the work per element.
var chunkSizes = []int64{9215, 9216, 9217, 16383, 16384, 16385, 32767, 32769, 65535, 65536, 65537}

// boundaryDims returns a shape of such sizes.
func boundaryDims(r *rand.Rand) []int64 {
	few := func() int64 { return int64(1 + r.IntN(5)) }
	some := func() int64 { return pick(r, boundarySizes) }
	var dims []int64
	switch r.IntN(14) {
	case 0:
		dims = []int64{pick(r, chunkSizes)}
	case 1:
		dims = []int64{some(), few()}
	case 2:
		dims = []int64{few(), some(), few()}
	case 3:
		dims = []int64{few(), few(), some()}
	case 4:
		dims = []int64{some()}
	case 5:
		dims = []int64{few(), some()}
	case 6:
		return nil
	case 7:
		dims = []int64{int64(100 + r.IntN(60)), int64(120 + r.IntN(20))}
	default:
		dims = []int64{1 + few(), pick(r, rowSizes)}
	}
	if count(dims) > maxElems {
		dims = dims[:1]
	}
	return dims
}

// scalarOp is an elementwise op on an element type.
type scalarOp struct {
	code stablehlo.OpCode
	d    dtype.Type
}

// unspecifiedOps are the ops that are not compared: their meaning for some type is not specified. See
// docs/conformance.md.
var unspecifiedOps = map[stablehlo.OpCode]func(d dtype.Type) bool{
	stablehlo.OpRemainder:       dtype.Type.IsComplex,
	stablehlo.OpChloBesselI1e:   dtype.Type.IsComplex,
	stablehlo.OpChloPolygamma:   func(d dtype.Type) bool { return d == dtype.F8E8M0FNU },
	stablehlo.OpUniformQuantize: nil, stablehlo.OpUniformDequantize: nil,
}

// scalarOps are all elementwise ops on all types that they take.
var scalarOps = sync.OnceValue(func() []scalarOp {
	var list []scalarOp
	for c, info := range stablehlo.Ops() {
		if info.Traits&stablehlo.Elementwise == 0 {
			continue
		}
		for d := dtype.Bool; d.IsValid(); d++ {
			if is, ok := unspecifiedOps[c]; ok && (is == nil || is(d)) {
				continue
			}
			if isBuilt(scalarOp{c, d}) {
				list = append(list, scalarOp{c, d})
			}
		}
	}
	return list
})

// isBuilt reports whether the builder takes the op on a type.
func isBuilt(o scalarOp) bool {
	if o.code == stablehlo.OpConvert {
		return true
	}
	_, err := stablehlo.NewModule("").BuildFunc("main", nil,
		func(b *stablehlo.Builder, _ []*stablehlo.Value) ([]*stablehlo.Value, error) {
			m := &maker{b: b}
			var in []*stablehlo.Value
			for i := range o.code.Info().Operands {
				in = append(in, m.full(stablehlo.Tensor(o.operand(i)), 1))
			}
			v, err := b.Value(o.code, in, o.parts(rand.New(rand.NewPCG(0, 0)))...)
			return []*stablehlo.Value{v}, err
		})
	return err == nil
}

// operand returns the element type of an operand.
func (o scalarOp) operand(i int) dtype.Type {
	if o.code == stablehlo.OpSelect && i == 0 {
		return dtype.Bool
	}
	return o.d
}

// parts returns random attributes of the op.
func (o scalarOp) parts(r *rand.Rand) []stablehlo.OpPart {
	switch o.code {
	case stablehlo.OpCompare:
		ways := []string{"EQ", "NE", "LT", "LE", "GT", "GE"}
		if o.d.IsComplex() {
			ways = ways[:2]
		}
		return []stablehlo.OpPart{direction(pick(r, ways))}
	case stablehlo.OpReducePrecision:
		return []stablehlo.OpPart{stablehlo.Named("exponent_bits", stablehlo.I32(int32(1+r.IntN(9)))),
			stablehlo.Named("mantissa_bits", stablehlo.I32(int32(r.IntN(26))))}
	}
	return nil
}

// directed makes a program of some ops of the table, selected by index, on operands of all forms, and uses the
// results.
func (m *maker) directed(index uint64) {
	const each = 6
	all := scalarOps()
	dims := boundaryDims(m.r)
	n := max(1, min(each, 30_000/uint64(count(dims)+1)))
	for i := range n {
		// A step that has no divisor in common with the length of the list visits all of it.
		o := all[(index*each+i)*step(len(all))%uint64(len(all))]
		for k := range o.code.Info().Operands {
			m.try(o, dims, k)
		}
	}
	m.makers = fusing
	m.ops(m.r.IntN(3))
	m.end()
}

// step returns a number near the golden section of n that has no divisor in common with it.
func step(n int) uint64 {
	gcd := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	s := n * 5 / 8
	for gcd(s, n) != 1 {
		s++
	}
	return uint64(s)
}

// try applies an op to operands of all forms, one of which is uniform and the others mostly not; users of the
// result may also use an operand.
func (m *maker) try(o scalarOp, dims []int64, uniformOperand int) {
	var in []value
	for i := range o.code.Info().Operands {
		t := stablehlo.Tensor(o.operand(i), dims...)
		switch {
		case o.code == stablehlo.OpClamp && i != 1 && m.r.IntN(2) == 0, o.code == stablehlo.OpSelect &&
			i == 0 && m.r.IntN(4) == 0:
			t = t.WithDims()
		case i > 0 && m.r.IntN(16) == 0 && stablehlo.SameType(in[i-1].Type(), t):
			in = append(in, in[i-1])
			continue
		}
		forms := varying
		if i == uniformOperand || m.r.IntN(4) == 0 {
			forms = uniform
		}
		in = append(in, pick(m.r, forms)(m, t))
	}
	m.pool = append(m.pool, in...)
	parts := o.parts(m.r)
	if o.code == stablehlo.OpConvert {
		to := pick(m.r, dtypes)
		if o.d.IsComplex() && !to.IsComplex() {
			to = dtype.C128
		}
		parts = append(parts, stablehlo.Results{stablehlo.Tensor(to, dims...)})
	}
	y := m.emit(o.code, in, parts...)
	if m.certain[y.Value] == Open { // no two executors need agree on it
		m.pool = m.pool[:len(m.pool)-1]
		return
	}
	m.results = append(m.results, y)
	// reads an operand after the op has
	if n := m.r.IntN(len(in)); m.r.IntN(2) == 0 && slices.Equal(in[n].dims(), dims) {
		if w, ok := m.combine(y, in[n]); ok {
			m.results = append(m.results, w)
			if m.r.IntN(2) == 0 {
				y = w
			}
		}
	}
	if m.r.IntN(2) == 0 {
		dims := m.someDims(y.rank())
		c, init := m.reduction(y.dtype(), reductionSize(y, dims))
		m.results = append(m.results,
			m.emit(stablehlo.OpReduce, []value{y, init}, ints("dimensions", dims...), scalarBody(c, y.dtype())))
	}
}

// combine combines a result with an operand of the op that made it.
func (m *maker) combine(y, x value) (value, bool) {
	switch d := y.dtype(); {
	case d == dtype.Bool && x.dtype() != dtype.Bool:
		return m.emit(stablehlo.OpSelect, []value{y, x, m.operand(x.Tensor())}), true
	case d != x.dtype():
		return value{}, false
	case d == dtype.Bool:
		return m.emit(stablehlo.OpXor, []value{y, x}), true
	case d.IsInteger(), d.IsComplex():
		return m.emit(pick(m.r, intBinary[:2]), []value{y, x}), true
	case isNarrow(d) && !y.exact:
		return m.emit(stablehlo.OpMaximum, []value{y, x}), true
	}
	return m.emit(pick(m.r, floatBinary[:5]), []value{y, x}), true
}
