// Package gemm has the micro-kernels of matrix products, for floats, integers and narrow numbers, and the code that
// packs their operands.
package gemm

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
)

// gemmSteps are the micro-kernels of matrix products of one width. Their code is assembled at first use, shared by all
// executables and never freed.
type gemmSteps struct {
	f32 *gemmStep[float32]
	f64 *gemmStep[float64]
	// Of the parts of complex numbers, see rt.GemmSteps.
	rounded32 *gemmStep[float32]
	rounded64 *gemmStep[float64]
	int32     *gemmStep[float32]
	narrow    *narrowSteps
	all       rt.GemmSteps // with the steps for every processor of the width, so that interface values are built once
}

// narrowSteps are those of processors with instructions for narrow numbers: only V512.
type narrowSteps struct {
	bf16 lazy.Value[*dot2Step]
	amx  lazy.Value[*amxStep] // of bf16
	int8 lazy.Value[rt.Dot4Steps]
	vnni lazy.Value[rt.Dot4Steps]
}

func newBF16Step() *dot2Step   { return newDot2Step(target.V512) }
func newAMXBF16Step() *amxStep { return newAMXStep(asm.TDPBF16PS) }

// gemmStepsOf are the steps of both widths.
var gemmStepsOf [target.V512 + 1]lazy.Value[*gemmSteps]

func newGemmSteps(w target.Width) *gemmSteps {
	s := &gemmSteps{f32: newGemmStep[float32](w), f64: newGemmStep[float64](w),
		rounded32: newGemmStep[float32](w), rounded64: newGemmStep[float64](w), int32: newGemmStep[float32](w)}
	s.rounded32.shape, s.rounded64.shape = withRoundedProducts(s.rounded32.shape),
		withRoundedProducts(s.rounded64.shape)
	s.int32.shape = s.rounded32.shape
	s.int32.integers = true
	if w == target.V512 {
		s.narrow = &narrowSteps{}
	}
	s.all = rt.GemmSteps{F32: s.f32, F64: s.f64, Unfused32: s.rounded32, Unfused64: s.rounded64, Int32: s.int32,
		Widen: s.f32.widen, Dequantize: s.f32.dequantize, QuantDot: s.f32.quantDot, RoundBF16: s.f32.narrow}
	return s
}

// Features are the features of a processor, besides those of a width, that micro-kernels may use.
type Features struct {
	BF16 bool        // VDPBF16PS, see [target.Width.HasBF16Dot]
	VNNI bool        // VPDPBUSD, see [target.Width.HasInt8Dot]
	AMX  asm.Feature // see [target.Width.AMXFeatures]
}

// Steps returns the micro-kernels of matrix products.
func Steps(w target.Width, may Features) rt.GemmSteps {
	s := gemmStepsOf[w].Get(func() *gemmSteps { return newGemmSteps(w) })
	p := s.all
	switch {
	case may.AMX&asm.AMXBF16 != 0:
		p.BF16 = s.narrow.amx.Get(newAMXBF16Step)
	case may.BF16:
		p.BF16 = s.narrow.bf16.Get(newBF16Step)
	}
	switch {
	case may.AMX&asm.AMXINT8 != 0:
		p.Int8 = s.narrow.int8.Get(newAMXInt8Steps)
	case may.VNNI:
		p.Int8 = s.narrow.vnni.Get(newVNNISteps)
	}
	return p
}

// gemmKind is the kind of code of a step.
type gemmKind uint8

const (
	tileKind           gemmKind = iota // rows, vectors
	unpackedKind                       // rows, vectors; the left operand is not packed
	copyKind                           // bytes of a vector, vectors
	transposeKind                      // lines, 1: the signs of bytes are flipped
	gemvDotKind                        // lines of a square
	gemvAxpyKind                       // unroll factor of k
	windowKind                         // points, vectors
	depthwiseKind                      // points, vectors; each column has its own left operand
	unpackedWindowKind                 // points, vectors; neither operand is packed
	interleaveKind                     // 4 for bytes, 0 for bf16
	narrowKind
	compensationKind // 0, vectors
	widenKind        // the narrow type
	dequantizeKind   // bits of an integer
	quantDotKind     // 8 for each form of elements, and rows; whether there are scales
	amxKind          // tiles of rows, tiles of columns
	numGemmKinds
)

// gemmKey is the key of code.
type gemmKey struct {
	kind gemmKind
	n, v uint8
}

// maxGemmN and maxGemmV bound n and v.
const maxGemmN, maxGemmV = 64, 3

// gemmStep computes matrix products of one type at one width. It implements [rt.GemmStep].
type gemmStep[T float32 | float64] struct {
	shape
	// emulate runs code in tests, instead of the processor.
	emulate func(c *target.Code, args unsafe.Pointer)

	code [numGemmKinds]atomic.Pointer[kindCode] // nil for kinds not used yet
	lazy target.Lazy
	args sync.Pool // of *gemmArgs
	// idleArgs avoid the pool in the common case: each entry has its own cache line and is selected by the stack
	// address of the goroutine.
	idleArgs [16]struct {
		args atomic.Pointer[gemmArgs]
		_    [56]byte
	}
}

// kindCode is the code of a kind, by n and v.
type kindCode [maxGemmN + 1][maxGemmV + 1]atomic.Pointer[target.Code]

// entry returns the place of the code of a key.
func (s *gemmStep[T]) entry(key gemmKey) *atomic.Pointer[target.Code] {
	codes := s.code[key.kind].Load()
	if codes == nil {
		s.code[key.kind].CompareAndSwap(nil, new(kindCode))
		codes = s.code[key.kind].Load()
	}
	return &codes[key.n][key.v]
}

// gemmArgs holds the arguments of a call on the heap, since code must not point to the stack.
type gemmArgs struct {
	tile     microKernelArgs
	pack     packArgs
	quant    dequantizeArgs
	quantDot quantDotArgs
	dot      dotArgs
	axpy     axpyArgs
	amx      amxArgs
	scratch  any // *gemvScratch
}

func newGemmStep[T float32 | float64](w target.Width) *gemmStep[T] {
	var zero T
	return &gemmStep[T]{shape: shapeOf(w, int(unsafe.Sizeof(zero)))}
}

// assemble assembles code.
func (s *gemmStep[T]) assemble(key gemmKey) (*target.Code, error) {
	var a *asm.Assembler
	switch n, v := int(key.n), int(key.v); key.kind {
	case tileKind, unpackedKind, windowKind, depthwiseKind, unpackedWindowKind:
		t := newMicroKernel(s.shape, key.kind, n, v)
		t.write()
		a = &t.Assembler
	case copyKind:
		a = copyCode(s.shape, n, v)
	case transposeKind:
		a = transposeCode(square{s.Size, n}, s.shape, v == 1)
	case gemvDotKind:
		a = gemvDotCode(square{s.Size, n})
	case gemvAxpyKind:
		a = gemvAxpyCode(s.shape, n)
	case interleaveKind:
		if a = interleave2Code(); n == 4 {
			a = interleave4Code()
		}
	case narrowKind:
		a = narrowCode()
	case compensationKind:
		a = compensationCode(s.shape, v)
	case widenKind:
		a = widenCode(rt.Narrow(n))
	case dequantizeKind:
		a = dequantizeCode(n == 4)
	case quantDotKind:
		a = quantDotCode(s.shape, rt.QuantKind(n/8), n%8, v == 1)
	case amxKind:
		a = amxCode(s.amx, n, v)
	}
	c, err := target.Finish(a)
	if err != nil {
		return nil, fmt.Errorf("%s: gemm of %d-byte elements: %w", s.Width, s.Size, err)
	}
	return c, nil
}

// keys returns the keys of all code.
func (s *gemmStep[T]) keys() []gemmKey {
	if s.amx != 0 {
		return s.amxKeys()
	}
	out := s.blockKeys()
	if s.dot2 {
		return append(out, gemmKey{interleaveKind, 0, 0})
	}
	if s.dot4 {
		return append(out, s.dot4Keys()...)
	}
	if s.roundsProducts {
		return out
	}
	for v := range s.vecs {
		for n := range s.windowRows(v + 1) {
			for _, kind := range []gemmKind{windowKind, depthwiseKind, unpackedWindowKind} {
				out = append(out, gemmKey{kind, uint8(n + 1), uint8(v + 1)})
			}
		}
	}
	for _, of := range rt.Narrows() {
		out = append(out, gemmKey{widenKind, uint8(of), 0})
	}
	for _, of := range rt.QuantKinds() {
		for rows := range uint8(maxQuantDotRows) {
			for scaled := range uint8(2) {
				out = append(out, gemmKey{quantDotKind, 8*uint8(of) + rows + 1, scaled})
			}
		}
	}
	return append(out, gemmKey{narrowKind, 0, 0}, gemmKey{dequantizeKind, 8, 0}, gemmKey{dequantizeKind, 4, 0},
		gemmKey{gemvDotKind, uint8(32 / s.Size), 0},
		gemmKey{gemvAxpyKind, axpyUnroll, 0}, gemmKey{gemvAxpyKind, 1, 0})
}

// amxKeys returns the keys of the code for AMX tiles.
func (s *gemmStep[T]) amxKeys() []gemmKey {
	out := []gemmKey{{interleaveKind, 0, 0}, {interleaveKind, 4, 0},
		{transposeKind, 8, 0}, {transposeKind, 4, 0}}
	for n := range uint8(2) {
		for v := range uint8(2) {
			out = append(out, gemmKey{amxKind, n + 1, v + 1})
		}
		out = append(out, gemmKey{copyKind, uint8(s.Width.VectorBytes()), n + 1})
	}
	return out
}

// dot4Keys returns the keys of the code that int8 steps have in addition to that of blocks.
func (s *gemmStep[T]) dot4Keys() []gemmKey {
	out := []gemmKey{{interleaveKind, 4, 0}}
	if s.flipsSigns() {
		out = append(out, gemmKey{transposeKind, 8, 1}, gemmKey{transposeKind, 4, 1})
		for v := range s.vecs {
			out = append(out, gemmKey{compensationKind, 0, uint8(v + 1)})
		}
	}
	return out
}

// blockKeys returns the keys of the code of packed products.
func (s *gemmStep[T]) blockKeys() []gemmKey {
	var out []gemmKey
	for n := range s.rows {
		for v := range s.vecs {
			out = append(out, gemmKey{tileKind, uint8(n + 1), uint8(v + 1)})
			if !s.dot2 && !s.dot4 && !s.roundsProducts {
				out = append(out, gemmKey{unpackedKind, uint8(n + 1), uint8(v + 1)})
			}
		}
	}
	for _, bytes := range []int{s.rows * s.Size, s.Width.VectorBytes()} {
		for v := range s.vecs {
			out = append(out, gemmKey{copyKind, uint8(bytes), uint8(v + 1)})
		}
	}
	return append(out, gemmKey{transposeKind, uint8(32 / s.Size), 0}, gemmKey{transposeKind, 4, 0})
}

// name returns the name of code in profiles.
func (s *gemmStep[T]) name(key gemmKey) string {
	kind := [...]string{"tile", "unpacked", "copy", "transpose", "dot", "axpy", "window", "depthwise",
		"unpacked_window", "interleave", "narrow", "compensation", "widen", "dequantize", "quant_dot", "amx"}[key.kind]
	elem := fmt.Sprintf("f%d", 8*s.Size)
	switch {
	case s.amx != 0:
		elem = s.amx.String()
	case s.dot2:
		elem = "bf16"
	case s.integers:
		elem = "s32"
	case s.roundsProducts:
		elem = "rounded_" + elem
	case s.dot4:
		elem = fmt.Sprintf("vpdpbusd_%s%s", signLetter(s.leftSigned), signLetter(s.rightSigned))
	}
	return fmt.Sprintf("gemm_%s_%s_%dx%d", elem, kind, key.n, key.v)
}

// signLetter returns the letter of signed or unsigned integers.
func signLetter(signed bool) string {
	if signed {
		return "s"
	}
	return "u"
}

// get returns code, which it assembles at first use.
func (s *gemmStep[T]) get(key gemmKey) *target.Code {
	at := s.entry(key)
	if c := at.Load(); c != nil {
		return c
	}
	return s.lazy.Get(at, s.emulate == nil, s.name(key), func() (*target.Code, error) { return s.assemble(key) })
}

// call runs code.
func (s *gemmStep[T]) call(key gemmKey, args unsafe.Pointer) {
	c := s.get(key)
	if s.emulate != nil {
		s.emulate(c, args)
		return
	}
	c.Function.Call(args)
}

// getArgs returns arguments from the idle ones or the pool.
func (s *gemmStep[T]) getArgs() *gemmArgs {
	if a := s.goroutineArgs().Swap(nil); a != nil {
		return a
	}
	if a, ok := s.args.Get().(*gemmArgs); ok {
		return a
	}
	return &gemmArgs{}
}

// putArgs clears the arguments, so that they keep no memory alive, and returns them to the pool.
func (s *gemmStep[T]) putArgs(a *gemmArgs) {
	*a = gemmArgs{scratch: a.scratch}
	if !s.goroutineArgs().CompareAndSwap(nil, a) {
		s.args.Put(a)
	}
}

// goroutineArgs returns the entry of the current goroutine.
func (s *gemmStep[T]) goroutineArgs() *atomic.Pointer[gemmArgs] {
	var onStack byte
	return &s.idleArgs[uintptr(unsafe.Pointer(&onStack))>>13%uintptr(len(s.idleArgs))].args
}
