package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// innerLoops emits the reduction of a row, or of a part of one that begins a tile: tile by tile, quarter by quarter.
func (f *RowEmitter) innerLoops() error {
	a := &f.Asm
	if err := f.beginElems(f.accumulateLanes); err != nil {
		return err
	}
	rowEnd, tile, quarter := a.NewLabel(), a.NewLabel(), a.NewLabel()
	if err := f.beginArgReduces(); err != nil {
		return err
	}
	a.EmitLoad(rowRemaining, asm.RDI, ArgCount)
	a.Bind(tile)
	a.Emit(asm.TEST, rowRemaining, rowRemaining)
	a.Emit(asm.JE, rowEnd)
	f.takeMin(tileRemaining, rowRemaining, plan.TileElems)
	a.EmitLoad(lanesReg, asm.RDI, ArgLanes)
	a.Bind(quarter)
	f.takeMin(remaining, tileRemaining, quarterElems)
	f.eachLane(func(reg regalloc.Operand, m asm.Arg) { f.Emit(asm.VMOVUPS, reg, f.Memory(m)) })
	if err := f.EmitBlock(); err != nil {
		return err
	}
	if err := f.elemLoops(f.accumulateLanes); err != nil {
		return err
	}
	f.eachLane(func(reg regalloc.Operand, m asm.Arg) { f.Emit(asm.VMOVUPS, f.Memory(m), reg) })
	if err := f.EmitBlock(); err != nil {
		return err
	}
	a.EmitImm(asm.ADD, lanesReg, quarterBytes)
	a.Emit(asm.TEST, tileRemaining, tileRemaining)
	a.Emit(asm.JNE, quarter)
	if err := f.endTile(tile); err != nil {
		return err
	}
	a.Bind(rowEnd)
	return f.finishRow()
}

// takeMin sets to to min(from, n) and subtracts it from from.
func (f *RowEmitter) takeMin(to, from asm.Reg, n int64) {
	f.Asm.EmitImm(asm.MOV, to, n)
	f.Asm.Emit(asm.CMP, from, to)
	f.Asm.Emit(asm.CMOVL, to, from)
	f.Asm.Emit(asm.SUB, from, to)
}

// eachLane calls visit with the registers of the lanes of a quarter, and their memory.
func (f *RowEmitter) eachLane(visit func(reg regalloc.Operand, m asm.Arg)) {
	for i := range f.Reduces {
		fo, vectors := &f.Reduces[i], quarterBytes/f.Width.VectorBytes()
		for v, reg := range fo.Regs {
			visit(reg, asm.Mem(lanesReg, fo.Lane+v/vectors*LaneBytes+v%vectors*f.Width.VectorBytes()))
		}
	}
}

// accumulateLanes accumulates copy n of the body; vectors go to the registers in turn.
func (f *RowEmitter) accumulateLanes(n int) {
	for i := range f.Reduces {
		fo := &f.Reduces[i]
		parts := f.reduceInputs(fo)
		if fo.ArgReduce != nil {
			f.accumulateArgLanes(fo, n, parts)
			continue
		}
		if fo.Type.IsComplex() {
			f.accumulateComplexLanes(fo, n, parts)
			continue
		}
		for p, x := range parts {
			reg := fo.Regs[(n*len(parts)+p)%len(fo.Regs)]
			sum := f.Combine(fo, reg, x)
			if f.inTail {
				sum = f.Blend(fo.Acc, f.tailMask(ElemBytes(fo.Acc), p), sum, reg)
			}
			f.setReg(reg, sum)
		}
	}
}

// laneSums returns the reductions that are sums in lanes.
func (f *RowEmitter) laneSums() []*Reduction {
	var out []*Reduction
	for i := range f.Reduces {
		if f.Reduces[i].Lanes {
			out = append(out, &f.Reduces[i])
		}
	}
	return out
}

// endTile emits the end of a tile: the lanes of a full group are added pairwise to those of the groups before it.
func (f *RowEmitter) endTile(next asm.Label) error {
	a, tiles, groups := &f.Asm, asm.Mem(asm.RDI, ArgTiles), asm.Mem(asm.RDI, ArgGroups)
	sums := f.laneSums()
	if len(sums) == 0 {
		a.Emit(asm.JMP, next)
		return nil
	}
	a.Emit(asm.MOV, remaining, tiles)
	a.EmitImm(asm.ADD, remaining, 1)
	a.Emit(asm.MOV, tiles, remaining)
	a.EmitImm(asm.CMP, remaining, plan.GroupTiles)
	a.Emit(asm.JNE, next)
	loop, end := a.NewLabel(), a.NewLabel()
	f.beginStack()
	a.Bind(loop)
	a.EmitImm(asm.TEST, remaining, 1)
	a.Emit(asm.JE, end)
	if err := f.addFromStack(sums); err != nil {
		return err
	}
	f.nextStackEntry()
	a.Emit(asm.JMP, loop)
	a.Bind(end)
	for _, fo := range sums {
		for v := range fo.LanesBytes() / f.Width.VectorBytes() {
			f.Emit(asm.VMOVUPS, f.Memory(f.laneMem(lanesReg, fo, v)),
				f.To(asm.VMOVUPS, f.Memory(f.laneMem(tileRemaining, fo, v))))
		}
		f.clearLanes(fo)
	}
	if err := f.EmitBlock(); err != nil {
		return err
	}
	a.Emit(asm.MOV, remaining, groups)
	a.EmitImm(asm.ADD, remaining, 1)
	a.Emit(asm.MOV, groups, remaining)
	f.clearArg(ArgTiles)
	a.Emit(asm.JMP, next)
	return nil
}

// beginStack points lanesReg to the stack of sums, tileRemaining to the lanes; remaining has a bit for each used entry
// of the stack.
func (f *RowEmitter) beginStack() {
	f.Asm.EmitLoad(remaining, asm.RDI, ArgGroups)
	f.Asm.EmitLoad(lanesReg, asm.RDI, ArgStack)
	f.Asm.EmitLoad(tileRemaining, asm.RDI, ArgLanes)
}

// nextStackEntry advances to the next entry of the stack, in which sums have the layout of the lanes.
func (f *RowEmitter) nextStackEntry() {
	last := &f.Reduces[len(f.Reduces)-1]
	f.Asm.EmitImm(asm.ADD, lanesReg, int64(last.Lane+last.LanesBytes()))
	f.Asm.EmitImm(asm.SHR, remaining, 1)
}

// laneMem returns vector v of the lanes of a reduction; base points to the lanes or to the stack.
func (f *RowEmitter) laneMem(base asm.Reg, fo *Reduction, v int) asm.Arg {
	return asm.Mem(base, fo.Lane+v*f.Width.VectorBytes())
}

// loadLanes loads vector v of each value of the lanes of a reduction.
func (f *RowEmitter) loadLanes(base asm.Reg, fo *Reduction, v int) []regalloc.Operand {
	vectors := LaneBytes / f.Width.VectorBytes()
	return f.Each(fo.NumLaneValues(), func(j int) regalloc.Operand {
		return f.To(asm.VMOVUPS, f.Memory(f.laneMem(base, fo, j*vectors+v)))
	})
}

// addFromStack adds an entry of the stack to the lanes of sums.
func (f *RowEmitter) addFromStack(sums []*Reduction) error {
	vectors := LaneBytes / f.Width.VectorBytes()
	for _, fo := range sums {
		for v := range vectors {
			earlier := f.loadLanes(lanesReg, fo, v)
			for j, x := range f.combineParts(fo, f.loadLanes(tileRemaining, fo, v), earlier) {
				f.Emit(asm.VMOVUPS, f.Memory(f.laneMem(tileRemaining, fo, j*vectors+v)), x)
			}
		}
	}
	return f.EmitBlock()
}

// clearLanes resets the lanes of a reduction; arg-reductions only reset their keys.
func (f *RowEmitter) clearLanes(fo *Reduction) {
	vectors := LaneBytes / f.Width.VectorBytes()
	for j := range fo.NumLaneValues() {
		if j > 0 && fo.ArgReduce != nil {
			return
		}
		start := f.Number(ElemBytes(fo.Acc), fo.LaneStartOf(j))
		for v := range vectors {
			f.Emit(asm.VMOVUPS, f.Memory(f.laneMem(tileRemaining, fo, j*vectors+v)), start)
		}
	}
}

func (f *RowEmitter) clearArg(offset int) {
	f.Asm.Emit(asm.XOR, asm.GP32(ScratchReg.Num()), asm.GP32(ScratchReg.Num()))
	f.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, offset), ScratchReg)
}

// finishRow emits the end of a row, if the call has it: it adds the lanes of all groups, reduces the lanes horizontally
// to one, and stores it.
func (f *RowEmitter) finishRow() error {
	a := &f.Asm
	open, loop, next, end := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.EmitLoad(ScratchReg, asm.RDI, ArgRowFlag)
	a.Emit(asm.TEST, ScratchReg, ScratchReg)
	a.Emit(asm.JE, open)
	f.beginStack()
	if sums := f.laneSums(); len(sums) > 0 {
		a.Bind(loop)
		a.Emit(asm.TEST, remaining, remaining)
		a.Emit(asm.JE, end)
		a.EmitImm(asm.TEST, remaining, 1)
		a.Emit(asm.JE, next)
		if err := f.addFromStack(sums); err != nil {
			return err
		}
		a.Bind(next)
		f.nextStackEntry()
		a.Emit(asm.JMP, loop)
		a.Bind(end)
		f.clearArg(ArgGroups)
		f.clearArg(ArgTiles)
	}
	err := f.storeResults(func(fo *Reduction) []regalloc.Operand {
		defer f.clearLanes(fo)
		if fo.ArgReduce != nil {
			return elemAndPosition(f.reduceLanes(fo, f.combineArgs(fo)))
		}
		return f.fromTotalOrder(fo, f.reduceLanes(fo, f.combineOne(fo)))
	})
	a.Bind(open)
	return err
}

// storeResults stores the results of a row and advances to the next.
func (f *RowEmitter) storeResults(resultsOf func(fo *Reduction) []regalloc.Operand) error {
	f.Asm.EmitLoad(lanesReg, asm.RDI, ArgResults)
	f.Asm.EmitLoad(remaining, asm.RDI, ArgRow)
	for i := range f.Reduces {
		fo := &f.Reduces[i]
		e := fo.Elem()
		if fo.Type == dtype.C128 {
			f.storeComplex128Result(fo, resultsOf(fo))
			continue
		}
		for j, x := range f.interleaved(fo, resultsOf(fo)) {
			m := f.Memory(asm.MemIndex(lanesReg, remaining, e, fo.At+j*ReduceBytes))
			f.Emit(ByLane(e, asm.VMOVD, asm.VMOVQ), m, x.As(asm.XMM))
		}
	}
	if err := f.EmitBlock(); err != nil {
		return err
	}
	f.Asm.EmitImm(asm.ADD, remaining, 1)
	f.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, ArgRow), remaining)
	return nil
}

// combineOne returns the combiner of reductions of one value; it takes the upper lanes second.
func (f *RowEmitter) combineOne(fo *Reduction) func(x, y []regalloc.Operand) []regalloc.Operand {
	return func(x, y []regalloc.Operand) []regalloc.Operand { return f.combineParts(fo, y, x) }
}

// fromTotalOrder converts integers in total order back to floats: the map is its own inverse.
func (f *RowEmitter) fromTotalOrder(fo *Reduction, x []regalloc.Operand) []regalloc.Operand {
	if fo.Ordered != dtype.Invalid {
		return f.totalOrder(fo.Ordered, x)
	}
	return x
}

// reduceLanes reduces the lanes horizontally: it combines the upper half with the lower half until one is left.
func (f *RowEmitter) reduceLanes(fo *Reduction,
	combine func(x, y []regalloc.Operand) []regalloc.Operand) []regalloc.Operand {
	x := make([][]regalloc.Operand, LaneBytes/f.Width.VectorBytes())
	for v := range x {
		x[v] = f.loadLanes(tileRemaining, fo, v)
	}
	return f.reduceVectors(fo, x, combine)
}

// reduceVectors is reduceLanes for lanes in registers: element 0 of the vectors is the result.
func (f *RowEmitter) reduceVectors(fo *Reduction, x [][]regalloc.Operand,
	combine func(x, y []regalloc.Operand) []regalloc.Operand) []regalloc.Operand {
	if fo.Lanes && f.Plan.IsShort() {
		return f.reduceInOrder(fo, x, combine)
	}
	for n := len(x) / 2; n > 0; n /= 2 {
		for v := range n {
			x[v] = combine(x[v], x[n+v])
		}
	}
	sum := x[0]
	width := len(sum)
	with := func(upper func(x regalloc.Operand) regalloc.Operand) {
		sum = combine(sum, f.Each(width, func(j int) regalloc.Operand { return upper(sum[j]) }))
	}
	extract := func(op asm.Op, to, from asm.Class) {
		with(func(x regalloc.Operand) regalloc.Operand {
			high := f.Vector()
			f.Emit(op, high.As(to), x.As(from), regalloc.Imm(1))
			return high
		})
	}
	if f.IsWide() {
		extract(asm.VEXTRACTF64X4, asm.YMM, asm.ZMM)
		extract(asm.VEXTRACTF32X4, asm.XMM, asm.YMM)
	} else {
		extract(asm.VEXTRACTF128, asm.XMM, asm.YMM)
	}
	const swapHalves, swapNeighbours = 0x4e, 0xb1
	with(func(x regalloc.Operand) regalloc.Operand { return f.To(asm.VPSHUFD, x, regalloc.Imm(swapHalves)) })
	if ElemBytes(fo.Acc) == 4 {
		with(func(x regalloc.Operand) regalloc.Operand { return f.To(asm.VPSHUFD, x, regalloc.Imm(swapNeighbours)) })
	}
	return sum
}

// reduceInOrder combines the first lanes, which have an element each, one after another.
func (f *RowEmitter) reduceInOrder(fo *Reduction, x [][]regalloc.Operand,
	combine func(x, y []regalloc.Operand) []regalloc.Operand) []regalloc.Operand {
	size := ElemBytes(fo.Acc)
	sum, part := x[0], x[0] // part has the 128 bits of the lane
	for i := 1; i < int(f.Plan.Vec.Size); i++ {
		lanes := f.Width.VectorBytes() / size
		v, at := x[i/lanes], i%lanes*size
		if at%16 == 0 {
			part = v
			if at > 0 {
				part = f.Each(len(v), func(j int) regalloc.Operand { return f.part128(v[j], at/16) })
			}
		}
		lane := part
		if at %= 16; at > 0 {
			order := 0xe4 >> (at / 4 * 2) // the lane and those above it move down
			lane = f.Each(len(v), func(j int) regalloc.Operand {
				return f.To(asm.VPSHUFD, part[j],
					regalloc.Imm(int64(order)))
			})
		}
		sum = combine(lane, sum)
	}
	return sum
}

// part128 returns 128 bits of a vector as the lower part of another.
func (f *RowEmitter) part128(x regalloc.Operand, i int) regalloc.Operand {
	part := f.Vector()
	if f.IsWide() {
		f.Emit(asm.VEXTRACTF32X4, part.As(asm.XMM), x.As(asm.ZMM), regalloc.Imm(int64(i)))
	} else {
		f.Emit(asm.VEXTRACTF128, part.As(asm.XMM), x.As(asm.YMM), regalloc.Imm(int64(i)))
	}
	return part
}
