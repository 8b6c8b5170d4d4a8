package scalar

import (
	"encoding/binary"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// CanContract reports whether scalar code can compute a contraction, and is faster than a call.
func CanContract(w target.Width, c *codegen.Contract) bool {
	isFloat := c.Type == dtype.F32 || c.Type == dtype.F64 || c.Type == dtype.BF16
	if !isFloat || c.K == 0 || c.K > maxTerms || c.Work() == 0 {
		return false
	}
	oriented := orientForVectors(*c)
	if c.Type == dtype.BF16 { // only full vectors of sums
		return isAxpyForm(&oriented) && oriented.N%lanesOf(w, c.Type) == 0 && c.Work() <= maxContractWork
	}
	return (isAxpyForm(&oriented) || isDotForm(&oriented)) && c.Work() <= maxContractWork || c.Work() <= maxScalarWork
}

// lanesOf returns the number of sums of a vector.
func lanesOf(w target.Width, t dtype.Type) int { return w.VectorBytes() / max(t.Size(), 4) }

// orientForVectors returns the contraction or its transpose: the one with contiguous rows of results.
func orientForVectors(c codegen.Contract) codegen.Contract {
	if c.N == 1 && c.M > 1 || c.Out.Col != c.Type.Size() {
		return c.Transposed()
	}
	return c
}

// isAxpyForm reports whether rows of the result and of the right operand are contiguous.
func isAxpyForm(c *codegen.Contract) bool {
	size := c.Type.Size()
	return c.N > 1 && c.Out.Col == size && c.Right.Col == size
}

// isDotForm reports whether a contraction is a gemv of contiguous lines, large enough for its code.
func isDotForm(c *codegen.Contract) bool {
	size := c.Type.Size()
	q := gemm.SquareOf(size)
	return c.M == 1 && c.N >= q.LinesPerCall() && c.K >= q.N && c.Out.Col == size && c.Left.Col == size &&
		c.Right.Row == size
}

// Contract adds a small contraction.
func (c *Compiler) Contract(p codegen.Contract) {
	c.add(&p)
	c.fallback.Contract(p)
}

// contractCode emits a contraction.
type contractCode struct {
	*assembler
	*codegen.Contract
	size, lanes int
}

// The registers of contractions.
var (
	contractRight = asm.RBX
	contractLeft  = asm.RBP
	contractTerms = asm.RCX
	contractOut   = asm.RDX
	contractRow   = asm.GP(8) // of the left operand
	contractBase  = asm.GP(9) // of the right operand
	contractRows  = asm.GP(10)
)

// contract emits a contraction.
func (s *assembler) contract(n *codegen.Contract) error {
	if err := s.flush(); err != nil {
		return err
	}
	oriented := orientForVectors(*n)
	c := &contractCode{s, &oriented, n.Type.Size(), s.Width.VectorBytes() / max(n.Type.Size(), 4)}
	s.work += c.M * c.K * (c.N/c.lanes + 2)
	s.ops += opsPerFallback
	if !isAxpyForm(c.Contract) && isDotForm(c.Contract) {
		c.dotForm()
		return nil
	}
	begin := func(at asm.Reg, m codegen.Matrix) {
		s.address(at, m.Buf)
		s.Asm.Emit(asm.ADD, at, asm.Imm(int64(m.At)))
	}
	begin(contractRow, c.Left)
	begin(contractBase, c.Right)
	begin(contractOut, c.Out)
	row := s.Asm.NewLabel()
	if c.M > 1 {
		s.Asm.Emit(asm.MOV, contractRows, asm.Imm(int64(c.M)))
		s.Asm.Align(16)
		s.Asm.Bind(row)
	}
	if isAxpyForm(c.Contract) {
		c.axpyForm()
	} else {
		c.scalarForm()
	}
	if c.M > 1 {
		s.Asm.Emit(asm.ADD, contractRow, asm.Imm(int64(c.Left.Row)))
		s.Asm.Emit(asm.ADD, contractOut, asm.Imm(int64(c.Out.Row)))
		s.Asm.Emit(asm.SUB, contractRows, asm.Imm(1))
		s.Asm.Emit(asm.JNE, row)
	}
	return nil
}

// dotForm emits a gemv of lines, some lines at a time. The last lines may be computed twice.
func (c *contractCode) dotForm() {
	a, q := &c.Asm, gemm.SquareOf(c.size)
	args := c.reserve(gemm.DotSums + 8)
	c.constant(args+gemm.DotStep, int64(c.Right.Col))
	c.constant(args+gemm.DotSquares, int64(c.K/q.N))
	c.constant(args+gemm.DotRest, int64(c.K%q.N))
	for _, m := range []struct {
		arg int
		codegen.Matrix
	}{{gemm.DotA, c.Right}, {gemm.DotX, c.Left}, {gemm.DotSums, c.Out}} {
		c.address(asm.RAX, m.Buf)
		a.Emit(asm.ADD, asm.RAX, asm.Imm(int64(m.At)))
		a.Emit(asm.MOV, asm.Mem(asm.RDI, args+m.arg), asm.RAX)
	}
	lines := q.LinesPerCall()
	groups, rest := asm.RBP, c.N%lines
	a.Emit(asm.ADD, asm.RDI, asm.Imm(int64(args)))
	a.Emit(asm.MOV, groups, asm.Imm(int64((c.N+lines-1)/lines)))
	top, done := a.NewLabel(), a.NewLabel()
	advance := func(lines int) {
		a.Emit(asm.ADD, asm.Mem(asm.RDI, gemm.DotA).Sized(8), asm.Imm(int64(lines*c.Right.Col)))
		a.Emit(asm.ADD, asm.Mem(asm.RDI, gemm.DotSums).Sized(8), asm.Imm(int64(lines*c.size)))
		a.Emit(asm.JMP, top)
	}
	a.Bind(top)
	q.Dot(a)
	a.Emit(asm.SUB, groups, asm.Imm(1))
	a.Emit(asm.JE, done)
	if rest > 0 {
		next := a.NewLabel()
		a.Emit(asm.CMP, groups, asm.Imm(1))
		a.Emit(asm.JNE, next)
		advance(rest)
		a.Bind(next)
	}
	advance(lines)
	a.Bind(done)
	a.Emit(asm.SUB, asm.RDI, asm.Imm(int64(args)))
}

func (c *contractCode) of(single, double asm.Op) asm.Op {
	return target.ByElement(c.size, single, double)
}

func (c *contractCode) vector(i int) asm.Reg {
	if c.IsWide() {
		return asm.Z(i)
	}
	return asm.Y(i)
}

// axpyForm emits a row of the result, some vectors at a time; the last vector may be masked.
func (c *contractCode) axpyForm() {
	vectors, rest := (c.N+c.lanes-1)/c.lanes, c.N%c.lanes
	if rest > 0 {
		c.beginMask(rest)
	}
	for at := 0; at < vectors; at += sumVectors {
		n := min(sumVectors, vectors-at)
		c.sums(at*c.lanes*c.size, n, rest > 0 && at+n == vectors)
	}
}

// beginMask emits the mask of the last vector.
func (c *contractCode) beginMask(rest int) {
	if c.IsWide() {
		all := asm.GP32(asm.RAX.Num())
		c.Asm.Emit(asm.MOV, all, asm.Imm(1<<rest-1))
		c.Asm.Emit(asm.KMOVW, asm.K(1), all)
		return
	}
	mask := make([]byte, c.Width.VectorBytes())
	for i := range rest * c.size {
		mask[i] = 0xff
	}
	c.Asm.Emit(asm.VMOVUPS, c.vector(15), c.Asm.Const(mask).Sized(0))
}

// sums emits n vectors of a row of the result from a byte offset on; the last one may be masked.
func (c *contractCode) sums(offset, n int, masked bool) {
	a, vector := &c.Asm, c.lanes*c.size
	isBF16 := c.Type == dtype.BF16
	for i := range n {
		a.Emit(asm.VXORPS, asm.X(i), asm.X(i), asm.X(i))
	}
	x, part, mask := c.vector(sumVectors), c.vector(sumVectors+1), c.vector(15)
	add, load := c.of(asm.VFMADD231PS, asm.VFMADD231PD), c.of(asm.VMASKMOVPS, asm.VMASKMOVPD)
	term := func(left, right asm.Reg, k int) {
		at := asm.Mem(left, k*c.Left.Col)
		if isBF16 {
			a.Emit(asm.VPBROADCASTW, x, at)
			a.Emit(asm.VPSLLD, x, x, asm.Imm(16))
		} else {
			a.Emit(c.of(asm.VBROADCASTSS, asm.VBROADCASTSD), x, at)
		}
		for i := range n {
			from := asm.Mem(right, offset+k*c.Right.Row+i*vector)
			switch {
			case isBF16:
				a.Emit(asm.VPMOVZXWD, part, from)
				a.Emit(asm.VPSLLD, part, part, asm.Imm(16))
				a.Emit(add, c.vector(i), x, part)
			case !masked || i < n-1:
				a.Emit(add, c.vector(i), x, from)
			case c.IsWide():
				a.Masked(asm.K(1), false, add, c.vector(i), x, from)
			default:
				a.Emit(load, part, mask, from)
				a.Emit(add, c.vector(i), x, part)
			}
		}
	}
	if c.K*(n+1) <= maxUnrolled {
		for k := range c.K {
			term(contractRow, contractBase, k)
		}
	} else {
		const unroll = 4
		a.Emit(asm.MOV, contractLeft, contractRow)
		a.Emit(asm.MOV, contractRight, contractBase)
		a.Emit(asm.MOV, contractTerms, asm.Imm(int64(c.K/unroll)))
		top := a.NewLabel()
		a.Align(16)
		a.Bind(top)
		for k := range unroll {
			term(contractLeft, contractRight, k)
		}
		a.Emit(asm.ADD, contractLeft, asm.Imm(int64(unroll*c.Left.Col)))
		a.Emit(asm.ADD, contractRight, asm.Imm(int64(unroll*c.Right.Row)))
		a.Emit(asm.SUB, contractTerms, asm.Imm(1))
		a.Emit(asm.JNE, top)
		for k := range c.K % unroll {
			term(contractLeft, contractRight, k)
		}
	}
	for i := range n {
		to := asm.Mem(contractOut, offset+i*vector)
		switch {
		case isBF16:
			c.storeBF16(to, c.vector(i), x, part)
		case !masked || i < n-1:
			a.Emit(asm.VMOVUPS, to, c.vector(i))
		case c.IsWide():
			a.Masked(asm.K(1), false, c.of(asm.VMOVUPS, asm.VMOVUPD), to, c.vector(i))
		default:
			a.Emit(load, to, mask, c.vector(i))
		}
	}
}

// storeBF16 rounds sums and stores them. A NaN has a zero lower half: it comes from operands, or is the default NaN.
func (c *contractCode) storeBF16(to asm.Arg, sum, up, odd asm.Reg) {
	a := &c.Asm
	fill := func(x asm.Reg, word uint32) {
		a.Emit(asm.VPBROADCASTD, x, a.Const(binary.LittleEndian.AppendUint32(nil, word)).Sized(0))
	}
	fill(up, 1)
	a.Emit(asm.VPSRLD, odd, sum, asm.Imm(16))
	a.Emit(c.logic(asm.VPAND, asm.VPANDD), odd, odd, up)
	fill(up, 0x7fff)
	a.Emit(asm.VPADDD, sum, sum, up)
	a.Emit(asm.VPADDD, sum, sum, odd)
	a.Emit(asm.VPSRLD, sum, sum, asm.Imm(16))
	if c.IsWide() {
		a.Emit(asm.VPMOVDW, to, sum)
		return
	}
	const evenPairs = 0xd8
	a.Emit(asm.VPACKUSDW, sum, sum, sum)
	a.Emit(asm.VPERMQ, sum, sum, asm.Imm(evenPairs))
	a.Emit(asm.VMOVUPS, to, sum.As(asm.XMM))
}

func (c *contractCode) logic(narrow, wide asm.Op) asm.Op {
	if c.IsWide() {
		return wide
	}
	return narrow
}

// scalarForm emits a row of the result element by element, with several accumulators to hide the latency.
func (c *contractCode) scalarForm() {
	a, move := &c.Asm, c.of(asm.VMOVSS, asm.VMOVSD)
	for at := 0; at < c.N; at += sumVectors {
		n := min(sumVectors, c.N-at)
		for i := range n {
			a.Emit(asm.VXORPS, asm.X(i), asm.X(i), asm.X(i))
		}
		for k := range c.K {
			x := asm.X(sumVectors)
			a.Emit(move, x, asm.Mem(contractRow, k*c.Left.Col))
			for i := range n {
				a.Emit(c.of(asm.VFMADD231SS, asm.VFMADD231SD), asm.X(i), x,
					asm.Mem(contractBase, k*c.Right.Row+(at+i)*c.Right.Col))
			}
		}
		for i := range n {
			a.Emit(move, asm.Mem(contractOut, (at+i)*c.Out.Col), asm.X(i))
		}
	}
}
