// Package scan has the steps of cumulative sums and products.
package scan

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
)

// scanSteps are the steps of scans of one width, by operation. Their code is assembled at first use, shared by all
// executables and never freed.
type scanSteps struct {
	w     target.Width
	table lazy.Value[*scanTable]
}

type scanTable [rt.NumScanOps]struct{ f32, f64, i32, i64 *scanStep }

// scansOf are the steps of both widths.
var scansOf = [...]*scanSteps{target.V256: {w: target.V256}, target.V512: {w: target.V512}}

func (s *scanSteps) ops() *scanTable {
	return s.table.Get(func() *scanTable { return newScanTable(s.w) })
}

func newScanTable(w target.Width) *scanTable {
	s := &scanTable{}
	sum, prod := &s[rt.ScanSum], &s[rt.ScanProd]
	step := func(op asm.Op, size int, identity uint64) *scanStep {
		one := binary.LittleEndian.AppendUint64(nil, identity)[:size]
		return &scanStep{Vectors: target.Vectors{Width: w, Size: size}, op: op, identity: one}
	}
	sum.f32, prod.f32 = step(asm.VADDPS, 4, 1<<31), step(asm.VMULPS, 4, uint64(math.Float32bits(1)))
	sum.f64, prod.f64 = step(asm.VADDPD, 8, 1<<63), step(asm.VMULPD, 8, math.Float64bits(1))
	sum.i32, prod.i32 = step(asm.VPADDD, 4, 0), step(asm.VPMULLD, 4, 1)
	sum.i64 = step(asm.VPADDQ, 8, 0)
	return s
}

// Steps returns the steps of cumulative sums and products.
func Steps(w target.Width) rt.ScanSteps { return scansOf[w] }

// Step returns the step for elements of the type of like; AVX2 has no 64-bit integer multiplication.
func (s *scanSteps) Step(op rt.ScanOp, like any) rt.ScanStep {
	of := &s.ops()[op]
	var step *scanStep
	switch like.(type) {
	case float32:
		step = of.f32
	case float64:
		step = of.f64
	case int32, uint32:
		step = of.i32
	case int64, uint64:
		step = of.i64
	}
	if step == nil {
		return nil
	}
	return step
}

// scanKind is the kind of code of a step.
type scanKind uint8

const (
	forwardScan scanKind = iota
	backwardScan
	shiftScan
	rowScan  // of vecs vectors
	tailScan // of vecs vectors, the last of which is partial
	numScanKinds
)

// scanKey is the key of code.
type scanKey struct {
	kind scanKind
	vecs uint8
}

// scanStep scans elements of one type by one operation at one width. It implements [rt.ScanStep].
type scanStep struct {
	target.Vectors
	op       asm.Op
	identity []byte
	// emulate runs code in tests, instead of the processor.
	emulate func(key scanKey, c *target.Code, args *scanArgs)

	code [numScanKinds][target.MaxRowVectors + 1]atomic.Pointer[target.Code]
	lazy target.Lazy
	args sync.Pool // of *scanArgs
}

// group returns the bytes of a group.
func (s *scanStep) group() int { return scanGroup * s.Size }

// Line scans a line of one block.
func (s *scanStep) Line(dst, src, carry []byte, reverse bool) {
	if len(src) == 0 {
		return
	}
	a := s.getArgs()
	defer s.putArgs(a)
	copy(a.carry[:], carry)
	copy(a.chain[:], s.identity)
	key, full, rest := scanKey{kind: forwardScan}, len(src)/s.group(), len(src)%s.group()
	first, from := 0, len(src)-rest
	if reverse {
		key.kind = backwardScan
		first, from = len(src)-s.group(), 0
	}
	if full > 0 {
		a.src, a.dst, a.count = unsafe.Pointer(&src[first]), unsafe.Pointer(&dst[first]), full
		s.call(key, a)
	}
	if rest > 0 {
		s.lineRest(key, a, dst[from:][:rest], src[from:])
	}
}

// lineRest scans less than a group, padded with the identity.
func (s *scanStep) lineRest(key scanKey, a *scanArgs, dst, src []byte) {
	group := a.group[:s.group()]
	for at := 0; at < len(group); at += s.Size {
		copy(group[at:], s.identity)
	}
	part := group[:len(dst)]
	if key.kind == backwardScan {
		part = group[len(group)-len(dst):]
	}
	copy(part, src)
	a.src, a.dst, a.count = unsafe.Pointer(&group[0]), unsafe.Pointer(&group[0]), 1
	s.call(key, a)
	copy(dst, part)
}

// Shift combines all elements with one.
func (s *scanStep) Shift(dst, by []byte) {
	a := s.getArgs()
	defer s.putArgs(a)
	copy(a.carry[:], by)
	if full := len(dst) / s.group(); full > 0 {
		a.dst, a.count = unsafe.Pointer(&dst[0]), full
		s.call(scanKey{kind: shiftScan}, a)
	}
	if rest := len(dst) % s.group(); rest > 0 {
		dst = dst[len(dst)-rest:]
		copy(a.group[:], dst)
		a.dst, a.count = unsafe.Pointer(&a.group), 1
		s.call(scanKey{kind: shiftScan}, a)
		copy(dst, a.group[:])
	}
}

// Rows scans rows in parallel, some vectors of them at a time.
func (s *scanStep) Rows(dst, src []byte, at, step, rows int, before []byte) {
	if rows == 0 {
		return
	}
	a := s.getArgs()
	defer s.putArgs(a)
	lanes := s.Lanes()
	a.step = step
	for maxBytes := s.RowVectors() * s.Width.VectorBytes(); len(before) > 0; {
		n := min(maxBytes, len(before))
		vecs := (n + s.Width.VectorBytes() - 1) / s.Width.VectorBytes()
		key := scanKey{rowScan, uint8(vecs)}
		if a.cols = n/s.Size - (vecs-1)*lanes; a.cols < lanes {
			key.kind = tailScan
			if s.Width == target.V256 {
				a.mask = target.TailMaskAVX2(a.cols, s.Size)
			}
		}
		a.src, a.dst, a.count = unsafe.Pointer(&src[at]), unsafe.Pointer(&dst[at]), rows
		a.before = unsafe.Pointer(&before[0])
		s.call(key, a)
		at, before = at+n, before[n:]
	}
}

// get returns code, which it assembles at first use.
func (s *scanStep) get(key scanKey) *target.Code {
	at := &s.code[key.kind][key.vecs]
	if c := at.Load(); c != nil {
		return c
	}
	return s.lazy.Get(at, s.emulate == nil, s.name(key), func() (*target.Code, error) { return s.assemble(key) })
}

// assemble assembles code.
func (s *scanStep) assemble(key scanKey) (*target.Code, error) {
	c := &scanCode{Loop: target.Loop{Vectors: s.Vectors}, op: s.op}
	switch key.kind {
	case forwardScan, backwardScan:
		c.line(key.kind == backwardScan)
	case shiftScan:
		c.addCarry()
	case rowScan, tailScan:
		c.rows(int(key.vecs), key.kind == tailScan)
	}
	out, err := target.Finish(&c.Assembler)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.Width, s.name(key), err)
	}
	return out, nil
}

// keys returns the keys of all code.
func (s *scanStep) keys() []scanKey {
	out := []scanKey{{kind: forwardScan}, {kind: backwardScan}, {kind: shiftScan}}
	for v := range s.RowVectors() {
		out = append(out, scanKey{rowScan, uint8(v + 1)}, scanKey{tailScan, uint8(v + 1)})
	}
	return out
}

// name returns the name of code in profiles.
func (s *scanStep) name(key scanKey) string {
	kind := [...]string{"forward", "backward", "shift", "rows", "tail"}[key.kind]
	return fmt.Sprintf("scan_%s_%s_%d", s.op, kind, key.vecs)
}

// call runs code.
func (s *scanStep) call(key scanKey, a *scanArgs) {
	c := s.get(key)
	if s.emulate != nil {
		s.emulate(key, c, a)
		return
	}
	c.Function.Call(unsafe.Pointer(a))
}

// getArgs returns arguments from the pool.
func (s *scanStep) getArgs() *scanArgs {
	if a, ok := s.args.Get().(*scanArgs); ok {
		return a
	}
	return &scanArgs{}
}

// putArgs clears the pointers of arguments and returns them to the pool.
func (s *scanStep) putArgs(a *scanArgs) {
	a.src, a.dst, a.before = nil, nil, nil
	s.args.Put(a)
}
