// Package random makes random programs of nodes, and arguments for them, to compare the memory
// planner and the executor with package eval.
package random

import (
	"math/rand/v2"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// builder makes a program. Its values are f32 of one shape and its transpose, so that most of them
// fit most nodes.
type builder struct {
	*rand.Rand
	p          *program.Program
	rows, cols int64
}

// scope is the values that a block may read: of rows by cols, of cols by rows, of rows, stacks of
// height values of rows by cols, and the counters of loops.
type scope struct{ values, transposed, reduced, stacks, counts []int }

func (s scope) clone() scope {
	return scope{slices.Clone(s.values), slices.Clone(s.transposed), slices.Clone(s.reduced), slices.Clone(s.stacks),
		slices.Clone(s.counts)}
}

// Program returns a random program without calls, with dimensions of at most maxDim.
func Program(r *rand.Rand, maxDim int64) *program.Program {
	sizes := []int64{1, 2, 5, 16, 33, 70}
	b := &builder{r, &program.Program{Main: &program.Block{}}, sizes[r.IntN(len(sizes))],
		append(sizes, 300)[r.IntN(len(sizes)+1)]}
	b.rows, b.cols = min(b.rows, maxDim), min(b.cols, maxDim)
	var s scope
	for range 2 + r.IntN(2) {
		s.values = append(s.values, b.buffer(b.rows, b.cols))
	}
	s.transposed = append(s.transposed, b.buffer(b.cols, b.rows))
	main := b.p.Main
	s.stacks = append(s.stacks, b.buffer(height, b.rows, b.cols))
	main.Args = slices.Concat(s.values, s.transposed, s.stacks)
	zero := b.buffer()
	b.p.Buffers[zero].Data = make([]byte, 4)
	s.reduced = append(s.reduced, b.buffer(b.rows))
	main.Nodes = append(main.Nodes, b.reduction(b.choose(s.values), zero, s.reduced[0]))
	main.Nodes = append(main.Nodes, b.nodes(&s, zero, 3+r.IntN(8), 2)...)
	for range 1 + r.IntN(3) {
		main.Results = append(main.Results, b.choose(s.values))
	}
	main.Results = append(main.Results, b.choose(s.transposed), b.choose(s.reduced), b.choose(s.stacks))
	return b.p
}

// Arguments returns elements for the arguments of a program.
func Arguments(r *rand.Rand, p *program.Program) [][]byte {
	var out [][]byte
	for _, a := range p.Main.Args {
		n, _ := p.Buffers[a].Type.NumElems()
		data := make([]byte, 4*n)
		for i := range int(n) {
			dtype.F32.StoreFloat(data, i, float64(r.IntN(65)-32)/16)
		}
		out = append(out, data)
	}
	return out
}

func (b *builder) choose(list []int) int { return list[b.IntN(len(list))] }

func (b *builder) buffer(dims ...int64) int { return b.typed(dtype.F32, dims...) }

func (b *builder) typed(t dtype.Type, dims ...int64) int {
	b.p.Buffers = append(b.p.Buffers, program.Buffer{Type: stablehlo.Tensor(t, dims...), Alias: -1})
	return len(b.p.Buffers) - 1
}

// nodes returns some nodes, nested up to depth.
func (b *builder) nodes(s *scope, zero, count, depth int) []program.Node {
	var out []program.Node
	for range count {
		kind := b.IntN(12)
		if depth == 0 {
			kind = b.IntN(9)
		}
		switch kind {
		case 0, 1:
			buf := b.buffer(b.rows, b.cols)
			out = append(out, b.elementwise(*s, buf))
			s.values = append(s.values, buf)
		case 2:
			s.reduced = append(s.reduced, b.buffer(b.rows))
			out = append(out, b.reduction(b.choose(s.values), zero, s.reduced[len(s.reduced)-1]))
		case 3:
			out = append(out, b.contractions(s, true)...)
		case 4:
			out = append(out, b.rowLoop(s, zero))
		case 5:
			out = append(out, b.group(s))
		case 6:
			out = append(out, b.convolution(*s)...)
			s.values = append(s.values, out[len(out)-1].Writes()[0])
		case 7:
			out = append(out, b.chain(s)...)
		case 8:
			out = append(out, b.update(s, zero))
		case 9:
			out = append(out, b.branch(s, zero, depth))
		default:
			out = append(out, b.loop(s, zero, depth)...)
		}
	}
	return out
}

// elementwise returns a kernel of values of rows by cols, some of them transposed or broadcast
// along rows.
func (b *builder) elementwise(s scope, out int) *program.Kernel {
	k := &kernel.Kernel{Name: "random", Dims: []int64{b.rows, b.cols}}
	var ins []int
	load := func(buf int, strides ...int64) kernel.Value {
		ins = append(ins, buf)
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: len(ins) - 1, Strides: strides}})
	}
	op := func(op kernel.Op, args ...kernel.Value) kernel.Value {
		in := kernel.Instr{Op: op, Type: dtype.F32}
		copy(in.Args[:], args)
		return k.Body.Add(in)
	}
	v := load(b.choose(s.values), b.cols, 1)
	for range b.IntN(3) {
		var w kernel.Value
		switch b.IntN(3) {
		case 0:
			w = load(b.choose(s.values), b.cols, 1)
		case 1:
			w = load(b.choose(s.transposed), 1, b.rows)
		default:
			w = load(b.choose(s.reduced), 1, 0)
		}
		v = op([]kernel.Op{kernel.Add, kernel.Sub, kernel.Max, kernel.Min}[b.IntN(4)], v, w)
	}
	v = op([]kernel.Op{kernel.Tanh, kernel.Neg, kernel.Abs}[b.IntN(3)], v)
	k.Stores = []kernel.Store{{Value: v, Type: dtype.F32,
		At: kernel.Access{Param: len(ins), Strides: []int64{b.cols, 1}}}}
	return b.p.NewKernel(k, ins, []int{out})
}

// reduction returns a kernel that reduces along rows.
func (b *builder) reduction(in, zero, out int) *program.Kernel {
	kind := []kernel.Op{kernel.Add, kernel.Max}[b.IntN(2)]
	k := &kernel.Kernel{Name: "reduce", Dims: []int64{b.rows, b.cols}, NumReduced: 1}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{b.cols, 1}}})
	combine, result := kernel.ReduceBy(kind, dtype.F32)
	k.Reduces = []kernel.Reduction{{Values: []kernel.Value{v}, Types: []dtype.Type{dtype.F32},
		Inits:   []kernel.Access{{Param: 1}},
		Combine: combine, Results: []kernel.Value{result}, Kind: kind,
		At: []kernel.Access{{Param: 2, Strides: []int64{1}}}}}
	return b.p.NewKernel(k, []int{in, zero}, []int{out})
}

// contractions returns a matrix product of two values, and one that restores their shape.
func (b *builder) contractions(s *scope, prologue bool) []program.Node {
	square, back := b.buffer(b.rows, b.rows), b.buffer(b.rows, b.cols)
	rows, cols := b.rows, b.cols
	right := program.Matrix{Rows: []program.Dim{{Size: cols, Stride: rows}},
		Cols: []program.Dim{{Size: rows, Stride: 1}}}
	with := b.choose(s.transposed)
	if b.IntN(2) == 0 { // a transposed view
		with = b.choose(s.values)
		right = program.Matrix{Rows: []program.Dim{{Size: cols, Stride: 1}},
			Cols: []program.Dim{{Size: rows, Stride: cols}}}
	}
	plain := func(rows, cols int64) program.Matrix {
		return program.Matrix{Rows: []program.Dim{{Size: rows, Stride: cols}},
			Cols: []program.Dim{{Size: cols, Stride: 1}}}
	}
	dot := stablehlo.NewOp(stablehlo.OpDotGeneral, nil, nil)
	first := &program.Contraction{Operands: program.Operands{Ins: []int{b.choose(s.values), with}, Outs: []int{square}},
		Acc: dtype.F32, Op: dot,
		Left: plain(rows, cols), Right: right, Out: plain(rows, rows)}
	if prologue && b.IntN(2) == 0 {
		b.prologue(first, *s)
	}
	second := &program.Contraction{Operands: program.Operands{Ins: []int{square, b.choose(s.values)},
		Outs: []int{back}},
		Acc: dtype.F32, Op: dot,
		Left: plain(rows, rows), Right: plain(rows, cols), Out: plain(rows, cols)}
	bounded := b.buffer(b.rows, b.cols) // powers of matrices would overflow
	tanh := b.elementwise(scope{values: []int{back}, transposed: s.transposed, reduced: s.reduced}, bounded)
	s.values = append(s.values, bounded)
	return []program.Node{first, second, tanh}
}

// prologue makes a product of cols by rows compute its right operand from that, from another value
// and perhaps from one of rows.
func (b *builder) prologue(c *program.Contraction, s scope) {
	k := &kernel.Kernel{Name: "prologue", Dims: []int64{1 << 20}}
	load := func(param int) kernel.Value {
		k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: k.Dims[0]})
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: param, Strides: []int64{1}}})
	}
	v := load(0)
	args := 1
	for ; args < 1+b.IntN(3); args++ {
		op := []kernel.Op{kernel.Sub, kernel.Max, kernel.Min}[b.IntN(3)]
		v = k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{v, load(args)}})
		also := program.Matrix{Rows: []program.Dim{{Size: b.cols, Stride: 1}},
			Cols: []program.Dim{{Size: b.rows, Stride: b.cols}}}
		buf := b.choose(s.values)
		switch b.IntN(3) {
		case 0:
			buf = b.choose(s.transposed)
			also.Rows[0].Stride, also.Cols[0].Stride = b.rows, 1
		case 1:
			buf = b.choose(s.reduced)
			also.Rows[0].Stride, also.Cols[0].Stride = 0, 1
		}
		c.Ins, c.PrologueIns = append(c.Ins, buf), append(c.PrologueIns, also)
	}
	v = k.Body.Add(kernel.Instr{Op: []kernel.Op{kernel.Neg, kernel.Tanh}[b.IntN(2)], Type: dtype.F32,
		Args: [3]kernel.Value{v}})
	k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: k.Dims[0]})
	k.Stores = []kernel.Store{{Value: v, Type: dtype.F32, At: kernel.Access{Param: args, Strides: []int64{1}}}}
	c.Prologue = &program.Body{Kernel: k, Args: args, Results: 1}
}

// convolution returns a convolution of a value by some elements of another, and a kernel that
// bounds it.
func (b *builder) convolution(s scope) []program.Node {
	window := func(size, stride, tapStride int64) program.Window {
		taps := 1 + b.Int64N(min(size, 3))
		return program.Window{In: size, Taps: taps, Positions: size, Left: stride, Right: tapStride,
			Out: stride, Step: 1,
			Low: b.Int64N(taps), Dilation: 1, BaseDilation: 1, Reversed: b.IntN(4) == 0}
	}
	one := []program.Dim{{Size: 1, Stride: 1}}
	matrix := program.Matrix{Batch: one, Rows: one, Cols: one}
	out, bounded := b.buffer(b.rows, b.cols), b.buffer(b.rows, b.cols)
	c := &program.Contraction{
		Operands: program.Operands{Ins: []int{b.choose(s.values), b.choose(s.values)}, Outs: []int{out}},
		Acc:      dtype.F32, Op: stablehlo.NewOp(stablehlo.OpConvolution, nil, nil), Left: matrix,
		Right: matrix, Out: matrix,
		Windows: []program.Window{window(b.rows, b.cols, b.cols), window(b.cols, 1, 1)}}
	inner := scope{values: []int{out}, transposed: s.transposed, reduced: s.reduced}
	return []program.Node{c, b.elementwise(inner, bounded)}
}

// chain returns successive kernels of scalars, of which the last is an element of a value: the
// intermediate values are dead at once.
func (b *builder) chain(s *scope) []program.Node {
	var out []program.Node
	number := func(v kernel.Value, k *kernel.Kernel, in int) int {
		buf := b.buffer()
		k.Stores = []kernel.Store{{Value: v, Type: dtype.F32, At: kernel.Access{Param: 1}}}
		out = append(out, b.p.NewKernel(k, []int{in}, []int{buf}))
		return buf
	}
	from := b.choose(s.values)
	last := -1
	for i := range 2 + b.IntN(4) {
		k := &kernel.Kernel{Name: "link"}
		at := &kernel.Access{}
		if i == 0 {
			at.Offset = b.Int64N(b.rows * b.cols)
		} else {
			from = last
		}
		v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: at})
		v = k.Body.Add(kernel.Instr{Op: []kernel.Op{kernel.Neg, kernel.Abs, kernel.Tanh}[b.IntN(3)], Type: dtype.F32,
			Args: [3]kernel.Value{v}})
		last = number(v, k, from)
	}
	k := &kernel.Kernel{Name: "spread", Dims: []int64{b.rows}}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{0}}})
	buf := b.buffer(b.rows)
	k.Stores = []kernel.Store{{Value: v, Type: dtype.F32, At: kernel.Access{Param: 1, Strides: []int64{1}}}}
	s.reduced = append(s.reduced, buf)
	return append(out, b.p.NewKernel(k, []int{last}, []int{buf}))
}

// rowLoop returns steps over the same rows; some of their results are local.
func (b *builder) rowLoop(s *scope, zero int) program.Node {
	n := &program.RowLoop{Rows: []int64{b.rows}}
	inside := scope{values: s.values, reduced: s.reduced}
	var written []int
	add := func(step program.Node) bool {
		if k, ok := step.(*program.Kernel); ok {
			if _, ok := plan.Of(k.Kernel).Untransposed().RowsPerChunk(b.rows); !ok {
				return false
			}
		}
		n.Steps = append(n.Steps, step)
		return true
	}
	stacks := s.stacks // before the row loop
	for range 2 + b.IntN(3) {
		switch b.IntN(5) {
		case 4:
			if len(stacks) == 0 {
				continue
			}
			inside.transposed, inside.counts = s.transposed, s.counts
			inside.stacks = []int{b.choose(stacks)}
			step := b.stacked(&inside)
			if add(step) { // no other step may use it
				stacks = slices.DeleteFunc(slices.Clone(stacks),
					func(x int) bool { return x == step.Ins[step.NumIns()] })
				s.stacks = append(s.stacks, step.Outs[0])
			}
		case 0:
			out := b.buffer(b.rows)
			if add(b.reduction(b.choose(inside.values), zero, out)) {
				inside.reduced = append(inside.reduced[:len(inside.reduced):len(inside.reduced)], out)
			}
		case 1:
			out := b.buffer(b.rows, b.cols)
			inside.transposed = s.transposed
			if add(b.elementwise(inside, out)) {
				inside.values = append(inside.values[:len(inside.values):len(inside.values)], out)
				written = append(written, out)
			}
		case 2:
			list := b.convolution(scope{values: s.values, transposed: s.transposed, reduced: s.reduced})
			c, bounded := list[0].(*program.Contraction), list[1].(*program.Kernel)
			if !program.IsRowContraction(b.p, c, b.rows) || !add(bounded) {
				continue
			}
			n.Steps = slices.Insert(n.Steps, len(n.Steps)-1, list[0])
			b.p.Buffers[c.Outs[0]].Local = b.IntN(2) == 0
			inside.values = append(inside.values[:len(inside.values):len(inside.values)], bounded.Outs[0])
			written = append(written, bounded.Outs[0])
		default:
			list := b.contractions(&scope{values: s.values, transposed: s.transposed, reduced: s.reduced}, false)
			first, second, tanh := list[0].(*program.Contraction), list[1].(*program.Contraction),
				list[2].(*program.Kernel)
			first.Ins[0] = b.choose(inside.values) // of the row loop, as likely as not
			if _, ok := plan.Of(tanh.Kernel).Untransposed().RowsPerChunk(b.rows); !ok {
				continue
			}
			n.Steps = append(n.Steps, first, second, tanh)
			inside.values = append(inside.values[:len(inside.values):len(inside.values)], tanh.Outs[0])
			written = append(written, tanh.Outs[0])
			if b.IntN(2) == 0 {
				b.p.Buffers[first.Outs[0]].Local, b.p.Buffers[second.Outs[0]].Local = true, true
			}
		}
	}
	if len(n.Steps) == 0 {
		out := b.buffer(b.rows, b.cols)
		node := b.elementwise(*s, out)
		s.values = append(s.values, out)
		return node
	}
	if len(written) > 1 && b.IntN(2) == 0 { // no later node may use all of them
		b.p.Buffers[written[0]].Local = true
		written = written[1:]
	}
	s.values = append(s.values, written...)
	for _, f := range inside.reduced[len(s.reduced):] {
		if b.IntN(2) == 0 {
			b.p.Buffers[f].Local = true
		} else {
			s.reduced = append(s.reduced, f)
		}
	}
	return n
}

// group returns independent kernels and a contraction.
func (b *builder) group(s *scope) program.Node {
	w := &program.ParallelGroup{}
	before := s.clone()
	for range 2 + b.IntN(3) {
		out := b.buffer(b.rows, b.cols)
		w.Nodes = append(w.Nodes, b.elementwise(before, out))
		s.values = append(s.values, out)
	}
	if b.IntN(2) == 0 {
		nodes := b.contractions(&before, true) // only the first of them
		w.Nodes = append(w.Nodes, nodes[0])
	}
	return w
}

// branch returns a branch by a constant index.
func (b *builder) branch(s *scope, zero, depth int) program.Node {
	index := b.typed(dtype.S32)
	b.p.Buffers[index].Data = []byte{byte(b.IntN(4)), 0, 0, 0}
	n := &program.Branch{Operands: program.Operands{Ins: []int{index}, Outs: []int{b.buffer(b.rows, b.cols)}}}
	for range 1 + b.IntN(3) {
		inside := s.clone()
		arm := &program.Block{Nodes: b.nodes(&inside, zero, b.IntN(3), depth-1)}
		arm.Results = []int{b.choose(inside.values)}
		n.Arms = append(n.Arms, arm)
	}
	s.values = append(s.values, n.Outs[0])
	return n
}

// loop returns a loop of some trips over a counter and up to two values.
func (b *builder) loop(s *scope, zero, depth int) []program.Node {
	start, one, limit := b.typed(dtype.S32), b.typed(dtype.S32), b.typed(dtype.S32)
	for i, buf := range []int{start, one, limit} {
		b.p.Buffers[buf].Data = []byte{[]byte{0, 1, byte(b.IntN(5))}[i], 0, 0, 0}
	}
	count, next, more := b.typed(dtype.S32), b.typed(dtype.S32), b.typed(dtype.Bool)
	n := &program.Loop{Operands: program.Operands{Ins: []int{start}, Outs: []int{count}}}
	inside := s.clone()
	inside.counts = append(inside.counts, count, count)
	for range 1 + b.IntN(2) {
		state := b.buffer(b.rows, b.cols)
		n.Ins, n.Outs = append(n.Ins, b.choose(s.values)), append(n.Outs, state)
		inside.values = append(inside.values, state, state, state)
	}
	values := len(n.Outs)
	if b.IntN(2) == 0 {
		stack := b.buffer(height, b.rows, b.cols)
		n.Ins, n.Outs = append(n.Ins, b.choose(s.stacks)), append(n.Outs, stack)
		inside.stacks = []int{stack}
	}
	n.Cond = &program.Block{Args: n.Outs, Nodes: []program.Node{b.scalar(kernel.LT, dtype.Bool, count, limit, more)},
		Results: []int{more}}
	n.Body = &program.Block{Args: n.Outs, Nodes: b.nodes(&inside, zero, 1+b.IntN(3), depth-1)}
	n.Body.Nodes = append(n.Body.Nodes, b.scalar(kernel.Add, dtype.S32, count, one, next))
	n.Body.Results = []int{next}
	for range n.Outs[1:values] {
		n.Body.Results = append(n.Body.Results, b.choose(inside.values))
	}
	if len(n.Outs) > values {
		n.Body.Results = append(n.Body.Results, inside.stacks[len(inside.stacks)-1])
	}
	s.values, s.stacks = append(s.values, n.Outs[1:values]...), append(s.stacks, n.Outs[values:]...)
	return []program.Node{n}
}

// scalar returns a kernel of one point on two integers.
func (b *builder) scalar(op kernel.Op, t dtype.Type, x, y, out int) *program.Kernel {
	k := &kernel.Kernel{Name: "scalar"}
	var args [3]kernel.Value
	for i := range 2 {
		args[i] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32, At: &kernel.Access{Param: i}})
	}
	in := kernel.Instr{Op: op, Type: t, Args: args}
	if t != dtype.S32 {
		in.From = dtype.S32
	}
	k.Stores = []kernel.Store{{Value: k.Body.Add(in), Type: t, At: kernel.Access{Param: 2}}}
	return b.p.NewKernel(k, []int{x, y}, []int{out})
}
