package fourier

import (
	"encoding/binary"
	"math"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// negativeZero has only the sign bit.
var negativeZero = math.Copysign(0, -1)

// passArgs are the arguments of the code of a pass.
type passArgs struct {
	x, y, roots unsafe.Pointer
	points      int // at least 1
	vectors     int // of a point, at least 1
	xStep       int // bytes from an input of a butterfly to the next
	yStep       int // bytes from an output of a butterfly to the next
	rootStep    int // bytes from the first twiddle of a point to that of the next
	rootAt      int // byte offset of the first twiddle of the first point
}

// The byte offsets of the arguments.
const (
	passX = 8 * iota
	passY
	passRoots
	passPoints
	passVectors
	passXStep
	passYStep
	passRootStep
	passRootAt
)

// twiddleArgs are the arguments of the code that applies twiddles.
type twiddleArgs struct {
	x, outer, inner unsafe.Pointer
	rows            int // at least 1
	vectors         int // of a row, at least 1
	innerStep       int // bytes from a row of inner to the next
}

const (
	twiddleX = 8 * iota
	twiddleOuter
	twiddleInner
	twiddleRows
	twiddleVectors
	twiddleInnerStep
)

// fourierCode computes with vectors of complex128.
type fourierCode struct {
	asm.Assembler
	lanes int
}

// vector returns register n.
func (c *fourierCode) vector(n int) asm.Reg {
	switch c.lanes {
	case 1:
		return asm.X(n)
	case 2:
		return asm.Y(n)
	}
	return asm.Z(n)
}

// bytes returns the size of a vector.
func (c *fourierCode) bytes() int { return 16 * c.lanes }

// complexConst returns a constant vector of re + i·im.
func (c *fourierCode) complexConst(re, im float64) asm.Arg {
	var data []byte
	for range c.lanes {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(re))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(im))
	}
	return c.Const(data).Sized(0)
}

// broadcast broadcasts a float.
func (c *fourierCode) broadcast(to asm.Reg, from asm.Arg) {
	if c.lanes == 1 {
		c.Emit(asm.VMOVDDUP, to, from)
		return
	}
	c.Emit(asm.VBROADCASTSD, to, from)
}

// swapParts swaps real and imaginary parts.
func (c *fourierCode) swapParts(to, from asm.Reg) {
	c.Emit(asm.VPERMILPD, to, from, asm.Imm(0x55))
}

// negateReal negates real parts.
func (c *fourierCode) negateReal(x asm.Reg) {
	c.Emit(asm.VXORPD, x, x, c.complexConst(negativeZero, 0))
}

// mulMinusI multiplies by −i.
func (c *fourierCode) mulMinusI(x asm.Reg) {
	c.swapParts(x, x)
	c.Emit(asm.VXORPD, x, x, c.complexConst(0, negativeZero))
}

// A factor is a vector of complex numbers in the form for multiply: each real part twice, and each imaginary part with
// both signs.
type factor struct{ re, im asm.Reg }

// loadFactor broadcasts one number to a factor.
func (c *fourierCode) loadFactor(f factor, at func(disp int) asm.Arg) {
	c.broadcast(f.re, at(0))
	c.broadcast(f.im, at(8))
	c.negateReal(f.im)
}

// multiply multiplies x by a factor; each product is rounded.
func (c *fourierCode) multiply(x asm.Reg, f factor, t asm.Reg) {
	c.swapParts(t, x)
	c.Emit(asm.VMULPD, t, t, f.im)
	c.Emit(asm.VMULPD, x, x, f.re)
	c.Emit(asm.VADDPD, x, x, t)
}

// passCode is a pass of one radix.
type passCode struct {
	fourierCode
	radix int
}

// The registers of passes. Index registers hold the step, and three times the step.
var (
	passXAt, passXBy, passXBy3          = asm.RAX, asm.RBX, asm.RCX
	passYAt, passYBy, passYBy3          = asm.RDX, asm.GP(8), asm.GP(9)
	passRootsAt, passRootBy, passRoots3 = asm.GP(10), asm.GP(11), asm.GP(12)
	passVectorsLeft, passPointsLeft     = asm.GP(13), asm.GP(15)
)

// passTemp is the first of three temporaries, passFactors the first of the twiddle factors.
const passTemp, passFactors = 5, 8

// element returns the address of element j, in steps from base.
func element(base, step, step3 asm.Reg, j int) func(disp int) asm.Arg {
	return func(disp int) asm.Arg {
		switch j {
		case 0:
			return asm.Mem(base, disp)
		case 3:
			return asm.MemIndex(base, step3, 1, disp)
		}
		return asm.MemIndex(base, step, j, disp)
	}
}

// factor returns the registers of the twiddle factor of result k.
func (c *passCode) factor(k int) factor {
	return factor{c.vector(passFactors + 2*(k-1)), c.vector(passFactors + 2*(k-1) + 1)}
}

func (c *passCode) write() {
	for _, r := range []struct {
		to asm.Reg
		at int
	}{{passXAt, passX}, {passXBy, passXStep}, {passYAt, passY}, {passYBy, passYStep}, {passRootsAt, passRoots},
		{passRootBy, passRootAt}, {passPointsLeft, passPoints}} {
		c.EmitLoad(r.to, asm.RDI, r.at)
	}
	c.Emit(asm.LEA, passXBy3, asm.MemIndex(passXBy, passXBy, 2, 0))
	c.Emit(asm.LEA, passYBy3, asm.MemIndex(passYBy, passYBy, 2, 0))
	point, vector := c.NewLabel(), c.NewLabel()
	c.Align(16)
	c.Bind(point)
	c.Emit(asm.LEA, passRoots3, asm.MemIndex(passRootBy, passRootBy, 2, 0))
	for k := 1; k < c.radix; k++ {
		c.loadFactor(c.factor(k), element(passRootsAt, passRootBy, passRoots3, k))
	}
	c.Emit(asm.ADD, passRootBy, asm.Mem(asm.RDI, passRootStep))
	c.EmitLoad(passVectorsLeft, asm.RDI, passVectors)
	c.Bind(vector)
	for j := range c.radix {
		c.Emit(asm.VMOVUPD, c.vector(j), element(passXAt, passXBy, passXBy3, j)(0))
	}
	c.butterfly()
	c.EmitImm(asm.ADD, passXAt, int64(c.bytes()))
	c.EmitImm(asm.ADD, passYAt, int64(c.bytes()))
	c.EmitImm(asm.SUB, passVectorsLeft, 1)
	c.Emit(asm.JNE, vector)
	// The address is past the first results; skip the others.
	c.Emit(asm.LEA, passYAt, element(passYAt, passYBy, passYBy3, c.radix-1)(0))
	c.EmitImm(asm.SUB, passPointsLeft, 1)
	c.Emit(asm.JNE, point)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}

// store multiplies result k by its twiddle factor and stores it.
func (c *passCode) store(k int, x asm.Reg) {
	if k > 0 {
		c.multiply(x, c.factor(k), c.vector(passTemp+2))
	}
	c.Emit(asm.VMOVUPD, element(passYAt, passYBy, passYBy3, k)(0), x)
}

// butterfly computes a butterfly, in the order of operations of package fft.
func (c *passCode) butterfly() {
	switch c.radix {
	case 2:
		c.butterfly2()
	case 3:
		c.butterfly3()
	case 4:
		c.butterfly4()
	case 5:
		c.butterfly5()
	}
}

func (c *passCode) add(to, x, y asm.Reg)      { c.Emit(asm.VADDPD, to, x, y) }
func (c *passCode) subtract(to, x, y asm.Reg) { c.Emit(asm.VSUBPD, to, x, y) }

// times multiplies by a real number.
func (c *passCode) times(to, x asm.Reg, by float64) {
	c.Emit(asm.VMULPD, to, x, c.complexConst(by, by))
}

// sumAndDifference sets sum to x+y and x to x−y.
func (c *passCode) sumAndDifference(sum, x, y asm.Reg) {
	c.add(sum, x, y)
	c.subtract(x, x, y)
}

func (c *passCode) butterfly2() {
	x, y, t := c.vector(0), c.vector(1), c.vector(passTemp)
	c.sumAndDifference(t, x, y)
	c.store(0, t)
	c.store(1, x)
}

func (c *passCode) butterfly3() {
	x, y, z, t := c.vector(0), c.vector(1), c.vector(2), c.vector(passTemp)
	c.sumAndDifference(t, y, z)
	c.add(z, x, t)
	c.store(0, z)
	c.times(t, t, 0.5)
	c.subtract(x, x, t)
	c.times(y, y, 0.866025403784438646763723170752936183) // sin(2π/3)
	c.mulMinusI(y)
	c.sumAndDifference(t, x, y)
	c.store(1, t)
	c.store(2, x)
}

func (c *passCode) butterfly4() {
	v := c.vector
	x0, x1, x2, x3, even, odd := v(0), v(1), v(2), v(3), v(passTemp), v(passTemp+1)
	c.sumAndDifference(even, x0, x2)
	c.sumAndDifference(odd, x1, x3)
	c.mulMinusI(x1)
	c.sumAndDifference(x2, even, odd)
	c.store(0, x2)
	c.store(2, even)
	c.sumAndDifference(x3, x0, x1)
	c.store(1, x3)
	c.store(3, x0)
}

func (c *passCode) butterfly5() {
	const ( // cosines and sines of 2π/5 and 4π/5
		c1 = 0.309016994374947424102293417182819059
		c2 = -0.809016994374947424102293417182819059
		s1 = 0.951056516295153572116439333379382143
		s2 = 0.587785252292473129168705954639072769
	)
	v := c.vector
	x, b, cc, d, e, t, u, w := v(0), v(1), v(2), v(3), v(4), v(passTemp), v(passTemp+1), v(passTemp+2)
	c.sumAndDifference(t, b, e)  // t = b+e, b = b−e
	c.sumAndDifference(e, cc, d) // e = c+d, cc = c−d
	c.add(d, x, t)
	c.add(d, d, e)
	c.store(0, d)
	weightedSum := func(to, start asm.Reg, byT, byE float64) {
		c.times(w, t, byT)
		c.add(to, start, w)
		c.times(w, e, byE)
		c.add(to, to, w)
	}
	weightedSum(u, x, c1, c2)
	weightedSum(x, x, c2, c1)
	c.times(t, b, s1)
	c.times(w, cc, s2)
	c.add(t, t, w)
	c.times(b, b, s2)
	c.times(cc, cc, s1)
	c.subtract(b, b, cc)
	c.mulMinusI(t)
	c.mulMinusI(b)
	c.sumAndDifference(d, u, t)
	c.sumAndDifference(e, x, b)
	c.store(1, d)
	c.store(2, e)
	c.store(3, x)
	c.store(4, u)
}

// applyTwiddles multiplies rows by twiddle factors that are products of two.
func (c *fourierCode) applyTwiddles() {
	x, outer, inner, rows, vectors, step := asm.RAX, asm.RBX, asm.RCX, asm.RDX, asm.GP(8), asm.GP(9)
	innerAt := asm.GP(10)
	c.EmitLoad(x, asm.RDI, twiddleX)
	c.EmitLoad(outer, asm.RDI, twiddleOuter)
	c.EmitLoad(inner, asm.RDI, twiddleInner)
	c.EmitLoad(rows, asm.RDI, twiddleRows)
	c.EmitLoad(step, asm.RDI, twiddleInnerStep)
	row, vector := c.NewLabel(), c.NewLabel()
	first, w, v, t := factor{c.vector(0), c.vector(1)}, c.vector(2), c.vector(3), c.vector(4)
	root := factor{c.vector(5), c.vector(6)}
	c.Bind(row)
	c.loadFactor(first, func(disp int) asm.Arg { return asm.Mem(outer, disp) })
	c.Emit(asm.MOV, innerAt, inner)
	c.EmitLoad(vectors, asm.RDI, twiddleVectors)
	c.Bind(vector)
	c.Emit(asm.VMOVUPD, w, asm.Mem(innerAt, 0))
	c.Emit(asm.VMOVUPD, v, asm.Mem(x, 0))
	c.multiply(w, first, t)
	c.Emit(asm.VMOVDDUP, root.re, w)
	c.Emit(asm.VPERMILPD, root.im, w, asm.Imm(0xff))
	c.negateReal(root.im)
	c.multiply(v, root, t)
	c.Emit(asm.VMOVUPD, asm.Mem(x, 0), v)
	c.EmitImm(asm.ADD, x, int64(c.bytes()))
	c.EmitImm(asm.ADD, innerAt, int64(c.bytes()))
	c.EmitImm(asm.SUB, vectors, 1)
	c.Emit(asm.JNE, vector)
	c.EmitImm(asm.ADD, outer, 16)
	c.Emit(asm.ADD, inner, step)
	c.EmitImm(asm.SUB, rows, 1)
	c.Emit(asm.JNE, row)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}
