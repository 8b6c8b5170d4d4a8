package lower

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// RandomBits writes random bit generators as elementwise ops, for machine code: it computes many
// blocks at a time, fused with the consumers of the bits. Plain Go computes block by block instead.
func RandomBits(f stablehlo.Func, checkCancel simplify.CheckCancel) error {
	for op := range f.Op.Walk() {
		checkCancel()
		if op.Code == stablehlo.OpRngBitGenerator {
			return simplify.Apply("random bits", f, randomBitsRules.Get(newRandomBitsRules), checkCancel)
		}
	}
	return nil
}

var randomBitsRules lazy.Value[simplify.RuleTable]

func newRandomBitsRules() simplify.RuleTable {
	return simplify.NewRuleTable([]simplify.Rule{
		{Name: "random_bits", Code: stablehlo.OpRngBitGenerator, Apply: writeRandomBits}})
}

// writeRandomBits skips ops that the library rejects, types whose size is not a whole number of
// bytes up to eight, and results that exceed memory, which are rejected by name.
func writeRandomBits(e simplify.Emitter, op *stablehlo.Op) []*stablehlo.Value {
	state, t := op.Operands[0].Tensor(), op.Results[1].Tensor()
	if !simplify.IsStatic(op) || state.DType() != dtype.U64 || t.Quant() != nil {
		return nil
	}
	words, _ := state.NumElems()
	n, ok := t.NumElems()
	d := t.DType()
	unsigned := map[int]dtype.Type{8: dtype.U8, 16: dtype.U16, 32: dtype.U32, 64: dtype.U64}[d.Bits()]
	if !ok || n == 0 || n > 1<<40 || unsigned == dtype.Invalid || d.IsComplex() || d == dtype.Bool {
		return nil
	}
	g := generator{Emitter: e, state: op.Operands[0], t: t, long: d.Bits() == 64}
	var bits *stablehlo.Value
	switch threefry := op.Str("rng_algorithm") == "THREE_FRY"; {
	case threefry && words == 2:
		bits = g.threefry(n)
	case !threefry && (words == 2 || words == 3):
		bits = g.philox(n, words)
	default:
		return nil
	}
	bits = e.Convert(bits, unsigned)
	if d != unsigned {
		bits = e.Value(stablehlo.OpBitcastConvert, []*stablehlo.Value{bits}, stablehlo.Results{t})
	}
	return []*stablehlo.Value{g.next, bits}
}

// generator writes the blocks of a counter-based generator (J. Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", 2011, doi:10.1145/2063384.2063405). Block i is a function of a key
// and of a counter plus i.
type generator struct {
	simplify.Emitter
	state, next *stablehlo.Value
	t           *stablehlo.TensorType // of the bits
	long        bool                  // they have 64 bits: two words each
}

// word returns a number of the state.
func (g *generator) word(i int) *stablehlo.Value {
	return g.Reshape(g.SliceDim(g.state, 0, int64(i), int64(i)+1, 1))
}

// numbers broadcasts a number to n elements.
func (g *generator) numbers(x *stablehlo.Value, n int64) *stablehlo.Value {
	return g.Broadcast(x, []int64{n})
}

// setState writes the state after the bits.
func (g *generator) setState(words ...*stablehlo.Value) {
	for i, w := range words {
		words[i] = g.Reshape(w, 1)
	}
	g.next = g.Reshape(g.Concat(0, words...), emit.Sizes(g.state)...)
}

// halves returns the words of 64-bit numbers.
func (g *generator) halves(x *stablehlo.Value) (low, high *stablehlo.Value) {
	return g.Convert(x, dtype.U32),
		g.Convert(g.Do(stablehlo.OpShiftRightLogical, x, g.Fill(x, 32)), dtype.U32)
}

// join makes 64-bit numbers of words.
func (g *generator) join(low, high *stablehlo.Value) *stablehlo.Value {
	high = g.Convert(high, dtype.U64)
	return g.Do(stablehlo.OpOr, g.Convert(low, dtype.U64), g.Do(stablehlo.OpShiftLeft, high, g.Fill(high, 32)))
}

// split makes words of 64-bit numbers, along a last dimension of size two.
func (g *generator) split(x *stablehlo.Value) *stablehlo.Value {
	dims := append(emit.Sizes(x)[:x.Tensor().Rank():x.Tensor().Rank()], 2)
	return g.Value(stablehlo.OpBitcastConvert, []*stablehlo.Value{x},
		stablehlo.Results{stablehlo.Tensor(dtype.U32, dims...)})
}

func (g *generator) xor(x, y *stablehlo.Value) *stablehlo.Value { return g.Do(stablehlo.OpXor, x, y) }

// threefry is Threefry-2x32 with 20 rounds. The words of a block are adjacent along one dimension
// of the bits.
func (g *generator) threefry(n int64) *stablehlo.Value {
	outer, size, inner := stablehlo.PairedDim(g.t.Dims)
	pairs := (size + 1) / 2
	if !g.long {
		n = int64(outer * pairs * inner)
	}
	key, counter := g.word(0), g.word(1)
	g.setState(key, g.Add(counter, g.Full(counter.Tensor(), float64(n))))
	k0, k1 := g.halves(key)
	keys := [3]*stablehlo.Value{k0, k1, g.xor(g.xor(k0, k1), g.Fill(k0, 0x1bd11bda))}
	x, y := g.halves(g.Add(g.numbers(counter, n), g.Iota(dtype.U64, []int64{n}, 0)))
	x, y = g.Add(x, g.numbers(k0, n)), g.Add(y, g.numbers(k1, n))
	rotations := [2][4]float64{{13, 15, 26, 6}, {17, 29, 16, 24}}
	for i := range 5 {
		for _, r := range rotations[i%2] {
			x = g.Add(x, y)
			left := g.Do(stablehlo.OpShiftLeft, y, g.Fill(y, r))
			right := g.Do(stablehlo.OpShiftRightLogical, y, g.Fill(y, 32-r))
			y = g.xor(g.Do(stablehlo.OpOr, left, right), x)
		}
		last := keys[(i+2)%3]
		x = g.Add(x, g.numbers(keys[(i+1)%3], n))
		y = g.Add(y, g.numbers(g.Add(last, g.Fill(last, float64(i+1))), n))
	}
	if g.long {
		return g.Reshape(g.join(x, y), g.t.Dims...)
	}
	var bits *stablehlo.Value
	if inner == 1 {
		bits = g.split(g.join(x, y))
	} else {
		dims := []int64{int64(outer), int64(pairs), 1, int64(inner)}
		bits = g.Concat(2, g.Reshape(x, dims...), g.Reshape(y, dims...))
	}
	bits = g.Reshape(bits, int64(outer), 2*int64(pairs), int64(inner))
	return g.Reshape(g.SliceDim(bits, 1, 0, int64(size), 1), g.t.Dims...)
}

// philox is Philox-4x32 with 10 rounds, whose words are consecutive. The counter has 128 bits:
// without the third word of the state its high half is the key.
func (g *generator) philox(n, words int64) *stablehlo.Value {
	perBlock := int64(4)
	if g.long {
		perBlock = 2
	}
	blocks := (n + perBlock - 1) / perBlock
	key, low := g.word(0), g.word(1)
	high := key
	after := g.Add(low, g.Full(low.Tensor(), float64(blocks)))
	if words == 3 {
		high = g.word(2)
		g.setState(key, after, g.Add(high, g.Convert(g.Compare("LT", after, low), dtype.U64)))
	} else {
		g.setState(key, after)
	}
	k0, k1 := g.halves(key)
	first := g.numbers(low, blocks)
	at := g.Add(first, g.Iota(dtype.U64, []int64{blocks}, 0))
	carry := g.Convert(g.Compare("LT", at, first), dtype.U64)
	var x [4]*stablehlo.Value
	x[0], x[1] = g.halves(at)
	x[2], x[3] = g.halves(g.Add(g.numbers(high, blocks), carry))
	product := func(x *stablehlo.Value, by float64) (low, high *stablehlo.Value) {
		x = g.Convert(x, dtype.U64)
		return g.halves(g.Mul(x, g.Fill(x, by)))
	}
	for range 10 {
		l0, h0 := product(x[0], 0xd2511f53)
		l1, h1 := product(x[2], 0xcd9e8d57)
		x[0], x[1] = g.xor(g.xor(h1, x[1]), g.numbers(k0, blocks)), l1
		x[2], x[3] = g.xor(g.xor(h0, x[3]), g.numbers(k1, blocks)), l0
		k0, k1 = g.Add(k0, g.Fill(k0, 0x9e3779b9)), g.Add(k1, g.Fill(k1, 0xbb67ae85))
	}
	bits := g.Concat(1, g.Reshape(g.join(x[0], x[1]), blocks, 1), g.Reshape(g.join(x[2], x[3]), blocks, 1))
	if !g.long {
		bits = g.split(bits)
	}
	return g.Reshape(g.SliceDim(g.Reshape(bits, blocks*perBlock), 0, 0, n, 1), g.t.Dims...)
}
