// Package radix has the steps of radix sorts.
package radix

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// sortKind is the kind of code of radix sorts.
type sortKind uint8

const (
	sortCount sortKind = iota
	sortMove
	sortRank
	sortMerge // ranks with equal zeros and equal NaNs
	sortUnrank
	numSortKinds
)

// String returns the name of the kind.
func (k sortKind) String() string { return [...]string{"count", "move", "rank", "merge", "unrank"}[k] }

// sortSteps are the steps of radix sorts, the same for both widths: BMI2 instructions for single elements, AVX2 where
// memory bandwidth is the bottleneck. Their code is assembled at first use, shared by all executables and never freed.
// They implement [rt.SortSteps].
type sortSteps struct {
	// emulate runs code in tests, instead of the processor.
	emulate func(c *target.Code, args *sortArgs, size int)

	code [numSortKinds][2]atomic.Pointer[target.Code] // of elements of 4 and 8 bytes
	lazy target.Lazy
	args sync.Pool // of *sortArgs
}

// sortArgs are the arguments of code, on the heap, since code must not point to the stack.
type sortArgs struct {
	from, to    unsafe.Pointer
	n           int
	counters    unsafe.Pointer
	shift, mask int // the mask is the largest digit
	ranks       rt.RankMap
	magnitude   uint64 // mask of the magnitude, and the rank of all NaNs
	merged      uint64 // out: not 0 if different elements became equal
}

// The byte offsets of the arguments.
const (
	sortFrom = 8 * iota
	sortTo
	sortN
	sortCounters
	sortShift
	sortMask
	sortSign
	sortFlip
	sortInvert
	sortInfinity
	sortMagnitude
	sortMerged
)

var sharedSorts = &sortSteps{}

// Steps returns the steps of radix sorts.
func Steps() rt.SortSteps { return sharedSorts }

// Count counts digits.
func (s *sortSteps) Count(counters []uint32, src unsafe.Pointer, size, n int, shift uint) {
	s.run(sortCount, size, &sortArgs{from: src, n: n, counters: unsafe.Pointer(&counters[0]),
		shift: int(shift), mask: len(counters) - 1})
}

// Move moves elements to the positions of their digits.
func (s *sortSteps) Move(next []uint32, dst, src unsafe.Pointer, size, n int, shift uint) {
	s.run(sortMove, size, &sortArgs{from: src, to: dst, n: n, counters: unsafe.Pointer(&next[0]),
		shift: int(shift), mask: len(next) - 1})
}

// Rank maps elements to integers.
func (s *sortSteps) Rank(dst, src unsafe.Pointer, size, n int, o *rt.RankMap) (merged bool) {
	kind := sortRank
	if o.Infinity != 0 {
		kind = sortMerge
	}
	return s.run(kind, size, &sortArgs{from: src, to: dst, n: n, ranks: *o, magnitude: ^o.Sign}) != 0
}

// Unrank maps integers to elements.
func (s *sortSteps) Unrank(dst, src unsafe.Pointer, size, n int, o *rt.RankMap) {
	s.run(sortUnrank, size, &sortArgs{from: src, to: dst, n: n, ranks: *o})
}

// callElems bounds the elements of a call, to less than 150 µs.
const callElems = 1 << 15

// run calls code, some elements at a time, and returns the union of their merged flags.
func (s *sortSteps) run(kind sortKind, size int, args *sortArgs) (merged uint64) {
	at := &s.code[kind][size/8]
	c := at.Load()
	if c == nil {
		c = s.lazy.Get(at, s.emulate == nil, sortName(kind, size), func() (*target.Code, error) {
			return assembleSort(kind, size)
		})
	}
	a, ok := s.args.Get().(*sortArgs)
	if !ok {
		a = &sortArgs{}
	}
	for done := 0; done < args.n; done += callElems {
		*a = *args
		a.from, a.n = unsafe.Add(args.from, done*size), min(callElems, args.n-done)
		if kind != sortMove && kind != sortCount {
			a.to = unsafe.Add(args.to, done*size)
		}
		if s.emulate != nil {
			s.emulate(c, a, size)
		} else {
			c.Function.Call(unsafe.Pointer(a))
		}
		merged |= a.merged
	}
	*a = sortArgs{}
	s.args.Put(a)
	return merged
}

// sortName returns the name of code in profiles.
func sortName(kind sortKind, size int) string { return fmt.Sprintf("sort_%s%d", kind, 8*size) }

// assembleSort assembles code.
func assembleSort(kind sortKind, size int) (*target.Code, error) {
	c := &sortCode{size: size, from: asm.RBX, n: asm.GP(9)}
	c.EmitLoad(c.from, asm.RDI, sortFrom)
	c.EmitLoad(c.n, asm.RDI, sortN)
	if kind == sortCount || kind == sortMove {
		c.digits(kind == sortMove)
	} else {
		c.ranks(kind)
	}
	c.Emit(asm.RET)
	out, err := target.Finish(&c.Assembler)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sortName(kind, size), err)
	}
	return out, nil
}

// sortCode emits code for elements of size bytes.
type sortCode struct {
	asm.Assembler
	size    int
	from, n asm.Reg
}

// loop emits a loop over the remaining elements, unrolled.
func (c *sortCode) loop(unroll int, body func()) {
	top, end := c.NewLabel(), c.NewLabel()
	c.EmitImm(asm.SUB, c.n, int64(unroll))
	c.Emit(asm.JL, end)
	c.Align(16)
	c.Bind(top)
	body()
	c.EmitImm(asm.ADD, c.from, int64(unroll*c.size))
	c.EmitImm(asm.SUB, c.n, int64(unroll))
	c.Emit(asm.JGE, top)
	c.Bind(end)
	c.EmitImm(asm.ADD, c.n, int64(unroll))
}

// digits counts digits, or moves elements to their positions, four at a time.
func (c *sortCode) digits(moves bool) {
	counters, to, shift, mask := asm.RBP, asm.GP(8), asm.GP(10), asm.GP(11)
	elem, digit, position, next := asm.GP(12), asm.GP(13), asm.GP(14), asm.GP(15)
	c.EmitLoad(to, asm.RDI, sortTo)
	c.EmitLoad(counters, asm.RDI, sortCounters)
	c.EmitLoad(shift, asm.RDI, sortShift)
	c.EmitLoad(mask, asm.RDI, sortMask)
	of := func(r asm.Reg) asm.Reg {
		if c.size == 4 {
			return r.As(asm.R32)
		}
		return r
	}
	for _, unroll := range []int{4, 1} {
		c.loop(unroll, func() {
			for i := range unroll {
				c.Emit(asm.MOV, of(elem), asm.Mem(c.from, i*c.size))
				c.Emit(asm.SHRX, of(digit), of(elem), of(shift))
				c.Emit(asm.AND, digit.As(asm.R32), mask.As(asm.R32))
				counter := asm.MemIndex(counters, digit, 4, 0)
				if !moves {
					c.Emit(asm.ADD, counter.Sized(4), asm.Imm(1))
					continue
				}
				c.Emit(asm.MOV, position.As(asm.R32), counter)
				c.Emit(asm.LEA, next, asm.Mem(position, 1))
				c.Emit(asm.MOV, counter, next.As(asm.R32))
				c.Emit(asm.MOV, asm.MemIndex(to, position, c.size, 0), of(elem))
			}
		})
	}
}

// ranks maps elements to integers or back: vectors, then single elements.
func (c *sortCode) ranks(kind sortKind) {
	const x, y, z, zero, sign, flip, invert, infinity, magnitude, merged = 0, 1, 2, 5, 6, 7, 8, 9, 10, 11
	to := asm.GP(8)
	c.EmitLoad(to, asm.RDI, sortTo)
	broadcast := asm.VPBROADCASTQ
	compare, equal, blend := asm.VPCMPGTQ, asm.VPCMPEQQ, asm.VBLENDVPD
	if c.size == 4 {
		broadcast = asm.VPBROADCASTD
		compare, equal, blend = asm.VPCMPGTD, asm.VPCMPEQD, asm.VBLENDVPS
	}
	for _, p := range [][2]int{{sign, sortSign}, {flip, sortFlip}, {invert, sortInvert}, {infinity, sortInfinity},
		{magnitude, sortMagnitude}} {
		c.Emit(broadcast, asm.Y(p[0]), asm.Mem(asm.RDI, p[1]))
	}
	for _, r := range []int{zero, merged} {
		c.Emit(asm.VPXOR, asm.Y(r), asm.Y(r), asm.Y(r))
	}
	// body maps the elements in x.
	body := func() {
		three := func(op asm.Op, to, a, b int) { c.Emit(op, asm.Y(to), asm.Y(a), asm.Y(b)) }
		if kind == sortMerge {
			three(asm.VPAND, y, x, magnitude)
			three(equal, z, y, zero)
			three(asm.VPANDN, z, z, x)
			three(compare, y, y, infinity)
			c.Emit(blend, asm.Y(z), asm.Y(z), asm.Y(magnitude), asm.Y(y))
			three(asm.VPXOR, y, z, x)
			three(asm.VPOR, merged, merged, y)
			three(asm.VPOR, x, z, z)
		}
		if kind == sortUnrank {
			three(asm.VPXOR, x, x, invert)
			three(asm.VPXOR, x, x, sign)
			three(compare, y, zero, x)
		} else {
			three(compare, y, zero, x)
			three(asm.VPXOR, x, x, sign)
			three(asm.VPXOR, x, x, invert)
		}
		three(asm.VPAND, y, y, flip)
		three(asm.VPXOR, x, x, y)
	}
	lanes := 32 / c.size
	c.loop(lanes, func() {
		c.Emit(asm.VMOVUPS, asm.Y(x), asm.Mem(c.from, 0))
		body()
		c.Emit(asm.VMOVUPS, asm.Mem(to, 0), asm.Y(x))
		c.EmitImm(asm.ADD, to, 32)
	})
	move := target.ByElement(c.size, asm.VMOVD, asm.VMOVQ)
	c.loop(1, func() {
		c.Emit(move, asm.X(x), asm.Mem(c.from, 0))
		body() // the other lanes are 0
		c.Emit(move, asm.Mem(to, 0), asm.X(x))
		c.EmitImm(asm.ADD, to, int64(c.size))
	})
	same := c.NewLabel()
	c.Emit(asm.MOV, asm.RAX, asm.Imm(0))
	c.Emit(asm.VPTEST, asm.Y(merged), asm.Y(merged))
	c.Emit(asm.JE, same)
	c.Emit(asm.MOV, asm.RAX, asm.Imm(1))
	c.Bind(same)
	c.Emit(asm.MOV, asm.Mem(asm.RDI, sortMerged), asm.RAX)
	c.Emit(asm.VZEROUPPER)
}
