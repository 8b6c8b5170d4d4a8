package move

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// Elements with a stride of two, four or eight are read as wider elements, up to 8 bytes, of which AVX-512 truncates
// each to the lowest bytes, and AVX2 packs them. AVX-512 also writes them as wider elements under a mask. Reversed
// elements are shuffled in registers.

// StrideKind is a kind of strided rows: elements of size bytes with a stride, read or written.
type StrideKind struct {
	Size, Stride int64
	Writes       bool
	wide         bool // AVX-512 code
}

// forWidth returns the kind of code that a width uses.
func (k StrideKind) forWidth(w target.Width) StrideKind {
	k.wide = w == target.V512 && k.Stride != ReverseStride
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

// StrideArguments are the arguments of the code of strided rows, in the order of its loads.
type StrideArguments struct {
	strided, dense uintptr // addresses of the strided and of the contiguous elements
	rows           int64   // at least 1
	step           int64   // bytes from a row to the next on the strided side
	vectors        int64   // full vectors of a row, without its last element; for a reversed row its bytes
	rest           int64   // elements between the vectors and the last element
	last           int64   // bytes from the first element of a row to the last
}

// Set sets the arguments of a copy of rows with row elements, step bytes apart, and returns the kind of code that a
// width uses. It reports whether there is code that is faster than a loop.
func (a *StrideArguments) Set(w target.Width, kind StrideKind, strided, dense unsafe.Pointer, rows, row,
	step int64) (_ StrideKind, ok bool) {
	if rows*row < minStrided || row < 4 || !HasStride(w, kind) {
		return kind, false
	}
	if kind.Stride == ReverseStride {
		bytes := row * kind.Size
		if bytes < ReverseBytes {
			return kind, false
		}
		*a = StrideArguments{strided: uintptr(strided), dense: uintptr(dense), rows: rows, step: step, vectors: bytes}
		return kind, true
	}
	kind = kind.forWidth(w)
	lanes := 64 / (kind.Size * kind.Stride)
	*a = StrideArguments{uintptr(strided), uintptr(dense), rows, step, (row - 1) / lanes, (row - 1) % lanes,
		(row - 1) * kind.Size * kind.Stride}
	return kind, true
}

// StrideFunc copies the elements of strided rows.
type StrideFunc func(kind StrideKind, args *StrideArguments)

// HasStride reports whether there is code for a kind: AVX2 has none for strided writes.
func HasStride(w target.Width, kind StrideKind) bool { return kind.forWidth(w).code() != nil }

// strides are the code of each kind, assembled at first use.
var strides [4][4][3]atomic.Pointer[target.Code]

// slot returns the index of the code of a kind; stride is negative if there is none.
func (k StrideKind) slot() (size, stride, code int) {
	switch k.Stride {
	case 2, 4, 8:
		stride = bits.TrailingZeros64(uint64(k.Stride))
	case ReverseStride:
	default:
		stride = -1
	}
	switch {
	case k.Writes && !k.wide:
		stride = -1
	case k.Writes:
		code = 2
	case k.wide:
		code = 1
	}
	return bits.TrailingZeros64(uint64(k.Size)), stride, code
}

// code returns the entry of the code of a kind, nil if there is none.
func (k StrideKind) code() *atomic.Pointer[target.Code] {
	size, stride, code := k.slot()
	if stride < 0 || size >= len(strides) {
		return nil
	}
	if _, _, ok := strideOps(k.Size, k.Stride); !ok && (k.Stride != ReverseStride || code != 0) {
		return nil
	}
	return &strides[size][stride][code]
}

var lazyStrides target.Lazy

// RunStride copies by code of a kind, which it assembles at first use.
func RunStride(kind StrideKind, args *StrideArguments) {
	at := kind.code()
	c := at.Load()
	if c == nil {
		name := fmt.Sprintf("stride_%d_%d", kind.Size, kind.Stride)
		c = lazyStrides.Get(at, true, name, func() (c *target.Code, err error) {
			c = &target.Code{}
			c.Text, c.InstructionBytes, err = StrideCode(kind)
			return c, err
		})
	}
	c.Function.Call(unsafe.Pointer(args))
}

// strideCoder emits the code of a kind.
type strideCoder struct {
	asm.Assembler
	StrideKind
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

// StrideCode returns the code of a kind.
func StrideCode(kind StrideKind) (text []byte, bytes int, err error) {
	narrow, widen, _ := strideOps(kind.Size, kind.Stride)
	c := &strideCoder{StrideKind: kind, op: narrow}
	if kind.Writes {
		c.op = widen
	}
	if kind.Stride == ReverseStride {
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
	case c.Size < 4:
		element := make([]byte, c.Size*c.Stride)
		for i := range c.Size {
			element[i] = 0xff
		}
		c.Emit(asm.VMOVUPS, strideLowest, c.Const(bytes.Repeat(element, 32/len(element))).Sized(0))
	}
	if c.Writes {
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
	c.EmitImm(asm.ADD, denseReg, vector/c.Stride)
	c.EmitImm(asm.SUB, strideLeft, 1)
	c.Emit(asm.JNE, loop)
	c.Bind(tail)
	c.Emit(asm.TEST, strideRest, strideRest)
	c.Emit(asm.JE, end)
	if c.wide {
		c.maskedTail()
		c.Emit(asm.LEA, denseReg, asm.MemIndex(denseReg, strideRest, int(c.Size), 0))
	} else {
		c.scalarTail()
	}
	c.Bind(end)
	from, to := asm.MemIndex(stridedReg, strideLast, 1, 0), asm.Mem(denseReg, 0)
	if c.Writes {
		from, to = to, from
	}
	c.element(to, from)
	c.EmitImm(asm.ADD, denseReg, c.Size)
	c.Emit(asm.ADD, stridedReg, strideStep)
	c.EmitImm(asm.SUB, strideCount, 1)
	c.Emit(asm.JNE, rows)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}

// narrowMasks sets the masks of written narrow elements: of a full vector and of the tail.
func (c *strideCoder) narrowMasks() {
	all := int64(0)
	for i := int64(0); i < 64/c.Size; i += c.Stride {
		all |= 1 << i
	}
	c.EmitImm(asm.MOV, strideLeft, all)
	c.Emit(asm.KMOVQ, strideAll, strideLeft)
	c.Emit(asm.MOV, strideRow, strideRest)
	for n := c.Stride; n > 1; n /= 2 {
		c.Emit(asm.ADD, strideRow, strideRow)
	}
	c.Emit(asm.BZHI, strideLeft, strideLeft, strideRow)
	c.Emit(asm.KMOVQ, strideEnd, strideLeft)
}

// dense returns the vector of the contiguous elements.
func (c *strideCoder) dense() asm.Reg {
	if c.Stride == 2 {
		return asm.Y(1)
	}
	return asm.X(1)
}

// maskedMove returns the move of narrow elements under a mask.
func (c *strideCoder) maskedMove() asm.Op {
	return map[int64]asm.Op{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32}[c.Size]
}

// vector copies a full vector; AVX2 copies two halves.
func (c *strideCoder) vector() {
	if !c.wide {
		c.pack()
		return
	}
	x := asm.Z(0)
	if c.Writes {
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
	if c.Size == 4 {
		const even = 0x88
		c.Emit(asm.VSHUFPS, x, x, y, asm.Imm(even))
	} else {
		c.Emit(asm.VPAND, x, x, strideLowest)
		c.Emit(asm.VPAND, y, y, strideLowest)
		for wide := c.Size * c.Stride; wide > c.Size; wide /= 2 {
			op := asm.VPACKUSDW // the upper half of each 8-byte lane stays 0
			if wide == 2 {
				op = asm.VPACKUSWB
			}
			c.Emit(op, x, x, y)
			y = x
		}
	}
	low, high := x.As(asm.XMM), asm.X(1)
	switch c.Stride {
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
	c.EmitImm(asm.ADD, strided, c.Size*c.Stride)
	c.EmitImm(asm.ADD, denseReg, c.Size)
	c.EmitImm(asm.SUB, strideLeft, 1)
	c.Emit(asm.JNE, next)
}

// maskedTail copies the tail under a mask.
func (c *strideCoder) maskedTail() {
	x := asm.Z(0)
	if c.Writes {
		c.Masked(strideTail, true, c.maskedMove(), c.dense(), asm.Mem(denseReg, 0))
		c.Emit(c.op, x, c.dense())
		c.Masked(strideEnd, false, c.maskedMove(), asm.Mem(strideRow, 0), x)
		return
	}
	wide := map[int64]asm.Op{2: asm.VMOVDQU16, 4: asm.VMOVDQU32, 8: asm.VMOVDQU64}[c.Size*c.Stride]
	c.Masked(strideTail, true, wide, x, asm.Mem(strideRow, 0))
	c.Emit(c.op, c.dense(), x)
	c.Masked(strideTail, false, c.maskedMove(), asm.Mem(denseReg, 0), c.dense())
}

// element copies one element.
func (c *strideCoder) element(to, from asm.Arg) {
	word := strideRow.As(asm.R32)
	switch c.Size {
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
