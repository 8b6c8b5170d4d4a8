package amd64

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// placeArgs are what the code of places is called with; the first are those of scans, whose loop it shares.
type placeArgs struct {
	src, dst unsafe.Pointer
	count    int // of vectors of places, at least 1
	step     int // bytes from the index of one vector to that of the next
	stride   int
	limit    int
	offsets  [8]int64 // in bytes, of the indices of a vector from the first
}

// The places of the arguments.
const (
	placeStep = 8 * (iota + 3)
	placeStride
	placeLimit
	placeOffsets
)

// placeKind tells apart the code of places.
type placeKind struct {
	size  int  // bytes of an index
	apart bool // the indices are not neighbours
	moves bool // the places are moved on
}

// number is where the code of a kind is kept.
func (k placeKind) number() int {
	n := k.size / 8
	for i, is := range [...]bool{k.apart, k.moves} {
		if is {
			n += 2 << i
		}
	}
	return n
}

const numPlaceKinds = 8

// placeSteps find where rows of scatters begin, at one width.
type placeSteps struct {
	w       Width
	emulate func(c *productCode, args *placeArgs) // instead of the processor, in tests
	code    [numPlaceKinds]atomic.Pointer[productCode]
	made    codeMaker
	args    sync.Pool // of *placeArgs
}

// Places finds the first places, as many as fill vectors.
func (s *placeSteps) Places(at []int, indices unsafe.Pointer, size, step, stride, limit int, moves bool) int {
	lanes := s.w.vectorBytes() / 8
	k := placeKind{size, step != 1, moves}
	isFar := stride > math.MaxInt32 || limit < 0 || limit >= math.MaxInt32
	if len(at) < lanes || isFar {
		return 0
	}
	a, ok := s.args.Get().(*placeArgs)
	if !ok {
		a = &placeArgs{}
	}
	*a = placeArgs{src: indices, dst: unsafe.Pointer(&at[0]), count: len(at) / lanes, step: lanes * step * size,
		stride: stride, limit: limit}
	if k.apart {
		for i := range a.offsets {
			a.offsets[i] = int64(i * step * size)
		}
	}
	c := s.get(k)
	if s.emulate != nil {
		s.emulate(c, a)
	} else {
		c.f.Call(unsafe.Pointer(a))
	}
	a.src, a.dst = nil, nil
	s.args.Put(a)
	return len(at) / lanes * lanes
}

// get returns code, which it makes the first time.
func (s *placeSteps) get(k placeKind) *productCode {
	at := &s.code[k.number()]
	if c := at.Load(); c != nil {
		return c
	}
	return s.made.code(at, s.emulate == nil, k.name(), func() (*productCode, error) { return s.assemble(k) })
}

// name is that of code in profiles.
func (k placeKind) name() string {
	name := fmt.Sprintf("scatter_places_%d", 8*k.size)
	if k.apart {
		name += "_apart"
	}
	if k.moves {
		name += "_moved"
	}
	return name
}

// assemble makes code.
func (s *placeSteps) assemble(k placeKind) (*productCode, error) {
	c := &placeCode{scanCode: scanCode{shape: shape{w: s.w, size: 8}}, kind: k}
	c.write()
	out := &productCode{instructionBytes: c.Len()}
	var err error
	if out.text, err = c.Finish(); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.w, k.name(), err)
	}
	return out, nil
}

// placeCode finds places: an index times the stride, and all bits, which are -1, where the index is outside.
type placeCode struct {
	scanCode
	kind placeKind
}

// The vectors of the code.
const (
	placeIndex = iota
	placeProduct
	placeOutside
	placeStrides
	placeLimits
	placeNone
	placeApart
)

// placeOutsideK and placeAllK are masks: of the places that are outside, and of all.
const placeOutsideK, placeAllK = 2, 3

func (c *placeCode) write() {
	c.begin()
	step := asm.GP(9)
	index, product, strides, limits, none := c.vector(placeIndex), c.vector(placeProduct), c.vector(placeStrides),
		c.vector(placeLimits), c.vector(placeNone)
	c.Emit(asm.MOV, step, asm.Mem(asm.RDI, placeStep))
	c.broadcast(strides, asm.Mem(asm.RDI, placeStride))
	c.broadcast(limits, asm.Mem(asm.RDI, placeLimit))
	switch {
	case c.kind.apart && c.w == V512:
		c.Emit(asm.VMOVUPS, c.vector(placeApart), asm.Mem(asm.RDI, placeOffsets))
	case c.kind.apart:
		c.Emit(asm.MOV, placeNext, asm.Mem(asm.RDI, placeOffsets+8))
		c.Emit(asm.LEA, placeLast, asm.MemIndex(placeNext, placeNext, 2, 0))
	}
	if c.w == V512 {
		const all = 0xff
		c.Emit(asm.VPTERNLOGD, none, none, none, asm.Imm(all))
	} else {
		c.Emit(asm.VPCMPEQD, none, none, none)
	}
	c.times(func() {
		c.load(index)
		c.Emit(asm.VPMULUDQ, product, index, strides)
		if c.kind.moves {
			c.Emit(asm.VPADDQ, product, product, asm.Mem(scanTo, 0))
		}
		c.choose(product, index, limits, none)
		c.Emit(asm.VMOVUPS, asm.Mem(scanTo, 0), product)
		c.Emit(asm.ADD, scanFrom, step)
		c.Emit(asm.ADD, scanTo, asm.Imm(int64(c.w.vectorBytes())))
	}, func() {})
}

// placeNext and placeLast are how far the second index of a vector of AVX2 is from the first, and the fourth.
var placeNext, placeLast = asm.GP(10), asm.GP(11)

// loadApart loads the four indices of a vector of AVX2 one by one: a gather takes longer.
func (c *placeCode) loadApart(index asm.Reg) {
	first, second := asm.Mem(scanFrom, 0), asm.MemIndex(scanFrom, placeNext, 1, 0)
	third, fourth := asm.MemIndex(scanFrom, placeNext, 2, 0), asm.MemIndex(scanFrom, placeLast, 1, 0)
	low, high := index.As(asm.XMM), c.vector(placeApart).As(asm.XMM)
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

// load loads the indices of a vector of places.
func (c *placeCode) load(index asm.Reg) {
	if c.kind.apart && c.w == V256 {
		c.loadApart(index)
		return
	}
	from, apart := asm.Mem(scanFrom, 0), c.vector(placeApart)
	if c.kind.apart {
		c.Emit(asm.KXNORW, asm.K(placeAllK), asm.K(placeAllK), asm.K(placeAllK))
		from = asm.MemIndex(scanFrom, apart, 1, 0)
	}
	switch half := index.As(asm.YMM); {
	case c.kind.apart && c.kind.size == 4:
		c.Masked(asm.K(placeAllK), false, asm.VPGATHERQD, half, from)
		c.Emit(asm.VPMOVSXDQ, index, half)
	case c.kind.apart:
		c.Masked(asm.K(placeAllK), false, asm.VPGATHERQQ, index, from)
	case c.kind.size == 4:
		c.Emit(asm.VPMOVSXDQ, index, from)
	default:
		c.Emit(asm.VMOVUPS, index, from)
	}
}

// choose replaces places whose index is negative or above the limit, or that were outside before.
func (c *placeCode) choose(product, index, limits, none asm.Reg) {
	if c.w == V512 {
		const above = 6 // a negative one is, without a sign
		outside := asm.K(placeOutsideK)
		c.Emit(asm.VPCMPUQ, outside, index, limits, asm.Imm(above))
		if c.kind.moves {
			c.Emit(asm.VMOVUPS, index, asm.Mem(scanTo, 0))
			c.Emit(asm.VPMOVQ2M, asm.K(placeAllK), index)
			c.Emit(asm.KORW, outside, outside, asm.K(placeAllK))
		}
		c.Masked(outside, false, asm.VMOVDQA64, product, none)
		return
	}
	outside := c.vector(placeOutside)
	c.Emit(asm.VPCMPGTQ, outside, index, limits)
	c.Emit(asm.VPOR, outside, outside, index)
	if c.kind.moves {
		c.Emit(asm.VPOR, outside, outside, asm.Mem(scanTo, 0))
	}
	c.Emit(asm.VBLENDVPD, product, product, none, outside) // by the sign
}
