package portable

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// ScalarCode is kernels of a few points each, and loops and branches over them, as a list of operations on cells of a
// file: there are no tiles, pointers to set up or other workers. It may contain kernels in tiles, whose parameters are
// set up once. It is immutable; each goroutine needs its own File.
type ScalarCode struct {
	ops      []scalarOp
	image    []byte                   // initial contents of a file: the constants
	regs     []int                    // offsets of the cells that vector loops access as registers
	params   []home                   // of all kernels in tiles
	scratch  []func() codegen.Scratch // of those kernels: the first have their own, which stays set up
	partials int                      // the largest size of partial results among them
}

// File holds the values of scalar code while it runs.
type File struct {
	code   *ScalarCode
	base   unsafe.Pointer // address of mem
	mem    []uint64
	bufs   []unsafe.Pointer // the buffers of the program
	cancel *atomic.Bool     // nil: never
	m      machine          // for operations that are vector loops

	params  []unsafe.Pointer // of all kernels in tiles
	scratch []codegen.Scratch
	partial []uint64
}

// ownScratch bounds the kernels in tiles that have their own scratch.
const ownScratch = 8

// scalarOp is an operation on a file.
type scalarOp func(f *File)

// cell returns the cell at off.
func cell[T any](f *File, off int) *T { return (*T)(unsafe.Add(f.base, off)) }

// NewFile returns a file for the code. Bufs are the addresses of the buffers, by number, when the code runs.
func (c *ScalarCode) NewFile(bufs []unsafe.Pointer) codegen.File {
	f := &File{code: c, mem: make([]uint64, len(c.image)/8+1), bufs: bufs,
		params: make([]unsafe.Pointer, len(c.params))}
	f.partial = make([]uint64, (c.partials+7)/8)
	for _, scratch := range c.scratch {
		f.scratch = append(f.scratch, scratch())
	}
	f.base = unsafe.Pointer(&f.mem[0])
	copy(unsafe.Slice((*byte)(f.base), len(c.image)), c.image)
	for _, off := range c.regs {
		f.m.regs = append(f.m.regs, unsafe.Add(f.base, off))
	}
	return f
}

// Run runs the code. Its loops end early once cancel, which may be nil, is set.
func (f *File) Run(cancel *atomic.Bool) {
	f.cancel = cancel
	for i, p := range f.code.params {
		f.params[i] = p.at(f)
	}
	for _, op := range f.code.ops {
		op(f)
	}
	if len(f.params) > 0 { // an idle file keeps no other memory alive
		clear(f.params)
		for i := range f.scratch {
			f.scratch[i].Forget()
		}
	}
}

// IsScalar reports whether a kernel can be scalar code, and whether that is faster than tiles.
func (Generator) IsScalar(k *kernel.Kernel) (can, better bool) {
	n, ops := k.NumElems(), int64(len(k.Body.Instrs)+len(k.Stores))
	affine := true
	k.Accesses(func(a *kernel.Access, _ dtype.Type, _ []int64) { affine = affine && a.IsAffine() })
	can = affine && len(k.Reduces) == 0 && n <= maxScalarPoints && n*ops <= maxScalarOps
	return can, can && n <= maxFastPoints && n*ops <= maxFastOps
}

// ScalarCompiler compiles scalar code. Buffers are identified by number. Reserved buffers stay in the file; others are
// in memory.
type ScalarCompiler struct {
	g      Generator
	code   ScalarCode
	ops    *[]scalarOp
	slots  map[int]int       // of reserved buffers, their offset in the file
	regs   map[int]int       // of cells, their number as a register
	known  map[int][]element // of buffers in memory, the elements that are also in cells
	consts map[constant]int

	reservedSpans []span // ranges of reserved buffers, in order; other cells are written once
}

// span is a range of the file; to is exclusive.
type span struct{ from, to int }

// element is a part of a buffer in memory that is also in the file.
type element struct {
	offset int // in bytes
	t      dtype.Type
	at     int
}

type constant struct {
	bits [2]uint64
	t    dtype.Type
}

// NewScalarCompiler returns a compiler without operations.
func (g Generator) NewScalarCompiler() codegen.ScalarCompiler {
	s := &ScalarCompiler{g: g, slots: map[int]int{}, regs: map[int]int{}, known: map[int][]element{},
		consts: map[constant]int{}}
	s.ops = &s.code.ops
	return s
}

// Done returns the code.
func (s *ScalarCompiler) Done() (codegen.ScalarCode, error) { return &s.code, nil }

//go:noinline
func (s *ScalarCompiler) emit(op scalarOp) { *s.ops = append(*s.ops, op) }

// alloc allocates size bytes in the file.
func (s *ScalarCompiler) alloc(size int) int {
	off := len(s.code.image)
	s.code.image = append(s.code.image, make([]byte, (max(size, 1)+7)&^7)...)
	return off
}

// Reserve keeps a buffer in the file.
func (s *ScalarCompiler) Reserve(buf int, size int64) {
	at := s.alloc(int(size))
	s.slots[buf] = at
	s.reservedSpans = append(s.reservedSpans, span{at, at + int(size)})
}

// IsReserved reports whether a buffer is kept in the file.
func (s *ScalarCompiler) IsReserved(buf int) bool { _, ok := s.slots[buf]; return ok }

// Fill copies buffers in memory to reserved ones.
func (s *ScalarCompiler) Fill(moves ...codegen.Move) {
	for _, m := range moves {
		to, n := s.slots[m.To], m.Bytes
		s.emit(func(f *File) {
			copy(unsafe.Slice(cell[byte](f, to), n), unsafe.Slice((*byte)(f.bufs[m.From]), n))
		})
	}
}

// Spill copies reserved buffers to memory.
func (s *ScalarCompiler) Spill(moves ...codegen.Move) {
	for _, m := range moves {
		from, n := s.slots[m.From], m.Bytes
		delete(s.known, m.To)
		s.emit(func(f *File) {
			copy(unsafe.Slice((*byte)(f.bufs[m.To]), n), unsafe.Slice(cell[byte](f, from), n))
		})
	}
}

// Copy copies reserved buffers to others; the moves of a call happen at the same time.
func (s *ScalarCompiler) Copy(moves ...codegen.Move) {
	froms, written := make([]int, len(moves)), map[int]bool{}
	for _, m := range moves {
		written[m.To] = true
	}
	for i, m := range moves {
		froms[i] = s.slots[m.From]
		if written[m.From] {
			tmp := s.alloc(int(m.Bytes))
			s.copyCells(tmp, froms[i], int(m.Bytes))
			froms[i] = tmp
		}
	}
	for i, m := range moves {
		s.copyCells(s.slots[m.To], froms[i], int(m.Bytes))
	}
}

func (s *ScalarCompiler) copyCells(to, from, size int) {
	switch size {
	case 1:
		s.emit(copyCell[uint8](to, from))
	case 2:
		s.emit(copyCell[uint16](to, from))
	case 4:
		s.emit(copyCell[uint32](to, from))
	case 8:
		s.emit(copyCell[uint64](to, from))
	case 16:
		s.emit(copyCell[[2]uint64](to, from))
	default:
		s.emit(func(f *File) { copy(unsafe.Slice(cell[byte](f, to), size), unsafe.Slice(cell[byte](f, from), size)) })
	}
}

func copyCell[T any](to, from int) scalarOp {
	return func(f *File) { *cell[T](f, to) = *cell[T](f, from) }
}

// block returns the operations that build emits. No elements are known at the start of a block or after it, since other
// blocks may have run.
func (s *ScalarCompiler) block(build func() error) ([]scalarOp, error) {
	var ops []scalarOp
	outer := s.ops
	s.ops, s.known = &ops, map[int][]element{}
	err := build()
	s.ops, s.known = outer, map[int][]element{}
	return ops, err
}

// Loop runs the body while cond leaves true in the reserved buffer test.
func (s *ScalarCompiler) Loop(test int, cond, body func() error) error {
	c, err := s.block(cond)
	if err != nil {
		return err
	}
	b, err := s.block(body)
	if err != nil {
		return err
	}
	at := s.slots[test]
	s.emit(func(f *File) {
		for f.cancel == nil || !f.cancel.Load() {
			for _, op := range c {
				op(f)
			}
			if *cell[byte](f, at) == 0 {
				return
			}
			for _, op := range b {
				op(f)
			}
		}
	})
	return nil
}

// Branch runs one of the blocks: if isBool, the first if the reserved buffer index is true, else the second. Otherwise
// index is an integer of 32 bits that selects the block; the last block is the default.
func (s *ScalarCompiler) Branch(index int, isBool bool, blocks []func() error) error {
	code := make([][]scalarOp, len(blocks))
	for i, b := range blocks {
		var err error
		if code[i], err = s.block(b); err != nil {
			return err
		}
	}
	at := s.slots[index]
	s.emit(func(f *File) {
		i := uint32(0)
		if !isBool {
			i = *cell[uint32](f, at)
		} else if *cell[byte](f, at) == 0 {
			i = 1
		}
		for _, op := range code[min(i, uint32(len(code)-1))] {
			op(f)
		}
	})
	return nil
}

// Kernel adds a kernel for which [Generator.IsScalar] returns true; bufs are its parameters.
func (s *ScalarCompiler) Kernel(k *kernel.Kernel, bufs []int) error {
	n := k.NumElems()
	index := make([]int64, len(k.Dims))
	p := &scalarPoint{ScalarCompiler: s, k: k, bufs: bufs, index: index, at: make([]int, len(k.Body.Instrs))}
	p.findFloors()
	p.findNeeded()
	for range n {
		if err := p.compile(); err != nil {
			return fmt.Errorf("portable: kernel %s: %w", k.Name, err)
		}
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < k.Dims[d] {
				break
			}
			index[d] = 0
		}
	}
	return nil
}

// scalarPoint compiles a kernel at one point.
type scalarPoint struct {
	*ScalarCompiler
	k      *kernel.Kernel
	bufs   []int
	index  []int64
	floors map[kernel.Value]floor
	needed []bool // of each instruction
	at     []int  // of each instruction, the offset of its result
}

func (p *scalarPoint) findNeeded() {
	p.needed = make([]bool, len(p.k.Body.Instrs))
	for i := range p.k.Stores {
		p.needed[p.k.Stores[i].Value] = true
	}
	for i := len(p.needed) - 1; i >= 0; i-- {
		if p.needed[i] {
			for _, a := range p.args(i) {
				p.needed[a] = true
			}
		}
	}
}

// args returns the operands of the operation of an instruction.
func (p *scalarPoint) args(i int) []kernel.Value {
	if f, ok := p.floors[kernel.Value(i)]; ok {
		return f.args[:]
	}
	in := &p.k.Body.Instrs[i]
	return in.Args[:in.Op.NumArgs()]
}

// offset returns the element of an access.
func (p *scalarPoint) offset(a *kernel.Access) int64 {
	off := a.Offset
	for d, s := range a.Strides {
		off += s * p.index[d]
	}
	return off
}

func (p *scalarPoint) compile() error {
	direct := p.directStores()
	for i := range p.k.Body.Instrs {
		in := &p.k.Body.Instrs[i]
		switch {
		case !p.needed[i]:
		case in.Op == kernel.Const:
			p.at[i] = p.constant(in.Register(), in.Bits)
		case in.Op == kernel.Index:
			p.at[i] = p.constant(in.Register(), indexBits(in.Register(), p.offset(in.At)))
		case in.Op == kernel.Load:
			p.at[i] = p.load(in)
		default:
			to, isDirect := direct[kernel.Value(i)]
			if !isDirect {
				to = p.alloc(in.Register().Size())
			}
			p.at[i] = to
			if f, ok := p.floors[kernel.Value(i)]; ok {
				p.floor(f, in.Type, to)
			} else if err := p.instr(in, to, isDirect); err != nil {
				return err
			}
		}
	}
	for i := range p.k.Stores {
		st := &p.k.Stores[i]
		p.store(p.bufs[st.At.Param], int(p.offset(&st.At))*st.Type.Size(), st.Type,
			p.k.Body.Instrs[st.Value].Register(), p.at[st.Value])
	}
	return nil
}

// directStores returns the values that can be computed in place of a reserved buffer, with its offset: no later
// instruction reads that buffer.
func (p *scalarPoint) directStores() map[kernel.Value]int {
	var direct map[kernel.Value]int
	instrs := p.k.Body.Instrs
	for i := range p.k.Stores {
		st := &p.k.Stores[i]
		slot, ok := p.slots[p.bufs[st.At.Param]]
		in := &instrs[st.Value]
		if _, taken := direct[st.Value]; !ok || taken || in.Op.NumArgs() == 0 ||
			!sameInRegister(st.Type, in.Register()) {
			continue
		}
		reads := func(v kernel.Value) bool {
			l := &instrs[v]
			return l.Op == kernel.Load && p.bufs[l.At.Param] == p.bufs[st.At.Param]
		}
		for j := int(st.Value) + 1; j < len(instrs) && ok; j++ {
			ok = !p.needed[j] || !slices.ContainsFunc(p.args(j), reads)
		}
		for j := range p.k.Stores {
			ok = ok && !reads(p.k.Stores[j].Value)
		}
		if ok {
			if direct == nil {
				direct = map[kernel.Value]int{}
			}
			direct[st.Value] = slot + int(p.offset(&st.At))*st.Type.Size()
		}
	}
	return direct
}

// sameInRegister reports whether elements of type t have the same format in memory as in a register of type r.
func sameInRegister(t, r dtype.Type) bool { return t == r || t.Size() == r.Size() && !t.IsFloat() }

// constant returns the offset of a constant.
func (s *ScalarCompiler) constant(t dtype.Type, bits [2]uint64) int {
	c := constant{bits, t}
	if at, ok := s.consts[c]; ok {
		return at
	}
	at := s.alloc(t.Size())
	copy(s.code.image[at:at+t.Size()], unsafe.Slice((*byte)(unsafe.Pointer(&bits)), t.Size()))
	s.consts[c] = at
	return at
}

// indexBits returns an integer as an element of a register type.
func indexBits(t dtype.Type, v int64) (bits [2]uint64) {
	switch t {
	case dtype.F32, dtype.C64:
		bits[0] = uint64(math.Float32bits(float32(v)))
	case dtype.F64, dtype.C128:
		bits[0] = math.Float64bits(float64(v))
	default:
		bits[0] = uint64(v)
	}
	return bits
}

// load returns the offset of the element of a Load.
func (p *scalarPoint) load(in *kernel.Instr) int {
	buf, off := p.bufs[in.At.Param], int(p.offset(in.At))*in.Type.Size()
	r := in.Register()
	from, reserved := p.slots[buf]
	from += off
	if !reserved {
		for _, e := range p.known[buf] {
			if e.offset == off && e.t == in.Type {
				return e.at
			}
		}
		from = p.alloc(in.Type.Size())
		p.emit(loadCell(from, buf, off, in.Type.Size()))
	}
	if !sameInRegister(in.Type, r) {
		raw := from
		from = p.alloc(r.Size())
		widen, to := widenLoop(in.Type, r), from
		p.emit(func(f *File) { widen(unsafe.Add(f.base, to), unsafe.Add(f.base, raw), 1) })
	}
	if !reserved {
		p.track(buf, element{off, in.Type, from})
	}
	return from
}

// store stores a cell to a buffer.
func (p *scalarPoint) store(buf, off int, t, r dtype.Type, from int) {
	value := from
	if !sameInRegister(t, r) {
		narrow, src := narrowLoop(t), from
		from = p.alloc(t.Size())
		to := from
		p.emit(func(f *File) { narrow(unsafe.Add(f.base, to), unsafe.Add(f.base, src), 1) })
	}
	if slot, ok := p.slots[buf]; ok {
		if slot+off != from {
			p.copyCells(slot+off, from, t.Size())
		}
		return
	}
	p.emit(storeCell(buf, off, from, t.Size()))
	p.untrack(buf, off, t.Size())
	i, _ := slices.BinarySearchFunc(p.reservedSpans, value, func(c span, at int) int { return cmp.Compare(c.to, at+1) })
	if i == len(p.reservedSpans) || value < p.reservedSpans[i].from {
		p.track(buf, element{off, t, value})
	}
}

// track records the cell of an element of a buffer, and drops the oldest if there are too many.
func (p *scalarPoint) track(buf int, known element) {
	old := p.known[buf]
	old = old[:min(len(old), maxKnown-1)]
	p.known[buf] = append([]element{known}, old...) // outer blocks share the old list
}

// untrack drops the elements that overlap a part of a buffer.
func (p *scalarPoint) untrack(buf, offset, size int) {
	overlaps := func(e element) bool { return e.offset < offset+size && offset < e.offset+e.t.Size() }
	p.known[buf] = slices.DeleteFunc(slices.Clone(p.known[buf]), overlaps)
}
