package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// innerLoops emits the reduction of a row, or of a part of one that begins a tile: tile by tile, quarter by quarter.
func (f *rowFunction) innerLoops() error {
	a := &f.a
	if err := f.beginElems(f.accumulateLanes); err != nil {
		return err
	}
	rowEnd, tile, quarter := a.NewLabel(), a.NewLabel(), a.NewLabel()
	if err := f.beginArgReduces(); err != nil {
		return err
	}
	a.EmitLoad(rowRemaining, asm.RDI, argCount)
	a.Bind(tile)
	a.Emit(asm.TEST, rowRemaining, rowRemaining)
	a.Emit(asm.JE, rowEnd)
	f.takeMin(tileRemaining, rowRemaining, plan.TileElems)
	a.EmitLoad(lanesReg, asm.RDI, argLanes)
	a.Bind(quarter)
	f.takeMin(remaining, tileRemaining, quarterElems)
	f.eachLane(func(reg operand, m asm.Arg) { f.emit(asm.VMOVUPS, reg, f.memory(m)) })
	if err := f.emitBlock(); err != nil {
		return err
	}
	if err := f.elemLoops(f.accumulateLanes); err != nil {
		return err
	}
	f.eachLane(func(reg operand, m asm.Arg) { f.emit(asm.VMOVUPS, f.memory(m), reg) })
	if err := f.emitBlock(); err != nil {
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
func (f *rowFunction) takeMin(to, from asm.Reg, n int64) {
	f.a.EmitImm(asm.MOV, to, n)
	f.a.Emit(asm.CMP, from, to)
	f.a.Emit(asm.CMOVL, to, from)
	f.a.Emit(asm.SUB, from, to)
}

// eachLane calls visit with the registers of the lanes of a quarter, and their memory.
func (f *rowFunction) eachLane(visit func(reg operand, m asm.Arg)) {
	for i := range f.reduces {
		fo, vectors := &f.reduces[i], quarterBytes/f.w.VectorBytes()
		for v, reg := range fo.regs {
			visit(reg, asm.Mem(lanesReg, fo.lane+v/vectors*laneBytes+v%vectors*f.w.VectorBytes()))
		}
	}
}

// accumulateLanes accumulates copy n of the body; vectors go to the registers in turn.
func (f *rowFunction) accumulateLanes(n int) {
	for i := range f.reduces {
		fo := &f.reduces[i]
		parts := f.reduceInputs(fo)
		if fo.argReduce != nil {
			f.accumulateArgLanes(fo, n, parts)
			continue
		}
		if fo.typ.IsComplex() {
			f.accumulateComplexLanes(fo, n, parts)
			continue
		}
		for p, x := range parts {
			reg := fo.regs[(n*len(parts)+p)%len(fo.regs)]
			sum := f.combine(fo, reg, x)
			if f.inTail {
				sum = f.blend(fo.acc, f.tailMask(elemBytes(fo.acc), p), sum, reg)
			}
			f.setReg(reg, sum)
		}
	}
}

// laneSums returns the reductions that are sums in lanes.
func (f *rowFunction) laneSums() []*reduction {
	var out []*reduction
	for i := range f.reduces {
		if f.reduces[i].lanes {
			out = append(out, &f.reduces[i])
		}
	}
	return out
}

// endTile emits the end of a tile: the lanes of a full group are added pairwise to those of the groups before it.
func (f *rowFunction) endTile(next asm.Label) error {
	a, tiles, groups := &f.a, asm.Mem(asm.RDI, argTiles), asm.Mem(asm.RDI, argGroups)
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
		for v := range fo.lanesBytes() / f.w.VectorBytes() {
			f.emit(asm.VMOVUPS, f.memory(f.laneMem(lanesReg, fo, v)),
				f.to(asm.VMOVUPS, f.memory(f.laneMem(tileRemaining, fo, v))))
		}
		f.clearLanes(fo)
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	a.Emit(asm.MOV, remaining, groups)
	a.EmitImm(asm.ADD, remaining, 1)
	a.Emit(asm.MOV, groups, remaining)
	f.clearArg(argTiles)
	a.Emit(asm.JMP, next)
	return nil
}

// beginStack points lanesReg to the stack of sums, tileRemaining to the lanes; remaining has a bit for each used entry
// of the stack.
func (f *rowFunction) beginStack() {
	f.a.EmitLoad(remaining, asm.RDI, argGroups)
	f.a.EmitLoad(lanesReg, asm.RDI, argStack)
	f.a.EmitLoad(tileRemaining, asm.RDI, argLanes)
}

// nextStackEntry advances to the next entry of the stack, in which sums have the layout of the lanes.
func (f *rowFunction) nextStackEntry() {
	last := &f.reduces[len(f.reduces)-1]
	f.a.EmitImm(asm.ADD, lanesReg, int64(last.lane+last.lanesBytes()))
	f.a.EmitImm(asm.SHR, remaining, 1)
}

// laneMem returns vector v of the lanes of a reduction; base points to the lanes or to the stack.
func (f *rowFunction) laneMem(base asm.Reg, fo *reduction, v int) asm.Arg {
	return asm.Mem(base, fo.lane+v*f.w.VectorBytes())
}

// loadLanes loads vector v of each value of the lanes of a reduction.
func (f *rowFunction) loadLanes(base asm.Reg, fo *reduction, v int) []operand {
	vectors := laneBytes / f.w.VectorBytes()
	return f.each(fo.numLaneValues(), func(j int) operand {
		return f.to(asm.VMOVUPS, f.memory(f.laneMem(base, fo, j*vectors+v)))
	})
}

// addFromStack adds an entry of the stack to the lanes of sums.
func (f *rowFunction) addFromStack(sums []*reduction) error {
	vectors := laneBytes / f.w.VectorBytes()
	for _, fo := range sums {
		for v := range vectors {
			earlier := f.loadLanes(lanesReg, fo, v)
			for j, x := range f.combineParts(fo, f.loadLanes(tileRemaining, fo, v), earlier) {
				f.emit(asm.VMOVUPS, f.memory(f.laneMem(tileRemaining, fo, j*vectors+v)), x)
			}
		}
	}
	return f.emitBlock()
}

// clearLanes resets the lanes of a reduction; arg-reductions only reset their keys.
func (f *rowFunction) clearLanes(fo *reduction) {
	vectors := laneBytes / f.w.VectorBytes()
	for j := range fo.numLaneValues() {
		if j > 0 && fo.argReduce != nil {
			return
		}
		start := f.number(elemBytes(fo.acc), fo.laneStartOf(j))
		for v := range vectors {
			f.emit(asm.VMOVUPS, f.memory(f.laneMem(tileRemaining, fo, j*vectors+v)), start)
		}
	}
}

func (f *rowFunction) clearArg(offset int) {
	f.a.Emit(asm.XOR, asm.GP32(scratchReg.Num()), asm.GP32(scratchReg.Num()))
	f.a.Emit(asm.MOV, asm.Mem(asm.RDI, offset), scratchReg)
}

// finishRow emits the end of a row, if the call has it: it adds the lanes of all groups, reduces the lanes horizontally
// to one, and stores it.
func (f *rowFunction) finishRow() error {
	a := &f.a
	open, loop, next, end := a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.EmitLoad(scratchReg, asm.RDI, argRowFlag)
	a.Emit(asm.TEST, scratchReg, scratchReg)
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
		f.clearArg(argGroups)
		f.clearArg(argTiles)
	}
	err := f.storeResults(func(fo *reduction) []operand {
		defer f.clearLanes(fo)
		if fo.argReduce != nil {
			return elemAndPosition(f.reduceLanes(fo, f.combineArgs(fo)))
		}
		return f.fromTotalOrder(fo, f.reduceLanes(fo, f.combineOne(fo)))
	})
	a.Bind(open)
	return err
}

// storeResults stores the results of a row and advances to the next.
func (f *rowFunction) storeResults(resultsOf func(fo *reduction) []operand) error {
	f.a.EmitLoad(lanesReg, asm.RDI, argResults)
	f.a.EmitLoad(remaining, asm.RDI, argRow)
	for i := range f.reduces {
		fo := &f.reduces[i]
		e := fo.elem()
		if fo.typ == dtype.C128 {
			f.storeComplex128Result(fo, resultsOf(fo))
			continue
		}
		for j, x := range f.interleaved(fo, resultsOf(fo)) {
			m := f.memory(asm.MemIndex(lanesReg, remaining, e, fo.at+j*reduceBytes))
			f.emit(bySize(e, asm.VMOVD, asm.VMOVQ), m, x.as(asm.XMM))
		}
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.a.EmitImm(asm.ADD, remaining, 1)
	f.a.Emit(asm.MOV, asm.Mem(asm.RDI, argRow), remaining)
	return nil
}

// combineOne returns the combiner of reductions of one value; it takes the upper lanes second.
func (f *rowFunction) combineOne(fo *reduction) func(x, y []operand) []operand {
	return func(x, y []operand) []operand { return f.combineParts(fo, y, x) }
}

// fromTotalOrder converts integers in total order back to floats: the map is its own inverse.
func (f *rowFunction) fromTotalOrder(fo *reduction, x []operand) []operand {
	if fo.ordered != dtype.Invalid {
		return f.totalOrder(fo.ordered, x)
	}
	return x
}

// reduceLanes reduces the lanes horizontally: it combines the upper half with the lower half until one is left.
func (f *rowFunction) reduceLanes(fo *reduction, combine func(x, y []operand) []operand) []operand {
	x := make([][]operand, laneBytes/f.w.VectorBytes())
	for v := range x {
		x[v] = f.loadLanes(tileRemaining, fo, v)
	}
	return f.reduceVectors(fo, x, combine)
}

// reduceVectors is reduceLanes for lanes in registers: element 0 of the vectors is the result.
func (f *rowFunction) reduceVectors(fo *reduction, x [][]operand, combine func(x, y []operand) []operand) []operand {
	if fo.lanes && f.p.IsShort() {
		return f.reduceInOrder(fo, x, combine)
	}
	for n := len(x) / 2; n > 0; n /= 2 {
		for v := range n {
			x[v] = combine(x[v], x[n+v])
		}
	}
	sum := x[0]
	width := len(sum)
	with := func(upper func(x operand) operand) {
		sum = combine(sum, f.each(width, func(j int) operand { return upper(sum[j]) }))
	}
	extract := func(op asm.Op, to, from asm.Class) {
		with(func(x operand) operand {
			high := f.vector()
			f.emit(op, high.as(to), x.as(from), imm(1))
			return high
		})
	}
	if f.isWide() {
		extract(asm.VEXTRACTF64X4, asm.YMM, asm.ZMM)
		extract(asm.VEXTRACTF32X4, asm.XMM, asm.YMM)
	} else {
		extract(asm.VEXTRACTF128, asm.XMM, asm.YMM)
	}
	const swapHalves, swapNeighbours = 0x4e, 0xb1
	with(func(x operand) operand { return f.to(asm.VPSHUFD, x, imm(swapHalves)) })
	if elemBytes(fo.acc) == 4 {
		with(func(x operand) operand { return f.to(asm.VPSHUFD, x, imm(swapNeighbours)) })
	}
	return sum
}

// reduceInOrder combines the first lanes, which have an element each, one after another.
func (f *rowFunction) reduceInOrder(fo *reduction, x [][]operand, combine func(x, y []operand) []operand) []operand {
	size := elemBytes(fo.acc)
	sum, part := x[0], x[0] // part has the 128 bits of the lane
	for i := 1; i < int(f.p.Vec.Size); i++ {
		lanes := f.w.VectorBytes() / size
		v, at := x[i/lanes], i%lanes*size
		if at%16 == 0 {
			part = v
			if at > 0 {
				part = f.each(len(v), func(j int) operand { return f.part128(v[j], at/16) })
			}
		}
		lane := part
		if at %= 16; at > 0 {
			order := 0xe4 >> (at / 4 * 2) // the lane and those above it move down
			lane = f.each(len(v), func(j int) operand { return f.to(asm.VPSHUFD, part[j], imm(int64(order))) })
		}
		sum = combine(lane, sum)
	}
	return sum
}

// part128 returns 128 bits of a vector as the lower part of another.
func (f *rowFunction) part128(x operand, i int) operand {
	part := f.vector()
	if f.isWide() {
		f.emit(asm.VEXTRACTF32X4, part.as(asm.XMM), x.as(asm.ZMM), imm(int64(i)))
	} else {
		f.emit(asm.VEXTRACTF128, part.as(asm.XMM), x.as(asm.YMM), imm(int64(i)))
	}
	return part
}
