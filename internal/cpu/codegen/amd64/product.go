package amd64

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// productSteps are the inner steps of products of one width. Their code belongs to no executable:
// it is made when it is called first, and stays.
type productSteps struct {
	f32 *productStep[float32]
	f64 *productStep[float64]
	// Of parts of complex numbers, see rt.Products.
	rounded32 *productStep[float32]
	rounded64 *productStep[float64]
	int32     *productStep[float32]
	bf16      *pairStep // of V512 alone, as the following is
	amx       *amxStep  // of bf16
	int8      rt.QuadSteps
	vnni      rt.QuadSteps
	all       rt.Products // with those of every processor of the width: conversions that are made here once
}

// stepsOf are the steps of both widths.
var stepsOf = [...]productSteps{V256: newProductSteps(V256), V512: newProductSteps(V512)}

func newProductSteps(w Width) productSteps {
	s := productSteps{f32: newProductStep[float32](w), f64: newProductStep[float64](w),
		rounded32: newProductStep[float32](w), rounded64: newProductStep[float64](w), int32: newProductStep[float32](w)}
	s.rounded32.shape, s.rounded64.shape = rounding(s.rounded32.shape), rounding(s.rounded64.shape)
	s.int32.shape = s.rounded32.shape
	s.int32.integers = true
	if w == V512 {
		s.bf16, s.amx = newPairStep(w), newAMXStep(asm.TDPBF16PS)
		s.int8, s.vnni = newQuadSteps(), newVNNISteps()
	}
	s.all = rt.Products{F32: s.f32, F64: s.f64, Rounded32: s.rounded32, Rounded64: s.rounded64, Int32: s.int32,
		Widen: s.f32.widen, RoundBF16: s.f32.narrow}
	return s
}

// Products returns the inner steps of products.
func (g Generator) Products() rt.Products {
	s := &stepsOf[g.Width]
	p := s.all
	switch {
	case g.AMX&asm.AMXBF16 != 0:
		p.BF16 = s.amx
	case g.BF16:
		p.BF16 = s.bf16
	}
	switch {
	case g.AMX&asm.AMXINT8 != 0:
		p.Int8 = s.int8
	case g.VNNI:
		p.Int8 = s.vnni
	}
	return p
}

// productKind says what code of a step does.
type productKind uint8

const (
	tileKind       productKind = iota // rows, vectors
	rowsKind                          // rows, vectors; the left operand is not packed
	copyKind                          // bytes of a vector, vectors
	transposeKind                     // lines, 1 where the upper bits of bytes are exchanged
	dotKind                           // lines of a square
	addKind                           // k's at a time
	windowKind                        // points, vectors
	lanesKind                         // points, vectors; each column has a left operand of its own
	apartKind                         // points, vectors; the right operand is not packed either
	interleaveKind                    // 4 for bytes
	narrowKind
	startKind // 0, vectors
	widenKind // the elements
	amxKind   // tiles of rows, tiles of columns
	numProductKinds
)

// productKey tells apart the code of a step.
type productKey struct {
	kind productKind
	n, v uint8
}

// maxProductN and maxProductV are the largest numbers of a key.
const maxProductN, maxProductV = 64, 3

// productCode is code of a step.
type productCode struct {
	text             []byte
	instructionBytes int
	f                *rt.Function
}

// productStep computes products of one type at one width. It implements [rt.ProductStep].
type productStep[T float32 | float64] struct {
	shape
	// emulate runs code instead of the processor, in tests.
	emulate func(c *productCode, args unsafe.Pointer)

	code [numProductKinds][maxProductN + 1][maxProductV + 1]atomic.Pointer[productCode] // by key
	made codeMaker
	args sync.Pool // of *productArgs
	// kept are arguments that the pool need not see: those of a goroutine, found by where its stack
	// is, lie in a line of the cache of their own.
	kept [16]struct {
		args atomic.Pointer[productArgs]
		_    [56]byte
	}
}

// productArgs is room for the arguments of a call, which outlive the stack.
type productArgs struct {
	tile tileArgs
	pack packArgs
	dot  dotArgs
	add  addArgs
	amx  amxArgs
	room any // *dotRoom
}

func newProductStep[T float32 | float64](w Width) *productStep[T] {
	var zero T
	return &productStep[T]{shape: shapeOf(w, int(unsafe.Sizeof(zero)))}
}

// assemble makes code.
func (s *productStep[T]) assemble(key productKey) (*productCode, error) {
	var a *asm.Assembler
	switch n, v := int(key.n), int(key.v); key.kind {
	case tileKind, rowsKind, windowKind, lanesKind, apartKind:
		t := newTileCode(s.shape, key.kind, n, v)
		t.write()
		a = &t.Assembler
	case copyKind:
		a = copyCode(s.shape, n, v)
	case transposeKind:
		a = transposeCode(square{s.size, n}, s.shape, v == 1)
	case dotKind:
		a = dotCode(square{s.size, n})
	case addKind:
		a = addCode(s.shape, n)
	case interleaveKind:
		if a = interleaveCode(); n == 4 {
			a = interleaveBytesCode()
		}
	case narrowKind:
		a = narrowCode()
	case startKind:
		a = startCode(s.shape, v)
	case widenKind:
		a = widenCode(rt.Narrow(n))
	case amxKind:
		a = amxCode(s.amx, n, v)
	}
	c := &productCode{instructionBytes: a.Len()}
	var err error
	if c.text, err = a.Finish(); err != nil {
		return nil, fmt.Errorf("%s: products of %d bytes: %w", s.w, s.size, err)
	}
	return c, nil
}

// keys returns those of all the code that there is.
func (s *productStep[T]) keys() []productKey {
	if s.amx != 0 {
		return s.amxKeys()
	}
	out := s.blockKeys()
	if s.pairs {
		return append(out, productKey{interleaveKind, 0, 0})
	}
	if s.quads {
		return append(out, s.quadKeys()...)
	}
	if s.rounds {
		return out
	}
	for v := range s.vecs {
		for n := range s.windowRows(v + 1) {
			for _, kind := range []productKind{windowKind, lanesKind, apartKind} {
				out = append(out, productKey{kind, uint8(n + 1), uint8(v + 1)})
			}
		}
	}
	for _, of := range rt.Narrows() {
		out = append(out, productKey{widenKind, uint8(of), 0})
	}
	return append(out, productKey{narrowKind, 0, 0}, productKey{dotKind, uint8(32 / s.size), 0},
		productKey{addKind, addKs, 0}, productKey{addKind, 1, 0})
}

// amxKeys returns those of the code of products of tiles of AMX.
func (s *productStep[T]) amxKeys() []productKey {
	out := []productKey{{interleaveKind, 0, 0}, {interleaveKind, 4, 0},
		{transposeKind, 8, 0}, {transposeKind, 4, 0}}
	for n := range uint8(2) {
		for v := range uint8(2) {
			out = append(out, productKey{amxKind, n + 1, v + 1})
		}
		out = append(out, productKey{copyKind, uint8(s.w.vectorBytes()), n + 1})
	}
	return out
}

// quadKeys returns those of the code that products of integers of 8 bits have beside that of blocks.
func (s *productStep[T]) quadKeys() []productKey {
	out := []productKey{{interleaveKind, 4, 0}}
	if s.flips() {
		out = append(out, productKey{transposeKind, 8, 1}, productKey{transposeKind, 4, 1})
		for v := range s.vecs {
			out = append(out, productKey{startKind, 0, uint8(v + 1)})
		}
	}
	return out
}

// blockKeys returns those of the code of packed products.
func (s *productStep[T]) blockKeys() []productKey {
	var out []productKey
	for n := range s.rows {
		for v := range s.vecs {
			out = append(out, productKey{tileKind, uint8(n + 1), uint8(v + 1)})
			if !s.pairs && !s.quads && !s.rounds {
				out = append(out, productKey{rowsKind, uint8(n + 1), uint8(v + 1)})
			}
		}
	}
	for _, bytes := range []int{s.rows * s.size, s.w.vectorBytes()} {
		for v := range s.vecs {
			out = append(out, productKey{copyKind, uint8(bytes), uint8(v + 1)})
		}
	}
	return append(out, productKey{transposeKind, uint8(32 / s.size), 0}, productKey{transposeKind, 4, 0})
}

// name is that of code in profiles.
func (s *productStep[T]) name(key productKey) string {
	kind := [...]string{"tile", "rows", "copy", "transpose", "dot", "add", "window", "lanes", "apart", "interleave",
		"narrow", "start", "widen", "amx"}[key.kind]
	elem := fmt.Sprintf("f%d", 8*s.size)
	switch {
	case s.amx != 0:
		elem = s.amx.String()
	case s.pairs:
		elem = "bf16"
	case s.integers:
		elem = "s32"
	case s.rounds:
		elem = "rounded_" + elem
	case s.quads:
		elem = fmt.Sprintf("vpdpbusd_%s%s", signOf(s.leftSigned), signOf(s.rightSigned))
	}
	return fmt.Sprintf("product_%s_%s_%dx%d", elem, kind, key.n, key.v)
}

// signOf names numbers with a sign or without.
func signOf(signed bool) string {
	if signed {
		return "s"
	}
	return "u"
}

// get returns code, which it makes the first time.
func (s *productStep[T]) get(key productKey) *productCode {
	at := &s.code[key.kind][key.n][key.v]
	if c := at.Load(); c != nil {
		return c
	}
	return s.made.code(at, s.emulate == nil, s.name(key), func() (*productCode, error) { return s.assemble(key) })
}

// codeMaker makes code that is asked for, once.
type codeMaker struct{ mu sync.Mutex }

// code returns the code of a place, which it makes the first time, executable where it is to run. Where the system
// has no memory for it, it panics with the [rt.CodeMemoryError] that the execution returns; the next one tries again.
func (m *codeMaker) code(at *atomic.Pointer[productCode], runs bool, name string,
	assemble func() (*productCode, error)) *productCode {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := at.Load(); c != nil {
		return c
	}
	c, err := assemble()
	if err == nil && runs {
		err = c.load(name)
	}
	if err != nil {
		panic(err) // of memory alone: tests make all the code that there is
	}
	at.Store(c)
	return c
}

// load makes code executable.
func (c *productCode) load(name string) (err error) {
	c.f, err = keep(name, c.text, c.instructionBytes)
	return err
}

// call runs code.
func (s *productStep[T]) call(key productKey, args unsafe.Pointer) {
	c := s.get(key)
	if s.emulate != nil {
		s.emulate(c, args)
		return
	}
	c.f.Call(args)
}

// takeArgs returns room for arguments, to be given back with giveArgs.
func (s *productStep[T]) takeArgs() *productArgs {
	if a := s.keptHere().Swap(nil); a != nil {
		return a
	}
	if a, ok := s.args.Get().(*productArgs); ok {
		return a
	}
	return &productArgs{}
}

// giveArgs takes back room for arguments, which keeps no memory alive.
func (s *productStep[T]) giveArgs(a *productArgs) {
	*a = productArgs{room: a.room}
	if !s.keptHere().CompareAndSwap(nil, a) {
		s.args.Put(a)
	}
}

// keptHere returns the place of the arguments that a goroutine keeps.
func (s *productStep[T]) keptHere() *atomic.Pointer[productArgs] {
	var here byte
	return &s.kept[uintptr(unsafe.Pointer(&here))>>13%uintptr(len(s.kept))].args
}
