package amd64

import (
	"math/bits"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// reduceCode is a kernel with reductions as machine code.
type reduceCode struct {
	*Code
	finalizers []finalizer
	memBytes   int // size of the reduction memory
	// Byte offsets in that memory: after the lanes, the stack of sums, the results of rows (or the accumulators of
	// rows), the accumulators of a group, and a buffer for results.
	stackAt, resultsAt, groupAt, bufferAt int
}

// finalizer is code for the results of a reduction: finish combines them with the initial value and stores them; add
// adds the sums of two groups of rows.
type finalizer struct{ finish, add codegen.Code }

func newReduceCode(g Generator, c *Code) (*reduceCode, error) {
	out := &reduceCode{Code: c}
	isSum, lanes, regions := false, 0, 0
	for i := range c.Reduces {
		lanes, regions = lanes+c.Reduces[i].LanesBytes(), regions+c.Reduces[i].NumRegions()
		end, err := g.newFinalizer(&c.k.Reduces[i], &c.Reduces[i], c.Reduces[i].Lanes && c.Form == plan.Outer)
		if err != nil {
			return nil, err
		}
		out.finalizers = append(out.finalizers, end)
		isSum = isSum || c.Reduces[i].Lanes
	}
	out.stackAt, out.resultsAt = lanes, lanes
	if isSum { // whose entries have the size of all lanes
		out.resultsAt += bits.Len64(uint64(c.Block)) * lanes
	}
	out.groupAt = out.resultsAt + regions*compiler.ReduceBytes
	out.bufferAt = out.groupAt + regions*compiler.ReduceBytes
	out.memBytes = out.bufferAt + 2*compiler.ReduceBytes
	return out, nil
}

// finalizerCache has the finalizers of an executable: most reductions share one.
type finalizerCache struct {
	sync.Mutex
	code map[string]codegen.Code // by kernel key
}

// newFinalizer compiles the finalizer of a reduction.
func (g Generator) newFinalizer(r *kernel.Reduction, fo *compiler.Reduction, groups bool) (end finalizer, err error) {
	if end.finish, err = g.compileFinalizer(finalizerKernel(r, fo, true)); err != nil || !groups {
		return end, err
	}
	end.add, err = g.compileFinalizer(finalizerKernel(r, fo, false))
	return end, err
}

// compileFinalizer compiles a kernel, or returns the code of an equal one. In tests without an arena, it uses the
// fallback tier.
func (g Generator) compileFinalizer(k *kernel.Kernel) (codegen.Code, error) {
	if g.arena == nil {
		c, err := g.Generator.Compile(k, plan.Of(k))
		return &fallbackCode{c, target.ErrUnsupported}, err
	}
	g.finalizers.Lock()
	defer g.finalizers.Unlock()
	key := string(k.AppendKey(nil))
	if c := g.finalizers.code[key]; c != nil {
		return c, nil
	}
	c, err := g.Compile(k, plan.Of(k))
	if err == nil {
		g.finalizers.code[key] = c
	}
	return c, err
}

// finalizerKernel returns the kernel that applies the combiner to vectors of elements: with finish to initial values
// and reduced elements, with the results in their memory layout; otherwise to the reduced elements of two groups, with
// the results in place of the first.
func finalizerKernel(r *kernel.Reduction, fo *compiler.Reduction, finish bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "reduce", Dims: []int64{plan.TileElems}}
	param := func(t dtype.Type, stride int64) kernel.Access {
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: (plan.TileElems-1)*stride + 1})
		return kernel.Access{Param: len(k.Params) - 1, Strides: []int64{stride}}
	}
	var args []kernel.Value
	load := func(t dtype.Type, stride int64) {
		at := param(t, stride)
		args = append(args, k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &at}))
	}
	for _, t := range r.Types {
		if finish {
			load(t, 0)
		} else {
			load(kernel.Register(t), 1)
		}
	}
	for j, t := range r.Types {
		if t = kernel.Register(t); j > 0 || !fo.Narrows() {
			load(t, 1)
			continue
		}
		load(dtype.U32, 1)
		args[len(args)-1] = k.Body.Add(kernel.Instr{Op: kernel.Convert, From: dtype.U32, Type: t,
			Args: [3]kernel.Value{args[len(args)-1]}})
	}
	value := make([]kernel.Value, len(r.Combine.Instrs))
	for i, in := range r.Combine.Instrs {
		if in.Op == kernel.Arg {
			value[i] = args[in.Arg]
			continue
		}
		for j := range in.Op.NumArgs() {
			in.Args[j] = value[in.Args[j]]
		}
		value[i] = k.Body.Add(in)
	}
	for j, t := range r.Types {
		v := value[r.Results[j]]
		if !finish {
			t = kernel.Register(t)
		}
		if kernel.NeedsRound(t) {
			v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
		}
		k.Stores = append(k.Stores, kernel.Store{Value: v, Type: t, At: param(t, 1)})
	}
	return k
}

// PartialBytes returns the size of the partial results, in the layout of the fallback tier.
func (c *reduceCode) PartialBytes() int {
	if c.NumBlocks() == 1 {
		return 0
	}
	return c.fallback().PartialBytes()
}

// Finish reduces some of the partial results with the fallback tier.
func (c *reduceCode) Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s codegen.Scratch) {
	c.fallback().Finish(i, params, partial, s.(*Scratch).Scratch)
}

// RunChunk runs piece i. On a bail-out, the fallback tier computes the entire piece.
func (c *reduceCode) RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer,
	s codegen.Scratch) {
	m := s.(*Scratch)
	m.first, m.params = first, params
	c.Code.growTiles(m)
	if len(m.reduceMem) < c.memBytes {
		m.reduceMem = make([]byte, c.memBytes)
	}
	run := reduceRun{reduceCode: c, m: m, params: params, partial: partial}
	done := false
	switch {
	case c.Form == plan.Inner:
		done = run.inner(i)
	case c.RowDims != nil:
		run.shortRows(i)
		done = true
	default:
		done = run.outer(i)
	}
	runtime.KeepAlive(params)
	if !done {
		c.fallback().RunChunk(i, params, first, partial, m.Scratch)
	}
}

// reduceRun is the execution of a piece.
type reduceRun struct {
	*reduceCode
	m       *Scratch
	params  []unsafe.Pointer
	partial unsafe.Pointer
	start   int64 // the first point of Vec of the block, for plan.Inner
}

// memory returns an address in the reduction memory.
func (r *reduceRun) memory(at int) unsafe.Pointer { return unsafe.Pointer(&r.m.reduceMem[at]) }

// set sets n elements in the reduction memory to the same bits.
func (r *reduceRun) set(at, elem int, n int64, bits uint64) {
	if to := r.memory(at); elem == 4 {
		rt.Fill(unsafe.Slice((*uint32)(to), n), uint32(bits))
	} else {
		rt.Fill(unsafe.Slice((*uint64)(to), n), bits)
	}
}

// call reduces n elements of each of some rows, the first from point v on of row seq. It reports whether no element
// bailed out.
func (r *reduceRun) call(v, n, rows int64) bool {
	args := &r.m.args
	isShort := n < int64(r.Lanes) && r.overlapsTails()
	if isShort && rows > 1 { // see stageShort
		seq := r.m.seq
		defer func() { r.m.seq = seq }()
		for ; rows > 0; rows-- {
			if !r.call(v, n, 1) {
				return false
			}
			r.m.seq++
			args.rowFlag = 0
		}
		return true
	}
	r.setAddresses(v, 0, r.params, r.m)
	last := len(r.Seq.Dims) - 1
	for i := range r.Addressing {
		if rows > 1 {
			r.setRowStep(i, r.Accesses[i].Seq[last], r.m)
		}
	}
	args.n, args.rows, args.first, args.done = n, rows, v, 0
	if isShort {
		r.stageShort(v, 0, n, r.params, r.m)
	}
	r.Code.call(args)
	if isShort && args.done == 0 {
		r.unstageShort(v, 0, n, r.params, r.m)
	}
	return args.done == 0
}

// rowsFrom returns the number of rows from point s of Seq on, up to end, with a constant step.
func (r *reduceRun) rowsFrom(s, end int64) int64 {
	if len(r.Seq.Dims) == 0 {
		return 1
	}
	inner := r.Seq.Dims[len(r.Seq.Dims)-1]
	return min(end-s, inner-s%inner)
}

// inner reduces a block for the results of a piece, one after another.
func (r *reduceRun) inner(i int) bool {
	lo, hi, block := r.Piece(i)
	v0 := block * r.Block
	v1 := min(v0+r.Block, r.Vec.Size)
	r.start = v0
	args := &r.m.args
	args.groups, args.tiles = 0, 0
	args.lanes, args.stack = uintptr(r.memory(0)), uintptr(r.memory(r.stackAt))
	args.result = uintptr(r.memory(r.resultsAt))
	for i := range r.Reduces {
		fo := &r.Reduces[i]
		for j := range fo.NumLaneValues() {
			r.set(fo.Lane+j*compiler.LaneBytes, compiler.ElemBytes(fo.Acc),
				int64(compiler.LaneBytes/compiler.ElemBytes(fo.Acc)), fo.LaneStartOf(j))
		}
	}
	fullRows := len(r.staged) == 0 && compiler.IsOneTile(r.Plan)
	for s := lo; s < hi; {
		r.m.seq = s
		args.row = 0
		rows := int64(1)
		ok := false
		if fullRows {
			rows = min(r.rowsFrom(s, hi), compiler.MaxRowsPerCall, max(compiler.MaxCall/(v1-v0), 1))
			ok = r.reduceRows(v0, v1, rows)
		} else {
			ok = r.tilesOf(v0, v1, s == lo)
		}
		if !ok {
			return false
		}
		if !r.signsAreKnown(rows) || !r.productsAreFinite(rows) {
			return false
		}
		r.finishBlock(r.resultsAt, block, s, rows)
		s += rows
	}
	return true
}

// reduceRows reduces rows that need no tiles in memory.
func (r *reduceRun) reduceRows(v0, v1, rows int64) bool {
	for v := v0; v < v1; {
		n := min(v1-v, compiler.MaxCall)
		r.m.args.rowFlag = 0
		if v+n == v1 {
			r.m.args.rowFlag = 1
		}
		if !r.call(v, n, rows) {
			return false
		}
		v += n
	}
	return true
}

// tilesOf reduces a row tile by tile. First is set for the first row of a piece.
func (r *reduceRun) tilesOf(v0, v1 int64, first bool) bool {
	for v := v0; v < v1; {
		n := r.TileLen(v, v1)
		r.m.args.rowFlag = 0
		if v+n == v1 {
			r.m.args.rowFlag = 1
		}
		if !r.tile(v, n, first && v == v0) {
			return false
		}
		v += n
	}
	return true
}

// tile reduces a tile of a row, with staged elements.
func (r *reduceRun) tile(v, n int64, first bool) bool {
	for _, i := range r.staged {
		switch {
		case i >= r.Stores:
		case r.transposesReduces && r.isTransposedReduce(i):
			r.fillTransposed(i, v, n, first, r.params, r.m)
		case first || !r.tileInvariant[i]:
			r.fillTile(i, v, n, r.params, r.m)
		}
	}
	if !r.call(v, n, 1) {
		return false
	}
	for _, i := range r.staged {
		if i >= r.Stores {
			r.storeTile(i, v, 0, n, r.params, r.m)
		}
	}
	return true
}

// outer accumulates the rows of a block into the results of a piece, a tile of results at a time.
func (r *reduceRun) outer(i int) bool {
	lo, hi, block := r.Piece(i)
	s0 := block * r.Block
	s1 := min(s0+r.Block, r.Seq.Size)
	for v := lo; v < hi; {
		n := r.TileLen(v, hi)
		for s := s0; s < s1; {
			group := min(s+plan.GroupRows, s1)
			to := r.resultsAt
			if s > s0 {
				to = r.groupAt
			}
			r.beginGroup(to, n)
			r.m.args.rowFlag = 0
			if s == s0 {
				r.m.args.rowFlag = 1
			}
			if !r.group(v, n, s, group, to, v == lo && s == s0) {
				return false
			}
			if s > s0 {
				r.endGroup(n)
			}
			s = group
		}
		if !r.productsAreFinite(n) {
			return false
		}
		r.finishBlock(r.resultsAt, block, v, n)
		v += n
	}
	return true
}

// group accumulates the rows from s to end-1 into n accumulators in the reduction memory.
func (r *reduceRun) group(v, n, s, end int64, to int, first bool) bool {
	r.m.args.result = uintptr(r.memory(to))
	for ; s < end; r.m.args.rowFlag = 0 {
		r.m.seq = s
		rows := int64(1)
		if len(r.staged) > 0 {
			if !r.tile(v, n, first) {
				return false
			}
			first = false
		} else {
			rows = min(r.rowsFrom(s, end), max(compiler.MaxCall/n, 1))
			if !r.call(v, n, rows) {
				return false
			}
		}
		s += rows
	}
	return true
}

// beginGroup initialises the n accumulators of each reduction for a group of rows. Sums add groups; other reductions
// continue with the results so far.
func (r *reduceRun) beginGroup(to int, n int64) {
	for i := range r.Reduces {
		switch fo := &r.Reduces[i]; {
		case to == r.groupAt && !fo.Lanes:
			r.copyElems(r.groupAt, r.resultsAt, fo, n)
		case fo.Body.Results == nil:
			r.setIdentity(fo, to, n)
		}
	}
}

// endGroup combines the n accumulators of a group after the first with the results so far.
func (r *reduceRun) endGroup(n int64) {
	for i := range r.Reduces {
		fo := &r.Reduces[i]
		if !fo.Lanes {
			r.copyElems(r.resultsAt, r.groupAt, fo, n)
			continue
		}
		all := r.memory(r.resultsAt + fo.At)
		r.run(r.finalizers[i].add, n, all, r.memory(r.groupAt+fo.At), all)
	}
}

// copyElems copies n elements of a reduction between parts of the memory.
func (r *reduceRun) copyElems(to, from int, fo *compiler.Reduction, n int64) {
	size := int(n) * fo.Elem()
	for j := range fo.NumResults() {
		if j > 0 {
			size = 8 * int(n) // of any type
		}
		copy(r.m.reduceMem[to+fo.At+j*compiler.ReduceBytes:][:size], r.m.reduceMem[from+fo.At+j*compiler.ReduceBytes:])
	}
}

// run runs a finalizer.
func (r *reduceRun) run(code codegen.Code, n int64, params ...unsafe.Pointer) {
	first := r.m.first
	code.RunElems(int(n), r.m.finalizerParams[:copy(r.m.finalizerParams[:], params)], r.m)
	r.m.first, r.m.params = first, r.params
}

// registers converts n reduced elements of result j of reduction i in place to the register type, which may be
// narrower.
func (r *reduceRun) registers(at, i, j int, n int64) unsafe.Pointer {
	p := r.memory(at + r.Reduces[i].At + j*compiler.ReduceBytes)
	t := kernel.Register(r.k.Reduces[i].Types[j])
	from, to := int64(compiler.ElemBytes(t)), int64(t.Size())
	if j == 0 {
		from = int64(r.Reduces[i].Elem())
	}
	if t == dtype.Bool && r.Lanes*8 == r.width.VectorBytes() {
		from = 8
	}
	if from != to {
		copyRun(p, p, to, to, from, n)
	}
	return p
}

// reducedValues returns n reduced elements of each result of reduction i, from result v on.
func (r *reduceRun) reducedValues(at, i int, v, n int64) (of [2]unsafe.Pointer) {
	fo := &r.Reduces[i]
	if fo.Narrows() && r.NumBlocks() == 1 {
		of[0] = r.memory(at + fo.At)
	} else {
		of[0] = r.registers(at, i, 0, n)
	}
	switch {
	case fo.ArgReduce != nil:
		of[1] = r.indices(i, of[0], v, n)
	case fo.NumResults() > 1:
		of[1] = r.registers(at, i, 1, n)
	}
	return of
}

// finishBlock stores n reduced elements, from result v on, as partial results, or finishes them if there is one block.
func (r *reduceRun) finishBlock(at int, block, v, n int64) {
	for i := range r.Reduces {
		fo := &r.Reduces[i]
		reduced := r.reducedValues(at, i, v, n)
		if r.NumBlocks() > 1 {
			for j := range fo.NumResults() {
				size := int64(kernel.Register(r.k.Reduces[i].Types[j]).Size())
				to := r.fallback().(partialHolder).PartialAt(i, j, block, v)
				copyRun(unsafe.Add(r.partial, to), reduced[j], size, size, size, n)
			}
			continue
		}
		r.finish(i, reduced, v, n)
	}
}

// partialHolder is code of the fallback tier, which defines the layout of partial results.
type partialHolder interface {
	PartialAt(reduction, value int, block, result int64) int64
}

// finish combines n reduced elements, or element and index, with the initial values and stores them from result v on.
func (r *reduceRun) finish(i int, reduced [2]unsafe.Pointer, v, n int64) {
	red := &r.k.Reduces[i]
	values := len(red.Types)
	params, buffers := make([]unsafe.Pointer, 0, 6), [2]unsafe.Pointer{}
	for j, t := range red.Types {
		params = append(params, unsafe.Add(r.params[red.Inits[j].Param], red.Inits[j].Offset*int64(t.Size())))
	}
	params = append(params, reduced[:values]...)
	for j := range red.Types {
		to, dense := r.resultAt(r.resultOf(i)+j, v, n)
		if !dense {
			buffers[j] = r.memory(r.bufferAt + j*compiler.ReduceBytes)
			to = buffers[j]
		}
		params = append(params, to)
	}
	r.run(r.finalizers[i].finish, n, params...)
	for j := range red.Types {
		if buffers[j] != nil {
			r.scatter(r.resultOf(i)+j, buffers[j], v, n)
		}
	}
}

// resultOf returns the first access of the results of a reduction.
func (r *reduceRun) resultOf(i int) int {
	at := r.Results
	for j := range i {
		at += r.Reduces[j].NumResults()
	}
	return at
}

// results returns the space of the results, and the strides of an access over it.
func (r *reduceRun) results(access int) (*plan.Space, []int64) {
	if r.Form == plan.Inner {
		return &r.Seq, r.Accesses[access].Seq
	}
	return &r.Vec, r.Accesses[access].Vec
}

// resultAt returns the address of result v of an access, and whether n results from there on are contiguous.
func (r *reduceRun) resultAt(access int, v, n int64) (to unsafe.Pointer, dense bool) {
	a := &r.Accesses[access]
	space, strides := r.results(access)
	last := len(space.Dims) - 1
	offset := a.Offset + space.Offset(strides, v) - r.m.firstOf(a.Param)
	dense = n == 1 || last == 0 && strides[last] == 1 || r.Form == plan.Outer && r.IsDense(access)
	return unsafe.Add(r.params[a.Param], offset*r.sizeOf(access)), dense
}

// sizeOf returns the bytes of an element of the results of an access.
func (r *reduceRun) sizeOf(access int) int64 {
	return int64(r.k.Params[r.Accesses[access].Param].Type.Size())
}

// scatter copies n contiguous results from result v on to their strided addresses.
func (r *reduceRun) scatter(access int, from unsafe.Pointer, v, n int64) {
	space, strides := r.results(access)
	last, size := len(space.Dims)-1, r.sizeOf(access)
	for done := int64(0); done < n; {
		run := min(n-done, space.Dims[last]-(v+done)%space.Dims[last])
		to, _ := r.resultAt(access, v+done, 1)
		copyRun(to, unsafe.Add(from, done*size), size, strides[last]*size, size, run)
		done += run
	}
}
