package scatter

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// offsetArgs are the arguments of the code that computes the offsets of scatters; the first are those of the loop.
type offsetArgs struct {
	src, dst     unsafe.Pointer
	count        int // of vectors of offsets, at least 1
	step         int // bytes from the index of a vector to that of the next
	stride       int
	limit        int
	indexOffsets [8]int64 // byte offsets of the indices of a vector from the first
}

// The byte offsets of the arguments.
const (
	offsetStep = 8 * (iota + target.LoopArgs)
	offsetStride
	offsetLimit
	offsetIndexOffsets
)

// offsetKind is the key of code.
type offsetKind struct {
	size    int  // bytes of an index
	strided bool // the indices are not contiguous
	adds    bool // the result is added to the offsets so far
}

// slot returns the index of the code of a kind.
func (k offsetKind) slot() int {
	n := k.size / 8
	for i, is := range [...]bool{k.strided, k.adds} {
		if is {
			n += 2 << i
		}
	}
	return n
}

const numOffsetKinds = 8

// offsetSteps compute the offsets of the rows of scatters, at one width.
type offsetSteps struct {
	w       target.Width
	emulate func(c *target.Code, args *offsetArgs) // runs code in tests, instead of the processor
	code    [numOffsetKinds]atomic.Pointer[target.Code]
	lazy    target.Lazy
	args    sync.Pool // of *offsetArgs
}

// Offsets computes the first offsets, a multiple of the vector length.
func (s *offsetSteps) Offsets(at []int, indices unsafe.Pointer, size, step, stride, limit int, moves bool) int {
	lanes := s.w.VectorBytes() / 8
	k := offsetKind{size, step != 1, moves}
	isTooLarge := stride > math.MaxInt32 || limit < 0 || limit >= math.MaxInt32
	if len(at) < lanes || isTooLarge {
		return 0
	}
	a, ok := s.args.Get().(*offsetArgs)
	if !ok {
		a = &offsetArgs{}
	}
	*a = offsetArgs{src: indices, dst: unsafe.Pointer(&at[0]), count: len(at) / lanes, step: lanes * step * size,
		stride: stride, limit: limit}
	if k.strided {
		for i := range a.indexOffsets {
			a.indexOffsets[i] = int64(i * step * size)
		}
	}
	c := s.get(k)
	if s.emulate != nil {
		s.emulate(c, a)
	} else {
		c.Function.Call(unsafe.Pointer(a))
	}
	a.src, a.dst = nil, nil
	s.args.Put(a)
	return len(at) / lanes * lanes
}

// get returns code, which it assembles at first use.
func (s *offsetSteps) get(k offsetKind) *target.Code {
	at := &s.code[k.slot()]
	if c := at.Load(); c != nil {
		return c
	}
	return s.lazy.Get(at, s.emulate == nil, k.name(), func() (*target.Code, error) { return s.assemble(k) })
}

// name returns the name of code in profiles.
func (k offsetKind) name() string {
	name := fmt.Sprintf("scatter_offsets_%d", 8*k.size)
	if k.strided {
		name += "_strided"
	}
	if k.adds {
		name += "_added"
	}
	return name
}

// assemble assembles code.
func (s *offsetSteps) assemble(k offsetKind) (*target.Code, error) {
	c := &offsetCode{Loop: target.Loop{Vectors: target.Vectors{Width: s.w, Size: 8}}, kind: k}
	c.write()
	out, err := target.Finish(&c.Assembler)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.w, k.name(), err)
	}
	return out, nil
}

// offsetCode computes offsets: index·stride, or -1 if the index is out of bounds.
type offsetCode struct {
	target.Loop
	kind offsetKind
}

// The vectors of the code.
const (
	offsetIndex = iota
	offsetProduct
	offsetOutside
	offsetStrides
	offsetLimits
	offsetSentinel
	offsetGather
)

// offsetOutsideK and offsetAllK are masks: of the offsets that are out of bounds, and of all.
const offsetOutsideK, offsetAllK = 2, 3

func (c *offsetCode) write() {
	c.Begin()
	step := asm.GP(9)
	index, product, strides, limits, sentinel := c.Vector(offsetIndex), c.Vector(offsetProduct),
		c.Vector(offsetStrides), c.Vector(offsetLimits), c.Vector(offsetSentinel)
	c.Emit(asm.MOV, step, asm.Mem(asm.RDI, offsetStep))
	c.Broadcast(strides, asm.Mem(asm.RDI, offsetStride))
	c.Broadcast(limits, asm.Mem(asm.RDI, offsetLimit))
	switch {
	case c.kind.strided && c.Width == target.V512:
		c.Emit(asm.VMOVUPS, c.Vector(offsetGather), asm.Mem(asm.RDI, offsetIndexOffsets))
	case c.kind.strided:
		c.Emit(asm.MOV, offsetSecond, asm.Mem(asm.RDI, offsetIndexOffsets+8))
		c.Emit(asm.LEA, offsetFourth, asm.MemIndex(offsetSecond, offsetSecond, 2, 0))
	}
	if c.Width == target.V512 {
		const all = 0xff
		c.Emit(asm.VPTERNLOGD, sentinel, sentinel, sentinel, asm.Imm(all))
	} else {
		c.Emit(asm.VPCMPEQD, sentinel, sentinel, sentinel)
	}
	c.Times(func() {
		c.load(index)
		c.Emit(asm.VPMULUDQ, product, index, strides)
		if c.kind.adds {
			c.Emit(asm.VPADDQ, product, product, asm.Mem(target.LoopTo, 0))
		}
		c.maskOutside(product, index, limits, sentinel)
		c.Emit(asm.VMOVUPS, asm.Mem(target.LoopTo, 0), product)
		c.Emit(asm.ADD, target.LoopFrom, step)
		c.Emit(asm.ADD, target.LoopTo, asm.Imm(int64(c.Width.VectorBytes())))
	}, func() {})
}

// offsetSecond and offsetFourth are the byte offsets of the second and the fourth index of a vector from the first, on
// AVX2.
var offsetSecond, offsetFourth = asm.GP(10), asm.GP(11)

// loadStrided loads the four indices of an AVX2 vector one by one, which is faster than a gather.
func (c *offsetCode) loadStrided(index asm.Reg) {
	first, second := asm.Mem(target.LoopFrom, 0), asm.MemIndex(target.LoopFrom, offsetSecond, 1, 0)
	third, fourth := asm.MemIndex(target.LoopFrom, offsetSecond, 2, 0),
		asm.MemIndex(target.LoopFrom, offsetFourth, 1, 0)
	low, high := index.As(asm.XMM), c.Vector(offsetGather).As(asm.XMM)
	if c.kind.size == 4 {
		c.Emit(asm.VMOVD, low, first)
		for i, from := range []asm.Arg{second, third, fourth} {
			c.Emit(asm.VPINSRD, low, low, from, asm.Imm(int64(i+1)))
		}
		c.Emit(asm.VPMOVSXDQ, index, low)
		return
	}
	c.Emit(asm.VMOVQ, low, first)
	c.Emit(asm.VPINSRQ, low, low, second, asm.Imm(1))
	c.Emit(asm.VMOVQ, high, third)
	c.Emit(asm.VPINSRQ, high, high, fourth, asm.Imm(1))
	c.Emit(asm.VINSERTI128, index, index, high, asm.Imm(1))
}

// load loads the indices of a vector of offsets.
func (c *offsetCode) load(index asm.Reg) {
	if c.kind.strided && c.Width == target.V256 {
		c.loadStrided(index)
		return
	}
	from, indices := asm.Mem(target.LoopFrom, 0), c.Vector(offsetGather)
	if c.kind.strided {
		c.Emit(asm.KXNORW, asm.K(offsetAllK), asm.K(offsetAllK), asm.K(offsetAllK))
		from = asm.MemIndex(target.LoopFrom, indices, 1, 0)
	}
	switch half := index.As(asm.YMM); {
	case c.kind.strided && c.kind.size == 4:
		c.Masked(asm.K(offsetAllK), false, asm.VPGATHERQD, half, from)
		c.Emit(asm.VPMOVSXDQ, index, half)
	case c.kind.strided:
		c.Masked(asm.K(offsetAllK), false, asm.VPGATHERQQ, index, from)
	case c.kind.size == 4:
		c.Emit(asm.VPMOVSXDQ, index, from)
	default:
		c.Emit(asm.VMOVUPS, index, from)
	}
}

// maskOutside replaces offsets whose index is negative or above the limit, or that were out of bounds before.
func (c *offsetCode) maskOutside(product, index, limits, sentinel asm.Reg) {
	if c.Width == target.V512 {
		const greater = 6 // as an unsigned comparison, also for negative indices
		outside := asm.K(offsetOutsideK)
		c.Emit(asm.VPCMPUQ, outside, index, limits, asm.Imm(greater))
		if c.kind.adds {
			c.Emit(asm.VMOVUPS, index, asm.Mem(target.LoopTo, 0))
			c.Emit(asm.VPMOVQ2M, asm.K(offsetAllK), index)
			c.Emit(asm.KORW, outside, outside, asm.K(offsetAllK))
		}
		c.Masked(outside, false, asm.VMOVDQA64, product, sentinel)
		return
	}
	outside := c.Vector(offsetOutside)
	c.Emit(asm.VPCMPGTQ, outside, index, limits)
	c.Emit(asm.VPOR, outside, outside, index)
	if c.kind.adds {
		c.Emit(asm.VPOR, outside, outside, asm.Mem(target.LoopTo, 0))
	}
	c.Emit(asm.VBLENDVPD, product, product, sentinel, outside) // by the sign
}
