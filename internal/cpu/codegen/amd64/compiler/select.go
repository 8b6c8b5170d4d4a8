package compiler

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Selector selects the instructions of a kernel. An iteration computes as many elements as a vector has lanes of 4
// bytes, or of 8 bytes if there are no other types. A value has one vector, or two parts if its elements have 8 bytes
// and others do not. A complex value has the parts of its real numbers, then those of the imaginary ones. Integers
// narrower than 4 bytes are extended to 4-byte lanes. Booleans are masks: mask registers on AVX-512, else vectors whose
// lanes are all ones or zero.
type Selector struct {
	*regalloc.Buffer
	*Lowered
	Plan       *plan.Plan
	lanes      int
	Values     [][]regalloc.Operand // the parts of each value
	inTail     bool                 // the code is that of a tail
	Addressing []Addressing         // of the accesses
	// offsets are, for gathers, the byte offsets of the lanes; for iotas, what the lanes add to the first value.
	offsets [][]regalloc.Operand
	// tailMasks are, on AVX2 and in the tail of kernels with rows, the masks of the elements: for lanes that fill a
	// vector, and for the two parts of wider ones.
	tailMasks []regalloc.Operand
	// reduceOffsets are, for each access of a reduction of short rows, the offset of the current term: see
	// reduceOffset.
	reduceOffsets []int
	// tailCount is the length of the tail, 0 if it is not constant.
	tailCount int
	// streams: streamed stores are non-temporal.
	streams bool
	// scalar: the code computes one point, in the first lane of each vector; a value has one part.
	scalar bool
	powers powers
	// inverses are those of loop-invariant divisors, see findDivisors; nil if there are none.
	inverses map[kernel.Value]regalloc.Operand
	Err      error // the first unsupported operation
}

// NewSelector returns the selector of a kernel.
func NewSelector(b *regalloc.Buffer, l *Lowered, p *plan.Plan, lanes int, addressings []Addressing) *Selector {
	return &Selector{Buffer: b, Lowered: l, Plan: p, lanes: lanes, Addressing: addressings,
		Values: make([][]regalloc.Operand, len(l.Instrs)), offsets: make([][]regalloc.Operand, len(addressings))}
}

// NewScalarSelector returns a selector that computes one point, without a kernel.
func NewScalarSelector(w target.Width) *Selector {
	return &Selector{Buffer: regalloc.NewBuffer(w), scalar: true, lanes: w.VectorBytes() / 4}
}

// Unsupported records that an operation is not supported.
func (s *Selector) Unsupported(format string, args ...any) []regalloc.Operand {
	if s.Err == nil {
		s.Err = target.Unsupported(format, args...)
	}
	return []regalloc.Operand{s.Vector(), s.Vector()}
}

// ElemBytes returns the lane size of a register type.
func ElemBytes(t dtype.Type) int {
	if t.Size() == 8 {
		return 8
	}
	return 4
}

// NumParts returns the number of vectors of a value.
func (s *Selector) NumParts(t dtype.Type) int {
	if t.IsComplex() {
		return 2 * s.NumParts(t.Real())
	}
	if t == dtype.Bool || s.scalar {
		return 1
	}
	return ElemBytes(t) * s.lanes / s.Width.VectorBytes()
}

// lanesOf returns the number of elements of an iteration.
func lanesOf(w target.Width, l *Lowered) int {
	all8 := true
	look := func(t dtype.Type) {
		all8 = all8 && (t.Size() == 8 && !t.IsComplex() || t == dtype.Bool || t == dtype.C128)
	}
	bools := 0
	for i := range l.Instrs {
		if !l.Used[i] {
			continue
		}
		look(l.Instrs[i].Type)
		if l.Instrs[i].Op == kernel.Load && l.Instrs[i].Type == dtype.Bool {
			bools++
		}
		if f := l.Instrs[i].From; f != dtype.Invalid {
			look(f)
		}
	}
	for i := range l.Stores {
		look(l.Stores[i].Type)
		if l.Stores[i].Type == dtype.Bool {
			bools++
		}
	}
	if all8 && bools == 0 {
		return w.VectorBytes() / 8
	}
	return w.VectorBytes() / 4
}

// ByLane returns the instruction for lanes of 4 or 8 bytes.
func ByLane(elem int, op4, op8 asm.Op) asm.Op {
	if elem == 4 {
		return op4
	}
	return op8
}

// ops are the instructions of an operation on F32 and F64, and on integers of 4 and 8 bytes.
type ops [4]asm.Op

func (o ops) of(t dtype.Type) asm.Op {
	i := 0
	if !t.IsFloat() {
		i = 2
	}
	if ElemBytes(t) == 8 {
		i++
	}
	return o[i]
}

var (
	addOps  = ops{asm.VADDPS, asm.VADDPD, asm.VPADDD, asm.VPADDQ}
	subOps  = ops{asm.VSUBPS, asm.VSUBPD, asm.VPSUBD, asm.VPSUBQ}
	mulOps  = ops{asm.VMULPS, asm.VMULPD, asm.VPMULLD, asm.VPMULLQ}
	divOps  = ops{asm.VDIVPS, asm.VDIVPD}
	shlOps  = ops{2: asm.VPSLLVD, 3: asm.VPSLLVQ}
	shrLOps = ops{2: asm.VPSRLVD, 3: asm.VPSRLVQ}
	shrAOps = ops{2: asm.VPSRAVD, 3: asm.VPSRAVQ}
	sqrtOps = ops{asm.VSQRTPS, asm.VSQRTPD}
)

// Number returns an integer constant with lanes of elem bytes.
func (s *Selector) Number(elem int, bits uint64) regalloc.Operand {
	data := make([]byte, elem)
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return s.Constant(data)
}

func (s *Selector) float(t dtype.Type, x float64) regalloc.Operand {
	return s.Number(ElemBytes(t), t.FromFloat64(x))
}

func signBit(elem int) uint64 { return 1 << (8*elem - 1) }

// Value emits instruction i and sets its parts.
func (s *Selector) Value(i int) {
	in := &s.Instrs[i]
	var x, y, z []regalloc.Operand
	for j, a := range in.Args[:in.Op.NumArgs()] {
		*[]*[]regalloc.Operand{&x, &y, &z}[j] = s.Values[a]
	}
	if s.reads[i].negates {
		c := &s.Instrs[in.Args[0]]
		s.Values[i] = []regalloc.Operand{s.compareNot(c.Op, kernel.Register(c.From), s.Values[c.Args[0]],
			s.Values[c.Args[1]])}
		return
	}
	if s.rotate(i) {
		return
	}
	factor, isNegated := s.negatedFactor(i)
	if isNegated {
		x = s.Values[factor]
	}
	switch in.Op {
	case kernel.Const:
		s.Values[i] = s.ConstValue(in)
	case kernel.Load:
		if s.Access[i] < 0 || len(in.At.Lookups) > 0 {
			s.Values[i] = s.lookup(in, s.Access[i])
		} else {
			s.Values[i] = s.load(in.Type, s.Access[i], 0)
		}
	case kernel.Index:
		s.Values[i] = s.iotaValues(in, s.Access[i])
	case kernel.Convert:
		s.Values[i] = s.convert(in.From, in.Type, x)
	case kernel.Round:
		if in.Type == dtype.BF16 {
			s.Values[i] = []regalloc.Operand{s.roundBF16(x[0], s.hasBF16NaN(in.Args[0]))}
		} else {
			s.Values[i] = s.round(in.Type, x)
		}
	case kernel.Bitcast:
		s.Values[i] = s.bitcast(in, x)
	case kernel.Select:
		if !s.selectOrZero(i, x[0], y, z) {
			s.Values[i] = s.selectBy(in.Register(), x[0], y, z)
		}
	case kernel.Real:
		s.Values[i] = x[:len(x)/2]
	case kernel.Imag:
		s.Values[i] = x[len(x)/2:]
	case kernel.Complex:
		s.Values[i] = slices.Concat(x, y)
	default:
		t := in.Register()
		if in.From != dtype.Invalid {
			t = kernel.Register(in.From)
		}
		switch {
		case t.IsComplex():
			s.Values[i] = s.Unsupported("%s of %s", in.Op, t)
		case t == dtype.Bool:
			s.Values[i] = s.boolOp(in.Op, x, y)
		case in.Op.IsCompare() && in.Op != kernel.IsFinite:
			s.Values[i] = []regalloc.Operand{s.compare(in.Op, t, x, y)}
		case in.Op == kernel.FMA && t.IsFloat():
			s.Values[i] = s.fusedProduct(t, isNegated, x, y, z)
		case t.IsFloat():
			s.Values[i] = s.floatOp(in, t, x, y)
		default:
			s.Values[i] = s.intOp(in, t, x, y)
		}
	}
}

// ConstValue returns a constant; booleans come from comparisons.
func (s *Selector) ConstValue(in *kernel.Instr) []regalloc.Operand {
	t := in.Register()
	if t == dtype.Bool {
		zero := s.Number(4, 0)
		op := kernel.EQ
		if in.Bits[0] == 0 {
			op = kernel.NE
		}
		if s.lanes*8 == s.Width.VectorBytes() {
			return []regalloc.Operand{s.compareInts(op, dtype.U64, s.Number(8, 0), s.Number(8, 0))}
		}
		return []regalloc.Operand{s.compareInts(op, dtype.U32, zero, zero)}
	}
	bits := in.Bits[0]
	if shift := 64 - t.Bits(); !t.IsFloat() && shift > 32 { // sign- or zero-extended
		if bits <<= shift; t.IsSigned() {
			bits = uint64(int64(bits) >> shift)
		} else {
			bits >>= shift
		}
	}
	c := s.Number(ElemBytes(t), bits)
	return s.Each(s.NumParts(t), func(int) regalloc.Operand { return c })
}

// floatOp emits an operation on floats.
func (s *Selector) floatOp(in *kernel.Instr, t dtype.Type, x, y []regalloc.Operand) []regalloc.Operand {
	e, n := ElemBytes(t), s.NumParts(t)
	binary := func(o ops) []regalloc.Operand {
		return s.Each(n, func(p int) regalloc.Operand { return s.To(o.of(t), x[p], y[p]) })
	}
	switch in.Op {
	case kernel.Add:
		return binary(addOps)
	case kernel.Sub:
		return binary(subOps)
	case kernel.Mul:
		return binary(mulOps)
	case kernel.Div:
		if inverse := s.inverses[in.Args[1]]; inverse.Reg != 0 && t == in.Register() && n == len(x) {
			return s.Each(n, func(p int) regalloc.Operand { return s.quotient(t, x[p], y[p], inverse) })
		}
		return binary(divOps)
	case kernel.Sqrt:
		return s.Each(n, func(p int) regalloc.Operand { return s.To(sqrtOps.of(t), x[p]) })
	case kernel.Neg:
		return s.Each(n, func(p int) regalloc.Operand { return s.xor(x[p], s.Number(e, signBit(e))) })
	case kernel.Abs:
		return s.Each(n, func(p int) regalloc.Operand { return s.and(x[p], s.Number(e, signBit(e)-1)) })
	case kernel.Sign: // ±1 with its sign; zeros and NaN stay
		return s.Each(n, func(p int) regalloc.Operand {
			one := s.or(s.and(x[p], s.Number(e, signBit(e))), s.float(t, 1))

			same := s.OrMask(s.compareFloats(kernel.EQ, t, x[p], s.float(t, 0)),
				s.compareFloats(kernel.NE, t, x[p], x[p]))

			return s.Blend(t, same, x[p], one)
		})
	case kernel.RoundEven, kernel.Floor, kernel.Ceil:
		mode := map[kernel.Op]int64{kernel.RoundEven: 0, kernel.Floor: 1, kernel.Ceil: 2}[in.Op]
		return s.Each(n, func(p int) regalloc.Operand { return s.roundTo(t, x[p], mode) })
	case kernel.RoundAway: // the distance to the truncated number is exact
		return s.Each(n, func(p int) regalloc.Operand {
			truncated := s.roundTo(t, x[p], toZero)
			rest := s.and(s.To(subOps.of(t), x[p], truncated), s.Number(e, signBit(e)-1))
			up := s.compareFloats(kernel.GE, t, rest, s.float(t, 0.5))
			sign := s.and(x[p], s.Number(e, signBit(e)))
			one := s.or(s.float(t, 1), sign)
			return s.or(s.Blend(t, up, s.To(addOps.of(t), truncated, one), truncated), sign)
		})
	case kernel.Max, kernel.Min:
		return s.Each(n, func(p int) regalloc.Operand { return s.minMax(in, t, x[p], y[p]) })
	case kernel.IsFinite:
		return []regalloc.Operand{s.joinMasks(s.Each(n, func(p int) regalloc.Operand {
			return s.compareFloats(kernel.LT, t, s.and(x[p], s.Number(e, signBit(e)-1)), s.float(t, math.Inf(1)))
		}))}
	case kernel.Scale:
		return s.Each(n, func(p int) regalloc.Operand { return s.scale(t, x[p], y[p]) })
	}
	return s.Unsupported("%s of %s", in.Op, t)
}

// fusedProduct emits z + x·y or, if the product is negated, z - x·y.
func (s *Selector) fusedProduct(t dtype.Type, isNegated bool, x, y, z []regalloc.Operand) []regalloc.Operand {
	op := ByLane(ElemBytes(t), asm.VFMADD213PS, asm.VFMADD213PD)
	if isNegated {
		op = ByLane(ElemBytes(t), asm.VFNMADD213PS, asm.VFNMADD213PD)
	}
	return s.Each(s.NumParts(t), func(p int) regalloc.Operand {
		d := s.Copy(y[p]) // y is the accumulator of Horner's rule
		s.Update(op, d, x[p], z[p])
		return d
	})
}

// powers are two factors of a power of two; instruction at of the block computes the second one.
type powers struct {
	n             regalloc.Register
	first, second regalloc.Operand
	at            int
}

// scale multiplies numbers by powers of two. Without an instruction for that it needs two factors: the first product is
// exact, or so small that the second one is 0.
func (s *Selector) scale(t dtype.Type, x, n regalloc.Operand) regalloc.Operand {
	e := ElemBytes(t)
	if s.IsWide() {
		return s.To(ByLane(e, asm.VSCALEFPS, asm.VSCALEFPD), x, n)
	}
	p := &s.powers
	if known := p.n == n.Reg && p.at < len(s.Insts) && s.Insts[p.at].Result() == p.second.Reg; !known {
		*p = s.powersOf(t, n)
	}
	times := ByLane(e, asm.VMULPS, asm.VMULPD)
	return s.To(times, s.To(times, x, p.first), p.second)
}

// powersOf computes two factors of 2ⁿ. Adding a magic number puts n plus two exponent biases into the low bits; its
// halves are the biased exponents of the factors.
func (s *Selector) powersOf(t dtype.Type, n regalloc.Operand) powers {
	if t == dtype.F64 {
		both := s.To(asm.VADDPD, n, s.float(t, 0x1.8p52+2*1023))
		half := s.To(asm.VPSRLQ, both, regalloc.Imm(1))
		rest := s.To(asm.VPSUBQ, both, half)
		first := s.To(asm.VPSLLQ, half, regalloc.Imm(52))
		return powers{n.Reg, first, s.To(asm.VPSLLQ, rest, regalloc.Imm(52)), len(s.Insts) - 1}
	}
	both := s.To(asm.VADDPS, n, s.float(t, 0x1.8p23+2*127))
	half := s.To(asm.VPSRLD, both, regalloc.Imm(1))
	rest := s.To(asm.VPSUBD, both, half)
	first := s.To(asm.VPSLLD, half, regalloc.Imm(23))
	return powers{n.Reg, first, s.To(asm.VPSLLD, rest, regalloc.Imm(23)), len(s.Insts) - 1}
}

// toZero is the rounding mode of roundTo that truncates.
const toZero = 3

// roundTo rounds to integers by mode: to even (0), down, up, to zero.
func (s *Selector) roundTo(t dtype.Type, x regalloc.Operand, mode int64) regalloc.Operand {
	const noException = 8
	if s.IsWide() {
		return s.To(ByLane(ElemBytes(t), asm.VRNDSCALEPS, asm.VRNDSCALEPD), x, regalloc.Imm(mode|noException))
	}
	return s.To(ByLane(ElemBytes(t), asm.VROUNDPS, asm.VROUNDPD), x, regalloc.Imm(mode|noException))
}

// minMax emits a maximum or minimum: NaN propagates, and +0 is above -0. The instruction returns its second operand if
// one is NaN or both are zeros, which is correct if the first is a constant that is neither.
func (s *Selector) minMax(in *kernel.Instr, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	e := ElemBytes(t)
	f := ByLane(e, asm.VMAXPS, asm.VMAXPD)
	if in.Op == kernel.Min {
		f = ByLane(e, asm.VMINPS, asm.VMINPD)
	}
	plain := func(v kernel.Value) bool {
		c := &s.Instrs[v]
		if c.Op != kernel.Const {
			return false
		}
		number := t.Float64(c.Bits[0])
		return number == number && number != 0
	}
	switch {
	case plain(in.Args[0]):
		return s.To(f, x, y)
	case plain(in.Args[1]):
		return s.To(f, y, x)
	}
	return s.MinMaxAny(in.Op, t, x, y)
}

// MinMaxAny is minMax of any operands.
func (s *Selector) MinMaxAny(op kernel.Op, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	f := ByLane(ElemBytes(t), asm.VMAXPS, asm.VMAXPD)
	if op == kernel.Min {
		f = ByLane(ElemBytes(t), asm.VMINPS, asm.VMINPD)
	}
	r, other := s.To(f, x, y), s.To(f, y, x)
	if op == kernel.Max { // of the two zeros, or of equal numbers
		r = s.and(r, other)
	} else {
		r = s.or(r, other)
	}
	return s.Blend(t, s.compareBy(unordered, t, x, y), s.To(addOps.of(t), x, y), r)
}

// selectBy emits a select.
func (s *Selector) selectBy(t dtype.Type, c regalloc.Operand, x, y []regalloc.Operand) []regalloc.Operand {
	if t == dtype.Bool {
		a := s.boolOp(kernel.And, []regalloc.Operand{c}, x)
		b := s.boolOp(kernel.LT, []regalloc.Operand{c}, y) // not c, and y
		return s.boolOp(kernel.Or, a, b)
	}
	if t.IsComplex() {
		t = t.Real()
	}
	masks := s.splitMask(t, c)
	return s.Each(len(x), func(p int) regalloc.Operand { return s.Blend(t, masks[p%len(masks)], x[p], y[p]) })
}

// selectOrZero emits value i, a select between a new value and 0, by zeroing masking of the instruction that computes
// the value. It returns false if that is not possible.
func (s *Selector) selectOrZero(i int, mask regalloc.Operand, x, y []regalloc.Operand) bool {
	v := s.Instrs[i].Args[1]
	if !s.IsWide() || len(x) != 1 || s.reads[v].count != 1 || !s.isZero(y[0]) || !hasOwnRegister(s.Instrs[v].Op) {
		return false
	}
	for j := len(s.Insts) - 1; j >= 0; j-- {
		switch in := &s.Insts[j]; in.Result() {
		case mask.Reg:
			return false
		case x[0].Reg:
			if in.Mask.Reg != 0 || in.Mask.Kind() != asm.NoArg ||
				maskableLane(in.Op) != ElemBytes(s.Instrs[i].Register()) {
				return false
			}
			in.Mask, in.Zero = mask, true
			s.Values[i] = x
			return true
		}
	}
	return false
}

// hasOwnRegister reports whether the result of an operation is in a register that no other value shares.
func hasOwnRegister(op kernel.Op) bool {
	switch op {
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Min, kernel.Max, kernel.Sqrt, kernel.FMA, kernel.Scale,
		kernel.And, kernel.Or, kernel.Xor:
		return true
	}
	return false
}

// maskableLane returns the lane size of a maskable instruction, 0 for others.
func maskableLane(op asm.Op) int {
	if int(op) < len(maskable) {
		return maskable[op]
	}
	return 0
}

var maskable = [...]int{
	asm.VADDPS: 4, asm.VSUBPS: 4, asm.VMULPS: 4, asm.VDIVPS: 4, asm.VMINPS: 4, asm.VMAXPS: 4, asm.VSQRTPS: 4,
	asm.VSCALEFPS: 4, asm.VRNDSCALEPS: 4, asm.VFMADD213PS: 4, asm.VFNMADD213PS: 4,
	asm.VPADDD: 4, asm.VPSUBD: 4, asm.VPMULLD: 4, asm.VPANDD: 4, asm.VPORD: 4, asm.VPXORD: 4,
	asm.VADDPD: 8, asm.VSUBPD: 8, asm.VMULPD: 8, asm.VDIVPD: 8, asm.VMINPD: 8, asm.VMAXPD: 8, asm.VSQRTPD: 8,
	asm.VSCALEFPD: 8, asm.VRNDSCALEPD: 8, asm.VFMADD213PD: 8, asm.VFNMADD213PD: 8,
	asm.VPADDQ: 8, asm.VPSUBQ: 8, asm.VPMULLQ: 8, asm.VPANDQ: 8, asm.VPORQ: 8, asm.VPXORQ: 8,
}

// Blend returns x where the mask is set, else y.
func (s *Selector) Blend(t dtype.Type, mask, x, y regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		d := s.To(ByLane(ElemBytes(t), asm.VPBLENDMD, asm.VPBLENDMQ), y, x)
		s.Insts[len(s.Insts)-1].Mask = mask
		return d
	}
	switch { // a blend has two to three times the latency
	case s.isZero(x):
		return s.To(asm.VPANDN, mask, y)
	case s.isZero(y):
		return s.To(asm.VPAND, mask, x)
	}
	return s.To(asm.VPBLENDVB, y, x, mask)
}

// isZero reports whether a vector is the constant 0.
func (s *Selector) isZero(x regalloc.Operand) bool {
	data := s.DataOf(x)
	return len(data) > 0 && !slices.ContainsFunc(data, func(b byte) bool { return b != 0 })
}

func (s *Selector) and(x, y regalloc.Operand) regalloc.Operand {
	return s.logic(asm.VPAND, asm.VPANDD, x, y)
}

func (s *Selector) or(x, y regalloc.Operand) regalloc.Operand {
	return s.logic(asm.VPOR, asm.VPORD, x, y)
}

func (s *Selector) xor(x, y regalloc.Operand) regalloc.Operand {
	return s.logic(asm.VPXOR, asm.VPXORD, x, y)
}

// logic emits a bitwise operation. AVX-512 has two forms; the one with the size of a constant can broadcast it from
// memory.
func (s *Selector) logic(narrow, wide asm.Op, x, y regalloc.Operand) regalloc.Operand {
	if !s.IsWide() {
		return s.To(narrow, x, y)
	}
	if len(s.DataOf(y)) == 8 {
		wide = map[asm.Op]asm.Op{asm.VPANDD: asm.VPANDQ, asm.VPORD: asm.VPORQ, asm.VPXORD: asm.VPXORQ}[wide]
	}
	return s.To(wide, x, y)
}
