package amd64

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// Elements with a stride of two, four or eight are read as wider elements, up to 8 bytes, of which AVX-512 truncates
// each to the lowest bytes, and AVX2 packs them. AVX-512 also writes them as wider elements under a mask. Reversed
// elements are shuffled in registers.

// strideKind is a kind of strided rows: elements of size bytes with a stride, read or written.
type strideKind struct {
	size, stride int64
	writes       bool
	wide         bool // AVX-512 code
}

// forWidth returns the kind of code that a width uses.
func (k strideKind) forWidth(w Width) strideKind {
	k.wide = w == V512 && k.stride != reverseStride
	return k
}

// strideOps returns the instructions that truncate wider elements, and that extend to them; ok is false if there are
// none.
func strideOps(size, stride int64) (narrow, widen asm.Op, ok bool) {
	switch [2]int64{size, stride} {
	case [2]int64{1, 2}:
		return asm.VPMOVWB, asm.VPMOVZXBW, true
	case [2]int64{1, 4}:
		return asm.VPMOVDB, asm.VPMOVZXBD, true
	case [2]int64{1, 8}:
		return asm.VPMOVQB, asm.VPMOVZXBQ, true
	case [2]int64{2, 2}:
		return asm.VPMOVDW, asm.VPMOVZXWD, true
	case [2]int64{2, 4}:
		return asm.VPMOVQW, asm.VPMOVZXWQ, true
	case [2]int64{4, 2}:
		return asm.VPMOVQD, asm.VPMOVZXDQ, true
	}
	return 0, 0, false
}

// strideArguments are the arguments of the code of strided rows, in the order of its loads.
type strideArguments struct {
	strided, dense uintptr // addresses of the strided and of the contiguous elements
	rows           int64   // at least 1
	step           int64   // bytes from a row to the next on the strided side
	vectors        int64   // full vectors of a row, without its last element; for a reversed row its bytes
	rest           int64   // elements between the vectors and the last element
	last           int64   // bytes from the first element of a row to the last
}

// strideFunc copies the elements of strided rows.
type strideFunc func(kind strideKind, args *strideArguments)

// hasStride reports whether there is code for a kind: AVX2 has none for strided writes.
func hasStride(w Width, kind strideKind) bool { return kind.forWidth(w).code() != nil }

// strides are the code of each kind, assembled at first use.
var strides [4][4][3]atomic.Pointer[stepCode]

// slot returns the index of the code of a kind; stride is negative if there is none.
func (k strideKind) slot() (size, stride, code int) {
	switch k.stride {
	case 2, 4, 8:
		stride = bits.TrailingZeros64(uint64(k.stride))
	case reverseStride:
	default:
		stride = -1
	}
	switch {
	case k.writes && !k.wide:
		stride = -1
	case k.writes:
		code = 2
	case k.wide:
		code = 1
	}
	return bits.TrailingZeros64(uint64(k.size)), stride, code
}

// code returns the entry of the code of a kind, nil if there is none.
func (k strideKind) code() *atomic.Pointer[stepCode] {
	size, stride, code := k.slot()
	if stride < 0 || size >= len(strides) {
		return nil
	}
	if _, _, ok := strideOps(k.size, k.stride); !ok && (k.stride != reverseStride || code != 0) {
		return nil
	}
	return &strides[size][stride][code]
}

var lazyStrides lazyCode

func runStride(kind strideKind, args *strideArguments) {
	at := kind.code()
	c := at.Load()
	if c == nil {
		name := fmt.Sprintf("stride_%d_%d", kind.size, kind.stride)
		c = lazyStrides.code(at, true, name, func() (c *stepCode, err error) {
			c = &stepCode{}
			c.text, c.instructionBytes, err = strideCode(kind)
			return c, err
		})
	}
	c.f.Call(unsafe.Pointer(args))
}

// strideCoder emits the code of a kind.
type strideCoder struct {
	asm.Assembler
	strideKind
	op asm.Op
}

// The registers of the code of strided rows.
var (
	stridedReg, denseReg, strideCount, strideRow = asm.RAX, asm.RBX, asm.RCX, asm.RDX
	strideRest, strideStep, strideVectors        = asm.GP(8), asm.GP(9), asm.GP(10)
	strideLeft, strideLast                       = asm.GP(11), asm.GP(12)
	strideTail, strideAll, strideEnd             = asm.K(1), asm.K(2), asm.K(3) // masks of wide and narrow elements
	strideLowest                                 = asm.Y(2)                     // the bytes that AVX2 keeps
)

// strideCode returns the code of a kind.
func strideCode(kind strideKind) (text []byte, bytes int, err error) {
	narrow, widen, _ := strideOps(kind.size, kind.stride)
	c := &strideCoder{strideKind: kind, op: narrow}
	if kind.writes {
		c.op = widen
	}
	if kind.stride == reverseStride {
		c.reverse()
	} else {
		c.write()
	}
	bytes = c.Len()
	text, err = c.Finish()
	return text, bytes, err
}

func (c *strideCoder) write() {
	const vector = 64
	for i, r := range []asm.Reg{stridedReg, denseReg, strideCount, strideStep, strideVectors, strideRest, strideLast} {
		c.EmitLoad(r, asm.RDI, 8*i)
	}
	switch {
	case c.wide:
		c.EmitImm(asm.MOV, strideLeft, -1)
		c.Emit(asm.BZHI, strideLeft, strideLeft, strideRest)
		c.Emit(asm.KMOVQ, strideTail, strideLeft)
	case c.size < 4:
		element := make([]byte, c.size*c.stride)
		for i := range c.size {
			element[i] = 0xff
		}
		c.Emit(asm.VMOVUPS, strideLowest, c.Const(bytes.Repeat(element, 32/len(element))).Sized(0))
	}
	if c.writes {
		c.narrowMasks()
	}
	rows, loop, tail, end := c.NewLabel(), c.NewLabel(), c.NewLabel(), c.NewLabel()
	c.Align(16)
	c.Bind(rows)
	c.Emit(asm.MOV, strideRow, stridedReg)
	c.Emit(asm.MOV, strideLeft, strideVectors)
	c.Emit(asm.TEST, strideLeft, strideLeft)
	c.Emit(asm.JE, tail)
	c.Bind(loop)
	c.vector()
	c.EmitImm(asm.ADD, strideRow, vector)
	c.EmitImm(asm.ADD, denseReg, vector/c.stride)
	c.EmitImm(asm.SUB, strideLeft, 1)
	c.Emit(asm.JNE, loop)
	c.Bind(tail)
	c.Emit(asm.TEST, strideRest, strideRest)
	c.Emit(asm.JE, end)
	if c.wide {
		c.maskedTail()
		c.Emit(asm.LEA, denseReg, asm.MemIndex(denseReg, strideRest, int(c.size), 0))
	} else {
		c.scalarTail()
	}
	c.Bind(end)
	from, to := asm.MemIndex(stridedReg, strideLast, 1, 0), asm.Mem(denseReg, 0)
	if c.writes {
		from, to = to, from
	}
	c.element(to, from)
	c.EmitImm(asm.ADD, denseReg, c.size)
	c.Emit(asm.ADD, stridedReg, strideStep)
	c.EmitImm(asm.SUB, strideCount, 1)
	c.Emit(asm.JNE, rows)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}

// narrowMasks sets the masks of written narrow elements: of a full vector and of the tail.
func (c *strideCoder) narrowMasks() {
	all := int64(0)
	for i := int64(0); i < 64/c.size; i += c.stride {
		all |= 1 << i
	}
	c.EmitImm(asm.MOV, strideLeft, all)
	c.Emit(asm.KMOVQ, strideAll, strideLeft)
	c.Emit(asm.MOV, strideRow, strideRest)
	for n := c.stride; n > 1; n /= 2 {
		c.Emit(asm.ADD, strideRow, strideRow)
	}
	c.Emit(asm.BZHI, strideLeft, strideLeft, strideRow)
	c.Emit(asm.KMOVQ, strideEnd, strideLeft)
}

// dense returns the vector of the contiguous elements.
func (c *strideCoder) dense() asm.Reg {
	if c.stride == 2 {
		return asm.Y(1)
	}
	return asm.X(1)
}

// maskedMove returns the move of narrow elements under a mask.
func (c *strideCoder) maskedMove() asm.Op {
	return map[int64]asm.Op{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32}[c.size]
}

// vector copies a full vector; AVX2 copies two halves.
func (c *strideCoder) vector() {
	if !c.wide {
		c.pack()
		return
	}
	x := asm.Z(0)
	if c.writes {
		c.Emit(c.op, x, asm.Mem(denseReg, 0))
		c.Masked(strideAll, false, c.maskedMove(), asm.Mem(strideRow, 0), x)
		return
	}
	c.Emit(asm.VMOVUPS, x, asm.Mem(strideRow, 0))
	c.Emit(c.op, asm.Mem(denseReg, 0), x)
}

// pack packs the lowest parts of the elements of two vectors. It halves the element size in each step, of two vectors
// in the first one; at the end it restores the order of the 128-bit lanes.
func (c *strideCoder) pack() {
	x, y := asm.Y(0), asm.Y(1)
	c.Emit(asm.VMOVUPS, x, asm.Mem(strideRow, 0))
	c.Emit(asm.VMOVUPS, y, asm.Mem(strideRow, 32))
	if c.size == 4 {
		const even = 0x88
		c.Emit(asm.VSHUFPS, x, x, y, asm.Imm(even))
	} else {
		c.Emit(asm.VPAND, x, x, strideLowest)
		c.Emit(asm.VPAND, y, y, strideLowest)
		for wide := c.size * c.stride; wide > c.size; wide /= 2 {
			op := asm.VPACKUSDW // the upper half of each 8-byte lane stays 0
			if wide == 2 {
				op = asm.VPACKUSWB
			}
			c.Emit(op, x, x, y)
			y = x
		}
	}
	low, high := x.As(asm.XMM), asm.X(1)
	switch c.stride {
	case 2:
		const evenPairs = 0xd8
		c.Emit(asm.VPERMQ, x, x, asm.Imm(evenPairs))
		c.Emit(asm.VMOVUPS, asm.Mem(denseReg, 0), x)
	case 4:
		c.Emit(asm.VEXTRACTI128, high, x, asm.Imm(1))
		c.Emit(asm.VPUNPCKLDQ, low, low, high)
		c.Emit(asm.VMOVUPS, asm.Mem(denseReg, 0), low)
	default:
		c.Emit(asm.VEXTRACTI128, high, x, asm.Imm(1))
		c.Emit(asm.VPUNPCKLWD, low, low, high)
		c.Emit(asm.VMOVQ, asm.Mem(denseReg, 0), low)
	}
}

// scalarTail copies the tail element by element.
func (c *strideCoder) scalarTail() {
	next, strided := c.NewLabel(), asm.GP(13)
	c.Emit(asm.MOV, strided, strideRow)
	c.Emit(asm.MOV, strideLeft, strideRest)
	c.Bind(next)
	c.element(asm.Mem(denseReg, 0), asm.Mem(strided, 0))
	c.EmitImm(asm.ADD, strided, c.size*c.stride)
	c.EmitImm(asm.ADD, denseReg, c.size)
	c.EmitImm(asm.SUB, strideLeft, 1)
	c.Emit(asm.JNE, next)
}

// maskedTail copies the tail under a mask.
func (c *strideCoder) maskedTail() {
	x := asm.Z(0)
	if c.writes {
		c.Masked(strideTail, true, c.maskedMove(), c.dense(), asm.Mem(denseReg, 0))
		c.Emit(c.op, x, c.dense())
		c.Masked(strideEnd, false, c.maskedMove(), asm.Mem(strideRow, 0), x)
		return
	}
	wide := map[int64]asm.Op{2: asm.VMOVDQU16, 4: asm.VMOVDQU32, 8: asm.VMOVDQU64}[c.size*c.stride]
	c.Masked(strideTail, true, wide, x, asm.Mem(strideRow, 0))
	c.Emit(c.op, c.dense(), x)
	c.Masked(strideTail, false, c.maskedMove(), asm.Mem(denseReg, 0), c.dense())
}

// element copies one element.
func (c *strideCoder) element(to, from asm.Arg) {
	word := strideRow.As(asm.R32)
	switch c.size {
	case 1:
		c.Emit(asm.MOVZX, word, from.Sized(1))
		c.Emit(asm.MOV, to, strideRow.As(asm.R8))
	case 2:
		c.Emit(asm.MOVZX, word, from.Sized(2))
		c.Emit(asm.MOV, to, strideRow.As(asm.R16))
	default:
		c.Emit(asm.MOV, word, from)
		c.Emit(asm.MOV, to, word)
	}
}

// copyByStride copies rows of strided elements to contiguous memory or back, and reports whether there is code for
// that.
func (c *Code) copyByStride(strided, dense unsafe.Pointer, kind strideKind, rows, row, step int64, m *Scratch) bool {
	if rows*row < minStrided || row < 4 || !hasStride(c.width, kind) {
		return false
	}
	if kind.stride == reverseStride {
		bytes := row * kind.size
		if bytes < reverseBytes {
			return false
		}
		m.strideArgs = strideArguments{strided: uintptr(strided), dense: uintptr(dense), rows: rows, step: step,
			vectors: bytes}
		c.strideFn(kind, &m.strideArgs)
		return true
	}
	kind = kind.forWidth(c.width)
	lanes := 64 / (kind.size * kind.stride)
	m.strideArgs = strideArguments{uintptr(strided), uintptr(dense), rows, step, (row - 1) / lanes, (row - 1) % lanes,
		(row - 1) * kind.size * kind.stride}
	c.strideFn(kind, &m.strideArgs)
	return true
}
