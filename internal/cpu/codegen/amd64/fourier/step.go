// Package fourier has the steps of Fourier transforms.
package fourier

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// fourierKind is the kind of code: a radix, twiddleKind or moveKind.
type fourierKind uint8

const (
	twiddleKind fourierKind = 0
	moveKind    fourierKind = 1
	maxRadix    fourierKind = 5
)

// fourierKey is the key of code. Lanes is the number of complex numbers of a vector.
type fourierKey struct {
	kind  fourierKind
	lanes uint8
	flags moveFlags
}

// moveFlags are the conversions of a move.
type moveFlags uint8

const (
	fromSingle moveFlags = 1 << iota // complex64 to complex128
	toSingle                         // complex128 to complex64
	swapsParts
	numMoveFlags
)

// fourierSteps are the steps of Fourier transforms of one width. Their code is assembled at first use, shared by all
// executables and never freed. They implement [rt.FourierSteps].
type fourierSteps struct {
	w target.Width
	// emulate runs code in tests, instead of the processor.
	emulate func(key fourierKey, c *target.Code, args unsafe.Pointer, all *fourierArgs)

	code [maxRadix + 1][5][numMoveFlags]atomic.Pointer[target.Code] // by key
	lazy target.Lazy
	args sync.Pool // of *fourierArgs
}

// fourierArgs holds arguments on the heap, since code must not point to the stack.
type fourierArgs struct {
	pass    passArgs
	twiddle twiddleArgs
	move    moveArgs
}

// fourierOf are the steps of both widths.
var fourierOf = [...]*fourierSteps{target.V256: {w: target.V256}, target.V512: {w: target.V512}}

// Steps returns the steps of Fourier transforms.
func Steps(w target.Width) rt.FourierSteps { return fourierOf[w] }

// lanesOf returns the largest number of lanes that divides count.
func (s *fourierSteps) lanesOf(count int) int {
	lanes := s.w.VectorBytes() / 16
	for count%lanes != 0 {
		lanes /= 2
	}
	return lanes
}

// Pass computes one pass of a radix.
func (s *fourierSteps) Pass(r int, y, x, roots []complex128, m, step, lines int) {
	stride := step * lines
	lanes := s.lanesOf(stride)
	key := fourierKey{kind: fourierKind(r), lanes: uint8(lanes)}
	a := s.getArgs()
	defer s.putArgs(a)
	maxPoints := max(1, maxCallNumbers/(r*stride))
	for p := 0; p < m; p += maxPoints {
		a.pass = passArgs{x: unsafe.Pointer(&x[p*stride]), y: unsafe.Pointer(&y[r*p*stride]),
			roots: unsafe.Pointer(&roots[0]), points: min(maxPoints, m-p), vectors: stride / lanes,
			xStep: 16 * m * stride, yStep: 16 * stride, rootStep: 16 * step, rootAt: 16 * p * step}
		s.call(key, a, unsafe.Pointer(&a.pass))
	}
}

// ApplyTwiddles multiplies rows by roots.
func (s *fourierSteps) ApplyTwiddles(x, outer, inner []complex128, count, innerCount int) {
	lanes := s.lanesOf(count)
	key := fourierKey{kind: twiddleKind, lanes: uint8(lanes)}
	a := s.getArgs()
	defer s.putArgs(a)
	maxRows := max(1, maxCallNumbers/count)
	for k := 0; k < len(outer); k += maxRows {
		a.twiddle = twiddleArgs{x: unsafe.Pointer(&x[k*count]), outer: unsafe.Pointer(&outer[k]),
			inner: unsafe.Pointer(&inner[k*innerCount]), rows: min(maxRows, len(outer)-k), vectors: count / lanes,
			innerStep: 16 * innerCount}
		s.call(key, a, unsafe.Pointer(&a.twiddle))
	}
}

// Move copies complex numbers between layouts; runs that are contiguous on both sides use vectors.
func (s *fourierSteps) Move(dst unsafe.Pointer, dstSize int, src unsafe.Pointer, srcSize int, m rt.StridedCopy) {
	key := fourierKey{kind: moveKind, lanes: 1}
	if m.From[2] == 1 && m.To[2] == 1 {
		key.lanes = uint8(s.lanesOf(m.Counts[2]))
	}
	if srcSize == 8 {
		key.flags |= fromSingle
	}
	if dstSize == 8 {
		key.flags |= toSingle
	}
	if m.SwapParts {
		key.flags |= swapsParts
	}
	a := s.getArgs()
	defer s.putArgs(a)
	a.move = moveArgs{from: src, to: dst, counts: m.Counts, scale: m.Scale}
	for i := range m.Counts {
		a.move.fromSteps[i], a.move.toSteps[i] = srcSize*m.From[i], dstSize*m.To[i]
	}
	lanes := int(key.lanes)
	a.move.counts[2] /= lanes
	a.move.fromSteps[2] *= lanes
	a.move.toSteps[2] *= lanes
	s.call(key, a, unsafe.Pointer(&a.move))
}

// call runs code, which it assembles at first use.
func (s *fourierSteps) call(key fourierKey, a *fourierArgs, args unsafe.Pointer) {
	at := &s.code[key.kind][key.lanes][key.flags]
	c := at.Load()
	if c == nil {
		c = s.lazy.Get(at, s.emulate == nil, key.name(), func() (*target.Code, error) { return assembleFourier(key) })
	}
	if s.emulate != nil {
		s.emulate(key, c, args, a)
		return
	}
	c.Function.Call(args)
}

// assembleFourier assembles code.
func assembleFourier(key fourierKey) (*target.Code, error) {
	c := passCode{fourierCode{lanes: int(key.lanes)}, int(key.kind)}
	switch key.kind {
	case twiddleKind:
		c.applyTwiddles()
	case moveKind:
		c.move(key.flags)
	default:
		c.write()
	}
	out, err := target.Finish(&c.Assembler)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key.name(), err)
	}
	return out, nil
}

// name returns the name of code in profiles.
func (k fourierKey) name() string {
	switch k.kind {
	case twiddleKind:
		return fmt.Sprintf("fourier_twiddle_%d", k.lanes)
	case moveKind:
		return fmt.Sprintf("fourier_move%d_%d", k.flags, k.lanes)
	}
	return fmt.Sprintf("fourier_radix%d_%d", k.kind, k.lanes)
}

// keys returns the keys of all code.
func (s *fourierSteps) keys() []fourierKey {
	var out []fourierKey
	for lanes := s.w.VectorBytes() / 16; lanes > 0; lanes /= 2 {
		out = append(out, fourierKey{twiddleKind, uint8(lanes), 0})
		for r := fourierKind(2); r <= maxRadix; r++ {
			out = append(out, fourierKey{r, uint8(lanes), 0})
		}
		for form := range numMoveFlags {
			out = append(out, fourierKey{moveKind, uint8(lanes), form})
		}
	}
	return out
}

// getArgs returns arguments from the pool.
func (s *fourierSteps) getArgs() *fourierArgs {
	if a, ok := s.args.Get().(*fourierArgs); ok {
		return a
	}
	return &fourierArgs{}
}

// putArgs clears the arguments, so that they keep no memory alive, and returns them to the pool.
func (s *fourierSteps) putArgs(a *fourierArgs) {
	*a = fourierArgs{}
	s.args.Put(a)
}
