// Package random makes random kernels that pass [kernel.Kernel.Verify], and elements for their
// parameters, to compare code generators on.
package random

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Options bound the kernels.
type Options struct {
	MaxPoints int64    // of the iteration space
	Functions []string // that a call of one float may name
}

var registers = []dtype.Type{dtype.Bool, dtype.S8, dtype.S16, dtype.S32, dtype.S64, dtype.U8,
	dtype.U16, dtype.U32, dtype.U64,
	dtype.F32, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// narrow lists the narrower element types of each register.
var narrow = map[dtype.Type][]dtype.Type{
	dtype.S8: {dtype.S2, dtype.S4}, dtype.U8: {dtype.U2, dtype.U4},
	dtype.F32: {dtype.F16, dtype.BF16, dtype.F8E4M3FN, dtype.F8E5M2},
}

type builder struct {
	*rand.Rand
	o Options
	k *kernel.Kernel
}

// Kernel returns a random kernel.
func Kernel(r *rand.Rand, o Options) *kernel.Kernel {
	b := &builder{r, o, &kernel.Kernel{Name: "random"}}
	b.space()
	b.constant(dtype.F32)
	for range 1 + b.IntN(3) {
		b.load()
	}
	for range b.IntN(14) {
		if b.IntN(5) == 0 {
			b.load()
		} else {
			b.op()
		}
	}
	if b.k.NumReduced > 0 {
		for range 1 + b.IntN(2) {
			b.reduction()
		}
	}
	for range 1 + b.IntN(2) {
		if b.k.NumReduced == 0 || b.IntN(3) == 0 {
			b.store()
		}
	}
	if err := b.k.Verify(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, b.k))
	}
	return b.k
}

func choose[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// space chooses the iteration space: many small ones, and lengths around those of rows, tiles and
// blocks.
func (b *builder) space() {
	left := b.o.MaxPoints
	for range b.IntN(5) {
		n := choose(b.Rand, []int64{1, 2, 3, 4, 7, 8, 17, 63, 64, 65, 127, 128, 130, 1000, 1024, 1025, 2500, 70000})
		if b.IntN(60) == 0 {
			n = 0
		}
		if n <= left {
			b.k.Dims = append(b.k.Dims, n)
			left /= max(n, 1)
		}
	}
	b.Shuffle(len(b.k.Dims), func(i, j int) { b.k.Dims[i], b.k.Dims[j] = b.k.Dims[j], b.k.Dims[i] })
	if len(b.k.Dims) > 0 && b.IntN(2) == 0 {
		b.k.NumReduced = 1 + b.IntN(len(b.k.Dims))
	}
	b.k.Flush = b.IntN(4) == 0
}

// try adds an instruction if it is valid.
func (b *builder) try(in kernel.Instr) (kernel.Value, bool) {
	v := b.k.Body.Add(in)
	if b.k.Body.Check(v, len(b.k.Dims)) != nil {
		b.k.Body.Instrs = b.k.Body.Instrs[:v]
		return kernel.None, false
	}
	return v, true
}

// memoryType returns an element type whose register is r.
func (b *builder) memoryType(r dtype.Type) dtype.Type {
	if list := narrow[r]; list != nil && b.IntN(2) == 0 {
		return choose(b.Rand, list)
	}
	return r
}

// strides returns those of an array of elements in any order, with gaps, reversed, or with several
// points at one element; distinct excludes the latter.
func (b *builder) strides(dims []int64, distinct bool) (offset int64, strides []int64, elems int64) {
	strides = make([]int64, len(dims))
	order := b.Perm(len(dims))
	if b.IntN(2) == 0 {
		slices.Sort(order)
		slices.Reverse(order)
	}
	elems = 1
	for _, d := range order {
		if !distinct && b.IntN(4) == 0 {
			continue // broadcast
		}
		step := elems
		if b.IntN(6) == 0 {
			step *= 2
		}
		strides[d] = step
		if b.IntN(8) == 0 {
			strides[d] = -step
			offset += step * max(dims[d]-1, 0)
		}
		elems = step * max(dims[d], 1)
	}
	if b.IntN(4) == 0 {
		offset += 3
		elems += 5
	}
	return offset, strides, elems
}

// load adds a load, or an index or a constant.
func (b *builder) load() {
	t := choose(b.Rand, registers)
	switch b.IntN(8) {
	case 0:
		_, strides, _ := b.strides(b.k.Dims, false)
		b.try(kernel.Instr{Op: kernel.Index, Type: t,
			At: &kernel.Access{Param: -1, Offset: b.Int64N(100) - 50, Strides: strides}})
		return
	case 1:
		b.constant(t)
		return
	}
	t = b.memoryType(t)
	a := &kernel.Access{Param: len(b.k.Params)}
	var elems int64
	a.Offset, a.Strides, elems = b.strides(b.k.Dims, false)
	for range b.IntN(3) * b.IntN(2) * b.IntN(2) {
		elems = b.lookup(a, elems, func(kernel.Value) bool { return true })
	}
	if len(b.k.Dims) > 0 && b.IntN(4) == 0 {
		elems = b.guard(a, t, elems)
	}
	b.k.Params = append(b.k.Params, kernel.Param{Type: t, Elems: elems})
	if _, ok := b.try(kernel.Instr{Op: kernel.Load, Type: t, At: a}); !ok {
		panic(fmt.Sprintf("no load: %+v", a))
	}
}

func (b *builder) constant(t dtype.Type) kernel.Value {
	mem := make([]byte, 16)
	element(b.Rand, t, mem, 0)
	in := kernel.Instr{Op: kernel.Const, Type: t}
	switch {
	case t == dtype.C128:
		in.Bits = [2]uint64{dtype.U64.LoadBits(mem, 0), dtype.U64.LoadBits(mem, 1)}
	case t.IsSigned():
		in.Bits[0] = t.LoadBits(mem, 0) & (math.MaxUint64 >> (64 - t.Bits()))
	default:
		in.Bits[0] = t.LoadBits(mem, 0)
	}
	v, _ := b.try(in)
	return v
}

// lookup adds a lookup by an allowed value, if there is one.
func (b *builder) lookup(a *kernel.Access, elems int64, allowed func(v kernel.Value) bool) int64 {
	var may []kernel.Value
	for i := range b.k.Body.Instrs {
		if b.k.Body.Instrs[i].Register().IsInteger() && allowed(kernel.Value(i)) {
			may = append(may, kernel.Value(i))
		}
	}
	if len(may) == 0 {
		return elems
	}
	l := kernel.Lookup{Index: choose(b.Rand, may), Limit: b.Int64N(9), Stride: b.Int64N(7) - 2}
	if l.Stride < 0 {
		a.Offset -= l.Stride * l.Limit
	}
	a.Lookups = append(a.Lookups, l)
	return elems + max(l.Stride, -l.Stride)*l.Limit
}

// guard pads a dimension: the access is to an array that is smaller than the iteration space there,
// or outside it.
func (b *builder) guard(a *kernel.Access, t dtype.Type, elems int64) int64 {
	d := b.IntN(len(b.k.Dims))
	size := 1 + b.Int64N(b.k.Dims[d]+2)
	low := b.Int64N(b.k.Dims[d]+3) - 1
	g := kernel.Guard{Offset: -low, Strides: make([]int64, len(b.k.Dims)), Size: size}
	g.Strides[d] = 1
	s := a.Strides[d]
	if s < 0 { // forward is simpler
		return elems
	}
	r := kernel.Register(t)
	fill := b.constant(r)
	a.Guards, a.Fill = []kernel.Guard{g}, fill
	a.Offset -= low * s
	elems += s * (size + 2)
	if a.Offset+s*low < 0 {
		elems -= a.Offset + s*low
		a.Offset = -s * low
	}
	return elems
}

// op adds an operation on values of one type.
func (b *builder) op() {
	for range 20 {
		var all []kernel.Op
		for o := range kernel.Ops() {
			if !o.InExpansions() {
				all = append(all, o)
			}
		}
		in := kernel.Instr{Op: choose(b.Rand, all)}
		switch in.Op {
		case kernel.Const, kernel.Load, kernel.Index, kernel.Arg:
			continue
		case kernel.ReducePrecision:
			in.ExponentBits, in.MantissaBits = 2+b.IntN(7), b.IntN(12)
		case kernel.Call:
			if b.IntN(4) > 0 || len(b.o.Functions) == 0 {
				continue
			}
			in.Func = choose(b.Rand, b.o.Functions)
		case kernel.Call2:
			continue
		}
		first := kernel.Value(b.IntN(len(b.k.Body.Instrs)))
		t := b.k.Body.Instrs[first].Register()
		if in.Op == kernel.Call && !t.IsFloat() {
			continue
		}
		for i := range in.Op.NumArgs() {
			in.Args[i] = b.ofType(t, first)
		}
		in.Type = t
		switch {
		case in.Op == kernel.Select:
			in.Args[0] = b.ofType(dtype.Bool, kernel.None)
			if in.Args[0] == kernel.None {
				continue
			}
		case in.Op == kernel.Convert || in.Op == kernel.Bitcast:
			in.From, in.Type = b.memoryType(t), b.memoryType(choose(b.Rand, registers))
			if in.Op == kernel.Convert {
				in.From = t
			}
		case in.Op.IsCompare() && t != dtype.Bool:
			in.From, in.Type = t, dtype.Bool
		case (in.Op == kernel.Abs || in.Op == kernel.Real || in.Op == kernel.Imag) && t.IsComplex():
			in.From, in.Type = t, t.Real()
		case in.Op == kernel.Complex:
			in.From, in.Type = t, t.Complex()
		case b.IntN(2) == 0 || in.Op == kernel.Round || in.Op == kernel.ReducePrecision:
			in.Type = b.memoryType(t)
		}
		if b.observesNaN(&in) {
			continue
		}
		if _, ok := b.try(in); ok {
			return
		}
	}
}

// ofType returns a value of a type, or the fallback.
func (b *builder) ofType(t dtype.Type, or kernel.Value) kernel.Value {
	var may []kernel.Value
	for i := range b.k.Body.Instrs {
		if b.k.Body.Instrs[i].Register() == t {
			may = append(may, kernel.Value(i))
		}
	}
	if len(may) == 0 {
		return or
	}
	return choose(b.Rand, may)
}

// observesNaN reports whether an instruction depends on the bits of computed NaNs: machines differ
// in their signs and payloads.
func (b *builder) observesNaN(in *kernel.Instr) bool {
	switch in.Op {
	case kernel.Bitcast, kernel.TotalEQ, kernel.TotalLE, kernel.TotalLT, kernel.ReducePrecision:
		for _, a := range in.Args[:in.Op.NumArgs()] {
			x := &b.k.Body.Instrs[a]
			if (x.Register().IsFloat() || x.Register().IsComplex()) &&
				(x.Op != kernel.Load || kernel.NeedsRound(x.Type)) {
				return true
			}
		}
	}
	return false
}

// reduction adds a reduction by one operation, or an argmax.
func (b *builder) reduction() {
	kept := b.k.Dims[:len(b.k.Dims)-b.k.NumReduced]
	r := kernel.Reduction{}
	add := func(v kernel.Value, t dtype.Type) {
		r.Values, r.Types = append(r.Values, v), append(r.Types, t)
		r.Inits = append(r.Inits, kernel.Access{Param: len(b.k.Params)})
		b.k.Params = append(b.k.Params, kernel.Param{Type: t, Elems: 1})
		a := kernel.Access{Param: len(b.k.Params)}
		var elems int64
		a.Offset, a.Strides, elems = b.strides(kept, true)
		b.k.Params = append(b.k.Params, kernel.Param{Type: t, Elems: elems})
		r.At = append(r.At, a)
	}
	v := kernel.Value(b.IntN(len(b.k.Body.Instrs)))
	t := b.memoryType(b.k.Body.Instrs[v].Register())
	add(v, t)
	reg := kernel.Register(t)
	if at := b.ofType(dtype.S32, kernel.None); at != kernel.None && !reg.IsComplex() &&
		reg != dtype.Bool && b.IntN(2) == 0 {
		add(at, dtype.S32)
		arg := func(i int, t dtype.Type) kernel.Value {
			return r.Combine.Add(kernel.Instr{Op: kernel.Arg, Type: t, Arg: i})
		}
		x, i, y, j := arg(0, reg), arg(1, dtype.S32), arg(2, reg), arg(3, dtype.S32)
		op := choose(b.Rand, []kernel.Op{kernel.GE, kernel.LE, kernel.GT, kernel.LT})
		left := r.Combine.Add(kernel.Instr{Op: op, Type: dtype.Bool, From: reg, Args: [3]kernel.Value{x, y}})
		nan := r.Combine.Add(kernel.Instr{Op: kernel.NE, Type: dtype.Bool, From: reg, Args: [3]kernel.Value{x, x}})
		left = r.Combine.Add(kernel.Instr{Op: kernel.Or, Type: dtype.Bool, Args: [3]kernel.Value{left, nan}})
		r.Results = []kernel.Value{
			r.Combine.Add(kernel.Instr{Op: kernel.Select, Type: reg, Args: [3]kernel.Value{left, x, y}}),
			r.Combine.Add(kernel.Instr{Op: kernel.Select, Type: dtype.S32, Args: [3]kernel.Value{left, i, j}}),
		}
		if b.IntN(4) > 0 {
			r.ArgMinMax, _ = kernel.ArgMinMaxOf(&r)
		}
	} else {
		r.Kind = choose(b.Rand,
			[]kernel.Op{kernel.Add, kernel.Add, kernel.Mul, kernel.Max, kernel.Min, kernel.And, kernel.Or, kernel.Xor})
		if !reg.IsInteger() && reg != dtype.Bool &&
			(r.Kind == kernel.And || r.Kind == kernel.Or || r.Kind == kernel.Xor) {
			r.Kind = kernel.Add
		}
		body, result := kernel.ReduceBy(r.Kind, t)
		r.Combine, r.Results = body, []kernel.Value{result}
	}
	b.k.Reduces = append(b.k.Reduces, r)
}

// store adds a store of a value, sometimes at an index known at run time.
func (b *builder) store() {
	v := kernel.Value(b.IntN(len(b.k.Body.Instrs)))
	t := b.memoryType(b.k.Body.Instrs[v].Register())
	a := kernel.Access{Param: len(b.k.Params)}
	var elems int64
	a.Offset, a.Strides, elems = b.strides(b.k.Dims, true)
	if same := b.k.Body.Uniform(); b.IntN(4) == 0 {
		elems = b.lookup(&a, elems, func(v kernel.Value) bool { return same[v] })
	}
	b.k.Params = append(b.k.Params, kernel.Param{Type: t, Elems: elems})
	b.k.Stores = append(b.k.Stores, kernel.Store{Value: v, Type: t, At: a})
}

// Params returns elements for the parameters of a kernel, special values among them.
func Params(r *rand.Rand, k *kernel.Kernel) [][]byte {
	out := make([][]byte, len(k.Params))
	for i, p := range k.Params {
		out[i] = make([]byte, p.Elems*int64(p.Type.Size()))
		for j := range int(p.Elems) {
			element(r, p.Type, out[i], j)
		}
	}
	return out
}

// Aliases chooses, for each parameter, the one whose memory it uses: mostly its own; for an output,
// possibly one of its size that it may replace.
func Aliases(r *rand.Rand, k *kernel.Kernel) []int {
	of := make([]int, len(k.Params))
	taken := make([]bool, len(k.Params))
	for q, to := range k.Params {
		of[q] = q
		for _, p := range r.Perm(len(k.Params)) {
			from := k.Params[p]
			if p != q && !taken[p] && from.Elems*int64(from.Type.Size()) == to.Elems*int64(to.Type.Size()) &&
				k.Replaces(p, q) {
				of[q], taken[p] = p, true
				break
			}
		}
	}
	return of
}

func element(r *rand.Rand, t dtype.Type, mem []byte, i int) {
	switch {
	case t == dtype.Bool:
		t.StoreInt(mem, i, r.Int64N(2))
	case t.IsInteger() && r.IntN(2) == 0:
		t.StoreInt(mem, i, r.Int64N(7)-2)
	case t.IsInteger():
		t.StoreUint(mem, i, r.Uint64()>>r.IntN(64))
	case t.IsComplex():
		t.StoreComplex(mem, i, complex(number(r), number(r)))
	default:
		t.StoreFloat(mem, i, number(r))
	}
}

// number returns a random number, one in eight a special one.
func number(r *rand.Rand) float64 {
	if r.IntN(8) == 0 {
		return choose(r, []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
			1e-40, 3e38, 1e300, 5e-324})
	}
	x := math.Ldexp(r.Float64()+0.5, r.IntN(20)-10)
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}
