package amd64

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// scanSteps are the steps of scans of one width, by operation. Their code belongs to no executable: it
// is made when it is called first, and stays.
type scanSteps [rt.NumScanOps]struct {
	f32 *scanStep[float32]
	f64 *scanStep[float64]
	s32 *scanStep[int32]
	u32 *scanStep[uint32]
	s64 *scanStep[int64]
	u64 *scanStep[uint64]
}

// scansOf are the steps of both widths.
var scansOf = [...]*scanSteps{V256: newScanSteps(V256), V512: newScanSteps(V512)}

func newScanSteps(w Width) *scanSteps {
	s := &scanSteps{}
	sum, prod := &s[rt.ScanSum], &s[rt.ScanProd]
	zero := negativeZero
	sum.f32, prod.f32 = newScanStep(w, asm.VADDPS, float32(zero)), newScanStep[float32](w, asm.VMULPS, 1)
	sum.f64, prod.f64 = newScanStep(w, asm.VADDPD, zero), newScanStep[float64](w, asm.VMULPD, 1)
	sum.s32, prod.s32 = newScanStep[int32](w, asm.VPADDD, 0), newScanStep[int32](w, asm.VPMULLD, 1)
	sum.u32, prod.u32 = newScanStep[uint32](w, asm.VPADDD, 0), newScanStep[uint32](w, asm.VPMULLD, 1)
	sum.s64, sum.u64 = newScanStep[int64](w, asm.VPADDQ, 0), newScanStep[uint64](w, asm.VPADDQ, 0)
	return s
}

// Scans returns the steps of cumulative sums and products.
func (g Generator) Scans() rt.Scans { return scansOf[g.Width] }

// Step returns that of elements of the type of like; AVX2 multiplies no integers of 64 bits.
func (s *scanSteps) Step(op rt.ScanOp, like any) any {
	of := &s[op]
	switch like.(type) {
	case float32:
		return of.f32
	case float64:
		return of.f64
	case int32:
		return of.s32
	case uint32:
		return of.u32
	case int64:
		return orNil(of.s64)
	case uint64:
		return orNil(of.u64)
	}
	return nil
}

// orNil returns a step, or nil for none.
func orNil[T any](s *scanStep[T]) any {
	if s == nil {
		return nil
	}
	return s
}

// scanKind says what code of a step does.
type scanKind uint8

const (
	forwardScan scanKind = iota
	backwardScan
	shiftScan
	rowScan  // of as many vectors
	tailScan // of as many vectors, the last of which is not whole
	numScanKinds
)

// scanKey tells apart the code of a step.
type scanKey struct {
	kind scanKind
	vecs uint8
}

// scanStep scans elements of one type by one operation at one width. It implements [rt.ScanStep].
type scanStep[T any] struct {
	shape
	op       asm.Op
	identity T
	// emulate runs code instead of the processor, in tests.
	emulate func(key scanKey, c *productCode, args *scanArgs)

	code [numScanKinds][maxScanVecs + 1]atomic.Pointer[productCode]
	made codeMaker
	args sync.Pool // of *scanArgs
}

func newScanStep[T any](w Width, op asm.Op, identity T) *scanStep[T] {
	return &scanStep[T]{shape: shape{w: w, size: int(unsafe.Sizeof(identity))}, op: op, identity: identity}
}

// Line scans a line of one block.
func (s *scanStep[T]) Line(dst, src []T, carry T, reverse bool) T {
	if len(src) == 0 {
		return carry
	}
	a := s.takeArgs()
	defer s.giveArgs(a)
	put(&a.carry, carry)
	put(&a.chain, s.identity)
	key, whole, rest := scanKey{kind: forwardScan}, len(src)/scanGroup, len(src)%scanGroup
	first, last, from := 0, len(src)-1, len(src)-rest
	if reverse {
		key.kind = backwardScan
		first, last, from = len(src)-scanGroup, 0, 0
	}
	if whole > 0 {
		a.src, a.dst, a.count = unsafe.Pointer(&src[first]), unsafe.Pointer(&dst[first]), whole
		s.call(key, a)
	}
	if rest > 0 {
		s.lineRest(key, a, dst[from:][:rest], src[from:])
	}
	return dst[last]
}

// lineRest scans what is less than a group, with identities behind it.
func (s *scanStep[T]) lineRest(key scanKey, a *scanArgs, dst, src []T) {
	group := (*[scanGroup]T)(unsafe.Pointer(&a.group))
	for i := range group {
		group[i] = s.identity
	}
	part := group[:len(dst)]
	if key.kind == backwardScan {
		part = group[scanGroup-len(dst):]
	}
	copy(part, src)
	a.src, a.dst, a.count = unsafe.Pointer(group), unsafe.Pointer(group), 1
	s.call(key, a)
	copy(dst, part)
}

// Shift lets all elements take one.
func (s *scanStep[T]) Shift(dst []T, by T) {
	a := s.takeArgs()
	defer s.giveArgs(a)
	put(&a.carry, by)
	if whole := len(dst) / scanGroup; whole > 0 {
		a.dst, a.count = unsafe.Pointer(&dst[0]), whole
		s.call(scanKey{kind: shiftScan}, a)
	}
	if rest := len(dst) % scanGroup; rest > 0 {
		dst = dst[len(dst)-rest:]
		group := (*[scanGroup]T)(unsafe.Pointer(&a.group))
		copy(group[:], dst)
		a.dst, a.count = unsafe.Pointer(group), 1
		s.call(scanKey{kind: shiftScan}, a)
		copy(dst, group[:])
	}
}

// Rows scans rows side by side, some vectors of them at a time.
func (s *scanStep[T]) Rows(dst, src []T, at, step, rows int, before []T) {
	if rows == 0 {
		return
	}
	a := s.takeArgs()
	defer s.giveArgs(a)
	lanes := s.lanes()
	a.step = step * s.size
	for most := s.maxVecs() * lanes; len(before) > 0; {
		n := min(most, len(before))
		vecs := (n + lanes - 1) / lanes
		key := scanKey{rowScan, uint8(vecs)}
		if a.cols = n - (vecs-1)*lanes; a.cols < lanes {
			key.kind = tailScan
			if s.w == V256 {
				a.mask = tailMaskOf(a.cols, s.size)
			}
		}
		a.src, a.dst, a.count = unsafe.Pointer(&src[at]), unsafe.Pointer(&dst[at]), rows
		a.before = unsafe.Pointer(&before[0])
		s.call(key, a)
		at, before = at+n, before[n:]
	}
}

// put sets a number among arguments.
func put[T any](to *[8]byte, x T) { *(*T)(unsafe.Pointer(to)) = x }

// get returns code, which it makes the first time.
func (s *scanStep[T]) get(key scanKey) *productCode {
	at := &s.code[key.kind][key.vecs]
	if c := at.Load(); c != nil {
		return c
	}
	return s.made.code(at, s.emulate == nil, s.name(key), func() (*productCode, error) { return s.assemble(key) })
}

// assemble makes code.
func (s *scanStep[T]) assemble(key scanKey) (*productCode, error) {
	c := &scanCode{shape: s.shape, op: s.op}
	switch key.kind {
	case forwardScan, backwardScan:
		c.line(key.kind == backwardScan)
	case shiftScan:
		c.shift()
	case rowScan, tailScan:
		c.rows(int(key.vecs), key.kind == tailScan)
	}
	out := &productCode{instructionBytes: c.Len()}
	var err error
	if out.text, err = c.Finish(); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.w, s.name(key), err)
	}
	return out, nil
}

// keys returns those of all the code that there is.
func (s *scanStep[T]) keys() []scanKey {
	out := []scanKey{{kind: forwardScan}, {kind: backwardScan}, {kind: shiftScan}}
	for v := range s.maxVecs() {
		out = append(out, scanKey{rowScan, uint8(v + 1)}, scanKey{tailScan, uint8(v + 1)})
	}
	return out
}

// name is that of code in profiles.
func (s *scanStep[T]) name(key scanKey) string {
	kind := [...]string{"forward", "backward", "shift", "rows", "tail"}[key.kind]
	return fmt.Sprintf("scan_%s_%s_%d", s.op, kind, key.vecs)
}

// call runs code.
func (s *scanStep[T]) call(key scanKey, a *scanArgs) {
	c := s.get(key)
	if s.emulate != nil {
		s.emulate(key, c, a)
		return
	}
	c.f.Call(unsafe.Pointer(a))
}

// takeArgs returns room for arguments, to be given back with giveArgs.
func (s *scanStep[T]) takeArgs() *scanArgs {
	if a, ok := s.args.Get().(*scanArgs); ok {
		return a
	}
	return &scanArgs{}
}

// giveArgs takes back room for arguments, which keeps no memory alive.
func (s *scanStep[T]) giveArgs(a *scanArgs) {
	a.src, a.dst, a.before = nil, nil, nil
	s.args.Put(a)
}
