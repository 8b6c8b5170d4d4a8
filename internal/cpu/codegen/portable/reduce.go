package portable

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// reduction is a compiled Reduction. Its accumulators are in registers of the machine: one element each while tiles run
// over the reduced space, a tile each while tiles run over the outputs.
type reduction struct {
	id       int
	def      *kernel.Reduction
	types    []dtype.Type // register types
	values   []ref
	acc      []int // the accumulators
	lhs, rhs []int // the operands of combine: pointers
	combine  []step
	results  []ref
	inits    []int // registers for the initial values
	widen    []func(dst, src unsafe.Pointer, n int)
	stores   []step

	tmp      []int // the reduced tile; buffer for pairwise reductions
	pairBufs [2][]int
	sum      func(m *machine, n int) // reduces a tile of values to tmp[0]; nil for a general combiner
	intoAcc  bool                    // sum reduces into the accumulators
	partial  []int                   // byte offset of the partial results of each value, a row per block

	// A reduction in lanes keeps a stack of partial sums in acc: its sum adds a tile, pushBlock adds the sum of a block
	// in tmp[0]; collect and collectBlocks leave the total in element 0 of acc. They are nil for other reductions.
	collect, pushBlock, collectBlocks func(m *machine)
	addTile                           func(m *machine, n int)       // adds a tile to the lanes in tmp
	sumRows                           func(m *machine, n, rows int) // adds contiguous rows; nil for others
	short                             int                           // lanes combined in order, in short rows
}

// reductions compiles the kernel's reductions.
func (c *compiler) reductions() error {
	acc := c.Results
	for i := range c.k.Reduces {
		r := &c.k.Reduces[i]
		f := &reduction{id: i, def: r}
		newRegs := func() []int {
			regs := make([]int, len(f.types))
			for j, t := range f.types {
				regs[j] = c.newReg(t, false)
			}
			return regs
		}
		for j, v := range r.Values {
			t := c.k.Body.Instrs[v].Register()
			f.types = append(f.types, t)
			f.values = append(f.values, c.refs[v])
			f.widen = append(f.widen, widenLoop(r.Types[j], t))
			f.lhs = append(f.lhs, c.newPointer())
			f.rhs = append(f.rhs, c.newPointer())
		}
		f.acc, f.inits, f.tmp = newRegs(), newRegs(), newRegs()
		f.pairBufs = [2][]int{newRegs(), newRegs()}
		if r.ArgMinMax.Op == kernel.Invalid || !c.setArgReduce(f, &r.ArgMinMax) {
			if err := c.combine(f); err != nil {
				return fmt.Errorf("reduction %d: %w", i, err)
			}
		}
		for j, t := range r.Types {
			f.stores = append(f.stores, c.storeStep(acc, f.results[j], t, f.types[j]))
			acc++
		}
		if len(f.types) == 1 && r.Kind != kernel.Invalid {
			setFastReduce(f)
			if c.IsShort() {
				f.short = int(c.Vec.Size)
			}
			if r.Kind != kernel.Add && c.Orders[i] == plan.InLanes {
				setNonSumLanes(f)
			}
		}
		c.reduces = append(c.reduces, f)
	}
	return nil
}

// combine compiles the combiner: its arguments are the pointers lhs and rhs.
func (c *compiler) combine(f *reduction) error {
	body := &f.def.Combine
	refs := make([]ref, len(body.Instrs))
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op == kernel.Arg {
			if n := in.Arg; n < len(f.lhs) {
				refs[i] = ref{reg: f.lhs[n]}
			} else {
				refs[i] = ref{reg: f.rhs[n-len(f.lhs)]}
			}
			continue
		}
		if in.Op == kernel.Load || in.Op == kernel.Index {
			return fmt.Errorf("a reduction body must not read memory")
		}
		uni := in.Op == kernel.Const
		if !uni && in.Op.NumArgs() > 0 {
			uni = true
			for _, a := range in.Args[:in.Op.NumArgs()] {
				uni = uni && refs[a].uniform
			}
		}
		refs[i] = ref{c.newReg(in.Type, false), uni}
		s, err := c.instr(in, refs[i], refs, -1)
		if err != nil {
			return err
		}
		f.combine = append(f.combine, s)
	}
	// Each result has its own register, distinct from the arguments and the other results.
	taken := map[kernel.Value]bool{}
	for j, v := range f.def.Results {
		r := refs[v]
		if taken[v] || body.Instrs[v].Op == kernel.Arg {
			r = ref{c.newReg(f.types[j], false), r.uniform}
			f.combine = append(f.combine, selectSame(f.types[j], r, refs[v]))
		}
		taken[v] = true
		f.results = append(f.results, r)
	}
	return nil
}

// apply combines n elements of the registers a and b; the results are in f.results.
func (f *reduction) apply(m *machine, a, b []int, n int) {
	for j := range f.lhs {
		m.regs[f.lhs[j]], m.regs[f.rhs[j]] = m.regs[a[j]], m.regs[b[j]]
	}
	for _, s := range f.combine {
		s(m, n)
	}
}

// applyTo combines n elements of the registers a and b; the results are in a. A combiner of one step writes them in
// place: loops read element i before they write element i.
func (f *reduction) applyTo(m *machine, a, b []int, n int) {
	var saved [2]unsafe.Pointer
	if len(f.combine) > 1 || len(f.results) > len(saved) || f.results[0].uniform {
		f.apply(m, a, b, n)
		f.storeResults(m, a, n)
		return
	}
	for j, r := range f.results {
		saved[j], m.regs[r.reg] = m.regs[r.reg], m.regs[a[j]]
	}
	f.apply(m, a, b, n)
	for j, r := range f.results {
		m.regs[r.reg] = saved[j]
	}
}

// storeResults copies n elements of the results to the registers dst.
func (f *reduction) storeResults(m *machine, dst []int, n int) {
	for j, r := range f.results {
		copyElems(m.regs[dst[j]], m.regs[r.reg], n, f.types[j].Size(), r.uniform)
	}
}

// copyElems copies n elements of size bytes, or one of them n times.
func copyElems(dst, src unsafe.Pointer, n, size int, uniform bool) {
	if !uniform {
		copy(unsafe.Slice((*byte)(dst), n*size), unsafe.Slice((*byte)(src), n*size))
		return
	}
	d := unsafe.Slice((*byte)(dst), n*size)
	for done := copy(d, unsafe.Slice((*byte)(src), size)); done < len(d); done *= 2 {
		copy(d[done:], d[:done])
	}
}

func (f *reduction) start(m *machine) { m.count[f.id], m.tiles[f.id], m.filled[f.id] = 0, 0, 0 }

// inLanes reports whether the reduction is in the order of lanes.
func (f *reduction) inLanes() bool { return f.collect != nil }

// reduceTile reduces a tile of n elements of the reduced space.
func (f *reduction) reduceTile(m *machine, n int) {
	switch {
	case f.intoAcc:
		f.sum(m, n)
		return
	case f.sum != nil:
		f.sum(m, n)
	default:
		f.reducePairwise(m, n)
	}
	f.addTmp(m)
}

// addTmp combines element 0 of tmp with the accumulators.
func (f *reduction) addTmp(m *machine) {
	if m.count[f.id] == 0 {
		for j, r := range f.tmp {
			copyElems(m.regs[f.acc[j]], m.regs[r], 1, f.types[j].Size(), false)
		}
	} else {
		f.apply(m, f.acc, f.tmp, 1)
		f.storeResults(m, f.acc, 1)
	}
	m.count[f.id]++
}

// reducePairwise reduces n elements to one in tmp by combining neighbours until one is left; an odd element is carried
// over to the next level.
func (f *reduction) reducePairwise(m *machine, n int) {
	for j, v := range f.values {
		copyElems(m.regs[f.tmp[j]], m.regs[v.reg], n, f.types[j].Size(), v.uniform)
	}
	for n > 1 {
		half := n / 2
		for j, t := range f.types {
			unzip(m.regs[f.pairBufs[0][j]], m.regs[f.pairBufs[1][j]], m.regs[f.tmp[j]], half, t.Size())
		}
		f.apply(m, f.pairBufs[0], f.pairBufs[1], half)
		for j, t := range f.types {
			if size := t.Size(); n%2 == 1 {
				copyElems(unsafe.Add(m.regs[f.tmp[j]], half*size), unsafe.Add(m.regs[f.tmp[j]], (n-1)*size), 1, size,
					false)
			}
		}
		f.storeResults(m, f.tmp, half)
		n = half + n%2
	}
}

// unzip copies n pairs of elements of size bytes to two arrays, the even and the odd elements.
func unzip(even, odd, src unsafe.Pointer, n, size int) {
	rt.BySize(size, unzipElems[uint8], unzipElems[uint16], unzipElems[uint32], unzipElems[uint64],
		unzipElems[complex128])(even, odd, src, n)
}

func unzipElems[T any](even, odd, src unsafe.Pointer, n int) {
	x, y, s := unsafe.Slice((*T)(even), n), unsafe.Slice((*T)(odd), n), unsafe.Slice((*[2]T)(src), n)
	for i := range s {
		x[i], y[i] = s[i][0], s[i][1]
	}
}

// end leaves the reduction of all tiles in element 0 of the accumulators.
func (f *reduction) end(m *machine) {
	if f.inLanes() {
		f.collect(m)
	}
}

// addRow combines a row with n accumulators.
func (f *reduction) addRow(m *machine, n int) {
	count := m.count[f.id]
	m.count[f.id]++
	into := f.acc
	if f.inLanes() && count >= plan.GroupRows { // sums add blocks of rows
		into = f.tmp
		count %= plan.GroupRows
	}
	if count == 0 {
		for j, v := range f.values {
			copyElems(m.regs[into[j]], m.regs[v.reg], n, f.types[j].Size(), v.uniform)
		}
		return
	}
	src := f.pairBufs[0]
	regs := make([]int, 0, 4)
	for j, v := range f.values {
		if v.uniform {
			copyElems(m.regs[src[j]], m.regs[v.reg], n, f.types[j].Size(), true)
			regs = append(regs, src[j])
		} else {
			regs = append(regs, v.reg)
		}
	}
	f.applyTo(m, into, regs, n)
	if f.inLanes() && m.count[f.id] > plan.GroupRows && m.count[f.id]%plan.GroupRows == 0 {
		f.applyTo(m, f.acc, f.tmp, n)
	}
}

// endOuter adds the last, incomplete block of rows.
func (f *reduction) endOuter(m *machine, n int) {
	if count := m.count[f.id]; f.inLanes() && count > plan.GroupRows && count%plan.GroupRows != 0 {
		f.applyTo(m, f.acc, f.tmp, n)
	}
}

// partialAt returns the address of the partial results of value j of block b, from output i on.
func (f *reduction) partialAt(c *Code, partial unsafe.Pointer, j int, b, i int64) unsafe.Pointer {
	return unsafe.Add(partial, f.partial[j]+int(b*c.NumResults()+i)*f.types[j].Size())
}

// savePartial writes the accumulators of n outputs of block b from output i on.
func (f *reduction) savePartial(c *Code, m *machine, partial unsafe.Pointer, b, i int64, n int) {
	for j, t := range f.types {
		copyElems(f.partialAt(c, partial, j, b, i), m.regs[f.acc[j]], n, t.Size(), false)
	}
}

// addPartial combines the saved accumulators of output i of block b.
func (f *reduction) addPartial(c *Code, m *machine, partial unsafe.Pointer, b, i int64) {
	for j, t := range f.types {
		copyElems(m.regs[f.tmp[j]], f.partialAt(c, partial, j, b, i), 1, t.Size(), false)
	}
	if f.inLanes() {
		f.pushBlock(m)
	} else {
		f.addTmp(m)
	}
}

// endBlocks leaves the reduction of all saved accumulators in element 0 of the accumulators.
func (f *reduction) endBlocks(m *machine) {
	if f.inLanes() && m.count[f.id] > 0 {
		f.collectBlocks(m)
	}
}

// finish combines the initial values with n accumulators and stores the results.
func (f *reduction) finish(m *machine, n int) {
	for j := range f.inits {
		a := &f.def.Inits[j]
		f.widen[j](m.regs[f.inits[j]], at(m.params[a.Param], a.Offset, f.def.Types[j].Size()), 1)
		if n > 1 {
			size := f.types[j].Size()
			copyElems(unsafe.Add(m.regs[f.inits[j]], size), m.regs[f.inits[j]], n-1, size, true)
		}
	}
	if m.count[f.id] == 0 { // empty reduction
		for j, r := range f.results {
			copyElems(m.regs[r.reg], m.regs[f.inits[j]], n, f.types[j].Size(), false)
		}
	} else {
		f.apply(m, f.inits, f.acc, n)
	}
	for _, s := range f.stores {
		s(m, n)
	}
}
